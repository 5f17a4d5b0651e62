/* SPDX-License-Identifier: BSD-3-Clause */
/* Info keys of persistent collectives: every value gives the same results, also with changed data
 * at each start; bad ones, and ranks that differ, are errors in words on all ranks.
 * run: ranks=1,2,3 mpi=mpich,openmpi
 * run: ranks=4 env=CAUCUS_NODES=2x2 */
#include "check.h"

#include <caucus/caucus.h>

#include <string.h>

enum { MOST_RANKS = 16, STARTS = 4 };

static MPI_Info make_info(const char *requests, const char *memory) {
    MPI_Info info;
    MPI_Info_create(&info);
    if (requests)
        MPI_Info_set(info, "caucus_requests", requests);
    if (memory)
        MPI_Info_set(info, "caucus_shared_memory", memory);
    return info;
}

static void check_sum(MPI_Info info) {
    caucus_request request;
    int in[2], out[2], size = world_size(), ranks = size * (size - 1) / 2;
    CHECK_MPI(caucus_allreduce_init(in, out, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD, info, &request));
    for (int start = 0; start < STARTS; start++) {
        in[0] = world_rank() + start;
        in[1] = 3 * start;
        CHECK_MPI(caucus_start(&request));
        CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
        CHECK(out[0] == ranks + size * start && out[1] == 3 * size * start, "start %d: %d, %d",
              start, out[0], out[1]);
    }
    CHECK_MPI(caucus_request_free(&request));
}

/* Counts and displacements are changed after the init: they must have been taken. */
static void check_blocks(MPI_Info info) {
    caucus_request request;
    int size = world_size(), counts[MOST_RANKS], places[MOST_RANKS];
    int out[MOST_RANKS * MOST_RANKS], in[MOST_RANKS];
    for (int rank = 0; rank < size; rank++) {
        counts[rank] = rank % 3 + 1;
        places[rank] = (size - 1 - rank) * MOST_RANKS;
    }
    int own = counts[world_rank()];
    CHECK_MPI(caucus_allgatherv_init(in, own, MPI_INT, out, counts, places, MPI_INT, MPI_COMM_WORLD,
                                     info, &request));
    memset(counts, 255, sizeof counts);
    memset(places, 255, sizeof places);
    for (int start = 0; start < STARTS; start++) {
        for (int i = 0; i < own; i++)
            in[i] = 100 * world_rank() + 10 * start + i;
        CHECK_MPI(caucus_start(&request));
        CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
        for (int rank = 0; rank < size; rank++)
            for (int i = 0; i < rank % 3 + 1; i++)
                CHECK(out[(size - 1 - rank) * MOST_RANKS + i] == 100 * rank + 10 * start + i,
                      "start %d, block %d", start, rank);
    }
    CHECK_MPI(caucus_request_free(&request));
}

static void expect_error(const char *requests, const char *memory, const char *words) {
    MPI_Info info = make_info(requests, memory);
    caucus_request request = CAUCUS_REQUEST_NULL;
    int class;
    MPI_Error_class(caucus_barrier_init(MPI_COMM_WORLD, info, &request), &class);
    CHECK(class == MPI_ERR_ARG && strstr(caucus_error_text(), words), "class %d: %s", class,
          caucus_error_text());
    MPI_Info_free(&info);
}

int main(int argc, char **argv) {
    static const char *const requests[] = {NULL, "immediate", "kept"};
    static const char *const memory[] = {NULL, "0", "1"};
    MPI_Init(&argc, &argv);
    return_errors(MPI_COMM_WORLD);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            MPI_Info info = make_info(requests[i], memory[j]);
            check_sum(info);
            check_blocks(info);
            MPI_Info_free(&info);
        }
    expect_error("often", NULL, "caucus_requests is 'often'");
    expect_error(NULL, "2", "caucus_shared_memory is '2'");
    if (world_size() > 1)
        expect_error(NULL, world_rank() == 0 ? "0" : "1", "info");
    MPI_Finalize();
    return 0;
}
