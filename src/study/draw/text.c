/* SPDX-License-Identifier: BSD-3-Clause */
/* A schedule as a table: a line for each step, a column for each rank. */
#include "base/memory.h"
#include "base/status.h"
#include "study/draw/scene.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE_WIDTH = 100, MOST_RANKS = 64, MOST_STEPS = 200, CELL_ROOM = 64, PEERS_SHOWN = 2 };

/* Lines above the steps, which count from 0. */
enum { NODE = -3, GROUP, RANK };

struct table {
    const struct caucus_scene *scene;
    int32_t ranks;  /* shown */
    int64_t steps;  /* shown, of the rank that has most */
    char *cells;    /* [rank][step], CELL_ROOM each */
    int32_t *width; /* of each column */
};

static char *cell(const struct table *table, int32_t rank, int64_t step) {
    return table->cells + ((int64_t)rank * table->steps + step) * CELL_ROOM;
}

/* How many columns of a terminal a text in UTF-8 takes. */
static int32_t columns(const char *text) {
    int32_t count = 0;
    for (; *text; text++)
        count += ((unsigned char)*text & 0xc0) != 0x80;
    return count;
}

static void append(char *text, const char *sign, long long number) {
    size_t length = strlen(text);
    snprintf(text + length, CELL_ROOM - length, number < 0 ? "%s%s" : "%s%s%lld", length ? " " : "",
             sign, number);
}

/* What a step does of one kind: each peer, or how many where there are too many. */
static void describe(char *text, const struct caucus_operation *operation, int64_t count,
                     int kind) {
    static const char *const signs[CAUCUS_OPERATION_KINDS] = {"→", "←", "c", "+", "!", "?"};
    char several[16];
    int64_t found = 0;
    for (int64_t i = 0; i < count; i++)
        found += operation[i].kind == kind;
    bool counted = kind == CAUCUS_OPERATION_COPY || kind == CAUCUS_OPERATION_REDUCE;
    if (found > (counted ? 1 : PEERS_SHOWN)) {
        snprintf(several, sizeof several, "%s×", signs[kind]);
        append(text, several, found);
        return;
    }
    for (int64_t i = 0; i < count; i++)
        if (operation[i].kind == kind)
            append(text, signs[kind],
                   counted                            ? -1
                   : kind == CAUCUS_OPERATION_SEND    ? operation[i].peer
                   : kind == CAUCUS_OPERATION_RECEIVE ? operation[i].peer
                                                      : operation[i].length);
}

static int64_t step_end(const struct caucus_schedule *schedule, int64_t begin) {
    int64_t last = begin;
    while (last + 1 < schedule->count && !schedule->operations[last].ends_step)
        last++;
    return last + 1;
}

static int64_t count_steps(const struct caucus_schedule *schedule) {
    int64_t steps = 0;
    for (int64_t i = 0; i < schedule->count; steps++)
        i = step_end(schedule, i);
    return steps;
}

static void fill(struct table *table) {
    for (int32_t rank = 0; rank < table->ranks; rank++) {
        const struct caucus_schedule *schedule = &table->scene->schedules[rank];
        char name[24];
        caucus_scene_name(table->scene, rank, name, sizeof name);
        table->width[rank] = columns(name) > 2 ? columns(name) : 2;
        for (int64_t step = 0, begin = 0, end; begin < schedule->count && step < table->steps;
             step++, begin = end) {
            char *text = cell(table, rank, step);
            end = step_end(schedule, begin);
            for (int kind = 0; kind < CAUCUS_OPERATION_KINDS; kind++)
                describe(text, schedule->operations + begin, end - begin, kind);
            if (columns(text) > table->width[rank])
                table->width[rank] = columns(text);
        }
    }
}

static void pad(FILE *file, const char *text, int32_t width) {
    fprintf(file, "  %s%*s", text, (int)(width - columns(text)), "");
}

static void write_line(const struct table *table, FILE *file, int32_t first, int32_t end,
                       const char *(*entry)(const struct table *table, int32_t rank, int64_t step),
                       int64_t step) {
    static const char *const heads[] = {"node", "group", "rank"};
    char head[24];
    int32_t last = end - 1; /* nothing behind the last column */
    snprintf(head, sizeof head, "%lld", (long long)step);
    fprintf(file, "%5s", step < 0 ? heads[step - NODE] : head);
    while (step >= 0 && last > first && !*entry(table, last, step))
        last--;
    for (int32_t rank = first; rank < last; rank++)
        pad(file, entry(table, rank, step), table->width[rank]);
    fprintf(file, *entry(table, last, step) ? "  %s\n" : "%s\n", entry(table, last, step));
}

static const char *heading(const struct table *table, int32_t rank, int64_t step) {
    static _Thread_local char text[24];
    if (step == GROUP)
        caucus_scene_name(table->scene, rank, text, sizeof text);
    else
        snprintf(text, sizeof text, "%d",
                 step == RANK ? rank : caucus_node_of_rank(table->scene->nodes, rank));
    return text;
}

static const char *content(const struct table *table, int32_t rank, int64_t step) {
    return cell(table, rank, step);
}

/* As many ranks as fit side by side. */
static int32_t write_panel(const struct table *table, FILE *file, int32_t first) {
    int32_t end = first, width = 5;
    while (end < table->ranks && (end == first || width + 2 + table->width[end] <= PAGE_WIDTH))
        width += 2 + table->width[end++];
    fprintf(file, "\n");
    write_line(table, file, first, end, heading, RANK);
    if (table->scene->first_group)
        write_line(table, file, first, end, heading, GROUP);
    if (table->scene->nodes)
        write_line(table, file, first, end, heading, NODE);
    for (int64_t step = 0; step < table->steps; step++)
        write_line(table, file, first, end, content, step);
    return end;
}

static void write_notes(const struct table *table, FILE *file, int64_t steps) {
    if (table->ranks < table->scene->ranks)
        fprintf(file, "\nRanks 0 to %d of %d.", table->ranks - 1, table->scene->ranks);
    if (table->steps < steps)
        fprintf(file, "\nThe first %lld of %lld steps.", (long long)table->steps, (long long)steps);
    fprintf(file, "\n→3 sends to rank 3   ←3 receives from it   c copies   + combines   ×5 so many"
                  "\n!1 raises its flag to 1   ?1 awaits flags of at least 1\n");
}

int caucus_scene_text(const struct caucus_scene *scene, FILE *file) {
    struct table table = {scene, scene->ranks < MOST_RANKS ? scene->ranks : MOST_RANKS, 0, NULL,
                          NULL};
    int64_t steps = 0;
    for (int32_t rank = 0; rank < scene->ranks; rank++) {
        int64_t own = count_steps(&scene->schedules[rank]);
        steps = own > steps ? own : steps;
    }
    table.steps = steps < MOST_STEPS ? steps : MOST_STEPS;
    table.cells = caucus_array(table.ranks * table.steps, CELL_ROOM);
    table.width = caucus_array(table.ranks, sizeof *table.width);
    int status = table.cells && table.width ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    if (!status) {
        fprintf(file, "%s\n", scene->title);
        fill(&table);
        for (int32_t rank = 0; rank < table.ranks;)
            rank = write_panel(&table, file, rank);
        write_notes(&table, file, steps);
    }
    free(table.cells);
    free(table.width);
    return status;
}
