/* SPDX-License-Identifier: BSD-3-Clause */
/* A channel with a thread of the library that an exception leaves open makes no call of MPI once
 * that is finalized, in which the thread ends. Run on four ranks by test_wrappers.py. */
#include <caucus/caucus.hpp>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <thread>

static void leaves() {
    caucus_channel_options options = {};
    options.progress = 1;
    std::atomic<int> heard{0};
    caucus::channel channel(MPI_COMM_WORLD, {[&](const caucus_delivery &) { heard++; }, {}, {}},
                            options);
    channel.cast("x");
    while (heard < 3)
        std::this_thread::yield();
    throw std::runtime_error("on all ranks here");
}

int main(int argc, char **argv) {
    int level, rank;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (level == MPI_THREAD_MULTIPLE) {
        try {
            leaves();
        } catch (const std::runtime_error &) {
        }
    }
    MPI_Finalize();
    std::this_thread::sleep_for(std::chrono::milliseconds(50)); // in which a thread would call
    if (rank == 0)
        std::printf("finalized\n");
    return 0;
}
