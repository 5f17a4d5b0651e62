/* SPDX-License-Identifier: BSD-3-Clause */
/* From the events of a simulation to marks. It is run twice: first for how long it takes, so that
 * the second run can put each event where it belongs at once, and marks that look alike together.
 */
#include "study/draw/draw.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>

enum { FINE = 4000, COARSE = 150, FIRST_SLOTS = 1 << 10 };

/* For the callback. */
struct collector {
    struct caucus_drawing *drawing;
    const struct caucus_scene *scene;
};

static uint64_t hash(const struct caucus_mark *mark) {
    uint64_t parts[5] = {(uint64_t)mark->kind, (uint64_t)mark->row, (uint64_t)mark->to,
                         (uint64_t)mark->begin, (uint64_t)mark->end};
    uint64_t mixed = 0;
    for (int i = 0; i < 5; i++)
        mixed = (mixed ^ parts[i]) * 0x9e3779b97f4a7c15u;
    return mixed ^ mixed >> 31;
}

static int order(const struct caucus_mark *a, const struct caucus_mark *b) {
    const int32_t of_a[] = {a->kind, a->row, a->to, a->begin, a->end};
    const int32_t of_b[] = {b->kind, b->row, b->to, b->begin, b->end};
    for (int i = 0; i < 5; i++)
        if (of_a[i] != of_b[i])
            return of_a[i] < of_b[i] ? -1 : 1;
    return 0;
}

static int compare(const void *a, const void *b) {
    return order(a, b);
}

/* The slot of a mark that looks like this one, or a free one. */
static int64_t *find(struct caucus_drawing *drawing, const struct caucus_mark *mark) {
    int64_t mask = drawing->slot_count - 1, at = (int64_t)(hash(mark) & (uint64_t)mask);
    while (drawing->slots[at] && order(&drawing->marks[drawing->slots[at] - 1], mark) != 0)
        at = (at + 1) & mask;
    return &drawing->slots[at];
}

static bool grow(struct caucus_drawing *drawing) {
    int64_t slots = drawing->slot_count ? 2 * drawing->slot_count : FIRST_SLOTS;
    int64_t room = slots / 2;
    struct caucus_mark *marks = realloc(drawing->marks, (size_t)room * sizeof *marks);
    if (marks)
        drawing->marks = marks;
    free(drawing->slots);
    drawing->slots = caucus_array(slots, sizeof *drawing->slots);
    if (!marks || !drawing->slots)
        return false;
    drawing->room = room;
    drawing->slot_count = slots;
    for (int64_t i = 0; i < drawing->count; i++)
        *find(drawing, &drawing->marks[i]) = i + 1;
    return true;
}

static void add(struct caucus_drawing *drawing, struct caucus_mark mark) {
    drawing->count_of_kind[mark.kind]++;
    if (drawing->count == drawing->room && !grow(drawing)) {
        drawing->status = caucus_fail(CAUCUS_NO_MEMORY, "no memory for a drawing of %lld marks",
                                      (long long)drawing->count);
        return;
    }
    int64_t *slot = find(drawing, &mark);
    if (*slot == 0) {
        drawing->marks[drawing->count] = mark;
        *slot = ++drawing->count;
    }
    drawing->marks[*slot - 1].count++;
}

static int32_t step_at(const struct caucus_drawing *drawing, double time) {
    double all = drawing->simulation.seconds;
    return all > 0 ? (int32_t)(time / all * drawing->steps + 0.5) : 0;
}

static bool share_a_node(const struct caucus_scene *scene, int32_t a, int32_t b) {
    return scene->nodes
               ? caucus_node_of_rank(scene->nodes, a) == caucus_node_of_rank(scene->nodes, b)
               : a == b;
}

static void on_event(void *context, const struct caucus_simulated_event *event) {
    static const int32_t kinds[CAUCUS_OPERATION_KINDS] = {
        [CAUCUS_OPERATION_SEND] = CAUCUS_MARK_SEND,
        [CAUCUS_OPERATION_COPY] = CAUCUS_MARK_COPY,
        [CAUCUS_OPERATION_REDUCE] = CAUCUS_MARK_REDUCE,
        [CAUCUS_OPERATION_SIGNAL] = CAUCUS_MARK_SIGNAL,
        [CAUCUS_OPERATION_AWAIT] = CAUCUS_MARK_AWAIT,
    };
    const struct collector *collector = context;
    struct caucus_drawing *drawing = collector->drawing;
    const int32_t *row_of_rank = drawing->rows.row_of_rank;
    struct caucus_mark mark = {.kind = kinds[event->kind],
                               .row = row_of_rank[event->rank],
                               .begin = step_at(drawing, event->begin),
                               .end = step_at(drawing, event->end)};
    if (event->kind == CAUCUS_OPERATION_RECEIVE) {
        mark.kind = share_a_node(collector->scene, event->rank, event->peer) ? CAUCUS_MARK_WITHIN
                                                                             : CAUCUS_MARK_BETWEEN;
        mark.to = mark.row;
        mark.row = row_of_rank[event->peer];
        mark.begin = step_at(drawing, event->sent);
    }
    if (!drawing->status)
        add(drawing, mark);
}

int caucus_drawing_init(struct caucus_drawing *drawing, const struct caucus_scene *scene) {
    struct collector collector = {drawing, scene};
    struct caucus_simulation again;
    *drawing = (struct caucus_drawing){0};
    int status = caucus_rows_init(&drawing->rows, scene) ? CAUCUS_NO_MEMORY : CAUCUS_OK;
    drawing->steps = drawing->rows.grouped ? COARSE : FINE;
    if (!status)
        status = caucus_schedule_simulate(scene->ranks, scene->schedules, scene->nodes,
                                          scene->model, NULL, NULL, &drawing->simulation);
    if (!status)
        status = caucus_schedule_simulate(scene->ranks, scene->schedules, scene->nodes,
                                          scene->model, on_event, &collector, &again);
    if (!status)
        status = drawing->status;
    if (status)
        caucus_drawing_free(drawing);
    else if (drawing->count > 0)
        qsort(drawing->marks, (size_t)drawing->count, sizeof *drawing->marks, compare);
    return status;
}

void caucus_drawing_free(struct caucus_drawing *drawing) {
    caucus_rows_free(&drawing->rows);
    free(drawing->marks);
    free(drawing->slots);
    *drawing = (struct caucus_drawing){0};
}
