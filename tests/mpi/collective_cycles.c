/* SPDX-License-Identifier: BSD-3-Clause */
/* Persistent operations made, started or not, and freed many times over leave nothing behind; nor
 * do blocking ones of ever other lengths, or communicators.
 * run: ranks=1 args=100000
 * run: ranks=2 args=2000
 * run: ranks=2 args=200000 full
 * run: ranks=3 args=300 env=CAUCUS_NODES=cyclic:2
 * run: ranks=2 args=1000 env=CAUCUS_REQUESTS=kept */
#include "collective_case.h"
#include "resident.h"

static int attachments = 50; /* a new communicator every so many cycles */

static void cycle(int i) {
    double in[256] = {i}, out[256] = {0}; /* or 100 matrices */
    caucus_request request;
    MPI_Comm comm = MPI_COMM_WORLD;
    int count = 1 + i % 100, size = world_size();
    if (i % attachments == 0)
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    CHECK_MPI(i % 2 ? caucus_allreduce_init(in, out, count, MPI_DOUBLE, MPI_SUM, comm,
                                            MPI_INFO_NULL, &request)
                    : caucus_bcast_init(in, count, kinds[MATRICES].type, 0, comm, MPI_INFO_NULL,
                                        &request));
    for (int start = 0; start < i % 3; start++) {
        CHECK_MPI(caucus_start(&request));
        CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
    }
    if (i % 2 && i % 3)
        CHECK(out[0] == (double)i * size, "%g, not %g", out[0], (double)i * size);
    CHECK_MPI(caucus_request_free(&request));
    CHECK_MPI(caucus_iallreduce(in, out, count, MPI_DOUBLE, MPI_MAX, comm, &request));
    CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
    CHECK_MPI(caucus_allreduce(in, out, 1 + i % 90, MPI_DOUBLE, MPI_MIN, comm));
    if (comm != MPI_COMM_WORLD)
        MPI_Comm_free(&comm);
}

int main(int argc, char **argv) {
    int cycles = argc > 1 ? atoi(argv[1]) : 1000;
    MPI_Init(&argc, &argv);
    make_kinds();
    if (cycles > 100000)
        attachments = 5000;
    for (int i = 0; i < cycles / 4 + 250; i++) /* pools fill up */
        cycle(i);
    long before = resident();
    for (int i = 0; i < cycles; i++)
        cycle(i);
    long grown = resident() - before, allowed = 16L * cycles + (4L << 20);
    if (world_rank() == 0)
        printf("%d cycles: %ld bytes more\n", cycles, grown);
#ifdef __SANITIZE_ADDRESS__ /* it keeps freed memory, and finds leaks itself */
    allowed += 1L << 30;
#endif
    CHECK(grown < allowed, "%ld bytes more after %d cycles", grown, cycles);
    free_kinds();
    MPI_Finalize();
    return 0;
}
