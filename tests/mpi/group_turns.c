/* SPDX-License-Identifier: BSD-3-Clause */
/* What is begun behind requests, several at a time with one tag, counts from the call on, whether
 * or not anybody looks in between: by two ranks, of which the second one tests after each call. And
 * communicators that are pending while others are made by calls that wait; and a thread that begins
 * a group while another one waits inside MPI for a communicator; and threads that make
 * communicators in another order than those of the other rank.
 *
 * run: ranks=2,3 env=CAUCUS_TIMEOUT=5
 * run: ranks=2 mpi=mpich,openmpi */
#include "expect_error.h"
#include "skip.h"

#include <caucus/caucus.h>

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <time.h>

static int rank;
static const int there[2] = {0, 1}, back[2] = {1, 0};

static void look(caucus_request *request) {
    int complete;
    if (rank == 1 && *request != CAUCUS_REQUEST_NULL)
        CHECK_MPI(caucus_test(request, &complete, MPI_STATUS_IGNORE));
}

static void check_group(caucus_group *group, bool backwards) {
    int place;
    CHECK_MPI(caucus_group_rank(*group, &place));
    CHECK(place == (backwards ? 1 - rank : rank), "place %d", place);
    CHECK_MPI(caucus_group_barrier(*group));
    CHECK_MPI(caucus_group_free(group));
}

static void check_creations(void) {
    caucus_group group[3];
    caucus_request request[2];
    CHECK_MPI(caucus_group_icreate(MPI_COMM_WORLD, there, 2, 7, &group[0], &request[0]));
    look(&request[0]);
    CHECK_MPI(caucus_group_icreate(MPI_COMM_WORLD, back, 2, 7, &group[1], &request[1]));
    look(&request[0]);
    CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, there, 2, 7, &group[2]));
    CHECK_MPI(caucus_waitall(2, request, MPI_STATUSES_IGNORE));
    for (int i = 0; i < 3; i++)
        check_group(&group[i], i == 1);
}

static void check_merges(void) {
    caucus_group own, merged[2];
    caucus_request request[2];
    CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, &rank, 1, 1, &own));
    CHECK_MPI(caucus_group_imerge(own, there, 2, 8, &merged[0], &request[0]));
    look(&request[0]);
    CHECK_MPI(caucus_group_imerge(own, back, 2, 8, &merged[1], &request[1]));
    CHECK_MPI(caucus_waitall(2, request, MPI_STATUSES_IGNORE));
    for (int i = 0; i < 2; i++)
        check_group(&merged[i], i == 1);
    CHECK_MPI(caucus_group_free(&own));
}

static void use(MPI_Comm *made) {
    int one = 1, sum = 0;
    CHECK_MPI(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, *made));
    CHECK(sum == 2, "%d", sum);
    MPI_Comm_free(made);
}

static void check_communicators(void) {
    caucus_group group;
    MPI_Comm made[2];
    caucus_request request[2];
    CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, there, 2, 9, &group));
    CHECK_MPI(caucus_group_ito_comm(group, &made[0], &request[0]));
    look(&request[0]);
    CHECK_MPI(caucus_group_ito_comm(group, &made[1], &request[1]));
    CHECK_MPI(caucus_waitall(2, request, MPI_STATUSES_IGNORE));
    use(&made[0]);
    use(&made[1]);
    CHECK_MPI(caucus_group_free(&group));
}

enum { BY_GROUP, BY_TAG, BETWEEN, WAYS };

/* By a call that waits. */
static void make(int way, caucus_group group, MPI_Comm *made) {
    MPI_Group world, both;
    caucus_group own;
    if (way == BY_GROUP) {
        CHECK_MPI(caucus_group_to_comm(group, made));
    } else if (way == BY_TAG) {
        MPI_Comm_group(MPI_COMM_WORLD, &world);
        MPI_Group_incl(world, 2, there, &both);
        CHECK_MPI(caucus_comm_create_group(MPI_COMM_WORLD, both, 3, made));
        MPI_Group_free(&both);
        MPI_Group_free(&world);
    } else {
        CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, &rank, 1, 1, &own));
        CHECK_MPI(caucus_intercomm_create_group(own, 0, 1 - rank, 3, made));
        CHECK_MPI(caucus_group_free(&own));
    }
}

/* While another one is pending, which the ranks hear of in another order: its first member is the
 * other's second. */
static void check_calls_that_wait(void) {
    caucus_group ahead, behind;
    MPI_Comm made[2];
    caucus_request request;
    CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, back, 2, 10, &ahead));
    CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, there, 2, 10, &behind));
    for (int i = 0; i < 100 * WAYS; i++) {
        CHECK_MPI(caucus_group_ito_comm(ahead, &made[0], &request));
        make(i % WAYS, behind, &made[1]);
        CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
        use(&made[0]);
        if (i % WAYS == BETWEEN)
            MPI_Comm_free(&made[1]);
        else
            use(&made[1]);
    }
    CHECK_MPI(caucus_group_free(&behind));
    CHECK_MPI(caucus_group_free(&ahead));
}

/* Once the other thread is inside MPI, as far as can be told. */
static void *begin_meanwhile(void *unused) {
    caucus_group own;
    caucus_request request;
    struct timespec nap = {0, 200000000};
    nanosleep(&nap, NULL);
    CHECK_MPI(caucus_group_icreate(MPI_COMM_WORLD, &rank, 1, 1, &own, &request));
    MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); /* which alone lets that come back */
    CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
    CHECK_MPI(caucus_group_free(&own));
    return unused;
}

static void check_threads(void) {
    caucus_group group;
    MPI_Comm made;
    caucus_request request;
    pthread_t thread;
    int from;
    CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, there, 2, 11, &group));
    if (rank == 0)
        CHECK(pthread_create(&thread, NULL, begin_meanwhile, NULL) == 0, "no thread");
    CHECK_MPI(caucus_group_ito_comm(group, &made, &request));
    if (rank == 1)
        MPI_Recv(&from, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
    if (rank == 0)
        pthread_join(thread, NULL);
    use(&made);
    CHECK_MPI(caucus_group_free(&group));
}

/* One of two threads, which makes communicators of a group of its own. */
struct maker {
    caucus_group group;
    bool waits;     /* by a call that does; else by a request */
    bool comes_2nd; /* begins when the other one of this rank has begun, or is done if it waits */
    atomic_int *begun;
};

static void *make_one(void *given) {
    const struct maker *maker = given;
    caucus_request request = CAUCUS_REQUEST_NULL;
    MPI_Comm made;
    while (maker->comes_2nd && !*maker->begun)
        sched_yield();
    if (maker->waits)
        CHECK_MPI(caucus_group_to_comm(maker->group, &made));
    else
        CHECK_MPI(caucus_group_ito_comm(maker->group, &made, &request));
    *maker->begun = 1;
    CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
    use(&made);
    return NULL;
}

/* Of the threads one has to come first on this rank, the other one on the other. */
static void make_crosswise(caucus_group group[2], bool waits) {
    atomic_int begun = 0;
    pthread_t thread[2];
    struct maker maker[2];
    for (int i = 0; i < 2; i++) {
        maker[i] = (struct maker){group[i], waits && i == 1, i != rank, &begun};
        CHECK(pthread_create(&thread[i], NULL, make_one, &maker[i]) == 0, "no thread");
    }
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
}

static void check_orders_of_threads(void) {
    caucus_group group[2];
    for (int i = 0; i < 2; i++)
        CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, there, 2, 13 + i, &group[i]));
    for (int i = 0; i < 20; i++)
        make_crosswise(group, i % 2);
    for (int i = 0; i < 2; i++)
        CHECK_MPI(caucus_group_free(&group[i]));
}

/* To begin a collective on a group waits for nobody, not even within a communicator that is pending
 * and whose other member has come: it may wait for what this one does next. */
static void check_beginning(void) {
    caucus_group group, fresh;
    caucus_request request[2];
    MPI_Comm made;
    int number = 0, other = 1 - rank;
    CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, there, 2, 11, &group));
    CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, there, 2, 12, &fresh));
    if (rank == 0)
        MPI_Recv(&number, 1, MPI_INT, other, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK_MPI(caucus_group_ito_comm(group, &made, &request[0]));
    if (rank == 1) {
        MPI_Send(&number, 1, MPI_INT, other, 3, MPI_COMM_WORLD);
        MPI_Recv(&number, 1, MPI_INT, other, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    CHECK_MPI(caucus_group_ibarrier(fresh, &request[1]));
    if (rank == 0)
        MPI_Send(&number, 1, MPI_INT, other, 4, MPI_COMM_WORLD);
    CHECK_MPI(caucus_waitall(2, request, MPI_STATUSES_IGNORE));
    MPI_Comm_free(&made);
    CHECK_MPI(caucus_group_free(&fresh));
    CHECK_MPI(caucus_group_free(&group));
}

int main(int argc, char **argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    rank = world_rank();
    return_errors(MPI_COMM_WORLD);
    return_errors(MPI_COMM_SELF);
    CHECK_MPI(caucus_comm_attach(MPI_COMM_WORLD));
    if (rank < 2) {
        check_creations();
        check_merges();
        check_communicators();
        check_calls_that_wait();
        check_beginning();
        if (provided == MPI_THREAD_MULTIPLE) {
            check_threads();
            check_orders_of_threads();
        }
    }
    if (provided < MPI_THREAD_MULTIPLE) /* all else was tried */
        return skipped_without_threads();
    MPI_Finalize();
    return 0;
}
