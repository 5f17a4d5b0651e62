/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks meet before every sample, outside of its time, so that what one racer leaves unfinished is
 * not counted as the next one's. */
#include "api/collective/race.h"

#include "api/collective/native.h"
#include "base/status.h"
#include "run/measure/median.h"
#include "run/support/mpi_status.h"

enum { FIRST_ROUNDS = 2, LEAST_SAMPLES = 5, MOST_SAMPLES = 15, MOST_RUNS = 64 };
static const double LEAST_GAIN = 0.05;

struct plan {
    int samples, runs; /* of each racer, and of each sample */
};

static int run_native(const struct caucus_collective_call *call) {
    const struct caucus_native *native = &caucus_natives[call->collective];
    return caucus_mpi_status(native->run(call), native->name);
}

static int run_once(const struct caucus_racer *racer) {
    if (!racer->execution)
        return run_native(racer->native);
    int status = caucus_execution_start(racer->execution);
    return status ? status : caucus_execution_wait(racer->execution);
}

/* One that has failed is not waited for again: it cannot start. */
static int sample(const struct caucus_peers *peers, const struct caucus_racer *racer, int runs,
                  double *seconds) {
    int status = caucus_peers_meet(peers);
    double begin = PMPI_Wtime();
    for (int i = 0; i < runs; i++) {
        int failed = run_once(racer);
        status = status ? status : failed;
    }
    *seconds = (PMPI_Wtime() - begin) / runs;
    return status;
}

/* *took: on the slowest rank. */
static int run_round(const struct caucus_peers *peers, struct caucus_racer *racers, int count,
                     double *took) {
    double begin = PMPI_Wtime(), one;
    int status = CAUCUS_OK;
    for (int i = 0; i < count; i++) {
        int failed = sample(peers, &racers[i], 1, &one);
        status = status ? status : failed;
    }
    *took = PMPI_Wtime() - begin;
    int failed = caucus_peers_allreduce(peers, MPI_IN_PLACE, took, 1, MPI_DOUBLE, MPI_MAX);
    return status ? status : failed;
}

/* The first round brings memory and connections up, and is not counted; where it takes longer than
 * all there is, there is no second one, which tells how many more there may be. */
static int run_first(const struct caucus_peers *peers, double seconds, struct caucus_racer *racers,
                     int count, struct plan *plan) {
    double warm, second = 0;
    *plan = (struct plan){.samples = 0, .runs = 1};
    int status = run_round(peers, racers, count, &warm);
    if (warm > seconds)
        return status;
    int failed = run_round(peers, racers, count, &second);
    double rounds = second > 0 ? (seconds - second) / second : MOST_SAMPLES;
    if (rounds >= LEAST_SAMPLES)
        plan->samples = rounds < MOST_SAMPLES ? (int)rounds : MOST_SAMPLES;
    if (rounds >= 2 * MOST_SAMPLES)
        plan->runs = rounds < MOST_RUNS * MOST_SAMPLES ? (int)rounds / MOST_SAMPLES : MOST_RUNS;
    return status ? status : failed;
}

static int find_slowest(const struct caucus_peers *peers, struct caucus_racer *racers, int count,
                        double took[][MOST_SAMPLES], int samples) {
    double figures[2 * CAUCUS_RACERS];
    for (int i = 0; i < count; i++) {
        figures[2 * i] = caucus_median(took[i], samples); /* which sorts them */
        figures[2 * i + 1] = took[i][samples * 3 / 4] - took[i][samples / 4];
    }
    int status =
        caucus_peers_allreduce(peers, MPI_IN_PLACE, figures, 2 * count, MPI_DOUBLE, MPI_MAX);
    for (int i = 0; i < count; i++) {
        racers[i].seconds = figures[2 * i];
        racers[i].spread = figures[2 * i + 1];
    }
    return status;
}

int caucus_race_run(const struct caucus_peers *peers, double seconds, struct caucus_racer *racers,
                    int count, bool *ran) {
    double took[CAUCUS_RACERS][MOST_SAMPLES];
    struct plan plan;
    int status = run_first(peers, seconds, racers, count, &plan);
    *ran = plan.samples > 0;
    if (!*ran)
        return status;
    for (int at = 0; at < plan.samples; at++)
        for (int i = 0; i < count; i++) {
            int failed = sample(peers, &racers[i], plan.runs, &took[i][at]);
            status = status ? status : failed;
        }
    int failed = find_slowest(peers, racers, count, took, plan.samples);
    return status ? status : failed;
}

int caucus_race_winner(const struct caucus_racer *racers, int count) {
    int best = 0;
    for (int i = 1; i < count; i++)
        if (racers[i].seconds < racers[best].seconds)
            best = i;
    double gain = racers[0].seconds - racers[best].seconds;
    double noise = (racers[0].spread + racers[best].spread) / 2;
    return gain > noise && gain > LEAST_GAIN * racers[0].seconds ? best : 0;
}

int caucus_race_least_runs(void) {
    return FIRST_ROUNDS + LEAST_SAMPLES;
}
