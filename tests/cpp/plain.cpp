/* SPDX-License-Identifier: BSD-3-Clause */
/* A program in C++ that knows nothing of Caucus: a call of each kind that the drop-in takes over.
 * Says "all right" where all data is. */
#include <mpi.h>

#include <array>
#include <cstdio>
#include <vector>

namespace {

int rank, size, failed;

void expect(int value, int expected, const char *what) {
    if (value == expected)
        return;
    std::fprintf(stderr, "rank %d: %s is %d instead of %d\n", rank, what, value, expected);
    failed = 1;
}

void grid() {
    const std::array<int, 2> dims{2, size / 2}, periods{0, 1};
    int here = -1, sum = -1;
    MPI_Comm comm;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims.data(), periods.data(), 1, &comm);
    MPI_Comm_rank(comm, &here);
    MPI_Allreduce(&here, &sum, 1, MPI_INT, MPI_SUM, comm);
    expect(sum, size * (size - 1) / 2, "the sum on the grid");
    MPI_Comm_free(&comm);
}

void ring() {
    const int left = (rank + size - 1) % size, right = (rank + 1) % size, weight = 1;
    int here = -1, sum = -1;
    MPI_Comm comm;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &left, &weight, 1, &right, &weight,
                                   MPI_INFO_NULL, 1, &comm);
    MPI_Comm_rank(comm, &here);
    MPI_Allreduce(&here, &sum, 1, MPI_INT, MPI_SUM, comm);
    expect(sum, size * (size - 1) / 2, "the sum on the ring");
    MPI_Comm_free(&comm);
}

void collectives() {
    std::vector<int> given(3), sums(3, -1);
    MPI_Request request;
    MPI_Allreduce_init(given.data(), sums.data(), 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD,
                       MPI_INFO_NULL, &request);
    for (int time = 0; time < 3; time++) {
        given[1] = rank + time;
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        expect(sums[1], size * (size - 1) / 2 + size * time, "the persistent sum");
    }
    MPI_Request_free(&request);
    MPI_Iallreduce(&rank, &sums[0], 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect(sums[0], size - 1, "the highest rank");
}

void two_groups() {
    MPI_Comm half, inter;
    int sum = -1, expected = 0;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 0, &inter);
    for (int other = 1 - rank % 2; other < size; other += 2)
        expected += other;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, inter);
    expect(sum, expected, "the sum of the others");
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

void members_alone() {
    MPI_Group all, some;
    MPI_Comm made;
    const std::array<int, 2> members{1, 3};
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 2, members.data(), &some);
    if (rank % 2) {
        int members_found = 0;
        MPI_Comm_create_group(MPI_COMM_WORLD, some, 7, &made);
        MPI_Comm_size(made, &members_found);
        expect(members_found, 2, "the size of the group");
        MPI_Comm_free(&made);
    }
    MPI_Group_free(&some);
    MPI_Group_free(&all);
}

} // namespace

int main(int argc, char **argv) {
    int any = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    grid();
    ring();
    collectives();
    two_groups();
    members_alone();
    MPI_Reduce(&failed, &any, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    if (rank == 0 && !any)
        std::puts("all right");
    return failed;
}
