/* SPDX-License-Identifier: BSD-3-Clause */
/* Combinations of little data on nodes of many ranks, in two stages: looking at 64 lines takes
 * longer than looking at 8 twice. The ranks of a node are teams of about √size neighbours.
 *
 *   stage 1   all copy their operands into their first slots; every member of a team combines those
 *             of its team into its second slot
 *   stage 2   a rank combines the second slots of one member of each team: that with its own place
 *             in the team, so that not all look at the same
 *
 * Where the result is for one rank, stage 1 is for one member of each team, its leader, and stage 2
 * for the reader, which leads its team. Everybody combines in the same order, that of ranks. With
 * no data it is a barrier, or the arrival of all at the reader. */
#include "plan/collective/node_parts.h"
#include "plan/collective/node_rounds.h"

enum { SMALLEST = 12 };

struct teams {
    struct caucus_builder *builder;
    const struct caucus_node *node;
    int32_t reader, each; /* ranks of a team, of the last one perhaps less */
    int64_t bytes;
    int32_t line[2]; /* of a stage: the first of the ranks' */
    bool in_lines;
    int64_t lead; /* where data begins in a line */
    struct caucus_place memory;
};

static int32_t team_size(int32_t size) {
    int32_t each = 1;
    while (each * each < size)
        each++;
    return each;
}

bool caucus_node_has_teams(int32_t size, int64_t bytes, int64_t limit) {
    return size >= SMALLEST && bytes <= CAUCUS_NODE_PIECE &&
           2 * size * caucus_node_slot_bytes(bytes) <= limit;
}

double caucus_node_teams_cost(const struct caucus_model *model, int32_t size, double bytes) {
    double each = team_size(size), teams = (size + each - 1) / each;
    double data = (each + teams - 2) * (model->operation + bytes * model->reduce_byte) +
                  3 * (model->operation + bytes * model->copy_byte);
    return caucus_node_synchronization(model, each) + (teams - 1) * model->operation +
           caucus_node_synchronization(model, teams) + (bytes > 0 ? data : 0);
}

static struct caucus_place slot(const struct teams *teams, int stage, int32_t rank) {
    if (teams->in_lines)
        return caucus_at(caucus_line_payload(teams->line[stage] + rank), teams->lead);
    int64_t index = (int64_t)stage * teams->node->size + rank;
    return caucus_at(teams->memory, index * caucus_node_slot_bytes(teams->bytes));
}

static int32_t team_end(const struct teams *teams, int32_t begin) {
    int32_t end = begin + teams->each;
    return end < teams->node->size ? end : teams->node->size;
}

/* Who stands for the team that begins there. */
static int32_t chosen(const struct teams *teams, int32_t begin) {
    int32_t end = team_end(teams, begin);
    if (teams->reader == CAUCUS_EVERYBODY)
        return begin + teams->node->local % teams->each % (end - begin);
    return teams->reader >= begin && teams->reader < end ? teams->reader : begin;
}

static void signal(struct teams *teams, int stage) {
    caucus_end_step(teams->builder);
    caucus_emit_signal(teams->builder, teams->line[stage] + teams->node->local, 1);
}

static void combine_team(struct teams *teams, int32_t begin) {
    struct caucus_place target = slot(teams, 1, teams->node->local);
    int32_t end = team_end(teams, begin);
    caucus_emit_await(teams->builder, teams->line[0] + begin, end - begin, 1);
    caucus_end_step(teams->builder);
    caucus_emit_copy(teams->builder, slot(teams, 0, end - 1), target, teams->bytes);
    for (int32_t rank = end - 1; rank-- > begin;) {
        caucus_end_step(teams->builder);
        caucus_emit_reduce(teams->builder, slot(teams, 0, rank), target, teams->bytes);
    }
    signal(teams, 1);
}

static void combine_teams(struct teams *teams, struct caucus_place out) {
    int32_t last = (teams->node->size - 1) / teams->each * teams->each;
    for (int32_t begin = 0; begin <= last; begin += teams->each)
        caucus_emit_await(teams->builder, teams->line[1] + chosen(teams, begin), 1, 1);
    caucus_end_step(teams->builder);
    caucus_emit_copy(teams->builder, slot(teams, 1, chosen(teams, last)), out, teams->bytes);
    for (int32_t begin = last; begin > 0;) {
        begin -= teams->each;
        caucus_end_step(teams->builder);
        caucus_emit_reduce(teams->builder, slot(teams, 1, chosen(teams, begin)), out, teams->bytes);
    }
    caucus_end_step(teams->builder);
}

void caucus_node_combine_in_teams(struct caucus_builder *builder, const struct caucus_node *node,
                                  int32_t reader, struct caucus_place in, struct caucus_place out,
                                  int64_t bytes, int64_t element) {
    struct teams teams = {.builder = builder, .node = node, .reader = reader, .bytes = bytes};
    int32_t begin = node->local - node->local % team_size(node->size);
    teams.each = team_size(node->size);
    teams.lead = caucus_line_lead(element);
    teams.in_lines = bytes <= CAUCUS_LINE_PAYLOAD - teams.lead;
    teams.line[0] = caucus_reserve_lines(builder, node->size);
    teams.line[1] = caucus_reserve_lines(builder, node->size);
    if (!teams.in_lines)
        teams.memory = caucus_reserve_node(builder, 2 * node->size * caucus_node_slot_bytes(bytes));
    caucus_emit_copy(builder, in, slot(&teams, 0, node->local), bytes);
    signal(&teams, 0);
    if (reader == CAUCUS_EVERYBODY || chosen(&teams, begin) == node->local)
        combine_team(&teams, begin);
    if (reader == CAUCUS_EVERYBODY || reader == node->local)
        combine_teams(&teams, out);
    caucus_end_step(builder);
}
