/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts of errors on an intercommunicator call a rank what whoever reads sees: the same failure is
 * of the local group on one side and of the remote group on the other.
 *
 * run: ranks=2,3,5
 * run: ranks=3 args=nodes env=CAUCUS_NODES=9x9
 * run: ranks=3 args=late env=CAUCUS_TIMEOUT=0.3 env=CAUCUS_SHARED_MEMORY=0 */
#include "two_groups.h"

#include "run/peers/agree.h"

static int side; /* of this rank: 0 for the first groups of join_groups */

/* A rank of a group of join_groups, as this rank reads it. */
static const char *called(int its_side, int rank) {
    static char text[2][64];
    static int next;
    next = !next;
    snprintf(text[next], sizeof text[next], "rank %d of the %s group", rank,
             its_side == side ? "local" : "remote");
    return text[next];
}

static void check_text(const char *expected) {
    CHECK(strstr(caucus_error_text(), expected), "'%s' lacks '%s'", caucus_error_text(), expected);
    CHECK(!strchr(caucus_error_text(), '\x01'), "a mark is left");
}

/* What only one rank knows is told to all. */
static void try_failure(MPI_Comm comm, int its_side, int its_rank) {
    const struct caucus_attachment *attachment = caucus_attached(comm);
    char expected[128];
    int failing = side == its_side && sides_of(comm).rank == its_rank;
    int status = failing
                     ? caucus_fail(CAUCUS_BAD_ARGUMENT, CAUCUS_RANK " is tired", attachment->rank)
                     : CAUCUS_OK;
    CHECK(caucus_agree(&attachment->peers, status, 0, NULL) == CAUCUS_BAD_ARGUMENT, "no failure");
    caucus_rank_text_settle(caucus_attachment_reader(attachment));
    const char *name = called(its_side, its_rank);
    snprintf(expected, sizeof expected, "%s: %s is tired", name, name);
    check_text(expected);
}

/* A rank has another opinion than all others. */
static void try_difference(MPI_Comm comm, int its_side, int its_rank) {
    const struct caucus_attachment *attachment = caucus_attached(comm);
    char expected[128];
    int opinion = side == its_side && sides_of(comm).rank == its_rank ? 7 : 5;
    struct caucus_item item = {"the opinion", CAUCUS_ITEM_INTEGERS, &opinion, 1};
    CHECK(caucus_agree(&attachment->peers, CAUCUS_OK, 1, &item) == CAUCUS_BAD_ARGUMENT,
          "no failure");
    caucus_rank_text_settle(caucus_attachment_reader(attachment));
    snprintf(expected, sizeof expected, "%s has 7", called(its_side, its_rank));
    check_text(expected);
}

/* Raised by public functions: settings that are bad are found while it is attached. */
static void try_bad_nodes(MPI_Comm comm) {
    CHECK(caucus_barrier(comm) != MPI_SUCCESS, "no failure");
    const char *first = strstr(caucus_error_text(), "rank 0 of the local group: CAUCUS_NODES");
    const char *second = strstr(caucus_error_text(), "rank 0 of the remote group: CAUCUS_NODES");
    int own = first != NULL, sum;
    CHECK(first || second, "%s", caucus_error_text());
    MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    struct sides sides = sides_of(comm);
    CHECK(sum == (own ? sides.local : sides.remote), "%d ranks call it local", sum);
}

static void try_bad_count(MPI_Comm comm, int its_side, int its_rank) {
    char expected[128];
    int own = 0, bad = side == its_side && sides_of(comm).rank == its_rank;
    int *other = calloc((size_t)sides_of(comm).remote, sizeof *other);
    caucus_request request;
    CHECK(other, "no memory");
    CHECK(caucus_allgather_init(&own, bad ? -1 : 1, MPI_INT, other, 1, MPI_INT, comm, MPI_INFO_NULL,
                                &request) != MPI_SUCCESS,
          "no failure");
    snprintf(expected, sizeof expected, "%s: sendcount is -1", called(its_side, its_rank));
    check_text(expected);
    free(other);
}

/* The only rank of the second group does not come. */
static void try_late(MPI_Comm comm) {
    char expected[128];
    CHECK_MPI(caucus_barrier(comm));
    if (side == 0) {
        CHECK(caucus_barrier(comm) != MPI_SUCCESS, "no failure");
        snprintf(expected, sizeof expected, "%s waits in barrier", called(0, sides_of(comm).rank));
        check_text(expected);
        check_text(sides_of(comm).rank == 0 ? called(1, 0) : " group");
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int first = (world_size() + 1) / 2, second = world_size() - first;
    MPI_Comm comm = join_groups(MPI_COMM_WORLD, first, second);
    side = world_rank() >= first;
    return_errors(comm);
    if (argc > 1 && strcmp(argv[1], "late") == 0) {
        try_late(comm);
    } else if (argc > 1) {
        try_bad_nodes(comm);
    } else {
        CHECK_MPI(caucus_comm_attach(comm));
        for (int its_side = 0; its_side < 2; its_side++)
            for (int rank = 0; rank < (its_side ? second : first); rank++) {
                try_failure(comm, its_side, rank);
                try_bad_count(comm, its_side, rank);
                if (world_size() > 2) /* or nobody knows who differs */
                    try_difference(comm, its_side, rank);
            }
    }
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
