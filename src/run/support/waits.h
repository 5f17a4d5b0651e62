/* SPDX-License-Identifier: BSD-3-Clause */
/* What this process waits for, told whenever somebody asks: by the signal that CAUCUS_SIGNAL names,
 * or by a file "tell" in the folder that CAUCUS_WAITS names (caucus run --timeout makes it).
 *
 * Loops that wait, and calls that test or poll, look whether somebody has asked, and tell. Where
 * none does within a second this process computes, or waits inside MPI; then a thread tells that,
 * and what can be looked at by several threads. */
#ifndef CAUCUS_RUN_SUPPORT_WAITS_H
#define CAUCUS_RUN_SUPPORT_WAITS_H

#include <mpi.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct caucus_waits;

/* tell: adds what is waited for; in a thread of its own if `apart`. It waits for no lock. */
struct caucus_waits_source {
    void (*tell)(void *context, struct caucus_waits *waits, bool apart);
    void *context;
    struct caucus_waits_source *next;
};

/* A source must stay where it is until it is taken out. Any thread. */
void caucus_waits_add(struct caucus_waits_source *source);
void caucus_waits_remove(struct caucus_waits_source *source);

/* A line; it names ranks of comm as "rank 3" or "ranks 3, 4 and 7". */
__attribute__((format(printf, 3, 4))) void
caucus_waits_line(struct caucus_waits *waits, MPI_Comm comm, const char *format, ...);

/* Whether CAUCUS_SIGNAL and CAUCUS_WAITS have values that they may have; a folder that can't be
 * written is none, though a call goes on without it. Local. */
int caucus_waits_check_settings(void);

/* Once in a process, with MPI initialised; further calls do nothing. Fails where the settings are
 * malformed. Local. */
int caucus_waits_begin(void);

/* A wait of one thread, on its stack: told when that thread looks. explain: whom it waits for, by
 * ranks of comm, as the plan layer's functions of that name do. */
struct caucus_waits_call {
    const char *name; /* "caucus_comm_create_group" */
    MPI_Comm comm;
    void (*explain)(const void *context, char *text, int64_t size);
    const void *context;
    struct caucus_waits_call *outer;
};

extern _Thread_local struct caucus_waits_call *caucus_waits_calls;

static inline void caucus_waits_call_begin(struct caucus_waits_call *call) {
    call->outer = caucus_waits_calls;
    caucus_waits_calls = call;
}
static inline void caucus_waits_call_end(const struct caucus_waits_call *call) {
    caucus_waits_calls = call->outer;
}

/* Whether somebody may ask: then nobody waits within MPI where he can look instead. */
bool caucus_waits_may_be_asked(void);

extern _Atomic bool caucus_waits_asked;
void caucus_waits_tell(bool apart);

static inline void caucus_waits_look(void) {
    if (atomic_load_explicit(&caucus_waits_asked, memory_order_relaxed))
        caucus_waits_tell(false);
}

#endif
