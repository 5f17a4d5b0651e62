/* SPDX-License-Identifier: BSD-3-Clause */
/* Persistent requests made again after they were freed: with other buffers and operations, freed in
 * another order on every rank, with what differs between ranks, while others are under way.
 * run: ranks=1,2,3,5
 * run: ranks=4 env=CAUCUS_NODES=cyclic:2
 * run: ranks=3 env=CAUCUS_NODES=1,2
 * run: ranks=3 env=CAUCUS_SHARED_MEMORY=0
 * run: ranks=4 env=CAUCUS_SHARED_MEMORY=0 env=CAUCUS_REQUESTS=kept
 * run: ranks=4 env=CAUCUS_SHARED_MEMORY=0 env=CAUCUS_REQUESTS=kept env=CAUCUS_TIMEOUT=100 */
#include "check.h"

#include "api/collective/request.h"
#include "run/memory/node_memory.h"

#include <caucus/caucus.h>
#include <caucus/collective.h>

#include <string.h>

enum { LONG = 100000, MANY = 40 };

static int rank, size, in[LONG], out[LONG];

static void run(caucus_request *request) {
    CHECK_MPI(caucus_start(request));
    CHECK_MPI(caucus_wait(request, MPI_STATUS_IGNORE));
}

static caucus_request sum_of(int *from, int *to, int count, MPI_Op op) {
    caucus_request request;
    CHECK_MPI(caucus_allreduce_init(from, to, count, MPI_INT, op, MPI_COMM_WORLD, MPI_INFO_NULL,
                                    &request));
    return request;
}

/* One after the other, each time elsewhere: the node memory is that of the first. */
static void check_again(void) {
    const char *requests = getenv("CAUCUS_REQUESTS");
    bool keeps = !requests || strcmp(requests, "kept") != 0;
    int64_t first = -1;
    for (int i = 0; i < MANY; i++) {
        caucus_request request = sum_of(in + i, out + 2 * i, 3, MPI_SUM);
        if (i == 0)
            first = request->prepared->arena->number;
        CHECK(!keeps || request->prepared->arena->number == first, "arena %lld, not %lld",
              (long long)request->prepared->arena->number, (long long)first);
        for (int start = 0; start < i % 3; start++) {
            in[i] = 10 * i + rank + start;
            in[i + 2] = -in[i];
            out[2 * i] = -1;
            run(&request);
            int wanted = size * (10 * i + start) + size * (size - 1) / 2;
            CHECK(out[2 * i] == wanted && out[2 * i + 2] == -wanted, "%d, not %d", out[2 * i],
                  wanted);
        }
        CHECK_MPI(caucus_request_free(&request));
    }
}

static void highest(void *from, void *to, int *count, MPI_Datatype *type) {
    int *a = from, *b = to;
    (void)type;
    for (int i = 0; i < *count; i++)
        b[i] = a[i] > b[i] ? a[i] : b[i];
}

static void lowest(void *from, void *to, int *count, MPI_Datatype *type) {
    int *a = from, *b = to;
    (void)type;
    for (int i = 0; i < *count; i++)
        b[i] = a[i] < b[i] ? a[i] : b[i];
}

/* Handles of freed operations come again for others. */
static void check_operations(void) {
    for (int i = 0; i < MANY; i++) {
        MPI_Op op;
        MPI_Op_create(i % 2 ? highest : lowest, 1, &op);
        in[0] = 5 - rank;
        caucus_request request = sum_of(in, out, 1, i % 3 == 2 ? MPI_SUM : op);
        CHECK_MPI(caucus_op_free(&op));
        run(&request);
        int wanted = i % 3 == 2 ? 5 * size - size * (size - 1) / 2 : i % 2 ? 5 : 6 - size;
        CHECK(out[0] == wanted, "%d, not %d", out[0], wanted);
        CHECK_MPI(caucus_request_free(&request));
    }
}

/* Some ranks free late what the others find again already. */
static void check_orders(void) {
    caucus_request held[MANY];
    int count = 0;
    for (int i = 0; i < MANY; i++) {
        held[count++] = sum_of(in, out, 2 + i % 2, MPI_SUM);
        in[0] = i + rank;
        run(&held[count - 1]);
        CHECK(out[0] == size * i + size * (size - 1) / 2, "%d", out[0]);
        while (count > (i + rank) % 4) {
            int at = (i * 7 + rank) % count;
            CHECK_MPI(caucus_request_free(&held[at]));
            held[at] = held[--count];
        }
    }
    while (count > 0)
        CHECK_MPI(caucus_request_free(&held[--count]));
}

/* What differs between ranks is found, whatever was there before, and nothing is the worse. */
static void check_differences(void) {
    int found = 0;
    for (int i = 0; i < 12; i++) {
        caucus_request request = CAUCUS_REQUEST_NULL;
        int odd = rank == size - 1 && size > 1, differs = i % 2;
        int code = i % 4 < 2 ? caucus_bcast_init(out, 4, MPI_INT, odd && differs ? 1 : 0,
                                                 MPI_COMM_WORLD, MPI_INFO_NULL, &request)
                             : caucus_allreduce_init(in, out, 4, MPI_INT,
                                                     odd && differs ? MPI_MAX : MPI_SUM,
                                                     MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        found += code != MPI_SUCCESS;
        CHECK((code != MPI_SUCCESS) == (differs && size > 1), "turn %d: code %d", i, code);
        if (code)
            continue;
        in[0] = rank;
        out[0] = rank == 0 ? i : -1;
        run(&request);
        int wanted = i % 4 < 2 ? i : size * (size - 1) / 2;
        CHECK(out[0] == wanted, "turn %d: %d, not %d", i, out[0], wanted);
        CHECK_MPI(caucus_request_free(&request));
    }
    CHECK(found == (size > 1 ? 6 : 0), "%d", found);
}

/* Counts of others are known only by an exchange, or because all have what they had before. */
static void check_exchanges(void) {
    int counts[64], places[64], got[64], from[64];
    for (int i = 0; i < 12; i++) {
        int more = i / 3 % 2; /* the last rank sends more to rank 0 now and then */
        caucus_request request;
        for (int r = 0; r < size; r++) {
            counts[r] = 1 + (more && rank == size - 1 && r == 0);
            got[r] = 1 + (more && rank == 0 && r == size - 1);
            places[r] = from[r] = 2 * r;
            in[2 * r] = in[2 * r + 1] = 100 * i + 10 * rank + r;
        }
        memset(out, 0xff, 128 * sizeof *out);
        CHECK_MPI(caucus_alltoallv_init(in, counts, places, MPI_INT, out, got, from, MPI_INT,
                                        MPI_COMM_WORLD, MPI_INFO_NULL, &request));
        run(&request);
        for (int r = 0; r < size; r++) {
            int value = 100 * i + 10 * r + rank;
            CHECK(out[2 * r] == value && out[2 * r + 1] == (got[r] > 1 ? value : -1), "turn %d: %d",
                  i, out[2 * r]);
        }
        CHECK_MPI(caucus_request_free(&request));
    }
}

/* Ranks come to an init before what others wait for is through. */
static void check_progress(void) {
    static int other[LONG], sums[LONG];
    for (int i = 0; i < 6; i++) {
        caucus_request early, request;
        other[LONG - 1] = i + rank;
        CHECK_MPI(caucus_iallreduce(other, sums, LONG, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &early));
        if ((rank + i) % 2)
            CHECK_MPI(caucus_wait(&early, MPI_STATUS_IGNORE));
        request = sum_of(in, out, 1 + i / 2, MPI_SUM);
        CHECK_MPI(caucus_wait(&early, MPI_STATUS_IGNORE));
        CHECK(sums[LONG - 1] == size * i + size * (size - 1) / 2, "%d", sums[LONG - 1]);
        run(&request);
        CHECK_MPI(caucus_request_free(&request));
    }
}

/* More shapes, and more memory, than the cache takes. */
static void check_many(void) {
    for (int turn = 0; turn < 2; turn++)
        for (int i = 1; i <= MANY; i++) {
            int count = LONG / MANY * i;
            caucus_request request = sum_of(in, out, count, MPI_SUM);
            in[count - 1] = i + rank;
            run(&request);
            CHECK(out[count - 1] == size * i + size * (size - 1) / 2, "%d", out[count - 1]);
            CHECK_MPI(caucus_request_free(&request));
        }
}

/* Few tags, so that they begin again, and each rank has others in use. */
static void check_tags(struct caucus_engine *engine) {
    enum { HELD = 7 };
    caucus_request held[HELD] = {CAUCUS_REQUEST_NULL};
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "caucus_algorithm", "bcast:binomial"); /* such requests are not kept */
    MPI_Info_set(info, "caucus_shared_memory", "0");
    engine->tags = HELD * size + 2;
    for (const struct caucus_arena *arena = engine->arenas; arena; arena = arena->next)
        engine->tags++;
    /* Ranks may have kept different ones, but have the same tags. */
    MPI_Allreduce(MPI_IN_PLACE, &engine->tags, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    for (int i = 0; i < 300; i++) {
        int at = (i * i / 3 + i * rank) % HELD; /* freed by this rank before the next one */
        if (at == rank % HELD && i % 100)       /* kept until tags have begun again */
            at = (at + 1) % HELD;
        caucus_request request;
        if (held[at])
            CHECK_MPI(caucus_request_free(&held[at]));
        out[0] = rank == i % size ? i : -1;
        CHECK_MPI(caucus_bcast_init(out, 1, MPI_INT, i % size, MPI_COMM_WORLD, info, &request));
        run(&request);
        CHECK(out[0] == i, "%d, not %d", out[0], i);
        held[at] = request;
    }
    for (int i = 0; i < HELD; i++)
        if (held[i])
            CHECK_MPI(caucus_request_free(&held[i]));
    MPI_Info_free(&info);
}

/* Not all that is freed is kept. */
static void check_memory(const struct caucus_engine *engine) {
    enum { MOST = 72 << 20 }; /* the pool doubles, from 4.3 MiB */
    static int from[1 << 20], to[1 << 20];
    for (int i = 0; i < 16; i++) {
        caucus_request request;
        CHECK_MPI(caucus_alltoall_init(from, (1 << 17) + i, MPI_INT, to, (1 << 17) + i, MPI_INT,
                                       MPI_COMM_WORLD, MPI_INFO_NULL, &request));
        run(&request);
        CHECK_MPI(caucus_request_free(&request));
    }
    if (engine->memory)
        CHECK(caucus_node_memory_size(engine->memory) <= MOST, "%lld bytes of node memory",
              (long long)caucus_node_memory_size(engine->memory));
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    return_errors(MPI_COMM_WORLD);
    rank = world_rank();
    size = world_size();
    check_again();
    check_operations();
    check_orders();
    check_differences();
    check_exchanges();
    check_progress();
    check_many();
    struct caucus_engine *engine = caucus_attached(MPI_COMM_WORLD)->engine;
    check_memory(engine);
    check_tags(engine);
    check_again();
    MPI_Finalize();
    return 0;
}
