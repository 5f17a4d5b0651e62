/* SPDX-License-Identifier: BSD-3-Clause */
#include "study/grid/stencil_text.h"

#include "base/lines.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/status.h"
#include "plan/grid/grid.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Arrays that grow while the file is read. */
struct offsets {
    int ndims, count, room;
    int *offset;
    double *weight;
};

static int make_room(struct offsets *offsets) {
    offsets->room = offsets->room ? 2 * offsets->room : 64;
    size_t room = (size_t)offsets->room;
    int *offset = realloc(offsets->offset, room * (size_t)offsets->ndims * sizeof *offset);
    offsets->offset = offset ? offset : offsets->offset;
    double *weight = realloc(offsets->weight, room * sizeof *weight);
    offsets->weight = weight ? weight : offsets->weight;
    return offset && weight ? CAUCUS_OK
                            : caucus_fail(CAUCUS_NO_MEMORY, "out of memory: %zu offsets", room);
}

static int bad_word(const struct caucus_lines *lines, const char *word, const char *wanted) {
    return caucus_fail(CAUCUS_BAD_FILE, "%s:%lld: '%.60s' is not %s", lines->path,
                       (long long)lines->number, word, wanted);
}

static int read_step(const struct caucus_lines *lines, const char *word, int *step) {
    char *end;
    errno = 0;
    long value = strtol(word, &end, 10);
    if (*end || errno || value < -INT_MAX || value > INT_MAX)
        return bad_word(lines, word, "a whole number from -2147483647 to 2147483647");
    *step = (int)value;
    return CAUCUS_OK;
}

static int read_weight(const struct caucus_lines *lines, const char *word, double *weight) {
    char *end;
    *weight = caucus_number_read(word, &end);
    if (*end || !isfinite(*weight) || *weight < 0)
        return bad_word(lines, word, "a weight: it must be a finite number, not negative");
    return CAUCUS_OK;
}

static int read_offset(const struct caucus_lines *lines, int words, char *const *word, int *offset,
                       double *weight, int ndims) {
    long long line = lines->number;
    if (words != ndims && words != ndims + 1)
        return caucus_fail(CAUCUS_BAD_FILE,
                           "%s:%lld: the line of '%.60s' has %d words: %d steps and perhaps "
                           "a weight are needed",
                           lines->path, line, word[0], words, ndims);
    int moves = 0, status = CAUCUS_OK;
    for (int axis = 0; axis < ndims && !status; axis++) {
        status = read_step(lines, word[axis], &offset[axis]);
        moves += offset[axis] != 0;
    }
    *weight = 1;
    if (!status && words > ndims)
        status = read_weight(lines, word[ndims], weight);
    if (!status && !moves)
        return caucus_fail(CAUCUS_BAD_FILE,
                           "%s:%lld: the offset of '%.60s' is all zeros: a cell is no "
                           "neighbour of itself",
                           lines->path, line, word[0]);
    return status;
}

static int read_offsets(struct offsets *offsets, struct caucus_lines *lines) {
    enum { MOST_WORDS = CAUCUS_GRID_MAX_DIMS + 1 };
    char *word[MOST_WORDS];
    for (int words; (words = caucus_lines_next(lines, MOST_WORDS, word)) > 0; offsets->count++) {
        if (offsets->count == CAUCUS_STENCIL_MOST_OFFSETS)
            return caucus_fail(
                CAUCUS_BAD_FILE, "%s:%lld: '%.60s' begins one offset too many: there may be %d",
                lines->path, (long long)lines->number, word[0], CAUCUS_STENCIL_MOST_OFFSETS);
        int status = offsets->count == offsets->room ? make_room(offsets) : CAUCUS_OK;
        if (!status)
            status = read_offset(lines, words, word,
                                 offsets->offset + (size_t)offsets->count * (size_t)offsets->ndims,
                                 offsets->weight + offsets->count, offsets->ndims);
        if (status)
            return status;
    }
    return offsets->count
               ? CAUCUS_OK
               : caucus_fail(CAUCUS_BAD_FILE, "%s: the file has no offset: one per line is needed",
                             lines->path);
}

static int read_file(struct caucus_stencil *stencil, int ndims, const char *path) {
    if (ndims < 1 || ndims > CAUCUS_GRID_MAX_DIMS)
        return caucus_fail(CAUCUS_BAD_DIMS,
                           "%s: a file of offsets is for 1 to %d dimensions, not for %d", path,
                           CAUCUS_GRID_MAX_DIMS, ndims);
    struct caucus_lines lines;
    int status = caucus_lines_open(&lines, path);
    if (status)
        return status;
    struct offsets offsets = {.ndims = ndims};
    status = read_offsets(&offsets, &lines);
    if (!status)
        status = caucus_stencil_init(stencil, ndims, offsets.count, offsets.offset, offsets.weight);
    free(offsets.offset);
    free(offsets.weight);
    caucus_lines_close(&lines);
    return status;
}

int caucus_stencil_init_box(struct caucus_stencil *stencil, int ndims) {
    memset(stencil, 0, sizeof *stencil);
    if (caucus_grid_check_ndims(ndims))
        return CAUCUS_BAD_DIMS;
    int all = 1;
    for (int axis = 0; axis < ndims; axis++)
        all *= 3;
    int *offset = caucus_array((int64_t)all * ndims, sizeof *offset);
    if (!offset)
        return CAUCUS_NO_MEMORY;
    int count = 0;
    for (int code = 0; code < all; code++) {
        if (code == all / 2) /* all zeros */
            continue;
        for (int axis = ndims - 1, rest = code; axis >= 0; axis--, rest /= 3)
            offset[count * ndims + axis] = rest % 3 - 1;
        count++;
    }
    int status = caucus_stencil_init(stencil, ndims, count, offset, NULL);
    free(offset);
    return status;
}

int caucus_stencil_parse(struct caucus_stencil *stencil, int ndims, const char *text) {
    memset(stencil, 0, sizeof *stencil);
    if (!text || !*text)
        return caucus_fail(CAUCUS_BAD_ARGUMENT,
                           "no stencil is named: star, box or the path of a file");
    if (strcmp(text, "star") == 0)
        return caucus_stencil_init_star(stencil, ndims, NULL);
    if (strcmp(text, "box") == 0)
        return caucus_stencil_init_box(stencil, ndims);
    return read_file(stencil, ndims, text);
}
