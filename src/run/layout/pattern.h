/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the bytes of a datatype's element are, as a tree: runs of bytes, repeated and in sequence.
 * It is about as large as the description that the user gave, however many pieces that makes; but
 * where MPI gives a handle of its own for each member of a structure, as Open MPI 5.0.11 does, what
 * is the same in several of them is there as often. */
#ifndef CAUCUS_RUN_LAYOUT_PATTERN_H
#define CAUCUS_RUN_LAYOUT_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

enum caucus_pattern_kind {
    CAUCUS_PATTERN_RUN,     /* size bytes from 0 on */
    CAUCUS_PATTERN_REPEAT,  /* count times the one child, stride apart */
    CAUCUS_PATTERN_SEQUENCE /* count children, each at its displacement */
};

struct caucus_pattern {
    enum caucus_pattern_kind kind;
    int references;
    int64_t size; /* packed bytes */
    int64_t count, stride;
    struct caucus_part *part;
};

/* A child; of a sequence, where it is and which packed bytes lie before it. */
struct caucus_part {
    int64_t displacement, packed_at;
    struct caucus_pattern *pattern;
};

/* All give NULL, with a text, where memory is missing, and take over the patterns they are given,
 * on failure too; so a NULL given is a NULL returned. */
struct caucus_pattern *caucus_pattern_run(int64_t size);
struct caucus_pattern *caucus_pattern_repeat(struct caucus_pattern *child, int64_t count,
                                             int64_t stride);
/* The parts' displacements and patterns are set; the array itself remains the caller's. */
struct caucus_pattern *caucus_pattern_sequence(int64_t count, const struct caucus_part *parts);
/* The pattern, displacement bytes further. */
struct caucus_pattern *caucus_pattern_shift(struct caucus_pattern *child, int64_t displacement);

struct caucus_pattern *caucus_pattern_share(struct caucus_pattern *pattern);
void caucus_pattern_release(struct caucus_pattern *pattern);

/* Whether it is one run of bytes, and from where. */
bool caucus_pattern_is_run(const struct caucus_pattern *pattern, int64_t *displacement);

/* The address of packed bytes that lie in one run; NULL where they don't. */
char *caucus_pattern_address(const struct caucus_pattern *pattern, char *base, int64_t offset,
                             int64_t length);

/* What is moved: the packed side, which moves on; which way; whether a runtime of devices must do
 * it; and how it went. */
struct caucus_pattern_move {
    char *packed;
    bool packs, on_device;
    int status;
};

/* Between the bytes [offset, offset + length) of elements, extent apart, and packed memory. */
void caucus_pattern_move(const struct caucus_pattern *pattern, char *base, int64_t extent,
                         int64_t offset, int64_t length, struct caucus_pattern_move *move);

#endif
