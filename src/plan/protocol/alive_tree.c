/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/protocol/alive_tree.h"

int32_t caucus_alive_root(const struct caucus_alive_tree *tree) {
    int32_t root = 0;
    while (caucus_set_has(tree->dead, root))
        root++; /* ends at me */
    return root;
}

int32_t caucus_alive_up(const struct caucus_alive_tree *tree) {
    for (int32_t member = tree->me; member != 0;) {
        member = caucus_position_parent(member);
        if (!caucus_set_has(tree->dead, member))
            return member;
    }
    return caucus_alive_root(tree);
}

static int32_t top(const struct caucus_alive_tree *tree) {
    return caucus_alive_root(tree) == tree->me ? 0 : tree->me;
}

/* Nobody to wait for: its children stand for it. */
static bool passes(const struct caucus_alive_tree *tree, int32_t member) {
    return member == tree->me || caucus_set_has(tree->dead, member);
}

bool caucus_alive_is_child(const struct caucus_alive_tree *tree, int32_t member) {
    if (passes(tree, member))
        return false;
    for (int32_t last = top(tree); member != last;) {
        if (member == 0)
            return false;
        member = caucus_position_parent(member);
        if (!passes(tree, member))
            return false;
    }
    return true;
}

/* Members of a subtree are consecutive, each followed by those below it. */
bool caucus_alive_covers(const struct caucus_alive_tree *tree, const uint64_t *set) {
    int32_t first = top(tree), end = caucus_position_end(tree->members, first);
    for (int32_t member = first; member < end;) {
        if (member != tree->me && caucus_set_has(set, member))
            member = caucus_position_end(tree->members, member);
        else if (passes(tree, member))
            member++;
        else
            return false;
    }
    return true;
}
