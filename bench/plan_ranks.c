/* SPDX-License-Identifier: BSD-3-Clause */
/* What one rank of very many has to work out, without MPI: seconds of a processor and bytes of its
 * heap, at the peak and kept, for the map of nodes, schedules of collectives as the choice by the
 * built-in model has them, overlays and states of channels, and groups in the making. The most of
 * some ranks that are looked at.
 *
 *     plan_ranks [--ppn 64] [--most RANKS] [--cyclic 1] [--json FILE] */
#include "base/memory.h"
#include "base/status.h"
#include "common/counted_memory.h"
#include "plan/choice/choose.h"
#include "plan/group/members.h"
#include "plan/overlay/estimate.h"
#include "plan/protocol/channel.h"
#include "plan/protocol/creation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { LEAST_RANKS = 64, STEP = 4, NEIGHBORS = 26, SAMPLES = 5, NODE_LIMIT = 4 << 20 };
enum { CREDITS = 16, SEGMENT = 16384, MEMORY = 64 << 20, WINDOW = 1024 }; /* what channels have */

struct options {
    int32_t per_node, most;
    bool cyclic;
    FILE *json;
};

/* A line of the table. */
struct result {
    const char *what, *how;
    double seconds;
    size_t peak, kept;
    int64_t operations; /* of a schedule; links of an overlay */
};

static const struct {
    const char *name;
    enum caucus_collective collective;
    int64_t bytes; /* of the task; data that all ranks have grow with the ranks */
    bool per_rank;
} CASES[] = {
    {"barrier", CAUCUS_BARRIER, 0, false},
    {"bcast 8 B", CAUCUS_BCAST, 8, false},
    {"allreduce 8 B", CAUCUS_ALLREDUCE, 8, false},
    {"allreduce 1 MiB", CAUCUS_ALLREDUCE, 1 << 20, false},
    {"scan 8 B", CAUCUS_SCAN, 8, false},
    {"reduce 8 B", CAUCUS_REDUCE, 8, false},
    {"neighbor_alltoall 26 x 1 KiB", CAUCUS_NEIGHBOR_ALLTOALL, 1024, false},
    {"gather 8 B", CAUCUS_GATHER, 8, true},
    {"allgather 8 B", CAUCUS_ALLGATHER, 8, true},
    {"reduce_scatter_block 8 B", CAUCUS_REDUCE_SCATTER_BLOCK, 8, true},
    {"alltoall 8 B", CAUCUS_ALLTOALL, 8, true},
};
enum { CASE_COUNT = sizeof CASES / sizeof *CASES };

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

struct measure {
    double begin;
    size_t before;
};

static struct measure begin(void) {
    bytes_most = bytes_now;
    return (struct measure){seconds(), bytes_now};
}

/* The most of several. */
static void end(const struct measure *measure, struct result *result) {
    size_t peak = bytes_most - measure->before;
    size_t kept = bytes_now > measure->before ? bytes_now - measure->before : 0;
    result->seconds = fmax(result->seconds, seconds() - measure->begin);
    result->peak = peak > result->peak ? peak : result->peak;
    result->kept = kept > result->kept ? kept : result->kept;
}

static void report(const struct options *options, int32_t ranks, const struct result *result) {
    static bool any;
    printf("%8d  %-28s %-18s %11.6f %12zu %12zu %10lld\n", ranks, result->what,
           result->how ? result->how : "", result->seconds, result->peak, result->kept,
           (long long)result->operations);
    if (!options->json)
        return;
    fprintf(options->json,
            "%s\n {\"ranks\": %d, \"what\": \"%s\", \"how\": \"%s\", \"seconds\": %.9f, "
            "\"peak\": %zu, \"kept\": %zu, \"operations\": %lld}",
            any ? "," : "", ranks, result->what, result->how ? result->how : "", result->seconds,
            result->peak, result->kept, (long long)result->operations);
    any = true;
}

static int32_t sample(int32_t ranks, int i, int32_t per_node) {
    const int32_t at[SAMPLES] = {0, 1, per_node - 1, ranks / 3, ranks - 1};
    return at[i] < ranks ? at[i] : ranks - 1;
}

static int map_nodes(const struct options *options, int32_t ranks, struct caucus_node_map *map,
                     struct result *result) {
    int32_t *labels = options->cyclic ? caucus_array(ranks, sizeof *labels) : NULL;
    int32_t nodes = (ranks - 1) / options->per_node + 1;
    for (int32_t rank = 0; labels && rank < ranks; rank++)
        labels[rank] = rank % nodes;
    struct measure measure = begin();
    int status = labels ? caucus_node_map_init(map, ranks, labels)
                        : caucus_node_map_blocks(map, ranks, options->per_node);
    end(&measure, result);
    free(labels);
    return status;
}

static void find_neighbors(int32_t rank, int32_t ranks, int32_t *to, int32_t *from) {
    for (int32_t i = 0; i < NEIGHBORS; i++) {
        int32_t distance = (i / 2 + 1) * (i % 2 ? 1 : -1);
        to[i] = (rank + ranks + distance) % ranks;
        from[i] = (rank + ranks - distance) % ranks;
    }
}

static int plan_rank(const struct caucus_task *task, struct result *result) {
    struct caucus_model model;
    struct caucus_schedule schedule;
    const struct caucus_algorithm *algorithm;
    caucus_model_default(&model);
    struct measure measure = begin();
    int status = caucus_algorithm_choose(task, &model, "", 0, &algorithm);
    if (!status)
        status = caucus_algorithm_build(algorithm, task, &schedule);
    if (status)
        return status;
    end(&measure, result);
    result->how = algorithm->name;
    if (schedule.count > result->operations)
        result->operations = schedule.count;
    caucus_schedule_free(&schedule);
    return CAUCUS_OK;
}

static int plan_case(const struct options *options, int32_t ranks,
                     const struct caucus_node_map *map, int which) {
    int32_t to[NEIGHBORS], from[NEIGHBORS];
    struct result result = {.what = CASES[which].name};
    int64_t bytes = CASES[which].bytes;
    int status = CAUCUS_OK;
    for (int i = 0; i < SAMPLES && !status; i++) {
        struct caucus_task task = {
            .collective = CASES[which].collective,
            .ranks = ranks,
            .rank = sample(ranks, i, options->per_node),
            .commutative = true,
            .element = caucus_task_reduces(CASES[which].collective) ? 8 : 1,
            .bytes = bytes,
            .nodes = map,
            .node_limit = NODE_LIMIT,
            .volume = CASES[which].per_rank ? bytes * ranks : bytes,
        };
        if (caucus_task_neighborhood(&task)) {
            find_neighbors(task.rank, ranks, to, from);
            task.sources = task.destinations = NEIGHBORS;
            task.source = from;
            task.destination = to;
            task.volume = 0;
        }
        status = plan_rank(&task, &result);
    }
    if (!status)
        report(options, ranks, &result);
    return status;
}

/* What rank 0 chooses for all, and what every rank then has: links, and the protocol's state. */
static int plan_channel(const struct options *options, int32_t ranks,
                        const struct caucus_node_map *map) {
    struct caucus_model model;
    struct caucus_channel_setup setup = {
        .credits = CREDITS, .segment = SEGMENT, .memory = MEMORY, .window = WINDOW};
    struct result chosen = {.what = "choice of an overlay, rank 0"};
    caucus_model_default(&model);
    struct measure measure = begin();
    int status = caucus_overlay_choose(map, &model, SEGMENT, true, &setup.overlay);
    end(&measure, &chosen);
    if (status)
        return status;
    chosen.how = setup.overlay.kind->name;
    report(options, ranks, &chosen);
    struct result result = {.what = "channel, a rank's state", .how = setup.overlay.kind->name};
    for (int i = 0; i < SAMPLES && !status; i++) {
        int32_t *targets, *sources = NULL, rank = sample(ranks, i, options->per_node);
        status = caucus_overlay_targets(&setup.overlay, rank, &setup.targets, &targets);
        if (!status)
            status = caucus_overlay_sources(&setup.overlay, rank, &setup.sources, &sources);
        free(targets);
        free(sources);
        measure = begin();
        void *state = caucus_array(caucus_channel_protocol.state_bytes(&setup), 1);
        caucus_channel_protocol.begin(&setup, rank, state);
        end(&measure, &result);
        free(state);
        if (setup.sources + setup.targets > result.operations)
            result.operations = setup.sources + setup.targets;
    }
    report(options, ranks, &result);
    return status;
}

/* A list that is no range: 0, 2, 1, 3, 4, … And what its protocol's run takes. */
static int plan_group(const struct options *options, int32_t ranks) {
    int32_t *list = caucus_array(ranks, sizeof *list);
    for (int32_t i = 0; list && i < ranks; i++)
        list[i] = i == 1 ? 2 : i == 2 ? 1 : i;
    struct caucus_members members;
    struct result result = {.what = "group of all, a list"};
    struct measure measure = begin();
    int status = list ? caucus_members_from_list(&members, ranks, ranks, list) : CAUCUS_NO_MEMORY;
    if (!status)
        end(&measure, &result);
    if (!status)
        report(options, ranks, &result);
    if (!status)
        caucus_members_free(&members);
    result = (struct result){.what = "its creation, while it lasts"};
    const struct caucus_creation_setup setup = {
        .members = ranks, .ranks = list, .me = ranks / 3, .checked = true};
    measure = begin();
    void *state = status ? NULL : caucus_array(caucus_creation.state_bytes(&setup), 1);
    if (state)
        caucus_creation.begin(&setup, setup.me, state);
    end(&measure, &result);
    if (!status)
        report(options, ranks, &result);
    free(state);
    free(list);
    return status;
}

static int plan_all(const struct options *options, int32_t ranks) {
    struct caucus_node_map map;
    struct result result = {.what = "map of nodes", .how = options->cyclic ? "cyclic" : "blocks"};
    int status = map_nodes(options, ranks, &map, &result);
    if (status)
        return status;
    report(options, ranks, &result);
    for (int i = 0; i < CASE_COUNT && !status; i++)
        status = plan_case(options, ranks, &map, i);
    if (!status)
        status = plan_channel(options, ranks, &map);
    if (!status)
        status = plan_group(options, ranks);
    caucus_node_map_free(&map);
    return status;
}

static bool read_options(int argc, char **argv, struct options *options) {
    *options = (struct options){.per_node = 64, .most = 1 << 20};
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--ppn") == 0)
            options->per_node = (int32_t)strtol(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--most") == 0)
            options->most = (int32_t)strtol(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--cyclic") == 0)
            options->cyclic = strtol(argv[i + 1], NULL, 10) != 0;
        else if (strcmp(argv[i], "--json") != 0 || !(options->json = fopen(argv[i + 1], "w")))
            return false;
    }
    return argc % 2 == 1 && options->per_node > 0 && options->most > 0;
}

int main(int argc, char **argv) {
    struct options options;
    int status = CAUCUS_OK;
    if (!read_options(argc, argv, &options)) {
        fprintf(stderr, "Usage: %s [--ppn 64] [--most RANKS] [--cyclic 1] [--json FILE]\n",
                argv[0]);
        return EXIT_FAILURE;
    }
    printf("%d ranks a node; processor time of one core, the most of %d ranks; %s\n",
           options.per_node, SAMPLES, counting ? "bytes of the heap" : "bytes are not counted");
    printf("%8s  %-28s %-18s %11s %12s %12s %10s\n", "ranks", "what", "how", "seconds",
           "peak bytes", "kept", "operations");
    if (options.json)
        fprintf(options.json, "[");
    for (int64_t ranks = LEAST_RANKS; ranks <= options.most && !status; ranks *= STEP)
        status = plan_all(&options, (int32_t)ranks);
    if (options.json) {
        fprintf(options.json, "\n]\n");
        fclose(options.json);
    }
    if (status)
        fprintf(stderr, "plan_ranks: %s\n", caucus_error_text());
    return status ? EXIT_FAILURE : EXIT_SUCCESS;
}
