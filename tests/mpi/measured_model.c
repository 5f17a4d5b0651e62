/* SPDX-License-Identifier: BSD-3-Clause */
/* CAUCUS_MODEL=auto: what is measured, all ranks have the same figures of, once for a process, and
 * sums are right with them; what is not is as built in: between nodes where there is one, within
 * nodes where ranks share processors or are alone on theirs.
 *
 * run: ranks=1,2,3 env=CAUCUS_MODEL=auto env=CAUCUS_CACHE=kept
 * run: ranks=2 env=CAUCUS_MODEL=auto env=CAUCUS_CACHE=none env=CAUCUS_SHARED_MEMORY=0
 * run: ranks=2 env=CAUCUS_MODEL=auto env=CAUCUS_CACHE=none env=CAUCUS_ONE_COPY=never
 * run: ranks=4 env=CAUCUS_MODEL=auto env=CAUCUS_CACHE=kept env=CAUCUS_NODES=2x2
 * run: ranks=2,4,5 env=CAUCUS_MODEL=auto env=CAUCUS_CACHE=kept env=MPIR_CVAR_NUM_CLIQUES=2
 * run: ranks=6 env=CAUCUS_MODEL=auto env=CAUCUS_CACHE=kept env=MPIR_CVAR_NUM_CLIQUES=3 */
#include "check.h"

#include "api/collective/context.h"

#include <caucus/caucus.h>
#include <stdlib.h>
#include <string.h>

struct measured {
    bool between, within, one_copy;
};

/* Rank 0's node says whether ranks share processors. */
static struct caucus_model figures_of(MPI_Comm comm, struct measured *measured) {
    const struct caucus_context *context = caucus_context_kept(comm);
    CHECK(context && context->attachment, "it is not attached");
    const struct caucus_attachment *attachment = context->attachment;
    int shared = context->engine->ranks_per_core > 1;
    CHECK_MPI(MPI_Bcast(&shared, 1, MPI_INT, 0, comm));
    measured->between = attachment->nodes.count > 1 && !attachment->described;
    measured->within =
        attachment->size > attachment->nodes.count && !attachment->described && !shared;
    struct caucus_model standard;
    caucus_model_default(&standard);
    CHECK(context->settings.usual.one_copy_byte == standard.one_copy_byte &&
              context->settings.usual.copy_byte == standard.copy_byte,
          "what is usual within a node was measured");
    measured->one_copy = measured->within && context->engine->one_copy;
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

static void expect_same(const double *figures, int count) {
    double least[8], most[8];
    CHECK_MPI(MPI_Allreduce(figures, least, count, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Allreduce(figures, most, count, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD));
    for (int i = 0; i < count; i++)
        CHECK(figures[i] > 0 && least[i] == most[i], "figure %d is %g, of others %g to %g", i,
              figures[i], least[i], most[i]);
}

static void expect_between(const struct caucus_model *model) {
    const double figures[] = {model->latency[CAUCUS_BETWEEN_NODES],
                              model->overhead[CAUCUS_BETWEEN_NODES],
                              model->lone_latency,
                              model->lone_overhead,
                              model->byte[CAUCUS_BETWEEN_NODES],
                              model->card_byte};
    expect_same(figures, sizeof figures / sizeof *figures);
    const double byte = model->byte[CAUCUS_BETWEEN_NODES];
    CHECK(model->card_byte <= byte, "a rank is faster than its card: %g and %g", byte,
          model->card_byte);
    CHECK(model->lone_latency <= model->latency[CAUCUS_BETWEEN_NODES],
          "all ranks are faster than one");
}

/* Where no memory is shared, messages alone. */
static void expect_within(const struct caucus_model *model, const struct caucus_model *standard,
                          bool one_copy) {
    const double figures[] = {model->latency[CAUCUS_WITHIN_NODE],
                              model->overhead[CAUCUS_WITHIN_NODE],
                              model->byte[CAUCUS_WITHIN_NODE],
                              model->signal,
                              model->copy_byte,
                              model->reduce_byte,
                              model->one_copy_byte};
    const char *memory = getenv("CAUCUS_SHARED_MEMORY");
    bool shares = !memory || strcmp(memory, "0") != 0;
    expect_same(figures, sizeof figures / sizeof *figures);
    CHECK(model->byte[CAUCUS_WITHIN_NODE] != standard->byte[CAUCUS_WITHIN_NODE] &&
              (model->copy_byte != standard->copy_byte) == shares &&
              (model->one_copy_byte != standard->one_copy_byte) == one_copy,
          "it was not measured, or what is not there was");
}

static void expect_built_in(struct caucus_model model, const struct caucus_model *standard,
                            struct measured measured) {
    if (measured.between) {
        model.latency[CAUCUS_BETWEEN_NODES] = standard->latency[CAUCUS_BETWEEN_NODES];
        model.overhead[CAUCUS_BETWEEN_NODES] = standard->overhead[CAUCUS_BETWEEN_NODES];
        model.byte[CAUCUS_BETWEEN_NODES] = standard->byte[CAUCUS_BETWEEN_NODES];
        model.lone_latency = standard->lone_latency;
        model.lone_overhead = standard->lone_overhead;
        model.card_byte = standard->card_byte;
    }
    if (!measured.within)
        CHECK(memcmp(&model, standard, sizeof model) == 0, "what is not measured is not built in");
}

int main(int argc, char **argv) {
    struct caucus_model standard, first, second;
    struct measured measured;
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    caucus_model_default(&standard);
    sum(MPI_COMM_WORLD);
    first = figures_of(MPI_COMM_WORLD, &measured);
    if (measured.between)
        expect_between(&first);
    if (measured.within)
        expect_within(&first, &standard, measured.one_copy);
    expect_built_in(first, &standard, measured);
    sum_of_few();
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    sum(comm);
    second = figures_of(comm, &measured);
    CHECK(memcmp(&first, &second, sizeof first) == 0, "it was measured again");
    MPI_Comm_free(&comm);
    if (world_rank() == 0) /* for tests/programs/test_kept_model.py */
        printf("card_byte %.6g, latency_between %.6g\n", first.card_byte,
               first.latency[CAUCUS_BETWEEN_NODES]);
    MPI_Finalize();
    return 0;
}
