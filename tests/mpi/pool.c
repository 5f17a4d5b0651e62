/* SPDX-License-Identifier: BSD-3-Clause */
/* Pools: tasks for random numbers of ranks, some submitted by other tasks, each done exactly once
 * by a group of that many; order; bodies that fail; bad arguments.
 *
 * run: ranks=1,2,3
 * run: ranks=5,6 env=MPIR_CVAR_NUM_CLIQUES=3 */
#include "expect_error.h"

#include <caucus/caucus.h>

#include <string.h>
#include <unistd.h>

enum { MOST_TASKS = 400 };

struct task {
    int id, ranks, children, fails;
};

static int done[MOST_TASKS], all[MOST_TASKS], workers, last_id, runs;

static int body(void *context, caucus_pool pool, caucus_group group, const void *given) {
    struct task task, child;
    int size, rank, sum = 0, id;
    memcpy(&task, given, sizeof task);
    CHECK(context == &done, "another context");
    CHECK_MPI(caucus_group_size(group, &size));
    CHECK_MPI(caucus_group_rank(group, &rank));
    CHECK(size == task.ranks, "%d ranks, not %d", size, task.ranks);
    id = task.id;
    CHECK_MPI(caucus_group_allreduce(&id, &sum, 1, MPI_INT, MPI_SUM, group));
    CHECK(sum == id * size, "ranks of other tasks are here");
    expect(caucus_pool_run(pool), MPI_ERR_ARG, "body of a task");
    expect(caucus_pool_close(&pool), MPI_ERR_ARG, "body of a task");
    done[id] += rank == 0;
    last_id = id;
    runs++;
    usleep((useconds_t)(id % 5) * 100);
    for (int i = 0; i < task.children; i++)
        if (i % size == rank) {
            child = (struct task){2 * id + 1 + i, 1 + (id + i) % workers, 0, 0};
            CHECK_MPI(caucus_pool_submit(pool, child.ranks, &child));
        }
    return task.fails && rank == size - 1 ? 7 : 0;
}

static caucus_pool open(int passes) {
    caucus_pool pool;
    caucus_pool_options options = {
        .body = body, .context = &done, .task_bytes = sizeof(struct task), .passes = passes};
    CHECK_MPI(caucus_pool_open(MPI_COMM_WORLD, &options, &pool));
    return pool;
}

static void check_all(int begin, int end, int times) {
    MPI_Allreduce(done, all, MOST_TASKS, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int id = 0; id < MOST_TASKS; id++)
        CHECK(all[id] == (id >= begin && id < end ? times : 0), "task %d was done %d times", id,
              all[id]);
}

/* Every rank submits some; each of these submits two more. */
static void run_many(int passes) {
    caucus_pool pool = open(passes);
    caucus_pool_counters counters;
    memset(done, 0, sizeof done);
    for (int times = 1; times <= 2; times++) {
        for (int id = 100 + world_rank(); id < 199; id += world_size()) {
            struct task task = {id, 1 + id * 7 % workers, 2, 0};
            CHECK_MPI(caucus_pool_submit(pool, task.ranks, &task));
        }
        CHECK_MPI(caucus_pool_run(pool));
        MPI_Allreduce(done, all, MOST_TASKS, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        for (int id = 0; id < MOST_TASKS; id++) {
            int wanted = id >= 100 && id < 199 ? times : 0;
            if (id >= 201 && id < 399) /* 2 id + 1 and + 2 */
                wanted = times;
            CHECK(all[id] == wanted, "task %d was done %d times, not %d", id, all[id], wanted);
        }
    }
    CHECK_MPI(caucus_pool_statistics(pool, &counters));
    CHECK(counters.tasks == runs || passes > 0, "%d tasks, not %d", (int)counters.tasks, runs);
    CHECK(world_rank() > 0 || world_size() == 1 || counters.tasks == 0, "rank 0 works");
    CHECK_MPI(caucus_pool_close(&pool));
    CHECK(pool == CAUCUS_POOL_NULL, "not null");
}

/* For all workers one after the other: in the order in which rank 0 has submitted them. What is
 * left of them in a failed run is dropped, and the pool is good for another. */
static void check_order_and_failure(void) {
    caucus_pool pool = open(0);
    memset(done, 0, sizeof done);
    for (int id = 0; id < 30 && world_rank() == 0; id++) {
        struct task task = {id, workers, 0, id == 20};
        CHECK_MPI(caucus_pool_submit(pool, task.ranks, &task));
    }
    int code = caucus_pool_run(pool);
    expect(code, MPI_ERR_OTHER, "the body of task 20 returned 7 on rank");
    check_all(0, 21, 1);
    CHECK(last_id == 20 || (world_size() > 1 && world_rank() == 0), "%d came last", last_id);
    struct task again = {25, workers, 0, 0};
    if (world_rank() == world_size() - 1)
        CHECK_MPI(caucus_pool_submit(pool, again.ranks, &again));
    memset(done, 0, sizeof done);
    CHECK_MPI(caucus_pool_run(pool));
    check_all(25, 26, 1);
    CHECK_MPI(caucus_pool_run(pool)); /* nothing to do */
    if (world_rank() == 0)
        CHECK_MPI(caucus_pool_submit(pool, again.ranks, &again)); /* never done */
    CHECK_MPI(caucus_pool_close(&pool));
}

static void check_arguments(void) {
    caucus_pool pool = CAUCUS_POOL_NULL;
    caucus_pool_options options = {.body = NULL};
    struct task task = {0};
    expect(caucus_pool_open(MPI_COMM_NULL, &options, &pool), MPI_ERR_COMM, "MPI_COMM_NULL");
    expect(caucus_pool_open(MPI_COMM_WORLD, NULL, &pool), MPI_ERR_ARG, "options is a null pointer");
    expect(caucus_pool_open(MPI_COMM_WORLD, &options, &pool), MPI_ERR_ARG, "options.body");
    options.body = body;
    options.task_bytes = -1;
    expect(caucus_pool_open(MPI_COMM_WORLD, &options, &pool), MPI_ERR_ARG, "task_bytes");
    options.task_bytes = (1 << 20) + 1;
    expect(caucus_pool_open(MPI_COMM_WORLD, &options, &pool), MPI_ERR_ARG, "task_bytes");
    options.task_bytes = 0;
    options.passes = -1;
    expect(caucus_pool_open(MPI_COMM_WORLD, &options, &pool), MPI_ERR_ARG, "0 and -1");
    options.passes = 0;
    options.task_bytes = world_rank();
    if (world_size() > 1)
        expect(caucus_pool_open(MPI_COMM_WORLD, &options, &pool), MPI_ERR_ARG, "task_bytes");
    expect(caucus_pool_submit(pool, 1, &task), MPI_ERR_ARG, "CAUCUS_POOL_NULL");
    expect(caucus_pool_run(pool), MPI_ERR_ARG, "CAUCUS_POOL_NULL");
    expect(caucus_pool_close(&pool), MPI_ERR_ARG, "CAUCUS_POOL_NULL");
    pool = open(0);
    expect(caucus_pool_submit(pool, 0, &task), MPI_ERR_ARG, "ranks is 0");
    expect(caucus_pool_submit(pool, workers + 1, &task), MPI_ERR_ARG, "it must be from 1 to");
    expect(caucus_pool_submit(pool, 1, NULL), MPI_ERR_ARG, "task is a null pointer");
    expect(caucus_pool_statistics(pool, NULL), MPI_ERR_ARG, "counters is a null pointer");
    CHECK_MPI(caucus_pool_close(&pool));
}

/* Once its communicator is freed, errors go to the handler of MPI_COMM_SELF. */
static void check_freed_communicator(void) {
    caucus_pool pool;
    caucus_pool_options options = {.body = body, .task_bytes = sizeof(struct task)};
    MPI_Comm comm;
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    CHECK_MPI(caucus_pool_open(comm, &options, &pool));
    CHECK_MPI(MPI_Comm_free(&comm));
    expect(caucus_pool_submit(pool, 1, NULL), MPI_ERR_ARG, "task is a null pointer");
    CHECK_MPI(caucus_pool_run(pool));
    CHECK_MPI(caucus_pool_close(&pool));
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    return_errors(MPI_COMM_WORLD);
    return_errors(MPI_COMM_SELF);
    workers = world_size() > 1 ? world_size() - 1 : 1;
    check_arguments();
    run_many(0);
    run_many(3);
    check_order_and_failure();
    check_freed_communicator();
    MPI_Finalize();
    return 0;
}
