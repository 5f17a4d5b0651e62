/* SPDX-License-Identifier: BSD-3-Clause */
/* CAUCUS_MODEL=auto: where there are several nodes all ranks have the same figures, measured once
 * by a process, and sums are right with them; on one node nothing is measured.
 *
 * run: ranks=1,3 env=CAUCUS_MODEL=auto env=CAUCUS_CACHE=kept
 * run: ranks=4 env=CAUCUS_MODEL=auto env=CAUCUS_CACHE=kept env=CAUCUS_NODES=2x2
 * run: ranks=2,4,5 env=CAUCUS_MODEL=auto env=CAUCUS_CACHE=kept env=MPIR_CVAR_NUM_CLIQUES=2
 * run: ranks=6 env=CAUCUS_MODEL=auto env=CAUCUS_CACHE=kept env=MPIR_CVAR_NUM_CLIQUES=3 */
#include "check.h"

#include "api/collective/context.h"

#include <caucus/caucus.h>
#include <string.h>

static struct caucus_model figures_of(MPI_Comm comm, bool *several_nodes) {
    const struct caucus_context *context = caucus_context_kept(comm);
    CHECK(context && context->attachment, "it is not attached");
    *several_nodes = context->attachment->nodes.count > 1 && !context->attachment->described;
    return context->settings.model;
}

static void sum(MPI_Comm comm) {
    enum { COUNT = 3000 };
    int in[COUNT], out[COUNT], size, rank;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    for (int i = 0; i < COUNT; i++)
        in[i] = i + rank;
    CHECK_MPI(caucus_allreduce(in, out, COUNT, MPI_INT, MPI_SUM, comm));
    for (int i = 0; i < COUNT; i++)
        CHECK(out[i] == i * size + size * (size - 1) / 2, "element %d is %d", i, out[i]);
}

/* Perhaps with other numbers of ranks on a node. */
static void sum_of_few(void) {
    MPI_Comm few;
    MPI_Comm_split(MPI_COMM_WORLD, world_rank() < 2 ? 0 : MPI_UNDEFINED, 0, &few);
    if (few == MPI_COMM_NULL)
        return;
    sum(few);
    MPI_Comm_free(&few);
}

static void expect_measured(const struct caucus_model *model) {
    const double figures[] = {model->latency[CAUCUS_BETWEEN_NODES],
                              model->overhead[CAUCUS_BETWEEN_NODES],
                              model->lone_latency,
                              model->lone_overhead,
                              model->byte[CAUCUS_BETWEEN_NODES],
                              model->card_byte};
    enum { COUNT = sizeof figures / sizeof *figures };
    double least[COUNT], most[COUNT];
    CHECK_MPI(MPI_Allreduce(figures, least, COUNT, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Allreduce(figures, most, COUNT, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD));
    for (int i = 0; i < COUNT; i++)
        CHECK(figures[i] > 0 && least[i] == most[i], "figure %d is %g, of others %g to %g", i,
              figures[i], least[i], most[i]);
    CHECK(model->card_byte <= model->byte[CAUCUS_BETWEEN_NODES] &&
              model->lone_latency <= model->latency[CAUCUS_BETWEEN_NODES],
          "a rank is faster than its card, or all ranks than one");
}

int main(int argc, char **argv) {
    struct caucus_model standard, first, second;
    bool several_nodes;
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    caucus_model_default(&standard);
    sum(MPI_COMM_WORLD);
    first = figures_of(MPI_COMM_WORLD, &several_nodes);
    if (several_nodes)
        expect_measured(&first);
    else
        CHECK(memcmp(&first, &standard, sizeof first) == 0, "one node was measured");
    sum_of_few();
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    sum(comm);
    second = figures_of(comm, &several_nodes);
    CHECK(memcmp(&first, &second, sizeof first) == 0, "it was measured again");
    MPI_Comm_free(&comm);
    if (world_rank() == 0) /* for tests/programs/test_kept_model.py */
        printf("card_byte %.6g, latency_between %.6g\n", first.card_byte,
               first.latency[CAUCUS_BETWEEN_NODES]);
    MPI_Finalize();
    return 0;
}
