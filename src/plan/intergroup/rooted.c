/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/intergroup/rooted.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>

static struct caucus_group_blocks without_root(const struct caucus_task *task) {
    bool root_in_second = task->root >= task->first_group;
    struct caucus_group_blocks side = {task->first_group, task->ranks - task->first_group,
                                       task->bytes,
                                       task->send_bytes ? task->send_bytes : task->receive_bytes};
    if (root_in_second) {
        side.first = 0;
        side.ranks = task->first_group;
    }
    return side;
}

bool caucus_rooted_enter(struct caucus_rooted *rooted, struct caucus_builder *builder,
                         const struct caucus_task *task) {
    struct caucus_group_blocks side = without_root(task);
    *rooted = (struct caucus_rooted){.side = side};
    if (task->root == CAUCUS_ROOT_ELSEWHERE)
        return false;
    rooted->ranks = caucus_array((int64_t)side.ranks + 1, sizeof *rooted->ranks);
    rooted->lengths = caucus_array((int64_t)side.ranks + 1, sizeof *rooted->lengths);
    if (!rooted->ranks || !rooted->lengths) {
        caucus_builder_fail(builder, CAUCUS_NO_MEMORY, "no memory for a group of %d ranks",
                            (int)side.ranks + 1);
        free(rooted->ranks);
        free(rooted->lengths);
        return false;
    }
    rooted->ranks[0] = task->root;
    for (int32_t i = 0; i < side.ranks; i++) {
        rooted->ranks[i + 1] = side.first + i;
        rooted->lengths[i + 1] = caucus_group_block(&side, i);
    }
    struct caucus_group group = {.size = side.ranks + 1, .ranks = rooted->ranks};
    if (task->rank != task->root)
        group.rank = task->rank - side.first + 1;
    rooted->before = caucus_enter_group(builder, group);
    return true;
}

void caucus_rooted_leave(struct caucus_rooted *rooted, struct caucus_builder *builder) {
    caucus_enter_group(builder, rooted->before);
    free(rooted->ranks);
    free(rooted->lengths);
}

struct caucus_task caucus_rooted_common(const struct caucus_task *common) {
    struct caucus_task task = *common;
    task.ranks = without_root(common).ranks + 1;
    task.first_group = task.rank = task.root = 0;
    task.send_bytes = task.receive_bytes = NULL;
    return task;
}
