/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAUCUS_API_GRID_SETTINGS_H
#define CAUCUS_API_GRID_SETTINGS_H

#include "api/hint.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

enum { CAUCUS_MAPPER_NAME = 32 };

/* Plain bytes: rank 0's hold for all. */
struct caucus_grid_settings {
    char mapper[CAUCUS_MAPPER_NAME];
    double threshold;
    int64_t central;
    int64_t seed;
    bool chaos, verbose;
};

/* What an info object says, "" where it says nothing. */
struct caucus_grid_hints {
    char mapper[CAUCUS_INFO_VALUE], threshold[CAUCUS_INFO_VALUE];
};

int caucus_grid_hints_read(MPI_Info info, struct caucus_grid_hints *hints);

/* From this process's environment, hints first. */
int caucus_grid_settings_read(const struct caucus_grid_hints *hints,
                              struct caucus_grid_settings *settings);

#endif
