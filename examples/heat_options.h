/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line of the heat programs. */
#ifndef HEAT_OPTIONS_H
#define HEAT_OPTIONS_H

#include "heat_stop.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

struct heat_options {
    const char *input;
    const char *output; /* NULL: none is written */
    int ndims;
    int dims[3]; /* 0: left to MPI_Dims_create */
    int steps;
    int refine; /* cells along each axis for each sample of the input */
    int periodic;
};

/* A whole number at the start of *text, which is moved behind it; -1 if there is none. */
static inline int heat_number(const char **text) {
    char *end;
    errno = 0;
    long value = strtol(*text, &end, 10);
    if (end == *text || **text < '0' || **text > '9' || errno != 0 || value > INT_MAX)
        return -1;
    *text = end;
    return (int)value;
}

static inline int heat_whole(const char *name, const char *text, int minimum) {
    const char *at = text;
    int value = heat_number(&at);
    if (value < minimum || *at != '\0')
        heat_stop("%s %s: a whole number from %d on is wanted.", name, text, minimum);
    return value;
}

static inline void heat_dims(struct heat_options *options, const char *text) {
    const char *at = text;
    for (int axis = 0; axis < options->ndims; axis++) {
        options->dims[axis] = heat_number(&at);
        char separator = axis + 1 < options->ndims ? 'x' : '\0';
        if (options->dims[axis] < 1 || *at != separator)
            heat_stop("--dims %s: %d positive numbers joined by x are wanted.", text,
                      options->ndims);
        at += separator != '\0';
    }
}

static inline struct heat_options heat_options_read(int ndims, int argc, char **argv) {
    struct heat_options options = {.ndims = ndims, .steps = 100, .refine = 1};
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (strcmp(word, "--periodic") == 0) {
            options.periodic = 1;
        } else if (word[0] != '-' && options.input == NULL) {
            options.input = word;
        } else if (i + 1 < argc && strcmp(word, "--dims") == 0) {
            heat_dims(&options, argv[++i]);
        } else if (i + 1 < argc && strcmp(word, "--steps") == 0) {
            options.steps = heat_whole(word, argv[++i], 0);
        } else if (i + 1 < argc && strcmp(word, "--refine") == 0) {
            options.refine = heat_whole(word, argv[++i], 1);
        } else if (i + 1 < argc && strcmp(word, "--output") == 0) {
            options.output = argv[++i];
        } else {
            heat_stop("%s: argument %s is unknown or lacks its value.", argv[0], word);
        }
    }
    if (options.input == NULL)
        heat_stop("Usage: %s INPUT [--output FILE] [--dims %s] [--steps N] [--refine N] "
                  "[--periodic]",
                  argv[0], ndims == 2 ? "ROWSxCOLUMNS" : "PLANESxROWSxCOLUMNS");
    return options;
}

#endif
