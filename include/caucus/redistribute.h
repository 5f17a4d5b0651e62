/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * @brief Moving a distributed field from one decomposition to another.
 */
#ifndef CAUCUS_REDISTRIBUTE_H
#define CAUCUS_REDISTRIBUTE_H

#include <caucus/index_range.h>
#include <caucus/request.h>

/**
 * @defgroup redistribute Redistribution
 * @brief Each rank says which global indices it has and which it wants; a persistent request moves
 * them.
 *
 * Between the two groups of an intercommunicator, as two coupled programs have it, or among the
 * ranks of one group. Which rank sends what to which is worked out once, by all ranks together.
 * docs/redistribute.md is the guide, examples/coupled_field.c a whole program.
 *
 * @code
 * caucus_index_range have[] = {{0, 100}, {400, 100}};    // {first index, how many}
 * caucus_request request;
 * caucus_redistribute_init(field, 2, have, MPI_DOUBLE,   // what this rank has,
 *                          NULL, 0, NULL, MPI_DOUBLE,    // and wants: nothing
 *                          inter, MPI_INFO_NULL, &request);
 * for (int step = 0; step < steps; step++) {
 *     compute(field);
 *     caucus_start(&request);                            // sends what field has now
 *     caucus_wait(&request, MPI_STATUS_IGNORE);
 * }
 * caucus_request_free(&request);
 * @endcode
 *
 * Threads: as described in @ref collective.
 * @{
 */

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Makes a persistent request that moves a field between decompositions. Each start sends what
 * @p sendbuf has then; when the request completes, @p recvbuf has all elements that were wanted,
 * and nothing else in it was written.
 *
 * Collective over @p comm, over both groups of an intercommunicator, in the same order as other
 * collectives on it. Requests may be started in different orders on different ranks. Attaches
 * @p comm if it is not attached.
 *
 * Lists: ranges of global indices in any order. Indices may be negative, and ranges empty. The
 * position of an index in the list is its place in the buffer, counted in elements of the datatype:
 * with have = {{10, 2}, {3, 1}}, @p sendbuf has the elements with the indices 10, 11 and 3. If a
 * list has no index, its buffer and datatype are ignored. Lists belong to the caller and may be
 * reused when the call returns; datatypes may be freed then, as in MPI.
 *
 * On an intercommunicator, ranks want what the other group has. Both directions may be used at the
 * same time; each has its own indices, and may have its own datatype. On an intracommunicator,
 * ranks want what any rank has, including themselves (at the cost of a copy).
 *
 * - An index that several ranks have: a rank that has it itself takes its own element. Otherwise,
 *   if k ranks have it, rank r takes the element of number r modulo k of these in the order of
 *   ranks (on an intercommunicator, ranks of one group are counted after those of the other). So
 *   the elements must be the same.
 * - An index that no rank wants is not sent. One that several ranks want is sent to all of them.
 * - An index that a rank wants twice is sent once, and stored in both places.
 * - An index that is wanted and no rank has, or that a rank has twice, is an error.
 *
 * Datatypes may have gaps and differ between ranks, as long as an element has the same number of
 * bytes everywhere (in each direction of an intercommunicator).
 *
 * Cost of the call: the range of all indices is cut into as many intervals as there are ranks, and
 * each rank matches one interval; where the range is wide for the number of indices, into shorter
 * ones, of which each rank matches a few, wherever they lie. A rank sends a message to the rank of
 * each interval that its lists reach into, and gets one from each that has something for it; a few
 * small reductions; some hundred nanoseconds for each piece. Memory: O(its own ranges, the pieces
 * that they are sent in, and the ranges of all ranks in its interval); no rank stores all ranges.
 *
 * Cost of a start: one message to each rank that elements go to (in at most 16 pieces, to another
 * node). What is contiguous in the buffer is sent from there, the rest is packed. Ranks that share
 * memory copy through it instead if that is faster, by at most 4 MiB for each rank and 16 MiB on a
 * node.
 *
 * @param[in] sendbuf    Elements that this rank has, in the order of @p have. Read after each
 *                       start. Must not overlap @p recvbuf.
 * @param[in] have_count Number of ranges in @p have, at least 0.
 * @param[in] have       Global indices that this rank has.
 * @param[in] sendtype   Datatype of one element in @p sendbuf, committed.
 * @param[out] recvbuf   Room for the elements that this rank wants, in the order of @p want.
 * @param[in] want_count Number of ranges in @p want, at least 0.
 * @param[in] want       Global indices that this rank wants.
 * @param[in] recvtype   Datatype of one element in @p recvbuf, committed.
 * @param[in] comm       An intra- or intercommunicator.
 * @param[in] info       MPI_INFO_NULL, or an info object whose keys caucus_shared_memory (the same
 *                       on all ranks) and caucus_requests replace the settings of the same names.
 * @param[out] request   An inactive persistent request, to be freed by caucus_request_free.
 * @return MPI_SUCCESS, or on all ranks of all groups, with nothing made: MPI_ERR_COUNT (a negative
 *         count, more than 2^63 - 1 elements, a buffer of more than 2^62 bytes), MPI_ERR_ARG (a
 *         null list, an index beyond 2^63 - 2, one that a rank has twice, one that is wanted and no
 *         rank has; the text has the lowest such rank and index; info that differs), MPI_ERR_TYPE
 *         (null, not committed, elements that differ in size), MPI_ERR_BUFFER (a null pointer with
 *         elements, one buffer for both, MPI_IN_PLACE), MPI_ERR_REQUEST (a null pointer),
 *         MPI_ERR_NO_MEM. MPI_ERR_COMM if @p comm is MPI_COMM_NULL, on this rank only.
 */
int caucus_redistribute_init(const void *sendbuf, MPI_Count have_count,
                             const caucus_index_range have[], MPI_Datatype sendtype, void *recvbuf,
                             MPI_Count want_count, const caucus_index_range want[],
                             MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                             caucus_request *request);

#ifdef __cplusplus
}
#endif

/** @} */

#endif
