/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank whose peer dies while both measure flags and copies does not wait for it.
 *
 * run: ranks=2 deaths mpi=openmpi env=CAUCUS_TIMEOUT=20 output="nothing was measured" */
#include "check.h"

#include "api/collective/context.h"
#include "run/engine/engine.h"
#include "run/measure/shared.h"

#include <caucus/caucus.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { SURVIVOR = 0 };

/* The flag of the other rank stays as it was: a dead one raises none. */
static double measure_alone(struct caucus_engine *engine,
                            double (*measure)(struct caucus_shared_probe *), bool first) {
    struct caucus_shared_line mine = {.copied = 0}, other = {.copied = 0};
    char *bytes = calloc(2, CAUCUS_SHARED_BYTES);
    CHECK(bytes, "no memory");
    struct caucus_shared_probe probe = {.engine = engine,
                                        .first = first,
                                        .seconds = 1e-3,
                                        .mine = &mine,
                                        .other = &other,
                                        .shared = bytes,
                                        .own = bytes + CAUCUS_SHARED_BYTES};
    const double found = measure(&probe);
    free(bytes);
    return found;
}

int main(int argc, char **argv) {
    int one = 1, sum = 0;
    MPI_Init(&argc, &argv);
    return_errors(MPI_COMM_WORLD);
    CHECK_MPI(caucus_allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    if (world_rank() != SURVIVOR) { /* not before the survivor is through */
        MPI_Recv(NULL, 0, MPI_INT, SURVIVOR, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        raise(SIGKILL);
    }
    MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
    struct caucus_engine *engine = caucus_context_kept(MPI_COMM_WORLD)->engine;
    for (int first = 0; first <= 1; first++) {
        CHECK(measure_alone(engine, caucus_shared_signal, first) == 0, "a flag, first %d", first);
        CHECK(measure_alone(engine, caucus_shared_copy, first) == 0, "a copy, first %d", first);
    }
    printf("nothing was measured\n");
    fflush(stdout);
    _exit(0);
}
