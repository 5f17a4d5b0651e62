/* SPDX-License-Identifier: BSD-3-Clause */
/* Long messages go straight from and to the memory of a device where MPI says that it takes its
 * addresses, and no others do. Such an MPI is played: what is in front of it here takes the window
 * on that memory instead, whose bytes are the same.
 *
 * run: ranks=2,3 mpi=mpich,openmpi args=yes env=CAUCUS_SHARED_MEMORY=0
 * run: ranks=4 mpi=mpich,openmpi args=yes env=CAUCUS_NODES=cyclic:2
 * run: ranks=2 mpi=mpich,openmpi args=no env=CAUCUS_SHARED_MEMORY=0
 * run: ranks=2 mpi=mpich args=short env=CAUCUS_SHARED_MEMORY=0
 * run: ranks=2 mpi=mpich args=timeout env=CAUCUS_SHARED_MEMORY=0 env=CAUCUS_TIMEOUT=60 */
#define _GNU_SOURCE
#include "buffer_memory.h"

#include <caucus/collective.h>

/* Short messages are those of long buffers. */
enum { LONG = 100000, SHORT = 10000, TURNS = 3 };

static int says_yes;
static long straight; /* messages whose address was a device's */

int MPIX_Query_cuda_support(void);
int MPIX_Query_cuda_support(void) {
    return says_yes;
}

static void *seen(const void *address) {
    void *window = standin.library ? STANDIN(window)((void *)(uintptr_t)address) : NULL;
    if (!window || window == address)
        return (void *)(uintptr_t)address;
    straight++;
    return window;
}

static void *next(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    CHECK(found, "there is no %s", name);
    return found;
}

int PMPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request *request) {
    int (*isend)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
    *(void **)&isend = next("PMPI_Isend");
    return isend(seen(buffer), count, type, to, tag, comm, request);
}

int PMPI_Irecv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
               MPI_Request *request) {
    int (*irecv)(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
    *(void **)&irecv = next("PMPI_Irecv");
    return irecv(seen(buffer), count, type, from, tag, comm, request);
}

static int *new_ints(int count, enum standin_kind kind) {
    return standin_new((size_t)count * sizeof(int), kind);
}

static void expect_ints(const int *ints, int count, int value, const char *what) {
    for (int i = 0; i < count; i++)
        CHECK(ints[i] == value + i % 7, "%s: element %d is %d", what, i, ints[i]);
}

static void fill(int *ints, int count, int value) {
    for (int i = 0; i < count; i++)
        ints[i] = value + i % 7;
}

/* Device and host memory on different ranks; whether this one's is the device's. */
static bool all_to_all(int count, int turn) {
    int size = world_size(), rank = world_rank();
    enum standin_kind kind = (rank + turn) % 3 ? STANDIN_DEVICE : STANDIN_PLAIN;
    int *in = new_ints(count * size, kind), *out = new_ints(count * size, kind);
    for (int i = 0; i < size; i++)
        fill(in + i * count, count, 100 * rank + i);
    CHECK_MPI(caucus_alltoall(buffer_address(in), count, MPI_INT, buffer_address(out), count,
                              MPI_INT, MPI_COMM_WORLD));
    for (int i = 0; i < size; i++)
        expect_ints(out + i * count, count, 100 * i + rank, "alltoall");
    buffer_free(in);
    buffer_free(out);
    return kind == STANDIN_DEVICE;
}

/* The same, persistent, with a reduction. */
static void sums(int count) {
    int size = world_size(), rank = world_rank();
    int *in = new_ints(count, STANDIN_DEVICE), *out = new_ints(count, STANDIN_DEVICE);
    caucus_request request;
    CHECK_MPI(caucus_allreduce_init(buffer_address(in), buffer_address(out), count, MPI_INT,
                                    MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    for (int turn = 0; turn < TURNS; turn++) {
        for (int i = 0; i < count; i++)
            in[i] = rank + turn + i;
        CHECK_MPI(caucus_start(&request));
        CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
        for (int i = 0; i < count; i++)
            CHECK(out[i] == size * (size - 1) / 2 + size * (turn + i), "sum %d is %d", i, out[i]);
    }
    CHECK_MPI(caucus_request_free(&request));
    buffer_free(in);
    buffer_free(out);
}

int main(int argc, char **argv) {
    const char *word = argc > 1 ? argv[1] : "yes";
    bool is_short = strcmp(word, "short") == 0, times_out = strcmp(word, "timeout") == 0;
    int count = is_short ? SHORT : LONG;
    MPI_Init(&argc, &argv);
    says_yes = strcmp(word, "no") != 0;
    open_standin("cuda");
    for (int turn = 0; turn < TURNS; turn++) {
        long before = straight;
        bool on_device = all_to_all(count, turn);
        bool expected = on_device && says_yes && !is_short && !times_out;
        CHECK((straight > before) == expected, "%ld messages went straight", straight - before);
    }
    sums(count);
    MPI_Finalize();
    return 0;
}
