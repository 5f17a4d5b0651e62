/* SPDX-License-Identifier: BSD-3-Clause */
/* CAUCUS_SELECT=measure: every collective persistent, in several sizes, right on every restart; a
 * kind and size is measured once, all ranks take the same, and later inits take it too; what must
 * not be measured is not, and goes by the algorithm that the model chooses. By itself (auto) it
 * measures where there are several nodes.
 *
 * run: ranks=1,2,3 env=CAUCUS_SELECT=measure env=CAUCUS_SELECT_MS=3
 * run: ranks=4 env=CAUCUS_SELECT=measure env=CAUCUS_SELECT_MS=3 env=CAUCUS_NODES=2x2
 * run: ranks=5 env=CAUCUS_SELECT=measure env=CAUCUS_SELECT_MS=3 env=CAUCUS_NODES=cyclic:2
 * run: ranks=3 env=CAUCUS_SELECT=measure env=CAUCUS_SHARED_MEMORY=0
 * run: ranks=3 env=CAUCUS_SELECT=measure env=CAUCUS_REQUESTS=kept
 * run: ranks=4 env=CAUCUS_SELECT=measure env=CAUCUS_TIMEOUT=100
 * run: ranks=4,5 env=CAUCUS_SELECT=auto env=CAUCUS_SELECT_MS=5 env=CAUCUS_NODES=cyclic:2
 * run: ranks=4 env=CAUCUS_SELECT=auto env=MPIR_CVAR_NUM_CLIQUES=2
 * run: ranks=3 env=CAUCUS_SELECT=auto
 * run: ranks=3 */
#include "collective_case.h"

#include "api/collective/learned.h"
#include "api/collective/request.h"

static bool measures;

static int64_t learned(void) {
    const struct caucus_context *context = caucus_context_kept(MPI_COMM_WORLD);
    int64_t count = context ? caucus_learned_count(context->learned) : 0, least, most;
    CHECK_MPI(MPI_Allreduce(&count, &least, 1, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Allreduce(&count, &most, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD));
    CHECK(least == most, "ranks have learned %lld to %lld", (long long)least, (long long)most);
    return count;
}

static void run_all(int count, int round) {
    const int size = world_size();
    for (int collective = 0; collective < CAUCUS_NEIGHBOR_ALLGATHER; collective++) {
        const bool reduces = caucus_task_reduces((enum caucus_collective)collective);
        struct test_case c = {.collective = (enum caucus_collective)collective,
                              .kind = &kinds[!reduces && round % 2 ? GAPS : INTS],
                              .count = count,
                              .root = (collective + round) % size,
                              .in_place = (collective + round / 2) % 2,
                              .large = round % 2,
                              .form = PERSISTENT,
                              .comm = MPI_COMM_WORLD};
        run_case(&c);
    }
}

static caucus_request allreduce_of(int count, MPI_Datatype type, MPI_Op op, const char *algorithm) {
    static double in[4096], out[4096];
    caucus_request request;
    MPI_Info info = MPI_INFO_NULL;
    if (algorithm) {
        MPI_Info_create(&info);
        MPI_Info_set(info, "caucus_algorithm", algorithm);
    }
    CHECK_MPI(caucus_allreduce_init(in, out, count, type, op, MPI_COMM_WORLD, info, &request));
    if (algorithm)
        MPI_Info_free(&info);
    return request;
}

/* Also where the first one is still there, so that no freed one is found. */
static void check_once(void) {
    const int64_t before = learned();
    caucus_request first = allreduce_of(1500, MPI_INT, MPI_BXOR, NULL);
    const int64_t between = learned();
    caucus_request second = allreduce_of(1501, MPI_INT, MPI_BXOR, NULL);
    const struct caucus_algorithm *taken = first->prepared->algorithm;
    CHECK(learned() == between, "it was measured again");
    CHECK(second->prepared->algorithm == taken, "then %s was taken, now %s", taken->name,
          second->prepared->algorithm->name);
    CHECK(measures || between == before, "it was measured without being asked");
    CHECK_MPI(caucus_request_free(&first));
    CHECK_MPI(caucus_request_free(&second));
}

static void check_never(void) {
    const int64_t before = learned();
    caucus_request requests[] = {
        allreduce_of(300, MPI_DOUBLE, MPI_SUM, NULL),
        allreduce_of(300, MPI_DOUBLE, MPI_MAX, NULL),
        allreduce_of(0, MPI_INT, MPI_SUM, NULL),
        allreduce_of(100, kinds[MATRICES].type, kinds[MATRICES].op, NULL),
        allreduce_of(4000, MPI_INT, MPI_SUM, "recursive_doubling"),
    };
    for (int i = 0; i < (int)(sizeof requests / sizeof *requests); i++)
        CHECK_MPI(caucus_request_free(&requests[i]));
    CHECK(learned() == before, "%lld were measured", (long long)(learned() - before));
}

/* Sums of doubles that are no whole numbers, by what the model chooses, have the same bits as
 * before any measurement: on a duplicate, which has learned nothing. */
static void check_bits(void) {
    enum { COUNT = 700 };
    static double in[COUNT], out[COUNT], wanted[COUNT];
    MPI_Comm fresh;
    caucus_request request;
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &fresh));
    for (int i = 0; i < COUNT; i++)
        in[i] = 1.0 / (3 + i + 7 * world_rank());
    for (int turn = 0; turn < 2; turn++) {
        CHECK_MPI(caucus_allreduce_init(in, turn ? out : wanted, COUNT, MPI_DOUBLE, MPI_SUM,
                                        turn ? MPI_COMM_WORLD : fresh, MPI_INFO_NULL, &request));
        CHECK_MPI(caucus_start(&request));
        CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
        CHECK_MPI(caucus_request_free(&request));
    }
    CHECK(memcmp(out, wanted, sizeof out) == 0, "other bits");
    CHECK_MPI(MPI_Comm_free(&fresh));
}

static bool is_measured(void) {
    const char *select = getenv("CAUCUS_SELECT");
    CHECK_MPI(caucus_comm_attach(MPI_COMM_WORLD));
    bool has_nodes = caucus_context_kept(MPI_COMM_WORLD)->attachment->nodes.count > 1;
    return select && (!strcmp(select, "measure") || (!strcmp(select, "auto") && has_nodes));
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    return_errors(MPI_COMM_WORLD);
    make_kinds();
    measures = is_measured();
    for (int round = 0; round < 4; round++) {
        run_all(round == 0 ? 1 : 600 * round * round, round);
        check_once();
    }
    CHECK(!measures || world_size() == 1 || learned() > 0, "nothing was measured");
    check_never();
    check_bits();
    free_kinds();
    MPI_Finalize();
    return 0;
}
