/* SPDX-License-Identifier: BSD-3-Clause */
/* Channels: any rank casts a message at any time, without announcing itself as a root, and every
 * other rank gets it exactly once.
 *
 * Messages of one rank come in the order it cast them, everywhere. A rank that does not poll makes
 * the others wait, and their memory does not grow. docs/development/rootless.md tells how it works.
 *
 * A rank that waits in any call of Caucus moves all its channels on: it forwards, gives turns, and
 * fills inboxes. Callbacks (but those that combine answers) run in calls on their own channel
 * alone; until then what they are to get stays in the room of the neighbours that it came from.
 *
 * With CAUCUS_TIMEOUT, a cast, quiesce or close during which nothing comes for so many seconds
 * fails (MPI_ERR_OTHER), and caucus_error_text() names the ranks that this one waits for. So do
 * polls and calls that try, where they have been in vain for so long while this rank awaits
 * something: a cast of its own that has not left or was refused, quiet, or the outcome of an
 * allreduce. A rank that only listens may poll for ever, and time between polls counts little. The
 * channel has failed then: all calls on it return the error, but caucus_channel_close frees it,
 * without the others.
 *
 * Every function returns an MPI error code after calling the error handler of the channel's
 * communicator (that of MPI_COMM_SELF for a null or closed channel, or once the communicator is
 * freed, which a channel outlives).
 *
 * If MPI was initialised with MPI_THREAD_MULTIPLE, several threads may cast, poll and receive on a
 * channel at a time; messages of a rank come everywhere in the order in which its casts returned or
 * were accepted. One thread alone opens and closes, and one alone quiesces. Casts wait until that
 * is over. Else one thread at a time may call functions on a channel. */
#ifndef CAUCUS_CHANNEL_H
#define CAUCUS_CHANNEL_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct caucus_channel_object *caucus_channel;

#define CAUCUS_CHANNEL_NULL ((caucus_channel)0)

enum {
    CAUCUS_ORDER_FIFO,   /* of each rank */
    CAUCUS_ORDER_CAUSAL, /* and no message before those that its caster had got; all casts go along
                            one tree, which doubles the hops */
    CAUCUS_ORDER_TOTAL   /* the same everywhere, own messages included, and causal; casts wait for a
                            message to rank 0 and back, several for one, and what comes before its
                            turn waits at each rank: up to 1,024 messages, memory bytes in all */
};

/* A message, or a piece of one that is longer than memory: then pieces come one after the other
 * with rising offsets, and none of another long message between them. */
typedef struct {
    int origin;        /* who cast it */
    const void *bytes; /* valid until the callback returns, or the next receive */
    MPI_Count length;
    MPI_Count offset, total; /* 0 and length for a whole message */
    int asks;                /* 1 if it was received and is to be answered: caucus_channel_reply */
    int outcome;  /* 1: answer_bytes that came of origin's allreduce (caucus_channel_allreduce) */
    int included; /* of an outcome: 1 if this rank's contribution is in it */
    int contributions; /* of an outcome: of how many ranks it is made */
    MPI_Count number;  /* of an outcome, and of the question before: which of origin's allreduces,
                          from 1; 0 for all else */
} caucus_delivery;

/* May call caucus_try_cast and caucus_channel_try_allreduce on its channel, and no other function
 * on it. Called by one thread at a time, but it may be any that is in a call on the channel, which
 * others wait for meanwhile: it must not wait for a thread that may be about to call such a
 * function. */
typedef void caucus_deliver_function(void *context, const caucus_delivery *delivery);

/* In place of the former, for what is asked by caucus_channel_ask and caucus_channel_allreduce:
 * fills answer_bytes of options at answer, which are zero before. Another one puts two answers
 * together, in any order and grouping; it may run in any thread that waits in any call of Caucus,
 * and must call nothing and wait for nothing, a lock neither. */
typedef void caucus_answer_function(void *context, const caucus_delivery *question, void *answer);
typedef void caucus_combine_function(void *context, void *into, const void *from);

typedef struct {
    caucus_deliver_function *deliver; /* NULL: messages are received, by caucus_channel_recv */
    void *context;                    /* given to deliver */
    int order;         /* CAUCUS_ORDER_FIFO if 0; the same on all ranks, as the next three are */
    int credits;       /* messages of each neighbour there is room for; 0: 16 */
    MPI_Count segment; /* the longest message that travels in one piece; 0: 16,384 bytes. Of up to a
                          quarter, several may travel together when they have to wait */
    MPI_Count memory;  /* the longest that is delivered whole; 0: 64 MiB */
    MPI_Count inbox;   /* without deliver: bytes of messages that wait to be received, and some 100
                          for each; what does not fit waits in the room of its neighbour; 0: 1 MiB */
    int progress; /* not 0: a thread of the channel's own polls it, and calls deliver; needs an MPI
                     initialised with MPI_THREAD_MULTIPLE */
    caucus_answer_function *answer;   /* if ranks ask, and there is deliver; else NULL */
    caucus_combine_function *combine; /* if ranks ask, or open allreduces */
    MPI_Count answer_bytes;           /* 0: nobody asks. The same on all ranks, at most 2^20 */
    int survives;    /* not 0: the channel goes on when ranks die (below); the same on all ranks */
    MPI_Count keeps; /* if it survives: bytes of messages that a rank keeps for those who may lack
                        them when somebody dies; a message has at most half of keeps divided by
                        the ranks, and at most memory. 0: 64 MiB */
} caucus_channel_options;

/* A channel that survives. When ranks die (with MPIs that tell of it: Open MPI 5 started by mpiexec
 * --with-ft ulfm), those that live agree on who does and on what was delivered, and go on: each
 * message of any rank, dead or alive, is delivered to all of them once or to none, in the channel's
 * order, and every message that one of them has cast is. Calls wait meanwhile. Nobody is told;
 * caucus_channel_dead tells who is dead. What a dead rank had cast last may be lost everywhere, and
 * may have been delivered to ranks that died too.
 *   Cost: every message is copied once more where it is cast and where it is delivered, every rank
 * keeps the last 4 × credits messages of each rank (within keeps), each rank flushes after every 2
 * × credits casts, or when half of its keeps is used, and small casts do not travel together. Each
 * rank has a receive for each other, and n^2 numbers. A death takes each two survivors a message of
 * 8 n bytes, and each the memory of its neighbours' room once more until the channel is closed;
 * from then on casts go along the finger tree.
 *   Not covered: questions; messages that are handed over in pieces; deaths while a channel is
 * opened; ranks that are cut off but alive. Such options and casts are errors. After deaths,
 * closing keeps the context id. */

/* Opens a channel. Collective over comm, an intracommunicator, which is attached if it is not.
 * Many channels may be open on one comm; each takes a context id and, with s neighbours that it
 * hears from (about log2 of the ranks where nodes are equal), (s + 1) × credits × (segment + 48)
 * bytes (of neighbours on its node, in shared memory), up to twice memory while long messages come,
 * and in total order that of messages before their turn. Errors, on every rank: MPI_ERR_COMM (null,
 * two groups), MPI_ERR_ARG (null options or channel, an unknown order, negative numbers, options
 * that differ), MPI_ERR_NO_MEM, MPI_ERR_UNSUPPORTED_OPERATION (progress; survives where MPI tells
 * nothing of deaths). */
int caucus_channel_open(MPI_Comm comm, const caucus_channel_options *options,
                        caucus_channel *channel);

/* Casts length bytes to all other ranks. Local, but waits while there is no room, and delivers what
 * comes meanwhile on this channel. Ranks that wait on different channels at a time may wait for
 * each other once that room, or an inbox, is full. Messages longer than segment, and all of a
 * channel in total order, leave when rank 0, which must poll, has said which turn is theirs; in
 * total order those up to a segment are copied, and the call does not wait for that. bytes may be
 * used again when it returns. On a channel without deliver, what comes meanwhile goes to the inbox.
 * Where that is full and the cast has had no room yet, nothing is cast and MPI_ERR_PENDING
 * returned: receive something, and cast again, or use caucus_try_cast in the first place; or have
 * another thread receive, then casts wait for that. Where a part of it has gone, the rest is
 * copied. Errors: MPI_ERR_ARG (null or closed channel, null bytes, called by a callback or after
 * caucus_channel_try_quiesce), MPI_ERR_COUNT (negative), MPI_ERR_NO_MEM, MPI_ERR_PENDING. */
int caucus_cast(caucus_channel channel, const void *bytes, MPI_Count length);

/* The same without waiting: *accepted is 0 if there is no room now, or this rank waits for quiet,
 * and nothing is cast. Copies messages. Callbacks may call it; else it also polls. */
int caucus_try_cast(caucus_channel channel, const void *bytes, MPI_Count length, int *accepted);

/* Casts a question and waits for the answers of all other ranks, combined with what is at answer
 * (this rank's own): so any rank opens a reduction or a vote at any time, and the others take part
 * by their callback. All that this rank has cast before was delivered everywhere then. A rank's
 * next question waits for the one before; questions of several ranks run at a time. Local, but
 * waits for all ranks to poll. Answers take n - 1 messages. Nobody but this rank learns the
 * outcome; caucus_channel_allreduce tells all. Errors: as of caucus_cast; MPI_ERR_ARG (opened
 * without answer_bytes, null answer), MPI_ERR_COUNT (above memory). On a channel without deliver,
 * MPI_ERR_PENDING where something waits to be received or answered, which the others may wait for:
 * do so, and call it again with the same arguments. */
int caucus_channel_ask(caucus_channel channel, const void *bytes, MPI_Count length, void *answer);

enum {
    CAUCUS_QUORUM_ALL = 0,
    CAUCUS_QUORUM_MAJORITY = -1, /* more than half of the ranks */
    CAUCUS_QUORUM_SOLO = -2      /* what each has when it is asked; needs options.answer */
};

/* A rootless allreduce: any rank opens it at any time, by a question as above. When as many as
 * quorum says have contributed, the opener first (*answer), what came of it is cast, and delivered
 * once to every rank, the opener too, as a message that has outcome set. Several ranks' run at a
 * time; a rank's next one, or question, waits until the one before is cast. Outcomes have the
 * channel's order: in CAUCUS_ORDER_TOTAL the same everywhere, else that of each opener. So a vote
 * is one on a channel of total order whose answers count votes on the proposal at bytes: all hear
 * the decisions in one order.
 *
 * quorum is one of the above, or a number of ranks from 1.
 *
 *   ALL        Everybody contributes, by callback at once, else when it replies.
 *   SOLO       The opener, who comes first, fixes the moment, and everybody contributes what its
 *              callback has then, maybe nothing.
 *   MAJORITY   (or a number) It ends as soon as so many have contributed. Who is late is not in:
 *              what comes then is dropped; `included` tells the rank, so that it can put it into
 *              its next contribution.
 *
 * Solo and majority are partial collectives of S. Li, T. Ben-Nun, S. Di Girolamo, D. Alistarh and
 * T. Hoefler, "Taming unbalanced training workloads in deep learning with partial collective
 * operations", PPoPP 2020, doi:10.1145/3332466.3374528. Their majority is at least half of the
 * ranks, this one more than half.
 *
 * Local, but waits for the quorum. Returns with the outcome at answer when it was cast; in total
 * order it may be delivered here later. ALL and SOLO: 3 (n - 1) messages, combined on the way; else
 * up to n - 1 more, contributions going to the opener each by itself. Errors: as of
 * caucus_channel_ask, MPI_ERR_PENDING too; MPI_ERR_ARG (quorum, outcomes longer than memory). */
int caucus_channel_allreduce(caucus_channel channel, int quorum, const void *bytes,
                             MPI_Count length, void *answer);

/* The same without waiting: *accepted is 0 if it cannot be opened now; else bytes and answer are
 * copied, and the outcome is what is delivered. Callbacks may call it; else it also polls. */
int caucus_channel_try_allreduce(caucus_channel channel, int quorum, const void *bytes,
                                 MPI_Count length, const void *answer, int *accepted);

/* Answers the question of origin that was received last, on a channel without deliver: now or any
 * time later, so ranks may take part when they get there. Until then no quiet is decided. Of an
 * allreduce with a quorum, until its outcome was received. Local. Errors: MPI_ERR_ARG (no such
 * question, null answer). */
int caucus_channel_reply(caucus_channel channel, int origin, const void *answer);

/* Waits until all that this rank has cast was delivered to every other: given to its callback,
 * received, or put into its inbox. The others need but poll. Local, 2 (n - 1) messages. Errors: as
 * of caucus_cast; after MPI_ERR_PENDING call it again, once something was received. */
int caucus_channel_flush(caucus_channel channel);

/* Forwards what is to be forwarded and delivers what has come. Local. Messages of others pass on
 * only while ranks poll, or wait in a call of Caucus. */
int caucus_channel_poll(caucus_channel channel);

/* Receives the next message, or piece of a long one, on a channel without deliver: waits for it, or
 * tells in *received whether there was one. What *delivery points to is valid until the next
 * receive on this channel. Local. One thread alone receives. Errors: MPI_ERR_ARG (null or closed
 * channel, one with deliver, null pointers); MPI_ERR_OTHER where CAUCUS_TIMEOUT is over, after
 * which the channel goes on. */
int caucus_channel_recv(caucus_channel channel, caucus_delivery *delivery);
int caucus_channel_try_recv(caucus_channel channel, caucus_delivery *delivery, int *received);

/* Waits until every message that was cast by any rank has been delivered everywhere, and those cast
 * by callbacks meanwhile too. It is the channel's barrier, too, a rootless one: nobody returns
 * before all have called it, in any order and with casts on their way. Collective over the channel.
 * On a channel without deliver, delivered is what was received: MPI_ERR_PENDING where something
 * waits to be received by this thread, which leaves the others waiting; receive it, and call this
 * again. Errors: MPI_ERR_ARG, MPI_ERR_PENDING.
 */
int caucus_channel_quiesce(caucus_channel channel);

/* The same without waiting, for a loop that receives meanwhile: *quiet is 1 once all is quiet, and
 * 0 while it is not, or something waits to be received. All ranks call it until it is 1, and in
 * between cast only after they have received something. Collective as a whole, local as a call. */
int caucus_channel_try_quiesce(caucus_channel channel, int *quiet);

/* What this rank has done on the channel since it was opened. A piece is a message of at most
 * segment bytes, or that much of a longer one, or several small ones, which begin at multiples of
 * 16 bytes and take 4 more each. */
typedef struct {
    MPI_Count casts, cast_bytes; /* messages that were accepted, bytes */
    MPI_Count deliveries;        /* messages that came whole, to the callback or to be received */
    MPI_Count delivered_bytes;
    MPI_Count sends;        /* pieces sent over MPI, once for each neighbour they go to */
    MPI_Count sent_bytes;   /* of these, without 48 for the header of each */
    MPI_Count forwards;     /* of sends, those of messages of others */
    MPI_Count controls;     /* messages without data: credits, turns, quiescence */
    MPI_Count refusals;     /* caucus_try_cast without room */
    MPI_Count stalls;       /* caucus_cast that waited for room */
    double stalled_seconds; /* in all */
    MPI_Count hops;         /* sum over deliveries of messages sent one after the other on the way
                               from the caster to here: 1 from a neighbour */
    MPI_Count longest_path; /* the largest of these */
    MPI_Count peak_held;    /* most pieces of others at a time that wait to be forwarded or taken */
    MPI_Count peak_sends;   /* most sends under way at a time, controls included */
    MPI_Count peak_inbox;   /* most bytes in the inbox */
} caucus_channel_counters;

/* Local; costs a copy. Errors: MPI_ERR_ARG (null or closed channel, null counters). Callbacks may
 * not call it. */
int caucus_channel_statistics(caucus_channel channel, caucus_channel_counters *counters);

/* Ranks of the communicator that are dead and no longer belong to a channel that survives: *count
 * of them, the first `room` in ranks, ascending; of any other channel 0. Local. Errors: MPI_ERR_ARG
 * (null or closed channel, null pointers, room negative). Callbacks may not call it. */
int caucus_channel_dead(caucus_channel channel, int room, int ranks[], int *count);

/* Waits for quiet and ends the channel: *channel becomes CAUCUS_CHANNEL_NULL. Callbacks cannot cast
 * any more. Collective. Errors: as of caucus_channel_quiesce (the channel stays open; call it
 * again), and MPI_ERR_ARG where another thread uses the channel. */
int caucus_channel_close(caucus_channel *channel);

#ifdef __cplusplus
}
#endif

#endif
