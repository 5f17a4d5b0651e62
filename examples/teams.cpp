/* SPDX-License-Identifier: BSD-3-Clause */
/* The C++ wrappers at work: ranks in pairs sum up again and again without setting anything up anew,
 * a pool gives tasks to as many ranks as they need, and each rank tells all others what it has
 * found, without anybody waiting for it.
 *
 *   mpicxx -std=c++17 teams.cpp $(pkg-config --cflags --libs caucus) -o teams
 *   mpiexec -n 4 ./teams */
#include <caucus/caucus.hpp>

#include <cstdio>
#include <string>
#include <vector>

struct task {
    int number;
    int terms;
};

static double sum_in_pairs(int rank, int steps) {
    caucus::group everybody = caucus::make_group(caucus_group_from_comm, MPI_COMM_WORLD);
    caucus::group pair =
        caucus::make_group(caucus_group_split, everybody.get(), rank / 2, 0 /* order as it is */);
    double own = 0, both = 0;
    caucus::request sum = caucus::make_request(caucus_group_allreduce_init, &own, &both, 1,
                                               MPI_DOUBLE, MPI_SUM, pair.get(), MPI_INFO_NULL);
    for (int step = 0; step < steps; step++) {
        own += rank;
        sum.start();
        sum.wait();
    }
    return both;
}

static void run(int rank) {
    caucus::attach(MPI_COMM_WORLD);
    std::printf("rank %d: the pair has %g\n", rank, sum_in_pairs(rank, 10));

    caucus::channel news(MPI_COMM_WORLD,
                         {[rank](const caucus_delivery &message) {
                              std::string text(static_cast<const char *>(message.bytes),
                                               static_cast<std::size_t>(message.length));
                              if (rank == 0)
                                  std::printf("rank 0 hears: %s\n", text.c_str());
                          },
                          {},
                          {}});
    caucus::pool<task> pool(MPI_COMM_WORLD, [&](caucus_group team, const task &given) {
        int own = 0, all = given.terms;
        caucus::call(caucus_group_rank, team, &own);
        caucus::call(caucus_group_allreduce, MPI_IN_PLACE, &all, 1, MPI_INT, MPI_SUM, team);
        if (own == 0)
            news.cast("task " + std::to_string(given.number) + " is " + std::to_string(all));
    });
    if (rank == 0)
        for (int i = 0; i < 6; i++)
            pool.submit(1, {i, i * i});
    pool.run();
    pool.close();
    news.close();
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    try {
        caucus::return_errors(MPI_COMM_WORLD);
        caucus::return_errors(MPI_COMM_SELF);
        run(rank);
    } catch (const std::exception &problem) {
        std::fprintf(stderr, "rank %d: %s\n", rank, problem.what());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return MPI_Finalize();
}
