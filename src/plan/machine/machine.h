/* SPDX-License-Identifier: BSD-3-Clause */
/* Where every rank lies: its node, and inside the node its package and shared cache. O(ranks)
 * memory: for planning without MPI, and for the one rank that plans centrally. */
#ifndef CAUCUS_PLAN_MACHINE_MACHINE_H
#define CAUCUS_PLAN_MACHINE_MACHINE_H

#include "plan/machine/nodes.h"

#include <stdint.h>

enum caucus_level { CAUCUS_LEVEL_NODE, CAUCUS_LEVEL_PACKAGE, CAUCUS_LEVEL_CACHE, CAUCUS_LEVELS };

struct caucus_machine {
    int64_t ranks;
    int levels;                   /* 1 (only nodes are known) to CAUCUS_LEVELS */
    int32_t parts[CAUCUS_LEVELS]; /* how many nodes, packages and caches there are in all */
    /* [level][rank], numbered from 0 by first appearance; a part of a level lies within one part of
     * the level above. */
    int32_t *part_of_rank[CAUCUS_LEVELS];
    char **node_name; /* parts[0] names, or NULL where none were given */
};

/* Reads a description:
 *   4x8            4 nodes of 8 ranks, by blocks
 *   cyclic:4       4 nodes, ranks dealt out round-robin (ranks must be known)
 *   40*48,15*32    40 nodes of 48, then 15 of 32, by blocks ("5,3,4" too)
 *   file:PATH      one line per rank: node [package [cache]], any words; # starts a comment
 *   ppn:16         blocks of 16, the last node smaller
 * ranks is how many there are, or 0 to take what the text says. A description of fewer ranks than
 * given, or malformed in any way, fails with a text that names the place (file, line, word); more
 * ranks than given fail too. A package or cache name is local to its node. */
int caucus_machine_parse(struct caucus_machine *machine, const char *text, int64_t ranks);

/* From an array node_of_rank (any numbers at least 0; renumbered by first appearance). */
int caucus_machine_init(struct caucus_machine *machine, int64_t ranks, const int32_t *node_of_rank);

int caucus_machine_nodes(const struct caucus_machine *machine, struct caucus_nodes *nodes);
void caucus_machine_free(struct caucus_machine *machine);

#endif
