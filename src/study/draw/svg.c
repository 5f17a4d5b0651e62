/* SPDX-License-Identifier: BSD-3-Clause */
/* A space-time diagram as SVG, all in user units of one pixel. */
#include "base/memory.h"
#include "base/number.h"
#include "base/status.h"
#include "study/draw/draw.h"
#include "study/draw/page.h"

#include <math.h>
#include <stdlib.h>

enum {
    WIDTH = 880,
    LEFT = 112,
    TOP = 66,
    MOST_LINES = 12000, /* for messages: beyond, an eye sees no more and a viewer gets slow */
    MOST_HEADS = 1500
};

struct page {
    const struct caucus_scene *scene;
    const struct caucus_drawing *drawing;
    FILE *file;
    double row; /* its height */
    int64_t left_out;
};

static const struct look {
    const char *color, *words;
    double height; /* of a row */
} looks[CAUCUS_MARKS] = {
    [CAUCUS_MARK_SEND] = {"#b8c0c9", "sending", 0.26},
    [CAUCUS_MARK_COPY] = {"#4a9ded", "copy", 0.56},
    [CAUCUS_MARK_REDUCE] = {"#f59e42", "reduce", 0.56},
    [CAUCUS_MARK_AWAIT] = {"#d8c5f5", "await flags", 0.40},
    [CAUCUS_MARK_SIGNAL] = {"#6f42c1", "raise a flag", 0.72},
    [CAUCUS_MARK_WITHIN] = {"#12807a", "message within a node", 0},
    [CAUCUS_MARK_BETWEEN] = {"#b3123c", "message between nodes", 0},
};

static const struct {
    const char *color, *letter, *words;
} groups[2] = {{"#1f3a93", "A", "the first group"}, {"#c79a00", "B", "the second group"}};

static double x_of(const struct page *page, int32_t step) {
    return LEFT + (double)WIDTH * step / page->drawing->steps;
}

static double y_of(const struct page *page, int32_t row) {
    return TOP + page->row * (row + 0.5);
}

/* Nodes, or lines of several, in two shades by turns, with their names. */
static void draw_nodes(const struct page *page) {
    const struct caucus_rows *rows = &page->drawing->rows;
    int32_t band = 0;
    for (int32_t begin = 0, end; begin < rows->count; begin = end, band++) {
        for (end = begin + 1; end < rows->count; end++)
            if (rows->node_of_row[end] != rows->node_of_row[begin])
                break;
        double y = TOP + page->row * begin, height = page->row * (end - begin);
        fprintf(page->file,
                "<rect x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%.1f\" fill=\"%s\"/>\n", LEFT, y,
                WIDTH, height, band % 2 ? "#eef1f5" : "#f8f9fb");
        if (page->scene->nodes && height >= 11)
            caucus_page_text(page->file, 8, y + height / 2 + 4, 11, "#57606a", "start", "node %d",
                             rows->node_of_row[begin]);
    }
}

static void draw_ranks(const struct page *page) {
    const struct caucus_rows *rows = &page->drawing->rows;
    const struct caucus_scene *scene = page->scene;
    int32_t every = (int32_t)ceil(11 / page->row);
    fprintf(page->file, "<path stroke=\"#d0d7de\" stroke-width=\"0.8\" d=\"");
    for (int32_t row = 0; row < rows->count; row++)
        fprintf(page->file, "M%d %.1fh%d", LEFT, y_of(page, row), WIDTH);
    fprintf(page->file, "\"/>\n");
    for (int32_t row = 0; row < rows->count; row += every) {
        double y = y_of(page, row) + 3.5;
        char name[32];
        int32_t first = rows->first_of_row[row], ranks = rows->ranks_of_row[row];
        if (ranks == 1)
            caucus_scene_name(scene, first, name, sizeof name);
        else
            snprintf(name, sizeof name, scene->nodes ? "× %d" : "%d-%d",
                     scene->nodes ? ranks : first, first + ranks - 1);
        caucus_page_text(page->file, LEFT - 8, y, 10, "#24292f", "end", "%s", name);
    }
}

/* A stripe beside the ranks: who is of which group. */
static void draw_groups(const struct page *page) {
    const struct caucus_rows *rows = &page->drawing->rows;
    if (!page->scene->first_group)
        return;
    fprintf(page->file, "<g class=\"groups\">\n");
    for (int32_t row = 0; row < rows->count; row++) {
        double part = (double)rows->first_group_of_row[row] / rows->ranks_of_row[row];
        const double share[2] = {part, 1 - part};
        double y = TOP + page->row * row;
        for (int side = 0; side < 2; y += page->row * share[side++])
            if (share[side] > 0)
                fprintf(page->file,
                        "<rect x=\"%d\" y=\"%.2f\" width=\"4\" height=\"%.2f\" fill=\"%s\"/>\n",
                        LEFT - 4, y, page->row * share[side], groups[side].color);
    }
    fprintf(page->file, "</g>\n");
}

/* Boxes of a kind; where a row is of many ranks, the paler the fewer are at it. */
static void draw_boxes(const struct page *page, const struct caucus_mark *mark, int64_t count) {
    const struct caucus_rows *rows = &page->drawing->rows;
    double height = looks[mark->kind].height * page->row;
    fprintf(page->file, "<g class=\"%s\" fill=\"%s\">\n", caucus_page_class(mark->kind),
            looks[mark->kind].color);
    for (int64_t i = 0; i < count; i++) {
        double x = x_of(page, mark[i].begin), width = x_of(page, mark[i].end) - x;
        double part = (double)mark[i].count / rows->ranks_of_row[mark[i].row];
        fprintf(page->file, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"", x,
                y_of(page, mark[i].row) - height / 2, width > 0.7 ? width : 0.7, height);
        if (rows->grouped)
            fprintf(page->file, " opacity=\"%.2f\"", part < 1 ? 0.15 + 0.85 * part : 1);
        fprintf(page->file, "/>\n");
    }
    fprintf(page->file, "</g>\n");
}

static void draw_flags(const struct page *page, const struct caucus_mark *mark, int64_t count) {
    double height = looks[mark->kind].height * page->row, size = height < 9 ? height : 9;
    fprintf(page->file, "<path class=\"signal\" fill=\"%s\" d=\"", looks[mark->kind].color);
    for (int64_t i = 0; i < count; i++)
        fprintf(page->file, "M%.2f %.2fv-%.1fl%.1f %.1fl-%.1f %.1fv%.1fz", x_of(page, mark[i].end),
                y_of(page, mark[i].row) + size / 2, size, size * 0.8, size * 0.25, size * 0.7,
                size * 0.25, size * 0.5);
    fprintf(page->file, "\"/>\n");
}

/* Where a message ends and begins; one that stays in its row goes beside what is done there. */
static double y_of_end(const struct page *page, const struct caucus_mark *mark, int32_t row) {
    return y_of(page, row) + (mark->row == mark->to ? 0.36 * page->row : 0);
}

static void draw_heads(const struct page *page, const struct caucus_mark *mark, int64_t count) {
    double size = page->row * 0.3 < 5 ? page->row * 0.3 : 5;
    fprintf(page->file, "<path fill=\"%s\" d=\"", looks[mark->kind].color);
    for (int64_t i = 0; i < count; i++) {
        double x = x_of(page, mark[i].end), y = y_of_end(page, &mark[i], mark[i].to);
        double dx = x - x_of(page, mark[i].begin), dy = y - y_of_end(page, &mark[i], mark[i].row);
        double length = hypot(dx, dy);
        if (length < 1)
            continue;
        dx *= size / length;
        dy *= size / length;
        fprintf(page->file, "M%.2f %.2fL%.2f %.2fL%.2f %.2fz", x, y, x - 1.7 * dx - 0.6 * dy,
                y - 1.7 * dy + 0.6 * dx, x - 1.7 * dx + 0.6 * dy, y - 1.7 * dy - 0.6 * dx);
    }
    fprintf(page->file, "\"/>\n");
}

static double opacity(int64_t lines) {
    double wanted = 14 / sqrt((double)lines + 1);
    return wanted > 0.85 ? 0.85 : wanted < 0.12 ? 0.12 : wanted;
}

/* Strokes that stand for more messages are wider. */
static void draw_messages(const struct page *page, const struct caucus_mark *mark, int64_t count) {
    const char *color = looks[mark->kind].color;
    int64_t most = 1;
    for (int64_t i = 0; i < count; i++)
        most = mark[i].count > most ? mark[i].count : most;
    fprintf(page->file, "<g class=\"%s\" stroke=\"%s\" stroke-opacity=\"%.2f\">\n",
            caucus_page_class(mark->kind), color, opacity(count));
    for (int64_t i = 0; i < count; i++) {
        double part = sqrt((double)mark[i].count / (double)most);
        double width = most == 1 ? 1.1 : 0.5 + (count < 1000 ? 2.4 : 1.2) * part;
        fprintf(page->file, "<path stroke-width=\"%.1f\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", width,
                x_of(page, mark[i].begin), y_of_end(page, &mark[i], mark[i].row),
                x_of(page, mark[i].end), y_of_end(page, &mark[i], mark[i].to));
    }
    fprintf(page->file, "</g>\n");
    if (count <= MOST_HEADS)
        draw_heads(page, mark, count);
}

static int by_count(const void *a, const void *b) {
    const struct caucus_mark *x = a, *y = b;
    return (x->count < y->count) - (x->count > y->count);
}

/* Of too many, those that stand for most messages. */
static int draw_most(struct page *page, const struct caucus_mark *mark, int64_t count) {
    if (count <= MOST_LINES) {
        draw_messages(page, mark, count);
        return CAUCUS_OK;
    }
    struct caucus_mark *sorted = caucus_array_copy(mark, count, sizeof *mark);
    if (!sorted)
        return CAUCUS_NO_MEMORY;
    qsort(sorted, (size_t)count, sizeof *sorted, by_count);
    draw_messages(page, sorted, MOST_LINES);
    for (int64_t i = MOST_LINES; i < count; i++)
        page->left_out += sorted[i].count;
    free(sorted);
    return CAUCUS_OK;
}

static int draw_marks(struct page *page) {
    const struct caucus_drawing *drawing = page->drawing;
    int status = CAUCUS_OK;
    for (int64_t begin = 0, end; begin < drawing->count && !status; begin = end) {
        const struct caucus_mark *mark = &drawing->marks[begin];
        for (end = begin + 1; end < drawing->count; end++)
            if (drawing->marks[end].kind != mark->kind)
                break;
        if (mark->kind >= CAUCUS_MARK_WITHIN)
            status = draw_most(page, mark, end - begin);
        else if (mark->kind == CAUCUS_MARK_SIGNAL)
            draw_flags(page, mark, end - begin);
        else
            draw_boxes(page, mark, end - begin);
    }
    return status;
}

/* A sample and the words of each kind that occurs. */
static double draw_legend(const struct page *page, double y) {
    double x = LEFT;
    for (int kind = 0; kind < CAUCUS_MARKS; kind++) {
        if (page->drawing->count_of_kind[kind] == 0)
            continue;
        if (kind >= CAUCUS_MARK_WITHIN)
            fprintf(page->file,
                    "<path stroke=\"%s\" stroke-width=\"1.6\" d=\"M%.0f %.0fl16 -8\"/>\n",
                    looks[kind].color, x, y);
        else if (kind == CAUCUS_MARK_SIGNAL)
            fprintf(page->file, "<path fill=\"%s\" d=\"M%.0f %.0fv-9l7 2.2l-6 2.2v4.6z\"/>\n",
                    looks[kind].color, x + 4, y);
        else
            fprintf(page->file,
                    "<rect x=\"%.0f\" y=\"%.1f\" width=\"16\" height=\"%.1f\" fill=\"%s\"/>\n", x,
                    y - 4 - 7 * looks[kind].height, 14 * looks[kind].height, looks[kind].color);
        x += 21;
        x += caucus_page_text(page->file, x, y, 11, "#57606a", "start", "%s", looks[kind].words);
        x += 18;
    }
    return y;
}

static double draw_group_legend(const struct page *page, double y) {
    const int32_t ranks[2] = {page->scene->first_group,
                              page->scene->ranks - page->scene->first_group};
    double x = LEFT;
    if (!page->scene->first_group)
        return y;
    y += 18;
    for (int side = 0; side < 2; side++) {
        char names[64];
        const char *letter = groups[side].letter;
        snprintf(names, sizeof names, ranks[side] > 1 ? "%s0 to %s%d" : "%s0", letter, letter,
                 ranks[side] - 1);
        fprintf(page->file, "<rect x=\"%.0f\" y=\"%.1f\" width=\"4\" height=\"12\" fill=\"%s\"/>\n",
                x, y - 10, groups[side].color);
        x += 9 + caucus_page_text(page->file, x + 9, y, 11, "#57606a", "start", "%s, %s", names,
                                  groups[side].words);
        x += 18;
    }
    return y;
}

static double draw_notes(const struct page *page, double y) {
    const struct caucus_rows *rows = &page->drawing->rows;
    if (rows->grouped) {
        y += 18;
        caucus_page_text(
            page->file, LEFT, y, 11, "#57606a", "start",
            "A row stands for several ranks, a wide stroke for many messages; the paler "
            "a box, the fewer ranks are at it.");
    }
    if (page->left_out > 0) {
        y += 18;
        caucus_page_text(page->file, LEFT, y, 11, "#57606a", "start",
                         "%lld messages are left out: their strokes would hide the others.",
                         (long long)page->left_out);
    }
    return y;
}

int caucus_scene_svg(const struct caucus_scene *scene, FILE *file) {
    struct caucus_drawing drawing;
    int status = caucus_drawing_init(&drawing, scene);
    if (status)
        return status;
    double row = drawing.rows.count > 0 ? 560.0 / drawing.rows.count : 30;
    double most = drawing.rows.count > 8 ? 30 : 42;
    struct page page = {scene, &drawing, file, row < 9 ? 9 : row > most ? most : row, 0};
    double bottom = TOP + page.row * drawing.rows.count;
    int32_t lines = (drawing.rows.grouped ? 2 : 0) + (scene->first_group ? 1 : 0);
    const struct caucus_numbers numbers = caucus_numbers_begin();
    caucus_page_begin(file, LEFT + WIDTH + 28, bottom + 72 + 18 * lines, scene->title);
    caucus_page_heading(file, LEFT, scene->title, &drawing.simulation);
    draw_nodes(&page);
    caucus_page_axis(file, LEFT, WIDTH, TOP, bottom, drawing.simulation.seconds);
    draw_groups(&page);
    draw_ranks(&page);
    status = draw_marks(&page);
    draw_notes(&page, draw_group_legend(&page, draw_legend(&page, bottom + 58)));
    fprintf(file, "</svg>\n");
    caucus_numbers_end(numbers);
    caucus_drawing_free(&drawing);
    return status;
}
