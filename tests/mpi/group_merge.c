/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"
#include <caucus/caucus.h>
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    CHECK_MPI(caucus_comm_attach(MPI_COMM_WORLD));
    int n = world_size(), me = world_rank(), list[64], one = 1, sum;
    int half = n / 2;
    caucus_group g, all, part;
    caucus_request r;
    for (int turn = 0; turn < 3; turn++) {
        if (me < half) CHECK_MPI(caucus_group_create_range(MPI_COMM_WORLD, 0, half - 1, 1, &g));
        else {
            int m = 0;
            for (int i = n - 1; i >= half; i--) list[m++] = i;
            CHECK_MPI(caucus_group_icreate(MPI_COMM_WORLD, list, m, 3, &g, &r));
            CHECK_MPI(caucus_wait(&r, MPI_STATUS_IGNORE));
        }
        int firsts[2] = {n - 1, 0};
        CHECK_MPI(caucus_group_imerge(g, firsts, half ? 2 : 1, 5, &all, &r));
        CHECK_MPI(caucus_wait(&r, MPI_STATUS_IGNORE));
        CHECK_MPI(caucus_group_allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, all));
        CHECK(sum == n, "%d", sum);
        CHECK_MPI(caucus_group_isplit(all, me % 2, 0, &part, &r));
        CHECK_MPI(caucus_wait(&r, MPI_STATUS_IGNORE));
        CHECK_MPI(caucus_group_allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, part));
        CHECK_MPI(caucus_group_free(&part));
        CHECK_MPI(caucus_group_free(&all));
        CHECK_MPI(caucus_group_free(&g));
    }
    MPI_Finalize();
    return 0;
}
