/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * @brief Collectives on intra- and intercommunicators: blocking, nonblocking and persistent.
 */
#ifndef CAUCUS_COLLECTIVE_H
#define CAUCUS_COLLECTIVE_H

#include <caucus/collective_functions.h>
#include <caucus/request.h>

/**
 * @defgroup collective Collectives
 * @brief All of MPI's collectives, each in three forms.
 *
 * @code
 * caucus_allreduce(in, out, n, MPI_DOUBLE, MPI_SUM, comm);                // blocking
 *
 * caucus_iallreduce(in, out, n, MPI_DOUBLE, MPI_SUM, comm, &request);     // nonblocking
 * caucus_wait(&request, MPI_STATUS_IGNORE);
 *
 * caucus_allreduce_init(in, out, n, MPI_DOUBLE, MPI_SUM, comm, MPI_INFO_NULL, &request);
 * for (int i = 0; i < 1000; i++) {                                        // persistent
 *     caucus_start(&request);
 *     caucus_wait(&request, MPI_STATUS_IGNORE);
 * }
 * caucus_request_free(&request);
 * @endcode
 *
 * Functions with the suffix _c have counts of MPI_Count and displacements of MPI_Aint. The
 * prototypes are in caucus/collective_functions.h, those on light groups in
 * caucus/group_functions.h, and starting and waiting in caucus/request.h. docs/collectives.md and
 * docs/intercommunicators.md are the guides.
 *
 * Who must call: all ranks of the communicator (of both groups of an intercommunicator), in the
 * same order as all other collectives on it, inits included. Persistent requests may be started in
 * different orders on different ranks.
 *
 * Arguments: MPI's, with MPI's shapes, units and rules, MPI_IN_PLACE and MPI_BOTTOM included.
 * - Buffers and arrays belong to the caller. Buffers are read and written from the start of an
 *   operation to its completion. Arrays of counts, displacements and datatypes may be changed or
 *   freed when the call returns, also of nonblocking and persistent forms.
 * - Datatypes may be freed when the call returns, as in MPI. An operation made by MPI_Op_create
 *   must live as long as requests that use it, unless it is freed by caucus_op_free.
 * - info of an init may be MPI_INFO_NULL. Its keys caucus_algorithm (the name of an algorithm),
 *   caucus_shared_memory and caucus_requests replace the settings of the same names. The first two
 *   must be the same on all ranks.
 * - Neighbourhood collectives take Cartesian, distributed graph and graph communicators. On a
 *   periodic dimension of one or two ranks, both neighbours are the same rank; what it sends in the
 *   negative direction arrives in the block of the neighbour in the positive direction, and vice
 *   versa, as on longer dimensions.
 *
 * Intercommunicators, between p ranks of one group and q of the other: all collectives but scan,
 * exscan and neighbourhoods, as in MPI. Either group may have one rank only, blocks may be empty,
 * so may one direction be, and the two ends of a block may have different datatypes of the same
 * signature.
 * - allgather(v): each rank gets the blocks of the remote ranks. alltoall(v, w): a block to and
 *   from each remote rank.
 * - bcast, scatter(v): from the rank that passes MPI_ROOT to all ranks of the remote group, which
 *   pass its rank. gather(v), reduce: the other way.
 * - The other ranks in the root's group pass MPI_PROC_NULL; their other arguments are ignored.
 * - allreduce: each rank gets the combined operands of the remote group; count is the same in both
 *   groups. reduce_scatter(_block): each rank gets its part of that; counts are those of its own
 *   group, and their sum is the same in both groups.
 * - MPI_IN_PLACE is not allowed.
 *
 * allgatherv and reduce_scatter between two groups need counts that MPI gives to the remote ranks
 * only. These are exchanged first: by an init once, by a blocking call each time, by a nonblocking
 * call each time too, without waiting. It takes one round of messages, with 8 bytes for
 * each rank of a group and, for allgatherv, a block of up to 8 KiB; or 1 + log2 rounds if one group
 * is much larger than the other.
 *
 * Communicators that are not attached (caucus/comm.h): a blocking call or an init attaches them. A
 * nonblocking call must not wait for other ranks, as attaching does. So it is MPI's own nonblocking
 * collective until the communicator is attached, with MPI's algorithms and cost, in the order of
 * MPI's collectives on the communicator, and with O(ranks) copies of arrays. In such a call:
 * - Counts and displacements beyond an int are MPI_ERR_COUNT if MPI has no _c function for them.
 * - If it errs on some only of the ranks that have a part in it, what the others have begun does
 *   not complete, and collectives that follow on the communicator, attaching included, may hang,
 *   as in MPI. Ranks that have no part in a rooted call between two groups do not err with the
 *   others; what follows such a call finds all ranks in step.
 * - If MPI refuses the call, it calls the error handler, its code is returned, and
 *   caucus_error_text() has its words.
 * - After an operation has failed because it took longer than CAUCUS_TIMEOUT, it goes on within
 *   MPI, and its buffers are still in use.
 * - With Open MPI, MPI_Comm_free waits for such operations.
 * - With CAUCUS_CHECK=1 nonblocking calls attach too, and therefore wait.
 *
 * Results: those of an allreduce are bitwise the same on all ranks (of a group). Operands are
 * combined in the order of ranks if the operation does not commute. (If the call is MPI's own, as
 * MPI defines it.)
 *
 * Errors (wrong arguments are found before any data is sent):
 * - MPI_ERR_COMM: MPI_COMM_NULL, or an intercommunicator where one group is needed.
 * - MPI_ERR_COUNT: a negative count, or a buffer of more than 2^63 bytes.
 * - MPI_ERR_TYPE: MPI_DATATYPE_NULL or a datatype that is not committed.
 * - MPI_ERR_OP: MPI_OP_NULL, or an operation of MPI's that does not take the datatype.
 * - MPI_ERR_ROOT: a root out of range.
 * - MPI_ERR_BUFFER: a null pointer with elements, one buffer for input and output, MPI_IN_PLACE
 *   where it is not allowed.
 * - MPI_ERR_TOPOLOGY: a neighbourhood collective on a communicator without topology.
 * - MPI_ERR_ARG: a null pointer to an array, or an algorithm that was asked for and cannot serve.
 * - MPI_ERR_REQUEST: a null pointer to a request.
 * - MPI_ERR_TRUNCATE: a rank sends more or fewer bytes than the other expects.
 * - MPI_ERR_OTHER: a rank was waited for longer than CAUCUS_TIMEOUT. MPI_ERR_NO_MEM.
 *
 * Agreement: if a rank errs in an init, or roots, lengths, operations or collectives differ, all
 * ranks get an error, and the text says what differs. So do blocking and nonblocking calls with
 * CAUCUS_CHECK=1; without it, a rank with wrong arguments returns an error alone. Between two
 * groups, all ranks of both agree; two roots, no root, or a root that the remote group does not
 * name are MPI_ERR_ROOT, and texts name ranks as the calling process sees them: "rank 2 of the
 * remote group".
 *
 * Threads: with MPI_THREAD_MULTIPLE, any number of threads at a time, but calls that are collective
 * over the same communicator must not be concurrent, as in MPI.
 *
 * Cost:
 * - An init chooses the algorithm by the cost model, reserves what it needs, and compares a digest
 *   with the other ranks, through shared memory and by one small MPI_Iallreduce between nodes. If
 *   ranks need counts of others, it exchanges them, in O(ranks).
 * - A start of a persistent request sends the algorithm's own messages and nothing else.
 * - A blocking or nonblocking call, or an init, with the same collective, root, lengths and
 *   operation as an earlier one reuses its schedule (the last 16 each are kept).
 * - Memory: a request has O(its messages), and the scratch and shared memory that its algorithm
 *   needs. Between groups, scratch is at most the blocks of both groups (for small data, and nodes
 *   that have ranks of both), nothing for long blocks of allgather(v), one operand in reductions,
 *   and 1 MiB, or 4 KiB for each remote rank, with the algorithms called direct. A node has
 *   shared memory for each communicator (caucus/comm.h), as much again where persistent requests
 *   need it, and at most 16 MiB for persistent requests that were freed.
 *
 * Source: S. Bouhrour and J. Jaeger, Implementation and performance evaluation of MPI persistent
 * collectives in MPC: a case study, EuroMPI/USA 2020, for persistent collectives whose set-up is
 * paid at init. Q. Kang, J. L. Träff, R. Al-Bahrani, A. Agrawal, A. Choudhary and W. Liao, Scalable
 * algorithms for MPI intergroup Allgather and Allgatherv, Parallel Computing 2019, for allgather(v)
 * between groups: every byte crosses once, and each group passes on within itself what came; here
 * both at the same time, in stripes whose sizes balance all network cards.
 * @{
 */

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Frees an operation, as MPI_Op_free, also if requests of Caucus still use it: MPI frees it when
 * the last of them is freed. MPI has no way to keep an operation alive, so one that is freed by
 * MPI_Op_free itself must not be in use.
 *
 * Local; any thread.
 *
 * @param[in,out] op An operation made by MPI_Op_create; becomes MPI_OP_NULL.
 * @return MPI_SUCCESS, or MPI_ERR_OP (a null pointer, MPI_OP_NULL, a predefined operation), raised
 *         at the error handler of MPI_COMM_SELF.
 */
int caucus_op_free(MPI_Op *op);

#ifdef __cplusplus
}
#endif

/** @} */

#endif
