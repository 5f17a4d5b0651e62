/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread's collective of a session ends while another one is in MPI_Init: what it calls
 * afterwards are its own calls, not some that MPI makes within that one, which are left to MPI. The
 * program's own PMPI_Init_thread lasts until then.
 *
 * run: ranks=2 preload mpi=mpich
 * start: own (what replaces PMPI_Init_thread must be the program) */
#define _GNU_SOURCE
#include "persistent.h"

#if HAS_PERSISTENT && defined MPI_SESSION_NULL
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>

enum { EARLY = 200000, LATE = 600000 /* microseconds */ };

static MPI_Comm of_session;
static atomic_int ready, is_back;

int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
    int (*real)(int *, char ***, int, int *);
    *(void **)&real = dlsym(RTLD_NEXT, "PMPI_Init_thread");
    while (!is_back)
        usleep(1000);
    return real(argc, argv, required, provided);
}

static void use_world(void) {
    int one = 1, sum = 0;
    MPI_Request request;
    MPI_Allreduce_init(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    CHECK(sum == 2, "%d", sum);
}

static void *use_both(void *unused) {
    MPI_Barrier(of_session);
    is_back = 1;
    while (!ready)
        usleep(1000);
    use_world();
    return unused;
}

static MPI_Session open_session(void) {
    MPI_Session session;
    MPI_Group group;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "thread_level", "MPI_THREAD_MULTIPLE");
    MPI_Session_init(info, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Info_free(&info);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "late", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &of_session);
    MPI_Group_free(&group);
    return session;
}

int main(int argc, char **argv) {
    int provided, rank;
    pthread_t thread;
    MPI_Session session = open_session();
    MPI_Comm_rank(of_session, &rank);
    if (rank == 0) {
        pthread_create(&thread, NULL, use_both, NULL);
        usleep(EARLY);
    } else {
        usleep(LATE); /* rank 0 is in MPI_Init now */
        MPI_Barrier(of_session);
        is_back = 1;
    }
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    ready = 1;
    if (rank == 0)
        pthread_join(thread, NULL);
    else
        use_world();
    MPI_Comm_free(&of_session);
    MPI_Finalize();
    MPI_Session_finalize(&session);
    return 0;
}
#else
int main(void) {
    return skipped("this MPI has no sessions, or no persistent collectives");
}
#endif
