/* SPDX-License-Identifier: BSD-3-Clause */
/* Every collective between two groups blocking, nonblocking and persistent, with int and MPI_Count,
 * by the algorithm of Caucus's choice, between groups of all sizes and with roots in either,
 * several times on changed data, against a computation on one process. With "early", nonblocking
 * calls come before the communicator is attached.
 * run: ranks=2,3,4,5
 * run: ranks=6 env=CAUCUS_NODES=3x2
 * run: ranks=5 env=CAUCUS_NODES=cyclic:2
 * run: ranks=5 env=CAUCUS_SHARED_MEMORY=0
 * run: ranks=3,5 env=CAUCUS_CHECK=1
 * run: ranks=2,5 args=early
 * run: ranks=3,5 env=TEST_DEVICE=cuda
 * run: ranks=4 args=early env=TEST_DEVICE=hip
 * run: ranks=8 mpi=mpich,openmpi full */
#include "intergroup_case.h"
#include "join_groups.h"

enum { ROUNDS = 3, CASES = 2 };

static uint64_t state = 5;

static void run(const struct draw *d, MPI_Comm comm, int side, int rank) {
    struct operation o;
    char text[512];
    build_operation(&o, d, comm, side, rank);
    for (int round = 0; round < ROUNDS; round++) {
        fill_operation(&o);
        describe(&o, text, sizeof text);
        if (d->form == PERSISTENT && round > 0)
            CHECK_MPI(caucus_start(&o.call.request));
        int code = d->form == PERSISTENT && round > 0 ? MPI_SUCCESS : make_call(&o.call);
        CHECK(code == MPI_SUCCESS, "%s: %s", text, caucus_error_text());
        if (d->form == PERSISTENT && round == 0)
            CHECK_MPI(caucus_start(&o.call.request));
        if (d->form != BLOCKING)
            code = caucus_wait(&o.call.request, MPI_STATUS_IGNORE);
        CHECK(code == MPI_SUCCESS, "%s: %s", text, caucus_error_text());
        check_operation(&o);
    }
    if (d->form == PERSISTENT)
        CHECK_MPI(caucus_request_free(&o.call.request));
    CHECK(o.call.request == NO_REQUEST, "a request is left");
    drop_operation(&o);
}

static void run_all(MPI_Comm comm, enum form form, int first, int side, int rank) {
    for (int which = 0; which < WHICH; which++)
        for (int i = 0; i < CASES; i++) {
            struct draw d = draw_case(&state, first, world_size() - first);
            d.which = (enum which)which;
            d.form = form;
            if (which == REDUCE_SCATTER_BLOCK)
                d.elements *= common_multiple(first, world_size() - first);
            run(&d, comm, side, rank);
        }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    bool early = argc > 1;
    nasty = true;
    return_errors(MPI_COMM_WORLD);
    make_types();
    for (int first = 1; first < world_size(); first++) {
        MPI_Comm all, comm;
        int rank, side;
        MPI_Comm_split(MPI_COMM_WORLD, 0, first % 2 ? world_rank() % 2 : 0, &all); /* or mixed */
        MPI_Comm_rank(all, &rank);
        side = rank >= first;
        comm = join_groups(all, first, world_size() - first);
        MPI_Comm_rank(comm, &rank);
        return_errors(comm);
        for (int form = 0; form < FORMS; form++)
            run_all(comm, (enum form)(early ? (form + NONBLOCKING) % FORMS : form), first, side,
                    rank);
        MPI_Comm_free(&comm);
        MPI_Comm_free(&all);
    }
    free_types(free_operation);
    MPI_Finalize();
    return 0;
}
