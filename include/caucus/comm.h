/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * @brief Attaching a communicator: the preparation that all other functions need once.
 */
#ifndef CAUCUS_COMM_H
#define CAUCUS_COMM_H

#include <mpi.h>

/**
 * @defgroup comm Attaching a communicator
 * @brief Caucus prepares each communicator once, before it is first used.
 * @{
 */

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Attaches a communicator: duplicates it for Caucus's own messages, finds out which ranks share a
 * node, and reserves what collectives need, including memory shared by the ranks of a node. All
 * messages of Caucus travel on the private duplicates. So no receive of the program gets one of
 * them, not even a receive from MPI_ANY_SOURCE with MPI_ANY_TAG.
 *
 * @code
 * caucus_comm_attach(comm);                                // by all ranks of comm
 * if (rank < 3)
 *     caucus_group_create(comm, members, 3, tag, &group);  // by these three alone
 * @endcode
 *
 * Collective over @p comm. A second call with the same communicator does nothing.
 *
 * When it is needed: functions that are called by some ranks of a communicator only
 * (caucus/group.h, caucus/alive.h, caucus/create_group.h) cannot attach it, and fail if it is not
 * attached. Blocking collectives, persistent inits, and other functions that are collective over
 * the communicator attach it themselves; for them this call only moves the cost to an earlier
 * time. Nonblocking collectives do not attach (caucus/collective.h), and functions of
 * caucus/grid.h do only in part: they do not reserve what collectives and light groups need.
 *
 * Intercommunicators: called by all ranks of both groups. The private communicator is an
 * intracommunicator of both groups. The groups may belong to several programs that were connected
 * by MPI_Comm_spawn or MPI_Comm_connect. The setting CAUCUS_NODES describes the ranks of one
 * MPI_COMM_WORLD; if an intercommunicator spans several, the nodes are what MPI reports instead.
 * After MPI_Comm_disconnect, neither side waits for the other, unless a request on @p comm is
 * still active.
 *
 * Lifetime: what was made is cached as an attribute of @p comm. It is released when @p comm is
 * freed or disconnected, or with the last request on it, whichever is later; MPI_Finalize releases
 * the rest. Communicators derived from @p comm, duplicates included, are not attached with it.
 *
 * Cost: O(1) memory on each rank where nodes are blocks of equally many ranks (but for the last),
 * else 12 bytes for each rank of @p comm; shared memory of some 0.55 MiB for each rank of a node,
 * at least 4.2 MiB and some 70 MiB from 128 ranks on (a quarter more for an intercommunicator); and
 * four context ids of MPI (three for an intercommunicator).
 *
 * Threads: any thread, as for a collective of MPI on @p comm.
 *
 * @param[in] comm An intra- or intercommunicator.
 * @return MPI_SUCCESS, or, after the error handler of @p comm was called: MPI_ERR_COMM if @p comm
 *         is MPI_COMM_NULL; MPI_ERR_ARG on every rank if a setting is malformed (CAUCUS_NODES,
 *         CAUCUS_LEVELS, CAUCUS_MODEL, CAUCUS_ALGORITHM, CAUCUS_REQUESTS and the like);
 *         MPI_ERR_OTHER if not all ranks came within CAUCUS_TIMEOUT, after which later calls are
 *         MPI_ERR_INTERN at once; MPI_ERR_NO_MEM.
 */
int caucus_comm_attach(MPI_Comm comm);

#ifdef __cplusplus
}
#endif

/** @} */

#endif
