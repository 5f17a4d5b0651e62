/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls of MPI that the drop-in can take over: whether it does, and what became of them. */
#ifndef CAUCUS_API_CALLS_CALLS_H
#define CAUCUS_API_CALLS_CALLS_H

#include "plan/collective/task.h"

#include <mpi.h>
#include <stdbool.h>

/* Of a collective. */
enum caucus_form { CAUCUS_FORM_BLOCKING, CAUCUS_FORM_NONBLOCKING, CAUCUS_FORM_PERSISTENT };

/* Those of grids and graphs, what makes communicators, and then every collective in every form:
 * caucus_call_of. */
enum caucus_call {
    CAUCUS_CALL_CART_CREATE,
    CAUCUS_CALL_CART_MAP,
    CAUCUS_CALL_DIMS_CREATE,
    CAUCUS_CALL_GRAPH_CREATE,
    CAUCUS_CALL_DIST_GRAPH_CREATE,
    CAUCUS_CALL_DIST_GRAPH_CREATE_ADJACENT,
    CAUCUS_CALL_INTERCOMM_CREATE, /* in any way */
    CAUCUS_CALL_COMM_CREATE_GROUP,
    CAUCUS_CALL_COLLECTIVE,
    CAUCUS_CALL_FORMS = 6, /* blocking, nonblocking, persistent; each with int and MPI_Count */
    CAUCUS_CALL_COUNT = CAUCUS_CALL_COLLECTIVE + CAUCUS_COLLECTIVES * CAUCUS_CALL_FORMS
};

static inline enum caucus_call caucus_call_of(enum caucus_collective collective,
                                              enum caucus_form form, bool large) {
    int number = (int)collective * CAUCUS_CALL_FORMS + (int)form * 2 + large;
    return (enum caucus_call)(CAUCUS_CALL_COLLECTIVE + number);
}

static inline enum caucus_form caucus_call_form(enum caucus_call call) {
    return (enum caucus_form)((call - CAUCUS_CALL_COLLECTIVE) % CAUCUS_CALL_FORMS / 2);
}

enum { CAUCUS_CALL_NAME = 64 };

/* "MPI_Ireduce_scatter_block_c" */
void caucus_call_name(enum caucus_call call, char name[CAUCUS_CALL_NAME]);

/* Its word in CAUCUS_DISABLE or CAUCUS_ENABLE. */
const char *caucus_call_word(enum caucus_call call);

/* Whether CAUCUS_DISABLE and CAUCUS_ENABLE (words.h) let Caucus have the call; and the same for a
 * collective between two groups. */
bool caucus_call_is_ours(enum caucus_call call);
bool caucus_call_is_ours_between(enum caucus_call call);

/* The same of a form of all collectives, on one group or between two. */
static inline bool caucus_form_is_ours(enum caucus_form form, bool between) {
    enum caucus_call any = caucus_call_of(CAUCUS_BARRIER, form, false);
    return between ? caucus_call_is_ours_between(any) : caucus_call_is_ours(any);
}

/* Whether all ranks agreed to leave it to MPI, as some of its calls may get around the drop-in
 * (left.h). */
bool caucus_call_is_passed_by(enum caucus_call call);

/* Whether requests of ours may be active while the program blocks within MPI, where the drop-in is
 * to see that they go on. The same on all ranks. */
bool caucus_calls_need_progress(void);

/* What the drop-in does when MPI is up: attaches MPI_COMM_WORLD, if any call is ours, so that later
 * calls find it. An error code of MPI. */
int caucus_calls_begin(void);

/* Counts one that was taken over; any thread. The others: reasons.h. */
void caucus_call_count(enum caucus_call call, const char *algorithm);

/* Writes the file that CAUCUS_REPORT names, if it names one. Collective over MPI_COMM_WORLD. A file
 * that can't be written is a warning. */
void caucus_calls_report(void);

#endif
