/* SPDX-License-Identifier: BSD-3-Clause */
/* Floating-point sums whose bits depend on the order: the same arguments on the same communicator
 * give the same bits, in all forms, in any order of the calls, before and after anything is
 * measured. Arguments: how many calls, and a seed.
 *
 * run: ranks=2,3,5 args="600 {day}" env=CAUCUS_SELECT=measure env=CAUCUS_SELECT_MS=2
 * run: ranks=4 args="600 {day}" env=CAUCUS_NODES=2x2
 * run: ranks=4 args="600 {day}" env=CAUCUS_NODES=cyclic:2 env=CAUCUS_SELECT=measure
 *      env=CAUCUS_SELECT_MS=2
 * run: ranks=3 args="600 {day}" env=CAUCUS_SHARED_MEMORY=0
 * run: ranks=4 args="600 {day}" env=MPIR_CVAR_NUM_CLIQUES=2 env=CAUCUS_MODEL=auto
 *      env=CAUCUS_SELECT=measure env=CAUCUS_SELECT_MS=2
 * run: ranks=4 args="600 {day}" env=CAUCUS_NODES=2x2 env=CAUCUS_SELECT=auto
 *      env=CAUCUS_CACHE=kept
 * run: ranks=5 args="600 {day}" env=CAUCUS_NODES=cyclic:2 env=CAUCUS_SELECT=auto
 *      env=CAUCUS_CACHE=kept
 * run: ranks=14 args="100 {day}"
 * run: ranks=14 args="100 {day}" env=CAUCUS_NODES=13,1 env=CAUCUS_SELECT=auto
 *      env=CAUCUS_CACHE=kept
 * run: ranks=4 args="20000 {day}" full env=CAUCUS_SELECT=measure env=CAUCUS_SELECT_MS=2 */
#include "check.h"

#include "api/collective/context.h"
#include "api/collective/learned.h"

#include <caucus/caucus.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { CASES = 24, MOST = 40000, FORMS = 3 };
enum operation { ALLREDUCE, REDUCE, SCAN, REDUCE_SCATTER_BLOCK, OPERATIONS };

struct seen {
    int count;
    uint64_t digest;
    bool is_known;
};

static double in[MOST], out[MOST];
static struct seen seen[OPERATIONS][CASES];
static uint64_t state;

/* The same numbers on all ranks. */
static uint64_t draw(uint64_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % below;
}

/* Of many magnitudes, so that rounding tells in what order they were added. */
static void fill(int elements, int salt) {
    uint64_t own = (uint64_t)(world_rank() * 7919 + salt * 104729 + 1);
    for (int i = 0; i < elements; i++) {
        own = own * 6364136223846793005u + 1442695040888963407u;
        in[i] = (double)(int64_t)(own >> 11) / (double)((int64_t)1 << (own >> 59)) + 1.0 / 3;
    }
}

static void call(enum operation operation, int form, int count, MPI_Comm comm) {
    caucus_request request;
    const MPI_Datatype type = MPI_DOUBLE;
    if (operation == ALLREDUCE)
        form == 0 ? caucus_allreduce(in, out, count, type, MPI_SUM, comm)
        : form == 1
            ? caucus_iallreduce(in, out, count, type, MPI_SUM, comm, &request)
            : caucus_allreduce_init(in, out, count, type, MPI_SUM, comm, MPI_INFO_NULL, &request);
    else if (operation == REDUCE)
        form == 0 ? caucus_reduce(in, out, count, type, MPI_SUM, 0, comm)
        : form == 1
            ? caucus_ireduce(in, out, count, type, MPI_SUM, 0, comm, &request)
            : caucus_reduce_init(in, out, count, type, MPI_SUM, 0, comm, MPI_INFO_NULL, &request);
    else if (operation == SCAN)
        form == 0 ? caucus_scan(in, out, count, type, MPI_SUM, comm)
        : form == 1
            ? caucus_iscan(in, out, count, type, MPI_SUM, comm, &request)
            : caucus_scan_init(in, out, count, type, MPI_SUM, comm, MPI_INFO_NULL, &request);
    else
        form == 0   ? caucus_reduce_scatter_block(in, out, count, type, MPI_SUM, comm)
        : form == 1 ? caucus_ireduce_scatter_block(in, out, count, type, MPI_SUM, comm, &request)
                    : caucus_reduce_scatter_block_init(in, out, count, type, MPI_SUM, comm,
                                                       MPI_INFO_NULL, &request);
    if (form == 2)
        CHECK_MPI(caucus_start(&request));
    if (form > 0)
        CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
    if (form == 2)
        CHECK_MPI(caucus_request_free(&request));
}

static uint64_t digest_of(int elements) {
    uint64_t digest = 1469598103934665603u;
    const unsigned char *bytes = (const unsigned char *)out;
    for (size_t i = 0; i < (size_t)elements * sizeof *out; i++)
        digest = (digest ^ bytes[i]) * 1099511628211u;
    return digest;
}

static void check_one(int at, MPI_Comm comm) {
    enum operation operation = (enum operation)draw(OPERATIONS);
    int chosen = (int)draw(CASES), form = (int)draw(FORMS);
    struct seen *before = &seen[operation][chosen];
    const int blocks = operation == REDUCE_SCATTER_BLOCK ? world_size() : 1;
    fill(before->count * blocks, chosen);
    memset(out, 0, (size_t)before->count * sizeof *out);
    call(operation, form, before->count, comm);
    uint64_t digest = digest_of(before->count);
    CHECK(!before->is_known || digest == before->digest,
          "call %d: operation %d of %d numbers in form %d has other bits than before", at,
          (int)operation, before->count, form);
    before->digest = digest;
    before->is_known = true;
}

/* By itself it measures some of them, those that persistent inits come first of. */
static void check_learned(void) {
    const char *select = getenv("CAUCUS_SELECT");
    const struct caucus_context *context = caucus_context_kept(MPI_COMM_WORLD);
    if (select && strcmp(select, "auto") == 0 && context->keeps_choices)
        CHECK(caucus_learned_count(context->learned) > 0, "nothing was measured");
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    const int calls = argc > 1 ? atoi(argv[1]) : 600;
    state = argc > 2 ? (uint64_t)atoll(argv[2]) : 1;
    for (int operation = 0; operation < OPERATIONS; operation++)
        for (int i = 0; i < CASES; i++) {
            int bits = (int)draw(operation == REDUCE_SCATTER_BLOCK ? 12 : 15);
            int count = 1 + (int)draw(1u << bits), most = MOST / world_size();
            seen[operation][i].count = count < most ? count : most;
        }
    CHECK_MPI(caucus_comm_attach(MPI_COMM_WORLD));
    for (int at = 0; at < calls; at++)
        check_one(at, MPI_COMM_WORLD);
    check_learned();
    MPI_Finalize();
    return 0;
}
