/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank that has no memory, be it for what it may, while a pool runs: the run ends on all ranks,
 * with the same error where a task could not be kept or done, and the next one does all tasks. This
 * program's calloc, which the library finds before the C library's, refuses the library one array
 * after the other.
 *
 * run: ranks=1,2,5
 * start: own (what replaces calloc must be the program) */
#define _GNU_SOURCE
#include "expect_error.h"
#include "refusing.h"

enum { NEVER = -1 };

struct task {
    int ranks, children;
};

static int left = NEVER; /* so many are granted yet */
static int rank, size, done;
static bool refused;

static bool refuses(size_t count, size_t size_of) {
    (void)count, (void)size_of;
    if (left == NEVER || calloc_is_mpis())
        return false;
    if (left-- > 0)
        return false;
    left = NEVER;
    return refused = true;
}

static void submit(caucus_pool pool, int ranks, int children) {
    struct task task = {ranks, children};
    if (caucus_pool_submit(pool, ranks, &task) != MPI_SUCCESS) {
        CHECK(refused, "refused without any reason");
        CHECK_MPI(caucus_pool_submit(pool, ranks, &task));
    }
}

static int body(void *context, caucus_pool pool, caucus_group group, const void *given) {
    const struct task *task = given;
    int group_rank;
    (void)context;
    CHECK_MPI(caucus_group_rank(group, &group_rank));
    done += group_rank == 0;
    for (int i = 0; i < task->children && group_rank == 0; i++)
        submit(pool, 1 + i % (size > 1 ? size - 1 : 1), 0);
    return 0;
}

/* Whether anything was refused. */
static bool run(caucus_pool pool, int which, int granted) {
    int workers = size > 1 ? size - 1 : 1, lowest, highest, all;
    if (rank == 0)
        for (int i = 0; i < 4; i++)
            submit(pool, 1 + i % workers, i);
    done = 0;
    refused = false;
    left = rank == which ? granted : NEVER;
    int code = caucus_pool_run(pool);
    left = NEVER;
    if (code != MPI_SUCCESS)
        expect(code, MPI_ERR_NO_MEM, "no memory");
    MPI_Allreduce(&code, &lowest, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(&code, &highest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    CHECK((lowest == MPI_SUCCESS) == (highest == MPI_SUCCESS), "code %d, and others have another",
          code);
    int any = refused;
    MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
    CHECK(any || code == MPI_SUCCESS, "code %d, and nothing was refused", code);
    MPI_Allreduce(&done, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(code != MPI_SUCCESS || all == 4 + 6, "%d tasks were done", all);
    return any;
}

int main(int argc, char **argv) {
    caucus_pool pool;
    caucus_pool_options options = {.body = body, .task_bytes = sizeof(struct task)};
    int status = begin_refusing(&argc, &argv);
    if (status)
        return status;
    rank = world_rank();
    size = world_size();
    CHECK_MPI(caucus_pool_open(MPI_COMM_WORLD, &options, &pool));
    for (int which = 0; which < 3 && which < size; which++) {
        int granted = 0;
        while (run(pool, which, granted)) {
            CHECK(!run(pool, which, NEVER), "refused without being asked to");
            granted++;
        }
        CHECK(granted > 0, "nothing was refused on rank %d", which);
    }
    CHECK_MPI(caucus_pool_close(&pool));
    MPI_Finalize();
    return 0;
}
