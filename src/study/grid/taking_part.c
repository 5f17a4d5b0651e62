/* SPDX-License-Identifier: BSD-3-Clause */
#include "study/grid/taking_part.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

/* The ranks, ascending, of which each node gives left[node]; empties left. */
static void pick(const struct caucus_machine *machine, int32_t *left, int32_t *picked) {
    int64_t count = 0;
    for (int64_t rank = 0; rank < machine->ranks; rank++)
        if (left[machine->part_of_rank[CAUCUS_LEVEL_NODE][rank]]-- > 0)
            picked[count++] = (int32_t)rank;
}

/* The labels of a level for the ranks picked, numbered by first appearance. */
static int copy_level(const struct caucus_machine *machine, int level, const int32_t *picked,
                      struct caucus_machine *part) {
    int32_t *number = caucus_array(machine->parts[level], sizeof *number);
    part->part_of_rank[level] = caucus_array(part->ranks, sizeof(int32_t));
    int status = number && part->part_of_rank[level] ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    for (int64_t rank = 0; rank < part->ranks && !status; rank++) {
        int32_t label = machine->part_of_rank[level][picked[rank]];
        if (number[label] == 0)
            number[label] = ++part->parts[level];
        part->part_of_rank[level][rank] = number[label] - 1;
    }
    free(number);
    return status;
}

static int select_ranks(const struct caucus_machine *machine, const int32_t *picked, int64_t ranks,
                        struct caucus_machine *part) {
    part->ranks = ranks;
    part->levels = machine->levels;
    for (int level = 0; level < machine->levels; level++) {
        int status = copy_level(machine, level, picked, part);
        if (status) {
            caucus_machine_free(part);
            return status;
        }
    }
    return CAUCUS_OK;
}

int caucus_machine_taking_part(const struct caucus_machine *machine, int64_t ranks,
                               struct caucus_machine *part, int32_t **rank_of_part) {
    memset(part, 0, sizeof *part);
    *rank_of_part = NULL;
    if (ranks == machine->ranks) {
        *part = *machine;
        return CAUCUS_OK;
    }
    struct caucus_nodes nodes;
    int status = caucus_machine_nodes(machine, &nodes);
    if (status)
        return status;
    int32_t *taken = caucus_array(nodes.count, sizeof *taken);
    int32_t *picked = caucus_array(ranks, sizeof *picked);
    status = taken && picked ? caucus_nodes_take(&nodes, ranks, taken) : CAUCUS_NO_MEMORY;
    if (!status) {
        pick(machine, taken, picked);
        status = select_ranks(machine, picked, ranks, part);
    }
    free(taken);
    caucus_nodes_free(&nodes);
    if (status)
        free(picked);
    else
        *rank_of_part = picked;
    return status;
}
