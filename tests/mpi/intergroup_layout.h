/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers for collectives between groups: blocks of many datatypes with gaps, between guards, and a
 * second copy that says what every byte must be. */
#ifndef TESTS_MPI_INTERGROUP_LAYOUT_H
#define TESTS_MPI_INTERGROUP_LAYOUT_H

#include "buffer_memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { GUARD = 64, MOST = 16, MOST_UNITS = 3, BASES = 3, PATTERNS = 6, REDUCTIONS = 5 };

static inline uint64_t mix(uint64_t value) {
    value += UINT64_C(0x9e3779b97f4a7c15);
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return value ^ (value >> 31);
}

static inline uint64_t mix_of(uint64_t salt, int a, int b, int c) {
    return mix(mix(mix(salt + (uint64_t)a) + (uint64_t)b) + (uint64_t)c);
}

/* An element of a datatype has one to three units of a basic type: where, in the order of its type
 * map. */
struct pattern {
    MPI_Datatype type;
    int bytes; /* of a unit */
    int units, extent, offset[MOST_UNITS];
};

static struct pattern patterns[BASES][PATTERNS];
static MPI_Datatype uncommitted;

static inline void make_patterns(int base, MPI_Datatype type, int bytes) {
    struct pattern *p = patterns[base];
    int lengths[] = {1, 2};
    MPI_Aint places[] = {bytes, 3 * bytes}, backwards[] = {2 * bytes, 0};
    MPI_Datatype both[] = {type, type}, raw;
    p[0] = (struct pattern){type, bytes, 1, bytes, {0}};
    p[1] = (struct pattern){MPI_DATATYPE_NULL, bytes, 2, 2 * bytes, {0, bytes}};
    MPI_Type_contiguous(2, type, &p[1].type);
    p[2] = (struct pattern){MPI_DATATYPE_NULL, bytes, 2, 3 * bytes, {0, 2 * bytes}};
    MPI_Type_vector(2, 1, 2, type, &p[2].type);
    p[3] = (struct pattern){MPI_DATATYPE_NULL, bytes, 1, 3 * bytes, {0}};
    MPI_Type_create_resized(type, 0, 3 * bytes, &p[3].type);
    p[4] = (struct pattern){MPI_DATATYPE_NULL, bytes, 3, 6 * bytes, {bytes, 3 * bytes, 4 * bytes}};
    MPI_Type_create_struct(2, lengths, places, both, &raw);
    MPI_Type_create_resized(raw, 0, 6 * bytes, &p[4].type);
    MPI_Type_free(&raw);
    p[5] = (struct pattern){MPI_DATATYPE_NULL, bytes, 2, 3 * bytes, {2 * bytes, 0}};
    MPI_Type_create_hindexed_block(2, 1, backwards, type, &p[5].type);
    for (int i = 1; i < PATTERNS; i++)
        MPI_Type_commit(&p[i].type);
}

/* Operands, packed: how one is made from a random number, and how the next one in the order of
 * ranks is combined with those before it. */
struct reduction {
    struct pattern pattern;
    MPI_Op op;
    void (*make)(void *element, uint64_t random);
    void (*combine)(void *before, const void *next);
};

static struct reduction reductions[REDUCTIONS];

static inline void make_int(void *element, uint64_t random) {
    *(int *)element = (int)(random % 1000);
}
static inline void add_int(void *before, const void *next) {
    *(int *)before += *(const int *)next;
}
static inline void make_short(void *element, uint64_t random) {
    *(short *)element = (short)(random % 4001 - 2000);
}
static inline void highest_short(void *before, const void *next) {
    if (*(short *)before < *(const short *)next)
        *(short *)before = *(const short *)next;
}
static inline void make_double(void *element, uint64_t random) {
    *(double *)element = (double)(random % 100000); /* whole: exact in any order */
}
static inline void add_double(void *before, const void *next) {
    *(double *)before += *(const double *)next;
}

/* Maps x -> ax + b modulo 2^32, one after the other: associative, not commutative. */
static inline void make_map(void *element, uint64_t random) {
    uint32_t map[] = {(uint32_t)random | 1, (uint32_t)(random >> 32)};
    memcpy(element, map, sizeof map);
}
static inline void then(uint32_t *a, uint32_t *b, uint32_t next_a, uint32_t next_b) {
    *b = next_a * *b + next_b;
    *a *= next_a;
}
static inline void compose(void *before, const void *next) {
    uint32_t *map = before;
    const uint32_t *other = next;
    then(&map[0], &map[1], other[0], other[1]);
}
static inline void compose_all(const uint32_t *in, uint32_t *inout, int length, int stride) {
    for (int i = 0; i < length; i++, in += stride, inout += stride) {
        uint32_t a = in[0], b = in[stride - 1];
        then(&a, &b, inout[0], inout[stride - 1]);
        inout[0] = a;
        inout[stride - 1] = b;
    }
}
static inline void compose_pairs(void *in, void *inout, int *length, MPI_Datatype *type) {
    (void)type;
    compose_all(in, inout, *length, 2);
}
static inline void compose_with_gaps(void *in, void *inout, int *length, MPI_Datatype *type) {
    (void)type;
    compose_all(in, inout, *length, 3);
}

static inline void make_types(void) {
    MPI_Op pairs, gaps;
    MPI_Op_create(compose_pairs, 0, &pairs);
    MPI_Op_create(compose_with_gaps, 0, &gaps);
    make_patterns(0, MPI_INT, sizeof(int));
    make_patterns(1, MPI_DOUBLE, sizeof(double));
    make_patterns(2, MPI_CHAR, 1);
    MPI_Type_contiguous(3, MPI_INT, &uncommitted);
    struct pattern shorts = {MPI_SHORT, sizeof(short), 1, sizeof(short), {0}};
    reductions[0] = (struct reduction){patterns[0][0], MPI_SUM, make_int, add_int};
    reductions[1] = (struct reduction){patterns[1][0], MPI_SUM, make_double, add_double};
    reductions[2] = (struct reduction){shorts, MPI_MAX, make_short, highest_short};
    reductions[3] = (struct reduction){patterns[0][1], pairs, make_map, compose};
    reductions[4] = (struct reduction){patterns[0][2], gaps, make_map, compose};
}

static inline void free_types(void (*free_op)(MPI_Op *op)) {
    for (int base = 0; base < BASES; base++)
        for (int i = 1; i < PATTERNS; i++)
            MPI_Type_free(&patterns[base][i].type);
    MPI_Type_free(&uncommitted);
    free_op(&reductions[3].op);
    free_op(&reductions[4].op);
}

/* One buffer, and what a call says of it. */
struct part {
    bool matters;
    int blocks;
    const struct pattern *pattern[MOST];
    int elements[MOST], place[MOST]; /* in bytes */
    int bytes;
    unsigned char *memory, *expected; /* with guards */
    void *buffer;
    int counts[MOST], places[MOST];
    MPI_Count large_counts[MOST];
    MPI_Aint large_places[MOST];
    MPI_Datatype types[MOST];
};

enum way { ROW, SCATTERED, TYPED }; /* blocks in a row; anywhere; anywhere, of any type */

static inline void say_counts(struct part *part, int blocks, int count) {
    for (int i = 0; i < blocks; i++)
        part->large_counts[i] = part->counts[i] = count;
}

static inline void say_types(struct part *part, MPI_Datatype type) {
    for (int i = 0; i < MOST; i++)
        part->types[i] = type;
}

/* A part that does not matter on this rank; what it says must not be looked at. */
static inline void say_nothing(struct part *part, bool nasty) {
    say_counts(part, MOST, nasty ? -3 : 0);
    say_types(part, nasty ? MPI_DATATYPE_NULL : MPI_INT);
}

/* Patterns and elements are there: finds places, in any order and with gaps unless in a row, and
 * makes the buffer. */
static inline void lay_out(struct part *part, enum way way, uint64_t salt) {
    int at = 0, first = way == ROW ? 0 : (int)(mix(salt) % (uint64_t)part->blocks);
    for (int i = 0; i < part->blocks; i++) {
        int block = (first + i) % part->blocks, extent = part->pattern[block]->extent;
        int step = way == TYPED ? 8 : extent;
        if (way != ROW)
            at = ((at + step - 1) / step + (int)(mix(salt + (uint64_t)i + 1) % 3)) * step;
        part->place[block] = at;
        part->places[block] = way == TYPED ? at : at / extent;
        part->large_places[block] = part->places[block];
        part->large_counts[block] = part->counts[block] = part->elements[block];
        part->types[block] = part->pattern[block]->type;
        at += part->elements[block] * extent;
    }
    part->matters = true;
    part->bytes = at + 2 * GUARD;
    part->memory = buffer_new((size_t)part->bytes);
    part->expected = malloc((size_t)part->bytes);
    CHECK(part->memory && part->expected, "no memory");
    part->buffer = buffer_address(part->memory + GUARD);
}

static inline void make_noise(struct part *part, uint64_t salt) {
    for (int i = 0; i < part->bytes; i++)
        part->memory[i] = part->expected[i] = (unsigned char)((uint64_t)i * 37 + salt);
}

/* One unit into what is expected. */
static inline void put(struct part *part, int block, int unit, const void *bytes) {
    const struct pattern *pattern = part->pattern[block];
    int place = part->place[block] + unit / pattern->units * pattern->extent +
                pattern->offset[unit % pattern->units];
    memcpy(part->expected + GUARD + place, bytes, (size_t)pattern->bytes);
}

static inline void put_element(struct part *part, int element, const void *packed) {
    const struct pattern *pattern = part->pattern[0];
    for (int i = 0; i < pattern->units; i++)
        put(part, 0, element * pattern->units + i,
            (const unsigned char *)packed + i * pattern->bytes);
}

#endif
