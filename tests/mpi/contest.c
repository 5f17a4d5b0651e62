/* SPDX-License-Identifier: BSD-3-Clause */
/* Who enters a contest: no two algorithms with the same schedule, and as many as there is time for,
 * the first one among them; those that are fast by either of the two models.
 *
 * run: ranks=4 env=CAUCUS_SELECT=measure env=CAUCUS_NODES=2x2 */
#include "check.h"

#include "api/collective/calls.h"
#include "api/collective/contest.h"

#include <caucus/caucus.h>

enum { COUNT = 4000 };

static double in[COUNT], out[COUNT];

static bool begin(struct caucus_contest *contest, const struct caucus_algorithm *first,
                  double seconds) {
    contest->context->settings.select_seconds = seconds;
    return caucus_contest_begin(contest, "", first);
}

static void check_schedules(const struct caucus_contest *contest) {
    for (int i = 0; i < contest->count; i++)
        for (int k = 0; k < i; k++)
            CHECK(contest->candidates[i].algorithm->emit != contest->candidates[k].algorithm->emit,
                  "%s and %s", contest->candidates[i].algorithm->name,
                  contest->candidates[k].algorithm->name);
}

static void check_time(struct caucus_contest *contest, const struct caucus_algorithm *first) {
    const int most = contest->count;
    double predicted = contest->candidates[0].seconds;
    CHECK(!begin(contest, first, 0.9 * predicted * caucus_race_least_runs()), "none has the time");
    for (int count = 2; count <= most; count++) {
        CHECK(begin(contest, first, 1e9), "there is time for all");
        predicted += contest->candidates[count - 1].seconds;
        CHECK(begin(contest, first, 1.01 * predicted * caucus_race_least_runs()), "%d fit", count);
        CHECK(contest->count == count, "%d enter, not %d", contest->count, count);
        CHECK(contest->candidates[0].algorithm == first, "%s is the first",
              contest->candidates[0].algorithm->name);
    }
}

static void check(struct caucus_work *work, struct caucus_context *context) {
    for (int i = 0; i < CAUCUS_CANDIDATES; i++) {
        struct caucus_contest contest = {.work = work, .context = context};
        CHECK(begin(&contest, NULL, 1e9), "nobody enters");
        CHECK(contest.count == CAUCUS_CANDIDATES, "%d enter", contest.count);
        const struct caucus_algorithm *first = contest.candidates[i].algorithm;
        check_schedules(&contest);
        CHECK(begin(&contest, first, 1e9), "nobody enters beside %s", first->name);
        check_schedules(&contest);
        check_time(&contest, first);
    }
    struct caucus_contest contest = {.work = work, .context = context};
    const struct caucus_algorithm *twin =
        caucus_algorithm_find(CAUCUS_ALLREDUCE, "node_aware_ordered");
    CHECK(begin(&contest, twin, 1e9) && contest.candidates[0].algorithm == twin, "%s is the first",
          contest.candidates[0].algorithm->name);
    check_schedules(&contest);
}

/* The cheapest by what is usual, which is slow by what was measured. */
static void check_models(struct caucus_work *work, struct caucus_context *context) {
    struct caucus_contest contest = {.work = work, .context = context};
    const double measured = context->settings.model.signal;
    CHECK(begin(&contest, NULL, 1e9), "nobody enters");
    const struct caucus_algorithm *usually = contest.candidates[0].algorithm;
    CHECK(usually->needs & CAUCUS_NEEDS_NODES, "%s knows no signals", usually->name);
    context->settings.model.signal = 1;
    CHECK(begin(&contest, NULL, 1e9), "nobody enters");
    context->settings.model.signal = measured;
    CHECK(contest.candidates[0].algorithm == usually, "%s is left out", usually->name);
}

int main(int argc, char **argv) {
    struct caucus_collective_call call = {.function = "allreduce", .collective = CAUCUS_ALLREDUCE};
    struct caucus_context *context;
    struct caucus_work work;
    MPI_Init(&argc, &argv);
    CHECK(!caucus_context_get(MPI_COMM_WORLD, &context), "no context");
    caucus_call_clear(&call);
    call.send = (struct caucus_side){.buffer = in, .count = COUNT, .type = MPI_DOUBLE};
    call.receive = (struct caucus_side){.buffer = out, .count = COUNT, .type = MPI_DOUBLE};
    call.op = MPI_SUM;
    call.comm = MPI_COMM_WORLD;
    CHECK(!caucus_call_read(&work, &call, context), "the call is good");
    caucus_work_limit(&work, true);
    check(&work, context);
    check_models(&work, context);
    caucus_work_free(&work);
    MPI_Finalize();
    return 0;
}
