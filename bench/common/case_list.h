/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the list of grids that mappers are judged by; cases/star-cases.txt says how it is written.
 */
#ifndef CAUCUS_BENCH_CASE_LIST_H
#define CAUCUS_BENCH_CASE_LIST_H

#include "base/lines.h"
#include "base/status.h"
#include "plan/grid/problem.h"
#include "plan/machine/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct listed_case {
    struct caucus_grid_problem problem;
    char grid[64], kind[32];
    char *nodes;
};

struct case_list {
    int64_t count;
    struct listed_case *entry;
};

static inline void case_list_free(struct case_list *list) {
    for (int64_t i = 0; i < list->count; i++) {
        caucus_grid_problem_free(&list->entry[i].problem);
        free(list->entry[i].nodes);
    }
    free(list->entry);
    memset(list, 0, sizeof *list);
}

/* "9px9x7p": sides, p after those of periodic axes. */
static inline int case_list_grid(struct caucus_grid *grid, const char *text) {
    int dims[CAUCUS_GRID_MAX_DIMS], periodic[CAUCUS_GRID_MAX_DIMS], ndims = 0;
    for (const char *at = text; ndims < CAUCUS_GRID_MAX_DIMS; at++) {
        char *end;
        long side = strtol(at, &end, 10);
        if (end == at || side < 1 || side > INT32_MAX)
            break;
        dims[ndims] = (int)side;
        periodic[ndims++] = *end == 'p';
        at = *end == 'p' ? end + 1 : end;
        if (!*at)
            return caucus_grid_init(grid, ndims, dims, periodic);
        if (*at != 'x')
            break;
    }
    return caucus_fail(CAUCUS_BAD_FILE, "'%.60s' is no grid such as 9px9x7p", text);
}

static inline int case_list_case(struct listed_case *entry, char **word) {
    struct caucus_machine machine;
    memset(entry, 0, sizeof *entry);
    int status = case_list_grid(&entry->problem.grid, word[0]);
    if (!status)
        status = caucus_stencil_init_star(&entry->problem.stencil, entry->problem.grid.ndims, NULL);
    if (!status)
        status = caucus_machine_parse(&machine, word[1], entry->problem.grid.size);
    if (status)
        return status;
    status = caucus_machine_nodes(&machine, &entry->problem.nodes);
    caucus_machine_free(&machine);
    entry->nodes = strdup(word[1]);
    snprintf(entry->grid, sizeof entry->grid, "%s", word[0]);
    snprintf(entry->kind, sizeof entry->kind, "%s", word[2]);
    return status ? status : entry->nodes ? CAUCUS_OK : CAUCUS_NO_MEMORY;
}

static inline int case_list_add(struct case_list *list, const struct caucus_lines *lines, int words,
                                char **word) {
    size_t larger = ((size_t)list->count + 1) * sizeof *list->entry;
    struct listed_case *entry = (struct listed_case *)realloc(list->entry, larger);
    if (!entry)
        return caucus_fail(CAUCUS_NO_MEMORY, "out of memory");
    list->entry = entry;
    int status = words != 3
                     ? caucus_fail(CAUCUS_BAD_FILE, "a grid, its nodes and their kind are needed")
                     : case_list_case(&entry[list->count++], word);
    return status ? caucus_fail_in(status, "%s:%lld", lines->path, (long long)lines->number)
                  : CAUCUS_OK;
}

static inline int case_list_read(struct case_list *list, const char *path) {
    struct caucus_lines lines;
    memset(list, 0, sizeof *list);
    int status = caucus_lines_open(&lines, path);
    if (status)
        return status;
    char *word[3];
    for (int words; !status && (words = caucus_lines_next(&lines, 3, word)) > 0;)
        status = case_list_add(list, &lines, words, word);
    caucus_lines_close(&lines);
    if (status)
        case_list_free(list);
    return status;
}

#endif
