/* SPDX-License-Identifier: BSD-3-Clause */
/* Repeated measurements of one thing. */
#ifndef CAUCUS_BENCH_SAMPLE_H
#define CAUCUS_BENCH_SAMPLE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLE_MOST = 1000 };

struct sample {
    int count;
    double value[SAMPLE_MOST];
};

static inline void sample_add(struct sample *sample, double value) {
    if (sample->count < SAMPLE_MOST)
        sample->value[sample->count++] = value;
}

static inline int sample_compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline double sample_median(const struct sample *sample) {
    if (sample->count == 0)
        return 0.0;
    double sorted[SAMPLE_MOST];
    memcpy(sorted, sample->value, (size_t)sample->count * sizeof(double));
    qsort(sorted, (size_t)sample->count, sizeof(double), sample_compare);
    int middle = sample->count / 2;
    return sample->count % 2 ? sorted[middle] : 0.5 * (sorted[middle - 1] + sorted[middle]);
}

/* The value that a part of them, 0 to 1, are below. */
static inline double sample_quantile(const struct sample *sample, double part) {
    if (sample->count == 0)
        return 0.0;
    double sorted[SAMPLE_MOST];
    memcpy(sorted, sample->value, (size_t)sample->count * sizeof(double));
    qsort(sorted, (size_t)sample->count, sizeof(double), sample_compare);
    return sorted[(int)(part * (sample->count - 1))];
}

static inline void sample_json(FILE *file, const char *name, const struct sample *sample) {
    fprintf(file, "\"%s\": [", name);
    for (int i = 0; i < sample->count; i++)
        fprintf(file, "%s%.9g", i > 0 ? ", " : "", sample->value[i]);
    fprintf(file, "]");
}

#endif
