/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocking collectives that were found to be faster by MPI's own call are left to MPI, on all ranks
 * alike, with the same results, and counted so; but not where a rank may need progress on a
 * collective of Caucus meanwhile. What was measured is written over here, so that it does not
 * depend on the machine.
 *
 * run: ranks=2,3 preload env=CAUCUS_ENABLE=blocking env=CAUCUS_SELECT=measure env=CAUCUS_REPORT=s2
 * run: ranks=4 preload env=CAUCUS_ENABLE=blocking env=CAUCUS_SELECT=measure env=CAUCUS_REPORT=s4
 */
#include "../dropin/persistent.h"
#include "../dropin/report.h"

#include "api/collective/learned.h"

#include <mpi.h>

enum { MEASURED = 45, LEFT = 20, COUNT = 500, LONG = 1000 };

static void reduce_often(int calls) {
    int in[COUNT], out[COUNT], size = world_size();
    for (int call = 0; call < calls; call++) {
        for (int i = 0; i < COUNT; i++)
            in[i] = i + call + world_rank();
        MPI_Allreduce(in, out, COUNT, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        for (int i = 0; i < COUNT; i++)
            CHECK(out[i] == size * (i + call) + size * (size - 1) / 2, "call %d: element %d is %d",
                  call, i, out[i]);
    }
}

static struct caucus_learned_entry *entry_of_allreduce(void) {
    const struct caucus_context *context = caucus_context_kept(MPI_COMM_WORLD);
    CHECK(context && context->learned, "nothing is learned");
    struct caucus_choice_key key = {
        .collective = CAUCUS_ALLREDUCE, .size_class = 11, .element = 4, .commutative = 1};
    struct caucus_learned_entry *entry = NULL;
    for (key.shares_memory = 0; key.shares_memory < 2 && !entry; key.shares_memory++)
        entry = caucus_learned_find(context->learned, &key);
    CHECK(entry && entry->is_settled, "it was not measured");
    return entry;
}

#if HAS_PERSISTENT
/* Rank 0 completes the persistent one before it calls; natively nobody waits for ever. */
static void call_beside_persistent(void) {
    double in[LONG], out[LONG];
    MPI_Request request;
    for (int i = 0; i < LONG; i++)
        in[i] = i;
    MPI_Allreduce_init(in, out, LONG, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int turn = 0; turn < 10; turn++) {
        MPI_Start(&request);
        if (world_rank() == 0)
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        reduce_often(1);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        CHECK(out[1] == world_size(), "the persistent one has %g", out[1]);
    }
    MPI_Request_free(&request);
}
#endif

/* The numbers of a call in the report. */
static int expect_calls(const char *report, const char *call, int all, int least_passed) {
    char words[64];
    int taken = 0, passed = 0;
    snprintf(words, sizeof words, "\"%s\": {\"taken\": ", call);
    const char *found = strstr(report, words);
    if (found && sscanf(found + strlen(words), "%d, \"passed\": %d", &taken, &passed) == 2 &&
        taken + passed == all && passed >= least_passed)
        return 0;
    fprintf(stderr, "%s: %d were taken and %d left:\n%s\n", call, taken, passed, report);
    return 1;
}

int main(int argc, char **argv) {
    int failed = 0;
    MPI_Init(&argc, &argv);
    const int rank = world_rank(), size = world_size();
    reduce_often(MEASURED);
    struct caucus_learned_entry *entry = entry_of_allreduce();
    entry->is_mpis = false;
    reduce_often(LEFT);
    entry->is_mpis = true;
    MPI_Barrier(MPI_COMM_WORLD);
    reduce_often(LEFT);
#if HAS_PERSISTENT
    call_beside_persistent();
#endif
    MPI_Finalize();
    if (rank == 0) {
        char *report = read_report();
        failed = expect_calls(report, "MPI_Allreduce",
                              size * (MEASURED + 2 * LEFT + 10 * HAS_PERSISTENT), size * LEFT);
        free(report);
    }
    return failed;
}
