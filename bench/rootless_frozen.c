/* SPDX-License-Identifier: BSD-3-Clause */
/* All ranks cast without a pause; rank 0 stops the last one (SIGSTOP) for a while, and lets it go
 * on. It samples the memory that every rank has in use, and what it hears. Whether memory stays
 * flat, nothing is lost, and all are as fast afterwards as before. All ranks on one machine.
 *
 *   mpiexec -n 4 build/mpich/bin/rootless_frozen --before 5 --stopped 60 --after 5 [--json FILE] */
#include "common/rootless_messages.h"

#include <caucus/channel.h>

#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

enum { RANKS = 64, BYTES = 1000, KINDS = 2, PHASES = 3, GROWTH = 4096 /* KiB */ };
static const double SETTLE = 0.5, EACH = 0.1; /* seconds: left out of a phase, between samples */
static const char *const phases[PHASES] = {"before", "stopped", "after"};

struct storm {
    caucus_channel channel;
    int64_t casts, heard, got[RANKS];
};

static struct rootless all;
static struct storm storms[KINDS]; /* of plain and of total order */
static int process[RANKS];
static double phase_seconds[PHASES] = {1, 2, 1};
static long peak[PHASES][RANKS]; /* KiB */
static struct {
    double begin, end; /* seconds */
    int64_t first, last;
} span[PHASES]; /* messages heard by rank 0 */

static void deliver(void *context, const caucus_delivery *delivery) {
    struct storm *storm = context;
    int64_t number;
    memcpy(&number, delivery->bytes, sizeof number);
    all.wrong +=
        delivery->length != BYTES || number != storm->got[delivery->origin] ||
        memcmp((const char *)delivery->bytes + sizeof number,
               rootless_content(&all, delivery->origin, number), BYTES - sizeof number) != 0;
    storm->got[delivery->origin]++;
    storm->heard++;
}

static void cast(struct storm *storm) {
    unsigned char bytes[BYTES];
    int accepted;
    memcpy(bytes, &storm->casts, sizeof storm->casts);
    memcpy(bytes + sizeof storm->casts, rootless_content(&all, all.rank, storm->casts),
           BYTES - sizeof storm->casts);
    caucus_try_cast(storm->channel, bytes, BYTES, &accepted);
    storm->casts += accepted;
}

/* KiB of memory that a process has in use. */
static long resident(int id) {
    char path[64];
    long whole, pages = 0;
    snprintf(path, sizeof path, "/proc/%d/statm", id);
    FILE *file = fopen(path, "r");
    if (!file || fscanf(file, "%ld %ld", &whole, &pages) != 2)
        all.wrong++;
    if (file)
        fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static void sample(int phase, double now, double begin, double end) {
    for (int r = 0; r < all.size; r++) {
        long used = resident(process[r]);
        peak[phase][r] = peak[phase][r] < used ? used : peak[phase][r];
    }
    if (now < begin + SETTLE / 2 || now > end)
        return;
    int64_t heard = storms[0].heard + storms[1].heard;
    if (span[phase].begin == 0) {
        span[phase].begin = now;
        span[phase].first = heard;
    }
    span[phase].end = now;
    span[phase].last = heard;
}

static void storm_until(double end, int phase) {
    double begin = rootless_now(), sampled = 0;
    double now = begin;
    while (now < end) {
        for (int i = 0; i < 16; i++)
            for (int k = 0; k < KINDS; k++)
                cast(&storms[k]);
        if (all.yields)
            sched_yield();
        if (all.rank == 0 && now - sampled > EACH) {
            sampled = now;
            sample(phase, now, begin, end);
        }
        now = rootless_now();
    }
}

/* Everybody has everything. */
static void finish(void) {
    MPI_Request barrier;
    int64_t casts[RANKS];
    int done = 0;
    MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
    while (!done) {
        for (int k = 0; k < KINDS; k++)
            caucus_channel_poll(storms[k].channel);
        MPI_Test(&barrier, &done, MPI_STATUS_IGNORE);
    }
    for (int k = 0; k < KINDS; k++) {
        caucus_channel_quiesce(storms[k].channel);
        MPI_Allgather(&storms[k].casts, 1, MPI_INT64_T, casts, 1, MPI_INT64_T, MPI_COMM_WORLD);
        for (int r = 0; r < all.size; r++)
            all.wrong += (r != all.rank || k == 1) && storms[k].got[r] != casts[r];
        caucus_channel_close(&storms[k].channel);
    }
    MPI_Allreduce(MPI_IN_PLACE, &all.wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
}

static double rate(int phase) {
    double seconds = span[phase].end - span[phase].begin;
    return seconds > 0 ? (double)(span[phase].last - span[phase].first) / seconds : 0;
}

static long growth(int rank) {
    long most = peak[1][rank] > peak[2][rank] ? peak[1][rank] : peak[2][rank];
    return most - peak[0][rank];
}

static bool report(const char *json) {
    bool flat = true;
    FILE *file = json ? fopen(json, "w") : NULL;
    printf("%d ranks, the last stopped for %g s; messages heard by rank 0 in a second: ", all.size,
           phase_seconds[1]);
    for (int phase = 0; phase < PHASES; phase++)
        printf("%s %.4g%s", phases[phase], rate(phase), phase < PHASES - 1 ? ", " : "\n");
    for (int r = 0; r < all.size; r++) {
        flat = flat && growth(r) <= GROWTH;
        printf("rank %d: %ld KiB before, at most %ld while it was stopped, %ld after\n", r,
               peak[0][r], peak[1][r], peak[2][r]);
    }
    printf("%ld wrong or lost, memory %s\n", all.wrong, flat ? "flat" : "GROWN");
    if (file) {
        fprintf(file,
                "{\"ranks\": %d, \"stopped\": %g, \"wrong\": %ld, \"rates\": [%.6g, %.6g, %.6g], ",
                all.size, phase_seconds[1], all.wrong, rate(0), rate(1), rate(2));
        for (int phase = 0; phase < PHASES; phase++) {
            fprintf(file, "%s\"%s%s\": [", phase ? ", " : "", phases[phase],
                    phase == 1 ? "_kib" : "");
            for (int r = 0; r < all.size; r++)
                fprintf(file, "%s%ld", r ? ", " : "", peak[phase][r]);
            fprintf(file, "]");
        }
        fprintf(file, "}\n");
        fclose(file);
    }
    return flat && !all.wrong;
}

static const char *read_options(int argc, char **argv) {
    const char *json = NULL;
    for (int i = 1; i + 1 < argc; i += 2) {
        for (int phase = 0; phase < PHASES; phase++)
            if (strncmp(argv[i], "--", 2) == 0 && strcmp(argv[i] + 2, phases[phase]) == 0)
                phase_seconds[phase] = atof(argv[i + 1]);
        if (strcmp(argv[i], "--json") == 0)
            json = argv[i + 1];
    }
    return json;
}

static void open_all(void) {
    static const int orders[KINDS] = {CAUCUS_ORDER_FIFO, CAUCUS_ORDER_TOTAL};
    for (int k = 0; k < KINDS; k++) {
        caucus_channel_options options = {
            .deliver = deliver, .context = &storms[k], .order = orders[k], .segment = BYTES};
        caucus_channel_open(MPI_COMM_WORLD, &options, &storms[k].channel);
    }
}

int main(int argc, char **argv) {
    int me = (int)getpid();
    MPI_Init(&argc, &argv);
    if (!rootless_init(&all) || all.size > RANKS || all.size < 2)
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    const char *json = read_options(argc, argv);
    all.yields = all.size > sysconf(_SC_NPROCESSORS_ONLN);
    open_all();
    MPI_Allgather(&me, 1, MPI_INT, process, 1, MPI_INT, MPI_COMM_WORLD);
    double end = rootless_now();
    MPI_Bcast(&end, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD); /* all are on one machine */
    for (int phase = 0; phase < PHASES; phase++) {
        int last = process[all.size - 1];
        end += phase_seconds[phase];
        if (all.rank == 0 && phase > 0 && kill(last, phase == 1 ? SIGSTOP : SIGCONT) != 0)
            MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
        storm_until(end, phase);
    }
    finish();
    int good = all.rank > 0 || report(json);
    MPI_Bcast(&good, 1, MPI_INT, 0, MPI_COMM_WORLD);
    rootless_free(&all);
    MPI_Finalize();
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
