/* SPDX-License-Identifier: BSD-3-Clause */
/* Letters of ranks that know only whom they write to: every rank gets all that were written to it;
 * and who waits for the others there does what those may be waiting for first. That is counted and
 * moved on by stages, up to the one that is asked for.
 *
 * run: ranks=1,2,3,5 */
#include "check.h"

#include "run/engine/engine.h"
#include "run/engine/sparse.h"
#include "run/progress/progress.h"
#include "run/progress/service.h"

enum { MOST = 16 };

static struct caucus_attachment *attachment;

/* Rank r writes i + 1 times its own rank to r + i, for some i. */
static void check_letters(int tag) {
    int rank = world_rank(), size = world_size(), sum = 0, expected = 0;
    int32_t to[MOST], *received;
    int64_t begin[MOST + 1] = {0}, count;
    int data[MOST * MOST], receivers = 0, units = 0;
    for (int i = rank % 2; i < size; i++) {
        to[receivers++] = (rank + i) % size;
        for (int k = 0; k <= i; k++)
            data[units++] = rank;
        begin[receivers] = units;
    }
    struct caucus_sparse_messages letters = {receivers, to, begin, data, sizeof *data};
    CHECK(!caucus_sparse_exchange(attachment, tag, &letters, (void **)&received, &count),
          "it failed");
    for (int64_t i = 0; i < count; i++)
        sum += 1 + received[i];
    for (int from = 0; from < size; from++) {
        int i = (rank - from + size) % size;
        if (i >= from % 2)
            expected += (i + 1) * (1 + from);
    }
    CHECK(sum == expected, "%d, not %d", sum, expected);
    free(received);
}

/* To rank 1, which comes only when it has both. */
static bool served, moved;

static void tell(bool *told, int tag) {
    if (!*told)
        MPI_Send(NULL, 0, MPI_INT, 1, tag, MPI_COMM_WORLD);
    *told = true;
}

static bool hold(void *context) {
    (void)context;
    return true;
}

static void serve(void *context) {
    (void)context;
    tell(&served, 0);
}

static void let_go(void *context) {
    (void)context;
}

static void move(void) {
    tell(&moved, 1);
}

static struct caucus_progress_work work = {.move = move};

static void await_both(void) {
    MPI_Request told[2];
    int here = 0;
    for (int tag = 0; tag < 2; tag++)
        MPI_Irecv(NULL, 0, MPI_INT, 0, tag, MPI_COMM_WORLD, &told[tag]);
    for (double begin = MPI_Wtime(); !here;) {
        MPI_Testall(2, told, &here, MPI_STATUSES_IGNORE);
        CHECK(here || MPI_Wtime() - begin < 10, "rank 0 does nothing but wait");
    }
}

static void check_waiting(int tag) {
    static struct caucus_service service = {hold, serve, let_go, NULL, NULL};
    const int64_t none = 0;
    const struct caucus_sparse_messages letters = {0, NULL, &none, NULL, 4};
    void *received;
    int64_t count;
    caucus_service_add(&service);
    caucus_service_owe(world_rank() == 0);
    caucus_progress_change(&work, world_rank() == 0);
    if (world_rank() == 1)
        await_both();
    CHECK(!caucus_sparse_exchange(attachment, tag, &letters, &received, &count), "it failed");
    CHECK(count == 0, "%lld", (long long)count);
    free(received);
    caucus_progress_change(&work, -(world_rank() == 0));
    caucus_service_owe(-(world_rank() == 0));
    caucus_service_remove(&service);
}

static int moves[CAUCUS_PROGRESS_STAGES];

static void move_calls(void) {
    moves[CAUCUS_PROGRESS_CALLS]++;
}

static void move_active(void) {
    moves[CAUCUS_PROGRESS_ACTIVE]++;
}

static void move_services(void) {
    moves[CAUCUS_PROGRESS_SERVICES]++;
}

static void check_stages(void) {
    static struct caucus_progress_work works[] = {
        {.stage = CAUCUS_PROGRESS_CALLS, .move = move_calls},
        {.stage = CAUCUS_PROGRESS_ACTIVE, .move = move_active},
        {.stage = CAUCUS_PROGRESS_SERVICES, .move = move_services}};
    for (int stage = 0, left = 0; stage < CAUCUS_PROGRESS_STAGES; stage++) {
        CHECK(caucus_progress_count(CAUCUS_PROGRESS_SERVICES) == left, "stage %d", stage);
        left += 1 << stage;
        caucus_progress_change(&works[stage], 1 << stage);
        CHECK(caucus_progress_count((enum caucus_progress_stage)stage) == left, "stage %d", stage);
    }
    CHECK(caucus_progress_count(CAUCUS_PROGRESS_CALLS) == 1, "later ones are counted");
    CHECK(caucus_progress_up_to(CAUCUS_PROGRESS_CALLS) == 1, "later ones are counted");
    CHECK(caucus_progress_up_to(CAUCUS_PROGRESS_ACTIVE) == 3, "not 3");
    CHECK(caucus_progress() == 7, "not 7");
    CHECK(moves[0] == 3 && moves[1] == 2 && moves[2] == 1, "moved %d, %d and %d times", moves[0],
          moves[1], moves[2]);
    for (int stage = 0; stage < CAUCUS_PROGRESS_STAGES; stage++)
        caucus_progress_change(&works[stage], -(1 << stage));
    CHECK(caucus_progress_count(CAUCUS_PROGRESS_SERVICES) == 0, "something is left");
}

int main(int argc, char **argv) {
    struct caucus_engine *engine;
    MPI_Init(&argc, &argv);
    CHECK(!caucus_attach(MPI_COMM_WORLD, &attachment), "attach");
    CHECK(!caucus_engine_get(attachment, NULL, &engine), "engine");
    int tag = (int)engine->tags - 1; /* of no arena here */
    check_stages();
    check_letters(tag);
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_size() > 1)
        check_waiting(tag);
    MPI_Finalize();
    return 0;
}
