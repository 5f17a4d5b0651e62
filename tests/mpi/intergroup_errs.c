/* SPDX-License-Identifier: BSD-3-Clause */
/* Nonblocking collectives with a root between two groups that are not attached, wrong on all ranks
 * for which they matter, which the others in the root's group cannot know: who errs gets an error
 * and nothing written, and what follows on the communicator finds all ranks in step, attaching
 * included.
 *
 * run: ranks=3,5 mpi=mpich,openmpi,intel,abi
 * run: ranks=2 */
#include "intergroup_wrong.h"
#include "join_groups.h"

static uint64_t state = 5;

static struct draw draw_short(int first, enum which which) {
    struct draw d = draw_case(&state, first, world_size() - first);
    d.which = which;
    d.form = NONBLOCKING;
    d.positive = true;
    d.silent = -1;
    d.longest = 20;
    d.elements = 7;
    d.root_side = draw_below(&state, 2);
    d.root = draw_below(&state, d.size[d.root_side]);
    return d;
}

static void err(MPI_Comm comm, int first, enum which which, enum wrong wrong) {
    struct operation o;
    struct draw d = draw_short(first, which);
    int side = world_rank() >= first;
    build_operation(&o, &d, comm, side, world_rank() - side * first);
    fill_operation(&o);
    bool mine = errs(&o, wrong, false);
    if (mine)
        spoil(&o, wrong);
    int code = make_call(&o.call);
    expect(&o, wrong, code, mine);
    if (code == MPI_SUCCESS)
        CHECK_MPI(caucus_wait(&o.call.request, MPI_STATUS_IGNORE));
    CHECK(o.call.request == NO_REQUEST, "a failed call has a request");
    if (o.call.receive.matters) /* nothing came */
        make_noise(&o.call.receive, salt_of(&o) + 1);
    check_operation(&o);
    drop_operation(&o);
}

static void go_on(MPI_Comm comm, int first, enum which which) {
    struct operation o;
    struct draw d = draw_short(first, which);
    int side = world_rank() >= first;
    build_operation(&o, &d, comm, side, world_rank() - side * first);
    fill_operation(&o);
    CHECK_MPI(make_call(&o.call));
    CHECK_MPI(caucus_wait(&o.call.request, MPI_STATUS_IGNORE));
    check_operation(&o);
    drop_operation(&o);
}

int main(int argc, char **argv) {
    static const enum wrong wrongs[] = {NEGATIVE_COUNT, NULL_TYPE, NO_SUCH_ROOT, IN_PLACE};
    MPI_Init(&argc, &argv);
    return_errors(MPI_COMM_WORLD);
    return_errors(MPI_COMM_SELF);
    make_types();
    for (int first = 1; first < world_size(); first++) {
        MPI_Comm comm = join_groups(MPI_COMM_WORLD, first, world_size() - first);
        return_errors(comm);
        for (int which = BCAST; which <= REDUCE; which++)
            for (int i = 0; i < 4; i++) {
                err(comm, first, (enum which)which, wrongs[i]);
                go_on(comm, first, i % 2 ? ALLGATHER : (enum which)which);
            }
        CHECK_MPI(caucus_barrier(comm)); /* attaches it */
        go_on(comm, first, ALLTOALL);
        MPI_Comm_free(&comm);
    }
    free_types(free_operation);
    MPI_Finalize();
    return 0;
}
