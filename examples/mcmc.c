/* SPDX-License-Identifier: BSD-3-Clause */
/* Walkers of a Markov chain Monte Carlo run, each on a group of processes, with chains of very
 * different length; and what can be done about it: nothing, regrouping by all processes every so
 * many steps (MPI_Comm_split), or groups that help each other when they are done
 * (caucus/balance.h). The experiment of J. Dinan et al., Noncollective communicator creation in
 * MPI, EuroMPI 2011, section 4.2.
 *
 *   mpiexec -n 32 mcmc [none | collective | async] [group size] [T in ms] [interval] [noise] [json]
 *
 * A step takes T / (size of the group), and is a sleep, so that more processes than cores do no
 * harm; the chain of the group that begins with rank R has 10 (R mod 32) steps. noise: of each
 * step of each process, so many percent more or less, at random. */
#include <caucus/caucus.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct run {
    const char *mode;
    int group_size, interval;
    double item; /* seconds of one process that a step takes */
    double noise;
    unsigned random;
    int rank, ranks;
    long steps;       /* of this rank, counted by the first of each group */
    long regroupings; /* the first group counts, as in the paper */
};

static int chain(const struct run *run, int walker) {
    return 10 * (walker * run->group_size % 32);
}

static void step(struct run *run, int size, int rank) {
    run->random = run->random * 1664525u + 1013904223u;
    double share = 1 + run->noise * ((run->random >> 8) / (double)(1 << 23) - 1);
    usleep((useconds_t)(1e6 * run->item * share / size));
    run->steps += rank == 0;
}

static int size_of(const struct run *run, int walker) {
    int left = run->ranks - walker * run->group_size;
    return left < run->group_size ? left : run->group_size;
}

static void run_alone(struct run *run) {
    int walker = run->rank / run->group_size;
    for (int left = chain(run, walker); left > 0; left--)
        step(run, size_of(run, walker), run->rank % run->group_size);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void run_asynchronously(struct run *run) {
    caucus_balance balance;
    caucus_group group = CAUCUS_GROUP_NULL;
    int source, walker, left = 0, size = 0, rank = 0;
    caucus_balance_open(MPI_COMM_WORLD, run->group_size, &balance);
    for (int news = CAUCUS_BALANCE_GROWN, first = 1; news != CAUCUS_BALANCE_OVER; first = 0) {
        if (news == CAUCUS_BALANCE_GROWN) {
            caucus_balance_group(balance, &group, &source, &walker);
            caucus_group_size(group, &size);
            caucus_group_rank(group, &rank);
            if (first)
                left = chain(run, walker);
            else if (rank == source) /* who comes is told how much is left */
                for (int other = 0; other < source; other++)
                    caucus_group_send(&left, 1, MPI_INT, other, 0, group);
            else if (rank < source)
                caucus_group_recv(&left, 1, MPI_INT, source, 0, group, MPI_STATUS_IGNORE);
            run->regroupings++;
        }
        if (left > 0) {
            step(run, size, rank);
            left--;
        }
        caucus_balance_poll(balance, left > 0, &news);
    }
    caucus_balance_close(&balance);
}

/* Which walker each of them works on from now on: its own, or that of the next busy one to the
 * right; none if all are done. */
static int choose(const int *left, int walkers, int works_on) {
    for (int i = 0; i < walkers; i++) {
        int other = (works_on + i) % walkers;
        if (left[other] > 0)
            return other;
    }
    return -1;
}

/* What is left of each chain: those who lead a group know of theirs, all others of nothing. */
static void exchange(const struct run *run, int walker, int rank, int own_left, int *left,
                     int *told) {
    int walkers = (run->ranks - 1) / run->group_size + 1;
    memset(told, 0, (size_t)walkers * sizeof *told);
    if (rank == 0)
        told[walker] = own_left;
    MPI_Allreduce(told, left, walkers, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
}

static void run_collectively(struct run *run) {
    int walkers = (run->ranks - 1) / run->group_size + 1;
    int *left = calloc((size_t)walkers, sizeof *left),
        *told = calloc((size_t)walkers, sizeof *told);
    int walker = run->rank / run->group_size, size = 0, rank = 0;
    int own_left = chain(run, walker);
    MPI_Comm comm;
    MPI_Comm_split(MPI_COMM_WORLD, walker, run->rank, &comm);
    run->regroupings++;
    if (!left || !told)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (;;) {
        MPI_Comm_size(comm, &size);
        MPI_Comm_rank(comm, &rank);
        for (int i = 0; i < run->interval && own_left > 0; i++, own_left--)
            step(run, size, rank);
        exchange(run, walker, rank, own_left, left, told);
        int next = choose(left, walkers, walker), mine = next != walker, any;
        if (next < 0)
            break;
        MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        if (!any)
            continue;
        int before = size;
        walker = next;
        own_left = left[next];
        MPI_Comm_free(&comm);
        MPI_Comm_split(MPI_COMM_WORLD, walker, run->rank, &comm);
        MPI_Comm_size(comm, &size);
        run->regroupings += size != before;
    }
    MPI_Comm_free(&comm);
    free(left);
    free(told);
}

static void measure(struct run *run, int json) {
    MPI_Barrier(MPI_COMM_WORLD);
    double begun = MPI_Wtime();
    if (!strcmp(run->mode, "async"))
        run_asynchronously(run);
    else if (!strcmp(run->mode, "collective"))
        run_collectively(run);
    else
        run_alone(run);
    double seconds = MPI_Wtime() - begun, longest;
    long all = 0, sums[2], own[2] = {run->regroupings, run->regroupings * run->regroupings};
    long most, least, done;
    MPI_Reduce(&seconds, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Reduce(own, sums, 2, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(own, &most, 1, MPI_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Reduce(own, &least, 1, MPI_LONG, MPI_MIN, 0, MPI_COMM_WORLD);
    MPI_Reduce(&run->steps, &done, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (run->rank != 0)
        return;
    double baseline = 0, mean = (double)sums[0] / run->ranks;
    double deviation = sqrt((double)sums[1] / run->ranks - mean * mean);
    for (int walker = 0; walker * run->group_size < run->ranks; walker++) {
        double alone = chain(run, walker) * run->item / size_of(run, walker);
        baseline = alone > baseline ? alone : baseline;
        all += chain(run, walker);
    }
    printf(json ? "{\"mode\": \"%s\", \"interval\": %d, \"ranks\": %d, \"seconds\": %.6f, "
                  "\"ideal\": %.6f, \"baseline\": %.6f, \"regroupings\": {\"mean\": %.4f, "
                  "\"deviation\": %.4f, \"least\": %ld, \"most\": %ld}, \"steps\": %ld}\n"
                : "%s (interval %d), %d processes: %.3f s; ideal %.3f, without balancing %.3f; "
                  "groups a process was in: %.2f (st. dev. %.2f, %ld to %ld); steps: %ld\n",
           run->mode, run->interval, run->ranks, longest, run->item * (double)all / run->ranks,
           baseline, mean, deviation, least, most, done);
    if (done != all) {
        fprintf(stderr, "%ld steps were done, not %ld\n", done, all);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

int main(int argc, char **argv) {
    struct run run = {.mode = argc > 1 ? argv[1] : "async",
                      .group_size = argc > 2 ? atoi(argv[2]) : 4,
                      .item = 1e-3 * (argc > 3 ? atof(argv[3]) : 100),
                      .interval = argc > 4 ? atoi(argv[4]) : 1,
                      .noise = argc > 5 ? atof(argv[5]) / 100 : 0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &run.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &run.ranks);
    run.random = (unsigned)run.rank * 2654435761u + 1;
    if (run.group_size < 1 || run.interval < 1 || run.noise < 0 || run.noise > 1) {
        if (run.rank == 0)
            fprintf(stderr, "group size and interval must be at least 1, noise from 0 to 100\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    if (!strcmp(run.mode, "async"))
        caucus_comm_attach(MPI_COMM_WORLD);
    measure(&run, argc > 6 && !strcmp(argv[6], "json"));
    MPI_Finalize();
    return 0;
}
