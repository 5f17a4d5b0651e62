/* SPDX-License-Identifier: BSD-3-Clause */
/* allgatherv between two groups, blocking and nonblocking, whose blocks cross with the counts if
 * all are short: empty ones, short ones, a long one here and there, in buffers with gaps, of more
 * shapes than are kept, one after the other and many at a time; the same shape again and again on
 * new data.
 * run: ranks=2,3,5
 * run: ranks=6 env=CAUCUS_NODES=3x2
 * run: ranks=6 env=CAUCUS_NODES=cyclic:2
 * run: ranks=4 env=CAUCUS_SHARED_MEMORY=0
 * run: ranks=3 env=CAUCUS_CHECK=1 */
#include "intergroup_case.h"
#include "join_groups.h"

enum { SHAPES = 40, AGAIN = 3, CALLS = 24 };

static uint64_t state = 5;

/* In grains: some blocks are longer than what crosses with the counts, in every third shape. */
static struct draw draw_shape(int first, int shape, enum form form) {
    static const int longest[] = {0, 30, 4000, 1, 200, 300};
    struct draw d = draw_case(&state, first, world_size() - first);
    d.which = ALLGATHERV;
    d.form = form;
    d.longest = longest[shape % 6];
    return d;
}

static void call(struct operation *o) {
    char text[512];
    fill_operation(o);
    describe(o, text, sizeof text);
    int code = make_call(&o->call);
    CHECK(code == MPI_SUCCESS, "%s: %s", text, caucus_error_text());
}

static void one_by_one(MPI_Comm comm, int first, int side, int rank) {
    for (int shape = 0; shape < SHAPES; shape++) {
        struct operation o;
        struct draw d = draw_shape(first, shape, shape % 2 ? NONBLOCKING : BLOCKING);
        build_operation(&o, &d, comm, side, rank);
        for (int i = 0; i < AGAIN; i++) {
            call(&o);
            if (d.form == NONBLOCKING)
                CHECK_MPI(caucus_wait(&o.call.request, MPI_STATUS_IGNORE));
            check_operation(&o);
        }
        drop_operation(&o);
    }
}

static void many_at_a_time(MPI_Comm comm, int first, int side, int rank) {
    static struct operation o[CALLS];
    caucus_request requests[CALLS];
    struct draw d = draw_shape(first, 1, NONBLOCKING);
    for (int i = 0; i < CALLS; i++) {
        if (i % 2) /* every other one has the shape of the one before */
            d = draw_shape(first, i, NONBLOCKING);
        build_operation(&o[i], &d, comm, side, rank);
        call(&o[i]);
        requests[i] = o[i].call.request;
    }
    CHECK_MPI(caucus_waitall(CALLS, requests, MPI_STATUSES_IGNORE));
    for (int i = 0; i < CALLS; i++) {
        check_operation(&o[i]);
        drop_operation(&o[i]);
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    make_types();
    for (int first = 1; first < world_size(); first++) {
        int side = world_rank() >= first, rank = world_rank() - side * first;
        MPI_Comm comm = join_groups(MPI_COMM_WORLD, first, world_size() - first);
        return_errors(comm);
        CHECK_MPI(caucus_comm_attach(comm));
        one_by_one(comm, first, side, rank);
        many_at_a_time(comm, first, side, rank);
        MPI_Comm_free(&comm);
    }
    free_types(free_operation);
    MPI_Finalize();
    return 0;
}
