/* SPDX-License-Identifier: BSD-3-Clause */
/* How many messages it takes to make a group and to free it, counted where the library hands them
 * to MPI; and that none goes to a rank that is no member. Whoever has waited for long asks those it
 * waits for what their list is, on a busy machine too: that is counted apart.
 *
 * run: ranks=2,4,5 */
#include "check.h"
#include "run/group/manager.h"

#include <caucus/caucus.h>

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 64, LATE = 200000 }; /* us: four times what nobody asks before */

static int sent, sent_to[MOST];
static int asked;
static bool counts;

static bool asks(const void *buffer, int length) {
    struct caucus_group_head head;
    if (length < (int)sizeof head)
        return false;
    memcpy(&head, buffer, sizeof head);
    return head.kind == CAUCUS_MANAGER_LISTED &&
           caucus_creation_word_of(head.body) == CAUCUS_CREATION_ASK;
}

/* Before MPI's own for all that is linked dynamically. */
int PMPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request *request) {
    static int (*next)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "PMPI_Isend");
    if (counts) {
        *(asks(buffer, count) ? &asked : &sent) += 1;
        sent_to[to]++;
    }
    return next(buffer, count, type, to, tag, comm, request);
}

enum how { CHECKED, UNCHECKED, LAZY, RANGE };

static caucus_group make(enum how how, const int *list, int n) {
    caucus_group group = CAUCUS_GROUP_NULL;
    if (how == CHECKED)
        CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, list, n, 1, &group));
    else if (how == UNCHECKED)
        CHECK_MPI(caucus_group_create_unchecked(MPI_COMM_WORLD, list, n, 1, &group));
    else if (how == LAZY)
        CHECK_MPI(caucus_group_create_lazy(MPI_COMM_WORLD, list, n, &group));
    else
        CHECK_MPI(caucus_group_create_range(MPI_COMM_WORLD, n - 1, 0, -1, &group));
    return group;
}

/* Each member may ask once whoever is right above or below it. */
static void expect_messages(const char *what, int expected, bool late) {
    int all, questions, members = world_size() - 1;
    counts = false;
    MPI_Allreduce(&sent, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&asked, &questions, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, sent_to, MOST, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(all == expected, "%s: %d messages, not %d", what, all, expected);
    CHECK(questions <= 2 * (members - 1), "%s: %d questions", what, questions);
    CHECK(questions > 0 || !late, "%s: nobody asked who is late", what);
    CHECK(sent_to[world_size() - 1] == 0, "%s: a message to who is no member", what);
    for (int i = 0; i < MOST; i++)
        sent_to[i] = 0;
    sent = asked = 0;
}

/* The last rank is outside. */
static void check(enum how how, int made, int freed, bool late) {
    int list[MOST], n = world_size() - 1;
    for (int i = 0; i < n; i++)
        list[i] = i > 0 ? n - i : 0;
    counts = true;
    caucus_group group = CAUCUS_GROUP_NULL;
    if (late && world_rank() == n - 1)
        usleep(LATE);
    if (world_rank() < n)
        group = make(how, list, n);
    expect_messages("made", made, late);
    counts = true;
    if (group)
        CHECK_MPI(caucus_group_free(&group));
    for (int i = 0; i < 3; i++) { /* what is freed is passed on by whoever makes the next one */
        int self = world_rank();
        CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, &self, 1, 2, &group));
        CHECK_MPI(caucus_group_free(&group));
        counts = false;
        MPI_Barrier(MPI_COMM_WORLD);
        counts = true;
    }
    expect_messages("freed", freed, false);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    CHECK_MPI(caucus_comm_attach(MPI_COMM_WORLD));
    int others = world_size() - 2;
    check(CHECKED, 2 * others, others, false);
    check(CHECKED, 2 * others, others, others > 0);
    check(UNCHECKED, others, others, false);
    check(LAZY, 0, 0, false);
    check(RANGE, 0, 0, false);
    MPI_Finalize();
    return 0;
}
