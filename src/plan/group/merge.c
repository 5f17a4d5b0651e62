/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/group/merge.h"

int32_t caucus_merge_group(const struct caucus_merge_tree *tree, int32_t position) {
    int32_t low = 0, high = tree->groups;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (tree->begin[middle] <= position)
            low = middle;
        else
            high = middle;
    }
    return low;
}

int32_t caucus_merge_parent(const struct caucus_merge_tree *tree, int32_t position) {
    if (position == 0)
        return -1;
    int32_t group = caucus_merge_group(tree, position);
    int32_t begin = tree->begin[group], local = position - begin;
    return local > 0 ? begin + (local & (local - 1)) : tree->begin[group & (group - 1)];
}

bool caucus_merge_reports(const struct caucus_merge_tree *tree, int32_t position) {
    return position > 0 && tree->begin[caucus_merge_group(tree, position)] == position;
}

/* The children of one in the binomial tree of `size`: how far they are from it, far first. */
static int32_t add_binomial(int32_t size, int32_t one, int32_t *distance) {
    int64_t bit = 1, reach = one == 0 ? size : one & -one;
    int32_t count = 0;
    while (bit < reach && one + bit < size)
        bit *= 2;
    for (bit /= 2; bit > 0; bit /= 2)
        distance[count++] = (int32_t)bit;
    return count;
}

int32_t caucus_merge_children(const struct caucus_merge_tree *tree, int32_t position,
                              int32_t children[CAUCUS_MERGE_CHILDREN]) {
    int32_t group = caucus_merge_group(tree, position), begin = tree->begin[group];
    int32_t size = tree->begin[group + 1] - begin, count = 0;
    if (position == begin) {
        count = add_binomial(tree->groups, group, children);
        for (int32_t i = 0; i < count; i++)
            children[i] = tree->begin[group + children[i]];
    }
    int32_t own = add_binomial(size, position - begin, children + count);
    for (int32_t i = count; i < count + own; i++)
        children[i] += position;
    return count + own;
}
