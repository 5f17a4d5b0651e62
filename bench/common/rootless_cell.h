/* SPDX-License-Identifier: BSD-3-Clause */
/* What was measured of one size in one pattern of casts: samples of every way. */
#ifndef CAUCUS_BENCH_ROOTLESS_CELL_H
#define CAUCUS_BENCH_ROOTLESS_CELL_H

#include "rootless_ways.h"
#include "sample.h"

static const char *const rootless_patterns[] = {"fixed", "varied", "all", "lone"};
enum rootless_pattern { FIXED, VARIED, ALL, LONE, PATTERNS };

struct rootless_cell {
    enum rootless_pattern pattern;
    long bytes;
    int ranks;
    struct sample sample[ROOTLESS_WAYS], late[ROOTLESS_WAYS];
    long messages[ROOTLESS_WAYS], wrong[ROOTLESS_WAYS];
};

static inline void rootless_print(const struct rootless_cell *cell) {
    printf("# %s, %ld bytes, %d ranks, %s\n", rootless_patterns[cell->pattern], cell->bytes,
           cell->ranks,
           cell->pattern == LONE ? "µs until the last has heard: median, 99 of 100"
                                 : "casts in a second");
    for (int i = 0; i < ROOTLESS_WAYS; i++)
        if (cell->sample[i].count > 0) {
            printf("  %-26s %12.4g", rootless_ways[i].name, sample_median(&cell->sample[i]));
            if (cell->pattern == LONE)
                printf(" %12.4g", sample_median(&cell->late[i]));
            printf("%s\n", cell->wrong[i] ? "  WRONG" : "");
        }
    fflush(stdout);
}

static inline void rootless_write_samples(FILE *file, const char *name,
                                          const struct sample *samples) {
    const char *separator = "";
    fprintf(file, "\"%s\": {", name);
    for (int i = 0; i < ROOTLESS_WAYS; i++)
        if (samples[i].count > 0) {
            fprintf(file, "%s", separator);
            sample_json(file, rootless_ways[i].name, &samples[i]);
            separator = ", ";
        }
    fprintf(file, "}");
}

/* A line for each cell. */
static inline void rootless_write(FILE *file, const struct rootless_cell *cell) {
    const char *separator = "";
    fprintf(file, "{\"pattern\": \"%s\", \"bytes\": %ld, \"ranks\": %d, ",
            rootless_patterns[cell->pattern], cell->bytes, cell->ranks);
    rootless_write_samples(file, "samples", cell->sample);
    if (cell->pattern == LONE) {
        fprintf(file, ", ");
        rootless_write_samples(file, "late", cell->late);
    }
    fprintf(file, ", \"casts\": {");
    for (int i = 0; i < ROOTLESS_WAYS; i++)
        if (cell->sample[i].count > 0) {
            fprintf(file, "%s\"%s\": %ld", separator, rootless_ways[i].name, cell->messages[i]);
            separator = ", ";
        }
    fprintf(file, "}, \"wrong\": [");
    separator = "";
    for (int i = 0; i < ROOTLESS_WAYS; i++)
        if (cell->wrong[i] > 0) {
            fprintf(file, "%s\"%s\"", separator, rootless_ways[i].name);
            separator = ", ";
        }
    fprintf(file, "]}\n");
    fflush(file);
}

#endif
