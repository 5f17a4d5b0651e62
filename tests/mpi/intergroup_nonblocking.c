/* SPDX-License-Identifier: BSD-3-Clause */
/* Many nonblocking collectives between two groups under way at a time, more than there are arenas,
 * with others within one group in between, completed in another order on every rank; from the first
 * call on a communicator on, or once it is attached. Counts, datatypes and the communicator are
 * gone before they complete.
 * run: ranks=2,3,5
 * run: ranks=6 env=CAUCUS_NODES=3x2
 * run: ranks=4 env=CAUCUS_SHARED_MEMORY=0
 * run: ranks=3 env=CAUCUS_CHECK=1 */
#include "intergroup_case.h"
#include "join_groups.h"

enum { ROUNDS = 6, CALLS = 48, SUMS = 7 };

static uint64_t state = 11, own;

/* A sum over all ranks, for company. */
static void begin_sum(int *in, int *out, int value, caucus_request *request) {
    *in = value;
    CHECK_MPI(caucus_iallreduce(in, out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, request));
}

/* What a call says of its blocks is its own as soon as it returns. */
static void forget(struct operation *o) {
    struct part *parts[] = {&o->call.send, &o->call.receive};
    for (int i = 0; i < 2; i++) {
        memset(parts[i]->counts, -1, sizeof parts[i]->counts);
        memset(parts[i]->places, -1, sizeof parts[i]->places);
        memset(parts[i]->large_counts, -1, sizeof parts[i]->large_counts);
        memset(parts[i]->large_places, -1, sizeof parts[i]->large_places);
        say_types(parts[i], MPI_DATATYPE_NULL);
    }
}

/* A third of them are those that take two stages. */
static void begin(struct operation *o, MPI_Comm comm, int first, int side, int rank, int i) {
    char text[512];
    struct draw d = draw_case(&state, first, world_size() - first);
    int multiple = common_multiple(d.size[0], d.size[1]);
    d.form = NONBLOCKING;
    if (i % 3 == 0)
        d.which = i % 2 ? ALLGATHERV : REDUCE_SCATTER;
    if (d.which == REDUCE_SCATTER_BLOCK)
        d.elements = d.elements / multiple * multiple;
    build_operation(o, &d, comm, side, rank);
    fill_operation(o);
    describe(o, text, sizeof text);
    int code = make_call(&o->call);
    CHECK(code == MPI_SUCCESS, "%s: %s", text, caucus_error_text());
    forget(o);
}

static void complete(caucus_request *requests, int count, int way) {
    int index, some[CALLS + SUMS], left = count, first = draw_below(&own, count);
    if (way == 0)
        CHECK_MPI(caucus_waitall(count, requests, MPI_STATUSES_IGNORE));
    for (int i = 0; way == 1 && i < count; i++) /* backwards, from anywhere */
        CHECK_MPI(caucus_wait(&requests[(first + count - i) % count], MPI_STATUS_IGNORE));
    while (way == 2 && left-- > 0)
        CHECK_MPI(caucus_waitany(count, requests, &index, MPI_STATUS_IGNORE));
    while (way == 3 && left > 0) {
        CHECK_MPI(caucus_waitsome(count, requests, &index, some, MPI_STATUSES_IGNORE));
        left -= index;
    }
}

static void run_round(MPI_Comm comm, int first, int side, int round) {
    static struct operation o[CALLS];
    caucus_request requests[CALLS + SUMS];
    int in[SUMS], out[SUMS], rank, size = world_size();
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_dup(comm, &comm);
    return_errors(comm);
    if (round % 3 == 1)
        CHECK_MPI(caucus_comm_attach(comm));
    for (int i = 0; i < CALLS; i++) {
        begin(&o[i], comm, first, side, rank, i);
        if (i % 7 == 3)
            begin_sum(&in[i / 7], &out[i / 7], i + world_rank(), &requests[CALLS + i / 7]);
        if (i == CALLS / 2 && round % 3 == 2) { /* in its midst, it is attached */
            MPI_Comm remembered = comm;
            CHECK_MPI(caucus_barrier(remembered));
        }
        requests[i] = o[i].call.request;
    }
    MPI_Comm_free(&comm);
    complete(requests, CALLS + SUMS, (round + (int)(own % 2)) % 4);
    for (int i = 0; i < CALLS; i++) {
        CHECK(requests[i] == CAUCUS_REQUEST_NULL, "request %d is left", i);
        check_operation(&o[i]);
        drop_operation(&o[i]);
    }
    for (int i = 0; i < SUMS; i++)
        CHECK(out[i] == size * (7 * i + 3) + size * (size - 1) / 2, "sum %d is %d", i, out[i]);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int first = 1 + world_size() / 3, side = world_rank() >= first;
    MPI_Comm comm = join_groups(MPI_COMM_WORLD, first, world_size() - first);
    own = mix((uint64_t)world_rank());
    return_errors(MPI_COMM_WORLD);
    make_types();
    for (int round = 0; round < ROUNDS; round++)
        run_round(comm, first, side, round);
    MPI_Comm_free(&comm);
    free_types(free_operation);
    MPI_Finalize();
    return 0;
}
