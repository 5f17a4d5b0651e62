/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks meet before every sample, outside of its time, so that what one racer leaves unfinished is
 * not counted as the next one's. */
#include "api/collective/race.h"

#include "api/collective/native.h"
#include "base/status.h"
#include "run/measure/median.h"
#include "run/support/mpi_status.h"

#include <math.h>
#include <string.h>

enum { FIRST_ROUNDS = 2, LEAST_SAMPLES = 2, MOST_RUNS = 64 };
static const double LEAST_GAIN = 0.05, LEAST_WON = 2.0 / 3;
/* Seconds of a round whose runs vary by more than percents, so that there is another first one. */
static const double SHORT = 5e-3;
static const double OUT = 2, OUT_SHORT = 3; /* times the fastest of the first rounds */
static const double LONG_ENOUGH = 200e-6;   /* seconds of a sample */

struct field {
    const struct caucus_peers *peers;
    struct caucus_racer *racers;
    int count;
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

/* Who is the k-th of a round. A long run leaves the card and sockets full to the next one: over the
 * rounds each comes after every other one equally often (Williams 1949). */
static int turn(int count, int round, int k) {
    const int at = k % 2 ? (k + 1) / 2 : count - k / 2;
    return (round + (round % 2 ? count - at : at)) % count;
}

/* One run of each, took[count], on the slowest rank. */
static int run_round(const struct field *field, int round, double *took) {
    int status = CAUCUS_OK;
    for (int k = 0; k < field->count; k++) {
        const int i = turn(field->count, round, k);
        int failed = sample(field->peers, &field->racers[i], 1, &took[i]);
        status = status ? status : failed;
    }
    int failed =
        caucus_peers_allreduce(field->peers, MPI_IN_PLACE, took, field->count, MPI_DOUBLE, MPI_MAX);
    return status ? status : failed;
}

static double sum(const double *values, int count) {
    double total = 0;
    for (int i = 0; i < count; i++)
        total += values[i];
    return total;
}

static double least(const double *values, int count) {
    double found = values[0];
    for (int i = 1; i < count; i++)
        found = values[i] < found ? values[i] : found;
    return found;
}

/* The second round, and a third one of short runs: the least of both. *left: less what they took.
 * *out: what is so many times slower than the fastest has seen enough. */
static int run_second(const struct field *field, double *second, double *left, double *out) {
    double third[CAUCUS_RACERS];
    int status = run_round(field, 1, second);
    double took = sum(second, field->count);
    *left -= took;
    *out = OUT;
    if (took >= SHORT)
        return status;
    int failed = run_round(field, 2, third);
    *left -= sum(third, field->count);
    *out = OUT_SHORT;
    for (int i = 0; i < field->count; i++)
        second[i] = fmin(second[i], third[i]);
    return status ? status : failed;
}

/* The first round brings memory and connections up. What is far behind in all has seen enough; the
 * others get as many samples as there is time for. *runs: of a sample. */
static int run_first(const struct field *field, double seconds, int *samples, int *runs) {
    double warm[CAUCUS_RACERS], second[CAUCUS_RACERS], left = seconds, out, round = 0;
    *samples = 0;
    int status = run_round(field, 0, warm);
    if (sum(warm, field->count) > seconds)
        return status;
    int failed = run_second(field, second, &left, &out);
    const double best = least(second, field->count);
    *runs = best * MOST_RUNS < LONG_ENOUGH ? MOST_RUNS : (int)ceil(LONG_ENOUGH / best);
    for (int i = 0; i < field->count; i++) {
        struct caucus_racer *racer = &field->racers[i];
        racer->seconds = fmin(warm[i], second[i]);
        racer->is_out = racer->seconds > out * best;
        round += racer->is_out ? 0 : *runs * second[i];
    }
    const double rounds = round > 0 ? left / round : CAUCUS_RACE_SAMPLES;
    if (rounds >= LEAST_SAMPLES)
        *samples = rounds < CAUCUS_RACE_SAMPLES ? (int)rounds : CAUCUS_RACE_SAMPLES;
    return status ? status : failed;
}

/* What the slowest rank took, in each sample. */
static int find_slowest(const struct field *field, int samples) {
    double took[CAUCUS_RACERS * CAUCUS_RACE_SAMPLES], sorted[CAUCUS_RACE_SAMPLES];
    for (int i = 0; i < field->count; i++)
        memcpy(&took[i * samples], field->racers[i].took, (size_t)samples * sizeof *took);
    int status = caucus_peers_allreduce(field->peers, MPI_IN_PLACE, took, field->count * samples,
                                        MPI_DOUBLE, MPI_MAX);
    for (int i = 0; i < field->count; i++) {
        struct caucus_racer *racer = &field->racers[i];
        if (racer->is_out)
            continue;
        memcpy(racer->took, &took[i * samples], (size_t)samples * sizeof *took);
        memcpy(sorted, racer->took, (size_t)samples * sizeof *sorted);
        racer->seconds = caucus_median(sorted, samples);
        racer->samples = samples;
    }
    return status;
}

int caucus_race_run(const struct caucus_peers *peers, double seconds, struct caucus_racer *racers,
                    int count, bool *ran) {
    const struct field field = {peers, racers, count};
    int samples, runs;
    int status = run_first(&field, seconds, &samples, &runs);
    *ran = samples > 0;
    if (!*ran)
        return status;
    for (int at = 0; at < samples; at++)
        for (int k = 0; k < count; k++) {
            const int i = turn(count, at, k);
            racers[i].took[at] = 0;
            int failed =
                racers[i].is_out ? CAUCUS_OK : sample(peers, &racers[i], runs, &racers[i].took[at]);
            status = status ? status : failed;
        }
    int failed = find_slowest(&field, samples);
    return status ? status : failed;
}

/* By turns, so that what holds up all for a while speaks for none of them. */
static bool wins(const struct caucus_racer *racer, const struct caucus_racer *other) {
    int won = 0;
    if (racer->is_out || other->is_out)
        return other->is_out && !racer->is_out;
    for (int at = 0; at < racer->samples; at++)
        won += racer->took[at] < other->took[at];
    return won >= LEAST_WON * racer->samples && racer->seconds < (1 - LEAST_GAIN) * other->seconds;
}

int caucus_race_winner(const struct caucus_racer *racers, int count) {
    int best = 0;
    for (int i = 1; i < count; i++)
        if (!racers[i].is_out && (racers[best].is_out || racers[i].seconds < racers[best].seconds))
            best = i;
    return wins(&racers[best], &racers[0]) ? best : 0;
}

int caucus_race_least_runs(void) {
    return FIRST_ROUNDS + LEAST_SAMPLES;
}
