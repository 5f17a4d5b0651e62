/* SPDX-License-Identifier: BSD-3-Clause */
/* What a space-time diagram shows, before it becomes lines and boxes of a file. */
#ifndef CAUCUS_STUDY_DRAW_DRAW_H
#define CAUCUS_STUDY_DRAW_DRAW_H

#include "study/draw/scene.h"

enum caucus_mark_kind {
    CAUCUS_MARK_SEND, /* a rank is at work on a send */
    CAUCUS_MARK_COPY,
    CAUCUS_MARK_REDUCE,
    CAUCUS_MARK_AWAIT,
    CAUCUS_MARK_SIGNAL,
    CAUCUS_MARK_WITHIN,  /* a message within a node, */
    CAUCUS_MARK_BETWEEN, /* and between nodes */
    CAUCUS_MARKS
};

/* All that looks alike is one mark. */
struct caucus_mark {
    int32_t kind, row, to; /* to: the row where a message ends */
    int32_t begin, end;    /* in steps of the time axis */
    int64_t count;
};

/* The rows of a diagram: ranks, node by node, or groups of them. */
struct caucus_rows {
    int32_t count;
    int32_t *row_of_rank;
    int32_t *node_of_row;  /* of its first rank */
    int32_t *first_of_row; /* its first rank */
    int32_t *ranks_of_row;
    int32_t *first_group_of_row; /* how many of them are of the first of two groups */
    bool grouped;                /* some row has several ranks */
};

struct caucus_drawing {
    struct caucus_rows rows;
    struct caucus_simulation simulation;
    int32_t steps; /* of the time axis */
    struct caucus_mark *marks;
    int64_t count, room;                 /* of marks, which are sorted by kind, then place */
    int64_t *slots, slot_count;          /* private */
    int64_t count_of_kind[CAUCUS_MARKS]; /* operations, not marks */
    int status;
};

/* Simulates; what lies within one step of the time axis may become one mark. */
int caucus_drawing_init(struct caucus_drawing *drawing, const struct caucus_scene *scene);
void caucus_drawing_free(struct caucus_drawing *drawing);

int caucus_rows_init(struct caucus_rows *rows, const struct caucus_scene *scene);
void caucus_rows_free(struct caucus_rows *rows);

#endif
