/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/layout/type_pattern.h"

#include "base/memory.h"
#include "base/status.h"
#include "run/support/mpi_status.h"

#include <stddef.h>
#include <stdlib.h>

static int extent_of(MPI_Datatype type, int64_t *extent) {
    MPI_Aint lower, found;
    int status =
        caucus_mpi_status(PMPI_Type_get_extent(type, &lower, &found), "MPI_Type_get_extent");
    *extent = found;
    return status;
}

/* A value and an index, as predefined types have them: the index may lie behind a gap. */
static struct caucus_pattern *pair(int64_t value, int64_t index) {
    struct caucus_part parts[2] = {
        {.displacement = 0, .pattern = caucus_pattern_run(value)},
        {.displacement = index, .pattern = caucus_pattern_run(sizeof(int))},
    };
    return caucus_pattern_sequence(2, parts);
}

static struct caucus_pattern *predefined(MPI_Datatype type, int64_t size) {
    struct short_int {
        short value;
        int index;
    };
    struct long_int {
        long value;
        int index;
    };
    struct double_int {
        double value;
        int index;
    };
    struct long_double_int {
        long double value;
        int index;
    };
    if (type == MPI_SHORT_INT)
        return pair(sizeof(short), offsetof(struct short_int, index));
    if (type == MPI_LONG_INT)
        return pair(sizeof(long), offsetof(struct long_int, index));
    if (type == MPI_DOUBLE_INT)
        return pair(sizeof(double), offsetof(struct double_int, index));
    if (type == MPI_LONG_DOUBLE_INT)
        return pair(sizeof(long double), offsetof(struct long_double_int, index));
    return caucus_pattern_run(size);
}

/* count blocks of the one child; blocks and displacements[i] bytes are given by functions of the
 * contents, since every constructor has them elsewhere. */
struct blocks {
    int64_t count;
    int64_t length_at, displacement_at; /* where the lists begin */
    bool equal;                         /* one length for all */
    bool by_address;                    /* displacements are addresses, in bytes */
};

static struct caucus_pattern *indexed(const struct caucus_contents *contents,
                                      const struct blocks *blocks, struct caucus_pattern *child,
                                      int64_t extent) {
    struct caucus_part *parts = caucus_array(blocks->count, sizeof *parts);
    for (int64_t i = 0; parts && i < blocks->count; i++) {
        int64_t length =
            caucus_contents_count(contents, blocks->length_at + (blocks->equal ? 0 : i));
        int64_t at = blocks->displacement_at + i;
        parts[i].displacement = blocks->by_address ? caucus_contents_address(contents, 0, at)
                                                   : caucus_contents_count(contents, at) * extent;
        parts[i].pattern = caucus_pattern_repeat(caucus_pattern_share(child), length, extent);
    }
    caucus_pattern_release(child);
    struct caucus_pattern *pattern = parts ? caucus_pattern_sequence(blocks->count, parts) : NULL;
    free(parts);
    return pattern;
}

/* Where the lists of an indexed type begin; in the large form all of them are in one. */
static struct blocks blocks_of(const struct caucus_contents *contents) {
    int64_t count = caucus_contents_count(contents, 0);
    bool large = contents->larges > 0;
    switch (contents->combiner) {
    case MPI_COMBINER_INDEXED:
        return (struct blocks){count, 1, count + 1, false, false};
    case MPI_COMBINER_HINDEXED:
        return (struct blocks){count, 1, large ? count + 1 : 0, false, true};
    case MPI_COMBINER_INDEXED_BLOCK:
        return (struct blocks){count, 1, 2, true, false};
    default: /* MPI_COMBINER_HINDEXED_BLOCK */
        return (struct blocks){count, 1, large ? 2 : 0, true, true};
    }
}

static struct caucus_pattern *vector(const struct caucus_contents *contents,
                                     struct caucus_pattern *child, int64_t extent) {
    int64_t count = caucus_contents_count(contents, 0);
    int64_t length = caucus_contents_count(contents, 1), stride;
    if (contents->combiner == MPI_COMBINER_VECTOR)
        stride = caucus_contents_count(contents, 2) * extent;
    else
        stride = caucus_contents_address(contents, 2, 0);
    return caucus_pattern_repeat(caucus_pattern_repeat(child, length, extent), count, stride);
}

/* Members of one type in a row share its pattern. */
static int structure(const struct caucus_contents *contents, struct caucus_pattern **pattern) {
    int64_t count = caucus_contents_count(contents, 0), extent = 0, made = 0;
    struct caucus_part *parts = caucus_array(count, sizeof *parts);
    struct caucus_pattern *child = NULL;
    int status = parts ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    for (; made < count && !status; made++) {
        MPI_Datatype type = contents->type[made];
        if (made == 0 || type != contents->type[made - 1]) {
            caucus_pattern_release(child);
            status = caucus_type_pattern(type, &child);
            if (!status)
                status = extent_of(type, &extent);
        }
        if (status)
            break;
        int64_t length = caucus_contents_count(contents, 1 + made);
        parts[made].pattern = caucus_pattern_repeat(caucus_pattern_share(child), length, extent);
        parts[made].displacement =
            contents->larges > 0 ? contents->large[1 + count + made] : contents->address[made];
    }
    caucus_pattern_release(child);
    if (!status) {
        *pattern = caucus_pattern_sequence(count, parts);
        status = *pattern ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    } else {
        for (int64_t i = 0; i < made; i++)
            caucus_pattern_release(parts[i].pattern);
    }
    free(parts);
    return status;
}

/* What is made of one type. */
static struct caucus_pattern *derive(const struct caucus_contents *contents,
                                     struct caucus_pattern *child, int64_t extent) {
    struct blocks blocks;
    switch (contents->combiner) {
    case MPI_COMBINER_CONTIGUOUS:
        return caucus_pattern_repeat(child, caucus_contents_count(contents, 0), extent);
    case MPI_COMBINER_VECTOR:
    case MPI_COMBINER_HVECTOR:
        return vector(contents, child, extent);
    case MPI_COMBINER_INDEXED:
    case MPI_COMBINER_HINDEXED:
    case MPI_COMBINER_INDEXED_BLOCK:
    case MPI_COMBINER_HINDEXED_BLOCK:
        blocks = blocks_of(contents);
        return indexed(contents, &blocks, child, extent);
    case MPI_COMBINER_SUBARRAY:
        return caucus_subarray_pattern(contents, child, extent);
    case MPI_COMBINER_DARRAY:
        return caucus_darray_pattern(contents, child, extent);
    default: /* a duplicate, or one with another extent: the bytes are the same */
        return child;
    }
}

static int take_apart(MPI_Datatype type, const struct caucus_contents *contents,
                      struct caucus_pattern **pattern) {
    MPI_Count size;
    int64_t extent;
    int status;
    switch (contents->combiner) {
    case MPI_COMBINER_NAMED:
    case MPI_COMBINER_F90_REAL:
    case MPI_COMBINER_F90_COMPLEX:
    case MPI_COMBINER_F90_INTEGER:
        status = caucus_mpi_status(PMPI_Type_size_x(type, &size), "MPI_Type_size_x");
        if (!status)
            *pattern = predefined(type, size);
        break;
    case MPI_COMBINER_STRUCT:
        return structure(contents, pattern);
    default:
        if (contents->types != 1)
            return caucus_fail(CAUCUS_NOT_APPLICABLE,
                               "a datatype of an unknown constructor (%d) is of no use here",
                               contents->combiner);
        status = caucus_type_pattern(contents->type[0], pattern);
        if (!status)
            status = extent_of(contents->type[0], &extent);
        if (!status)
            *pattern = derive(contents, *pattern, extent);
        else
            caucus_pattern_release(*pattern);
    }
    return status ? status : *pattern ? CAUCUS_OK : CAUCUS_NO_MEMORY;
}

int caucus_type_pattern(MPI_Datatype type, struct caucus_pattern **pattern) {
    struct caucus_contents contents;
    *pattern = NULL;
    int status = caucus_contents_get(type, &contents);
    if (status)
        return status;
    status = take_apart(type, &contents, pattern);
    caucus_contents_free(&contents);
    if (status)
        *pattern = NULL;
    return status;
}
