/* SPDX-License-Identifier: BSD-3-Clause */
/* Moving a distributed field from one decomposition to another: between the two groups of an
 * intercommunicator, as two coupled programs have them, or among the ranks of one group.
 *
 * Each rank says which global indices it has, and which it wants, as lists of ranges in any order.
 * Who sends what to whom is found out once, by all ranks together; then the request is started and
 * waited for as often as the field is to be moved (caucus/request.h). docs/redistribute.md is the
 * guide, examples/coupled_field.c an example. */
#ifndef CAUCUS_REDISTRIBUTE_H
#define CAUCUS_REDISTRIBUTE_H

#include <caucus/index_range.h>
#include <caucus/request.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Makes an inactive persistent request. Each start sends what sendbuf has then, and when the
 * request is complete recvbuf has all that was wanted; nothing else of it is written.
 *
 * Must be called by all ranks of comm, of both groups of an intercommunicator, in the same order as
 * other collectives on it. Inactive requests may be started in any order.
 *
 * have[have_count] and want[want_count]: ranges of global indices, which may be negative, be empty,
 * and come in any order. The position of an index in the list is its place in the buffer, counted
 * in elements of the datatype: with have = {{10, 2}, {3, 1}}, sendbuf has the elements of indices
 * 10, 11 and 3. The lists may be changed or freed when the call returns, datatypes as in MPI.
 * sendbuf and recvbuf must not overlap. Where a rank has (wants) no index, its list, buffer and
 * datatype mean nothing.
 *
 * On an intercommunicator ranks want what the other group has; both directions may be used at once,
 * or one only. Each has its own indices, and may have its own datatype. On an intracommunicator
 * ranks want what any of them has, themselves included, at the price of a copy.
 *
 *   had by several ranks    who has it himself takes his own; else, of k ranks that have it, in the
 *                           order of ranks, rank r takes it from number r modulo k; on an
 *                           intercommunicator one of the groups is counted behind the other
 *   had by a rank that nobody asks for    not sent
 *   wanted by several ranks     all get it
 *   wanted twice by one rank    both places get it; it is sent once
 *   wanted, but had by nobody   MPI_ERR_ARG, which names the lowest such rank and index
 *   had twice by one rank       MPI_ERR_ARG
 *
 * Datatypes may have gaps, and differ between ranks as long as an element has as many bytes
 * everywhere (in each direction of an intercommunicator). info may be MPI_INFO_NULL; of its keys
 * caucus_shared_memory (the same on all ranks) and caucus_requests mean what the settings do that
 * are spelled alike.
 *
 * Errors, on every rank of all groups, with nothing made and nothing written: MPI_ERR_COMM (null),
 * MPI_ERR_COUNT (a negative count, more than 2^63 - 1 elements), MPI_ERR_ARG (a null list, an index
 * beyond 2^63 - 1 or had twice or by nobody, info that differs), MPI_ERR_TYPE (null, not committed,
 * elements that differ in size), MPI_ERR_BUFFER (null with elements, one buffer as both,
 * MPI_IN_PLACE), MPI_ERR_REQUEST (null pointer), MPI_ERR_NO_MEM.
 *
 * Cost of the init: the indices that occur are cut into as many intervals as there are ranks, each
 * of which keeps the books of one; a rank tells as many of them as its ranges reach into, and hears
 * from as many as have something for it, by messages to these alone. Memory: O(ranges of its own,
 * pieces that they are sent in, and what ranks told of its interval); no rank holds all. Cost of a
 * run: one message to each rank that something goes to; what is contiguous in the buffer is sent
 * from there, the rest packed. Ranks that share memory copy through it instead, if the setting does
 * not forbid it and it pays: at most 4 MiB of it a rank and 16 MiB a node. */
int caucus_redistribute_init(const void *sendbuf, MPI_Count have_count,
                             const caucus_index_range have[], MPI_Datatype sendtype, void *recvbuf,
                             MPI_Count want_count, const caucus_index_range want[],
                             MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                             caucus_request *request);

#ifdef __cplusplus
}
#endif

#endif
