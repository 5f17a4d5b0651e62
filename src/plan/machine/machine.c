/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/machine/machine.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

/* Renumbers labels (0 .. highest) in place by first appearance; *parts is how many differ. */
static int renumber(int64_t ranks, int32_t highest, int32_t *label, int32_t *parts) {
    int32_t *number = caucus_array((int64_t)highest + 1, sizeof *number);
    if (!number)
        return CAUCUS_NO_MEMORY;
    *parts = 0;
    for (int64_t rank = 0; rank < ranks; rank++) {
        if (number[label[rank]] == 0)
            number[label[rank]] = ++*parts;
        label[rank] = number[label[rank]] - 1;
    }
    free(number);
    return CAUCUS_OK;
}

int caucus_machine_init(struct caucus_machine *machine, int64_t ranks,
                        const int32_t *node_of_rank) {
    memset(machine, 0, sizeof *machine);
    if (ranks < 1)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "%lld ranks: at least one is needed",
                           (long long)ranks);
    int32_t highest = 0;
    for (int64_t rank = 0; rank < ranks; rank++) {
        if (node_of_rank[rank] < 0)
            return caucus_fail(CAUCUS_BAD_ARGUMENT,
                               "rank %lld has node %d: node numbers start at 0", (long long)rank,
                               node_of_rank[rank]);
        highest = node_of_rank[rank] > highest ? node_of_rank[rank] : highest;
    }
    int32_t *label = caucus_array_copy(node_of_rank, ranks, sizeof *label);
    if (!label)
        return CAUCUS_NO_MEMORY;
    machine->ranks = ranks;
    machine->levels = 1;
    machine->part_of_rank[CAUCUS_LEVEL_NODE] = label;
    int status = renumber(ranks, highest, label, &machine->parts[CAUCUS_LEVEL_NODE]);
    if (status)
        caucus_machine_free(machine);
    return status;
}

int caucus_machine_nodes(const struct caucus_machine *machine, struct caucus_nodes *nodes) {
    int32_t count = machine->parts[CAUCUS_LEVEL_NODE];
    int32_t *size = caucus_array(count, sizeof *size);
    if (!size)
        return CAUCUS_NO_MEMORY;
    for (int64_t rank = 0; rank < machine->ranks; rank++)
        size[machine->part_of_rank[CAUCUS_LEVEL_NODE][rank]]++;
    int status = caucus_nodes_init(nodes, count, size);
    free(size);
    return status;
}

void caucus_machine_free(struct caucus_machine *machine) {
    for (int level = 0; level < CAUCUS_LEVELS; level++)
        free(machine->part_of_rank[level]);
    if (machine->node_name)
        for (int32_t node = 0; node < machine->parts[CAUCUS_LEVEL_NODE]; node++)
            free(machine->node_name[node]);
    free(machine->node_name);
    memset(machine, 0, sizeof *machine);
}
