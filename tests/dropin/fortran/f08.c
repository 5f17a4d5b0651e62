/* SPDX-License-Identifier: BSD-3-Clause */
/* Where there is no module mpi_f08 for the compiler at hand: the procedures behind it, called as
 * Fortran calls them. A buffer comes as the descriptor of a scalar, of which all that they look at
 * is where it is. On four ranks. Says "right" at its end. */
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* Compilers have descriptors of their own: all begin with the address and the bytes of an element,
 * and what is 0 for a scalar in one is so in the others. */
struct scalar {
    void *address;
    size_t bytes;
    long rest[64];
};

extern int MPIR_F08_MPI_IN_PLACE; /* the library's */

void mpi_init_f08_(int *code);
void mpi_start_f08_(MPI_Request *request, int *code);
void mpi_wait_f08_(MPI_Request *request, MPI_Status *status, int *code);
void mpi_request_free_f08_(MPI_Request *request, int *code);
void mpi_finalize_f08_(int *code);
void mpi_barrier_f08_(MPI_Comm *comm, int *code);
void mpi_bcast_f08ts_(struct scalar *data, int *count, MPI_Datatype *type, int *root,
                      MPI_Comm *comm, int *code);
void mpi_allreduce_f08ts_(struct scalar *from, struct scalar *to, int *count, MPI_Datatype *type,
                          MPI_Op *op, MPI_Comm *comm, int *code);
void mpi_iallreduce_f08ts_(struct scalar *from, struct scalar *to, int *count, MPI_Datatype *type,
                           MPI_Op *op, MPI_Comm *comm, MPI_Request *request, int *code);
void mpi_allreduce_init_f08ts_(struct scalar *from, struct scalar *to, int *count,
                               MPI_Datatype *type, MPI_Op *op, MPI_Comm *comm, MPI_Info *info,
                               MPI_Request *request, int *code);
void mpi_allgather_f08ts_(struct scalar *from, int *sent, MPI_Datatype *sent_type,
                          struct scalar *to, int *received, MPI_Datatype *received_type,
                          MPI_Comm *comm, int *code);
void mpi_cart_create_f08_(MPI_Comm *old, int *ndims, int *dims, int *periods, int *reorder,
                          MPI_Comm *made, int *code);
void mpi_dist_graph_create_adjacent_f08_(MPI_Comm *old, int *indegree, int *sources, int *weights,
                                         int *outdegree, int *destinations, int *sent,
                                         MPI_Info *info, int *reorder, MPI_Comm *made, int *code);
void mpi_comm_split_f08_(MPI_Comm *comm, int *color, int *key, MPI_Comm *made, int *code);
void mpi_intercomm_create_f08_(MPI_Comm *local, int *leader, MPI_Comm *peers, int *remote, int *tag,
                               MPI_Comm *made, int *code);
void mpi_comm_group_f08_(MPI_Comm *comm, MPI_Group *group, int *code);
void mpi_group_incl_f08_(MPI_Group *group, int *count, int *ranks, MPI_Group *made, int *code);
void mpi_comm_create_group_f08_(MPI_Comm *comm, MPI_Group *group, int *tag, MPI_Comm *made,
                                int *code);
void mpi_comm_free_f08_(MPI_Comm *comm, int *code);

static int rank, size, code, one = 1, zero, truth = -1;
static MPI_Comm world = MPI_COMM_WORLD;
static MPI_Datatype integer = MPI_INT;
static MPI_Op sum = MPI_SUM;
static MPI_Info no_info = MPI_INFO_NULL;

static struct scalar of(void *address) {
    return (struct scalar){.address = address, .bytes = sizeof(int)};
}

static void expect(int value, int wanted, const char *what) {
    if (code == MPI_SUCCESS && value == wanted)
        return;
    printf("wrong: %s on rank %d: %d instead of %d, code %d\n", what, rank, value, wanted, code);
    fflush(stdout);
    exit(3);
}

static void completed(MPI_Request *request) {
    MPI_Status status;
    mpi_wait_f08_(request, &status, &code);
}

static int total_over(MPI_Comm comm, int value) {
    int total = -1;
    struct scalar from = of(&value), to = of(&total);
    mpi_allreduce_f08ts_(&from, &to, &one, &integer, &sum, &comm, &code);
    return total;
}

static void use_collectives(void) {
    int all = size * (size - 1) / 2, own = rank, total = -1,
        *each = calloc((size_t)size, sizeof *each);
    struct scalar from = of(&own), to = of(&total), many = of(each);
    struct scalar in_place = of(&MPIR_F08_MPI_IN_PLACE);
    MPI_Request request;
    mpi_barrier_f08_(&world, &code);
    expect(total_over(world, rank), all, "allreduce");
    total = rank;
    mpi_allreduce_f08ts_(&in_place, &to, &one, &integer, &sum, &world, &code);
    expect(total, all, "allreduce in place");
    total = rank == 1 ? 71 : -1;
    mpi_bcast_f08ts_(&to, &one, &integer, &one, &world, &code);
    expect(total, 71, "bcast");
    mpi_allgather_f08ts_(&from, &one, &integer, &many, &one, &integer, &world, &code);
    for (int i = 0; i < size; i++)
        expect(each[i], i, "allgather");
    free(each);
    total = -1;
    mpi_iallreduce_f08ts_(&from, &to, &one, &integer, &sum, &world, &request, &code);
    completed(&request);
    expect(total, all, "iallreduce");
    mpi_allreduce_init_f08ts_(&from, &to, &one, &integer, &sum, &world, &no_info, &request, &code);
    for (int turn = 0; turn < 3; turn++) {
        own = rank + turn;
        total = -1;
        mpi_start_f08_(&request, &code);
        completed(&request);
        expect(total, all + turn * size, "allreduce that is started again");
    }
    mpi_request_free_f08_(&request, &code);
}

static void use_topologies(void) {
    MPI_Comm made;
    int dims[] = {2, 2}, two = 2, periods[] = {truth, zero}, place;
    int around[] = {(rank + size - 1) % size, (rank + 1) % size}, weights[] = {3, 4};
    mpi_cart_create_f08_(&world, &two, dims, periods, &truth, &made, &code);
    MPI_Comm_rank(made, &place);
    expect(total_over(made, 1 << place), 15, "places of a grid");
    mpi_comm_free_f08_(&made, &code);
    mpi_dist_graph_create_adjacent_f08_(&world, &two, around, weights, &two, around, weights,
                                        &no_info, &truth, &made, &code);
    MPI_Comm_rank(made, &place);
    expect(total_over(made, 1 << place), 15, "places of a graph");
    mpi_comm_free_f08_(&made, &code);
}

static void use_groups(void) {
    MPI_Comm half, inter, made;
    MPI_Group all, even;
    int side = rank % 2, other = 1 - side, two = 2, members[] = {0, 2}, tag = 7;
    mpi_comm_split_f08_(&world, &side, &rank, &half, &code);
    mpi_intercomm_create_f08_(&half, &zero, &world, &other, &tag, &inter, &code);
    expect(total_over(inter, rank), side ? 0 + 2 : 1 + 3, "allreduce between groups");
    mpi_comm_free_f08_(&inter, &code);
    mpi_comm_free_f08_(&half, &code);
    mpi_comm_group_f08_(&world, &all, &code);
    mpi_group_incl_f08_(&all, &two, members, &even, &code);
    if (side == 0) {
        mpi_comm_create_group_f08_(&world, &even, &tag, &made, &code);
        expect(total_over(made, rank), 2, "sum of members");
        mpi_comm_free_f08_(&made, &code);
    }
    MPI_Group_free(&even);
    MPI_Group_free(&all);
}

int main(void) {
    mpi_init_f08_(&code);
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &size);
    use_collectives();
    use_topologies();
    use_groups();
    mpi_finalize_f08_(&code);
    if (rank == 0)
        puts("right");
    return 0;
}
