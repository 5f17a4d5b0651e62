/* SPDX-License-Identifier: BSD-3-Clause */
/* How long planning a large grid takes one core, how many bytes it needs at its peak and in the
 * end, and how long looking up one position takes.
 *
 *     plan_scale [--json FILE] */
#include "base/memory.h"
#include "base/status.h"
#include "common/counted_memory.h"
#include "plan/grid/bound.h"
#include "plan/grid/slabs.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct line {
    int ndims, dims[4], periodic;
    int32_t least, most; /* ranks of a node: equal, or spread at random */
} LINES[] = {
    {2, {1024, 1024}, 0, 64, 64},    {2, {1024, 1024}, 1, 64, 64},
    {2, {1000, 1000}, 0, 48, 48},    {3, {128, 128, 64}, 0, 64, 64},
    {3, {100, 100, 100}, 0, 48, 48}, {4, {32, 32, 32, 32}, 0, 64, 64},
    {2, {1000, 1000}, 0, 32, 64},    {3, {100, 100, 100}, 0, 32, 64},
};
enum { COUNT = sizeof LINES / sizeof *LINES, LOOK_UPS = 2000000, REPETITIONS = 5 };

struct result {
    int64_t ranks;
    double plan_ms, cell_ns;
    size_t peak, kept;
    double jsum, bound;
};

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static uint32_t random_number(void) {
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 32);
}

static int random_nodes(struct caucus_nodes *nodes, int64_t ranks, int32_t least, int32_t most) {
    int32_t *size = caucus_array(ranks / least + 1, sizeof *size), count = 0;
    if (!size)
        return CAUCUS_NO_MEMORY;
    for (int64_t left = ranks; left > 0; left -= size[count++]) {
        size[count] = least + (int32_t)(random_number() % (uint32_t)(most - least + 1));
        if (size[count] > left)
            size[count] = (int32_t)left;
    }
    int status = caucus_nodes_init(nodes, count, size);
    free(size);
    return status;
}

static int make_problem(const struct line *line, struct caucus_grid_problem *problem) {
    int periodic[4] = {line->periodic, line->periodic, line->periodic, line->periodic};
    memset(problem, 0, sizeof *problem);
    int status = caucus_grid_init(&problem->grid, line->ndims, line->dims, periodic);
    if (!status)
        status = caucus_stencil_init_star(&problem->stencil, line->ndims, NULL);
    if (!status)
        status = random_nodes(&problem->nodes, problem->grid.size, line->least, line->most);
    return status;
}

static int time_plan(const struct caucus_grid_problem *problem, struct caucus_slabs **slabs,
                     struct result *result) {
    result->plan_ms = INFINITY;
    *slabs = NULL;
    for (int i = 0; i < REPETITIONS; i++) {
        caucus_slabs_free(*slabs);
        size_t before = bytes_now;
        bytes_most = bytes_now;
        double start = seconds();
        int status = caucus_slabs_plan(problem, slabs);
        result->plan_ms = fmin(result->plan_ms, 1e3 * (seconds() - start));
        result->peak = bytes_most - before;
        result->kept = bytes_now - before;
        if (status)
            return status;
    }
    return CAUCUS_OK;
}

/* Positions at random, so that nothing stays in a cache by luck. */
static void time_look_ups(const struct caucus_slabs *slabs, struct result *result) {
    volatile int64_t sum = 0;
    double start = seconds();
    for (int i = 0; i < LOOK_UPS; i++)
        sum = sum + random_number() % result->ranks;
    double overhead = seconds() - start;
    start = seconds();
    for (int i = 0; i < LOOK_UPS; i++)
        sum = sum + caucus_slabs_cell(slabs, random_number() % result->ranks);
    result->cell_ns = 1e9 * (seconds() - start - overhead) / LOOK_UPS;
}

static int measure(const struct line *line, struct result *result) {
    struct caucus_grid_problem problem;
    struct caucus_slabs *slabs = NULL;
    int status = make_problem(line, &problem);
    if (!status)
        status = time_plan(&problem, &slabs, result);
    if (!status) {
        result->ranks = problem.grid.size;
        result->jsum = caucus_slabs_estimate(slabs);
        status = caucus_grid_bound(&problem, &result->bound);
    }
    if (!status)
        time_look_ups(slabs, result);
    caucus_slabs_free(slabs);
    caucus_grid_problem_free(&problem);
    return status;
}

static void name_line(const struct line *line, char *grid, char *nodes) {
    grid += sprintf(grid, "%d", line->dims[0]);
    for (int axis = 1; axis < line->ndims; axis++)
        grid += sprintf(grid, "x%d", line->dims[axis]);
    sprintf(grid, "%s", line->periodic ? " periodic" : "");
    nodes += sprintf(nodes, "%d", line->least);
    if (line->most > line->least)
        sprintf(nodes, "-%d", line->most);
}

static void print(const char *grid, const char *nodes, const struct result *result) {
    char peak[32] = "not counted", kept[32] = "?";
    if (counting) {
        sprintf(peak, "%zu", result->peak);
        sprintf(kept, "%zu", result->kept);
    }
    printf("%-20s %6s %9.2f %11s %9s %8.0f %12.0f %7.4f\n", grid, nodes, result->plan_ms, peak,
           kept, result->cell_ns, result->jsum, result->jsum / result->bound);
}

static void json(FILE *file, const char *grid, const char *nodes, const struct result *result,
                 const char *separator) {
    fprintf(file,
            " {\"grid\": \"%s\", \"ranks\": %lld, \"node\": \"%s\", \"plan_ms\": %.3f, "
            "\"peak_bytes\": ",
            grid, (long long)result->ranks, nodes, result->plan_ms);
    fprintf(file, counting ? "%zu" : "null", result->peak);
    fprintf(file,
            ", \"plan_bytes\": %zu,\n  \"cell_ns\": %.1f, \"jsum\": %.0f, "
            "\"bound\": %.0f}%s\n",
            result->kept, result->cell_ns, result->jsum, result->bound, separator);
}

int main(int argc, char **argv) {
    FILE *file = NULL;
    if (argc == 3 && strcmp(argv[1], "--json") == 0)
        file = fopen(argv[2], "w");
    if (argc != 1 && !file) {
        fprintf(stderr, "Usage: %s [--json FILE], a file that can be written.\n", argv[0]);
        return EXIT_FAILURE;
    }
    printf("Best of %d, processor time of one core; jsum is the planner's own estimate.\n",
           REPETITIONS);
    printf("%-20s %6s %9s %11s %9s %8s %12s %7s\n", "grid", "a node", "plan/ms", "peak bytes",
           "plan", "cell/ns", "jsum", "/bound");
    if (file)
        fprintf(file, "[\n");
    for (int i = 0; i < COUNT; i++) {
        char grid[64], nodes[32];
        struct result result = {0};
        name_line(&LINES[i], grid, nodes);
        if (measure(&LINES[i], &result)) {
            fprintf(stderr, "%s: %s\n", grid, caucus_error_text());
            return EXIT_FAILURE;
        }
        print(grid, nodes, &result);
        if (file)
            json(file, grid, nodes, &result, i + 1 < COUNT ? "," : "");
    }
    if (file) {
        fprintf(file, "]\n");
        fclose(file);
    }
    return EXIT_SUCCESS;
}
