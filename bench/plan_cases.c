/* SPDX-License-Identifier: BSD-3-Clause */
/* How far mappings of a published list of grids are above what none can beat: the portfolio, or one
 * mapper of it. Prints the share of cases within 5 % and 8 % of the bound, the median of the excess
 * and its 90th percentile, for groups of cases, and names the worst cases.
 *
 *     plan_cases [--mapper NAME] [--limit COUNT] [--json FILE] [LIST]
 *
 * LIST is bench/cases/star-cases.txt unless given. --limit takes so many cases, evenly spread. */
#include "common/case_list.h"
#include "plan/grid/portfolio.h"

#include <math.h>
#include <time.h>
#include <unistd.h>

struct options {
    const char *mapper, *json, *list;
    int64_t limit;
};

struct outcome {
    const struct listed_case *listed;
    char mapper[32];
    bool served;
    double jsum, jmax, bound, excess, seconds;
};

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static bool solve(const struct listed_case *listed, const char *mapper, struct outcome *outcome) {
    struct caucus_grid_choice choice;
    double start = now();
    int status = caucus_grid_choose(&listed->problem, mapper, NULL, false, &choice);
    *outcome = (struct outcome){.listed = listed, .served = status == CAUCUS_OK};
    if (status == CAUCUS_OK) {
        outcome->seconds = now() - start;
        outcome->jsum = choice.best.score.jsum;
        outcome->jmax = choice.best.score.jmax;
        outcome->bound = choice.bound;
        outcome->excess =
            choice.best.score.jsum > 0 ? choice.best.score.jsum / choice.bound - 1 : 0;
        snprintf(outcome->mapper, sizeof outcome->mapper, "%s", choice.best.mapper);
        caucus_grid_choice_free(&choice);
    }
    if (status == CAUCUS_OK || status == CAUCUS_NOT_APPLICABLE)
        return true;
    fprintf(stderr, "%s %s: %s\n", listed->grid, listed->nodes, caucus_error_text());
    return false;
}

/* A group of cases: those for which belongs says yes. */
struct group {
    const char *name;
    bool (*belongs)(const struct listed_case *, int);
    int value;
};

static bool any(const struct listed_case *listed, int value) {
    return listed && !value;
}

static bool of_dimension(const struct listed_case *listed, int value) {
    return listed->problem.grid.ndims == value;
}

static int periodicity(const struct caucus_grid *grid) {
    int periodic = 0;
    for (int axis = 0; axis < grid->ndims; axis++)
        periodic += grid->periodic[axis];
    return periodic == 0 ? 0 : periodic == grid->ndims ? 1 : 2;
}

static bool of_periodicity(const struct listed_case *listed, int value) {
    return periodicity(&listed->problem.grid) == value;
}

static const char *const kinds[] = {"equal", "prime", "last-smaller", "two-classes", "random"};

static bool of_kind(const struct listed_case *listed, int value) {
    return strcmp(listed->kind, kinds[value]) == 0;
}

static bool of_nodes(const struct listed_case *listed, int value) {
    int32_t nodes = listed->problem.nodes.count;
    return value == (nodes <= 6 ? 0 : nodes <= 12 ? 1 : nodes <= 100 ? 2 : 3);
}

static const struct group groups[] = {
    {"all", any, 0},
    {"2-D", of_dimension, 2},
    {"3-D", of_dimension, 3},
    {"4-D", of_dimension, 4},
    {"equal nodes", of_kind, 0},
    {"prime nodes", of_kind, 1},
    {"last smaller", of_kind, 2},
    {"two classes", of_kind, 3},
    {"random nodes", of_kind, 4},
    {"open", of_periodicity, 0},
    {"periodic", of_periodicity, 1},
    {"mixed", of_periodicity, 2},
    {"to 6 nodes", of_nodes, 0},
    {"7-12 nodes", of_nodes, 1},
    {"13-100 nodes", of_nodes, 2},
    {"more nodes", of_nodes, 3},
};
enum { GROUPS = sizeof groups / sizeof *groups, WORST = 10 };

struct summary {
    int64_t cases;
    double within_5, within_8, median, percentile_90;
};

static int ascending(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static struct summary summarise(const struct outcome *outcome, int64_t count,
                                const struct group *group, double *excess) {
    struct summary summary = {0};
    for (int64_t i = 0; i < count; i++)
        if (outcome[i].served && group->belongs(outcome[i].listed, group->value))
            excess[summary.cases++] = outcome[i].excess;
    if (summary.cases == 0)
        return summary;
    qsort(excess, (size_t)summary.cases, sizeof *excess, ascending);
    for (int64_t i = 0; i < summary.cases; i++) {
        summary.within_5 += excess[i] <= .05 + 1e-12;
        summary.within_8 += excess[i] <= .08 + 1e-12;
    }
    summary.within_5 /= (double)summary.cases;
    summary.within_8 /= (double)summary.cases;
    summary.median = excess[summary.cases / 2];
    summary.percentile_90 = excess[summary.cases * 9 / 10];
    return summary;
}

static void print_table(const struct outcome *outcome, int64_t count, double *scratch) {
    printf("%-14s %6s %12s %12s %14s %14s\n", "", "cases", "within 5 %", "within 8 %",
           "median excess", "90th percent.");
    for (int g = 0; g < GROUPS; g++) {
        struct summary summary = summarise(outcome, count, &groups[g], scratch);
        if (summary.cases)
            printf("%-14s %6lld %10.1f %% %10.1f %% %12.2f %% %12.2f %%\n", groups[g].name,
                   (long long)summary.cases, 100 * summary.within_5, 100 * summary.within_8,
                   100 * summary.median, 100 * summary.percentile_90);
    }
}

static int worst_first(const void *a, const void *b) {
    const struct outcome *left = a, *right = b;
    return (left->excess < right->excess) - (left->excess > right->excess);
}

/* Sorts the outcomes. */
static void print_worst(struct outcome *outcome, int64_t count) {
    qsort(outcome, (size_t)count, sizeof *outcome, worst_first);
    printf("\nThe worst:\n%8s %10s %10s  %-12s %s\n", "excess", "jsum", "bound", "mapper", "case");
    for (int64_t i = 0; i < count && i < WORST; i++)
        printf("%6.2f %% %10.0f %10.0f  %-12s %s %.60s%s %s\n", 100 * outcome[i].excess,
               outcome[i].jsum, outcome[i].bound, outcome[i].mapper, outcome[i].listed->grid,
               outcome[i].listed->nodes, strlen(outcome[i].listed->nodes) > 60 ? "..." : "",
               outcome[i].listed->kind);
}

static bool write_json(const struct options *options, const struct outcome *outcome, int64_t count,
                       double *scratch) {
    FILE *file = fopen(options->json, "w");
    if (!file) {
        perror(options->json);
        return false;
    }
    fprintf(file, "{\"list\": \"%s\", \"mapper\": \"%s\",\n \"groups\": {", options->list,
            options->mapper);
    for (int g = 0; g < GROUPS; g++) {
        struct summary summary = summarise(outcome, count, &groups[g], scratch);
        fprintf(file,
                "%s\n  \"%s\": {\"cases\": %lld, \"within_5\": %.6f, \"within_8\": %.6f, "
                "\"median\": %.6f, "
                "\"percentile_90\": %.6f}",
                g ? "," : "", groups[g].name, (long long)summary.cases, summary.within_5,
                summary.within_8, summary.median, summary.percentile_90);
    }
    fprintf(file, "},\n \"cases\": [");
    for (int64_t i = 0, written = 0; i < count; i++)
        if (outcome[i].served)
            fprintf(
                file,
                "%s\n  {\"grid\": \"%s\", \"nodes\": \"%s\", \"kind\": \"%s\", \"mapper\": \"%s\", "
                "\"jsum\": %.17g, \"jmax\": %.17g, \"bound\": %.17g, \"seconds\": %.6f}",
                written++ ? "," : "", outcome[i].listed->grid, outcome[i].listed->nodes,
                outcome[i].listed->kind, outcome[i].mapper, outcome[i].jsum, outcome[i].jmax,
                outcome[i].bound, outcome[i].seconds);
    fprintf(file, "]}\n");
    bool written = !ferror(file);
    if (fclose(file) || !written) {
        perror(options->json);
        return false;
    }
    return true;
}

static void show_progress(int64_t done, int64_t count, double start) {
    if (isatty(STDERR_FILENO) && (done % 5 == 0 || done == count))
        fprintf(stderr, "\r%lld of %lld cases, %.0f s%s", (long long)done, (long long)count,
                now() - start, done == count ? "\n" : "");
}

static bool run(const struct options *options, const struct case_list *list) {
    int64_t count = options->limit && options->limit < list->count ? options->limit : list->count;
    struct outcome *outcome = calloc((size_t)count + 1, sizeof *outcome);
    double *scratch = calloc((size_t)count + 1, sizeof *scratch), start = now();
    bool fine = outcome && scratch;
    for (int64_t i = 0; i < count && fine; i++) {
        fine = solve(&list->entry[i * list->count / count], options->mapper, &outcome[i]);
        show_progress(i + 1, count, start);
    }
    int64_t served = 0;
    for (int64_t i = 0; i < count && fine; i++)
        served += outcome[i].served;
    if (fine) {
        printf("%s: %lld cases of %s, served %lld, %.1f s\n\n", options->mapper, (long long)count,
               options->list, (long long)served, now() - start);
        print_table(outcome, count, scratch);
        fine = !options->json || write_json(options, outcome, count, scratch);
        print_worst(outcome, count);
    }
    free(outcome);
    free(scratch);
    return fine;
}

static bool read_options(int argc, char **argv, struct options *options) {
    *options = (struct options){.mapper = "best", .list = "bench/cases/star-cases.txt"};
    for (int i = 1; i < argc; i++) {
        const char *next = i + 1 < argc ? argv[i + 1] : "";
        if (argv[i][0] != '-') {
            options->list = argv[i];
            continue;
        }
        if (strcmp(argv[i], "--mapper") == 0)
            options->mapper = next;
        else if (strcmp(argv[i], "--json") == 0)
            options->json = next;
        else if (strcmp(argv[i], "--limit") == 0)
            options->limit = atoll(next);
        else
            return false;
        i++;
        if (!*next || options->limit < 0)
            return false;
    }
    return true;
}

int main(int argc, char **argv) {
    struct options options;
    struct case_list list;
    if (!read_options(argc, argv, &options)) {
        fprintf(stderr, "usage: plan_cases [--mapper NAME] [--limit COUNT] [--json FILE] [LIST]\n");
        return EXIT_FAILURE;
    }
    if (case_list_read(&list, options.list)) {
        fprintf(stderr, "%s\n", caucus_error_text());
        return EXIT_FAILURE;
    }
    bool fine = run(&options, &list);
    case_list_free(&list);
    return fine ? EXIT_SUCCESS : EXIT_FAILURE;
}
