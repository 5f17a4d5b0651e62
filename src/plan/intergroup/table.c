/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/intergroup/intergroup.h"

#include <stddef.h>
#include <string.h>

#define ALGORITHM(name) extern const struct caucus_algorithm caucus_intergroup_##name;
#define ALIKE(name) extern const struct caucus_algorithm caucus_##name;
#include "plan/intergroup/algorithms.h"
#undef ALGORITHM
#undef ALIKE

#define ALGORITHM(name) &caucus_intergroup_##name,
#define ALIKE(name) &caucus_##name,
static const struct caucus_algorithm *const table[] = {
#include "plan/intergroup/algorithms.h"
};
#undef ALGORITHM
#undef ALIKE

enum { ALGORITHMS = sizeof table / sizeof *table };

const struct caucus_algorithm *caucus_intergroup_algorithm(int index) {
    return index >= 0 && index < ALGORITHMS ? table[index] : NULL;
}

const struct caucus_algorithm *caucus_intergroup_algorithm_find(enum caucus_collective collective,
                                                                const char *name) {
    for (int i = 0; i < ALGORITHMS; i++)
        if (table[i]->collective == collective && strcmp(table[i]->name, name) == 0)
            return table[i];
    return NULL;
}

const struct caucus_algorithm *caucus_intergroup_direct(enum caucus_collective collective) {
    return caucus_intergroup_algorithm_find(collective, "direct");
}
