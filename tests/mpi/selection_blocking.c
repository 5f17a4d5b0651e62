/* SPDX-License-Identifier: BSD-3-Clause */
/* CAUCUS_SELECT=measure: blocking calls are measured once for a kind and size class, at the same
 * call on all ranks, whatever datatypes these give, with others under way; all are right, before
 * and after, and all ranks go on with the same.
 *
 * run: ranks=1,2,3 env=CAUCUS_SELECT=measure env=CAUCUS_SELECT_MS=2
 * run: ranks=4 env=CAUCUS_SELECT=measure env=CAUCUS_SELECT_MS=2 env=CAUCUS_NODES=2x2
 * run: ranks=5 env=CAUCUS_SELECT=measure env=CAUCUS_SELECT_MS=2 env=CAUCUS_NODES=cyclic:2
 * run: ranks=3 env=CAUCUS_SELECT=measure env=CAUCUS_SELECT_MS=2 env=CAUCUS_SHARED_MEMORY=0
 * run: ranks=4 env=CAUCUS_SELECT=measure env=CAUCUS_SELECT_MS=2 env=MPIR_CVAR_NUM_CLIQUES=2
 * run: ranks=3 env=CAUCUS_SELECT=measure env=CAUCUS_SELECT_MS=2 env=CAUCUS_CHECK=1
 * run: ranks=2 env=CAUCUS_SELECT=measure env=CAUCUS_SELECT_MS=2 env=CAUCUS_ALGORITHM=bcast:binomial
 */
#include "collective_case.h"

#include "api/collective/learned.h"

#include <caucus/group.h>

enum { CALLS = 45, WORDS_OF_GAPS = 3 };

static struct caucus_learned *learned(void) {
    const struct caucus_context *context = caucus_context_kept(MPI_COMM_WORLD);
    CHECK(context && context->learned, "nothing is learned");
    return context->learned;
}

static int64_t count_settled(void) {
    int64_t count = caucus_learned_count(learned()), least, most;
    CHECK_MPI(MPI_Allreduce(&count, &least, 1, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Allreduce(&count, &most, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD));
    CHECK(least == most, "ranks have settled %lld to %lld", (long long)least, (long long)most);
    return count;
}

static bool is_counted(int collective) {
    return collective == CAUCUS_GATHERV || collective == CAUCUS_SCATTERV ||
           collective == CAUCUS_ALLGATHERV || collective == CAUCUS_ALLTOALLV ||
           collective == CAUCUS_ALLTOALLW || collective == CAUCUS_REDUCE_SCATTER;
}

/* The last rank gives the same bytes by another datatype, which has gaps. */
static void call_often(int collective, int count) {
    const bool reduces = caucus_task_reduces((enum caucus_collective)collective);
    const bool gaps = !reduces && world_rank() == world_size() - 1;
    for (int i = 0; i < CALLS / RESTARTS; i++) {
        struct test_case c = {.collective = (enum caucus_collective)collective,
                              .kind = &kinds[gaps ? GAPS : INTS],
                              .count = gaps ? count : WORDS_OF_GAPS * count,
                              .root = i % world_size(),
                              .in_place = i % 3 == 1,
                              .large = i % 2,
                              .form = BLOCKING,
                              .comm = MPI_COMM_WORLD};
        run_case(&c);
    }
}

/* One by the nonblocking form stays under way while the calls of its kind are measured. */
static void call_beside(int count) {
    int in[300], out[300], blocking[300];
    caucus_request request;
    for (int i = 0; i < count; i++)
        in[i] = i + world_rank();
    CHECK_MPI(caucus_iallreduce(in, out, count, MPI_INT, MPI_BXOR, MPI_COMM_WORLD, &request));
    for (int call = 0; call < CALLS; call++)
        CHECK_MPI(caucus_allreduce(in, blocking, count, MPI_INT, MPI_BXOR, MPI_COMM_WORLD));
    CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
    CHECK(memcmp(out, blocking, (size_t)count * sizeof *out) == 0, "the forms differ");
    CHECK_MPI(caucus_iallreduce(in, out, count, MPI_INT, MPI_BXOR, MPI_COMM_WORLD, &request));
    CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
    CHECK(memcmp(out, blocking, (size_t)count * sizeof *out) == 0, "the forms differ afterwards");
}

static void call_on_group(void) {
    caucus_group group;
    int ranks[16], in = world_rank(), out, wanted = 0;
    for (int i = 0; i < world_size(); i++) {
        ranks[i] = i;
        wanted = i > wanted ? i : wanted;
    }
    CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, ranks, world_size(), 3, &group));
    for (int call = 0; call < 2 * CALLS; call++) {
        CHECK_MPI(caucus_group_allreduce(&in, &out, 1, MPI_INT, MPI_MAX, group));
        CHECK(out == wanted, "it is %d, not %d", out, wanted);
    }
    CHECK_MPI(caucus_group_free(&group));
}

/* Sums of doubles are not measured: their bits could change. */
static void check_bits(void) {
    enum { COUNT = 700 };
    static double in[COUNT], out[COUNT], first[COUNT];
    for (int i = 0; i < COUNT; i++)
        in[i] = 1.0 / (3 + i + 7 * world_rank());
    for (int call = 0; call < CALLS; call++) {
        double *to = call ? out : first;
        CHECK_MPI(caucus_allreduce(in, to, COUNT, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
        CHECK(memcmp(to, first, sizeof first) == 0, "other bits at call %d", call);
    }
}

int main(int argc, char **argv) {
    int64_t wanted = 0;
    MPI_Init(&argc, &argv);
    return_errors(MPI_COMM_WORLD);
    make_kinds();
    CHECK_MPI(caucus_comm_attach(MPI_COMM_WORLD));
    for (int round = 0; round < 3; round++)
        for (int collective = 0; collective < CAUCUS_NEIGHBOR_ALLGATHER; collective++) {
            if (is_counted(collective))
                continue;
            call_often(collective, round == 0 ? 1 : 10 << (4 * round));
            wanted += collective != CAUCUS_BARRIER || round == 0;
        }
    CHECK(count_settled() == (world_size() == 1 ? 0 : wanted), "%lld settled, not %lld",
          (long long)count_settled(), (long long)wanted);
    CHECK(caucus_learned_mpis(learned()) == 0, "a call of the library's is left to MPI");
    call_beside(1);
    call_beside(300);
    call_on_group();
    check_bits();
    free_kinds();
    MPI_Finalize();
    return 0;
}
