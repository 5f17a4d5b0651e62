/* SPDX-License-Identifier: BSD-3-Clause */
/* Random programs of several threads that make overlapping groups over one communicator, merge,
 * split, use and free them: every collective is compared with what one process works out, so that
 * data of another group, or of another thread's, would be seen. A program follows from its seed,
 * and every rank works out all of it; who is not in a group does nothing for it. Arguments: the
 * first seed, how many, and threads of each.
 *
 * run: ranks=2,3,5
 * run: ranks=4 args="100 5" env=CAUCUS_NODES=3,1 env=CAUCUS_GROUP_CALLS=0
 * run: ranks=4 args="1000 300" full */
#include "check.h"
#include "skip.h"

#include <caucus/caucus.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum { LIVE = 5, MOST = 16, STEPS = 24, MOST_THREADS = 8 };

static int rank, ranks;

/* What every rank knows of a group; of the parts that one fell into, its own. */
struct known {
    bool part;
    int n, member[MOST], place; /* this rank's, or -1 */
    caucus_group group;
};

struct thread {
    int number;
    uint64_t seed;
    struct known live[LIVE];
    long collectives;
};

static int below(struct thread *thread, int limit) {
    thread->seed = thread->seed * 6364136223846793005u + 1442695040888963407u;
    return (int)((thread->seed >> 33) % (uint64_t)limit);
}

static void find_place(struct known *known) {
    known->place = -1;
    for (int i = 0; i < known->n; i++)
        if (known->member[i] == rank)
            known->place = i;
}

static void make_list(struct thread *thread, struct known *known) {
    int list[MOST], way = below(thread, 3);
    known->n = 1 + below(thread, ranks);
    for (int i = 0; i < ranks; i++)
        list[i] = i;
    for (int i = 0; i < known->n; i++) {
        int other = i + below(thread, ranks - i), swap = list[i];
        list[i] = list[other];
        list[other] = swap;
        known->member[i] = list[i];
    }
    find_place(known);
    if (known->place < 0)
        return;
    if (way == 0 && thread->number == 0) /* what has no tag is for one thread */
        CHECK_MPI(caucus_group_create_lazy(MPI_COMM_WORLD, known->member, known->n, &known->group));
    else if (way == 1)
        CHECK_MPI(caucus_group_create_unchecked(MPI_COMM_WORLD, known->member, known->n,
                                                thread->number, &known->group));
    else
        CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, known->member, known->n, thread->number,
                                      &known->group));
}

static bool is_whole(const struct known *known) {
    return known->n > 0 && !known->part;
}

static bool are_apart(const struct known *a, const struct known *b) {
    for (int i = 0; i < a->n; i++)
        for (int j = 0; j < b->n; j++)
            if (a->member[i] == b->member[j])
                return false;
    return true;
}

static void make_merge(struct thread *thread, struct known *known, const struct known *a,
                       const struct known *b) {
    const int firsts[2] = {a->member[0], b->member[0]};
    for (int i = 0; i < a->n; i++)
        known->member[known->n++] = a->member[i];
    for (int i = 0; i < b->n; i++)
        known->member[known->n++] = b->member[i];
    find_place(known);
    if (known->place >= 0)
        CHECK_MPI(caucus_group_merge(a->place >= 0 ? a->group : b->group, firsts, 2, thread->number,
                                     &known->group));
}

static void make_split(struct thread *thread, struct known *known, const struct known *parent) {
    int color[MOST], mine = -1;
    for (int i = 0; i < parent->n; i++)
        color[i] = below(thread, 3) - 1;
    known->part = true;
    if (parent->place >= 0)
        mine = color[parent->place];
    for (int i = 0; mine >= 0 && i < parent->n; i++)
        if (color[i] == mine)
            known->member[known->n++] = parent->member[i];
    find_place(known);
    if (parent->place >= 0)
        CHECK_MPI(
            caucus_group_split(parent->group, mine < 0 ? MPI_UNDEFINED : mine, 0, &known->group));
    if (known->n == 0)
        known->n = 1; /* in none, but there is something in this slot */
}

static void make(struct thread *thread, struct known *known) {
    const struct known *a = &thread->live[below(thread, LIVE)];
    const struct known *b = &thread->live[below(thread, LIVE)];
    int way = below(thread, 4);
    *known = (struct known){.group = CAUCUS_GROUP_NULL, .place = -1};
    if (way == 0 && is_whole(a) && is_whole(b) && are_apart(a, b))
        make_merge(thread, known, a, b);
    else if (way == 1 && is_whole(a))
        make_split(thread, known, a);
    else
        make_list(thread, known);
}

static int value(const struct thread *thread, int member, int call) {
    return 1000 * (1000 * thread->number + call) + member;
}

static void sum(const struct thread *thread, const struct known *known, int call) {
    int own = value(thread, rank, call), all = 0, expected = 0;
    caucus_request request;
    if (call % 2 == 0) {
        CHECK_MPI(caucus_group_allreduce(&own, &all, 1, MPI_INT, MPI_SUM, known->group));
    } else {
        CHECK_MPI(caucus_group_iallreduce(&own, &all, 1, MPI_INT, MPI_SUM, known->group, &request));
        CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
    }
    for (int m = 0; m < known->n; m++)
        expected += value(thread, known->member[m], call);
    CHECK(all == expected, "thread %d, call %d: %d, not %d", thread->number, call, all, expected);
}

static void tell(const struct thread *thread, const struct known *known, int call) {
    int root = call % known->n, data[200];
    for (int i = 0; i < 200; i++)
        data[i] = known->place == root ? value(thread, rank, call) + i : -1;
    CHECK_MPI(caucus_group_bcast(data, 200, MPI_INT, root, known->group));
    for (int i = 0; i < 200; i++)
        CHECK(data[i] == value(thread, known->member[root], call) + i, "%d", data[i]);
}

static void collect(const struct thread *thread, const struct known *known, int call) {
    int own = value(thread, rank, call), all[MOST];
    CHECK_MPI(caucus_group_allgather(&own, 1, MPI_INT, all, 1, MPI_INT, known->group));
    for (int m = 0; m < known->n; m++)
        CHECK(all[m] == value(thread, known->member[m], call), "%d", all[m]);
}

static void pass(const struct thread *thread, const struct known *known, int call) {
    int next = (known->place + 1) % known->n, last = (known->place + known->n - 1) % known->n;
    int out = value(thread, rank, call), in = -1;
    MPI_Request request;
    CHECK_MPI(caucus_group_isend(&out, 1, MPI_INT, next, call % 16, known->group, &request));
    CHECK_MPI(caucus_group_recv(&in, 1, MPI_INT, last, call % 16, known->group, MPI_STATUS_IGNORE));
    CHECK(in == value(thread, known->member[last], call), "%d", in);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void use(struct thread *thread, const struct known *known, int call, int what) {
    if (known->place < 0)
        return;
    thread->collectives++;
    if (what == 0)
        sum(thread, known, call);
    else if (what == 1)
        tell(thread, known, call);
    else if (what == 2)
        collect(thread, known, call);
    else
        pass(thread, known, call);
}

static void *run(void *argument) {
    struct thread *thread = argument;
    for (int step = 0; step < STEPS; step++) {
        struct known *known = &thread->live[below(thread, LIVE)];
        int what = below(thread, 6);
        if (known->n > 0 && what < 4) {
            use(thread, known, step, what);
            continue;
        }
        if (known->group != CAUCUS_GROUP_NULL)
            CHECK_MPI(caucus_group_free(&known->group));
        make(thread, known);
    }
    for (int i = 0; i < LIVE; i++)
        if (thread->live[i].group != CAUCUS_GROUP_NULL)
            CHECK_MPI(caucus_group_free(&thread->live[i].group));
    return NULL;
}

static long program(int seed, int count) {
    struct thread threads[MOST_THREADS] = {0};
    pthread_t started[MOST_THREADS];
    long collectives = 0;
    for (int i = 0; i < count; i++) {
        threads[i].number = i;
        threads[i].seed = (uint64_t)seed * 1000 + (uint64_t)i;
        CHECK(!pthread_create(&started[i], NULL, run, &threads[i]), "no thread");
    }
    for (int i = 0; i < count; i++) {
        pthread_join(started[i], NULL);
        collectives += threads[i].collectives;
    }
    return collectives;
}

int main(int argc, char **argv) {
    int provided, first = argc > 1 ? atoi(argv[1]) : 1, count = argc > 2 ? atoi(argv[2]) : 5;
    int threads = argc > 3 ? atoi(argv[3]) : 3;
    long collectives = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    rank = world_rank();
    ranks = world_size();
    if (provided < MPI_THREAD_MULTIPLE)
        return skipped_without_threads();
    CHECK(ranks <= MOST && threads > 0 && threads <= MOST_THREADS, "%d ranks", ranks);
    CHECK_MPI(caucus_comm_attach(MPI_COMM_WORLD));
    for (int seed = first; seed < first + count; seed++)
        collectives += program(seed, threads);
    MPI_Allreduce(MPI_IN_PLACE, &collectives, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d programs of %d threads on %d ranks: %ld operations checked\n", count, threads,
               ranks, collectives);
    MPI_Finalize();
    return 0;
}
