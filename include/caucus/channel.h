/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * @brief Channels: any rank casts a message at any time, and every other rank gets it exactly once.
 */
#ifndef CAUCUS_CHANNEL_H
#define CAUCUS_CHANNEL_H

#include <caucus/channel_answers.h>
#include <caucus/channel_object.h>

#include <mpi.h>

/**
 * @defgroup channel Channels
 * @brief Rootless broadcast: any rank sends to all others, without a root that is known beforehand.
 *
 * To cast is to send a message to all other ranks of the channel. Every rank may cast at any time.
 * Every other rank gets the message exactly once, by a callback or by caucus_channel_recv. Messages
 * of the same rank are delivered in the order in which it cast them, on all ranks; causal and total
 * order can be chosen.
 *
 * @code
 * static void hear(void *context, const caucus_delivery *message) {
 *     printf("%lld bytes from rank %d\n", (long long)message->length, message->origin);
 * }
 *
 * caucus_channel_options options = {.deliver = hear};
 * caucus_channel_open(comm, &options, &channel);    // by all ranks
 * if (something_was_found)
 *     caucus_cast(channel, &found, sizeof found);   // by any rank, at any time
 * caucus_channel_poll(channel);                     // by all ranks, now and then
 * caucus_channel_close(&channel);                   // by all ranks; delivers what is on its way
 * @endcode
 *
 * Progress: messages are forwarded from rank to rank, while these are in calls on the channel, or
 * wait in any other call of Caucus. Callbacks (except those that combine answers) run only in calls
 * on their own channel; until then their messages stay in the buffers of the neighbours that they
 * came from. caucus_channel_options::progress starts a thread that polls.
 *
 * Flow control: buffers are bounded. A rank that does not poll makes the others wait when they
 * cast, and no rank's memory grows. Ranks that wait in casts on different channels at the same time
 * may deadlock once buffers are full.
 *
 * Timeouts: with CAUCUS_TIMEOUT, a cast, question, allreduce, flush, quiesce or close fails with
 * MPI_ERR_OTHER if nothing arrives for so many seconds while it waits, and caucus_error_text()
 * names the ranks that this one waits for. So do polls and calls that do not wait, if they have
 * found nothing for so long while this rank expects something: room for a cast of its own, quiet,
 * or the result of an allreduce; of the time between two polls, at most an eighth of the timeout
 * counts. A rank that expects nothing may poll for ever. After such an error the channel has failed
 * on this rank: all calls return the error, and caucus_channel_close frees it without the other
 * ranks.
 *
 * Errors are raised at the error handler of the channel's communicator, or at that of MPI_COMM_SELF
 * for a null or closed channel or if the communicator has been freed (a channel outlives it). All
 * functions return MPI_ERR_ARG for a null or closed channel, and when a callback calls a function
 * on its own channel that it may not call.
 *
 * Threads: with MPI_THREAD_MULTIPLE, several threads may cast and poll on a channel at the same
 * time, while one thread alone receives: each receive ends the life of the message before. Messages
 * of a rank are then ordered by the order in which its casts return or are accepted. One thread
 * alone may open and close, and one alone quiesce; casts wait until that is over. With lower thread
 * levels, one thread at a time may call functions on a channel.
 *
 * Deaths of ranks: with caucus_channel_options::survives, on an MPI that reports failures (Open
 * MPI 5 with mpiexec --with-ft ulfm), the channel goes on. The ranks that live agree on which are
 * dead and on what was delivered, and calls wait meanwhile. Each message of any rank, dead or
 * alive, is delivered to all living ranks once or to none, in the channel's order; messages cast by
 * living ranks are delivered. The last messages of a dead rank may be lost everywhere, and may have
 * been delivered to ranks that died too. The program is not notified: caucus_channel_dead tells
 * which ranks are dead.
 * - Cost: each message is copied once more where it is cast and where it is delivered. For n ranks,
 *   each keeps the last 4 * credits messages of each rank, within keeps / n bytes, or one longer
 *   message. Each rank flushes after every 2 * credits casts, when half of its share is used, and
 *   when there is no room for a long message. Each rank stores n^2 integers. Messages within a
 *   node go by MPI. A death takes a message of 8 n bytes between each two survivors, and the
 *   memory of the neighbours' buffers once more until the channel is closed. After a death,
 *   casts use another overlay (a finger tree).
 * - Questions and allreduces: each answer goes directly to the rank that asked. Answers of dead
 *   ranks are not waited for, so fewer ranks than the quorum may have contributed. The result of
 *   an opener that dies may be lost.
 * - Not covered: messages longer than memory (an error), deaths while a channel is opened, and
 *   ranks that are alive but cut off. After deaths, closing does not give back the context id.
 *
 * Source: our own overlays and protocols (docs/development/rootless.md). docs/channels.md is the
 * guide.
 * @{
 */

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Opens a channel among all ranks of a communicator. Many channels may be open on the same one.
 *
 * Collective over @p comm. Attaches it if it is not attached; takes a context id of MPI.
 *
 * Memory on each rank, where s is the number of neighbours that it receives from (about log2 of the
 * number of ranks if nodes have equal size): (s + 1) * credits * (segment + 48) bytes, for
 * neighbours on the same node in shared memory; up to twice caucus_channel_options::memory while
 * long messages arrive; in total order, the messages that wait for their turn.
 *
 * @param[in] comm     An intracommunicator.
 * @param[in] options  Options, which are copied.
 * @param[out] channel The channel, to be closed by caucus_channel_close.
 * @return MPI_SUCCESS, or on all ranks: MPI_ERR_COMM (MPI_COMM_NULL, an intercommunicator),
 *         MPI_ERR_ARG (a null pointer, an unknown order, numbers out of range, callbacks that do
 *         not fit together, options that differ between ranks), MPI_ERR_UNSUPPORTED_OPERATION
 *         (progress without MPI_THREAD_MULTIPLE, survives if MPI does not report failures),
 *         MPI_ERR_NO_MEM.
 */
int caucus_channel_open(MPI_Comm comm, const caucus_channel_options *options,
                        caucus_channel *channel);

/**
 * Casts a message to all other ranks. In total order it is delivered to this rank too.
 *
 * Local; waits while there is no room, and delivers what arrives on this channel meanwhile. The
 * buffer may be reused when the call returns. Messages longer than
 * caucus_channel_options::segment, and all messages in total order, are sent when rank 0 has
 * assigned their turn, for which rank 0 must poll. In total order, messages of up to segment bytes
 * are copied, and the call does not wait for that.
 *
 * On a channel without deliver, messages that arrive meanwhile are kept to be received. If there is
 * no more room for them, and none for the cast, nothing is cast and MPI_ERR_PENDING is returned:
 * receive a message and cast again, or use caucus_try_cast in the first place. If another thread
 * receives, the cast waits for it instead. If part of the message has left already, the rest is
 * copied.
 *
 * @param[in] channel A channel.
 * @param[in] bytes   The message; may be NULL if @p length is 0.
 * @param[in] length  Its length in bytes, at least 0. On a channel that survives, at most memory
 *                    (segment, if that is more), and less than 2^31.
 * @return MPI_SUCCESS, or: MPI_ERR_ARG (a null pointer, called by a callback, called between
 *         caucus_channel_try_quiesce and the next receive, a null or closed channel), MPI_ERR_COUNT
 *         (a length out of range), MPI_ERR_PENDING (see above), MPI_ERR_OTHER (CAUCUS_TIMEOUT),
 *         MPI_ERR_NO_MEM.
 */
int caucus_cast(caucus_channel channel, const void *bytes, MPI_Count length);

/**
 * Casts a message, without waiting. May be called by callbacks; elsewhere it also polls the
 * channel. Local.
 *
 * @param[in] channel   A channel.
 * @param[in] bytes     The message, which is copied; may be NULL if @p length is 0.
 * @param[in] length    Its length in bytes, as in caucus_cast.
 * @param[out] accepted 1 if the message was cast; 0 if there is no room now or this rank waits for
 *                      quiet, and nothing was cast.
 * @return MPI_SUCCESS, or: MPI_ERR_ARG (a null pointer, a null or closed channel), MPI_ERR_COUNT (a
 *         length out of range), MPI_ERR_OTHER (CAUCUS_TIMEOUT), MPI_ERR_NO_MEM.
 */
int caucus_try_cast(caucus_channel channel, const void *bytes, MPI_Count length, int *accepted);

/**
 * Waits until all messages that this rank has cast were delivered to every other rank: given to its
 * callback, received, or kept there to be received.
 *
 * Local; the other ranks only need to poll. Cost: 2 (n - 1) messages for n ranks.
 *
 * @param[in] channel A channel.
 * @return MPI_SUCCESS, or an error as of caucus_cast. After MPI_ERR_PENDING, receive a message and
 *         call again; what was cast in between is waited for, too.
 */
int caucus_channel_flush(caucus_channel channel);

/**
 * Forwards messages of other ranks, and delivers those that have arrived. Local; does not wait.
 *
 * @param[in] channel A channel.
 * @return MPI_SUCCESS, or: MPI_ERR_ARG (a null or closed channel, called by a callback),
 *         MPI_ERR_OTHER (CAUCUS_TIMEOUT), MPI_ERR_NO_MEM.
 */
int caucus_channel_poll(caucus_channel channel);

/**
 * Waits for the next message, or piece of a long one, on a channel without deliver.
 *
 * Local. One thread alone receives.
 *
 * @param[in] channel   A channel without deliver.
 * @param[out] delivery The message. Its bytes belong to the channel, and are valid until the next
 *                      receive on it.
 * @return MPI_SUCCESS, or: MPI_ERR_ARG (a null pointer, a channel with deliver, a null or closed
 *         channel, called by a callback), MPI_ERR_OTHER (no message within CAUCUS_TIMEOUT; the
 *         channel has not failed and may be used further), or the error with which the channel has
 *         failed.
 */
int caucus_channel_recv(caucus_channel channel, caucus_delivery *delivery);

/**
 * Receives the next message, or piece of a long one, if there is one, on a channel without deliver.
 *
 * Local; does not wait. One thread alone receives.
 *
 * @param[in] channel   A channel without deliver.
 * @param[out] delivery The message, as in caucus_channel_recv; not changed if there is none.
 * @param[out] received 1 if there was a message, else 0.
 * @return MPI_SUCCESS, or an error as of caucus_channel_recv.
 */
int caucus_channel_try_recv(caucus_channel channel, caucus_delivery *delivery, int *received);

/**
 * Waits until the channel is quiet: every message that any rank has cast was delivered everywhere,
 * also those that callbacks cast meanwhile. It is a barrier too: no rank returns before all have
 * called it. Ranks may call it in any order, while messages are on their way.
 *
 * Collective over the channel. One thread alone; casts of other threads wait until it is over.
 *
 * On a channel without deliver, a message is delivered when it was received. If a message waits to
 * be received by this thread, or a received question to be answered, MPI_ERR_PENDING is returned,
 * and the other ranks go on waiting: receive or answer it, and call again.
 *
 * @param[in] channel A channel.
 * @return MPI_SUCCESS, or: MPI_ERR_ARG (a null or closed channel, called by a callback),
 *         MPI_ERR_PENDING (see above), MPI_ERR_OTHER (CAUCUS_TIMEOUT), MPI_ERR_NO_MEM.
 */
int caucus_channel_quiesce(caucus_channel channel);

/**
 * As caucus_channel_quiesce, without waiting: to be called in a loop that also receives.
 *
 * @code
 * for (int quiet = 0, received; !quiet;) {
 *     caucus_channel_try_recv(channel, &message, &received);
 *     if (received)
 *         handle(&message);    // may cast
 *     else
 *         caucus_channel_try_quiesce(channel, &quiet);
 * }
 * @endcode
 *
 * All ranks of the channel must call it until it reports quiet. After a call that did not, a rank
 * may cast only when it has received a message. Each call is local.
 *
 * @param[in] channel A channel.
 * @param[out] quiet  1 if the channel is quiet on all ranks; 0 if it is not, or something waits to
 *                    be received here.
 * @return MPI_SUCCESS, or: MPI_ERR_ARG (a null pointer, a null or closed channel, called by a
 *         callback), MPI_ERR_OTHER (CAUCUS_TIMEOUT), MPI_ERR_NO_MEM.
 */
int caucus_channel_try_quiesce(caucus_channel channel, int *quiet);

/**
 * Reports what this rank has done on the channel since it was opened. Local.
 *
 * @param[in] channel   A channel.
 * @param[out] counters The counters of this rank.
 * @return MPI_SUCCESS, or MPI_ERR_ARG (a null pointer, a null or closed channel, called by a
 *         callback).
 */
int caucus_channel_statistics(caucus_channel channel, caucus_channel_counters *counters);

/**
 * Reports which ranks are dead and no longer belong to a channel that survives. On other channels
 * it reports none. Local.
 *
 * @param[in] channel A channel.
 * @param[in] room    Number of entries that @p ranks has room for, at least 0.
 * @param[out] ranks  The first @p room of the dead ranks, ascending; may be NULL if @p room is 0.
 * @param[out] count  Number of dead ranks, which may be more than @p room.
 * @return MPI_SUCCESS, or MPI_ERR_ARG (a null pointer, a negative @p room, a null or closed
 *         channel, called by a callback).
 */
int caucus_channel_dead(caucus_channel channel, int room, int ranks[], int *count);

/**
 * Ends the thread that caucus_channel_options::progress has started, and returns when it has ended,
 * and with it a callback that it is in. The channel stays open, and moves on in calls on it, and in
 * others that wait, from then on. Without such a thread it does nothing.
 *
 * For who leaves a channel open at MPI_Finalize, after an error say: a thread that is within MPI
 * when MPI_Finalize begins makes MPICH 5.0.2 abort now and then. Local.
 *
 * @param[in] channel A channel.
 * @return MPI_SUCCESS, or MPI_ERR_ARG (a null or closed channel, called by a callback, another
 *         thread uses the channel).
 */
int caucus_channel_stop_progress(caucus_channel channel);

/**
 * Waits until the channel is quiet (caucus_channel_quiesce), and closes it. Callbacks cannot cast
 * any more.
 *
 * Collective over the channel. On a rank where the channel has failed, local.
 *
 * @param[in,out] channel The channel; becomes CAUCUS_CHANNEL_NULL. After an error it stays open:
 *                        call again.
 * @return MPI_SUCCESS, or an error as of caucus_channel_quiesce; MPI_ERR_ARG also if another thread
 *         uses the channel.
 */
int caucus_channel_close(caucus_channel *channel);

#ifdef __cplusplus
}
#endif

/** @} */

#endif
