/* SPDX-License-Identifier: BSD-3-Clause */
/* Where there is no module mpi_f08 for the compiler at hand: the procedures behind it that have no
 * buffers, called as Fortran calls them. Says "right" at its end. */
#include <mpi.h>
#include <stdio.h>

void mpi_init_f08_(int *code);
void mpi_start_f08_(MPI_Request *request, int *code);
void mpi_wait_f08_(MPI_Request *request, MPI_Status *status, int *code);
void mpi_request_free_f08_(MPI_Request *request, int *code);
void mpi_finalize_f08_(int *code);

int main(void) {
    int code, rank, size, sum = -1, wrong = 0;
    MPI_Request request;
    MPI_Status status;
    mpi_init_f08_(&code);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    mpi_wait_f08_(&request, &status, &code);
    wrong |= sum != size * (size - 1) / 2;
    MPI_Allreduce_init(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int i = 0; i < 3; i++) {
        sum = -1;
        mpi_start_f08_(&request, &code);
        mpi_wait_f08_(&request, &status, &code);
        wrong |= sum != size * (size - 1) / 2;
    }
    mpi_request_free_f08_(&request, &code);
    mpi_finalize_f08_(&code);
    if (rank == 0)
        puts(wrong ? "wrong" : "right");
    return wrong;
}
