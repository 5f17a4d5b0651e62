/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures what communication costs on the machine at hand, and writes the file that CAUCUS_MODEL
 * names: caucus tune starts this. Two ranks of node 0 measure what is within a node, a rank each of
 * nodes 0 and 1 what is between nodes, all ranks of these two together the card; a short message
 * takes what it takes while all nodes exchange some, and while no others do. What the ranks at hand
 * can't show keeps its default, and the file says so.
 *
 *   mpiexec -n 4 build/mpich/bin/machine_model --output model.txt */
#include "base/status.h"
#include "common/model_flags.h"
#include "common/model_messages.h"
#include "plan/machine/model.h"
#include "run/attachment/attach.h"
#include "run/measure/tuned.h"

#include <caucus/error.h>
#include <caucus/version.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { COPY_BYTES = 1 << 23, COPIES = 15 }; /* more than caches hold */

/* Seconds a byte of a copy, and of a sum of doubles. */
static void measure_memory(struct caucus_model *model) {
    double *from = calloc(1, COPY_BYTES), *to = calloc(1, COPY_BYTES);
    struct sample copies = {0}, sums = {0};
    int count = COPY_BYTES / (int)sizeof *from;
    for (int i = 0; from && to && i < COPIES; i++) {
        double begin = MPI_Wtime();
        memcpy(to, from, COPY_BYTES);
        double middle = MPI_Wtime();
        MPI_Reduce_local(from, to, count, MPI_DOUBLE, MPI_SUM);
        sample_add(&copies, middle - begin);
        sample_add(&sums, MPI_Wtime() - middle);
    }
    if (from && to) {
        model->copy_byte = sample_median(&copies) / COPY_BYTES;
        model->reduce_byte = sample_median(&sums) / COPY_BYTES;
    }
    free(from);
    free(to);
}

/* The rank of rank 0's node that has the local number, else -1. */
static int rank_on_first_node(const struct caucus_attachment *attachment, int local_rank) {
    int number =
        attachment->node_index == 0 && attachment->local_rank == local_rank ? attachment->rank : -1;
    int found;
    MPI_Allreduce(&number, &found, 1, MPI_INT, MPI_MAX, attachment->comm);
    return found;
}

static int leader_of(const struct caucus_attachment *attachment, int node) {
    int number =
        attachment->node_index == node && attachment->local_rank == 0 ? attachment->rank : -1;
    int found;
    MPI_Allreduce(&number, &found, 1, MPI_INT, MPI_MAX, attachment->comm);
    return found;
}

static void set(struct caucus_model *model, enum caucus_distance distance,
                const struct message_figures *figures) {
    model->latency[distance] = figures->latency;
    model->byte[distance] = figures->byte;
    model->overhead[distance] = figures->overhead;
}

static void measure_messages(const struct caucus_attachment *attachment, struct caucus_model *model,
                             bool measured[CAUCUS_DISTANCES]) {
    int first = leader_of(attachment, 0);
    int partner[CAUCUS_DISTANCES] = {rank_on_first_node(attachment, 1), leader_of(attachment, 1)};
    for (int distance = 0; distance < CAUCUS_DISTANCES; distance++) {
        measured[distance] = partner[distance] >= 0;
        if (!measured[distance])
            continue;
        struct message_figures figures = measure_pair(attachment->comm, first, partner[distance]);
        set(model, (enum caucus_distance)distance, &figures);
    }
    if (!measured[CAUCUS_BETWEEN_NODES])
        return;
    model->card_byte = measure_card(attachment, model->byte[CAUCUS_BETWEEN_NODES]);
    double *latency = &model->latency[CAUCUS_BETWEEN_NODES];
    double *overhead = &model->overhead[CAUCUS_BETWEEN_NODES];
    measure_busy(attachment, 1, latency, overhead);
    model->lone_latency = *latency;
    model->lone_overhead = *overhead;
    measure_busy(attachment, attachment->size, latency, overhead);
}

/* By the MPI and the end a reader sees whether the file is for it and whole. */
static void write_head(FILE *file, const struct caucus_attachment *attachment) {
    char mpi[CAUCUS_TUNED_ROOM], host[256] = "", date[40] = "";
    time_t now = time(NULL);
    struct tm utc;
    caucus_tuned_mpi(mpi);
    gethostname(host, sizeof host - 1);
    strftime(date, sizeof date, "%Y-%m-%d, %H:%M UTC", gmtime_r(&now, &utc));
    fprintf(file, CAUCUS_TUNED_HEAD " of Caucus " CAUCUS_VERSION " on %s.\n", date);
    fprintf(file, CAUCUS_TUNED_MPI "%s\n", mpi);
    fprintf(file, "# Host: %s, %ld processors\n", host, sysconf(_SC_NPROCESSORS_ONLN));
    fprintf(file, "# Ranks: %d, nodes: %d, ranks of the first: %d\n", attachment->size,
            attachment->nodes.count, attachment->local_size);
}

static int write_model(const char *path, const struct caucus_attachment *attachment,
                       struct caucus_model *model, const bool measured[CAUCUS_DISTANCES]) {
    const char *name, *help;
    double *value;
    FILE *file = path ? fopen(path, "w") : stdout;
    if (!file) {
        perror(path);
        return EXIT_FAILURE;
    }
    write_head(file, attachment);
    if (!measured[CAUCUS_WITHIN_NODE])
        fprintf(file, "# Not measured, because node 0 has one rank: latency_within, byte_within, "
                      "overhead_within, signal.\n");
    if (!measured[CAUCUS_BETWEEN_NODES])
        fprintf(file, "# Not measured, because there is one node: latency_between, byte_between, "
                      "overhead_between, card_byte, latency_lone, overhead_lone.\n");
    for (int i = 0; (name = caucus_model_parameter(model, i, &help, &value)); i++)
        fprintf(file, "%-16s %.4g  # %s\n", name, *value, help);
    fprintf(file, CAUCUS_TUNED_END "\n");
    return (path ? fclose(file) : fflush(file)) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv) {
    struct caucus_attachment *attachment;
    struct caucus_model model;
    bool measured[CAUCUS_DISTANCES];
    const char *path = argc == 3 && strcmp(argv[1], "--output") == 0 ? argv[2] : NULL;
    int exit_code = EXIT_SUCCESS;
    MPI_Init(&argc, &argv);
    if (argc > 1 && !path) {
        fprintf(stderr, "machine_model: the only option is --output FILE.\n");
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
    if (caucus_attach(MPI_COMM_WORLD, &attachment)) {
        fprintf(stderr, "machine_model: %s\n", caucus_error_text());
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
    caucus_model_default(&model);
    measure_messages(attachment, &model, measured);
    measure_signal(attachment, &model);
    if (attachment->rank == 0) {
        measure_memory(&model);
        exit_code = write_model(path, attachment, &model, measured);
    }
    MPI_Bcast(&exit_code, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return exit_code;
}
