/* SPDX-License-Identifier: BSD-3-Clause */
/* How good the choice of algorithms is: in each cell of a grid of collectives and sizes, the
 * simulated time of the algorithm that is chosen against that of the fastest of all.
 *
 *     plan_selection [--ranks N] [--ppn N] [--node-memory BYTES] [--collective NAME] [--bytes N]
 *                    [--model FILE] [--all] [--json FILE]
 *
 * An algorithm for which the processor or port of rank 0 alone, or the card of its node, would need
 * longer than the fastest so far, or less than 1 % shorter, is not simulated. --all prints what
 * each algorithm was predicted to need and what it needs. */
#include "base/memory.h"
#include "base/status.h"
#include "plan/choice/choose.h"
#include "study/collective/problem.h"
#include "study/simulate/simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int64_t SIZES[] = {8, 64, 512, 4096, 32768, 262144, 1048576};
enum { COUNT = sizeof SIZES / sizeof *SIZES, MOST_CANDIDATES = 64 };
static const double WITHIN = 1.1, NEGLIGIBLE = 1.01;

struct options {
    int32_t ranks, ppn;
    int64_t node_memory; /* as much as the library gives a schedule */
    int collective;      /* below 0: all */
    int64_t bytes;       /* 0: all sizes */
    bool all;
    const char *json, *machine;
    struct caucus_model model;
};

struct tally {
    int cells, good;
    double worst;
    FILE *json;
};

/* What one cell has come to. */
struct cell {
    struct caucus_candidate candidate[MOST_CANDIDATES];
    double simulated[MOST_CANDIDATES]; /* NAN: not */
    int count, chosen, best;
};

/* The time that a rank needs by itself, and the bytes that it sends out of its node and gets from
 * elsewhere. */
struct load {
    double seconds, out, in;
};

static struct load load_of(const struct caucus_schedule *schedule, int32_t rank,
                           const struct caucus_node_map *nodes, const struct caucus_model *model) {
    struct load load = {0, 0, 0};
    double port[2] = {0, 0};
    for (int64_t i = 0; i < schedule->count; i++) {
        const struct caucus_operation *operation = &schedule->operations[i];
        double bytes = (double)operation->length;
        load.seconds += model->operation;
        if (operation->kind == CAUCUS_OPERATION_COPY)
            load.seconds += bytes * model->copy_byte;
        if (operation->kind == CAUCUS_OPERATION_REDUCE)
            load.seconds += bytes * model->reduce_byte;
        if (operation->kind > CAUCUS_OPERATION_RECEIVE)
            continue;
        bool sends = operation->kind == CAUCUS_OPERATION_SEND;
        bool within =
            caucus_node_of_rank(nodes, rank) == caucus_node_of_rank(nodes, operation->peer);
        int distance = within ? CAUCUS_WITHIN_NODE : CAUCUS_BETWEEN_NODES;
        load.seconds += model->overhead[distance];
        port[sends] += bytes * model->byte[distance];
        *(sends ? &load.out : &load.in) += within ? 0 : bytes;
    }
    if (model->ports == 1)
        load.seconds = fmax(load.seconds, fmax(port[0], port[1]));
    return load;
}

/* What no simulation can go below, unless it is beyond the limit anyway. */
static double least(struct caucus_problem *problem, const struct caucus_algorithm *algorithm,
                    const struct caucus_model *model, double limit) {
    const struct caucus_node_map *nodes = problem->shape.nodes;
    struct caucus_task task;
    struct caucus_schedule schedule;
    double seconds = 0, out = 0, in = 0;
    for (int32_t i = 0; i < caucus_node_size(nodes, 0) && seconds < limit; i++) {
        int32_t rank = caucus_rank_at(nodes, i);
        if (caucus_problem_task(problem, rank, &task) ||
            caucus_algorithm_build(algorithm, &task, &schedule))
            return INFINITY;
        struct load load = load_of(&schedule, rank, nodes, model);
        caucus_schedule_free(&schedule);
        out += load.out;
        in += load.in;
        seconds = fmax(seconds, fmax(load.seconds, fmax(out, in) * model->card_byte));
    }
    return seconds;
}

static int simulate(struct caucus_problem *problem, const struct caucus_algorithm *algorithm,
                    const struct caucus_model *model, double *seconds) {
    struct caucus_schedule *schedules = NULL;
    struct caucus_simulation simulation = {0};
    int status = caucus_problem_build(problem, algorithm, &schedules);
    if (!status) {
        status = caucus_schedule_simulate(problem->shape.ranks, schedules, problem->shape.nodes,
                                          model, NULL, NULL, &simulation);
        caucus_problem_schedules_free(schedules, problem->shape.ranks);
    }
    *seconds = simulation.seconds;
    return status;
}

static int list(struct caucus_problem *problem, const struct caucus_model *model,
                struct cell *cell) {
    struct caucus_task task;
    const struct caucus_algorithm *chosen;
    struct caucus_candidate candidate;
    unsigned allowed = problem->shape.exchanged;
    int status = caucus_problem_task(problem, 0, &task);
    if (!status)
        status = caucus_algorithm_choose(&task, model, NULL, allowed, &chosen);
    cell->count = 0;
    for (int i = 0; !status && caucus_algorithm_explain(&task, model, allowed, i, &candidate); i++)
        if (candidate.serves && cell->count < MOST_CANDIDATES) {
            if (candidate.algorithm == chosen)
                cell->chosen = cell->count;
            cell->simulated[cell->count] = NAN;
            cell->candidate[cell->count++] = candidate;
        }
    return status;
}

/* The chosen one first, then the others while they may be faster. */
static int compare(struct caucus_problem *problem, const struct caucus_model *model,
                   struct cell *cell) {
    int status = list(problem, model, cell);
    if (!status)
        status = simulate(problem, cell->candidate[cell->chosen].algorithm, model,
                          &cell->simulated[cell->chosen]);
    cell->best = cell->chosen;
    for (int i = 0; i < cell->count && !status; i++) {
        const struct caucus_algorithm *algorithm = cell->candidate[i].algorithm;
        double fastest = cell->simulated[cell->best];
        if (i == cell->chosen || NEGLIGIBLE * least(problem, algorithm, model, fastest) >= fastest)
            continue;
        status = simulate(problem, algorithm, model, &cell->simulated[i]);
        if (!status && cell->simulated[i] < fastest)
            cell->best = i;
    }
    return status;
}

static void print_all(const struct cell *cell) {
    for (int i = 0; i < cell->count; i++) {
        double predicted = cell->candidate[i].seconds, simulated = cell->simulated[i];
        printf("    %-24s predicted %12.3f us", cell->candidate[i].algorithm->name,
               1e6 * predicted);
        if (isnan(simulated))
            printf(", can't be 1 %% faster\n");
        else
            printf(", simulated %12.3f us, ratio %.2f\n", 1e6 * simulated, predicted / simulated);
    }
}

static void write_cell(const struct caucus_problem *problem, const struct cell *cell,
                       const struct tally *tally) {
    fprintf(tally->json,
            "%s\n  {\"collective\": \"%s\", \"bytes\": %lld, \"chosen\": \"%s\", \"best\": \"%s\", "
            "\"algorithms\": {",
            tally->cells ? "," : "", caucus_collective_name(problem->shape.collective),
            (long long)problem->shape.bytes, cell->candidate[cell->chosen].algorithm->name,
            cell->candidate[cell->best].algorithm->name);
    for (int i = 0; i < cell->count; i++) {
        fprintf(tally->json, "%s\"%s\": {\"predicted\": %.9g", i ? ", " : "",
                cell->candidate[i].algorithm->name, cell->candidate[i].seconds);
        if (!isnan(cell->simulated[i]))
            fprintf(tally->json, ", \"simulated\": %.9g", cell->simulated[i]);
        fprintf(tally->json, "}");
    }
    fprintf(tally->json, "}}");
}

static void report(const struct caucus_problem *problem, const struct cell *cell, bool all,
                   struct tally *tally) {
    const char *collective = caucus_collective_name(problem->shape.collective);
    const char *chosen = cell->candidate[cell->chosen].algorithm->name;
    const char *best = cell->candidate[cell->best].algorithm->name;
    double taken = cell->simulated[cell->chosen], fastest = cell->simulated[cell->best];
    double ratio = fastest > 0 ? taken / fastest : 1;
    printf("%-22s %8lld  %-20s %12.3f  %-20s %12.3f  %5.2f%s\n", collective,
           (long long)problem->shape.bytes, chosen, 1e6 * taken, best, 1e6 * fastest, ratio,
           ratio <= WITHIN ? "" : " <<");
    if (all)
        print_all(cell);
    fflush(stdout);
    if (tally->json)
        write_cell(problem, cell, tally);
    tally->cells++;
    tally->good += ratio <= WITHIN;
    tally->worst = fmax(tally->worst, ratio);
}

static void write_head(const struct options *options, FILE *json) {
    struct caucus_model model = options->model;
    const char *name, *help;
    double *value;
    fprintf(json, "{\"ranks\": %d, \"ppn\": %d, \"node_memory\": %lld, \"model\": {",
            options->ranks, options->ppn, (long long)options->node_memory);
    for (int i = 0; (name = caucus_model_parameter(&model, i, &help, &value)); i++)
        fprintf(json, "%s\"%s\": {\"value\": %.9g, \"help\": \"%s\"}", i ? ", " : "", name, *value,
                help);
    fprintf(json, "}, \"cells\": [");
}

static bool neighbours(int collective) {
    return collective >= CAUCUS_NEIGHBOR_ALLGATHER;
}

/* As near to a cube as can be. */
static void set_grid(struct caucus_problem_shape *shape) {
    shape->neighbourhood = CAUCUS_NEIGHBOURHOOD_STAR;
    shape->axes = 3;
    int32_t left = shape->ranks;
    for (int axis = 0; axis < 3; axis++) {
        int32_t side = (int32_t)(pow(left, 1.0 / (3 - axis)) + 0.5);
        while (left % side)
            side--;
        shape->side[axis] = side;
        shape->periodic[axis] = true;
        left /= side;
    }
}

static int one_cell(const struct options *options, const struct caucus_node_map *nodes,
                    int collective, int64_t bytes, struct tally *tally) {
    struct caucus_problem problem;
    struct cell cell = {0};
    struct caucus_problem_shape shape = {
        .collective = (enum caucus_collective)collective,
        .ranks = options->ranks,
        .commutative = true,
        .element = caucus_task_reduces((enum caucus_collective)collective) ? 8 : 1,
        .bytes = collective == CAUCUS_BARRIER ? 0 : bytes,
        .nodes = nodes,
        .node_limit = options->node_memory,
        .exchanged = CAUCUS_NEEDS_COUNTS | CAUCUS_NEEDS_TRAFFIC,
        .irregular = true,
        .seed = 1,
    };
    if (neighbours(collective))
        set_grid(&shape);
    int status = caucus_problem_init(&problem, &shape);
    if (!status)
        status = compare(&problem, &options->model, &cell);
    if (!status)
        report(&problem, &cell, options->all, tally);
    caucus_problem_free(&problem);
    return status;
}

static int all_cells(const struct options *options, struct tally *tally) {
    struct caucus_node_map nodes;
    int status = caucus_node_map_blocks(&nodes, options->ranks, options->ppn);
    for (int collective = 0; collective < CAUCUS_COLLECTIVES && !status; collective++)
        for (int i = 0; i < COUNT && !status; i++) {
            bool asked = options->collective < 0 || options->collective == collective;
            bool needless = collective == CAUCUS_BARRIER && i > 0;
            if (asked && !needless && (options->bytes == 0 || options->bytes == SIZES[i]))
                status = one_cell(options, &nodes, collective, SIZES[i], tally);
        }
    caucus_node_map_free(&nodes);
    return status;
}

static bool read_options(int argc, char **argv, struct options *options) {
    *options = (struct options){.ranks = 4096, .ppn = 64, .node_memory = 4 << 20, .collective = -1};
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(argv[i], "--all") == 0) {
            options->all = true;
            continue;
        }
        i++;
        if (strcmp(argv[i - 1], "--ranks") == 0)
            options->ranks = (int32_t)strtol(value, NULL, 10);
        else if (strcmp(argv[i - 1], "--ppn") == 0)
            options->ppn = (int32_t)strtol(value, NULL, 10);
        else if (strcmp(argv[i - 1], "--node-memory") == 0)
            options->node_memory = strtoll(value, NULL, 10);
        else if (strcmp(argv[i - 1], "--bytes") == 0)
            options->bytes = strtoll(value, NULL, 10);
        else if (strcmp(argv[i - 1], "--json") == 0)
            options->json = value;
        else if (strcmp(argv[i - 1], "--model") == 0)
            options->machine = value;
        else if (strcmp(argv[i - 1], "--collective") == 0 && caucus_collective_find(value) >= 0)
            options->collective = caucus_collective_find(value);
        else
            return false;
    }
    return options->ranks > 0 && options->ppn > 0;
}

int main(int argc, char **argv) {
    struct options options;
    struct tally tally = {0};
    if (!read_options(argc, argv, &options)) {
        fprintf(stderr, "usage: plan_selection [--ranks N] [--ppn N] [--node-memory BYTES] "
                        "[--collective NAME] [--bytes N] [--model FILE] [--all] [--json FILE]\n");
        return 2;
    }
    caucus_model_default(&options.model);
    if (options.machine && caucus_model_read(&options.model, options.machine)) {
        fprintf(stderr, "plan_selection: %s\n", caucus_error_text());
        return 2;
    }
    if (options.json && !(tally.json = fopen(options.json, "w"))) {
        perror(options.json);
        return 1;
    }
    if (tally.json)
        write_head(&options, tally.json);
    printf("%d ranks, %d a node; simulated times in microseconds\n%-22s %8s  %-20s %12s  %-20s "
           "%12s  %5s\n",
           options.ranks, options.ppn, "collective", "bytes", "chosen", "time", "fastest", "time",
           "ratio");
    int status = all_cells(&options, &tally);
    if (tally.json) {
        fprintf(tally.json, "\n]}\n");
        fclose(tally.json);
    }
    if (status) {
        fprintf(stderr, "plan_selection: %s\n", caucus_error_text());
        return 1;
    }
    printf("%d of %d cells (%.1f %%) within %.0f %% of the fastest; the worst is %.2f times\n",
           tally.good, tally.cells, 100.0 * tally.good / (tally.cells ? tally.cells : 1),
           100 * (WITHIN - 1), tally.worst);
    return 0;
}
