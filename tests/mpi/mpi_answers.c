/* SPDX-License-Identifier: BSD-3-Clause */
/* What MPI answers seldom or never, by functions of this program that the library finds before
 * MPI's: a communicator, or all, without an upper bound of tags; calls that fail.
 *
 * run: ranks=1,2 */
#define _GNU_SOURCE
#include "expect_error.h"

#include "base/status.h"
#include "run/engine/engine.h"

#include <caucus/caucus.h>

#include <dlfcn.h>
#include <stdbool.h>

static struct {
    bool answers, fails;
    int bound, bound_of_world; /* of tags; below 0 for none */
    int asked;
} tags;

static bool split_fails;

int PMPI_Comm_get_attr(MPI_Comm comm, int key, void *value, int *found) {
    int (*next)(MPI_Comm, int, void *, int *);
    *(void **)&next = dlsym(RTLD_NEXT, "PMPI_Comm_get_attr");
    if (key != MPI_TAG_UB || !tags.answers)
        return next(comm, key, value, found);
    tags.asked++;
    if (tags.fails)
        return MPI_ERR_OTHER;
    int *bound = comm == MPI_COMM_WORLD ? &tags.bound_of_world : &tags.bound;
    *found = *bound >= 0;
    if (*found)
        *(int **)value = bound;
    return MPI_SUCCESS;
}

int PMPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *made) {
    int (*next)(MPI_Comm, int, int, MPI_Comm *);
    *(void **)&next = dlsym(RTLD_NEXT, "PMPI_Comm_split");
    return split_fails ? MPI_ERR_OTHER : next(comm, color, key, made);
}

/* A communicator is asked before MPI_COMM_WORLD, which is asked only where it has no answer. */
static void check_tags(void) {
    static const struct {
        int bound, bound_of_world, asked;
        int64_t count;
    } cases[] = {{1000, 70, 1, 1001},
                 {1000, -1, 1, 1001},
                 {-1, 70, 2, 71},
                 {0, 70, 1, 1},
                 {-1, -1, 2, 32768}};
    MPI_Comm comm;
    int64_t count = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    tags.answers = true;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tags.bound = cases[i].bound;
        tags.bound_of_world = cases[i].bound_of_world;
        tags.asked = 0;
        int status = caucus_engine_count_tags(comm, &count);
        CHECK(status == CAUCUS_OK && count == cases[i].count, "case %d: %lld tags", (int)i,
              (long long)count);
        CHECK(tags.asked == cases[i].asked, "case %d: asked %d times", (int)i, tags.asked);
    }
    tags.asked = 0;
    tags.fails = true;
    int status = caucus_engine_count_tags(comm, &count);
    CHECK(status == CAUCUS_INTERNAL && strstr(caucus_error_text(), "MPI_Comm_get_attr failed"),
          "status %d: %s", status, caucus_error_text());
    CHECK(tags.asked == 1, "asked %d times", tags.asked);
    tags.answers = false;
    MPI_Comm_free(&comm);
}

/* All ranks get the error, nothing is left behind, and the next call is right. */
static void check_open(void) {
    caucus_balance balance = CAUCUS_BALANCE_NULL;
    int news = CAUCUS_BALANCE_SAME;
    CHECK_MPI(caucus_comm_attach(MPI_COMM_WORLD));
    split_fails = true;
    expect(caucus_balance_open(MPI_COMM_WORLD, 1, &balance), MPI_ERR_INTERN,
           "MPI_Comm_split failed");
    split_fails = false;
    CHECK(balance == CAUCUS_BALANCE_NULL, "it was opened");
    CHECK_MPI(caucus_balance_open(MPI_COMM_WORLD, 1, &balance));
    while (news != CAUCUS_BALANCE_OVER)
        CHECK_MPI(caucus_balance_poll(balance, 0, &news));
    CHECK_MPI(caucus_balance_close(&balance));
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    return_errors(MPI_COMM_WORLD);
    return_errors(MPI_COMM_SELF);
    check_tags();
    check_open();
    MPI_Finalize();
    return 0;
}
