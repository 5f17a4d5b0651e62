/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * @brief C++17: all headers, and objects that free themselves.
 */
#ifndef CAUCUS_CAUCUS_HPP
#define CAUCUS_CAUCUS_HPP

#include <caucus/balance.hpp>
#include <caucus/caucus.h>
#include <caucus/channel.hpp>
#include <caucus/comm.hpp>
#include <caucus/error.hpp>
#include <caucus/grid.hpp>
#include <caucus/group.hpp>
#include <caucus/pool.hpp>
#include <caucus/request.hpp>

#endif
