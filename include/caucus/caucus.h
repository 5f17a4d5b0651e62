/* SPDX-License-Identifier: BSD-3-Clause */
/* Caucus: the group communication that MPI promises, on top of any MPI.
 *
 * Where to read on:
 *   caucus/grid.h    Cartesian and stencil communicators whose halos stay on the node
 *   caucus/collective.h  all collectives: blocking, nonblocking, persistent
 *   caucus/redistribute.h  moving a field from one decomposition to another, also between programs
 *   caucus/group.h   groups formed by their members alone, with their own collectives and messages
 *   caucus/alive.h   groups of the members that live, after processes have died
 *   caucus/group_comm.h  communicators of MPI's out of these
 *   caucus/balance.h  groups that help each other: who is done joins one that is not
 *   caucus/pool.h    tasks that ask for so many ranks each, and idle ranks that become their groups
 *   caucus/channel.h casting from any rank at any time, heard by all exactly once
 *   caucus/request.h starting them and waiting for them
 *   caucus/create_group.h  communicators made by their members alone
 *   caucus/comm.h    attaching a communicator ahead of time
 *   caucus/error.h   what went wrong, in words
 *   caucus/version.h
 *
 * What holds everywhere:
 *   Arguments mean what they mean in MPI. A function returns an MPI error code, after it called the
 *   communicator's error handler; caucus_error_text() has the story in words.
 *   Constructors are collective over the communicator given, and check that all ranks agree before
 *   anything is made: all get the new object, or all get the error.
 *   Functions may be called by several threads at once if MPI was initialised with
 *   MPI_THREAD_MULTIPLE, as long as no two of them are collective over one communicator.
 *   MPI must be initialised, and not yet finalized. */
#ifndef CAUCUS_CAUCUS_H
#define CAUCUS_CAUCUS_H

#include <caucus/alive.h>
#include <caucus/balance.h>
#include <caucus/channel.h>
#include <caucus/collective.h>
#include <caucus/comm.h>
#include <caucus/create_group.h>
#include <caucus/error.h>
#include <caucus/grid.h>
#include <caucus/group.h>
#include <caucus/group_comm.h>
#include <caucus/pool.h>
#include <caucus/redistribute.h>
#include <caucus/version.h>

#endif
