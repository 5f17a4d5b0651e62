/* SPDX-License-Identifier: BSD-3-Clause */
/* The two communicators that the benchmarks compare: MPI's own, and Caucus's. */
#ifndef CAUCUS_BENCH_GRIDS_H
#define CAUCUS_BENCH_GRIDS_H

#include "arguments.h"

#include <caucus/caucus.h>

enum { KINDS = 2 };
static const char *const KIND[KINDS] = {"cart", "caucus"};

struct grids {
    int rank, ranks;
    MPI_Comm cart[KINDS];
    caucus_cart_report_data report[KINDS];
};

static inline struct grids grids_make(struct arguments *arguments) {
    struct grids grids;
    MPI_Comm_rank(MPI_COMM_WORLD, &grids.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &grids.ranks);
    if (arguments->ndims == 0) {
        arguments->ndims = 2;
        MPI_Dims_create(grids.ranks, 2, arguments->dims);
    }
    long cells = 1;
    for (int axis = 0; axis < arguments->ndims && cells <= grids.ranks; axis++)
        cells *= arguments->dims[axis];
    if (cells != grids.ranks)
        arguments_bad("--dims", "(their product must be the number of processes)");
    MPI_Cart_create(MPI_COMM_WORLD, arguments->ndims, arguments->dims, arguments->periods, 1,
                    &grids.cart[0]);
    caucus_cart_create(MPI_COMM_WORLD, arguments->ndims, arguments->dims, arguments->periods, 1,
                       &grids.cart[1]);
    for (int kind = 0; kind < KINDS; kind++)
        caucus_cart_report(grids.cart[kind], &grids.report[kind]);
    return grids;
}

static inline void grids_free(struct grids *grids) {
    for (int kind = 0; kind < KINDS; kind++)
        MPI_Comm_free(&grids->cart[kind]);
}

/* Part of a JSON object: what both communicators are. */
static inline void grids_json(FILE *file, const char *benchmark, const struct arguments *arguments,
                              const struct grids *grids) {
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(library, &length);
    library[strcspn(library, "\n\"\\,")] = '\0';
    fprintf(file, "\"benchmark\": \"%s\", \"library\": \"%s\", \"ranks\": %d, \"nodes\": %d,\n",
            benchmark, library, grids->ranks, grids->report[1].nodes);
    fprintf(file, " \"dims\": [");
    for (int axis = 0; axis < arguments->ndims; axis++)
        fprintf(file, "%s%d", axis ? ", " : "", arguments->dims[axis]);
    fprintf(file, "], \"periods\": [");
    for (int axis = 0; axis < arguments->ndims; axis++)
        fprintf(file, "%s%d", axis ? ", " : "", arguments->periods[axis]);
    fprintf(file, "], \"mapper\": \"%s\", \"bound\": %.9g,\n", grids->report[1].mapper,
            grids->report[1].bound);
    for (int kind = 0; kind < KINDS; kind++) {
        const caucus_cart_traffic *traffic = &grids->report[kind].placed;
        fprintf(file,
                " \"%s\": {\"off_node\": %.9g, \"off_node_worst\": %.9g, \"all\": %.9g, "
                "\"on_mean\": %.9g, \"off_mean\": %.9g},\n",
                KIND[kind], traffic->off_node, traffic->off_node_worst, traffic->all,
                traffic->on_mean, traffic->off_mean);
    }
}

/* Begins the file that --json names, up to the list of sizes; NULL where none is asked for. */
static inline FILE *grids_json_open(const struct arguments *arguments, const struct grids *grids,
                                    const char *benchmark) {
    if (arguments->json == NULL)
        return NULL;
    FILE *file = fopen(arguments->json, "w");
    if (file == NULL) {
        fprintf(stderr, "%s can't be opened for writing.\n", arguments->json);
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
    fprintf(file, "{");
    grids_json(file, benchmark, arguments, grids);
    fprintf(file, " \"sizes\": [\n");
    return file;
}

static inline void grids_json_close(FILE *file) {
    if (file == NULL)
        return;
    fprintf(file, " ]}\n");
    fclose(file);
}

static inline void grids_print(const struct arguments *arguments, const struct grids *grids) {
    printf("# %d processes on %d nodes, grid ", grids->ranks, grids->report[1].nodes);
    for (int axis = 0; axis < arguments->ndims; axis++)
        printf("%s%d%s", axis ? " x " : "", arguments->dims[axis],
               arguments->periods[axis] ? "p" : "");
    printf("; mapper: %s\n", grids->report[1].mapper);
    printf("# messages between nodes in an exchange: %g with MPI_Cart_create, %g with Caucus "
           "(bound %g)\n",
           grids->report[0].placed.off_node, grids->report[1].placed.off_node,
           grids->report[1].bound);
}

#endif
