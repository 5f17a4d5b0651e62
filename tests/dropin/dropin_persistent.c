/* SPDX-License-Identifier: BSD-3-Clause */
/* Every persistent collective, started three times with other data each time, under MPI's names;
 * with `blocking` or `nonblocking` the same in that form.
 * run: ranks=1,2,3,5,8 preload
 * run: ranks=4 preload env=CAUCUS_REPORT=persistent.json args=taken
 * run: ranks=4 preload mpi=mpich env=CAUCUS_DISABLE=persistent env=CAUCUS_REPORT=p.json args=left
 * run: ranks=6 preload env=CAUCUS_NODES=cyclic:2
 * run: ranks=5 preload env=CAUCUS_SHARED_MEMORY=0
 * run: ranks=3,5 preload env=TEST_DEVICE=cuda
 * run: ranks=4 preload env=TEST_DEVICE=hip env=CAUCUS_REPORT=device.json args=taken
 * run: ranks=3 preload env=TEST_DEVICE=cuda args=blocking env=CAUCUS_ENABLE=blocking
 * run: ranks=4 preload env=TEST_DEVICE=hip args=nonblocking env=CAUCUS_ENABLE=nonblocking
 * run: ranks=3 args=native mpi=mpich,openmpi */
#include "../mpi/buffer_memory.h"
#include "persistent.h"

#if HAS_PERSISTENT
enum { ROUNDS = 3, BLOCK = 3, MOST = 16 };
enum { PERSISTENT, BLOCKING, NONBLOCKING };

static int form, rank, size, round_now, is_native; /* MPICH leaves such a status as it was */
static int *in, *out;                              /* as calls have them */
static int *seen_in, *seen_out;                    /* as they are filled and compared */
static int counts[MOST], places[MOST], bytes[MOST], byte_places[MOST];
static MPI_Datatype types[MOST];
static MPI_Comm comm, ring;

/* What rank r has at place i of this round. */
static int value(int r, int i) {
    return 1000 * round_now + 50 * r + i;
}

static int sum(int from, int to, int i) {
    int total = 0;
    for (int r = from; r < to; r++)
        total += value(r, i);
    return total;
}

/* What must be at place i of out afterwards; -1 where nothing must be. */
typedef int expectation(int i);

static int kept(int i) {
    (void)i;
    return -1;
}
static int cast_by_last(int i) {
    return i < BLOCK ? value(size - 1, i) : -1;
}
static int of_all(int i) {
    return i < BLOCK ? sum(0, size, i) : -1;
}
static int at_root(int i) {
    return rank == size - 1 ? of_all(i) : -1;
}
static int gathered(int i) {
    return value(i / BLOCK, i % BLOCK);
}
static int gathered_at_root(int i) {
    return rank == size - 1 ? gathered(i) : -1;
}
static int scattered(int i) {
    return i < BLOCK ? value(size - 1, rank * BLOCK + i) : -1;
}
static int exchanged(int i) {
    return value(i / BLOCK, rank * BLOCK + i % BLOCK);
}
static int reduced_block(int i) {
    return i < BLOCK ? sum(0, size, rank * BLOCK + i) : -1;
}
static int scanned(int i) {
    return i < BLOCK ? sum(0, rank + 1, i) : -1;
}
static int before(int i) {
    return i < BLOCK && rank > 0 ? sum(0, rank, i) : -1;
}
static int left(void) {
    return (rank + size - 1) % size;
}
static int right(void) {
    return (rank + 1) % size;
}
static int of_neighbors(int i) {
    return i < 2 * BLOCK ? value(i < BLOCK ? left() : right(), i % BLOCK) : -1;
}
/* From the left comes what it has for its right, its second block. */
static int from_neighbors(int i) {
    int other = i < BLOCK;
    return i < 2 * BLOCK ? value(other ? left() : right(), other * BLOCK + i % BLOCK) : -1;
}

static void fill(void) {
    for (int i = 0; i < MOST * BLOCK; i++) {
        seen_in[i] = value(rank, i);
        seen_out[i] = -1;
    }
}

static void compare(const char *name, expectation *expected) {
    for (int i = 0; expected && i < size * BLOCK; i++)
        CHECK(seen_out[i] == expected(i), "%s, round %d: out[%d] is %d, not %d", name, round_now, i,
              seen_out[i], expected(i));
}

static void try_it(const char *name, int code, MPI_Request *request, expectation *expected) {
    MPI_Status status;
    CHECK_MPI(code);
    CHECK_MPI(MPI_Wait(request, &status)); /* inactive: nothing happens */
    CHECK(status.MPI_SOURCE == MPI_ANY_SOURCE && *request != MPI_REQUEST_NULL, "%s", name);
    for (round_now = 0; round_now < ROUNDS; round_now++) {
        int count;
        fill();
        CHECK_MPI(MPI_Start(request));
        CHECK_MPI(MPI_Wait(request, &status));
        MPI_Get_count(&status, MPI_INT, &count);
        CHECK((count == 0 || is_native) && *request != MPI_REQUEST_NULL, "%s: count %d", name,
              count);
        compare(name, expected);
    }
    CHECK_MPI(MPI_Request_free(request));
    CHECK(*request == MPI_REQUEST_NULL, "%s", name);
}

static void end_round(const char *name, int code, MPI_Request *request, expectation *expected) {
    CHECK_MPI(code);
    CHECK_MPI(MPI_Wait(request, MPI_STATUS_IGNORE));
    compare(name, expected);
}

#define TRY(name, lower, expected, ...)                                                            \
    do {                                                                                           \
        MPI_Request request = MPI_REQUEST_NULL;                                                    \
        if (form == PERSISTENT)                                                                    \
            try_it(#name, MPI_##name##_init(__VA_ARGS__, MPI_INFO_NULL, &request), &request,       \
                   expected);                                                                      \
        for (round_now = 0; form != PERSISTENT && round_now < ROUNDS; round_now++) {               \
            fill();                                                                                \
            int code =                                                                             \
                form == BLOCKING ? MPI_##name(__VA_ARGS__) : MPI_I##lower(__VA_ARGS__, &request);  \
            end_round(#name, code, &request, expected);                                            \
        }                                                                                          \
    } while (0)

/* One buffer, of which the root's stays as it is. */
static void broadcast(void) {
    TRY(Bcast, bcast, rank == size - 1 ? kept : cast_by_last, rank == size - 1 ? in : out, BLOCK,
        MPI_INT, size - 1, comm);
}

static void one_to_all(void) {
    TRY(Gather, gather, gathered_at_root, in, BLOCK, MPI_INT, out, BLOCK, MPI_INT, size - 1, comm);
    TRY(Gatherv, gatherv, gathered_at_root, in, BLOCK, MPI_INT, out, counts, places, MPI_INT,
        size - 1, comm);
    TRY(Scatter, scatter, scattered, in, BLOCK, MPI_INT, out, BLOCK, MPI_INT, size - 1, comm);
    TRY(Scatterv, scatterv, scattered, in, counts, places, MPI_INT, out, BLOCK, MPI_INT, size - 1,
        comm);
}

static void all_to_all(void) {
    TRY(Allgather, allgather, gathered, in, BLOCK, MPI_INT, out, BLOCK, MPI_INT, comm);
    TRY(Allgatherv, allgatherv, gathered, in, BLOCK, MPI_INT, out, counts, places, MPI_INT, comm);
    TRY(Alltoall, alltoall, exchanged, in, BLOCK, MPI_INT, out, BLOCK, MPI_INT, comm);
    TRY(Alltoallv, alltoallv, exchanged, in, counts, places, MPI_INT, out, counts, places, MPI_INT,
        comm);
    TRY(Alltoallw, alltoallw, exchanged, in, bytes, byte_places, types, out, bytes, byte_places,
        types, comm);
}

static void reductions(void) {
    TRY(Reduce, reduce, at_root, in, out, BLOCK, MPI_INT, MPI_SUM, size - 1, comm);
    TRY(Allreduce, allreduce, of_all, in, out, BLOCK, MPI_INT, MPI_SUM, comm);
    TRY(Reduce_scatter, reduce_scatter, reduced_block, in, out, counts, MPI_INT, MPI_SUM, comm);
    TRY(Reduce_scatter_block, reduce_scatter_block, reduced_block, in, out, BLOCK, MPI_INT, MPI_SUM,
        comm);
    TRY(Scan, scan, scanned, in, out, BLOCK, MPI_INT, MPI_SUM, comm);
    TRY(Exscan, exscan, before, in, out, BLOCK, MPI_INT, MPI_SUM, comm);
}

static void neighbors(void) {
    MPI_Aint far[] = {0, BLOCK * sizeof(int)};
    TRY(Neighbor_allgather, neighbor_allgather, of_neighbors, in, BLOCK, MPI_INT, out, BLOCK,
        MPI_INT, ring);
    TRY(Neighbor_allgatherv, neighbor_allgatherv, of_neighbors, in, BLOCK, MPI_INT, out, counts,
        places, MPI_INT, ring);
    TRY(Neighbor_alltoall, neighbor_alltoall, from_neighbors, in, BLOCK, MPI_INT, out, BLOCK,
        MPI_INT, ring);
    TRY(Neighbor_alltoallv, neighbor_alltoallv, from_neighbors, in, counts, places, MPI_INT, out,
        counts, places, MPI_INT, ring);
    TRY(Neighbor_alltoallw, neighbor_alltoallw, from_neighbors, in, counts, far,
        (MPI_Datatype[]){MPI_INT, MPI_INT}, out, counts, far, (MPI_Datatype[]){MPI_INT, MPI_INT},
        ring);
}

static int check_report(const char *argument) {
    int failed = 0;
    char *report = read_report();
    const char *what = strcmp(argument, "taken") == 0 ? "{\"taken\": 4, \"passed\": 0,"
                                                      : "{\"taken\": 0, \"passed\": 4,";
    static const char *const names[] = {"Barrier", "Bcast", "Allreduce", "Exscan", "Alltoallw"};
    for (size_t i = 0; i < sizeof names / sizeof *names && !failed; i++) {
        char words[96];
        snprintf(words, sizeof words, "\"MPI_%s_init\": %s", names[i], what);
        failed = expect_in_report(report, words);
    }
    if (has_standin() && !failed)
        failed = expect_in_report(report, "\"device_memory\": {\"read\": ");
    free(report);
    return failed;
}

int main(int argc, char **argv) {
    int periods[] = {1};
    MPI_Init(&argc, &argv);
    rank = world_rank();
    size = world_size();
    is_native = argc > 1 && strcmp(argv[1], "taken") != 0;
    form = argc == 1 || strstr(argv[1], "blocking") == NULL ? PERSISTENT
           : strcmp(argv[1], "blocking") == 0               ? BLOCKING
                                                            : NONBLOCKING;
    seen_in = buffer_new(MOST * BLOCK * sizeof(int));
    seen_out = buffer_new(MOST * BLOCK * sizeof(int));
    in = buffer_address(seen_in);
    out = buffer_address(seen_out);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Cart_create(comm, 1, &size, periods, 0, &ring);
    for (int r = 0; r < MOST; r++) {
        counts[r] = BLOCK;
        places[r] = r * BLOCK;
        bytes[r] = BLOCK * (int)sizeof(int);
        byte_places[r] = r * bytes[r];
        types[r] = MPI_BYTE;
    }
    TRY(Barrier, barrier, NULL, comm);
    broadcast();
    one_to_all();
    all_to_all();
    reductions();
    if (size > 2) /* two ranks are each other's left and right: the order is the MPI's choice */
        neighbors();
    buffer_free(seen_in);
    buffer_free(seen_out);
    MPI_Comm_free(&ring);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return getenv("CAUCUS_REPORT") && rank == 0 ? check_report(argv[1]) : 0;
}
#else
int main(void) {
    return without_persistent();
}
#endif
