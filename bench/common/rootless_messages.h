/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of the experiment with rootless broadcasts, every byte of which is known, and the
 * account that a rank keeps of those that came: each once, whole, in the order of its origin. */
#ifndef CAUCUS_BENCH_ROOTLESS_MESSAGES_H
#define CAUCUS_BENCH_ROOTLESS_MESSAGES_H

#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROOTLESS_LEAST = 10, ROOTLESS_MOST = 1 << 20, ROOTLESS_OFFSETS = 4096 };

struct rootless_header {
    uint16_t origin, zero;
    uint32_t number;
};

struct rootless {
    int rank, size;
    long bytes; /* of each message */
    unsigned char *message, *table;
    long *got;      /* of each origin; own messages too */
    long heard;     /* the sum of these */
    uint64_t order; /* a number for the order in which they came */
    double last;    /* when the last came, if stamps */
    int stamps;
    long wrong;
    int yields;  /* ranks that wait leave the processor to others */
    int credits; /* of channels; 0: as many as they have by default */
};

static inline double rootless_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline int rootless_init(struct rootless *all) {
    uint64_t draw = 88172645463325252ULL;
    MPI_Comm_rank(MPI_COMM_WORLD, &all->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &all->size);
    all->message = malloc(ROOTLESS_MOST);
    all->table = malloc(ROOTLESS_MOST + ROOTLESS_OFFSETS);
    all->got = calloc((size_t)all->size, sizeof *all->got);
    for (long i = 0; all->table && i < ROOTLESS_MOST + ROOTLESS_OFFSETS; i++) {
        draw ^= draw << 13, draw ^= draw >> 7, draw ^= draw << 17;
        all->table[i] = (unsigned char)draw;
    }
    return all->message && all->table && all->got;
}

static inline void rootless_free(struct rootless *all) {
    free(all->message);
    free(all->table);
    free(all->got);
}

/* Nothing has been heard yet. */
static inline void rootless_begin(struct rootless *all) {
    memset(all->got, 0, (size_t)all->size * sizeof *all->got);
    all->heard = 0;
    all->order = 0;
}

static inline const unsigned char *rootless_content(const struct rootless *all, int origin,
                                                    long number) {
    return all->table + (7919L * origin + 331L * number) % ROOTLESS_OFFSETS;
}

/* The message of this rank with that number, in all->message. */
static inline void rootless_fill(struct rootless *all, long number) {
    struct rootless_header header = {.origin = (uint16_t)all->rank, .number = (uint32_t)number};
    memcpy(all->message, &header, sizeof header);
    memcpy(all->message + sizeof header, rootless_content(all, all->rank, number),
           (size_t)all->bytes - sizeof header);
}

static inline void rootless_count(struct rootless *all, int origin) {
    all->order = (all->order ^ (uint64_t)origin) * UINT64_C(1099511628211);
    all->got[origin]++;
    all->heard++;
    if (all->stamps)
        all->last = rootless_now();
}

static inline void rootless_hear(struct rootless *all, const unsigned char *bytes, long length) {
    struct rootless_header header = {0};
    if (length == all->bytes)
        memcpy(&header, bytes, sizeof header);
    int origin = header.origin;
    if (length != all->bytes || origin >= all->size ||
        header.number != (uint32_t)all->got[origin] ||
        memcmp(bytes + sizeof header, rootless_content(all, origin, header.number),
               (size_t)length - sizeof header) != 0)
        all->wrong++;
    if (origin < all->size)
        rootless_count(all, origin);
}

#endif
