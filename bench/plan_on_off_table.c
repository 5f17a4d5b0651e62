/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of neighbours on the same node and on others of W. Gropp, Using Node Information to
 * Implement MPI Cartesian Topologies, EuroMPI 2018, worked out by the planner: periodic grids, 16
 * ranks a node. Ends with 1 unless every figure of the table comes out exactly. Its
 * three-dimensional grid of "32x32x16" numbers axes the other way round: the last axis here has 32
 * cells.
 *
 *     plan_on_off_table [--json FILE] */
#include <caucus/plan.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct line {
    const char *name, *mapper;
    int ndims, dims[3];
    int published; /* the figures below are the paper's */
    int on_min, on_max, off_min, off_max;
    const char *on_mean, *off_mean; /* as printed there */
};

static const struct line LINES[] = {
    {"Cart", "row-major", 2, {128, 128}, 1, 1, 2, 2, 3, "1.88", "2.12"},
    {"Nodecart", "nodecart", 2, {128, 128}, 1, 2, 4, 0, 2, "3", "1"},
    {"Caucus", "best", 2, {128, 128}, 0, 0, 0, 0, 0, "", ""},
    {"Cart", "row-major", 3, {16, 32, 32}, 1, 1, 2, 4, 5, "1.88", "4.12"},
    {"Nodecart", "nodecart", 3, {16, 32, 32}, 1, 3, 4, 2, 3, "3.5", "2.5"},
    {"Caucus", "best", 3, {16, 32, 32}, 0, 0, 0, 0, 0, "", ""},
};
enum { COUNT = sizeof LINES / sizeof *LINES };

static int fail(const char *what) {
    fprintf(stderr, "%s: %s\n", what, caucus_error_text());
    return 0;
}

static int work_out(const struct line *line, caucus_cart_traffic *traffic, double *bound) {
    const int periods[3] = {1, 1, 1};
    caucus_plan *plan;
    if (caucus_plan_create(line->ndims, line->dims, periods, "star", NULL, "ppn:16", 0, &plan))
        return fail("The grid can't be planned");
    int fine = !caucus_plan_map(plan, line->mapper) && !caucus_plan_measure(plan, 0, traffic) &&
               !caucus_plan_bound(plan, bound);
    caucus_plan_free(plan);
    return fine || fail(line->mapper);
}

/* Whether a mean is what the paper prints: to two digits, 2.125 having become 2.12. */
static int printed_as(double mean, const char *text) {
    return fabs(mean - atof(text)) <= (strchr(text, '.') != NULL ? 0.0051 : 0.0);
}

static int as_published(const struct line *line, const caucus_cart_traffic *traffic) {
    return !line->published ||
           (traffic->on_min == line->on_min && traffic->on_max == line->on_max &&
            traffic->off_min == line->off_min && traffic->off_max == line->off_max &&
            printed_as(traffic->on_mean, line->on_mean) &&
            printed_as(traffic->off_mean, line->off_mean));
}

static void print(const struct line *line, const caucus_cart_traffic *traffic, double bound,
                  int fine) {
    char size[32];
    int length = snprintf(size, sizeof size, "%dx%d", line->dims[0], line->dims[1]);
    if (line->ndims == 3)
        snprintf(size + length, sizeof size - (size_t)length, "x%d", line->dims[2]);
    printf("%-9s %3d %9s  %3d %3d %6.3f  %3d %3d %6.3f %8.0f %8.0f  %s\n", line->name, line->ndims,
           size, traffic->on_min, traffic->on_max, traffic->on_mean, traffic->off_min,
           traffic->off_max, traffic->off_mean, traffic->off_node, bound,
           !line->published ? ""
           : fine           ? "as published"
                            : "NOT as published");
}

static void json(FILE *file, const struct line *line, const caucus_cart_traffic *traffic,
                 double bound, const char *separator) {
    fprintf(file,
            " {\"name\": \"%s\", \"mapper\": \"%s\", \"ndims\": %d, \"jsum\": %.0f, "
            "\"bound\": %.0f,\n  \"on\": {\"min\": %d, \"max\": %d, \"mean\": %.6g}, "
            "\"off\": {\"min\": %d, \"max\": %d, \"mean\": %.6g}}%s\n",
            line->name, line->mapper, line->ndims, traffic->off_node, bound, traffic->on_min,
            traffic->on_max, traffic->on_mean, traffic->off_min, traffic->off_max,
            traffic->off_mean, separator);
}

int main(int argc, char **argv) {
    FILE *file = NULL;
    if (argc == 3 && strcmp(argv[1], "--json") == 0)
        file = fopen(argv[2], "w");
    if (argc != 1 && file == NULL) {
        fprintf(stderr, "Usage: %s [--json FILE], a file that can be written.\n", argv[0]);
        return EXIT_FAILURE;
    }
    printf("%-9s %3s %9s  %14s  %14s %8s %8s\n", "", "", "", "on the node", "off the node", "", "");
    printf("%-9s %3s %9s  %3s %3s %6s  %3s %3s %6s %8s %8s\n", "type", "dim", "size", "min", "max",
           "mean", "min", "max", "mean", "jsum", "bound");
    if (file != NULL)
        fprintf(file, "[\n");
    int all_fine = 1;
    for (int i = 0; i < COUNT; i++) {
        caucus_cart_traffic traffic;
        double bound;
        if (!work_out(&LINES[i], &traffic, &bound))
            return EXIT_FAILURE;
        int fine = as_published(&LINES[i], &traffic);
        all_fine &= fine;
        print(&LINES[i], &traffic, bound, fine);
        if (file != NULL)
            json(file, &LINES[i], &traffic, bound, i + 1 < COUNT ? "," : "");
    }
    if (file != NULL) {
        fprintf(file, "]\n");
        fclose(file);
    }
    return all_fine ? EXIT_SUCCESS : EXIT_FAILURE;
}
