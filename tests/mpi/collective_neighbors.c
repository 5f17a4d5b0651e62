/* SPDX-License-Identifier: BSD-3-Clause */
/* Neighbourhood collectives on grids with open ends and with periodic axes of one and two ranks, on
 * distributed graphs with edges that come twice, and on graphs, by every algorithm. What must
 * arrive follows from MPI's rules: what goes down an axis comes from above, and edges between two
 * ranks keep their order.
 * run: ranks=1,2,3,4,6
 * run: ranks=8 mpi=mpich,openmpi full
 * run: ranks=4 env=CAUCUS_NODES=cyclic:2
 * run: ranks=6 env=CAUCUS_NODES=3,1,2
 * run: ranks=3 env=TEST_DEVICE=cuda
 * run: ranks=4 env=TEST_DEVICE=hip env=CAUCUS_NODES=2x2 mpi=mpich,openmpi full */
#include "collective_case.h"

#include "plan/collective/algorithm.h"

enum { MOST = 12, LONGEST = 300 };

/* The user's blocks: who is at the other end, and the number of the sender's block that arrives. */
struct neighborhood {
    MPI_Comm comm;
    int sources, destinations, source[MOST], destination[MOST], sent_as[MOST];
};

static struct neighborhood on_grid(int axes, const int *dims, const int *periods) {
    struct neighborhood n = {.sources = 2 * axes, .destinations = 2 * axes};
    MPI_Cart_create(MPI_COMM_WORLD, axes, dims, periods, 0, &n.comm);
    for (int axis = 0; axis < axes && n.comm != MPI_COMM_NULL; axis++) {
        MPI_Cart_shift(n.comm, axis, 1, &n.source[2 * axis], &n.source[2 * axis + 1]);
        for (int side = 0; side < 2; side++) {
            n.destination[2 * axis + side] = n.source[2 * axis + side];
            n.sent_as[2 * axis + side] = 2 * axis + !side;
        }
    }
    return n;
}

/* Each rank sends to the next one twice, to itself, and to the one after the next. */
static struct neighborhood on_distributed_graph(void) {
    int size = world_size(), rank = world_rank();
    struct neighborhood n = {.sources = 4, .destinations = 4};
    int steps[] = {1, 0, 1, 2}, weights[] = {1, 1, 1, 1};
    for (int i = 0; i < 4; i++) {
        n.destination[i] = (rank + steps[i]) % size;
        n.source[i] = (rank + 2 * size - steps[i]) % size;
        n.sent_as[i] = i;
    }
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 4, n.source, weights, 4, n.destination, weights,
                                   MPI_INFO_NULL, 0, &n.comm);
    return n;
}

/* A ring without itself; both directions. */
static struct neighborhood on_graph(void) {
    int size = world_size(), rank = world_rank(), index[64], edges[128];
    struct neighborhood n = {.sources = 2, .destinations = 2};
    for (int i = 0; i < size; i++) {
        index[i] = 2 * i + 2;
        edges[2 * i] = (i + size - 1) % size;
        edges[2 * i + 1] = (i + 1) % size;
    }
    for (int i = 0; i < 2; i++) {
        n.destination[i] = n.source[i] = edges[2 * rank + i];
        n.sent_as[i] = !i;
    }
    MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &n.comm);
    return n;
}

static int word(int sender, int block, int round, int i) {
    return (int)(mix((unsigned)(sender * 64 + block * 8 + round)) >> 8) + i;
}

/* The lengths of v and w: known from who sends and which of his blocks it is. */
static int length_of(bool varies, int count, int sender, int block) {
    return varies && sender != MPI_PROC_NULL ? count * ((sender + block) % 3) : count;
}

static struct arguments a;
enum { BUFFER_BYTES = MOST * LONGEST * 3 * (int)sizeof(int) };
static int *sent, *got;

static int places(bool gathers, bool varies, const struct neighborhood *n, int count) {
    int rank = world_rank(), at = 0;
    for (int i = 0; i < n->destinations; i++) {
        a.i_send_counts[i] = length_of(varies && !gathers, count, rank, i);
        a.i_send_places[i] = at;
        at += a.i_send_counts[i] + (varies ? 1 : 0);
    }
    at = 0;
    for (int i = n->sources - 1; i >= 0; i--) { /* backwards where that is allowed */
        int j = varies ? i : n->sources - 1 - i;
        a.i_receive_counts[j] = length_of(varies && !gathers, count, n->source[j], n->sent_as[j]);
        a.i_receive_places[j] = at;
        at += a.i_receive_counts[j] + (varies ? 1 : 0);
    }
    for (int i = 0; i < MOST; i++) {
        a.l_send_counts[i] = a.i_send_counts[i];
        a.l_receive_counts[i] = a.i_receive_counts[i];
        a.l_send_places[i] = a.i_send_places[i];
        a.l_receive_places[i] = a.i_receive_places[i];
        a.l_send_bytes[i] = a.i_send_bytes[i] = a.i_send_places[i] * (int)sizeof(int);
        a.l_receive_bytes[i] = a.i_receive_bytes[i] = a.i_receive_places[i] * (int)sizeof(int);
        a.types[i] = MPI_INT;
    }
    return at;
}

static void check(const struct neighborhood *n, bool gathers, int round, const char *what) {
    for (int i = 0; i < n->sources; i++)
        for (int k = 0; k < a.i_receive_counts[i]; k++) {
            int *found = &got[a.i_receive_places[i] + k];
            int block = gathers ? 0 : n->sent_as[i];
            int expected = n->source[i] == MPI_PROC_NULL ? -1 : word(n->source[i], block, round, k);
            CHECK(*found == expected, "%s: round %d, block %d from %d, word %d is %d, not %d", what,
                  round, i, n->source[i], k, *found, expected);
        }
}

static bool run_one(const struct neighborhood *n, const struct caucus_algorithm *algorithm,
                    enum form form, int count) {
    enum caucus_collective collective = algorithm->collective;
    bool gathers = collective <= CAUCUS_NEIGHBOR_ALLGATHERV;
    bool varies = collective != CAUCUS_NEIGHBOR_ALLGATHER && collective != CAUCUS_NEIGHBOR_ALLTOALL;
    caucus_request request = CAUCUS_REQUEST_NULL;
    a = (struct arguments){.send = buffer_address(sent),
                           .receive = buffer_address(got),
                           .type = MPI_INT,
                           .count = count,
                           .comm = n->comm,
                           .info = MPI_INFO_NULL};
    places(gathers, varies, n, count);
    MPI_Info_create(&a.info);
    MPI_Info_set(a.info, "caucus_algorithm", algorithm->name);
    int code = form == PERSISTENT ? call_collective(collective, form, count & 1, &a, &request) : 0;
    MPI_Info_free(&a.info);
    if (code != MPI_SUCCESS) {
        CHECK(strstr(caucus_error_text(), "can't serve"), "%s", caucus_error_text());
        return false;
    }
    for (int round = 0; round < RESTARTS; round++) {
        memset(got, 0xff, BUFFER_BYTES);
        for (int i = 0; i < n->destinations; i++)
            for (int k = 0; k < (gathers ? count : a.i_send_counts[i]); k++)
                sent[(gathers ? 0 : a.i_send_places[i]) + k] =
                    word(world_rank(), gathers ? 0 : i, round, k);
        CHECK_MPI(form == PERSISTENT ? caucus_start(&request)
                                     : call_collective(collective, form, count & 1, &a, &request));
        CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
        check(n, gathers, round, algorithm->name);
    }
    if (form == PERSISTENT)
        CHECK_MPI(caucus_request_free(&request));
    return true;
}

static void run_all(struct neighborhood n) {
    const struct caucus_algorithm *algorithm;
    if (n.comm == MPI_COMM_NULL)
        return;
    return_errors(n.comm);
    for (int i = 0; (algorithm = caucus_algorithm_entry(i)); i++)
        if (algorithm->collective >= CAUCUS_NEIGHBOR_ALLGATHER)
            for (int form = NONBLOCKING; form < FORMS; form++)
                for (int count = 0; count < LONGEST; count = 8 * count + 1)
                    run_one(&n, algorithm, (enum form)form, count);
    MPI_Comm_free(&n.comm);
}

/* Of all kinds that there may be. */
static void run_with_memory(struct neighborhood n) {
    sent = buffer_new(BUFFER_BYTES);
    got = buffer_new(BUFFER_BYTES);
    CHECK(sent && got, "no memory");
    run_all(n);
    buffer_free(sent);
    buffer_free(got);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int size = world_size(), half = size % 2 ? size : size / 2;
    const int periods[][2] = {{1, 1}, {0, 1}, {0, 0}};
    const int dims[][2] = {{1, size}, {size, 1}, {half, size / half}};
    return_errors(MPI_COMM_WORLD);
    for (int i = 0; i < 9; i++)
        run_with_memory(on_grid(2, dims[i / 3], periods[i % 3]));
    run_with_memory(on_distributed_graph());
    if (size > 2)
        run_with_memory(on_graph());
    MPI_Finalize();
    return 0;
}
