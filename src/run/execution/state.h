/* SPDX-License-Identifier: BSD-3-Clause */
/* What an execution is made of: for the files of this folder. */
#ifndef CAUCUS_RUN_EXECUTION_STATE_H
#define CAUCUS_RUN_EXECUTION_STATE_H

#include "run/execution/execution.h"
#include "run/execution/reduction.h"
#include "run/support/polls.h"

enum caucus_execution_state {
    CAUCUS_EXECUTION_IDLE,
    CAUCUS_EXECUTION_QUEUED, /* behind another run in its arena */
    CAUCUS_EXECUTION_GATED,  /* until all ranks of the node are done with its slot of the arena */
    CAUCUS_EXECUTION_BETWEEN_STEPS,
    CAUCUS_EXECUTION_IN_STEP /* until its flags are up and its messages are through */
};

/* Longer messages are cut alike on both sides. */
enum { CAUCUS_PIECE = 1 << 30 };

static inline int64_t caucus_pieces_of(const struct caucus_operation *message) {
    return (message->length + CAUCUS_PIECE - 1) / CAUCUS_PIECE;
}

/* The messages of the open step, or kept ones of all steps. */
struct caucus_messages {
    int64_t in_step; /* the most that a step has, long ones counted by their pieces */
    int64_t in_schedule;
    MPI_Request *requests; /* immediate: in_step; kept: in_schedule */
    MPI_Status *statuses;  /* in_step */
    MPI_Request *first;    /* of the open step */
    int64_t open;          /* how many it has */
    int64_t begun;         /* kept: how many were started by this run */
    bool kept;             /* never kept where messages are in node memory, which changes */
    bool are_made;         /* kept: the requests are there */
    char *staging;         /* what is not contiguous, for the step that has most of it */
    int64_t staging_room, staged;
    bool unpacks;      /* the open step received something into staging */
    bool is_abandoned; /* a run failed: MPI may still send from staging and scratch */
};

/* A message within the node by one copy (links.h). */
struct caucus_linked_message {
    struct caucus_link *link;
    char *at; /* where the data is, or goes */
    int64_t number, length;
    int64_t bounced; /* bytes, where the kernel has refused to copy them */
    int32_t peer;
    bool sends, is_told, is_met, is_complete;
};

/* Those of the open step, in the order of posting. */
struct caucus_links {
    bool wanted;
    struct caucus_linked_message *message;
    int64_t count, left; /* left: not through */
    int64_t receives;    /* so many of them */
};

struct caucus_execution {
    _Atomic int state;
    int64_t run;
    const struct caucus_operation *operation; /* where the next step begins, or the open one */
    const struct caucus_operation *awaiting;  /* the first flag not up yet; NULL for none */
    int64_t awaited;                          /* how many of its lines were seen to be up */
    const struct caucus_operation *step_last;
    char *base[CAUCUS_BUFFERS]; /* in this run; NULL where a buffer is not contiguous, or a device's
                                 */
    const struct caucus_schedule *schedule;
    const struct caucus_operation *end;
    struct caucus_arena *arena;
    struct caucus_engine *engine;
    bool is_gated; /* it writes lines or node memory */
    bool has_messages;
    bool is_prepared; /* for the buffers that it has now */
    struct caucus_reduction reduction;
    struct caucus_messages messages;
    struct caucus_links links;
    struct caucus_layout in, out;
    char *scratch;
    const char *name;
    struct caucus_polls polls; /* tests of this run */
    int failure;               /* of the last run, not told yet */
    char *failure_text;
    struct caucus_execution *follower;        /* in its arena's queue */
    struct caucus_execution *next, *previous; /* in its engine's list */
};

/* Others only look whether it is idle; its last change is a release (complete() in run.c). */
static inline int caucus_execution_state(const struct caucus_execution *execution) {
    return atomic_load_explicit(&execution->state, memory_order_relaxed);
}

static inline void caucus_execution_enter(struct caucus_execution *execution, int state) {
    atomic_store_explicit(&execution->state, state, memory_order_relaxed);
}

/* The address of an operand; NULL where it is not contiguous, or a device's. */
char *caucus_operand_scattered(const struct caucus_execution *execution, int buffer, int64_t offset,
                               int64_t length);

static inline char *caucus_operand(const struct caucus_execution *execution, int buffer,
                                   int64_t offset, int64_t length) {
    char *base = execution->base[buffer];
    return base ? base + offset : caucus_operand_scattered(execution, buffer, offset, length);
}

/* The same on a device, where MPI takes its addresses and the length is worth it. */
char *caucus_operand_straight(const struct caucus_execution *execution, int buffer, int64_t offset,
                              int64_t length);

/* Between an operand, contiguous or not, and packed bytes. */
int caucus_operand_read(const struct caucus_execution *execution, int buffer, int64_t offset,
                        int64_t length, char *packed);
int caucus_operand_write(const struct caucus_execution *execution, int buffer, int64_t offset,
                         int64_t length, const char *packed);

int caucus_execute_copy(const struct caucus_execution *execution,
                        const struct caucus_operation *operation);
int caucus_execute_reduce(const struct caucus_execution *execution,
                          const struct caucus_operation *operation);

/* Whether messages of the open step are on their way. */
static inline bool caucus_has_open_messages(const struct caucus_execution *execution) {
    return execution->messages.open > 0 || execution->links.left > 0;
}

/* Messages: what they need of memory for the buffers at hand; posting one of the open step; having
 * the kept ones of the step started; whether all of the step are through, and their data where it
 * belongs; letting go of them, in flight or not, and of what they were sent from. */
int caucus_messages_prepare(struct caucus_execution *execution);
void caucus_messages_open(struct caucus_execution *execution);
int caucus_messages_post(struct caucus_execution *execution,
                         const struct caucus_operation *operation);
int caucus_messages_start(struct caucus_execution *execution);
int caucus_messages_test(struct caucus_execution *execution, bool *through);
void caucus_messages_abandon(struct caucus_execution *execution);
void caucus_messages_forget_kept(struct caucus_execution *execution);
void caucus_messages_free(struct caucus_execution *execution);
void caucus_messages_free_buffer(const struct caucus_messages *messages, void *buffer);

/* Goes as far as possible without waiting; *complete tells whether that is the end. */
int caucus_execution_advance(struct caucus_execution *execution, bool *complete);

/* Under the engine's lock: begins the run that is first in its arena's queue. */
void caucus_execution_begin(struct caucus_execution *execution);

/* What it waits for, in words, of this rank and its last step. */
void caucus_execution_describe(const struct caucus_execution *execution, char *text, size_t size);
/* From now on what active ones wait for is told with the rest: run/support/waits.h. */
void caucus_execution_begin_telling(void);

#endif
