/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups of those who live, while processes die at every step of the agreement: in each attempt
 * random ranks make a group of a random list, and some of them end themselves at a random message.
 * Then all who had a group, those who died afterwards too, had the same one; who lives has a group
 * if any other has, and is in it; and on a group without a dead member every collective and
 * messages work.
 *
 * alive_kills [SEED [ATTEMPTS [TIMEOUT]]]
 *
 * run: ranks=6 args="1 10" deaths mpi=openmpi output="10 attempts are right"
 * run: ranks=6 args="2 5 0.4" deaths mpi=mpich output="5 attempts are right" */
#include "alive_kills.h"
#include "failure_classes.h"

#include <caucus/caucus.h>

#include <sched.h>
#include <string.h>

#define WORKS(call) CHECK((call) == MPI_SUCCESS, "%s", caucus_error_text())

enum { MOST_STEPS = 14, PATIENCE = 60 };

struct attempt {
    int number, size;
    int list[MOST_RANKS];
    int steps[MOST_RANKS]; /* by rank, NEVER_DIES */
    int late[MOST_RANKS];  /* calls made before, in which letters may come too early */
    bool called[MOST_RANKS];
};

static MPI_Comm comm;
static uint64_t state;
static double timeout = 20;

static int below(int limit) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)((state >> 33) % (uint64_t)limit);
}

static int count_living(void) {
    int living = 0;
    for (int i = 0; i < world_size(); i++)
        living += !board->line[i].dead;
    return living;
}

/* The same on all ranks: everybody has the same state, and knows who is dead. */
static void draw(struct attempt *attempt, int number) {
    int size = world_size(), order[MOST_RANKS];
    memset(attempt, 0, sizeof *attempt);
    attempt->number = number;
    for (int i = 0; i < size; i++) {
        int at = below(i + 1);
        order[i] = order[at];
        order[at] = i;
        attempt->steps[i] = NEVER_DIES;
    }
    for (int i = 0; i < size; i++)
        attempt->late[i] = below(3) == 0 ? below(200) : 0;
    int wanted = size - below(size / 3 + 1);
    int deaths = below(3), living = count_living();
    for (int i = 0; i < wanted; i++) {
        int rank = order[i];
        if (!detected && board->line[rank].dead)
            continue; /* it would never be more than a late one */
        attempt->list[attempt->size++] = rank;
        attempt->called[rank] = !board->line[rank].dead;
        if (attempt->called[rank] && deaths > 0 && living > 3) {
            attempt->steps[rank] = below(MOST_STEPS);
            deaths--;
            living--;
        }
    }
}

static uint64_t hash_of(const int *members, int size) {
    uint64_t hash = 14695981039346656037u;
    for (int i = 0; i < size; i++)
        hash = (hash ^ (uint64_t)members[i]) * 1099511628211u;
    return hash;
}

/* Calls that wait are what keeps Caucus going. */
static void poke(void) {
    caucus_group alone;
    int self = world_rank();
    WORKS(caucus_group_create_unchecked(comm, &self, 1, 0, &alone));
    WORKS(caucus_group_free(&alone));
    sched_yield();
}

static void rest(void) {
    usleep(1000);
}

/* Until all who live have come as far. */
static void reach(int stage, void (*meanwhile)(void)) {
    double begin = MPI_Wtime();
    board->line[world_rank()].stage = stage;
    for (int i = 0; i < world_size(); i++)
        while (!board->line[i].dead && board->line[i].stage < stage) {
            meanwhile();
            CHECK(MPI_Wtime() - begin < PATIENCE, "stage %d: rank %d does not come", stage, i);
        }
}

static void tell(int code, caucus_group group, double seconds) {
    struct line *line = &board->line[world_rank()];
    int members[MOST_RANKS], size = 0, class = code;
    if (code != MPI_SUCCESS)
        MPI_Error_class(code, &class);
    if (group != CAUCUS_GROUP_NULL) {
        WORKS(caucus_group_size(group, &size));
        WORKS(caucus_group_members(group, members));
    }
    line->told = size > 0 ? GROUP : class == MPI_ERR_PENDING ? IN_DOUBT : code ? NO_GROUP : NOTHING;
    line->size = size;
    line->list = hash_of(members, size);
    if (seconds * 1e6 > (double)line->microseconds)
        line->microseconds = (uint64_t)(seconds * 1e6);
}

/* Those who died may have told something before. */
static int check_agreement(const struct attempt *attempt) {
    const struct line *first = NULL;
    int groups = 0, errors = 0;
    for (int i = 0; i < world_size(); i++) {
        const struct line *line = &board->line[i];
        if (!attempt->called[i])
            continue;
        if (line->told == GROUP) {
            first = first ? first : line;
            CHECK(line->list == first->list && line->size == first->size,
                  "attempt %d: rank %d has another group", attempt->number, i);
            groups++;
        } else if (!line->dead) {
            CHECK(line->told == NO_GROUP || (!detected && line->told == IN_DOUBT),
                  "attempt %d: rank %d was told %d", attempt->number, i, line->told);
            errors += line->told == NO_GROUP;
        }
    }
    CHECK(groups == 0 || errors == 0, "attempt %d: %d have a group, %d that live an error",
          attempt->number, groups, errors);
    return groups;
}

/* Or somebody in doubt, who will never take part. */
static bool has_dead(caucus_group group) {
    int members[MOST_RANKS], size;
    WORKS(caucus_group_size(group, &size));
    WORKS(caucus_group_members(group, members));
    for (int i = 0; i < size; i++)
        if (board->line[members[i]].dead || board->line[members[i]].told == IN_DOUBT)
            return true;
    return false;
}

/* Everyone who lived through the attempt is in its group. */
static void check_members(const struct attempt *attempt, caucus_group group) {
    int members[MOST_RANKS], size, at = 0;
    WORKS(caucus_group_size(group, &size));
    WORKS(caucus_group_members(group, members));
    for (int i = 0; i < attempt->size; i++) {
        bool in = at < size && members[at] == attempt->list[i];
        CHECK(in || !attempt->called[attempt->list[i]] || board->line[attempt->list[i]].dead,
              "attempt %d: rank %d lives and is not in the group", attempt->number,
              attempt->list[i]);
        at += in;
    }
    CHECK(at == size, "attempt %d: not in the order of the list", attempt->number);
}

static void check_rooted(caucus_group group, int rank, int size) {
    int value = rank == size - 1 ? 77 : 0, sum = 0, own = rank + 1, all[MOST_RANKS], back = -1;
    WORKS(caucus_group_bcast(&value, 1, MPI_INT, size - 1, group));
    CHECK(value == 77, "bcast: %d", value);
    WORKS(caucus_group_reduce(&own, &sum, 1, MPI_INT, MPI_SUM, 0, group));
    CHECK(rank != 0 || sum == size * (size + 1) / 2, "reduce: %d", sum);
    WORKS(caucus_group_gather(&own, 1, MPI_INT, all, 1, MPI_INT, 0, group));
    for (int i = 0; i < size && rank == 0; i++)
        CHECK(all[i] == i + 1, "gather: %d", all[i]);
    WORKS(caucus_group_scatter(all, 1, MPI_INT, &back, 1, MPI_INT, 0, group));
    CHECK(back == own, "scatter: %d", back);
}

static void check_symmetric(caucus_group group, int rank, int size) {
    int own = rank + 1, sum = 0, all[MOST_RANKS], mine[MOST_RANKS], counts[MOST_RANKS];
    caucus_request request;
    WORKS(caucus_group_allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, group));
    CHECK(sum == size * (size + 1) / 2, "allreduce: %d", sum);
    WORKS(caucus_group_iallreduce(&own, &sum, 1, MPI_INT, MPI_MAX, group, &request));
    WORKS(caucus_wait(&request, MPI_STATUS_IGNORE));
    CHECK(sum == size, "iallreduce: %d", sum);
    WORKS(caucus_group_scan(&own, &sum, 1, MPI_INT, MPI_SUM, group));
    CHECK(sum == own * (own + 1) / 2, "scan: %d", sum);
    WORKS(caucus_group_exscan(&own, &sum, 1, MPI_INT, MPI_SUM, group));
    CHECK(rank == 0 || sum == own * (own - 1) / 2, "exscan: %d", sum);
    WORKS(caucus_group_allgather(&own, 1, MPI_INT, all, 1, MPI_INT, group));
    for (int i = 0; i < size; i++) {
        CHECK(all[i] == i + 1, "allgather: %d", all[i]);
        mine[i] = 100 * rank + i;
        counts[i] = 1;
    }
    WORKS(caucus_group_alltoall(mine, 1, MPI_INT, all, 1, MPI_INT, group));
    for (int i = 0; i < size; i++)
        CHECK(all[i] == 100 * i + rank, "alltoall: %d", all[i]);
    WORKS(caucus_group_reduce_scatter(mine, &sum, counts, MPI_INT, MPI_SUM, group));
    CHECK(sum == 50 * size * (size - 1) + size * rank, "reduce_scatter: %d", sum);
    WORKS(caucus_group_barrier(group));
}

static void check_messages(caucus_group group, int rank, int size) {
    int got = -1, next = (rank + 1) % size, from = (rank + size - 1) % size;
    MPI_Request request;
    MPI_Status status;
    WORKS(caucus_group_isend(&rank, 1, MPI_INT, next, 3, group, &request));
    WORKS(caucus_group_recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 3, group, &status));
    CHECK(got == from && status.MPI_SOURCE == from, "from %d: %d", status.MPI_SOURCE, got);
    WORKS(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

static void check_group(caucus_group group) {
    int rank, size;
    caucus_request persistent;
    WORKS(caucus_group_rank(group, &rank));
    WORKS(caucus_group_size(group, &size));
    check_rooted(group, rank, size);
    check_symmetric(group, rank, size);
    check_messages(group, rank, size);
    WORKS(caucus_group_barrier_init(group, MPI_INFO_NULL, &persistent));
    for (int i = 0; i < 2; i++) {
        WORKS(caucus_start(&persistent));
        WORKS(caucus_wait(&persistent, MPI_STATUS_IGNORE));
    }
    WORKS(caucus_request_free(&persistent));
}

/* Whoever is to die and has not by then does so. */
static caucus_group take_part(const struct attempt *attempt) {
    caucus_group group = CAUCUS_GROUP_NULL;
    int self = world_rank();
    for (int i = 0; i < attempt->late[self]; i++)
        poke();
    double begin = MPI_Wtime();
    steps_left = attempt->steps[self];
    int code = caucus_group_create_alive(comm, attempt->list, attempt->size, timeout, &group);
    tell(code, group, MPI_Wtime() - begin);
    for (int i = 0; i < 20 && steps_left != NEVER_DIES; i++)
        poke(); /* helps the others, and may die of it */
    if (attempt->steps[self] != NEVER_DIES)
        die();
    return group;
}

/* A group that has lost members since gives one that has not. */
static bool use(const struct attempt *attempt, caucus_group group) {
    bool shrinks = has_dead(group) && detected;
    check_members(attempt, group);
    if (shrinks) {
        caucus_group old = group;
        WORKS(caucus_group_shrink_alive(old, timeout, &group));
        WORKS(caucus_group_free(&old));
        CHECK(!has_dead(group), "attempt %d: a shrunk group has a dead member", attempt->number);
    }
    if (!has_dead(group))
        check_group(group);
    WORKS(caucus_group_free(&group));
    return shrinks;
}

/* Of two groups with the same members, messages don't meet. */
static void check_twins(caucus_group group, caucus_group twin) {
    int rank, one = 1, two = 2, got[2] = {0, 0};
    MPI_Request request[2];
    WORKS(caucus_group_rank(group, &rank));
    if (rank == 0) {
        WORKS(caucus_group_isend(&one, 1, MPI_INT, 1, 3, group, &request[0]));
        WORKS(caucus_group_isend(&two, 1, MPI_INT, 1, 3, twin, &request[1]));
        CHECK_MPI(MPI_Waitall(2, request, MPI_STATUSES_IGNORE));
    } else if (rank == 1) {
        WORKS(caucus_group_recv(&got[1], 1, MPI_INT, 0, 3, twin, MPI_STATUS_IGNORE));
        WORKS(caucus_group_recv(&got[0], 1, MPI_INT, 0, 3, group, MPI_STATUS_IGNORE));
        CHECK(got[0] == 1 && got[1] == 2, "%d and %d", got[0], got[1]);
    }
}

/* A group loses a member before its first use or in it: nobody waits for ever, and those left have
 * a new one. */
static void lose_a_member(int stage, bool in_use) {
    int members[MOST_RANKS], size = 0, one = 1, sum = 0;
    caucus_group group, twin, smaller;
    for (int i = 0; i < world_size(); i++)
        if (!board->line[i].dead)
            members[size++] = i;
    WORKS(caucus_group_create_alive(comm, members, size, timeout, &group));
    WORKS(caucus_group_create_alive(comm, members, size, timeout, &twin));
    check_twins(group, twin);
    WORKS(caucus_group_free(&twin));
    if (in_use)
        check_group(group);
    reach(stage, poke);
    if (world_rank() == members[size - 1])
        die();
    int code = caucus_group_allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, group), class = code;
    CHECK(code != MPI_SUCCESS, "a sum of %d without a rank of it", sum);
    MPI_Error_class(code, &class);
    CHECK(class == MPIX_ERR_PROC_FAILED, "%s", caucus_error_text());
    WORKS(caucus_group_shrink_alive(group, timeout, &smaller));
    WORKS(caucus_group_free(&group));
    check_group(smaller);
    WORKS(caucus_group_free(&smaller));
}

static void summarise(int attempts, int groups, int shrunk) {
    uint64_t longest = 0;
    int first = 0;
    while (board->line[first].dead)
        first++;
    for (int i = 0; i < world_size(); i++)
        if (board->line[i].microseconds > longest)
            longest = board->line[i].microseconds;
    if (world_rank() != first)
        return;
    printf("%d attempts are right: %d groups, %d shrunk, %d deaths, longest %.1f ms\n", attempts,
           groups, shrunk, world_size() - count_living(), (double)longest * 1e-3);
    fflush(stdout);
    board->over = 1;
}

int main(int argc, char **argv) {
    int attempts = argc > 2 ? atoi(argv[2]) : 20, groups = 0, shrunk = 0;
    MPI_Init(&argc, &argv);
    state = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    timeout = argc > 3 ? atof(argv[3]) : timeout;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    return_errors(comm);
    WORKS(caucus_comm_attach(comm));
    WORKS(caucus_failures_detected(&detected));
    make_board();
    for (int number = 1; number <= attempts; number++) {
        struct attempt attempt;
        draw(&attempt, number);
        reach(2 * number, poke);
        board->line[world_rank()].told = NOTHING;
        caucus_group group = take_part(&attempt);
        reach(2 * number + 1, poke);
        groups += check_agreement(&attempt) > 0;
        if (group != CAUCUS_GROUP_NULL)
            shrunk += use(&attempt, group);
    }
    reach(2 * attempts + 2, poke);
    if (detected)
        for (int in_use = 0; in_use < 2; in_use++)
            lose_a_member(2 * attempts + 3 + in_use, in_use);
    CHECK_MPI(MPI_Comm_free(&comm));
    reach(2 * attempts + 5, rest);
    summarise(attempts, groups, shrunk);
    while (!board->over)
        usleep(1000);
    _exit(0); /* Open MPI 5.0.11's MPI_Finalize may wait for ever after a death */
}
