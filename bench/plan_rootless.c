/* SPDX-License-Identifier: BSD-3-Clause */
/* All ranks casting at once on machines that nobody here has: the protocol of channels itself, step
 * by step, for every rank, with messages that take what a model of the machine says; against a
 * coordinator, rank 0, that relays what it gets down a tree (bench/common/relay_model.h). It is a
 * model: what MPI and the protocol's own steps cost beyond a message's overhead is not in it.
 *
 *     plan_rootless [--machines 16x8,64x8] [--sizes 100,1000] [--casts N] [--credits N]
 *                   [--together N] [--model FILE] [--json FILE]
 *
 * casts: of each rank. together: so many casts of a rank share a message. */
#include "common/relay_model.h"
#include "common/rootless_model.h"

#include "base/status.h"
#include "plan/overlay/estimate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIST = 16 };

struct options {
    int32_t nodes[LIST], per_node[LIST];
    int64_t size[LIST];
    int machines, sizes;
    int32_t casts, credits, together;
    struct caucus_model model;
    FILE *json;
};

__attribute__((noreturn)) static void fail(const char *text, const char *what) {
    fprintf(stderr, "plan_rootless: %s%s\n", text, what);
    exit(EXIT_FAILURE);
}

static int64_t number(const char *text, int64_t most) {
    char *end;
    long long value = strtoll(text, &end, 10);
    if (end == text || *end || value < 1 || value > most)
        fail("this is no number that can be used: ", text);
    return value;
}

static void read_machines(struct options *options, const char *list) {
    char copy[256];
    snprintf(copy, sizeof copy, "%s", list);
    options->machines = 0;
    for (char *word = strtok(copy, ","); word; word = strtok(NULL, ",")) {
        int at = options->machines++;
        if (at == LIST || sscanf(word, "%dx%d", &options->nodes[at], &options->per_node[at]) != 2 ||
            options->nodes[at] < 1 || options->per_node[at] < 1 ||
            (int64_t)options->nodes[at] * options->per_node[at] < 2 ||
            (int64_t)options->nodes[at] * options->per_node[at] > 1 << 16)
            fail("this is no machine such as 64x8: ", word);
    }
}

static void read_sizes(struct options *options, const char *list) {
    char copy[256];
    snprintf(copy, sizeof copy, "%s", list);
    options->sizes = 0;
    for (char *word = strtok(copy, ","); word; word = strtok(NULL, ",")) {
        if (options->sizes == LIST)
            fail("so many sizes are too many: ", list);
        options->size[options->sizes++] = number(word, 1 << 20);
    }
}

static struct options read_options(int argc, char **argv) {
    struct options options = {.casts = 20, .credits = 16, .together = 1};
    caucus_model_default(&options.model);
    read_machines(&options, "8x2,16x4,32x8,64x8");
    read_sizes(&options, "10,100,1000,8000");
    for (int i = 1; i < argc; i += 2) {
        const char *name = argv[i], *text = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(name, "--machines") == 0)
            read_machines(&options, text);
        else if (strcmp(name, "--sizes") == 0)
            read_sizes(&options, text);
        else if (strcmp(name, "--casts") == 0)
            options.casts = (int32_t)number(text, 1 << 20);
        else if (strcmp(name, "--credits") == 0)
            options.credits = (int32_t)number(text, 1 << 10);
        else if (strcmp(name, "--together") == 0)
            options.together = (int32_t)number(text, 1 << 12);
        else if (strcmp(name, "--model") == 0 && caucus_model_read(&options.model, text))
            fail("", caucus_error_text());
        else if (strcmp(name, "--json") == 0 && !(options.json = fopen(text, "w")))
            fail("cannot write ", text);
        else if (strcmp(name, "--model") != 0 && strcmp(name, "--json") != 0)
            fail("see the head of bench/plan_rootless.c for the options; this is none: ", name);
    }
    return options;
}

/* Bytes of casts that share a message: src/run/channel/bundle.h. */
static int64_t message_bytes(const struct options *options, int64_t bytes) {
    return options->together == 1 ? bytes : ((bytes + 15) / 16 * 16 + 4) * options->together;
}

/* Casts in a second of a channel. */
static double channel_rate(const struct options *options, const struct caucus_node_map *nodes,
                           const struct caucus_overlay_kind *kind, int64_t bytes, bool total) {
    int64_t length = message_bytes(options, bytes);
    struct caucus_channel_setup setup = {.overlay = {kind, nodes->ranks, nodes, false},
                                         .credits = options->credits,
                                         .total_order = total,
                                         .window = 1024,
                                         .segment = length,
                                         .memory = length};
    double seconds;
    if (rootless_model_run(&setup, nodes, &options->model, length, options->casts, &seconds))
        fail("", caucus_error_text());
    return (double)options->casts * options->together * nodes->ranks / seconds;
}

static double relay_rate(const struct options *options, const struct caucus_node_map *nodes,
                         const struct caucus_overlay_kind *kind, int64_t bytes) {
    const struct caucus_overlay tree = {kind, nodes->ranks, nodes, false};
    double seconds;
    if (relay_model_run(&tree, nodes, &options->model, bytes, options->casts, &seconds))
        fail("", caucus_error_text());
    return (double)options->casts * nodes->ranks / seconds;
}

static double larger(double a, double b) {
    return a > b ? a : b;
}

static void compare(const struct options *options, const struct caucus_node_map *nodes,
                    int64_t bytes) {
    const struct caucus_overlay_kind *finger = &caucus_overlay_finger,
                                     *levels = &caucus_overlay_two_level;
    struct caucus_overlay chosen = {0};
    if (caucus_overlay_choose(nodes, &options->model, message_bytes(options, bytes), true, &chosen))
        fail("", caucus_error_text());
    double flat = relay_rate(options, nodes, finger, bytes);
    double aware = relay_rate(options, nodes, levels, bytes);
    double ring = channel_rate(options, nodes, &caucus_overlay_skip_ring, bytes, false);
    double plain = channel_rate(options, nodes, chosen.kind, bytes, false);
    double total = channel_rate(options, nodes, chosen.kind, bytes, true);
    double over = plain / larger(flat, aware);
    printf("%5d x %-3d %6lld %12.4g %12.4g %12.4g %12.4g %12.4g %8.2f %8.2f  %s\n", nodes->nodes,
           nodes->largest, (long long)bytes, flat, aware, ring, plain, total, over, total / plain,
           chosen.kind->name);
    fflush(stdout);
    if (options->json)
        fprintf(options->json,
                "{\"nodes\": %d, \"ppn\": %d, \"bytes\": %lld, \"together\": %d, \"credits\": %d, "
                "\"relay\": %.6g, \"relay_node_aware\": %.6g, \"skip_ring\": %.6g, \"channel\": "
                "%.6g, \"total\": %.6g, \"overlay\": \"%s\"}\n",
                nodes->nodes, nodes->largest, (long long)bytes, options->together, options->credits,
                flat, aware, ring, plain, total, chosen.kind->name);
}

int main(int argc, char **argv) {
    struct options options = read_options(argc, argv);
    printf("# casts in a second, all ranks casting %d each, %d credits, %d to a message: a model\n",
           options.casts, options.credits, options.together);
    printf("# %-9s %6s %12s %12s %12s %12s %12s %8s %8s\n", "machine", "bytes", "relay",
           "node-aware", "skip ring", "channel", "total order", "/ relay", "total /");
    for (int i = 0; i < options.machines; i++) {
        struct caucus_node_map nodes;
        if (caucus_node_map_blocks(&nodes, options.nodes[i] * options.per_node[i],
                                   options.per_node[i]))
            fail("", caucus_error_text());
        for (int k = 0; k < options.sizes; k++)
            compare(&options, &nodes, options.size[k]);
        caucus_node_map_free(&nodes);
    }
    return options.json && fclose(options.json) ? EXIT_FAILURE : EXIT_SUCCESS;
}
