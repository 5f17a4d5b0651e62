/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank that has no memory for a task, which waits for a worker or is on its way to rank 0: the
 * submit says so, nothing of the task is left, and the pool does all others. This program's calloc,
 * which the library finds before the C library's, refuses one.
 *
 * run: ranks=1,2,3
 * start: own (what replaces calloc must be the program) */
#define _GNU_SOURCE
#include "expect_error.h"
#include "own_calloc.h"
#include "skip.h"

#include <caucus/caucus.h>

enum { BYTES = 100000 };

static bool refusing;
static int refused, done;

static bool refuses(size_t count, size_t size) {
    (void)size;
    refused += refusing && count >= BYTES;
    return refusing && count >= BYTES;
}

static int body(void *context, caucus_pool pool, caucus_group group, const void *task) {
    int rank;
    (void)context, (void)pool;
    CHECK_MPI(caucus_group_rank(group, &rank));
    CHECK(*(const int *)task == 7, "task %d, which was not accepted", *(const int *)task);
    done += rank == 0;
    return 0;
}

static void check_refusal(caucus_pool pool) {
    static int task[BYTES / sizeof(int)] = {6};
    refusing = true;
    refused = 0;
    int code = caucus_pool_submit(pool, 1, task);
    refusing = false;
    CHECK(refused == 1, "refused %d times", refused);
    expect(code, MPI_ERR_NO_MEM, "out of memory");
    task[0] = 7;
    CHECK_MPI(caucus_pool_submit(pool, 1, task));
    task[0] = 6;
}

int main(int argc, char **argv) {
    caucus_pool pool;
    caucus_pool_options options = {.body = body, .task_bytes = BYTES};
    int all;
    MPI_Init(&argc, &argv);
    if (!REPLACED) {
        MPI_Finalize();
        return skipped("calloc is not this program's");
    }
    return_errors(MPI_COMM_WORLD);
    CHECK_MPI(caucus_pool_open(MPI_COMM_WORLD, &options, &pool));
    for (int times = 1; times <= 2; times++) {
        check_refusal(pool);
        CHECK_MPI(caucus_pool_run(pool));
        MPI_Allreduce(&done, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        CHECK(all == times * world_size(), "%d tasks were done", all);
    }
    CHECK_MPI(caucus_pool_close(&pool));
    MPI_Finalize();
    return 0;
}
