/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/group/merge.h"

#include "plan/protocol/positions.h"

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
    return local > 0 ? begin + caucus_position_parent(local)
                     : tree->begin[caucus_position_parent(group)];
}

bool caucus_merge_reports(const struct caucus_merge_tree *tree, int32_t position) {
    return position > 0 && tree->begin[caucus_merge_group(tree, position)] == position;
}

int32_t caucus_merge_children(const struct caucus_merge_tree *tree, int32_t position,
                              int32_t children[CAUCUS_MERGE_CHILDREN]) {
    int32_t group = caucus_merge_group(tree, position), begin = tree->begin[group];
    int32_t size = tree->begin[group + 1] - begin, count = 0;
    if (position == begin)
        count = caucus_position_children(tree->groups, group, children);
    for (int32_t i = 0; i < count; i++)
        children[i] = tree->begin[children[i]];
    int32_t own = caucus_position_children(size, position - begin, children + count);
    for (int32_t i = count; i < count + own; i++)
        children[i] += begin;
    return count + own;
}
