/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/support/left_behind.h"

#include "base/memory.h"

#include <stdatomic.h>

struct left {
    void *block;
    struct left *next;
};

void caucus_leave_behind(void *block) {
    static struct left *_Atomic all;
    struct left *left = block ? caucus_array(1, sizeof *left) : NULL;
    if (!left)
        return;
    left->block = block;
    left->next = all;
    while (!atomic_compare_exchange_weak(&all, &left->next, left))
        continue;
}
