/* SPDX-License-Identifier: BSD-3-Clause */
/* A schedule bound to buffers, ready to be run any number of times. */
#ifndef CAUCUS_RUN_EXECUTION_EXECUTION_H
#define CAUCUS_RUN_EXECUTION_EXECUTION_H

#include "plan/schedule/schedule.h"
#include "run/engine/arena.h"
#include "run/layout/layout.h"

/* How the messages of a schedule are sent. */
enum caucus_sending {
    CAUCUS_SENDING_IMMEDIATE, /* MPI_Isend, MPI_Irecv at every run */
    CAUCUS_SENDING_KEPT       /* MPI_Send_init, MPI_Recv_init once, MPI_Startall at every run */
};

struct caucus_binding {
    const struct caucus_schedule *schedule; /* must outlive the execution */
    struct caucus_layout in, out;           /* taken over */
    MPI_Op op;                              /* MPI_OP_NULL where nothing is reduced */
    MPI_Datatype type;                      /* of the operands; kept by a duplicate */
    enum caucus_sending sending;
    bool shares_memory; /* messages within a node may go by one copy; on all ranks alike */
    const char *name;   /* for reports, "allreduce by ring"; must outlive the execution */
};

struct caucus_execution;

/* On failure a status, and binding's layouts are freed all the same. Local. */
int caucus_execution_create(struct caucus_engine *engine, struct caucus_arena *arena,
                            struct caucus_binding *binding, struct caucus_execution **execution);

/* Makes room now, not at its next start, for what the buffers that it has need. Inactive only. */
int caucus_execution_prepare(struct caucus_execution *execution);

/* Other buffers from the next run on: what lets one execution serve blocking calls. Inactive only;
 * takes the layouts over. */
void caucus_execution_rebind(struct caucus_execution *execution, struct caucus_layout in,
                             struct caucus_layout out);

/* Whether neither buffer has gaps or is a device's; and, of an inactive one, other such buffers so
 * many bytes away. */
bool caucus_execution_is_plain(const struct caucus_execution *execution);
void caucus_execution_move(struct caucus_execution *execution, int64_t in, int64_t out);

/* Begins a run, and does at once what needs no waiting. Where an earlier run in its arena is not
 * complete, this one begins when it is. Local. */
int caucus_execution_start(struct caucus_execution *execution);

/* Moves it and all others of its engine on, without waiting; *complete tells about this one. Where
 * it has failed, the status and text of the failure, once, and the run counts as complete. */
int caucus_execution_test(struct caucus_execution *execution, bool *complete);

/* The same where another one's test has just moved it on. */
int caucus_execution_look(struct caucus_execution *execution, bool *complete);

/* Until it is complete. With CAUCUS_TIMEOUT set, a wait that lasts longer fails with a text that
 * says what this rank waits for, of whom, in which step. */
int caucus_execution_wait(struct caucus_execution *execution);

/* For loops that wait for several, once in so many rounds: fails this one too where they wait for
 * longer than CAUCUS_TIMEOUT since *begin, which is set where it is 0, or where MPI tells that a
 * rank is dead. */
void caucus_execution_limit(struct caucus_execution *execution, double *begin);

bool caucus_execution_active(const struct caucus_execution *execution);

/* Inactive only. */
void caucus_execution_free(struct caucus_execution *execution);
#endif
