/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of a channel's runner share. */
#ifndef CAUCUS_RUN_CHANNEL_STATE_H
#define CAUCUS_RUN_CHANNEL_STATE_H

#include "run/channel/allreduce.h"
#include "run/channel/bundle.h"
#include "run/channel/retained.h"
#include "run/channel/runner.h"
#include "run/progress/service.h"
#include "run/protocol/mailbox.h"
#include "run/protocol/runner.h"
#include "run/support/polls.h"
#include "run/support/waits.h"

#include <pthread.h>

enum {
    CAUCUS_CHANNEL_CONTRIBUTION = CAUCUS_CHANNEL_PASSED + 1 /* no message of the protocol */
};

/* A piece on its way out or being delivered: a slot of a link, or a piece of an own message. Or a
 * whole message with its header, of which total and slot alone mean anything, as on their way. */
struct caucus_channel_piece {
    int64_t users;        /* sends, a callback, and the places it stands in */
    bool own;             /* freed with its last user: no slot of a link */
    unsigned char *bytes; /* header and payload */
};

/* An own message of which not all pieces have been made. */
struct caucus_channel_record {
    int64_t sequence, total;
    int64_t casts; /* that it is made of, or a mark: allreduce.h */
    const unsigned char *bytes;
    struct caucus_channel_piece *copy; /* where they are, if they are the runner's; NULL else */
    struct caucus_channel_record *next;
};

/* What was taken out of the protocol, on its way to the user. */
struct caucus_channel_taken {
    _Alignas(16) struct caucus_channel_delivered delivered;
    struct caucus_channel_piece *piece; /* where the bytes lie; NULL: elsewhere */
    void *memory;                       /* freed with it; may be NULL */
    int64_t room;                       /* that it takes in the inbox */
};

/* A message of several casts that is being handed out: its slot is in use until the last. */
struct caucus_channel_unpacked {
    struct caucus_channel_delivered message;
    struct caucus_channel_piece *piece; /* NULL: there is none */
    struct caucus_channel_message whole;
    int64_t casts;
    struct caucus_channel_bundle_place place;
};

struct caucus_channel_answered {
    int32_t to;
    struct caucus_channel_message message;
};

/* To the protocol a message was taken before its callback runs, and by that a flush behind it is
 * answered, too: such answers leave when the callback has returned. */
struct caucus_channel_handing {
    bool on;
    struct caucus_channel_answered *answered; /* of each origin one at most */
    int64_t count, room;
};

struct caucus_channel_entry {
    struct caucus_channel_taken taken; /* bytes of its own lie behind */
    struct caucus_channel_entry *next;
};

struct caucus_channel_link {
    int32_t rank;
    int64_t arrived;
    int64_t restarted; /* receives beyond the first of each slot */
    int64_t freed;     /* as the protocol says: credits go out when receives are restarted */
    struct caucus_channel_node_link *shared; /* node_links.h; NULL: by messages */
};

struct caucus_channel_wait {
    int64_t round;
    int64_t idle, heard; /* rounds in vain since so many messages had come */
    double begin;        /* seconds; 0: not yet */
    int64_t arrived;     /* by then */
};

struct caucus_channel_runner;
struct caucus_channel_failures;
struct caucus_channel_node_target;

/* What is not alike on channels that go on after deaths and on others. */
struct caucus_channel_kind {
    const struct caucus_channel_variant *variant; /* of the protocol */
    bool hears_of_deaths;                         /* the mailbox asks MPI for them */
    bool keeps_receives; /* by persistent requests; Open MPI 5.0.11 frees those that failed */
    bool has_node_links; /* node memory does not tell what the dead have left undone */
    /* At the end: whether nobody waits for this rank any more. */
    bool (*is_through)(struct caucus_channel_runner *runner);
};

struct caucus_channel_runner {
    struct caucus_engine *engine;
    MPI_Comm comm;
    struct caucus_channel_setup setup;
    struct caucus_node_map nodes;
    struct caucus_channel_user user;
    const struct caucus_channel_kind *kind;
    struct caucus_runner_binding binding;
    struct caucus_runner machine;             /* the protocol, of that kind */
    struct caucus_channel_failures *failures; /* failures.h; NULL: of another kind */
    struct caucus_channel_retained retained;
    struct caucus_channel_piece *given; /* the message that is to be taken, of one that has it */
    int32_t view_bits;                  /* in the kinds of messages without data */
    struct caucus_actions actions;
    struct caucus_channel_link *link;     /* setup.sources */
    struct caucus_channel_piece *slot;    /* of links */
    struct caucus_channel_piece **piece;  /* setup.credits, of own messages; may be NULL */
    struct caucus_channel_piece **kept;   /* setup.window: until they are taken; NULL: nothing */
    unsigned char *memory;                /* of slots */
    struct caucus_node_block *node_block; /* that node_links.h has, or NULL */
    struct caucus_channel_node_target *node_target;
    int32_t node_targets;
    int32_t most_links;            /* of all views, into this rank */
    int64_t node_links;            /* into all ranks of the node, out of it */
    MPI_Request *receive;          /* of slots */
    struct caucus_mailbox control; /* messages without data are received by it */
    MPI_Request *awaited;          /* the next receives: of each link */
    MPI_Status *told;
    int *came;
    struct caucus_channel_record *first, *last;
    struct caucus_channel_bundle bundle; /* casts after those */
    unsigned char *assembly;             /* setup.memory, or NULL */
    MPI_Request *send;
    struct caucus_channel_piece **sent;
    int *completed;
    int sends, send_room;
    struct caucus_channel_unpacked unpacked;
    struct caucus_channel_handing handing;
    struct caucus_channel_entry *inbox, *inbox_last;
    int64_t inbox_bytes;
    struct caucus_channel_taken held; /* by the user, until he receives again */
    void *held_bytes;                 /* setup.segment, of those who receive */
    pthread_t receiver;               /* who received last */
    bool has_receiver;
    int64_t arrived;                    /* messages of any kind */
    MPI_Request barrier;                /* at the end, */
    bool confirmed;                     /* after the last credits */
    struct caucus_channel_runner *next; /* of those that failed and were freed */
    int64_t casts, own_taken;  /* own messages; in a total order, those that have come back */
    double looked;             /* for room for those, seconds */
    bool closing;              /* nothing can be cast any more */
    bool makes_room;           /* by a flush that no user asked for */
    bool refused;              /* the last that was tried to be cast or asked, */
    int64_t refused_length;    /* of so many bytes */
    struct caucus_polls polls; /* in vain since so many messages had come */
    int64_t polled;
    int64_t asked, decided;   /* calls, as bits */
    void **answers;           /* of each origin, as far as they came; NULL: none */
    int64_t owed;             /* answers to questions that were received */
    bool asking, asked_again; /* a call for it came back, and is to be made again */
    int64_t flushed;          /* by the last flush: so many of counts.casts */
    struct caucus_channel_allreduce allreduce;
    pthread_mutex_t lock; /* of all this; taken if MPI allows several threads at a time */
    int settling;         /* threads that wait for quiet */
    int waits;            /* threads that wait for anything, and look at the channel meanwhile */
    pthread_t thread;     /* that moves the channel on */
    bool has_lock, has_thread, in_background;
    struct caucus_service service; /* if it goes on in the background */
    struct caucus_waits_source waits_source;
    _Atomic bool go, stop; /* the thread */
    struct caucus_channel_counts counts;
    uint8_t *path;       /* messages one after the other from each origin; 0: not known yet. NULL:
                            not known any more */
    int64_t held_pieces; /* in slots of links */
    int rank, ranks, status; /* ranks: of all views */
    int32_t position;        /* among those of this view */
    char words[512];         /* of status */
};

int caucus_channel_runner_begin_protocol(struct caucus_channel_runner *runner, const void *setup);
/* Of the present view: else there was no memory for them. */
bool caucus_channel_runner_has_links(const struct caucus_channel_runner *runner);
/* One step of the protocol, and that. */
void caucus_channel_runner_step(struct caucus_channel_runner *runner,
                                const struct caucus_event *event);
void caucus_channel_runner_call(struct caucus_channel_runner *runner, int64_t number,
                                const int64_t *bytes);
bool caucus_channel_runner_hears(const struct caucus_channel_runner *runner, int64_t number,
                                 int64_t length);
bool caucus_channel_runner_peek(const struct caucus_channel_runner *runner,
                                struct caucus_channel_message *message);
bool caucus_channel_runner_rests(const struct caucus_channel_runner *runner);
/* A message that came, of a rank. */
void caucus_channel_runner_hear(struct caucus_channel_runner *runner, int32_t peer,
                                const void *bytes, int64_t length);

/* Where a message lies; an own one is put there first if need be. NULL without memory. */
struct caucus_channel_piece *caucus_channel_runner_piece(struct caucus_channel_runner *runner,
                                                         const struct caucus_channel_message *m);
/* One that came and is to be kept until its turn. */
void caucus_channel_runner_hold(struct caucus_channel_runner *runner,
                                const struct caucus_channel_message *message,
                                const unsigned char *bytes);
/* What is next is taken, whose bytes, if it is whole, are these, and the casts that it has: the
 * protocol, and who keeps it, hold it no more. */
void caucus_channel_runner_pass(struct caucus_channel_runner *runner,
                                const struct caucus_channel_message *message, const void *bytes,
                                int64_t casts);
void caucus_channel_runner_let_go(struct caucus_channel_piece *piece);
/* A copy of a whole message of so many casts; NULL without memory. */
struct caucus_channel_piece *caucus_channel_piece_whole(const void *bytes, int64_t length,
                                                        int64_t casts);
/* Room for what comes on links. */
int caucus_channel_runner_reserve_slots(struct caucus_channel_runner *runner);
/* Starts the receives of slots. */
void caucus_channel_runner_receive_all(struct caucus_channel_runner *runner);
void caucus_channel_runner_receive_data(struct caucus_channel_runner *runner, int32_t index);
void caucus_channel_runner_cancel(MPI_Request *request);
/* Where nobody dies. */
bool caucus_channel_runner_is_through(struct caucus_channel_runner *runner);
/* A message without data, and length bytes of an answer. */
void caucus_channel_runner_control(struct caucus_channel_runner *runner, int32_t to,
                                   const struct caucus_channel_message *message, const void *answer,
                                   int64_t length);
/* Has everybody who got credits say that they have come. */
void caucus_channel_runner_confirm_credits(struct caucus_channel_runner *runner);
void caucus_channel_runner_progress(struct caucus_channel_runner *runner);
void caucus_channel_runner_store(struct caucus_channel_runner *runner,
                                 const struct caucus_channel_message *message);

/* What is next, if it is a message of several casts, is handed out from now on. */
void caucus_channel_runner_unpack(struct caucus_channel_runner *runner);
/* Its next cast: false if there is none. It is looked at, or taken. */
bool caucus_channel_runner_peek_unpacked(const struct caucus_channel_runner *runner,
                                         struct caucus_channel_delivered *cast);
bool caucus_channel_runner_take_unpacked(struct caucus_channel_runner *runner,
                                         struct caucus_channel_taken *taken);

/* Takes what is next, if anything is: its bytes stay until it is dropped. */
bool caucus_channel_runner_take(struct caucus_channel_runner *runner,
                                struct caucus_channel_taken *taken);
void caucus_channel_runner_drop(struct caucus_channel_runner *runner,
                                struct caucus_channel_taken *taken);
/* Puts into the inbox what there is room for, and takes out. */
void caucus_channel_runner_fill_inbox(struct caucus_channel_runner *runner);
bool caucus_channel_runner_take_from_inbox(struct caucus_channel_runner *runner,
                                           struct caucus_channel_taken *taken);
/* Without deliver: whether more has come than there is room for. */
bool caucus_channel_runner_is_full(const struct caucus_channel_runner *runner);

/* Whether something waits to be received, and is for this thread to be. */
bool caucus_channel_runner_may_receive(const struct caucus_channel_runner *runner);
/* No other thread has received. */
bool caucus_channel_runner_is_mine_to_receive(const struct caucus_channel_runner *runner);
/* Whether it is for this thread to receive before anything goes on. */
bool caucus_channel_runner_must_receive(const struct caucus_channel_runner *runner);

/* Where deaths are survived messages have to be given whole. */
int caucus_channel_runner_check_length(const struct caucus_channel_runner *runner, int64_t length);
/* A cast, question or flush, if there is room, else *sequence is -1. Its bytes are read until it is
 * owed no more. A small cast has room too where it may wait in company: bundle.h. */
int caucus_channel_runner_begin(struct caucus_channel_runner *runner, int64_t call,
                                const void *bytes, int64_t length, bool copies, int64_t *sequence);
/* A message of one cast or more, or with a mark: allreduce.h. */
int caucus_channel_runner_enter(struct caucus_channel_runner *runner, int64_t call,
                                const void *bytes, int64_t length, int64_t casts, bool copies);
/* Own messages of which pieces are to be made, in this order. The copy, or NULL, is let go of. */
int caucus_channel_runner_queue(struct caucus_channel_runner *runner, const void *bytes,
                                struct caucus_channel_piece *copy, int64_t length, int64_t casts);
void caucus_channel_runner_unqueue(struct caucus_channel_runner *runner);
/* Casts what waits in company, if there is room. */
void caucus_channel_runner_enter_bundle(struct caucus_channel_runner *runner);

/* After a cast of such a length was not heard: on a channel that retains messages a long one may
 * find no room until all have those before it, and so a flush begins. */
void caucus_channel_runner_ask_for_room(struct caucus_channel_runner *runner, int64_t length);
/* The same, unless it may wait on. */
void caucus_channel_runner_pass_bundle(struct caucus_channel_runner *runner);
/* Where nothing will come of waiting for room: only the user can end it. */
int caucus_channel_runner_check_room(const struct caucus_channel_runner *runner);

/* An answer to origin's question, of this member or of those below. */
void caucus_channel_runner_merge(struct caucus_channel_runner *runner, int64_t origin,
                                 const void *answer);
/* Puts together what this member's own question has got. */
void caucus_channel_runner_collect(struct caucus_channel_runner *runner, void *answer);
/* Around taking a message and its callback. */
void caucus_channel_runner_begin_handing(struct caucus_channel_runner *runner);
void caucus_channel_runner_end_handing(struct caucus_channel_runner *runner);
void caucus_channel_runner_send_answers(struct caucus_channel_runner *runner, int32_t to,
                                        const struct caucus_channel_message *message);
/* Who asks may be waited for by others who ask, and then has to receive. */
bool caucus_channel_runner_is_waited_for(const struct caucus_channel_runner *runner);
/* One that came back is over, once it is decided. */
void caucus_channel_runner_settle_flush(struct caucus_channel_runner *runner);
int caucus_channel_runner_fail_waited_for(void);
/* This member's: by its callback. */
void caucus_channel_runner_answer(struct caucus_channel_runner *runner,
                                  const struct caucus_channel_taken *taken);

/* Moves, fills the inbox, and may call back. */
void caucus_channel_runner_push(struct caucus_channel_runner *runner, bool calls_back);
/* Moves and delivers. */
void caucus_channel_runner_advance(struct caucus_channel_runner *runner);
/* In the background the channel moves on whenever any call of this process waits. */
void caucus_channel_runner_begin_background(struct caucus_channel_runner *runner);
void caucus_channel_runner_end_background(struct caucus_channel_runner *runner);
/* A callback has the lock by the call that runs it. */
void caucus_channel_runner_lock(struct caucus_channel_runner *runner);
void caucus_channel_runner_unlock(struct caucus_channel_runner *runner);
int caucus_channel_runner_start_thread(struct caucus_channel_runner *runner);
void caucus_channel_runner_stop_thread(struct caucus_channel_runner *runner);

/* Between two looks that are in vain, without the lock. Where nothing has come for longer than
 * CAUCUS_TIMEOUT, the channel fails. */
void caucus_channel_runner_wait(struct caucus_channel_runner *runner,
                                struct caucus_channel_wait *wait);
/* The same, without failing: whether it has been too long. */
bool caucus_channel_runner_pause(struct caucus_channel_runner *runner,
                                 struct caucus_channel_wait *wait);
/* After a call that does not wait: where those have been in vain for longer than CAUCUS_TIMEOUT
 * while this rank awaits something of others, the channel fails too. */
void caucus_channel_runner_tell_waits(void *runner, struct caucus_waits *waits, bool apart);
void caucus_channel_runner_polled(struct caucus_channel_runner *runner);
/* After a try to cast so many bytes or to ask by them: over, unless there was no room for it. */
void caucus_channel_runner_tried(struct caucus_channel_runner *runner, bool is_over,
                                 int64_t length);
void caucus_channel_runner_finish_sends(struct caucus_channel_runner *runner);
/* Own messages and pieces that are on their way. */
void caucus_channel_runner_clear(struct caucus_channel_runner *runner);
/* All that a runner has; nothing of it is on its way. */
void caucus_channel_runner_destroy(struct caucus_channel_runner *runner);
/* Frees those that had failed, once nothing of them is on its way. */
void caucus_channel_runner_reap(void);
/* What went wrong, again in words; of several threads, whoever asks gets them. */
int caucus_channel_runner_tell(const struct caucus_channel_runner *runner);

static inline void caucus_channel_raise_to(int64_t *peak, int64_t value) {
    *peak = *peak < value ? value : *peak;
}

/* Remembers the first thing that went wrong, and its words. */
bool caucus_channel_runner_good(struct caucus_channel_runner *runner, int status);

/* Data of the first view, and behind it those of others. */
enum { CAUCUS_CHANNEL_TAG_CONTROL, CAUCUS_CHANNEL_TAG_DATA };

#endif
