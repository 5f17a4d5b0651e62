/* SPDX-License-Identifier: BSD-3-Clause */
/* Random groups that overlap, made in all ways, merged, grown and shrunk, used for collectives in
 * all forms and for messages, and freed, in an order that every rank works out by itself: nobody
 * waits for those who are not members. Every result is compared with what one process works out.
 * Arguments: how many steps, and the seed.
 *
 * run: ranks=1,2,3,5
 * run: ranks=4 args="200 3" env=CAUCUS_NODES=cyclic:2 env=MPIR_CVAR_NUM_CLIQUES=2
 * run: ranks=5 args="200 5" env=CAUCUS_NODES=3,2
 * run: ranks=4 args="150 7" env=CAUCUS_SHARED_MEMORY=0
 * run: ranks=3 args="150 11" env=CAUCUS_CHECK=1
 * run: ranks=6 args="1000 {day}" full
 * run: ranks=5 args="1000 {day}" env=CAUCUS_NODES=cyclic:2 full */
#include "api/group/object.h"
#include "known_groups.h"
#include "run/engine/engine.h"

#include <caucus/caucus.h>

#include <stdlib.h>
#include <string.h>

enum { ELEMENTS = 3000 };

static void look(const struct known *known) {
    int size, place, list[MOST];
    CHECK_MPI(caucus_group_size(known->group, &size));
    CHECK_MPI(caucus_group_rank(known->group, &place));
    CHECK_MPI(caucus_group_members(known->group, list));
    EQUAL(size, known->n);
    EQUAL(place, known->place);
    EQUAL(memcmp(list, known->member, (size_t)size * sizeof *list), 0);
}

/* Calls before nodes share memory wait as those of the parent do. */
static void look_at_waits(const struct known *known) {
    const struct caucus_engine *alone = known->group->context->alone.engine;
    if (alone)
        EQUAL(alone->waiting.spins > 0, alone->attachment->parent->engine->waiting.spins > 0);
}

/* A value of each rank that differs from call to call. */
static int value(int member, int call, int i) {
    return 1000 * (member + 1) + 7 * call + i;
}

static void sum(const struct known *known, int call, int count) {
    int own[ELEMENTS], all[ELEMENTS];
    caucus_request request;
    for (int i = 0; i < count; i++)
        own[i] = value(rank, call, i);
    if (call % 3 == 0) {
        CHECK_MPI(caucus_group_allreduce(own, all, count, MPI_INT, MPI_SUM, known->group));
    } else if (call % 3 == 1) {
        CHECK_MPI(
            caucus_group_iallreduce(own, all, count, MPI_INT, MPI_SUM, known->group, &request));
        CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
    } else {
        CHECK_MPI(caucus_group_allreduce_init(own, all, count, MPI_INT, MPI_SUM, known->group,
                                              MPI_INFO_NULL, &request));
        for (int again = 0; again < 2; again++) {
            CHECK_MPI(caucus_start(&request));
            CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
        }
        CHECK_MPI(caucus_request_free(&request));
    }
    for (int i = 0; i < count; i++) {
        int expected = 0;
        for (int m = 0; m < known->n; m++)
            expected += value(known->member[m], call, i);
        EQUAL(all[i], expected);
    }
    look_at_waits(known);
}

static void tell(const struct known *known, int call, int count) {
    int data[ELEMENTS], root = call % known->n;
    for (int i = 0; i < count; i++)
        data[i] = known->place == root ? value(rank, call, i) : -1;
    CHECK_MPI(caucus_group_bcast(data, count, MPI_INT, root, known->group));
    for (int i = 0; i < count; i++)
        EQUAL(data[i], value(known->member[root], call, i));
}

static void collect(const struct known *known, int call) {
    int own = value(rank, call, 0), count = known->place + 1, all[MOST * MOST], places[MOST];
    int counts[MOST], mine[MOST];
    CHECK_MPI(caucus_group_allgather(&own, 1, MPI_INT, all, 1, MPI_INT, known->group));
    for (int m = 0; m < known->n; m++)
        EQUAL(all[m], value(known->member[m], call, 0));
    for (int m = 0, at = 0; m < known->n; at += ++m) {
        counts[m] = m + 1;
        places[m] = at;
    }
    for (int i = 0; i < count; i++)
        mine[i] = value(rank, call, i);
    CHECK_MPI(
        caucus_group_allgatherv(mine, count, MPI_INT, all, counts, places, MPI_INT, known->group));
    for (int m = 0; m < known->n; m++)
        for (int i = 0; i < counts[m]; i++)
            EQUAL(all[places[m] + i], value(known->member[m], call, i));
}

static void exchange(const struct known *known, int call) {
    int out[MOST], in[MOST], before = 0;
    caucus_request request;
    for (int m = 0; m < known->n; m++)
        out[m] = value(rank, call, m);
    CHECK_MPI(caucus_group_alltoall_init(out, 1, MPI_INT, in, 1, MPI_INT, known->group,
                                         MPI_INFO_NULL, &request));
    CHECK_MPI(caucus_start(&request));
    CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
    CHECK_MPI(caucus_request_free(&request));
    for (int m = 0; m < known->n; m++)
        EQUAL(in[m], value(known->member[m], call, known->place));
    CHECK_MPI(caucus_group_exscan(&call, &before, 1, MPI_INT, MPI_SUM, known->group));
    if (known->place > 0)
        EQUAL(before, known->place * call);
    CHECK_MPI(caucus_group_barrier(known->group));
}

/* Once round the group, with a wildcard on the receiving side. */
static void pass(const struct known *known, int call) {
    int next = (known->place + 1) % known->n, last = (known->place + known->n - 1) % known->n;
    int out = value(rank, call, 1), in = -1, tag = call % CAUCUS_GROUP_TAGS;
    MPI_Request request;
    MPI_Status status;
    CHECK_MPI(caucus_group_isend(&out, 1, MPI_INT, next, tag, known->group, &request));
    CHECK_MPI(caucus_group_recv(&in, 1, MPI_INT, call % 2 ? last : MPI_ANY_SOURCE, tag,
                                known->group, &status));
    EQUAL(in, value(known->member[last], call, 1));
    EQUAL(status.MPI_SOURCE, last);
    EQUAL(status.MPI_TAG, tag);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    /* or a second message could come before the first to whoever takes them from anybody */
    CHECK_MPI(caucus_group_barrier(known->group));
}

static void use(const struct known *known, int call, int what) {
    int count = below(8) ? 1 + below(40) : ELEMENTS;
    if (known->place < 0)
        return;
    look(known);
    if (what == 0)
        tell(known, call, count);
    else if (what == 1)
        collect(known, call);
    else if (what == 2)
        exchange(known, call);
    else if (what == 3)
        pass(known, call);
    else
        sum(known, call, count);
}

int main(int argc, char **argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int steps = argc > 1 ? atoi(argv[1]) : 120;
    seed = argc > 2 ? (uint64_t)atoi(argv[2]) : 1;
    CHECK_MPI(caucus_comm_attach(MPI_COMM_WORLD));
    for (int step = 0; step < steps; step++) {
        struct known *known = &live[below(LIVE)];
        int what = below(8);
        if (known->n > 0 && what < 6) {
            use(known, step, what);
            continue;
        }
        if (known->group != CAUCUS_GROUP_NULL)
            CHECK_MPI(caucus_group_free(&known->group));
        make(known);
    }
    for (int i = 0; i < LIVE; i++)
        if (live[i].group != CAUCUS_GROUP_NULL)
            CHECK_MPI(caucus_group_free(&live[i].group));
    MPI_Finalize();
    return 0;
}
