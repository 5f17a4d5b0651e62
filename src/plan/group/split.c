/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/group/split.h"

/* Whether the one at `a` comes after the one at `b`. */
static int after(const struct caucus_split_wish *wishes, int32_t a, int32_t b) {
    if (wishes[a].key != wishes[b].key)
        return wishes[a].key > wishes[b].key;
    return a > b;
}

static void sink(const struct caucus_split_wish *wishes, int32_t *heap, int32_t at, int32_t count) {
    for (int64_t child = 2 * (int64_t)at + 1; child < count; child = 2 * (int64_t)at + 1) {
        if (child + 1 < count && after(wishes, heap[child + 1], heap[child]))
            child++;
        if (!after(wishes, heap[child], heap[at]))
            return;
        int32_t swapped = heap[at];
        heap[at] = heap[child];
        heap[child] = swapped;
        at = (int32_t)child;
    }
}

/* In place and without help from outside: qsort's comparison cannot be told of the wishes. */
static void sort(const struct caucus_split_wish *wishes, int32_t *positions, int32_t count) {
    for (int32_t at = count / 2; at-- > 0;)
        sink(wishes, positions, at, count);
    for (int32_t last = count - 1; last > 0; last--) {
        int32_t greatest = positions[0];
        positions[0] = positions[last];
        positions[last] = greatest;
        sink(wishes, positions, 0, last);
    }
}

int32_t caucus_split(const struct caucus_split_wish *wishes, int32_t n, int32_t me,
                     int32_t *positions) {
    int32_t count = 0;
    for (int32_t i = 0; i < n && wishes[me].colour >= 0; i++)
        if (wishes[i].colour == wishes[me].colour)
            positions[count++] = i;
    sort(wishes, positions, count);
    return count;
}
