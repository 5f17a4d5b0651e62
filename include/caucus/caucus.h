/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * @brief All headers that need MPI.
 */
#ifndef CAUCUS_CAUCUS_H
#define CAUCUS_CAUCUS_H

#include <caucus/alive.h>
#include <caucus/balance.h>
#include <caucus/channel.h>
#include <caucus/collective.h>
#include <caucus/comm.h>
#include <caucus/create_group.h>
#include <caucus/error.h>
#include <caucus/graph.h>
#include <caucus/grid.h>
#include <caucus/group.h>
#include <caucus/group_comm.h>
#include <caucus/pool.h>
#include <caucus/redistribute.h>
#include <caucus/version.h>

/**
 * @mainpage Caucus: the C reference
 *
 * Group communication that MPI promises and implementations leave undone, on top of any MPI. One
 * header includes all others that need MPI:
 *
 * @code
 * #include <caucus/caucus.h>
 * @endcode
 *
 * | header | what it has |
 * |---|---|
 * | caucus/grid.h | Cartesian and stencil communicators whose neighbours share a node |
 * | caucus/graph.h | the same for any graph, such as the parts of an unstructured mesh |
 * | caucus/collective.h | all collectives: blocking, nonblocking, persistent |
 * | caucus/request.h | starting operations and waiting for them |
 * | caucus/redistribute.h | moving a field between decompositions, also between programs |
 * | caucus/group.h | light groups, formed by their members alone |
 * | caucus/group_merge.h | merging, growing and asking to join light groups |
 * | caucus/group_messages.h | point-to-point messages on light groups |
 * | caucus/group_comm.h | MPI communicators made out of light groups |
 * | caucus/alive.h | light groups of the members that are alive, after failures |
 * | caucus/create_group.h | MPI communicators made by their members alone |
 * | caucus/balance.h | groups that help each other: one that has finished joins a busy one |
 * | caucus/pool.h | tasks that ask for a number of ranks each |
 * | caucus/channel.h | rootless broadcast: any rank casts at any time |
 * | caucus/comm.h | attaching a communicator ahead of time |
 * | caucus/error.h | what went wrong, in words |
 * | caucus/version.h | the version |
 * | caucus/plan.h | planning grids, without MPI |
 * | caucus/schedule.h | studying collectives, without MPI |
 * | caucus/caucus.hpp | the same for C++17: objects that free themselves, errors as exceptions |
 *
 * What holds everywhere, unless a function says otherwise:
 *
 * - **Arguments** mean what they mean in MPI.
 * - **Collective over** a communicator or group means: all its ranks must call, in the same order
 *   as other collectives on it. **Local** means: the call needs no other rank to call anything.
 * - **Errors**: a function returns an MPI error code, after it has called the error handler of the
 *   communicator. So with MPI's default error handler an error ends the program with a message;
 *   with MPI_ERRORS_RETURN the code is returned, and caucus_error_text() explains it. Error classes
 *   named in this reference are MPI's. MPI_ERR_INTERN means that MPI itself has failed (the text
 *   has its words), that an earlier wait for all ranks of this communicator was given up
 *   (CAUCUS_TIMEOUT), or an error in Caucus. Output arguments are undefined after an error, unless
 *   stated.
 * - **Constructors** (of communicators, groups, channels and so on) check that their ranks agree
 *   before anything is made: all get the new object, or all get an error.
 * - **Attaching**: Caucus prepares each communicator once and sends its messages on private
 *   duplicates (caucus/comm.h).
 * - **Threads**: with MPI_THREAD_MULTIPLE, any number of threads may call functions at the same
 *   time, but two calls that are collective over the same communicator must not be concurrent. With
 *   lower thread levels, MPI's rules hold.
 * - **Timeouts**: with the setting CAUCUS_TIMEOUT, a call that waits longer than so many seconds
 *   for another rank fails with MPI_ERR_OTHER, and the text names the ranks that it waits for (not
 *   while a communicator is attached). This holds for all calls that wait for other ranks, whether
 *   or not their pages list it. Calls of MPI's own that Caucus makes are not covered.
 * - **Settings** are environment variables, read when a communicator is attached or an object is
 *   made (docs/reference/settings.md).
 * - MPI must be initialised and not finalized.
 */

#endif
