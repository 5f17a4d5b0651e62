/* SPDX-License-Identifier: BSD-3-Clause */
/* The file of CAUCUS_REPORT: JSON, with the counts of all ranks of MPI_COMM_WORLD. */
#include "api/calls/counters.h"
#include "api/calls/left.h"
#include "base/memory.h"
#include "base/settings.h"
#include "base/status.h"
#include "run/attachment/attach.h"
#include "run/attachment/exchange.h"
#include "run/attachment/gather_text.h"
#include "run/layout/device.h"
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

/* For grids Caucus moves no bytes of the program's. */
static void write_calls(FILE *file, const struct caucus_call_counters *counters) {
    const char *separator = "\n";
    for (int call = 0; call < CAUCUS_CALL_COUNT; call++) {
        const struct caucus_call_counters *one = &counters[call];
        char name[CAUCUS_CALL_NAME];
        if (one->taken + one->passed == 0)
            continue;
        caucus_call_name((enum caucus_call)call, name);
        fprintf(file, "%s    \"%s\": {\"taken\": %lld, \"passed\": %lld, \"algorithms\": {",
                separator, name, (long long)one->taken, (long long)one->passed);
        write_algorithms(file, (enum caucus_call)call, one);
        fprintf(file, "}, \"bytes\": %lld", (long long)one->bytes);
        if (one->between > 0)
            fprintf(file, ", \"between_groups\": %lld", (long long)one->between);
        fprintf(file, "}");
        separator = ",\n";
    }
}

/* What all ranks have of something. */
struct sums {
    struct caucus_call_counters *calls;
    struct caucus_device_traffic device;
};

static void write_file(const char *path, const struct sums *sums, const char *grids,
                       const char *left) {
    FILE *file = fopen(path, "w");
    bool good = file != NULL;
    if (good) {
        fprintf(file, "{\n");
        if (*left)
            fprintf(file, "  \"left_to_mpi\": \"%s\",\n", left);
        if (sums->device.from + sums->device.to > 0)
            fprintf(file, "  \"device_memory\": {\"read\": %lld, \"written\": %lld},\n",
                    (long long)sums->device.from, (long long)sums->device.to);
        fprintf(file, "  \"calls\": {");
        write_calls(file, sums->calls);
        fprintf(file, "\n  },\n  \"communicators\": [\n%s\n  ]\n}\n", grids);
        good = !ferror(file);
        good = fclose(file) == 0 && good;
    }
    if (!good)
        fprintf(stderr, "caucus: warning: the report can't be written to %s: %s\n", path,
                strerror(errno));
}

/* All ranks of MPI_COMM_WORLD, with what each counted. */
static void report(const struct caucus_attachment *world, struct caucus_call_counters *counters) {
    struct sums sums = {.calls = counters, .device = caucus_device_moved()};
    const int traffic = (int)(sizeof sums.device / sizeof(int64_t));
    const int counts =
        CAUCUS_CALL_COUNT * (int)(sizeof(struct caucus_call_counters) / sizeof(int64_t));
    char *grids = NULL, *left = NULL;
    size_t length;
    caucus_counters_read(counters);
    const char *own = caucus_counters_grids(&length);
    int status = caucus_sum_all(world, (int64_t *)counters, counts);
    if (!status)
        status = caucus_sum_all(world, (int64_t *)&sums.device, traffic);
    if (!status)
        status = caucus_gather_text(world, own, length, &grids);
    own = caucus_left_sentence();
    if (!status)
        status = caucus_gather_text(world, own, strlen(own), &left);
    if (world->rank == 0 && !status) {
        write_file(caucus_setting_text(CAUCUS_SETTING_REPORT), &sums, grids, left);
    } else if (world->rank == 0) {
        caucus_rank_text_settle(caucus_attachment_reader(world));
        fprintf(stderr, "caucus: warning: no report: %s\n", caucus_error_text());
    }
    free(grids);
    free(left);
}

void caucus_calls_report(void) {
    struct caucus_attachment *world;
    if (caucus_attach(MPI_COMM_WORLD, &world))
        return;
    bool wanted = *caucus_setting_text(CAUCUS_SETTING_REPORT) != '\0';
    int status = caucus_bcast_flag(world, &wanted);
    if (status || !wanted)
        return;
    struct caucus_call_counters *counters = caucus_array(CAUCUS_CALL_COUNT, sizeof *counters);
    status = caucus_agree(&world->peers, counters ? CAUCUS_OK : CAUCUS_NO_MEMORY, 0, NULL);
    if (!status)
        report(world, counters);
    free(counters);
}
