/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * @brief The handle of a channel, what it delivers, and the options it is opened with.
 */
#ifndef CAUCUS_CHANNEL_OBJECT_H
#define CAUCUS_CHANNEL_OBJECT_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup channel
 * @{
 */

/** The handle of a channel. */
typedef struct caucus_channel_object *caucus_channel;

/** No channel. */
#define CAUCUS_CHANNEL_NULL ((caucus_channel)0)

/** In which order messages are delivered: caucus_channel_options::order. */
enum {
    /** Messages of the same rank in the order in which it cast them. */
    CAUCUS_ORDER_FIFO,
    /**
     * Causal order: also no message before those that its caster had received when it cast it. All
     * casts go along one tree, which doubles the number of hops.
     */
    CAUCUS_ORDER_CAUSAL,
    /**
     * Total order: all messages in the same order on all ranks, a rank's own included, which is
     * also causal. A cast waits for a message to rank 0 and back (one for several casts). Messages
     * that arrive before their turn wait at each rank: at most 1,024 messages, and
     * caucus_channel_options::memory bytes in all.
     */
    CAUCUS_ORDER_TOTAL
};

/**
 * A message that was delivered, or a piece of one. Messages longer than
 * caucus_channel_options::memory are delivered in pieces, one after the other with rising offsets,
 * and no piece of another long message comes between them.
 */
typedef struct {
    int origin;        /**< The rank that cast the message. */
    const void *bytes; /**< The data, valid until the callback returns or the next receive. */
    MPI_Count length;  /**< Number of bytes at bytes. */
    MPI_Count offset;  /**< Where in the message they belong; 0 if it comes whole. */
    MPI_Count total;   /**< Length of the whole message. */
    int asks;          /**< 1 if this is a question that was received: caucus_channel_reply. */
    int outcome;       /**< 1 if bytes has the answer_bytes bytes that resulted from an allreduce of
                          origin (caucus_channel_allreduce). */
    int included;      /**< Of an outcome: 1 if this rank's contribution is in it. */
    int contributions; /**< Of an outcome: how many ranks contributed. */
    MPI_Count number;  /**< Of an outcome, and of its question: which of the allreduces of origin
                          it belongs to, counted from 1. 0 for all other messages. */
} caucus_delivery;

/**
 * A callback that takes a message.
 *
 * It is called within a call on its own channel, by one thread at a time, which may be any thread
 * that is in such a call while others wait for it. So it must not wait for a thread that may be
 * about to call a function on the channel. On its own channel it may call caucus_try_cast and
 * caucus_channel_try_allreduce only.
 *
 * @param[in] context  caucus_channel_options::context.
 * @param[in] delivery The message or piece; valid until the callback returns.
 */
typedef void caucus_deliver_function(void *context, const caucus_delivery *delivery);

/**
 * A callback that answers a question of caucus_channel_ask or caucus_channel_allreduce. It is
 * called in place of caucus_deliver_function, under the same rules.
 *
 * @param[in] context  caucus_channel_options::context.
 * @param[in] question The question; valid until the callback returns.
 * @param[out] answer  Room for caucus_channel_options::answer_bytes bytes, all zero.
 */
typedef void caucus_answer_function(void *context, const caucus_delivery *question, void *answer);

/**
 * A callback that combines two answers. Answers are combined in any order and grouping, so it must
 * be commutative and associative.
 *
 * It may run in any thread that waits in any call of Caucus. It must call no function of Caucus or
 * MPI and must wait for nothing, not even for a lock.
 *
 * @param[in] context  caucus_channel_options::context.
 * @param[in,out] into One answer; becomes both combined.
 * @param[in] from     Another answer.
 */
typedef void caucus_combine_function(void *context, void *into, const void *from);

/**
 * How a channel is opened. All members may be 0, which means: messages are received by
 * caucus_channel_recv, FIFO order, and the defaults given below. order, credits, segment, memory,
 * answer_bytes, survives and keeps must be the same on all ranks.
 */
typedef struct {
    /** Takes messages; NULL if they are received by caucus_channel_recv. */
    caucus_deliver_function *deliver;
    /** Passed to the callbacks. */
    void *context;
    /** CAUCUS_ORDER_FIFO, CAUCUS_ORDER_CAUSAL or CAUCUS_ORDER_TOTAL. */
    int order;
    /** How many pieces from each neighbour in the overlay are buffered; 0: 16. */
    int credits;
    /**
     * Length in bytes of the longest message that travels in one piece, at most 2^30; 0: 16,384.
     * Messages of up to a quarter of it may travel together if they have to wait.
     */
    MPI_Count segment;
    /** Length in bytes of the longest message that is delivered whole; 0: 64 MiB. */
    MPI_Count memory;
    /**
     * Without deliver: how many bytes of messages may wait to be received, with some 100 bytes for
     * each message; 0: 1 MiB. What does not fit stays in the buffer of the neighbour that it came
     * from.
     */
    MPI_Count inbox;
    /**
     * Not 0: a thread polls the channel, and runs the callbacks. MPI must have been initialised
     * with MPI_THREAD_MULTIPLE. Ends with the channel, or with MPI_Finalize; in a program of MPI
     * sessions close the channel before its session ends.
     */
    int progress;
    /** Answers questions; NULL without deliver, or if no rank asks. */
    caucus_answer_function *answer;
    /** Combines answers; NULL if no rank asks. */
    caucus_combine_function *combine;
    /** Length in bytes of an answer, at most 2^20; 0: no rank asks. */
    MPI_Count answer_bytes;
    /** Not 0: the channel goes on if ranks die, as described in @ref channel. */
    int survives;
    /**
     * If survives: how many bytes of messages a rank keeps for ranks that may lack them when one
     * dies, at most 2^30, divided evenly among the ranks that cast them; 0: 64 MiB. A message that
     * is longer than such a share is kept alone. Messages then have at most memory bytes (segment,
     * if that is more), and less than 2^31.
     */
    MPI_Count keeps;
} caucus_channel_options;

/**
 * What one rank has done on a channel since it was opened.
 *
 * A piece is a message of at most caucus_channel_options::segment bytes, or that much of a longer
 * one, or several small messages that travel together (each begins at a multiple of 16 bytes and
 * takes 4 bytes more).
 */
typedef struct {
    MPI_Count casts;           /**< Messages that this rank has cast, questions and results too. */
    MPI_Count cast_bytes;      /**< Their bytes. */
    MPI_Count deliveries;      /**< Whole messages that came to the callback or can be received. */
    MPI_Count delivered_bytes; /**< Their bytes. */
    MPI_Count sends;        /**< Pieces sent, once for each neighbour that they go to, over MPI or
                               through the memory of a node. */
    MPI_Count sent_bytes;   /**< Bytes of these, without headers of 48 bytes each. */
    MPI_Count forwards;     /**< Of sends, pieces of other ranks' messages. */
    MPI_Count controls;     /**< Messages without data: credits, turns, answers, quiescence. */
    MPI_Count refusals;     /**< Calls of caucus_try_cast that found no room. */
    MPI_Count stalls;       /**< Calls of caucus_cast that waited for room. */
    double stalled_seconds; /**< How long these waited in all. */
    MPI_Count hops;         /**< Sum over deliveries of the messages sent one after the other from
                               the caster to this rank: 1 from a neighbour. Of a channel that
                               survives, until the first death. */
    MPI_Count longest_path; /**< The largest of these, likewise. */
    MPI_Count peak_held;    /**< Most pieces of other ranks that waited to be forwarded or taken. */
    MPI_Count peak_sends;   /**< Most sends that were pending at a time, controls included. */
    MPI_Count peak_inbox;   /**< Most bytes that waited to be received. */
} caucus_channel_counters;

/** @} */

#ifdef __cplusplus
}
#endif

#endif
