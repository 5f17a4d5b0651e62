/* SPDX-License-Identifier: BSD-3-Clause */
/* Wrong arguments of caucus_comm_create_group: found by each process alone, or by the members when
 * they meet; the same error class on all that called, one call of the error handler, and words.
 *
 * run: ranks=1,2,3,5 mpi=mpich,openmpi,intel,abi
 * run: ranks=3 env=CAUCUS_CREATE_GROUP=parentless mpi=mpich,openmpi,intel,abi */
#include "founders.h"

#include <caucus/caucus.h>

#include <limits.h>
#include <string.h>

static int rank, size, handled;
static MPI_Comm parent, hasty; /* attached with a long time limit, and with a short one */

static void count_call(MPI_Comm *comm, int *code, ...) {
    (void)comm, (void)code;
    handled++;
}

static struct founders all_ranks(void) {
    struct founders all = {0};
    for (; all.count < size; all.count++)
        all.ranks[all.count] = all.count;
    return all;
}

/* words, and others if not NULL, must be in the text. */
static void expect(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made, int expected,
                   const char *words, const char *others) {
    int class, before = handled;
    int code = caucus_comm_create_group(comm, group, tag, made);
    const char *text = caucus_error_text();
    CHECK(code != MPI_SUCCESS, "it succeeded, but should say: %s", words);
    MPI_Error_class(code, &class);
    CHECK(class == expected, "class %d, not %d: %s", class, expected, text);
    CHECK(strstr(text, words) && (!others || strstr(text, others)), "'%s' lacks: %s, or %s", text,
          words, others ? others : "");
    CHECK(handled == before + 1, "the handler was called %d times", handled - before);
    CHECK(!made || *made == MPI_COMM_NULL || *made == MPI_COMM_SELF, "something was made");
}

static void try_alone(void) {
    MPI_Comm made = MPI_COMM_SELF, other, inter;
    MPI_Group group, strangers;
    void *value;
    int found, first = rank == 0;
    MPI_Comm_group(parent, &group);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &found);
    int bound = *(int *)value;
    expect(parent, group, -1, &made, MPI_ERR_TAG, "tag is -1", "MPI_TAG_UB");
    if (bound < INT_MAX)
        expect(parent, group, bound + 1, &made, MPI_ERR_TAG, "tag is", "MPI_TAG_UB");
    expect(parent, group, 1, NULL, MPI_ERR_ARG, "newcomm is NULL", NULL);
    expect(parent, MPI_GROUP_NULL, 1, &made, MPI_ERR_GROUP, "MPI_GROUP_NULL", NULL);
    MPI_Comm_dup(parent, &other); /* not attached: duplicates are not */
    expect(other, group, 1, &made, MPI_ERR_COMM, "caucus_comm_attach", "not attached");
    MPI_Comm_free(&other);
    MPI_Comm_split(parent, first, rank, &other);
    if (size > 1) {
        MPI_Comm_group(parent, &strangers);
        expect(other, strangers, 1, &made, MPI_ERR_GROUP, "is not in the communicator", NULL);
        MPI_Group_free(&strangers);
        MPI_Intercomm_create(other, 0, parent, first, 9, &inter);
        MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
        int code = caucus_comm_create_group(inter, group, 1, &made), class;
        MPI_Error_class(code, &class);
        CHECK(class == MPI_ERR_COMM && strstr(caucus_error_text(), "intercommunicator"), "%s",
              caucus_error_text());
        MPI_Comm_free(&inter);
    }
    MPI_Comm_free(&other);
    MPI_Group_free(&group);
    CHECK(caucus_comm_create_group(MPI_COMM_NULL, MPI_GROUP_EMPTY, 1, &made) != MPI_SUCCESS,
          "a null communicator");
    CHECK(strstr(caucus_error_text(), "MPI_COMM_NULL"), "%s", caucus_error_text());
}

/* Who is not in the group gets nothing, and no error. */
static void try_outside(void) {
    struct founders last = {1, {size - 1}};
    MPI_Group group = group_of(parent, &last);
    MPI_Comm made = MPI_COMM_SELF;
    CHECK_MPI(caucus_comm_create_group(parent, group, 1, &made));
    CHECK((made == MPI_COMM_NULL) == (rank != size - 1), "the wrong one");
    if (made != MPI_COMM_NULL)
        MPI_Comm_free(&made);
    MPI_Group_free(&group);
}

/* The algorithm is unknown, or another one on one rank. */
static void try_algorithms(void) {
    char kept[64] = "";
    MPI_Comm made = MPI_COMM_SELF;
    struct founders all = all_ranks();
    MPI_Group group = group_of(parent, &all);
    if (getenv("CAUCUS_CREATE_GROUP"))
        snprintf(kept, sizeof kept, "%s", getenv("CAUCUS_CREATE_GROUP"));
    setenv("CAUCUS_CREATE_GROUP", "nonsense", 1);
    expect(parent, group, 1, &made, MPI_ERR_ARG, "'nonsense'", "recursive_merge");
    setenv("CAUCUS_CREATE_GROUP", rank == 0 ? "native" : "recursive_merge", 1);
    if (size > 1)
        expect(parent, group, 2, &made, MPI_ERR_GROUP, "CAUCUS_CREATE_GROUP", "differs");
    setenv("CAUCUS_CREATE_GROUP", kept, 1);
    MPI_Group_free(&group);
}

static void swap(int *a, int *b) {
    int kept = *a;
    *a = *b;
    *b = kept;
}

/* Rank `odd` has another order, or lacks a rank: a tag each, since whoever is in one list only has
 * counted another number of calls. */
static void try_differences(void) {
    MPI_Comm made = MPI_COMM_SELF;
    for (int odd = 0; odd < size; odd++) {
        struct founders all = all_ranks();
        if (rank == odd)
            swap(&all.ranks[0], &all.ranks[1]);
        MPI_Group group = group_of(parent, &all);
        expect(parent, group, 100 + odd, &made, MPI_ERR_GROUP, "differs between ranks", NULL);
        MPI_Group_free(&group);
    }
    for (int odd = 0; odd < size && size > 2; odd++) {
        struct founders all = all_ranks();
        if (rank == odd) {
            all.count--;
            swap(&all.ranks[(odd + 1) % size], &all.ranks[all.count]);
        }
        MPI_Group group = group_of(parent, &all);
        if (place_of(&all, rank) >= 0)
            expect(parent, group, 200 + odd, &made, MPI_ERR_GROUP, "differs between ranks", NULL);
        else
            CHECK_MPI(caucus_comm_create_group(parent, group, 200 + odd, &made));
        MPI_Group_free(&group);
    }
}

/* One comes when the others have given up, and hears so; and then all come in time. */
static void try_absence(void) {
    MPI_Comm made = MPI_COMM_SELF;
    struct founders all = all_ranks();
    MPI_Group group = group_of(parent, &all);
    char words[64];
    for (int late = 0; late < size; late++) {
        snprintf(words, sizeof words, "rank %d has not come", late);
        if (rank != late)
            expect(hasty, group, late, &made, MPI_ERR_OTHER, words, "0.8 seconds");
        MPI_Barrier(parent);
        if (rank == late)
            expect(hasty, group, late, &made, MPI_ERR_OTHER, words, NULL);
        MPI_Barrier(parent);
        CHECK_MPI(caucus_comm_create_group(hasty, group, late, &made));
        check_made(made, group, &all, rank);
        MPI_Comm_free(&made);
        made = MPI_COMM_SELF;
    }
    MPI_Group_free(&group);
}

/* Ranks are named as in the communicator of the call, whichever of its ancestors is attached. */
static void try_names(void) {
    MPI_Comm made = MPI_COMM_SELF, backwards;
    struct founders all = all_ranks();
    MPI_Comm_split(hasty, 0, -rank, &backwards);
    CHECK_MPI(caucus_comm_attach(backwards));
    MPI_Group group = group_of(backwards, &all);
    if (rank != size - 1)
        expect(backwards, group, 77, &made, MPI_ERR_OTHER, "rank 0 has not come", "0.8 seconds");
    MPI_Barrier(parent);
    if (rank == size - 1)
        expect(backwards, group, 77, &made, MPI_ERR_OTHER, "rank 0 has not come", NULL);
    MPI_Group_free(&group);
    MPI_Comm_free(&backwards);
}

static void attach(MPI_Comm *comm, MPI_Errhandler handler, const char *timeout) {
    MPI_Comm_dup(MPI_COMM_WORLD, comm);
    MPI_Comm_set_errhandler(*comm, handler);
    setenv("CAUCUS_TIMEOUT", timeout, 1);
    CHECK_MPI(caucus_comm_attach(*comm));
}

int main(int argc, char **argv) {
    MPI_Errhandler handler;
    MPI_Init(&argc, &argv);
    rank = world_rank();
    size = world_size();
    return_errors(MPI_COMM_WORLD);
    return_errors(MPI_COMM_SELF);
    MPI_Comm_create_errhandler(count_call, &handler);
    attach(&parent, handler, "20");
    attach(&hasty, handler, "0.8");
    try_alone();
    try_outside();
    try_algorithms();
    if (size > 1) {
        try_differences();
        try_absence();
        try_names();
    }
    MPI_Errhandler_free(&handler);
    MPI_Comm_free(&parent);
    MPI_Comm_free(&hasty);
    MPI_Finalize();
    return 0;
}
