/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that start themselves again by MPI_Comm_spawn. */
#ifndef TESTS_MPI_SPAWNED_H
#define TESTS_MPI_SPAWNED_H

#include "two_groups.h"

#include <limits.h>
#include <unistd.h>

/* So many children of the whole world, with one argument. Null, on all ranks, where this MPI can't
 * start any here: the program then has nothing to test. Children come first to a native barrier:
 * MPICH 5.0.2 fails where one ends while its parents still connect. */
static inline MPI_Comm spawn(int children, char *argument) {
    MPI_Comm made = MPI_COMM_NULL;
    char path[PATH_MAX + 1] = "", *arguments[] = {argument, NULL};
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX);
    CHECK(length > 0, "the program has no path");
    return_errors(MPI_COMM_WORLD);
    int code = MPI_Comm_spawn(path, arguments, children, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &made,
                              MPI_ERRCODES_IGNORE);
    if (code != MPI_SUCCESS) {
        char text[MPI_MAX_ERROR_STRING + 1] = "";
        int ignored;
        MPI_Error_string(code, text, &ignored);
        if (world_rank() == 0)
            printf("nothing is tested: this MPI can't spawn here: %s\n", text);
        return MPI_COMM_NULL;
    }
    MPI_Barrier(made);
    return made;
}

/* The other group, of a child; null for the first program. */
static inline MPI_Comm parents(void) {
    MPI_Comm made;
    MPI_Comm_get_parent(&made);
    if (made != MPI_COMM_NULL)
        MPI_Barrier(made);
    return made;
}

#endif
