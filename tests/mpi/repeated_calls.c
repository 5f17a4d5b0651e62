/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocking and nonblocking calls made again: each must do what its own arguments say, whatever was
 * called before with some of them the same, with handles that are new under an old number, and with
 * other buffers.
 * run: ranks=1,2,3,4
 * run: ranks=4 env=CAUCUS_NODES=2x2
 * run: ranks=5 env=CAUCUS_NODES=cyclic:2
 * run: ranks=3 env=CAUCUS_SHARED_MEMORY=0
 * run: ranks=3 env=CAUCUS_CHECK=1
 * run: ranks=2 env=CAUCUS_TIMEOUT=100
 * run: ranks=3 env=CAUCUS_SELECT=measure */
#include "check.h"

#include <caucus/caucus.h>
#include <caucus/collective.h>

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

enum { ROUNDS = 300, LONG = 300, COUNTS = 40, OFFSETS = 5 };

/* By the nonblocking form, waited for at once, in place of the blocking one. */
static bool waits;

#define CALL(name, ...)                                                                            \
    do {                                                                                           \
        caucus_request request;                                                                    \
        if (waits) {                                                                               \
            CHECK_MPI(caucus_i##name(__VA_ARGS__, &request));                                      \
            CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));                                   \
        } else {                                                                                   \
            CHECK_MPI(caucus_##name(__VA_ARGS__));                                                 \
        }                                                                                          \
    } while (0)

/* Of a communicator and its rank here, and what is random on all ranks alike. */
struct at {
    MPI_Comm comm;
    int rank, size;
    unsigned random;
};

static int next(struct at *at, int limit) {
    at->random = at->random * 1103515245u + 12345u;
    return (int)(at->random >> 16) % limit;
}

static struct at at_comm(MPI_Comm comm) {
    struct at at = {.comm = comm, .random = 7};
    MPI_Comm_rank(comm, &at.rank);
    MPI_Comm_size(comm, &at.size);
    return at;
}

/* Room for a block of every rank, at changing places. */
struct room {
    int in[16 * LONG + OFFSETS], out[16 * LONG + OFFSETS];
};

static void fill(int *buffer, int count, int first) {
    for (int i = 0; i < count; i++)
        buffer[i] = first + i;
}

static void check_filled(const int *buffer, int count, int first, const char *what) {
    for (int i = 0; i < count; i++)
        CHECK(buffer[i] == first + i, "%s: element %d of %d is %d, not %d", what, i, count,
              buffer[i], first + i);
}

static void bcast(struct at *at, int *buffer, int count, int root, int seed) {
    fill(buffer, count, at->rank == root ? seed : -1);
    CALL(bcast, buffer, count, MPI_INT, root, at->comm);
    check_filled(buffer, count, seed, "bcast");
}

/* Sums of seed + rank * 3 + i. */
static void check_sum(const struct at *at, const int *buffer, int count, int seed, MPI_Op op) {
    int ranks = at->size, last = at->size - 1;
    for (int i = 0; i < count; i++) {
        int sum = ranks * (seed + i) + 3 * ranks * last / 2, most = seed + i + 3 * last;
        CHECK(buffer[i] == (op == MPI_SUM ? sum : most), "element %d of %d is %d", i, count,
              buffer[i]);
    }
}

static void reduce(struct at *at, int *in, int *out, int count, int root, int seed, MPI_Op op,
                   bool in_place) {
    bool here = at->rank == root;
    fill(in_place && here ? out : in, count, seed + 3 * at->rank);
    CALL(reduce, in_place && here ? MPI_IN_PLACE : in, here ? out : NULL, count, MPI_INT, op, root,
         at->comm);
    if (here)
        check_sum(at, out, count, seed, op);
}

static void allreduce(struct at *at, int *in, int *out, int count, int seed, MPI_Op op,
                      bool in_place) {
    fill(in_place ? out : in, count, seed + 3 * at->rank);
    CALL(allreduce, in_place ? MPI_IN_PLACE : in, out, count, MPI_INT, op, at->comm);
    check_sum(at, out, count, seed, op);
}

static void allgather(struct at *at, int *in, int *out, int count, int seed, bool in_place) {
    int *own = in_place ? out + at->rank * count : in;
    memset(out, -1, (size_t)(at->size * count) * sizeof *out);
    fill(own, count, seed + at->rank * count);
    CALL(allgather, in_place ? MPI_IN_PLACE : in, count, MPI_INT, out, count, MPI_INT, at->comm);
    check_filled(out, at->size * count, seed, "allgather");
}

static void alltoall(struct at *at, int *in, int *out, int count, int seed, bool in_place) {
    int *from = in_place ? out : in;
    for (int to = 0; to < at->size; to++)
        fill(from + to * count, count, seed + 1000 * at->rank + 100000 * to);
    CALL(alltoall, in_place ? MPI_IN_PLACE : in, count, MPI_INT, out, count, MPI_INT, at->comm);
    for (int of = 0; of < at->size; of++)
        check_filled(out + of * count, count, seed + 1000 * of + 100000 * at->rank, "alltoall");
}

static void gather(struct at *at, int *in, int *out, int count, int root, int seed, bool in_place) {
    bool here = at->rank == root;
    fill(in_place && here ? out + at->rank * count : in, count, seed + at->rank * count);
    CALL(gather, in_place && here ? MPI_IN_PLACE : in, count, MPI_INT, here ? out : NULL, count,
         MPI_INT, root, at->comm);
    if (here)
        check_filled(out, at->size * count, seed, "gather");
}

static void scatter(struct at *at, int *in, int *out, int count, int root, int seed,
                    bool in_place) {
    bool here = at->rank == root;
    if (here)
        fill(in, at->size * count, seed);
    CALL(scatter, here ? in : NULL, count, MPI_INT, in_place && here ? MPI_IN_PLACE : out, count,
         MPI_INT, root, at->comm);
    check_filled(in_place && here ? in + at->rank * count : out, count, seed + at->rank * count,
                 "scatter");
}

static void any(struct at *at, struct room *room, int seed) {
    int what = next(at, 8), count = next(at, 3) ? next(at, 4) : next(at, COUNTS);
    int root = next(at, at->size), op = next(at, 2), in_place = next(at, 4) == 0;
    int *in = room->in + (seed + at->rank) % OFFSETS, *out = room->out + seed % OFFSETS;
    MPI_Op function = op ? MPI_SUM : MPI_MAX;
    switch (what) {
    case 0:
        bcast(at, out, count, root, seed);
        break;
    case 1:
        reduce(at, in, out, count, root, seed, function, in_place);
        break;
    case 2:
        allreduce(at, in, out, count, seed, function, in_place);
        break;
    case 3:
        allgather(at, in, out, count, seed, in_place);
        break;
    case 4:
        alltoall(at, in, out, count, seed, in_place);
        break;
    case 5:
        gather(at, in, out, count, root, seed, in_place);
        break;
    case 6:
        scatter(at, in, out, count, root, seed, in_place);
        break;
    default:
        CALL(barrier, at->comm);
    }
}

static void many(struct at *at) {
    struct room *room = malloc(sizeof *room);
    for (int seed = 0; seed < ROUNDS; seed++)
        any(at, room, seed);
    free(room);
}

/* More of them than are remembered, by turns, each of which is known by its count or root alone. */
static void alternate(struct at *at, struct room *room) {
    for (int round = 0; round < 3; round++)
        for (int count = 0; count < LONG; count += round ? 7 : 3)
            for (int root = 0; root < at->size; root++) {
                bcast(at, room->out + round, count, root, count + 10 * root);
                reduce(at, room->in, room->out + root % OFFSETS, count, root, count, MPI_SUM,
                       false);
            }
}

static void bcast_with_gaps(struct at *at, int round) {
    MPI_Datatype type;
    int numbers[64], count = 1 + round % 4;
    MPI_Type_vector(count, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);
    for (int i = 0; i < 64; i++)
        numbers[i] = at->rank == 0 ? round + i : -1;
    CALL(bcast, numbers, 3, type, 0, at->comm);
    MPI_Type_free(&type);
    for (int i = 0; i < 3; i++) /* the extent ends with the last element */
        for (int j = 0; j < 2 * count - 1; j++) {
            int place = i * (2 * count - 1) + j;
            bool meant = j % 2 == 0 || at->rank == 0;
            CHECK(numbers[place] == (meant ? round + place : -1), "element %d is %d", place,
                  numbers[place]);
        }
}

static void bcast_pairs(struct at *at, int round) {
    struct pair {
        short value;
        int index;
    } pairs[8];
    for (int i = 0; i < 8; i++)
        pairs[i] = (struct pair){(short)(at->rank ? -1 : round), at->rank ? -1 : i};
    CALL(bcast, pairs, 4, MPI_SHORT_INT, 0, at->comm);
    for (int i = 0; i < 8; i++)
        CHECK(i > 3 || (pairs[i].value == round && pairs[i].index == i), "pair %d", i);
}

/* Datatypes with the same bytes, some with gaps, on the same buffers and on others; and made again,
 * which may give the same handle. */
static void retype(struct at *at) {
    for (int round = 0; round < 20; round++) {
        int numbers[64], use = round % 2;
        bcast_with_gaps(at, round);
        bcast_pairs(at, round);
        fill(numbers, 8, at->rank == 0 ? round : -10);
        CALL(bcast, numbers + use, 24, MPI_BYTE, 0, at->comm);
        check_filled(numbers + use, 6, round + use, "bytes");
        CALL(bcast, numbers, 6, MPI_SHORT, 0, at->comm);
        bcast(at, numbers, 6, 0, round);
    }
}

static void add(void *in, void *out, int *count, MPI_Datatype *type) {
    (void)type;
    for (int i = 0; i < *count; i++)
        ((int *)out)[i] += ((int *)in)[i];
}

/* What the lowest rank has. */
static void keep_left(void *in, void *out, int *count, MPI_Datatype *type) {
    (void)type;
    memcpy(out, in, (size_t)*count * sizeof(int));
}

static void make_operations_again(struct at *at) {
    for (int round = 0; round < 20; round++) {
        MPI_Op op;
        int own[COUNTS], all[COUNTS];
        MPI_Op_create(round % 2 ? keep_left : add, round % 2 == 0, &op);
        fill(own, COUNTS, round + 3 * at->rank);
        CALL(allreduce, own, all, COUNTS, MPI_INT, op, at->comm);
        MPI_Op_free(&op);
        if (round % 2)
            check_filled(all, COUNTS, round, "the left operand");
        else
            check_sum(at, all, COUNTS, round, MPI_SUM);
    }
}

/* Of changing sizes and with other ranks numbers. */
static void make_communicators_again(struct at *at) {
    struct room *room = malloc(sizeof *room);
    for (int round = 0; round < 12; round++) {
        MPI_Comm made;
        MPI_Comm_split(at->comm, at->rank % (1 + round % 3), round % 2 ? at->rank : -at->rank,
                       &made);
        struct at there = at_comm(made);
        for (int i = 0; i < 2; i++) {
            bcast(at, room->out, 2, 0, -round);
            bcast(&there, room->out, 2, there.size - 1, round);
            allreduce(&there, room->in, room->out, 2, round, MPI_SUM, false);
        }
        MPI_Comm_free(&made);
    }
    free(room);
}

static void err_in_allreduce(MPI_Comm comm, int in[], int out[]) {
    CHECK(caucus_allreduce(in, out, -1, MPI_INT, MPI_SUM, comm), "count");
    CHECK(caucus_allreduce(in, in, 2, MPI_INT, MPI_SUM, comm), "one buffer");
    CHECK(caucus_allreduce(NULL, out, 2, MPI_INT, MPI_SUM, comm), "no send buffer");
    CHECK(caucus_allreduce(in, MPI_IN_PLACE, 2, MPI_INT, MPI_SUM, comm), "in place");
    CHECK(caucus_allreduce(in, out, 2, MPI_INT, MPI_OP_NULL, comm), "operation");
    CHECK(caucus_allreduce(in, out, 2, MPI_DATATYPE_NULL, MPI_SUM, comm), "datatype");
    CHECK(caucus_allreduce(in, out, 2, MPI_FLOAT, MPI_BAND, comm), "both");
}

static void err_in_bcast(MPI_Comm comm, int size, int out[]) {
    CHECK(caucus_bcast(out, 2, MPI_INT, size, comm), "root");
    CHECK(caucus_bcast(out, 2, MPI_INT, -1, comm), "root");
    CHECK(caucus_bcast(NULL, 2, MPI_INT, 0, comm), "no buffer");
    CHECK(caucus_bcast(out, -2, MPI_INT, 0, comm), "count");
}

/* After a good call with the rest of the arguments; where all ranks err nobody waits. */
static void err(struct at *at) {
    MPI_Comm comm;
    int in[64] = {0}, out[64] = {0};
    MPI_Comm_dup(at->comm, &comm);
    return_errors(comm);
    for (int round = 0; round < 3; round++) {
        CHECK_MPI(caucus_allreduce(in, out, 2, MPI_INT, MPI_SUM, comm));
        CHECK_MPI(caucus_bcast(out, 2, MPI_INT, 0, comm));
        err_in_allreduce(comm, in, out);
        err_in_bcast(comm, at->size, out);
        CHECK_MPI(caucus_allreduce(out, in, 2, MPI_INT, MPI_SUM, comm));
        CHECK_MPI(caucus_bcast(NULL, 0, MPI_INT, 0, comm));
        CHECK(caucus_bcast(MPI_IN_PLACE, 0, MPI_INT, 0, comm), "in place");
    }
    MPI_Comm_free(&comm);
}

/* More of them under way than there are arenas, on buffers of their own, with few different
 * arguments; waited for in another order on every rank. */
static void pile(struct at *at) {
    enum { DEEP = 20, MOST = 8 };
    static int in[DEEP][MOST], out[DEEP][MOST * 16];
    caucus_request requests[DEEP];
    for (int round = 0; round < 30; round++) {
        int count = 1 + round % 2, root = round % at->size;
        for (int i = 0; i < DEEP; i++) {
            fill(in[i], count, round + 100 * i + 3 * at->rank);
            fill(out[i], MOST * 16, -1);
            if (i % 3 == 0)
                CHECK_MPI(caucus_iallreduce(in[i], out[i], count, MPI_INT, MPI_SUM, at->comm,
                                            &requests[i]));
            else if (i % 3 == 1)
                CHECK_MPI(caucus_iallgather(in[i], count, MPI_INT, out[i], count, MPI_INT, at->comm,
                                            &requests[i]));
            else
                CHECK_MPI(caucus_ibcast(in[i], count, MPI_INT, root, at->comm, &requests[i]));
        }
        for (int i = 0; i < DEEP; i++) {
            int which = (i * 7 + at->rank * 3 + round) % DEEP;
            CHECK_MPI(caucus_wait(&requests[which], MPI_STATUS_IGNORE));
        }
        for (int i = 0; i < DEEP; i++) {
            if (i % 3 == 0)
                check_sum(at, out[i], count, round + 100 * i, MPI_SUM);
            for (int of = 0; i % 3 == 1 && of < at->size; of++)
                check_filled(out[i] + of * count, count, round + 100 * i + 3 * of, "piled");
            if (i % 3 == 2)
                check_filled(in[i], count, round + 100 * i + 3 * root, "piled bcast");
        }
    }
}

/* As err(), by nonblocking calls. */
static void err_nonblocking(struct at *at) {
    MPI_Comm comm;
    caucus_request request;
    int in[64] = {0}, out[64] = {0};
    MPI_Comm_dup(at->comm, &comm);
    return_errors(comm);
    CHECK_MPI(caucus_comm_attach(comm));
    for (int round = 0; round < 14; round++) {
        CHECK_MPI(caucus_iallreduce(in, out, 2, MPI_INT, MPI_SUM, comm, &request));
        CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
        CHECK_MPI(caucus_ibcast(out, 2, MPI_INT, 0, comm, &request));
        CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
        if (round < 6 || round % 3)
            continue; /* all arenas have seen it */
        CHECK(caucus_iallreduce(in, out, -1, MPI_INT, MPI_SUM, comm, &request), "count");
        CHECK(caucus_iallreduce(in, in, 2, MPI_INT, MPI_SUM, comm, &request), "one buffer");
        CHECK(caucus_iallreduce(NULL, out, 2, MPI_INT, MPI_SUM, comm, &request), "no buffer");
        CHECK(caucus_iallreduce(in, out, 2, MPI_INT, MPI_OP_NULL, comm, &request), "operation");
        CHECK(caucus_iallreduce(in, out, 2, MPI_FLOAT, MPI_BAND, comm, &request), "both");
        CHECK(caucus_ibcast(out, 2, MPI_INT, at->size, comm, &request), "root");
        CHECK(caucus_ibcast(NULL, 2, MPI_INT, 0, comm, &request), "no buffer");
    }
    MPI_Comm_free(&comm);
}

static void *in_thread(void *comm) {
    struct at at = at_comm(*(MPI_Comm *)comm);
    MPI_Comm made;
    for (int round = 0; round < 3; round++) {
        many(&at);
        MPI_Comm_dup(at.comm, &made); /* the other thread's may have had this handle */
        struct at there = at_comm(made);
        many(&there);
        MPI_Comm_free(&made);
    }
    return NULL;
}

static void with_threads(void) {
    MPI_Comm comms[2];
    pthread_t thread[2];
    for (int i = 0; i < 2; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    for (int i = 0; i < 2; i++)
        CHECK(pthread_create(&thread[i], NULL, in_thread, &comms[i]) == 0, "thread %d", i);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    for (int i = 0; i < 2; i++)
        MPI_Comm_free(&comms[i]);
}

static void all(struct at *at, bool nonblocking) {
    struct room *room = malloc(sizeof *room);
    waits = nonblocking;
    many(at);
    alternate(at, room);
    retype(at);
    make_operations_again(at);
    make_communicators_again(at);
    free(room);
}

int main(int argc, char **argv) {
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    struct at at = at_comm(MPI_COMM_WORLD);
    all(&at, false);
    err(&at);
    all(&at, true);
    err_nonblocking(&at);
    pile(&at);
    for (int form = 0; form < 2 && level == MPI_THREAD_MULTIPLE; form++) {
        waits = form;
        with_threads();
    }
    waits = false;
    many(&at);
    MPI_Finalize();
    return 0;
}
