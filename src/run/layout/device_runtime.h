/* SPDX-License-Identifier: BSD-3-Clause */
/* What a runtime of GPUs must be able to do: for the files of this folder. Their headers are not
 * needed: each declares the few functions that it calls. */
#ifndef CAUCUS_RUN_LAYOUT_DEVICE_RUNTIME_H
#define CAUCUS_RUN_LAYOUT_DEVICE_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* count runs of so many bytes. Where there are several, strides are at least as long as runs, and
 * all of these numbers are below 2^31. */
struct caucus_device_copy {
    char *to;
    const char *from;
    int64_t bytes, count, to_stride, from_stride;
    const char *device; /* which of both is the device's */
};

struct caucus_device_symbol {
    const char *name;
    void (**function)(void);
};

struct caucus_device_runtime {
    const char *name;    /* "CUDA" */
    const char *library; /* how its file's name begins */
    /* What it calls, all of it; up to an entry without a name. */
    const struct caucus_device_symbol *symbols;
    bool (*begin)(void); /* once these are found: whether it is of use; or NULL */
    bool (*owns)(const void *address);
    /* Complete on return; 0, or an error number of its own. */
    int (*copy)(const struct caucus_device_copy *copy);
    /* How MPIs are asked whether they take such addresses. MPIX_GPU_query_support, which some have
     * too, ends a program that asks for a kind that they do not know. */
    const char *queries[2];
};

extern const struct caucus_device_runtime caucus_device_cuda, caucus_device_hip,
    caucus_device_level_zero;

#endif
