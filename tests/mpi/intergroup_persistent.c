/* SPDX-License-Identifier: BSD-3-Clause */
/* Persistent collectives between two groups: one of each there at the same time, several of them
 * active, started in another order on every rank, again and again on new data; then made, started
 * and freed many times over, which leaves nothing behind.
 * args: how often
 * run: ranks=2 args=3000
 * run: ranks=5 args=50
 * run: ranks=6 args=30 env=CAUCUS_NODES=3x2
 * run: ranks=4 args=100 env=CAUCUS_SHARED_MEMORY=0
 * run: ranks=3 args=300 env=CAUCUS_REQUESTS=kept
 * run: ranks=2 args=100000 full */
#include "intergroup_case.h"
#include "join_groups.h"
#include "resident.h"

enum { RESTARTS = 12, AT_ONCE = 4, SHAPES = 32 };

static uint64_t state = 21, own;

static void make(struct operation *o, const struct draw *d, MPI_Comm comm, int side, int rank) {
    char text[512];
    build_operation(o, d, comm, side, rank);
    describe(o, text, sizeof text);
    int code = make_call(&o->call);
    CHECK(code == MPI_SUCCESS, "%s: %s", text, caucus_error_text());
}

static struct draw draw_persistent(int first, int which) {
    struct draw d = draw_case(&state, first, world_size() - first);
    d.which = (enum which)which;
    d.form = PERSISTENT;
    d.elements = d.elements % 50 * common_multiple(d.size[0], d.size[1]);
    return d;
}

/* Inits are in the same order everywhere; starts need not be. */
static void all_together(MPI_Comm comm, int first, int side, int rank) {
    struct operation o[WHICH];
    for (int which = 0; which < WHICH; which++) {
        struct draw d = draw_persistent(first, which);
        make(&o[which], &d, comm, side, rank);
    }
    for (int restart = 0; restart < RESTARTS; restart++) {
        int from = restart * AT_ONCE, turn = draw_below(&own, AT_ONCE);
        caucus_request *requests[AT_ONCE];
        for (int i = 0; i < AT_ONCE; i++) {
            fill_operation(&o[(from + i) % WHICH]);
            requests[i] = &o[(from + i) % WHICH].call.request;
        }
        for (int i = 0; i < AT_ONCE; i++)
            CHECK_MPI(caucus_start(requests[(turn + i) % AT_ONCE]));
        for (int i = 0; i < AT_ONCE; i++)
            CHECK_MPI(caucus_wait(requests[(turn * 3 + i) % AT_ONCE], MPI_STATUS_IGNORE));
        for (int i = 0; i < AT_ONCE; i++)
            check_operation(&o[(from + i) % WHICH]);
    }
    for (int which = 0; which < WHICH; which++) {
        CHECK_MPI(caucus_request_free(&o[which].call.request));
        drop_operation(&o[which]);
    }
}

static void cycle(int i, const struct draw *shapes, MPI_Comm comm, int side, int rank) {
    struct operation o;
    make(&o, &shapes[i % SHAPES], comm, side, rank);
    for (int start = 0; start < i % 3; start++) {
        fill_operation(&o);
        CHECK_MPI(caucus_start(&o.call.request));
        CHECK_MPI(caucus_wait(&o.call.request, MPI_STATUS_IGNORE));
        check_operation(&o);
    }
    CHECK_MPI(caucus_request_free(&o.call.request));
    drop_operation(&o);
}

static void many_cycles(int cycles, MPI_Comm comm, int first, int side, int rank) {
    struct draw shapes[SHAPES];
    for (int i = 0; i < SHAPES; i++) {
        shapes[i] = draw_persistent(first, i % WHICH);
        shapes[i].longest = shapes[i].longest < 40 ? shapes[i].longest : 40;
    }
    for (int i = 0; i < cycles / 4 + 5 * SHAPES; i++) /* pools fill up */
        cycle(i, shapes, comm, side, rank);
    long before = resident();
    for (int i = 0; i < cycles; i++)
        cycle(i, shapes, comm, side, rank);
    long grown = resident() - before, allowed = 16L * cycles + (4L << 20);
    if (world_rank() == 0)
        printf("%d cycles: %ld bytes more\n", cycles, grown);
#ifdef __SANITIZE_ADDRESS__ /* it keeps freed memory, and finds leaks itself */
    allowed += 1L << 30;
#endif
    CHECK(grown < allowed, "%ld bytes more after %d cycles", grown, cycles);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int cycles = argc > 1 ? atoi(argv[1]) : 100;
    int first = 1 + world_size() / 3, side = world_rank() >= first;
    int rank = world_rank() - side * first;
    MPI_Comm comm = join_groups(MPI_COMM_WORLD, first, world_size() - first);
    own = mix((uint64_t)world_rank());
    return_errors(comm);
    make_types();
    for (int i = 0; i < 4; i++)
        all_together(comm, first, side, rank);
    many_cycles(cycles, comm, first, side, rank);
    MPI_Comm_free(&comm);
    free_types(free_operation);
    MPI_Finalize();
    return 0;
}
