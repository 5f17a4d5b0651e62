/* SPDX-License-Identifier: BSD-3-Clause */
/* Objects of the C++ wrappers that are destroyed after MPI_Finalize do nothing. Run on four ranks
 * by test_wrappers.py. */
#include <caucus/caucus.hpp>

#include <cstdio>

struct task {
    int number;
};

/** One of each kind. */
struct everything {
    int in = 1, out = 0;
    caucus::request sum = caucus::make_request(caucus_allreduce_init, &in, &out, 1, MPI_INT,
                                               MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL);
    caucus::group group = caucus::make_group(caucus_group_from_comm, MPI_COMM_WORLD);
    caucus::pending_group half = caucus::make_pending_group(caucus_group_isplit, group.get(), 0, 0);
    caucus::communicator comm = group.to_comm();
    caucus::channel channel{MPI_COMM_WORLD};
    caucus::pool<task> pool{MPI_COMM_WORLD, [](caucus_group, const task &) {}};
    caucus::balance balance{MPI_COMM_WORLD, 4};
};

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    caucus::attach(MPI_COMM_WORLD);
    {
        everything all;
        while (!all.half.test())
            ;
        while (all.balance.poll(false) != CAUCUS_BALANCE_OVER)
            ;
        int rank = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Finalize();
        if (rank == 0)
            std::printf("finalized\n");
    }
    return 0;
}
