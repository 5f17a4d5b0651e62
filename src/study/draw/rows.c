/* SPDX-License-Identifier: BSD-3-Clause */
/* Which ranks share a row of a diagram. */
#include "base/memory.h"
#include "study/draw/draw.h"

#include <stdlib.h>

enum { MOST_ROWS = 64 };

void caucus_rows_free(struct caucus_rows *rows) {
    free(rows->row_of_rank);
    free(rows->node_of_row);
    free(rows->first_of_row);
    free(rows->ranks_of_row);
    free(rows->first_group_of_row);
    *rows = (struct caucus_rows){0};
}

void caucus_scene_name(const struct caucus_scene *scene, int32_t rank, char *name, size_t room) {
    int32_t first = scene->first_group;
    bool second = rank >= first;
    snprintf(name, room, "%s%d",
             first == 0 ? ""
             : second   ? "B"
                        : "A",
             second ? rank - first : rank);
}

static int32_t rank_at(const struct caucus_scene *scene, int32_t place) {
    return scene->nodes ? caucus_rank_at(scene->nodes, place) : place;
}

static int32_t node_of(const struct caucus_scene *scene, int32_t rank) {
    return scene->nodes ? caucus_node_of_rank(scene->nodes, rank) : rank;
}

static int32_t share(int32_t number, int32_t of, int32_t rows) {
    return (int32_t)((int64_t)number * rows / of);
}

/* A row for each rank, or for each node, or for as many nodes or ranks as must be. */
int caucus_rows_init(struct caucus_rows *rows, const struct caucus_scene *scene) {
    int32_t ranks = scene->ranks, nodes = scene->nodes ? scene->nodes->nodes : ranks;
    bool by_node = ranks > MOST_ROWS && nodes > 1;
    int32_t units = by_node ? nodes : ranks;
    int32_t count = units < MOST_ROWS ? units : MOST_ROWS;
    *rows = (struct caucus_rows){
        .count = count,
        .grouped = count < ranks,
        .row_of_rank = caucus_array(ranks, sizeof *rows->row_of_rank),
        .node_of_row = caucus_array(count, sizeof *rows->node_of_row),
        .first_of_row = caucus_array(count, sizeof *rows->first_of_row),
        .ranks_of_row = caucus_array(count, sizeof *rows->ranks_of_row),
        .first_group_of_row = caucus_array(count, sizeof *rows->first_group_of_row),
    };
    if (!rows->row_of_rank || !rows->node_of_row || !rows->first_of_row || !rows->ranks_of_row ||
        !rows->first_group_of_row) {
        caucus_rows_free(rows);
        return 1;
    }
    for (int32_t place = 0; place < ranks; place++) {
        int32_t rank = rank_at(scene, place);
        int32_t row = share(by_node ? node_of(scene, rank) : place, units, count);
        rows->row_of_rank[rank] = row;
        rows->first_group_of_row[row] += rank < scene->first_group;
        if (rows->ranks_of_row[row]++ == 0) {
            rows->first_of_row[row] = rank;
            rows->node_of_row[row] = node_of(scene, rank);
        }
    }
    return 0;
}
