/* SPDX-License-Identifier: BSD-3-Clause */
/* Whole grids as caucus map asks for them: dims, periods, weights, the stencil, the machine, the
 * mapper, in small. */
#include "fuzz.h"

#include <caucus/plan.h>

enum { AXES = 10, MOST = 64 };

static const char *mapper_at(int index) {
    const char *name, *summary;
    if (index == 0)
        return "best";
    return caucus_plan_mapper_entry(index - 1, &name, &summary) ? name : "no such mapper";
}

static void use(caucus_plan *plan, struct fuzz_input *input) {
    static int32_t cells[MOST + 1], ranks[MOST + 1];
    caucus_cart_traffic traffic;
    double bound, cost;
    int kept = 0;
    fuzz_expect(caucus_plan_cells(plan) <= caucus_plan_ranks(plan), "a rank for every cell");
    for (int i = 0; i < 2; i++) {
        int status = caucus_plan_map(plan, mapper_at(fuzz_below(input, 16)));
        fuzz_expect(status != CAUCUS_PLAN_FAILED, caucus_error_text());
    }
    caucus_plan_measure(plan, fuzz_below(input, 4) - 1, &traffic);
    if (!caucus_plan_measure(plan, 0, &traffic) && !caucus_plan_bound(plan, &bound))
        fuzz_expect(bound <= traffic.off_node * (1 + 1e-9), "the bound is one");
    if (!caucus_plan_keep_rank0(plan, fuzz_below(input, 3) - 1, &kept, &cost))
        fuzz_expect(cost >= 0 && (kept || cost > 0), "rank 0 is kept, or that costs something");
    if (!caucus_plan_node_of_cell(plan, cells) && !caucus_plan_rank_of_cell(plan, ranks)) {
        for (int64_t cell = 0; cell < caucus_plan_cells(plan); cell++)
            fuzz_expect(ranks[cell] >= 0 && ranks[cell] < caucus_plan_ranks(plan), "a rank");
        fuzz_expect(!kept || ranks[0] == 0, "rank 0 has cell 0");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    struct fuzz_input input = {bytes, size};
    static const char *const stencils[] = {"star", "box", "", "cross"};
    int dims[AXES + 2], periods[AXES + 2], ndims = fuzz_below(&input, AXES + 3) - 1;
    double weights[AXES + 2];
    caucus_plan *plan = NULL;
    int64_t cells = 1;
    for (int i = 0; i < ndims; i++) {
        dims[i] = (int)fuzz_number(&input);
        periods[i] = fuzz_below(&input, 3) - 1;
        weights[i] = (double)fuzz_number(&input) / 4;
        if (__builtin_mul_overflow(cells, dims[i], &cells))
            cells = INT64_MAX;
    }
    uint8_t how = fuzz_byte(&input);
    int64_t ranks = how & 1 ? fuzz_number(&input) : 0;
    char *machine = fuzz_line(&input);
    /* What is right and large costs time, not more. */
    bool large = (ranks > MOST || strlen(machine) > 24) || strncmp(machine, "file:", 5) == 0;
    for (const char *at = machine; *at; at++) {
        char *end;
        long number = strtol(at, &end, 10);
        large = large || (end > at && ((number > 40 && number <= INT32_MAX) || number < -40));
    }
    if (!large && (cells <= MOST || cells > INT32_MAX)) {
        const char *stencil = stencils[how >> 1 & 3];
        if (how & 8)
            stencil = fuzz_file(&input);
        int status = caucus_plan_create(ndims, dims, how & 16 ? periods : NULL, stencil,
                                        how & 32 ? weights : NULL, machine, ranks, &plan);
        fuzz_expect(!status == (plan != NULL), "a plan, or none");
        fuzz_expect(status != CAUCUS_PLAN_FAILED, caucus_error_text());
        if (!status && caucus_plan_ranks(plan) <= MOST)
            use(plan, &input);
        caucus_plan_free(plan);
        if (ndims >= 0 && ndims <= AXES)
            caucus_plan_dims(machine, ranks, ndims, NULL, periods, dims);
    }
    free(machine);
    return 0;
}
