/* SPDX-License-Identifier: BSD-3-Clause */
/* What a rank has at hand while it carries a script out, and how it tells what went wrong. */
#ifndef TESTS_RANDOM_STATE_H
#define TESTS_RANDOM_STATE_H

#include "../mpi/check.h"
#include "script.h"

#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef TEST_MPI
#define PLAIN_MPI true
#define USE(name, Name) CALL(Name)
typedef MPI_Request request_type;
#define NO_REQUEST MPI_REQUEST_NULL
#else
#include <caucus/caucus.h>
#define PLAIN_MPI false
#define USE(name, Name) caucus_##name
typedef caucus_request request_type;
#define NO_REQUEST CAUCUS_REQUEST_NULL
#endif

#define CALL(Name) MPI_##Name

/* What starts and completes requests, at times by MPI's other names, which no library that is
 * preloaded sees. */
#ifdef TEST_BYPASS
#define CALL_REQUESTS(Name) (bypassed() ? PMPI_##Name : MPI_##Name)
#else
#define CALL_REQUESTS(Name) MPI_##Name
#endif

#ifndef TEST_MPI
#define HAS_PERSISTENT 1
#elif MPI_VERSION >= 4 || (defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION >= 5)
#define HAS_PERSISTENT 1
#else
#define HAS_PERSISTENT 0
#endif

/* What no status says: where none was asked for, and before it is written. */
enum { UNASKED = -7777, UNTOLD = -7778 };

/* Something that is begun and ends later, in one request or several. */
struct task {
    int action, left, object; /* what it is on */
    bool active;
    void (*finish)(struct task *task);
};

/* An object as this rank has it. Its ranks have ids: those of the first group, then the second. */
struct thing {
    MPI_Comm comm;
    int id, size, remote, offset, remote_offset; /* remote: the ranks that it talks with */
    int order[MOST];                             /* ranks of MPI_COMM_WORLD by their ids */
    struct task *maker;                          /* if it is not made yet */
    struct operation *operation;                 /* of a persistent request */
    request_type request;
#ifndef TEST_MPI
    caucus_group group;
    struct storm *storm;
#endif
};

static struct {
    int rank, ranks, action; /* the one that is carried out */
    bool matched, single, kept, loud;
    uint64_t own; /* this rank's own random numbers */
    struct script script;
    struct thing thing[OBJECTS];
    char doing[1024];
} my;

static const char *words_of(const struct action *a);

static void tell(const char *what, int action) {
    snprintf(my.doing, sizeof my.doing, "rank %d of %d, seed %llu: %s action %d: %s\n", my.rank,
             my.ranks, (unsigned long long)my.script.seed, what, action,
             action < my.script.actions ? words_of(&my.script.action[action]) : "the end");
    if (my.loud)
        fputs(my.doing, stderr);
}

static void tell_waiting(int action) {
    size_t n = strlen(my.doing);
    snprintf(my.doing + n, sizeof my.doing - n, "  it waits for action %d: %s\n", action,
             words_of(&my.script.action[action]));
    if (my.loud)
        fputs(my.doing + n, stderr);
}

__attribute__((format(printf, 2, 3))) static void wrong(int action, const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "random: seed %llu, %d ranks, action %d (%s), rank %d: %s\n",
            (unsigned long long)my.script.seed, my.ranks, action,
            words_of(&my.script.action[action]), my.rank, text);
    MPI_Abort(MPI_COMM_WORLD, 1);
    abort();
}

static void must(int action, int code, const char *call) {
    if (code == MPI_SUCCESS)
        return;
    char text[MPI_MAX_ERROR_STRING + 1] = "";
    int length;
    MPI_Error_string(code, text, &length);
#ifndef TEST_MPI
    wrong(action, "%s returned %d: %s; %s", call, code, text, caucus_error_text());
#else
    wrong(action, "%s returned %d: %s", call, code, text);
#endif
}

#define MUST(call) must(my.action, (call), #call)

#ifdef TEST_BYPASS
static bool bypassed(void) {
    return one_in(&my.own, 3);
}
#endif

/* Room for so many statuses; at times none are asked for. */
static MPI_Status *drawn_statuses(MPI_Status *room, int count) {
    if (one_in(&my.own, 4))
        return NULL;
    for (int i = 0; i < count; i++)
        room[i].MPI_SOURCE = room[i].MPI_TAG = UNTOLD;
    return room;
}

/* While it waits for what only MPI moves on, a program that uses the library moves that on too. */
static void breathe(void);

#ifndef TEST_MPI
/* Until a request of MPI's is complete. */
static void wait_native(MPI_Request *request) {
    int done = 0;
    while (!done) {
        MUST(MPI_Test(request, &done, MPI_STATUS_IGNORE));
        breathe();
    }
}
#endif

/* Before a call of MPI's that waits for all ranks of a communicator, and moves nothing of Caucus's
 * meanwhile: they come together first. Under the drop-in that is its business. */
static void meet(MPI_Comm comm) {
#ifndef TEST_MPI
    MPI_Request request;
    int inter;
    MPI_Comm_test_inter(comm, &inter);
    for (int barrier = 0; barrier < (inter ? 2 : 1); barrier++) {
        MUST(MPI_Ibarrier(comm, &request));
        wait_native(&request);
    }
#else
    (void)comm;
#endif
}

#endif
