/* SPDX-License-Identifier: BSD-3-Clause */
/* Branch and bound with an incumbent that all processes share: whoever finds a better solution
 * casts it, without having to be the root of anything, and the others cut off what cannot beat it.
 * The search is over when all is quiet. The problem: items of the greatest value that go into a
 * bag.
 *
 *   mpiexec -n 4 shared_incumbent [items] [seed] [alone]
 *
 * alone: nothing is cast before the end, for comparison. The optimum is checked by dynamic
 * programming. */
#include <caucus/caucus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ITEMS = 60, DEPTH = 9, NODES_PER_POLL = 512 };

struct solution {
    long long value;
    unsigned long long chosen; /* item i: bit i */
};

struct problem {
    int items, weight[MOST_ITEMS], value[MOST_ITEMS]; /* the best value for a weight first */
    int capacity;
};

static struct problem problem;
static struct solution best;
static caucus_channel channel;
static long long nodes, shares;
static int alone;

static int by_density(const void *a, const void *b) {
    const int *x = a, *y = b; /* value / weight, falling */
    long long left = (long long)x[1] * y[0], right = (long long)y[1] * x[0];
    return (left < right) - (left > right);
}

static void make_problem(int items, unsigned seed) {
    int item[MOST_ITEMS][2], sum = 0;
    srand(seed);
    for (int i = 0; i < items; i++) {
        item[i][0] = 100 + rand() % 900;
        item[i][1] = item[i][0] + 100; /* the bound tells little: a hard one */
        sum += item[i][0];
    }
    qsort(item, (size_t)items, sizeof *item, by_density);
    for (int i = 0; i < items; i++) {
        problem.weight[i] = item[i][0];
        problem.value[i] = item[i][1];
    }
    problem.items = items;
    problem.capacity = sum / 2;
}

/* The callback: another process has found this. */
static void hear(void *context, const caucus_delivery *delivery) {
    struct solution other;
    (void)context;
    memcpy(&other, delivery->bytes, sizeof other);
    if (other.value > best.value)
        best = other;
}

static void found(long long value, unsigned long long chosen) {
    best.value = value;
    best.chosen = chosen;
    if (alone)
        return;
    struct solution own = best; /* best may change while this is cast */
    caucus_cast(channel, &own, sizeof own);
    shares++;
}

/* What the rest could bring if items could be cut. */
static long long bound(int from, int room) {
    long long value = 0;
    for (int i = from; i < problem.items; i++) {
        if (problem.weight[i] > room)
            return value + (long long)problem.value[i] * room / problem.weight[i];
        room -= problem.weight[i];
        value += problem.value[i];
    }
    return value;
}

static void search(int item, int room, long long value, unsigned long long chosen) {
    if (++nodes % NODES_PER_POLL == 0 && !alone)
        caucus_channel_poll(channel);
    if (value > best.value)
        found(value, chosen);
    if (item == problem.items || value + bound(item, room) <= best.value)
        return;
    if (problem.weight[item] <= room)
        search(item + 1, room - problem.weight[item], value + problem.value[item],
               chosen | 1ULL << item);
    search(item + 1, room, value, chosen);
}

/* One way to choose among the first items; what does not fit is nobody's. */
static void search_part(int part) {
    int room = problem.capacity;
    long long value = 0;
    for (int i = 0; i < DEPTH; i++)
        if (part >> i & 1) {
            room -= problem.weight[i];
            value += problem.value[i];
        }
    if (room >= 0)
        search(DEPTH, room, value, (unsigned long long)part);
}

static long long optimum(void) {
    long long *most = calloc((size_t)problem.capacity + 1, sizeof *most);
    if (!most)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < problem.items; i++)
        for (int room = problem.capacity; room >= problem.weight[i]; room--) {
            long long with = most[room - problem.weight[i]] + problem.value[i];
            most[room] = with > most[room] ? with : most[room];
        }
    long long value = most[problem.capacity];
    free(most);
    return value;
}

static long long sum(long long own) {
    long long all;
    MPI_Allreduce(&own, &all, 1, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

int main(int argc, char **argv) {
    int rank, ranks, items = argc > 1 ? atoi(argv[1]) : 36;
    caucus_channel_options options = {.deliver = hear};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (items <= DEPTH || items > MOST_ITEMS) {
        if (rank == 0)
            fprintf(stderr, "items must be from %d to %d\n", DEPTH + 1, MOST_ITEMS);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    make_problem(items, argc > 2 ? (unsigned)atoi(argv[2]) : 1);
    alone = argc > 3 && !strcmp(argv[3], "alone");
    caucus_channel_open(MPI_COMM_WORLD, &options, &channel);
    for (int part = rank; part < 1 << DEPTH; part += ranks)
        search_part((1 << DEPTH) - 1 - part);
    if (alone)
        caucus_cast(channel, &best, sizeof best);
    caucus_channel_quiesce(channel); /* everybody has searched all, and heard all */
    long long highest, lowest;
    MPI_Allreduce(&best.value, &highest, 1, MPI_LONG_LONG, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(&best.value, &lowest, 1, MPI_LONG_LONG, MPI_MIN, MPI_COMM_WORLD);
    long long all_nodes = sum(nodes), all_shares = sum(shares), right = optimum();
    caucus_channel_close(&channel);
    if (rank == 0)
        printf("%d items, %d processes: best value %lld, %s on all, %s; %lld nodes, %lld casts\n",
               items, ranks, best.value, highest == lowest ? "the same" : "NOT THE SAME",
               best.value == right ? "optimal" : "NOT OPTIMAL", all_nodes, all_shares);
    MPI_Finalize();
    return best.value == right && highest == lowest ? 0 : 1;
}
