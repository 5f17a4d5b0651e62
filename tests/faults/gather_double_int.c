/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Gather of MPI_DOUBLE_INT (12 of 16 bytes) of a thousand elements gives wrong ones, or
 * fails with "signature does not match".
 *
 * run: ranks=4 mpi=mpich,openmpi,intel
 * seen: MPICH 5.0.2 */
#include "fault.h"

enum { COUNT = 2000, RANKS = 4 };

struct pair {
    double number;
    int place;
};

int main(int argc, char **argv) {
    static struct pair sent[COUNT], received[RANKS * COUNT];
    int provided, wrong = 0;
    begin(&argc, &argv, MPI_THREAD_SINGLE, &provided);
    tries();
    for (int root = 0; root < size; root++)
        for (int count = 1; count <= COUNT; count += 333) {
            for (int i = 0; i < count; i++)
                sent[i] = (struct pair){.number = rank * 10000 + i, .place = i};
            memset(received, 0, sizeof received);
            MPI_Gather(sent, count, MPI_DOUBLE_INT, received, count, MPI_DOUBLE_INT, root,
                       MPI_COMM_WORLD);
            for (int i = 0; rank == root && i < size * count; i++)
                wrong += received[i].number != i / count * 10000 + i % count ||
                         received[i].place != i % count;
        }
    return verdict(wrong > 0);
}
