/* SPDX-License-Identifier: BSD-3-Clause */
/* How many of the best plans of a published list of grids move rank 0 off cell 0 if nobody looks
 * after it, how many do if that is undone for nothing, and what it costs to keep rank 0 in the
 * rest. The planner's time without and with that, too.
 *
 *     plan_rank0 [--limit COUNT] [LIST]
 *
 * LIST is bench/cases/star-cases.txt unless given. --limit takes so many cases, evenly spread. */
#include "common/case_list.h"
#include "plan/grid/portfolio.h"
#include "plan/grid/rank0.h"

#include <math.h>
#include <time.h>

static const double LIMITS[] = {0, .01, .02, .05, .1, .2, 1, INFINITY};
enum { COUNT = sizeof LIMITS / sizeof *LIMITS };

struct tally {
    const char *kind; /* of nodes; NULL: all */
    int cases, moved; /* by nature */
    int within[COUNT];
    double most;
};

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int solve(const struct listed_case *listed, bool keep_rank0, double *spent,
                 struct caucus_grid_choice *choice) {
    double start = seconds();
    int status = caucus_grid_choose(&listed->problem, "best", NULL, keep_rank0, choice);
    *spent += seconds() - start;
    if (status)
        fprintf(stderr, "%s %s: %s\n", listed->grid, listed->nodes, caucus_error_text());
    return status;
}

/* As a program meets it: the planner's own alternative, or that all ranks stay. */
static double price(const struct caucus_grid_choice *choice) {
    const struct caucus_grid_score *best = &choice->best.score, *given = &choice->given;
    const struct caucus_grid_score *keeping = &choice->keeping.score;
    if (choice->keeps_rank0)
        return 0;
    return fmin(caucus_rank0_cost(keeping->jsum, keeping->jmax, best->jsum, best->jmax),
                caucus_rank0_cost(given->jsum, given->jmax, best->jsum, best->jmax));
}

static void count(struct tally *tally, bool moved, double cost) {
    tally->cases++;
    tally->moved += moved;
    for (int i = 0; i < COUNT; i++)
        tally->within[i] += moved && cost <= LIMITS[i];
    tally->most = fmax(tally->most, cost);
}

static void print(const struct tally *tally) {
    printf("%-14s %5d %6d", tally->kind ? tally->kind : "all", tally->cases, tally->moved);
    for (int i = 0; i < COUNT; i++)
        printf(" %6d", tally->moved - tally->within[i]);
    printf(" %6.1f %%\n", 100 * tally->most);
}

int main(int argc, char **argv) {
    struct tally tallies[] = {{.kind = "equal"},       {.kind = "prime"},  {.kind = "last-smaller"},
                              {.kind = "two-classes"}, {.kind = "random"}, {.kind = NULL}};
    enum { TALLIES = sizeof tallies / sizeof *tallies };
    bool limited = argc > 2 && strcmp(argv[1], "--limit") == 0;
    const char *path = argc > 1 + 2 * limited ? argv[argc - 1] : "bench/cases/star-cases.txt";
    struct case_list list;
    double plain = 0, keeping = 0;
    if (case_list_read(&list, path)) {
        fprintf(stderr, "%s\n", caucus_error_text());
        return EXIT_FAILURE;
    }
    int64_t wanted = limited ? strtoll(argv[2], NULL, 10) : list.count;
    wanted = wanted > 0 && wanted < list.count ? wanted : list.count;
    for (int64_t i = 0; i < wanted; i++) {
        const struct listed_case *listed = &list.entry[i * list.count / wanted];
        struct caucus_grid_choice before = {0}, after = {0};
        if (solve(listed, false, &plain, &before) || solve(listed, true, &keeping, &after))
            return EXIT_FAILURE;
        bool moved = before.best.node_of_cell[0] != 0;
        for (int t = 0; t < TALLIES; t++)
            if (!tallies[t].kind || strcmp(tallies[t].kind, listed->kind) == 0)
                count(&tallies[t], moved, price(&after));
        caucus_grid_choice_free(&before);
        caucus_grid_choice_free(&after);
    }
    printf("Plans that move rank 0: if nobody looks after it, and if keeping it may cost that "
           "much.\n%-14s %5s %6s",
           "", "plans", "free");
    for (int i = 0; i < COUNT; i++)
        printf(isinf(LIMITS[i]) ? " always" : " %4.0f %%", 100 * LIMITS[i]);
    printf(" %8s\n", "most");
    for (int t = 0; t < TALLIES; t++)
        print(&tallies[t]);
    printf("Planning took %.2f s, %.2f s with keeping it.\n", plain, keeping);
    case_list_free(&list);
    return EXIT_SUCCESS;
}
