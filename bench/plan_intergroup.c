/* SPDX-License-Identifier: BSD-3-Clause */
/* What allgather between two groups is planned to take, against what it must take at least.
 *
 *     plan_intergroup load  [--cases N] [--most N]
 *     plan_intergroup bound [--cases N] [--most N] [--latencies X]
 *     plan_intergroup nodes [--nodes N] [--ppn N] [--first N] [--bytes N] [--counts NAME]
 *                           [--all]
 *
 * load: the bytes of the busiest port by striped_ring in random cases, over those of the larger
 * group. bound: the simulated time of the chosen algorithm where a rank passes one message at a
 * time, over the time that these bytes take; they take as long as so many messages' latencies.
 * nodes: the chosen algorithm on the default machine, over what its cards need, and root gathering,
 * by the fastest gather and broadcast, and by a linear gather and a binomial broadcast.
 * With --json FILE, all of it for programs; --model FILE, another machine. */
#include "common/planned_groups.h"

#include "base/status.h"
#include "plan/choice/choose.h"
#include "plan/intergroup/stripes.h"
#include "study/simulate/simulate.h"

#include "common/root_gathering.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options {
    const char *mode, *json, *machine;
    bool all; /* algorithms are simulated */
    int cases, counts;
    int32_t most, nodes, ppn, first;
    double bytes, latencies;
    struct caucus_model model;
    FILE *file;
};

/* Case i of load and bound. */
static int draw_groups(struct groups *groups, const struct options *options, uint64_t i,
                       double total) {
    static const double shares[] = {0.1, 0.5, 0.9, 1};
    uint64_t state = i * 1000003 + 17;
    *groups = (struct groups){0};
    for (int side = 0; side < 2; side++) {
        bool all = caucus_block_pattern_draw(&state) % 4 == 0;
        uint64_t size = 1 + caucus_block_pattern_draw(&state) % (uint64_t)options->most;
        groups->size[side] = all ? options->most : (int32_t)size;
        groups->pattern[side] =
            (enum caucus_block_pattern)(caucus_block_pattern_draw(&state) % CAUCUS_BLOCK_PATTERNS);
    }
    double share = shares[caucus_block_pattern_draw(&state) % 4];
    if (total <= 0)
        total = pow(10, 3 + 6 * caucus_block_pattern_draw_uniform(&state));
    return groups_fill(groups, total, total * share, &state);
}

static int heaviest_port(const struct groups *groups, double latency, int64_t *bytes) {
    struct caucus_problem_shape shape = shape_of(groups);
    struct caucus_problem problem;
    struct caucus_stripes stripes = {0};
    struct caucus_task task;
    int status = caucus_problem_init(&problem, &shape);
    if (!status)
        status = caucus_problem_task(&problem, 0, &task);
    if (!status)
        status = caucus_stripes_init(&stripes, &task, latency, 0);
    for (int32_t rank = 0; rank < shape.ranks && !status; rank++) {
        struct caucus_striped_list list = {0};
        int64_t passed[2] = {0, 0};
        status = caucus_stripes_messages(&stripes, rank, &list);
        for (int64_t i = 0; i < list.count && !status; i++)
            passed[list.message[i].sends] +=
                list.message[i].token ? 0 : list.message[i].end - list.message[i].begin;
        for (int way = 0; way < 2; way++)
            *bytes = passed[way] > *bytes ? passed[way] : *bytes;
        free(list.message);
    }
    caucus_stripes_free(&stripes);
    caucus_problem_free(&problem);
    return status;
}

static int simulate(const struct caucus_problem_shape *shape,
                    const struct caucus_algorithm *algorithm, const struct caucus_model *model,
                    struct caucus_simulation *simulation) {
    struct caucus_problem problem;
    struct caucus_schedule *schedules = NULL;
    int status = caucus_problem_init(&problem, shape);
    if (!status)
        status = caucus_problem_build(&problem, algorithm, &schedules);
    if (!status)
        status = caucus_schedule_simulate(shape->ranks, schedules, shape->nodes, model, NULL, NULL,
                                          simulation);
    caucus_problem_schedules_free(schedules, shape->ranks);
    caucus_problem_free(&problem);
    return status;
}

static int choose(const struct caucus_problem_shape *shape, const struct caucus_model *model,
                  const struct caucus_algorithm **chosen, double *predicted) {
    struct caucus_problem problem;
    struct caucus_task task;
    struct caucus_candidate candidate = {0};
    int status = caucus_problem_init(&problem, shape);
    if (!status)
        status = caucus_problem_task(&problem, 0, &task);
    if (!status)
        status = caucus_algorithm_choose(&task, model, NULL, CAUCUS_NEEDS_COUNTS, chosen);
    for (int i = 0; !status && candidate.algorithm != *chosen; i++)
        if (!caucus_algorithm_explain(&task, model, CAUCUS_NEEDS_COUNTS, i, &candidate))
            break;
    *predicted = candidate.seconds;
    caucus_problem_free(&problem);
    return status;
}

/* What a case of load or bound has come to, and the worst of them. */
struct tally {
    int cases;
    double worst, *ratio;
};

static void tally_add(struct tally *tally, const struct options *options,
                      const struct groups *groups, double ratio, const char *algorithm) {
    bool worst = ratio > tally->worst;
    tally->ratio[tally->cases++] = ratio;
    if (worst) {
        tally->worst = ratio;
        printf("worst so far %.4f: %d ranks %s, %d ranks %s, %s\n", ratio, (int)groups->size[0],
               caucus_block_pattern_name(groups->pattern[0]), (int)groups->size[1],
               caucus_block_pattern_name(groups->pattern[1]), algorithm);
        fflush(stdout);
    }
    if (options->file)
        fprintf(options->file,
                "%s\n {\"ranks\": [%d, %d], \"counts\": [\"%s\", \"%s\"], \"algorithm\": \"%s\", "
                "\"ratio\": %.6f}",
                tally->cases > 1 ? "," : "", (int)groups->size[0], (int)groups->size[1],
                caucus_block_pattern_name(groups->pattern[0]),
                caucus_block_pattern_name(groups->pattern[1]), algorithm, ratio);
}

static int compare(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static int one_load(const struct options *options, uint64_t i, struct tally *tally) {
    struct groups groups;
    int64_t bytes = 0;
    int status = draw_groups(&groups, options, i, 0);
    if (!status)
        status = heaviest_port(&groups, (double)groups.bound / 1000, &bytes);
    if (!status)
        tally_add(tally, options, &groups, (double)bytes / (double)groups.bound, "striped_ring");
    free(groups.block);
    return status;
}

/* A message costs as much as so many bytes, and a long one waits for its receive. */
static struct caucus_model one_port(double latency) {
    struct caucus_model model = {.ports = 1, .eager = latency};
    model.latency[CAUCUS_BETWEEN_NODES] = latency;
    model.byte[CAUCUS_BETWEEN_NODES] = 1;
    return model;
}

static int one_bound(const struct options *options, uint64_t i, struct tally *tally) {
    const double latency = CAUCUS_STRIPES_LATENCY;
    struct caucus_model model = one_port(latency);
    struct caucus_simulation simulation = {0};
    const struct caucus_algorithm *chosen;
    struct groups groups;
    double predicted;
    int status = draw_groups(&groups, options, i, options->latencies * latency);
    struct caucus_problem_shape shape = shape_of(&groups);
    if (!status)
        status = choose(&shape, &model, &chosen, &predicted);
    if (!status)
        status = simulate(&shape, chosen, &model, &simulation);
    if (!status)
        tally_add(tally, options, &groups, simulation.seconds / (double)groups.bound, chosen->name);
    free(groups.block);
    return status;
}

static int run_cases(const struct options *options,
                     int (*one)(const struct options *, uint64_t, struct tally *)) {
    struct tally tally = {.ratio = calloc((size_t)options->cases, sizeof *tally.ratio)};
    int status = CAUCUS_OK;
    if (!tally.ratio)
        return caucus_fail(CAUCUS_NO_MEMORY, "no memory for %d cases", options->cases);
    for (int i = 0; i < options->cases && !status; i++)
        status = one(options, (uint64_t)i, &tally);
    if (!status) {
        qsort(tally.ratio, (size_t)tally.cases, sizeof *tally.ratio, compare);
        printf("%d cases, up to %d ranks a group: median %.4f, worst %.4f\n", tally.cases,
               (int)options->most, tally.ratio[tally.cases / 2], tally.worst);
    }
    free(tally.ratio);
    return status;
}

/* What each algorithm is predicted to take, and takes. */
static int print_all(const struct options *options, const struct caucus_problem_shape *shape) {
    const struct caucus_algorithm *algorithm;
    struct caucus_problem problem;
    struct caucus_task task;
    int status = caucus_problem_init(&problem, shape);
    if (!status)
        status = caucus_problem_task(&problem, 0, &task);
    struct caucus_candidate candidate;
    for (int i = 0; !status && caucus_algorithm_explain(&task, &options->model, CAUCUS_NEEDS_COUNTS,
                                                        i, &candidate);
         i++) {
        struct caucus_simulation simulation;
        algorithm = candidate.algorithm;
        if (!candidate.serves || simulate(shape, algorithm, &options->model, &simulation))
            continue;
        printf("    %-20s predicted %12.1f us, simulated %12.1f us\n", algorithm->name,
               1e6 * candidate.seconds, 1e6 * simulation.seconds);
        fflush(stdout);
    }
    caucus_problem_free(&problem);
    return status;
}

static int gather_to_roots(const struct options *options, const struct caucus_problem_shape *shape,
                           struct root_gathering_parts parts, double *seconds) {
    struct caucus_simulation simulation = {0};
    int status = root_gathering_init(shape, &options->model, &parts);
    if (!status)
        status = simulate(shape, &root_gathering_algorithm, &options->model, &simulation);
    root_gathering_free();
    *seconds = simulation.seconds;
    return status;
}

/* What the allgather of a machine of nodes has come to. */
struct found {
    const struct caucus_algorithm *chosen;
    struct caucus_simulation simulation;
    double predicted, bound, fastest_roots, simple_roots;
};

static void report(const struct options *options, const struct found *found, double larger) {
    double seconds = found->simulation.seconds;
    printf("%d nodes of %d, %d in the first group, %.0f bytes a node, %s: %s %.1f us, %.3f times "
           "what the cards need; root gathering %.2f times as long, of simple parts %.2f\n",
           (int)options->nodes, (int)options->ppn, (int)options->first, options->bytes,
           caucus_block_pattern_name(options->counts), found->chosen->name, 1e6 * seconds,
           seconds / found->bound, found->fastest_roots / seconds, found->simple_roots / seconds);
    if (options->file)
        fprintf(options->file,
                "\n {\"algorithm\": \"%s\", \"seconds\": %.9g, \"predicted\": %.9g, \"bound\": "
                "%.9g, \"card_bytes\": %.9g, \"fastest_roots\": %.9g, \"simple_roots\": %.9g}",
                found->chosen->name, seconds, found->predicted, found->bound,
                (double)found->simulation.card_bytes / larger, found->fastest_roots,
                found->simple_roots);
}

static int measure(const struct options *options, const struct groups *groups,
                   const struct caucus_node_map *nodes) {
    struct root_gathering_parts fastest = {NULL, NULL}, simple = {"linear", "binomial"};
    struct found found = {0};
    struct caucus_problem_shape shape = shape_of(groups);
    shape.nodes = nodes;
    shape.node_limit = 4 << 20;
    int status = choose(&shape, &options->model, &found.chosen, &found.predicted);
    if (!status)
        status = simulate(&shape, found.chosen, &options->model, &found.simulation);
    if (!status)
        status = gather_to_roots(options, &shape, fastest, &found.fastest_roots);
    if (!status)
        status = gather_to_roots(options, &shape, simple, &found.simple_roots);
    /* A process may be slower than its card. */
    double byte =
        fmax(options->model.card_byte, options->model.byte[CAUCUS_BETWEEN_NODES] / options->ppn);
    found.bound = (double)groups->bound * byte;
    if (!status)
        report(options, &found, (double)groups->bound);
    return !status && options->all ? print_all(options, &shape) : status;
}

/* The groups have nodes of their own; bytes are those of a node on average. */
static int run_nodes(const struct options *options) {
    struct groups groups = {0};
    struct caucus_node_map nodes = {0};
    uint64_t state = 1;
    int32_t second = options->nodes - options->first;
    groups.pattern[0] = groups.pattern[1] = (enum caucus_block_pattern)options->counts;
    groups.size[0] = options->first * options->ppn;
    groups.size[1] = second * options->ppn;
    int status =
        groups_fill(&groups, options->bytes * options->first, options->bytes * second, &state);
    if (!status)
        status = caucus_node_map_blocks(&nodes, groups.size[0] + groups.size[1], options->ppn);
    if (!status)
        status = measure(options, &groups, &nodes);
    caucus_node_map_free(&nodes);
    free(groups.block);
    return status;
}

static bool read_option(const char *name, const char *value, struct options *options) {
    if (strcmp(name, "--cases") == 0)
        options->cases = (int)strtol(value, NULL, 10);
    else if (strcmp(name, "--most") == 0)
        options->most = (int32_t)strtol(value, NULL, 10);
    else if (strcmp(name, "--latencies") == 0)
        options->latencies = strtod(value, NULL);
    else if (strcmp(name, "--nodes") == 0)
        options->nodes = (int32_t)strtol(value, NULL, 10);
    else if (strcmp(name, "--ppn") == 0)
        options->ppn = (int32_t)strtol(value, NULL, 10);
    else if (strcmp(name, "--first") == 0)
        options->first = (int32_t)strtol(value, NULL, 10);
    else if (strcmp(name, "--bytes") == 0)
        options->bytes = strtod(value, NULL);
    else if (strcmp(name, "--counts") == 0)
        options->counts = caucus_block_pattern_find(value, (int64_t)strlen(value));
    else if (strcmp(name, "--json") == 0)
        options->json = value;
    else if (strcmp(name, "--model") == 0)
        options->machine = value;
    else
        return false;
    return true;
}

static bool read_options(int argc, char **argv, struct options *options) {
    *options = (struct options){.mode = argc > 1 ? argv[1] : "",
                                .cases = 1000,
                                .most = 24,
                                .nodes = 256,
                                .ppn = 2,
                                .first = 128,
                                .bytes = 1 << 20,
                                .latencies = 1e5};
    for (int i = 2; i < argc; i += 2) {
        if (strcmp(argv[i], "--all") == 0)
            options->all = i--;
        else if (i + 1 == argc || !read_option(argv[i], argv[i + 1], options))
            return false;
    }
    return options->cases > 0 && options->most > 0 && options->ppn > 0 && options->counts >= 0 &&
           options->first > 0 && options->first < options->nodes && options->bytes > 0;
}

static bool is_mode(const struct options *options, const char *mode) {
    return strcmp(options->mode, mode) == 0;
}

static int run(struct options *options) {
    if (is_mode(options, "load"))
        return run_cases(options, one_load);
    if (is_mode(options, "bound"))
        return run_cases(options, one_bound);
    return run_nodes(options);
}

int main(int argc, char **argv) {
    struct options options;
    bool good = read_options(argc, argv, &options);
    if (!good ||
        !(is_mode(&options, "load") || is_mode(&options, "bound") || is_mode(&options, "nodes"))) {
        fprintf(stderr, "usage: plan_intergroup load|bound|nodes [--cases N] [--most N] "
                        "[--latencies X] [--nodes N] [--ppn N] [--first N] [--bytes N] "
                        "[--counts NAME] [--all] [--model FILE] [--json FILE]\n");
        return 2;
    }
    caucus_model_default(&options.model);
    if (options.machine && caucus_model_read(&options.model, options.machine)) {
        fprintf(stderr, "plan_intergroup: %s\n", caucus_error_text());
        return 2;
    }
    if (options.json && !(options.file = fopen(options.json, "w"))) {
        perror(options.json);
        return 1;
    }
    if (options.file)
        fprintf(options.file, "[");
    int status = run(&options);
    if (options.file) {
        fprintf(options.file, "\n]\n");
        fclose(options.file);
    }
    if (status)
        fprintf(stderr, "plan_intergroup: %s\n", caucus_error_text());
    return status ? 1 : 0;
}
