/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/layout/pattern.h"

#include "base/memory.h"

#include <stdlib.h>

static struct caucus_pattern *make(enum caucus_pattern_kind kind, int64_t size, int64_t count,
                                   int64_t stride, int64_t parts) {
    struct caucus_pattern *pattern = caucus_array(1, sizeof *pattern);
    if (!pattern)
        return NULL;
    *pattern = (struct caucus_pattern){
        .kind = kind, .references = 1, .size = size, .count = count, .stride = stride};
    if (parts > 0) {
        pattern->part = caucus_array(parts, sizeof *pattern->part);
        if (!pattern->part) {
            free(pattern);
            return NULL;
        }
    }
    return pattern;
}

struct caucus_pattern *caucus_pattern_share(struct caucus_pattern *pattern) {
    if (pattern)
        pattern->references++;
    return pattern;
}

void caucus_pattern_release(struct caucus_pattern *pattern) {
    if (!pattern || --pattern->references > 0)
        return;
    int64_t parts = pattern->kind == CAUCUS_PATTERN_SEQUENCE
                        ? pattern->count
                        : pattern->kind == CAUCUS_PATTERN_REPEAT;
    for (int64_t i = 0; i < parts; i++)
        caucus_pattern_release(pattern->part[i].pattern);
    free(pattern->part);
    free(pattern);
}

struct caucus_pattern *caucus_pattern_run(int64_t size) {
    return make(CAUCUS_PATTERN_RUN, size, 1, 0, 0);
}

bool caucus_pattern_is_run(const struct caucus_pattern *pattern, int64_t *displacement) {
    *displacement = 0;
    while (pattern->kind == CAUCUS_PATTERN_SEQUENCE && pattern->count == 1) {
        *displacement += pattern->part[0].displacement;
        pattern = pattern->part[0].pattern;
    }
    return pattern->kind == CAUCUS_PATTERN_RUN;
}

struct caucus_pattern *caucus_pattern_repeat(struct caucus_pattern *child, int64_t count,
                                             int64_t stride) {
    if (!child || count == 1)
        return child;
    int64_t size = child->size;
    if (count == 0 || size == 0) {
        caucus_pattern_release(child);
        return caucus_pattern_run(0);
    }
    if (child->kind == CAUCUS_PATTERN_RUN && stride == size) {
        caucus_pattern_release(child);
        return caucus_pattern_run(count * size);
    }
    if (child->kind == CAUCUS_PATTERN_REPEAT && stride == child->count * child->stride) {
        struct caucus_pattern *inner = caucus_pattern_share(child->part[0].pattern);
        int64_t all = count * child->count, inner_stride = child->stride;
        caucus_pattern_release(child);
        return caucus_pattern_repeat(inner, all, inner_stride);
    }
    struct caucus_pattern *pattern = make(CAUCUS_PATTERN_REPEAT, count * size, count, stride, 1);
    if (!pattern) {
        caucus_pattern_release(child);
        return NULL;
    }
    pattern->part[0].pattern = child;
    return pattern;
}

/* Appends a part to those of pattern; runs that touch become one. */
static bool append(struct caucus_pattern *pattern, struct caucus_part part) {
    int64_t within;
    if (part.pattern->size == 0) {
        caucus_pattern_release(part.pattern);
        return true;
    }
    if (caucus_pattern_is_run(part.pattern, &within)) {
        struct caucus_part *last = pattern->count > 0 ? &pattern->part[pattern->count - 1] : NULL;
        bool touches = last && last->pattern->kind == CAUCUS_PATTERN_RUN &&
                       last->displacement + last->pattern->size == part.displacement + within;
        int64_t size = part.pattern->size + (touches ? last->pattern->size : 0);
        caucus_pattern_release(part.pattern);
        part.displacement += within;
        part.pattern = caucus_pattern_run(size);
        if (!part.pattern)
            return false;
        pattern->size += size;
        if (touches) {
            pattern->size -= last->pattern->size;
            caucus_pattern_release(last->pattern);
            last->pattern = part.pattern;
            return true;
        }
        pattern->size -= size;
    }
    part.packed_at = pattern->size;
    pattern->size += part.pattern->size;
    pattern->part[pattern->count++] = part;
    return true;
}

/* A sequence of equal runs at equal distances is a repetition of one. */
static bool is_regular(const struct caucus_pattern *pattern) {
    const struct caucus_part *part = pattern->part;
    if (pattern->count < 3 || part[0].pattern->kind != CAUCUS_PATTERN_RUN)
        return false;
    int64_t stride = part[1].displacement - part[0].displacement;
    for (int64_t i = 1; i < pattern->count; i++)
        if (part[i].pattern->kind != CAUCUS_PATTERN_RUN ||
            part[i].pattern->size != part[0].pattern->size ||
            part[i].displacement - part[i - 1].displacement != stride)
            return false;
    return true;
}

static struct caucus_pattern *simplify(struct caucus_pattern *pattern) {
    if (pattern->count == 0) {
        caucus_pattern_release(pattern);
        return caucus_pattern_run(0);
    }
    if (pattern->count == 1 && pattern->part[0].displacement == 0) {
        struct caucus_pattern *only = caucus_pattern_share(pattern->part[0].pattern);
        caucus_pattern_release(pattern);
        return only;
    }
    if (is_regular(pattern)) {
        int64_t first = pattern->part[0].displacement, count = pattern->count;
        int64_t stride = pattern->part[1].displacement - first;
        struct caucus_pattern *run = caucus_pattern_share(pattern->part[0].pattern);
        caucus_pattern_release(pattern);
        return caucus_pattern_shift(caucus_pattern_repeat(run, count, stride), first);
    }
    if (pattern->count <
        INT32_MAX) { /* what was joined needs no room; a failure to shrink is none */
        void *fewer = realloc(pattern->part, (size_t)pattern->count * sizeof *pattern->part);
        pattern->part = fewer ? fewer : pattern->part;
    }
    return pattern;
}

struct caucus_pattern *caucus_pattern_sequence(int64_t count, const struct caucus_part *parts) {
    struct caucus_pattern *pattern = make(CAUCUS_PATTERN_SEQUENCE, 0, 0, 0, count > 0 ? count : 1);
    bool good = pattern != NULL;
    for (int64_t i = 0; i < count; i++) {
        if (good && parts[i].pattern)
            good = append(pattern, parts[i]);
        else {
            good = false;
            caucus_pattern_release(parts[i].pattern);
        }
    }
    if (good)
        return simplify(pattern);
    caucus_pattern_release(pattern);
    return NULL;
}

struct caucus_pattern *caucus_pattern_shift(struct caucus_pattern *child, int64_t displacement) {
    struct caucus_part part = {.displacement = displacement, .pattern = child};
    if (!child || displacement == 0)
        return child;
    return caucus_pattern_sequence(1, &part);
}
