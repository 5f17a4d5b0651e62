/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * @brief Questions that all ranks answer, and allreduces that any rank opens.
 */
#ifndef CAUCUS_CHANNEL_ANSWERS_H
#define CAUCUS_CHANNEL_ANSWERS_H

#include <caucus/channel_object.h>

#include <mpi.h>

/**
 * @defgroup channel_answers Questions and rootless allreduces
 * @brief Any rank opens a reduction or a vote at any time; the others take part by a callback.
 *
 * A question is a message that all ranks answer. The answers, caucus_channel_options::answer_bytes
 * bytes each, are combined on their way back by caucus_channel_options::combine. So the channel
 * must have been opened with answer_bytes and combine on all ranks. The ranks answer by
 * caucus_channel_options::answer; on a channel without callbacks they receive the question
 * (caucus_delivery::asks is 1) and answer it by caucus_channel_reply, at once or later.
 *
 * @code
 * struct votes { int yes, no; } votes = {.yes = 1};                      // this rank's own
 * caucus_channel_ask(channel, proposal, length, &votes);                 // tells this rank only
 * caucus_channel_allreduce(channel, CAUCUS_QUORUM_ALL, proposal, length, &votes);    // tells all
 * @endcode
 *
 * Errors: as described in @ref channel.
 *
 * Threads: as described in @ref channel.
 * @{
 */

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Casts a question, and waits for the answers of all other ranks, combined with this rank's own.
 * Only this rank learns the result. All that it has cast before has been delivered everywhere when
 * the call returns.
 *
 * One rank alone calls it; waits until all ranks have polled and answered. Several ranks may ask at
 * the same time; a rank's next question waits for the one before. While it waits, it delivers
 * messages of this channel.
 *
 * On a channel without callbacks, MPI_ERR_PENDING means that a message waits to be received or a
 * question to be answered here, for which others may wait: receive or answer it, then call again
 * with the same arguments. Another question of the same thread before that is MPI_ERR_ARG.
 *
 * Cost: n - 1 messages for the question and n - 1 for the answers, for n ranks. On a channel that
 * survives deaths, each answer goes directly to the rank that asked.
 *
 * @param[in] channel    A channel opened with answer_bytes.
 * @param[in] bytes      The question.
 * @param[in] length     Its length in bytes, 0 to caucus_channel_options::memory; on a channel that
 *                       survives, less than 2^31.
 * @param[in,out] answer answer_bytes bytes: this rank's own answer, replaced by the result.
 * @return MPI_SUCCESS, or an error as of caucus_cast; MPI_ERR_ARG also if the channel was opened
 *         without answer_bytes or @p answer is NULL; MPI_ERR_COUNT also if the question is too
 *         long; MPI_ERR_PENDING as described.
 */
int caucus_channel_ask(caucus_channel channel, const void *bytes, MPI_Count length, void *answer);

/** How many ranks must contribute to an allreduce, if not a number from 1. */
enum {
    /** All ranks; the allreduce waits until all have answered. */
    CAUCUS_QUORUM_ALL = 0,
    /** More than half of the ranks. */
    CAUCUS_QUORUM_MAJORITY = -1,
    /**
     * All ranks, with what their callback has when the question arrives, which may be nothing. So
     * the rank that opens the allreduce determines the moment. Needs
     * caucus_channel_options::answer.
     */
    CAUCUS_QUORUM_SOLO = -2
};

/**
 * Opens an allreduce on a question, and waits until as many ranks as @p quorum says have
 * contributed. The result is then cast, and delivered once to every rank, this one included, as a
 * message with caucus_delivery::outcome 1.
 *
 * One rank alone calls it. Several ranks may open allreduces at the same time; the next allreduce
 * or question of a rank waits until the result of the one before has been cast. Results have the
 * channel's order: in total order all ranks get all results in the same order, else those of the
 * same opener. So on a channel of total order, an allreduce that counts votes is a vote, and all
 * ranks learn all decisions in the same order.
 *
 * With CAUCUS_QUORUM_MAJORITY or a number, the allreduce ends as soon as so many ranks have
 * contributed, this one first. Contributions that come later are dropped. A rank sees in
 * caucus_delivery::included whether its own is in the result, and can put it into its next one.
 *
 * Returns when the result was cast. In total order it may be delivered here later.
 *
 * Cost for n ranks: 3 (n - 1) messages with CAUCUS_QUORUM_ALL or CAUCUS_QUORUM_SOLO, contributions
 * being combined on the way (not on channels that survive deaths); else up to n - 1 more, as each
 * contribution goes directly to the opener.
 *
 * Source: CAUCUS_QUORUM_SOLO and CAUCUS_QUORUM_MAJORITY are the partial collectives of S. Li,
 * T. Ben-Nun, S. Di Girolamo, D. Alistarh and T. Hoefler, Taming unbalanced training workloads in
 * deep learning with partial collective operations, PPoPP 2020, doi:10.1145/3332466.3374528. Their
 * majority is at least half of the ranks, this one more than half.
 *
 * @param[in] channel    A channel opened with answer_bytes.
 * @param[in] quorum     CAUCUS_QUORUM_ALL, CAUCUS_QUORUM_MAJORITY, CAUCUS_QUORUM_SOLO, or a number
 *                       of ranks from 1 to all.
 * @param[in] bytes      The question.
 * @param[in] length     Its length in bytes, 0 to caucus_channel_options::memory; on a channel that
 *                       survives, less than 2^31.
 * @param[in,out] answer answer_bytes bytes: this rank's own contribution, replaced by the result.
 * @return MPI_SUCCESS, or an error as of caucus_channel_ask; MPI_ERR_ARG also for a wrong quorum,
 *         or if the result (answer_bytes and up to 4 + n / 8 bytes more) is longer than memory.
 */
int caucus_channel_allreduce(caucus_channel channel, int quorum, const void *bytes,
                             MPI_Count length, void *answer);

/**
 * Opens an allreduce as caucus_channel_allreduce does, without waiting for its result, which is
 * delivered. May be called by callbacks; elsewhere it also polls the channel.
 *
 * @param[in] channel   A channel opened with answer_bytes.
 * @param[in] quorum    As in caucus_channel_allreduce.
 * @param[in] bytes     The question, which is copied.
 * @param[in] length    Its length in bytes, as in caucus_channel_allreduce.
 * @param[in] answer    answer_bytes bytes: this rank's own contribution, which is copied.
 * @param[out] accepted 1 if the allreduce was opened; 0 if it cannot be opened now, and nothing was
 *                      done.
 * @return MPI_SUCCESS, or an error as of caucus_channel_allreduce, except MPI_ERR_PENDING.
 */
int caucus_channel_try_allreduce(caucus_channel channel, int quorum, const void *bytes,
                                 MPI_Count length, const void *answer, int *accepted);

/**
 * Answers the question of a rank that was received last, on a channel without callbacks. It may be
 * answered at any time, but the channel is not quiet before (caucus_channel_quiesce). A question of
 * an allreduce with a quorum can be answered until its result was received.
 *
 * Local.
 *
 * @param[in] channel A channel opened with answer_bytes and without deliver.
 * @param[in] origin  The rank that asked: caucus_delivery::origin.
 * @param[in] answer  answer_bytes bytes, which are copied.
 * @return MPI_SUCCESS, or: MPI_ERR_ARG (no such question, a null pointer, a null or closed
 *         channel), MPI_ERR_NO_MEM, or the error with which the channel has failed.
 */
int caucus_channel_reply(caucus_channel channel, int origin, const void *answer);

#ifdef __cplusplus
}
#endif

/** @} */

#endif
