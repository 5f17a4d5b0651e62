/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives between two groups of nodes: MPI's own blocking and nonblocking calls, the algorithm
 * that gathers everything at a root, and Caucus's blocking and persistent calls, by turns in one
 * run, with bare TCP streams of as many bytes as the busiest card must take in. Every result is
 * checked. The experiment is that of Q. Kang, J. L. Träff, R. Al-Bahrani, A. Agrawal, A. Choudhary
 * and W. Liao, Scalable Algorithms for MPI Intergroup Allgather and Allgatherv, Parallel Computing,
 * 2019.
 *
 *   mpiexec -n 32 build/mpich/bin/intergroup_loop --groups 4:12 --cell allgather:regular:1048576 */
#include "common/intergroup_calls.h"
#include "common/intergroup_cards.h"
#include "common/sample.h"
#include "common/tcp_stream.h"

#include "api/collective/request.h"
#include "plan/collective/algorithm.h"

#include <caucus/error.h>

#define BATCH_SECONDS 0.1 /* of one sample, where operations are shorter */
enum { CELLS_MOST = 200, BATCH_MOST = 100, STREAMS = 3, WARM_BYTES = 1 << 16 };

struct options {
    const char *groups, *json, *ways;
    const char *cell[CELLS_MOST];
    int cells, repetitions;
    double seconds; /* for one way in one cell */
};

struct measured {
    int right[WAYS]; /* 1: done and right; -1: it said that it can't */
    struct sample seconds[WAYS];
    struct sample in[WAYS], busiest[WAYS]; /* cards_stop */
    struct sample stream[2]; /* seconds of one that has the largest bound, and of all nodes' */
    double used[WAYS];
    int batch[WAYS];
    const char *algorithm;
};

static struct groups groups;
static struct cards cards;
static struct tcp_stream stream;

__attribute__((noreturn)) static void bad(const char *name, const char *text) {
    if (groups.rank[0] == 0)
        fprintf(
            stderr,
            "intergroup_loop: %s %s is not understood.\n"
            "Options: --groups NODES:NODES|mixed  --cell COLLECTIVE:COUNTS:BYTES (again and "
            "again)\n"
            "         --repetitions 5  --seconds 1 (of one way in one cell)  --json FILE (lines "
            "are added)\n"
            "         --ways all|ours|native\n"
            "COLLECTIVE allgather|allgatherv|allreduce|reduce_scatter, COUNTS "
            "regular|linear|heavy|zeros\n",
            name, text);
    MPI_Finalize();
    exit(EXIT_FAILURE);
}

static struct options read_options(int argc, char **argv) {
    struct options options = {.groups = "1:1", .ways = "all", .repetitions = 5, .seconds = 1};
    for (int i = 1; i < argc; i += 2) {
        const char *name = argv[i], *text = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(name, "--groups") == 0)
            options.groups = text;
        else if (strcmp(name, "--cell") == 0 && options.cells < CELLS_MOST)
            options.cell[options.cells++] = text;
        else if (strcmp(name, "--repetitions") == 0 && atoi(text) > 0)
            options.repetitions = atoi(text);
        else if (strcmp(name, "--seconds") == 0 && atof(text) > 0)
            options.seconds = atof(text);
        else if (strcmp(name, "--json") == 0)
            options.json = text;
        else if (strcmp(name, "--ways") == 0)
            options.ways = text;
        else
            bad(name, text);
    }
    return options;
}

static struct cell read_cell(const char *text) {
    struct cell cell = {0};
    char collective[20], shape[20];
    int known = 0, shapes = sizeof cell_shapes / sizeof *cell_shapes;
    if (sscanf(text, "%19[a-z_]:%19[a-z]:%ld", collective, shape, &cell.bytes) != 3 ||
        cell.bytes < 1 || cell.bytes > 1 << 30)
        bad("--cell", text);
    for (int i = 0; i < CELL_COLLECTIVES; i++)
        if (strcmp(collective, cell_names[i]) == 0) {
            cell.collective = (enum cell_collective)i;
            known++;
        }
    for (int i = 0; i < shapes; i++)
        if (strcmp(shape, cell_shapes[i]) == 0) {
            cell.shape = i;
            known++;
        }
    if (known < 2 || (cell.collective != ALLGATHERV && cell.shape != 0))
        bad("--cell", text);
    return cell;
}

static int wanted(const char *ways, enum way way) {
    return strcmp(ways, "all") == 0 || (strcmp(ways, "ours") == 0) == (way >= BLOCKING);
}

/* Seconds of one operation at the slowest rank. */
static double measure(const struct cell *cell, enum way way, caucus_request *request, int times,
                      struct measured *measured) {
    double slowest, ratio[2];
    double bound = cell_node_bound(cell, groups.node);
    cards_start(&cards);
    double begin = MPI_Wtime();
    int status = cell_do(cell, way, request, times);
    double seconds = (MPI_Wtime() - begin) / times;
    cards_stop(&cards, times, bound, cell_bound(cell), ratio);
    MPI_Allreduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (status != MPI_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    sample_add(&measured->seconds[way], slowest);
    sample_add(&measured->in[way], ratio[0]);
    sample_add(&measured->busiest[way], ratio[1]);
    measured->used[way] += slowest * times;
    return slowest;
}

/* The first time of each way: connections are made, the result is checked, and it is found out how
 * long it takes. Where that is long, it is a sample already. */
static void try_way(const struct cell *cell, enum way way, caucus_request *request,
                    const struct options *options, struct measured *measured) {
    double slowest, ratio[2];
    int status = way == PERSISTENT ? cell_ours_init(cell, request) : MPI_SUCCESS, worst;
    cell_fill(cell);
    cards_start(&cards);
    double begin = MPI_Wtime();
    if (status == MPI_SUCCESS)
        status = cell_do(cell, way, request, 1);
    double seconds = MPI_Wtime() - begin;
    if (status != MPI_SUCCESS && groups.rank[0] == 0)
        fprintf(stderr, "intergroup_loop: %s\n",
                way < BLOCKING ? "MPI fails" : caucus_error_text());
    cards_stop(&cards, 1, cell_node_bound(cell, groups.node), cell_bound(cell), ratio);
    MPI_Allreduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    status = status != MPI_SUCCESS;
    MPI_Allreduce(&status, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    measured->right[way] = worst ? -1 : cell_right(cell);
    double batch = BATCH_SECONDS / slowest;
    measured->batch[way] = batch < 1 ? 1 : batch > BATCH_MOST ? BATCH_MOST : (int)batch;
    if (slowest < options->seconds || measured->right[way] != 1)
        return;
    sample_add(&measured->seconds[way], slowest);
    sample_add(&measured->in[way], ratio[0]);
    sample_add(&measured->busiest[way], ratio[1]);
    measured->used[way] = slowest;
}

static void try_all(const struct cell *cell, caucus_request *request, const struct options *options,
                    struct measured *measured) {
    for (enum way way = 0; way < WAYS; way++) {
        if (!wanted(options->ways, way))
            continue;
        try_way(cell, way, request, options, measured);
        if (measured->right[way] == 1)
            continue;
        if (groups.rank[0] == 0)
            fprintf(stderr, "intergroup_loop: %s of %s, %s, %ld bytes %s\n", way_names[way],
                    cell_names[cell->collective], cell_shapes[cell->shape], cell->bytes,
                    measured->right[way] < 0 ? "is not there" : "has a WRONG RESULT");
    }
    if (measured->right[PERSISTENT] > 0)
        measured->algorithm = (*request)->prepared->algorithm->name;
}

/* One node takes in the largest bound alone; then each its own, all at once. */
static void measure_streams(const struct cell *cell, struct measured *measured) {
    int node = groups.node, next = (node + 1) % groups.nodes;
    long most = (long)cell_bound(cell);
    sample_add(&measured->stream[0],
               stream_seconds(&stream, node == 1 ? most : 0, next == 1 ? most : 0));
    sample_add(&measured->stream[1], stream_seconds(&stream, (long)cell_node_bound(cell, node),
                                                    (long)cell_node_bound(cell, next)));
}

/* By turns, until each way has had its time. */
static void measure_cell(const struct cell *cell, const struct options *options,
                         struct measured *measured) {
    caucus_request request = NULL;
    try_all(cell, &request, options, measured);
    for (int repetition = 0; repetition < options->repetitions; repetition++) {
        if (stream.there && repetition < STREAMS)
            measure_streams(cell, measured);
        for (int turn = 0; turn < WAYS; turn++) {
            enum way way = (enum way)((turn + repetition) % WAYS);
            const struct sample *before = &measured->seconds[way];
            double last = before->count ? before->value[before->count - 1] : 0;
            if (measured->right[way] > 0 &&
                measured->used[way] + last * measured->batch[way] <= options->seconds)
                measure(cell, way, &request, measured->batch[way], measured);
        }
    }
    if (measured->right[PERSISTENT] > 0)
        caucus_request_free(&request);
}

/* Connections are made, and Caucus gets to know the groups; nothing is measured. */
static void warm_up(const struct options *options) {
    static struct measured ignored;
    struct cell cell = {.collective = ALLGATHER, .bytes = WARM_BYTES};
    caucus_request request = NULL;
    cell_make(&cell, &groups);
    try_all(&cell, &request, options, &ignored);
    if (ignored.right[PERSISTENT] > 0)
        caucus_request_free(&request);
    cell_free(&cell);
}

static void print(const struct cell *cell, const struct measured *measured) {
    double bare = sample_median(&measured->stream[1]);
    printf("%s %s %ld bytes, %d:%d ranks of %d nodes", cell_names[cell->collective],
           cell_shapes[cell->shape], cell->bytes, groups.size[0], groups.size[1], groups.nodes);
    printf("; TCP %.4f s, all at once %.4f s\n", sample_median(&measured->stream[0]), bare);
    for (int way = 0; way < WAYS; way++)
        if (measured->seconds[way].count > 0)
            printf("  %-20s %10.3f ms %8.2f x TCP, cards %.3f, busiest %.3f %s (%d of %d)\n",
                   way_names[way], 1e3 * sample_median(&measured->seconds[way]),
                   bare > 0 ? sample_median(&measured->seconds[way]) / bare : 0,
                   sample_median(&measured->in[way]), sample_median(&measured->busiest[way]),
                   way == PERSISTENT ? measured->algorithm : "", measured->seconds[way].count,
                   measured->batch[way]);
    fflush(stdout);
}

static void write_samples(FILE *file, const char *name, const struct sample *samples) {
    const char *separator = "";
    fprintf(file, ", \"%s\": {", name);
    for (int way = 0; way < WAYS; way++) {
        if (samples[way].count == 0)
            continue;
        fprintf(file, "%s", separator);
        sample_json(file, way_names[way], &samples[way]);
        separator = ", ";
    }
    fprintf(file, "}");
}

/* One line of JSON, so that what was measured before a failure is not lost. */
static void write_json(const struct options *options, const struct cell *cell,
                       const struct measured *measured) {
    FILE *file = fopen(options->json, "a");
    if (!file) {
        perror(options->json);
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
    fprintf(file, "{\"collective\": \"%s\", \"shape\": \"%s\", \"bytes\": %ld, ",
            cell_names[cell->collective], cell_shapes[cell->shape], cell->bytes);
    fprintf(file, "\"groups\": \"%s\", \"sizes\": [%d, %d], \"nodes\": %d, \"bound\": %.0f, ",
            options->groups, groups.size[0], groups.size[1], groups.nodes, cell_bound(cell));
    fprintf(file, "\"algorithm\": \"%s\", ", measured->algorithm ? measured->algorithm : "");
    sample_json(file, "stream", &measured->stream[0]);
    fprintf(file, ", ");
    sample_json(file, "streams", &measured->stream[1]);
    write_samples(file, "seconds", measured->seconds);
    write_samples(file, "in", measured->in);
    write_samples(file, "busiest", measured->busiest);
    fprintf(file, ", \"wrong\": [");
    const char *separator = "";
    for (int way = 0; way < WAYS; way++)
        if (wanted(options->ways, way) && measured->right[way] == 0) {
            fprintf(file, "%s\"%s\"", separator, way_names[way]);
            separator = ", ";
        }
    fprintf(file, "]}\n");
    fclose(file);
}

int main(int argc, char **argv) {
    static struct measured measured;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &groups.rank[0]);
    struct options options = read_options(argc, argv);
    if (!groups_make(&groups, options.groups))
        bad("--groups", options.groups);
    cards = cards_find(&groups);
    stream = stream_open(groups.leads_node, groups.node, groups.nodes);
    int exit_code = EXIT_SUCCESS;
    warm_up(&options);
    for (int i = 0; i < options.cells; i++) {
        struct cell cell = read_cell(options.cell[i]);
        memset(&measured, 0, sizeof measured);
        cell_make(&cell, &groups);
        measure_cell(&cell, &options, &measured);
        for (int way = 0; way < WAYS; way++)
            if (way >= BLOCKING && wanted(options.ways, (enum way)way) && measured.right[way] == 0)
                exit_code = EXIT_FAILURE;
        if (groups.rank[0] == 0)
            print(&cell, &measured);
        if (groups.rank[0] == 0 && options.json)
            write_json(&options, &cell, &measured);
        cell_free(&cell);
    }
    stream_close(&stream);
    groups_free(&groups);
    MPI_Finalize();
    return exit_code;
}
