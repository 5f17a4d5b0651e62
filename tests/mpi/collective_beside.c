/* SPDX-License-Identifier: BSD-3-Clause */
/* Nonblocking collectives of Caucus on a communicator that is not attached, with one group or two,
 * beside MPI's own collectives there: a barrier, a reduction, a duplicate, and the communicator is
 * freed before they complete, which some ranks wait for early and others late; then the same while
 * it is attached in their midst.
 * run: ranks=2,3,4,5
 * run: ranks=4 env=CAUCUS_SHARED_MEMORY=0
 * run: ranks=3 env=CAUCUS_CHECK=1 */
#include "check.h"
#include "join_groups.h"

#include <caucus/caucus.h>

#include <stdbool.h>
#include <string.h>

enum { TURNS = 6, COUNT = 700, MOST = 8, SUMS = 3 };

/* Whose data this rank gets: ranks of the world. */
struct sources {
    int first, count;
};

struct calls {
    int own[COUNT], sum[SUMS][COUNT], all[MOST * COUNT];
    caucus_request request[SUMS + 1];
};

/* Everybody has as many more as his place among the sources. */
static int length(int place) {
    return COUNT - 50 * place;
}

/* What MPI says of the arrays is no longer needed when the call returns. */
static void begin(struct calls *calls, MPI_Comm comm, struct sources from) {
    int counts[MOST], places[MOST], rank;
    MPI_Comm_rank(comm, &rank);
    for (int i = 0; i < COUNT; i++)
        calls->own[i] = i + world_rank();
    for (int i = 0; i < from.count; i++) {
        counts[i] = length(i);
        places[i] = i * COUNT;
    }
    for (int i = 0; i < SUMS; i++)
        CHECK_MPI(caucus_iallreduce(calls->own, calls->sum[i], COUNT, MPI_INT, MPI_SUM, comm,
                                    &calls->request[i]));
    CHECK_MPI(caucus_iallgatherv(calls->own, length(rank), MPI_INT, calls->all, counts, places,
                                 MPI_INT, comm, &calls->request[SUMS]));
    memset(counts, -1, sizeof counts);
    memset(places, -1, sizeof places);
}

static void check(struct calls *calls, struct sources from) {
    int ranks = from.count * (2 * from.first + from.count - 1) / 2;
    CHECK_MPI(caucus_waitall(SUMS + 1, calls->request, MPI_STATUSES_IGNORE));
    for (int i = 0; i < COUNT; i++)
        for (int sum = 0; sum < SUMS; sum++)
            CHECK(calls->sum[sum][i] == i * from.count + ranks, "sum %d: %d is %d", sum, i,
                  calls->sum[sum][i]);
    for (int place = 0; place < from.count; place++)
        for (int i = 0; i < length(place); i++)
            CHECK(calls->all[place * COUNT + i] == i + from.first + place, "%d of %d is %d", i,
                  place, calls->all[place * COUNT + i]);
}

static void mix_with_native(MPI_Comm comm, int turn, bool attaches) {
    int one = 1, sum = 0;
    MPI_Request request;
    if (turn % 3 == 0)
        MPI_Barrier(comm);
    if (attaches)
        CHECK_MPI(caucus_barrier(comm));
    MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm, &request);
    if (turn % 3 == 1)
        MPI_Barrier(comm);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(sum > 0, "%d", sum);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
}

static void run(MPI_Comm parent, struct sources from, int turn, bool attaches) {
    static struct calls first, second;
    MPI_Comm comm, copy;
    MPI_Comm_dup(parent, &comm);
    begin(&first, comm, from);
    if (world_rank() % 2)
        CHECK_MPI(caucus_wait(&first.request[turn % SUMS], MPI_STATUS_IGNORE));
    mix_with_native(comm, turn, attaches);
    MPI_Comm_dup(comm, &copy);
    begin(&second, copy, from);
    MPI_Comm_free(&comm);
    if (turn % 2)
        MPI_Comm_free(&copy);
    check(&second, from);
    check(&first, from);
    if (turn % 2 == 0)
        MPI_Comm_free(&copy);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int size = world_size(), half = size / 2;
    bool second = world_rank() >= half;
    MPI_Comm between = join_groups(MPI_COMM_WORLD, half, size - half);
    struct sources others =
        second ? (struct sources){0, half} : (struct sources){half, size - half};
    for (int turn = 0; turn < TURNS; turn++)
        for (int attaches = 0; attaches < 2; attaches++) {
            run(MPI_COMM_WORLD, (struct sources){0, size}, turn, attaches);
            run(between, others, turn, attaches);
        }
    MPI_Comm_free(&between);
    MPI_Finalize();
    return 0;
}
