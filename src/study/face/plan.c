/* SPDX-License-Identifier: BSD-3-Clause */
/* Making a plan: the grid, the stencil and the machine, checked against each other. */
#include "study/face/plan.h"
#include "base/memory.h"
#include "base/status.h"
#include "study/grid/stencil_text.h"
#include "study/grid/taking_part.h"

#include <stdlib.h>
#include <string.h>

int caucus_plan_status_of(int status) {
    switch (status) {
    case CAUCUS_OK:
        return CAUCUS_PLAN_OK;
    case CAUCUS_NOT_APPLICABLE:
        return CAUCUS_PLAN_NOT_APPLICABLE;
    case CAUCUS_BAD_ARGUMENT:
    case CAUCUS_BAD_DIMS:
    case CAUCUS_BAD_TOPOLOGY:
    case CAUCUS_BAD_FILE:
        return CAUCUS_PLAN_BAD_INPUT;
    default:
        return CAUCUS_PLAN_FAILED;
    }
}

int caucus_plan_read_machine(struct caucus_machine *machine, const char *text, int64_t ranks,
                             int64_t count, const char *things) {
    if (text && ranks == 0 && (strncmp(text, "cyclic:", 7) == 0 || strncmp(text, "ppn:", 4) == 0))
        ranks = count;
    int status = caucus_machine_parse(machine, text, ranks);
    if (!status && count > machine->ranks)
        status = caucus_fail(CAUCUS_BAD_DIMS, "the %s has %lld %s, but there are only %lld ranks",
                             strcmp(things, "cells") == 0 ? "grid" : "graph", (long long)count,
                             things, (long long)machine->ranks);
    return status;
}

static int read_machine(caucus_plan *plan, const char *text, int64_t ranks) {
    int64_t cells = plan->problem.grid.size;
    int status = caucus_plan_read_machine(&plan->machine, text, ranks, cells, "cells");
    if (!status)
        status = caucus_machine_taking_part(&plan->machine, cells, &plan->taking_part,
                                            &plan->rank_taking_part);
    return status ? status : caucus_machine_nodes(&plan->taking_part, &plan->problem.nodes);
}

/* Takes over the stencil, also when it fails. */
static int create(int ndims, const int *dims, const int *periods, struct caucus_stencil *stencil,
                  const char *machine, int64_t ranks, caucus_plan **created) {
    caucus_plan *plan = caucus_array(1, sizeof *plan);
    if (!plan) {
        caucus_stencil_free(stencil);
        return CAUCUS_PLAN_FAILED;
    }
    plan->problem.stencil = *stencil;
    int status = caucus_grid_init(&plan->problem.grid, ndims, dims, periods);
    if (!status)
        status = read_machine(plan, machine, ranks);
    if (!status)
        status = caucus_grid_problem_check(&plan->problem);
    status = status ? caucus_plan_status_of(status) : caucus_plan_map(plan, "given");
    if (status)
        caucus_plan_free(plan);
    else
        *created = plan;
    return status;
}

int caucus_plan_create(int ndims, const int dims[], const int periods[], const char *stencil,
                       const double axis_weights[], const char *machine, int64_t ranks,
                       caucus_plan **plan) {
    struct caucus_stencil parsed = {0};
    int status = CAUCUS_OK;
    *plan = NULL;
    bool star = !stencil || strcmp(stencil, "star") == 0;
    if (axis_weights && !star)
        status = caucus_fail(CAUCUS_BAD_ARGUMENT,
                             "weights per axis need the stencil 'star', not '%s'", stencil);
    else if (star)
        status = caucus_stencil_init_star(&parsed, ndims, axis_weights);
    else
        status = caucus_stencil_parse(&parsed, ndims, stencil);
    if (status)
        return caucus_plan_status_of(status);
    return create(ndims, dims, periods, &parsed, machine, ranks, plan);
}

int caucus_plan_create_offsets(int ndims, const int dims[], const int periods[], int noffsets,
                               const int offsets[], const double weights[], const char *machine,
                               int64_t ranks, caucus_plan **plan) {
    struct caucus_stencil stencil;
    *plan = NULL;
    int status = caucus_stencil_init(&stencil, ndims, noffsets, offsets, weights);
    if (status)
        return caucus_plan_status_of(status);
    return create(ndims, dims, periods, &stencil, machine, ranks, plan);
}

void caucus_plan_free(caucus_plan *plan) {
    if (!plan)
        return;
    if (plan->rank_taking_part)
        caucus_machine_free(&plan->taking_part);
    caucus_machine_free(&plan->machine);
    caucus_grid_problem_free(&plan->problem);
    free(plan->rank_taking_part);
    free(plan->node_of_cell);
    free(plan->keeping.node_of_cell);
    free(plan->rank_of_cell);
    free(plan);
}
