/* SPDX-License-Identifier: BSD-3-Clause */
/* The file of CAUCUS_REPORT: JSON, with the counts of all ranks of MPI_COMM_WORLD. */
#include "api/calls/counters.h"
#include "api/calls/left.h"
#include "api/calls/report_path.h"
#include "base/memory.h"
#include "base/status.h"
#include "run/attachment/attach.h"
#include "run/attachment/exchange.h"
#include "run/attachment/gather_text.h"
#include "run/layout/device.h"
#include "run/memory/peer_memory.h"
#include "run/peers/agree.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_algorithms(FILE *file, enum caucus_call call,
                             const struct caucus_call_counters *counters) {
    const char *separator = "";
    for (int i = 0; caucus_counters_algorithm(call, i); i++) {
        if (counters->by_algorithm[i] == 0)
            continue;
        fprintf(file, "%s\"%s\": %lld", separator, caucus_counters_algorithm(call, i),
                (long long)counters->by_algorithm[i]);
        separator = ", ";
    }
}

static void write_reasons(FILE *file, enum caucus_call call,
                          const struct caucus_call_counters *counters) {
    const char *separator = "";
    char words[CAUCUS_REASON_WORDS];
    for (int reason = 0; reason < CAUCUS_REASONS; reason++) {
        if (counters->by_reason[reason] == 0)
            continue;
        caucus_reason_words(call, (enum caucus_reason)reason, words);
        fprintf(file, "%s\"%s\": %lld", separator, words, (long long)counters->by_reason[reason]);
        separator = ", ";
    }
}

/* The fewest and the most that one rank counted, found as maxima. */
struct extremes {
    int64_t least_taken, most_taken, least_passed, most_passed;
};

static void write_call(FILE *file, enum caucus_call call, const struct caucus_call_counters *one,
                       const struct extremes *rank) {
    char name[CAUCUS_CALL_NAME];
    caucus_call_name(call, name);
    fprintf(file, "    \"%s\": {\"taken\": %lld, \"passed\": %lld, \"algorithms\": {", name,
            (long long)one->taken, (long long)one->passed);
    write_algorithms(file, call, one);
    fprintf(file, "}, \"bytes\": %lld", (long long)one->bytes);
    if (one->between > 0)
        fprintf(file, ", \"between_groups\": %lld", (long long)one->between);
    fprintf(file,
            ", \"taken_by_a_rank\": [%lld, %lld], \"passed_by_a_rank\": [%lld, %lld], \"why\": {",
            -(long long)rank->least_taken, (long long)rank->most_taken,
            -(long long)rank->least_passed, (long long)rank->most_passed);
    write_reasons(file, call, one);
    fprintf(file, "}}");
}

/* What rank 0 knows of all. */
struct findings {
    struct caucus_call_counters *counters; /* CAUCUS_CALL_COUNT, as the next */
    struct extremes *extremes;
    int32_t *node_of_rank; /* all ranks */
    char *grids[CAUCUS_GRID_LISTS], *left;
    struct caucus_device_traffic device;
    int64_t one_copy; /* bytes */
};

/* For grids Caucus moves no bytes of the program's. */
static void write_calls(FILE *file, const struct findings *found) {
    const char *separator = "\n";
    for (int call = 0; call < CAUCUS_CALL_COUNT; call++) {
        if (found->counters[call].taken + found->counters[call].passed == 0)
            continue;
        fprintf(file, "%s", separator);
        write_call(file, (enum caucus_call)call, &found->counters[call], &found->extremes[call]);
        separator = ",\n";
    }
}

/* Pairs of a node and how many ranks in a row lie there. */
static void write_nodes(FILE *file, int ranks, const int32_t *node_of_rank) {
    for (int first = 0, next; first < ranks; first = next) {
        for (next = first + 1; next < ranks && node_of_rank[next] == node_of_rank[first];)
            next++;
        fprintf(file, "%s[%d, %d]", first ? ", " : "", (int)node_of_rank[first], next - first);
    }
}

static void write_file(const char *path, const struct caucus_attachment *world,
                       const struct findings *found) {
    FILE *file = fopen(path, "w");
    bool good = file != NULL;
    if (good) {
        fprintf(file, "{\n");
        if (*found->left)
            fprintf(file, "  \"left_to_mpi\": \"%s\",\n", found->left);
        if (found->device.from + found->device.to > 0)
            fprintf(file, "  \"device_memory\": {\"read\": %lld, \"written\": %lld},\n",
                    (long long)found->device.from, (long long)found->device.to);
        if (found->one_copy > 0)
            fprintf(file, "  \"one_copy\": %lld,\n", (long long)found->one_copy);
        fprintf(file, "  \"ranks\": %d,\n  \"nodes\": [", world->size);
        write_nodes(file, world->size, found->node_of_rank);
        fprintf(file, "],\n  \"calls\": {");
        write_calls(file, found);
        fprintf(file, "\n  },\n  \"communicators\": [\n%s\n  ],\n  \"left_grids\": [\n%s\n  ]\n}\n",
                found->grids[CAUCUS_GRIDS_PLACED], found->grids[CAUCUS_GRIDS_LEFT]);
        good = !ferror(file);
        good = fclose(file) == 0 && good;
    }
    if (!good)
        fprintf(stderr, "caucus: warning: the report can't be written to %s: %s\n", path,
                strerror(errno));
}

/* All ranks of MPI_COMM_WORLD, with what each counted, into what rank 0 writes. */
static int gather(const struct caucus_attachment *world, struct findings *found) {
    const int counts =
        CAUCUS_CALL_COUNT * (int)(sizeof(struct caucus_call_counters) / sizeof(int64_t));
    const int pairs = CAUCUS_CALL_COUNT * (int)(sizeof(struct extremes) / sizeof(int64_t));
    const int traffic = (int)(sizeof found->device / sizeof(int64_t));
    size_t length;
    caucus_counters_read(found->counters);
    for (int call = 0; call < CAUCUS_CALL_COUNT; call++) {
        int64_t taken = found->counters[call].taken, passed = found->counters[call].passed;
        found->extremes[call] = (struct extremes){-taken, taken, -passed, passed};
    }
    int status = caucus_sum_all(world, (int64_t *)found->counters, counts);
    if (!status)
        status = caucus_max_all(world, (int64_t *)found->extremes, pairs);
    found->device = caucus_device_moved();
    if (!status)
        status = caucus_sum_all(world, (int64_t *)&found->device, traffic);
    found->one_copy = caucus_peer_copied();
    if (!status)
        status = caucus_sum_all(world, &found->one_copy, 1);
    if (!status)
        status = caucus_gather_nodes(world, found->node_of_rank);
    for (int list = 0; list < CAUCUS_GRID_LISTS && !status; list++) {
        const char *own = caucus_counters_grids((enum caucus_grid_list)list, &length);
        status = caucus_gather_text(world, own, length, &found->grids[list]);
    }
    const char *left = caucus_left_sentence();
    return status ? status : caucus_gather_text(world, left, strlen(left), &found->left);
}

static void report(const struct caucus_attachment *world, struct findings *found) {
    int status = gather(world, found);
    if (world->rank == 0 && !status) {
        write_file(caucus_report_path(), world, found);
    } else if (world->rank == 0) {
        caucus_rank_text_settle(caucus_attachment_reader(world));
        fprintf(stderr, "caucus: warning: no report: %s\n", caucus_error_text());
    }
}

static bool make_room(struct findings *found, const struct caucus_attachment *world) {
    int64_t ranks = world->rank == 0 ? world->size : 0;
    found->counters = caucus_array(CAUCUS_CALL_COUNT, sizeof *found->counters);
    found->extremes = caucus_array(CAUCUS_CALL_COUNT, sizeof *found->extremes);
    found->node_of_rank = caucus_array(ranks, sizeof *found->node_of_rank);
    return found->counters && found->extremes && found->node_of_rank;
}

void caucus_calls_report(void) {
    struct caucus_attachment *world;
    struct findings found = {0};
    if (caucus_attach(MPI_COMM_WORLD, &world))
        return;
    bool wanted = *caucus_report_path() != '\0';
    int status = caucus_bcast_flag(world, &wanted);
    if (status || !wanted)
        return;
    status = make_room(&found, world) ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    if (!caucus_agree(&world->peers, status, 0, NULL))
        report(world, &found);
    free(found.counters);
    free(found.extremes);
    free(found.node_of_rank);
    for (int list = 0; list < CAUCUS_GRID_LISTS; list++)
        free(found.grids[list]);
    free(found.left);
}
