/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions between groups whose elements are larger than the room that the ranks of the largest
 * node have in its memory, by algorithms that use it: all ranks are refused, also those that would
 * have had the room, or none to write to. Then the choice is the model's.
 * Argument: the ranks of the first group.
 * run: ranks=4 args=1 env=CAUCUS_NODES=1,3 env=CAUCUS_TIMEOUT=30 mpi=mpich,openmpi
 * run: ranks=4 args=3 env=CAUCUS_NODES=3,1 env=CAUCUS_TIMEOUT=30 */
#include "join_groups.h"

#include <caucus/caucus.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 1 << 15 };

static MPI_Datatype element;
static MPI_Op sum;
static int in[WORDS], out[WORDS];

static void add(void *left, void *right, int *length, MPI_Datatype *type) {
    int *from = left, *to = right;
    (void)type;
    for (int i = 0; i < *length * WORDS; i++)
        to[i] += from[i];
}

static void check_sum(MPI_Comm inter, int first, bool gets) {
    int remote, expected = 0, begin = world_rank() < first ? first : 0;
    MPI_Comm_remote_size(inter, &remote);
    for (int rank = begin; rank < begin + remote; rank++)
        expected += rank;
    for (int i = 0; gets && i < WORDS; i++)
        CHECK(out[i] == expected + remote * i, "word %d is %d", i, out[i]);
}

/* The root is alone in its group. */
static int begin(bool to_all, bool blocking, int root, MPI_Comm inter, caucus_request *request) {
    for (int i = 0; i < WORDS; i++)
        in[i] = world_rank() + i;
    if (to_all)
        return blocking ? caucus_allreduce(in, out, 1, element, sum, inter)
                        : caucus_iallreduce(in, out, 1, element, sum, inter, request);
    return blocking ? caucus_reduce(in, out, 1, element, sum, root, inter)
                    : caucus_ireduce(in, out, 1, element, sum, root, inter, request);
}

/* forced: "" where it can serve. */
static void run(const char *forced, bool to_all, int first) {
    bool alone = (world_rank() < first) == (first == 1);
    CHECK(setenv("CAUCUS_ALGORITHM", forced, 1) == 0, "no memory");
    MPI_Comm inter = join_groups(MPI_COMM_WORLD, first, world_size() - first);
    return_errors(inter);
    CHECK_MPI(caucus_comm_attach(inter));
    for (int blocking = 0; blocking < 2; blocking++) {
        caucus_request request = CAUCUS_REQUEST_NULL;
        int code = begin(to_all, blocking, alone ? MPI_ROOT : 0, inter, &request);
        if (code == MPI_SUCCESS && !blocking)
            code = caucus_wait(&request, MPI_STATUS_IGNORE);
        if (!*forced)
            CHECK_MPI(code);
        else
            CHECK(code != MPI_SUCCESS && strstr(caucus_error_text(), "can't serve"), "%s: %d: %s",
                  forced, code, caucus_error_text());
        if (!*forced)
            check_sum(inter, first, to_all || alone);
    }
    MPI_Comm_free(&inter);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int first = argc > 1 ? atoi(argv[1]) : 1;
    MPI_Type_contiguous(WORDS, MPI_INT, &element);
    MPI_Type_commit(&element);
    MPI_Op_create(add, 1, &sum);
    run("reduce:node_aware", false, first);
    run("reduce:node_circulant", false, first);
    run("allreduce:node_aware", true, first);
    run("allreduce:node_striped_ring", true, first);
    run("", false, first);
    run("", true, first);
    caucus_op_free(&sum);
    MPI_Type_free(&element);
    MPI_Finalize();
    return 0;
}
