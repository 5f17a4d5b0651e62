/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives on intra- and intercommunicators: all of MPI's, each in three forms,
 *
 *   caucus_allreduce(...)                         blocking
 *   caucus_iallreduce(..., &request)              nonblocking: complete it with caucus_wait
 *   caucus_allreduce_init(..., info, &request)    persistent: caucus_start it, caucus_wait, again
 *
 * and each of these with _c and counts of MPI_Count. The prototypes are in
 * caucus/collective_functions.h, starting and waiting in caucus/request.h, and docs/collectives.md
 * is the guide.
 *
 * Who must call: all ranks of the communicator, in the same order as all other collectives on it,
 * inits included. What MPI_Start begins may begin in any order.
 *
 * Arguments: MPI's, with MPI's shapes, units and rules; MPI_IN_PLACE and MPI_BOTTOM included.
 * Buffers and arrays belong to the caller. Buffers are not read before an operation is started;
 * arrays of counts, displacements and datatypes may be changed or freed as soon as the call
 * returns. Datatypes may be freed at once, as in MPI. An operation of the user's must live as long
 * as requests that use it, unless it is freed by caucus_op_free. info may be MPI_INFO_NULL; its
 * keys caucus_algorithm (an algorithm by name), caucus_shared_memory and caucus_requests have the
 * values of the settings that are spelled alike; the first two are the same on all ranks.
 * Neighbourhood collectives take Cartesian,
 * distributed graph and graph communicators; on a periodic axis of one or two ranks, what is sent
 * down arrives as from above and the other way round.
 *
 * Intercommunicators: all collectives but scan, exscan and those of neighbourhoods, as MPI has
 * them, between p ranks of one group and q of the other. Either group may have one rank, blocks
 * may be empty, one direction only is fine, and the two sides of a block may have different
 * datatypes of one signature.
 *
 *   allgather(v)            the remote ranks' blocks; alltoall(v, w): to and from each of them
 *   bcast, scatter(v)       from the rank with MPI_ROOT to all of the remote group, who name it
 *   gather(v), reduce       from all of the remote group, who name it, to the rank with MPI_ROOT
 *   allreduce               the remote group's operands combined; count is the same in both
 *   reduce_scatter(_block)  the same in parts: those of either group have the same sum
 *
 * In the root's group all others give MPI_PROC_NULL, and nothing else of their call is looked at.
 * Nothing is ever in place. allgatherv and reduce_scatter need counts that MPI gives to the remote
 * ranks only. These come first: at init, in a blocking call, and in a nonblocking one as a first
 * stage that nobody waits for: in one round of 8 bytes for each rank of a group, and an
 * allgatherv's block if it has at most 8 KiB, or in 1 + log2 rounds where one group is much larger.
 *
 * Results: bit for bit the same on all ranks that get the same combination, and combined in the
 * order of ranks where the operation does not commute.
 *
 * Errors: found before any message. MPI_ERR_COMM (null, or an intercommunicator where one group is
 * needed), MPI_ERR_COUNT (negative count, more than 2^63 bytes), MPI_ERR_TYPE (null, not
 * committed), MPI_ERR_OP (null, does not take the datatype), MPI_ERR_ROOT, MPI_ERR_BUFFER (null
 * with elements, one buffer as input and output, MPI_IN_PLACE where it must not be),
 * MPI_ERR_TOPOLOGY, MPI_ERR_ARG (a null array, a forced algorithm that can't serve),
 * MPI_ERR_REQUEST (null pointer), MPI_ERR_TRUNCATE (what one rank sends is not what the other
 * expects). An init agrees: if a rank errs, or roots, lengths, operations or collectives differ
 * between ranks, all ranks get an error that says how. With CAUCUS_CHECK=1 so do the other forms;
 * without, a rank that errs alone returns alone. Between two groups all ranks of both agree; two
 * roots, none, or another one than the remote group names are MPI_ERR_ROOT, lengths that differ
 * MPI_ERR_TRUNCATE, and words call a rank "rank 2 of the remote group", as their reader sees it.
 *
 * Threads: any number at a time with MPI_THREAD_MULTIPLE, but calls that are collective over one
 * communicator must not be concurrent, as in MPI.
 *
 * Cost: an init chooses by the cost model, reserves what the algorithm needs, and compares a digest
 * with the other ranks: through shared memory, and by one small MPI_Iallreduce between nodes. Where
 * counts are only known to others it exchanges them: O(ranks). A start after it sends the
 * algorithm's own messages only. What was worked out is kept for the next call or init with the
 * same lengths: the last ones, up to a limit. Memory: a request has O(its messages), and whatever
 * its algorithm says of scratch and node memory. Between groups scratch is at most the blocks of
 * both groups (small data, and nodes that have ranks of both), nothing for long blocks of
 * allgather(v), one operand in reductions, or 1 MiB, or 4 KiB for each remote rank, by the
 * algorithms called direct. A node has 4 to 64 MiB of shared memory for each communicator, and at
 * most 16 MiB for persistent requests that were freed.
 *
 * Source: persistent collectives whose set-up is paid at init, after S. Bouhrour and J. Jaeger,
 * Implementation and performance evaluation of MPI persistent collectives in MPC: a case study,
 * EuroMPI/USA 2020. Between groups, allgather(v) is after Q. Kang, J. L. Träff, R. Al-Bahrani,
 * A. Agrawal, A. Choudhary and W. Liao, Scalable algorithms for MPI intergroup Allgather and
 * Allgatherv, Parallel Computing 2019: every byte crosses once, and each group passes on within
 * itself what came; here both at a time, in stripes whose sizes even out all ports. */
#ifndef CAUCUS_COLLECTIVE_H
#define CAUCUS_COLLECTIVE_H

#include <caucus/collective_functions.h>
#include <caucus/request.h>

#ifdef __cplusplus
extern "C" {
#endif

/* As MPI_Op_free, also for an operation that inactive requests still use: MPI frees it with the
 * last of them. MPI has no way to ask what is behind an operation, so one that is freed by
 * MPI_Op_free itself must not be in use. Local; any thread. Errors: MPI_ERR_OP for a null pointer,
 * MPI_OP_NULL, or an operation of MPI's own. */
int caucus_op_free(MPI_Op *op);

#ifdef __cplusplus
}
#endif

#endif
