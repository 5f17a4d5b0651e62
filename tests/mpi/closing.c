/* SPDX-License-Identifier: BSD-3-Clause */
/* Whoever waits for others on a pool, a balance or a channel moves its nonblocking calls on, also
 * those that have not begun: the others may wait for these before they come there.
 *
 * run: ranks=2,3 env=CAUCUS_TIMEOUT=3
 */
#include "check.h"

#include <caucus/caucus.h>

#include <stdbool.h>
#include <unistd.h>

struct barrier {
    MPI_Comm comm;
    caucus_request request;
};

/* On a communicator that is not attached: it begins when a duplicate of it is there, which takes
 * the others. Rank 0 comes first and waits for it last. */
static void begin(struct barrier *barrier) {
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &barrier->comm));
    if (world_rank() > 0)
        usleep(50000);
    CHECK_MPI(caucus_ibarrier(barrier->comm, &barrier->request));
    if (world_rank() > 0)
        CHECK_MPI(caucus_wait(&barrier->request, MPI_STATUS_IGNORE));
}

static void end(struct barrier *barrier) {
    if (world_rank() == 0)
        CHECK_MPI(caucus_wait(&barrier->request, MPI_STATUS_IGNORE));
    CHECK_MPI(MPI_Comm_free(&barrier->comm));
}

static int do_nothing(void *context, caucus_pool pool, caucus_group group, const void *task) {
    (void)context, (void)pool, (void)group, (void)task;
    return 0;
}

static void close_pool(void) {
    struct barrier barrier;
    caucus_pool pool;
    caucus_pool_options options = {.body = do_nothing};
    CHECK_MPI(caucus_pool_open(MPI_COMM_WORLD, &options, &pool));
    begin(&barrier);
    CHECK_MPI(caucus_pool_close(&pool));
    end(&barrier);
}

static void close_balance(void) {
    struct barrier barrier;
    caucus_balance balance;
    int news = CAUCUS_BALANCE_SAME;
    CHECK_MPI(caucus_balance_open(MPI_COMM_WORLD, 1, &balance));
    while (news != CAUCUS_BALANCE_OVER)
        CHECK_MPI(caucus_balance_poll(balance, 0, &news));
    begin(&barrier);
    CHECK_MPI(caucus_balance_close(&balance));
    end(&barrier);
}

static void use_channel(bool receives) {
    struct barrier barrier;
    caucus_channel channel;
    caucus_channel_options options = {.order = CAUCUS_ORDER_FIFO};
    caucus_delivery delivery;
    int last = world_size() - 1, word = 7;
    CHECK_MPI(caucus_channel_open(MPI_COMM_WORLD, &options, &channel));
    begin(&barrier);
    if (receives && world_rank() == last)
        CHECK_MPI(caucus_cast(channel, &word, sizeof word));
    else if (receives)
        CHECK_MPI(caucus_channel_recv(channel, &delivery));
    CHECK_MPI(caucus_channel_close(&channel));
    end(&barrier);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    CHECK_MPI(caucus_comm_attach(MPI_COMM_WORLD));
    close_pool();
    close_balance();
    use_channel(false);
    use_channel(true);
    MPI_Finalize();
    return 0;
}
