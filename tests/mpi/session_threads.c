/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads of a program of sessions, each with communicators of its own: each moves on what others
 * have begun, though MPI_Query_thread of Open MPI 5.0.11 knows nothing of the sessions' level, and
 * what is kept with communicators comes and goes on each as if there were no other.
 *
 * run: ranks=2 mpi=mpich,openmpi */
#include "run/attachment/attach.h"
#include "run/engine/engine.h"
#include "skip.h"

#include <caucus/caucus.h>
#include <caucus/collective.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#ifdef MPI_SESSION_NULL
enum { THREADS = 2, COMMS = 10, ROUNDS = 200 };

struct work {
    MPI_Comm comm;
    pthread_t thread;
};

/* There is no MPI_COMM_WORLD to abort. */
static void must(bool holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "failed: %s: %s\n", what, caucus_error_text());
        exit(1);
    }
}

static bool has_threads(MPI_Session session) {
    char level[100];
    int length = sizeof level, found;
    MPI_Info info;
    MPI_Session_get_info(session, &info);
    MPI_Info_get_string(info, "thread_level", &length, level, &found);
    MPI_Info_free(&info);
    return found && strcmp(level, "MPI_THREAD_MULTIPLE") == 0;
}

static MPI_Session begin(void) {
    MPI_Session session;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "thread_level", "MPI_THREAD_MULTIPLE");
    MPI_Session_init(info, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Info_free(&info);
    return session;
}

static MPI_Comm make(MPI_Session session, const char *tag) {
    MPI_Group group;
    MPI_Comm comm;
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Group_free(&group);
    return comm;
}

static void add(MPI_Comm comm, int rounds) {
    int size;
    MPI_Comm_size(comm, &size);
    for (int round = 0; round < rounds; round++) {
        int in = round, out = -1;
        int code = caucus_allreduce(&in, &out, 1, MPI_INT, MPI_SUM, comm);
        must(code == MPI_SUCCESS && out == size * round, "a sum");
    }
}

/* At times nothing is attached. */
static void *work(void *argument) {
    struct work *work = argument;
    MPI_Comm comm;
    for (int i = 0; i < COMMS; i++) {
        MPI_Comm_dup(work->comm, &comm);
        add(comm, 2);
        MPI_Comm_free(&comm);
    }
    must(caucus_comm_attach(work->comm) == MPI_SUCCESS, "attaching");
    must(caucus_attached(work->comm)->engine->threads, "there are threads");
    add(work->comm, ROUNDS);
    return NULL;
}

int main(void) {
    struct work works[THREADS];
    MPI_Session session = begin();
    bool threads = has_threads(session);
    for (int i = 0; i < THREADS && threads; i++)
        works[i].comm = make(session, i ? "second" : "first");
    for (int i = 0; i < THREADS && threads; i++)
        must(!pthread_create(&works[i].thread, NULL, work, &works[i]), "a thread");
    for (int i = 0; i < THREADS && threads; i++)
        pthread_join(works[i].thread, NULL);
    for (int i = 0; i < THREADS && threads; i++)
        MPI_Comm_free(&works[i].comm);
    MPI_Session_finalize(&session);
    return threads ? 0 : skipped("this MPI has no MPI_THREAD_MULTIPLE");
}
#else
int main(void) {
    return skipped("this MPI has no sessions");
}
#endif
