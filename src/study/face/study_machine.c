/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the ranks of a study lie. */
#include "base/memory.h"
#include "base/status.h"
#include "plan/machine/machine.h"
#include "study/face/study.h"

#include <stdlib.h>
#include <string.h>

/* Nodes of this text's ranks come after those that are there. */
static int add_nodes(const char *text, int64_t ranks, int32_t *node_of_rank, int32_t *nodes) {
    struct caucus_machine machine = {0};
    int status = caucus_machine_parse(&machine, text, ranks);
    if (status)
        return status;
    for (int64_t rank = 0; rank < ranks; rank++)
        node_of_rank[rank] = *nodes + machine.part_of_rank[CAUCUS_LEVEL_NODE][rank];
    *nodes += machine.parts[CAUCUS_LEVEL_NODE];
    caucus_machine_free(&machine);
    return CAUCUS_OK;
}

/* Each group on nodes of its own: the text has a part for each of them, joined by a plus. */
static int read_two(struct caucus_study *study, const char *text, int32_t first, int32_t ranks) {
    const char *plus = strchr(text, '+');
    char *own = caucus_array(plus - text + 1, 1);
    int32_t *node_of_rank = caucus_array(ranks, sizeof *node_of_rank), nodes = 0;
    int status = own && node_of_rank ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    if (!status) {
        memcpy(own, text, (size_t)(plus - text));
        status = add_nodes(own, first, node_of_rank, &nodes);
    }
    if (!status)
        status = add_nodes(plus + 1, ranks - first, node_of_rank + first, &nodes);
    if (!status)
        status = caucus_node_map_init(&study->nodes, ranks, node_of_rank);
    free(own);
    free(node_of_rank);
    return status;
}

static int read_one(struct caucus_study *study, const char *text, int64_t *ranks) {
    struct caucus_machine machine = {0};
    int status = caucus_machine_parse(&machine, text, *ranks);
    if (!status)
        status = caucus_node_map_init(&study->nodes, (int32_t)machine.ranks,
                                      machine.part_of_rank[CAUCUS_LEVEL_NODE]);
    *ranks = machine.ranks;
    caucus_machine_free(&machine);
    return status;
}

/* A file's name may have a plus in it. */
static bool names_two(const char *text) {
    return strncmp(text, "file:", strlen("file:")) != 0 && strchr(text, '+');
}

int caucus_study_read_machine(struct caucus_study *study, const char *text, int64_t first_group,
                              int64_t *ranks) {
    if (!text || !*text)
        return *ranks > 0 ? CAUCUS_OK
                          : caucus_fail(CAUCUS_BAD_ARGUMENT, "%lld ranks: at least one is needed",
                                        (long long)*ranks);
    int status = first_group > 0 && first_group < *ranks && names_two(text)
                     ? read_two(study, text, (int32_t)first_group, (int32_t)*ranks)
                     : read_one(study, text, ranks);
    study->shares_memory = !status;
    return status;
}
