/* SPDX-License-Identifier: BSD-3-Clause */
/* CAUCUS_SELECT with CAUCUS_CACHE: what was found out of blocking calls and persistent
 * inits is the same on all ranks, also where it comes from a file, which rank 0 alone reads;
 * results are right. Rank 0 prints it, for tests/programs/test_kept_choices.py.
 *
 * run: ranks=2,3 env=CAUCUS_SELECT=measure env=CAUCUS_SELECT_MS=2 env=CAUCUS_CACHE=kept
 * run: ranks=4 env=CAUCUS_SELECT=measure env=CAUCUS_SELECT_MS=2 env=CAUCUS_CACHE=kept
 *      env=CAUCUS_NODES=2x2 */
#include "check.h"

#include "api/collective/context.h"
#include "api/collective/learned.h"

#include <caucus/caucus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 500, CALLS = 45, MOST_RANKS = 16 };

static int in[COUNT], out[MOST_RANKS * COUNT];

static void check_all(int call) {
    for (int at = 0; at < world_size() * COUNT; at++)
        CHECK(out[at] == at / COUNT + call + at % COUNT, "call %d: element %d is %d", call, at,
              out[at]);
}

static void fill(int call) {
    for (int i = 0; i < COUNT; i++)
        in[i] = world_rank() + call + i;
}

static void gather_often(void) {
    for (int call = 0; call < CALLS; call++) {
        fill(call);
        CHECK_MPI(caucus_allgather(in, COUNT, MPI_INT, out, COUNT, MPI_INT, MPI_COMM_WORLD));
        check_all(call);
    }
}

static void gather_persistently(void) {
    caucus_request request;
    CHECK_MPI(caucus_allgather_init(in, COUNT, MPI_INT, out, COUNT, MPI_INT, MPI_COMM_WORLD,
                                    MPI_INFO_NULL, &request));
    for (int call = 0; call < 3; call++) {
        fill(call);
        CHECK_MPI(caucus_start(&request));
        CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
        check_all(call);
    }
    CHECK_MPI(caucus_request_free(&request));
}

/* Word for word what the file has. */
static void show(void) {
    static struct caucus_choice choices[CAUCUS_LEARNED_MOST];
    const struct caucus_context *context = caucus_context_kept(MPI_COMM_WORLD);
    CHECK(context, "there was no call");
    int64_t count = context->learned ? caucus_learned_choices(context->learned, choices) : 0;
    int64_t least, most;
    CHECK_MPI(MPI_Allreduce(&count, &least, 1, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Allreduce(&count, &most, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD));
    CHECK(least == most, "ranks know %lld to %lld", (long long)least, (long long)most);
    for (int64_t i = 0; i < count; i++) {
        struct caucus_choice_key key = choices[i].key;
        CHECK_MPI(MPI_Bcast(&key, (int)sizeof key, MPI_BYTE, 0, MPI_COMM_WORLD));
        CHECK(memcmp(&key, &choices[i].key, sizeof key) == 0, "choice %lld is another one",
              (long long)i);
        if (world_rank() == 0)
            caucus_choice_write(stdout, &choices[i]);
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    if (world_size() > MOST_RANKS)
        MPI_Abort(MPI_COMM_WORLD, 2);
    gather_often();
    gather_persistently();
    show();
    MPI_Finalize();
    return 0;
}
