/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/measure/fabric.h"

#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const CHOSEN_BY[] = {
    "FI_PROVIDER",  "UCX_TLS",       "UCX_NET_DEVICES",      "OMPI_MCA_btl",      "OMPI_MCA_pml",
    "OMPI_MCA_mtl", "I_MPI_FABRICS", "MPIR_CVAR_CH4_NETMOD", "I_MPI_OFI_PROVIDER"};

static const char SPEED[] = "/speed"; /* of an interface that is up */

/* What containers are connected by comes and goes. */
static bool is_card(const char *path) {
    char device[256];
    const size_t length = strlen(path), last = sizeof SPEED - 1;
    if (length < last || strcmp(path + length - last, SPEED) != 0)
        return true;
    int written = snprintf(device, sizeof device, "%.*s/device", (int)(length - last), path);
    return written < (int)sizeof device && access(device, F_OK) == 0;
}

static long read_number(const char *path) {
    long number = 0;
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    if (fscanf(file, "%ld", &number) != 1)
        number = 0;
    fclose(file);
    return number;
}

/* 0 for none. */
static long fastest_of(const char *pattern) {
    glob_t found = {0};
    long fastest = 0;
    if (glob(pattern, GLOB_NOSORT, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++) {
            long number = is_card(found.gl_pathv[i]) ? read_number(found.gl_pathv[i]) : 0;
            fastest = number > fastest ? number : fastest;
        }
    globfree(&found);
    return fastest;
}

void caucus_fabric_describe(char text[CAUCUS_FABRIC_ROOM]) {
    int length = snprintf(text, CAUCUS_FABRIC_ROOM, "cards of %ld and %ld",
                          fastest_of("/sys/class/infiniband/*/ports/*/rate"),
                          fastest_of("/sys/class/net/*/speed"));
    for (size_t i = 0; i < sizeof CHOSEN_BY / sizeof *CHOSEN_BY; i++) {
        const char *value = getenv(CHOSEN_BY[i]);
        if (value)
            length += snprintf(text + length, (size_t)(CAUCUS_FABRIC_ROOM - length), " %s=%.64s",
                               CHOSEN_BY[i], value);
    }
}
