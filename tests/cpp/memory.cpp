/* SPDX-License-Identifier: BSD-3-Clause */
/* Where memory runs out in a wait for several requests, they are what they were before. Run on four
 * ranks by test_wrappers.py. */
#include <caucus/caucus.hpp>

#include <cstdio>
#include <cstdlib>
#include <new>
#include <vector>

static int granted = -1; // before one is refused; negative: none is

void *operator new(std::size_t size) {
    void *place = granted == 0 ? nullptr : std::malloc(size);
    granted -= granted > 0;
    if (!place)
        throw std::bad_alloc();
    return place;
}

void operator delete(void *place) noexcept {
    std::free(place);
}

void operator delete(void *place, std::size_t) noexcept {
    std::free(place);
}

int main(int argc, char **argv) {
    constexpr int many = 5;
    MPI_Init(&argc, &argv);
    caucus::attach(MPI_COMM_WORLD);
    int failures = 0, in[many], out[many];
    std::vector<caucus::request> requests;
    for (int i = 0; i < many; i++) {
        in[i] = i;
        requests.push_back(caucus::make_request(caucus_iallreduce, &in[i], &out[i], 1, MPI_INT,
                                                MPI_MAX, MPI_COMM_WORLD));
    }
    for (int before = 0; before < 4; before++) {
        granted = before;
        try {
            caucus::wait_all(requests);
            break;
        } catch (const std::bad_alloc &) {
            failures++;
        }
        granted = -1;
        for (const caucus::request &one : requests)
            if (one.get() == CAUCUS_REQUEST_NULL)
                MPI_Abort(MPI_COMM_WORLD, 1);
    }
    granted = -1;
    caucus::wait_all(requests);
    for (int i = 0; i < many; i++)
        if (out[i] != i)
            MPI_Abort(MPI_COMM_WORLD, 1);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        std::printf("%s\n", failures > 0 ? "all right" : "nothing was refused");
    requests.clear();
    MPI_Finalize();
    return 0;
}
