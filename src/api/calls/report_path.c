/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/calls/report_path.h"

#include "base/settings.h"

#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

static char beside[PATH_MAX];

void caucus_report_path_begin(void) {
    MPI_Comm parents = MPI_COMM_NULL;
    const char *path = caucus_setting_text(CAUCUS_SETTING_REPORT);
    if (*path && PMPI_Comm_get_parent(&parents) == MPI_SUCCESS && parents != MPI_COMM_NULL)
        snprintf(beside, sizeof beside, "%s.%ld", path, (long)getpid());
}

const char *caucus_report_path(void) {
    return *beside ? beside : caucus_setting_text(CAUCUS_SETTING_REPORT);
}
