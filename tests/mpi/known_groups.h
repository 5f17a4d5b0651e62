/* SPDX-License-Identifier: BSD-3-Clause */
/* Random groups that every rank knows of, member or not: made in all ways, out of each other too,
 * by their members alone. */
#ifndef TESTS_MPI_KNOWN_GROUPS_H
#define TESTS_MPI_KNOWN_GROUPS_H

#include "check.h"

#include <caucus/caucus.h>

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define EQUAL(found, expected)                                                                     \
    CHECK((found) == (expected), "%d, not %d", (int)(found), (int)(expected))

enum { LIVE = 6, MOST = 64 };

static uint64_t seed = 1;
static int rank, ranks;

static int below(int limit) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (int)((seed >> 33) % (uint64_t)limit);
}

/* What every rank knows of a group, member or not; of the parts that a group fell into, its own. */
struct known {
    int parts, n, member[MOST], place; /* place: of this rank, or -1 */
    caucus_group group;
} live[LIVE];

static void find_place(struct known *known) {
    known->place = -1;
    for (int i = 0; i < known->n; i++)
        if (known->member[i] == rank)
            known->place = i;
}

static void choose_list(struct known *known, const struct known *within) {
    int from = within ? within->n : ranks, list[MOST];
    known->n = 1 + below(from);
    for (int i = 0; i < from; i++)
        list[i] = i;
    for (int i = 0; i < known->n; i++) {
        int other = i + below(from - i), swap = list[i];
        list[i] = list[other];
        list[other] = swap;
        known->member[i] = list[i];
    }
}

static void make_list(struct known *known) {
    choose_list(known, NULL);
    find_place(known);
    int checked = below(2);
    if (known->place < 0)
        return;
    if (checked)
        CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, known->member, known->n, 5, &known->group));
    else
        CHECK_MPI(caucus_group_create_unchecked(MPI_COMM_WORLD, known->member, known->n, 5,
                                                &known->group));
}

static void make_within(struct known *known, const struct known *parent) {
    int list[MOST];
    choose_list(known, parent);
    memcpy(list, known->member, sizeof list);
    for (int i = 0; i < known->n; i++)
        known->member[i] = parent->member[list[i]];
    find_place(known);
    if (known->place >= 0)
        CHECK_MPI(caucus_group_create_within(parent->group, list, known->n, 9, &known->group));
}

static void make_range(struct known *known) {
    int first = below(ranks), last = below(ranks), stride = 1 + below(2);
    if (last < first)
        stride = -stride;
    known->n = 0;
    for (int at = first; stride > 0 ? at <= last : at >= last; at += stride)
        known->member[known->n++] = at;
    find_place(known);
    CHECK_MPI(caucus_group_create_range(MPI_COMM_WORLD, first, last, stride, &known->group));
    EQUAL(known->group != CAUCUS_GROUP_NULL, known->place >= 0);
}

static void wait_for(caucus_request *request) {
    CHECK_MPI(caucus_wait(request, MPI_STATUS_IGNORE));
    CHECK(*request == CAUCUS_REQUEST_NULL, "still there");
}

/* Colours and keys of all members, which all know. */
static void make_split(struct known *known, const struct known *parent) {
    int color[MOST], key[MOST];
    for (int i = 0; i < parent->n; i++) {
        color[i] = below(3) - 1;
        key[i] = below(3);
    }
    known->n = 0;
    int mine = parent->place >= 0 ? color[parent->place] : -1;
    for (int k = 0; mine >= 0 && k < 3; k++)
        for (int i = 0; i < parent->n; i++)
            if (color[i] == mine && key[i] == k)
                known->member[known->n++] = parent->member[i];
    find_place(known);
    int colour = mine < 0 ? MPI_UNDEFINED : mine;
    int waits = below(2);
    caucus_request request;
    if (parent->place >= 0 && waits) {
        CHECK_MPI(caucus_group_isplit(parent->group, colour, key[parent->place], &known->group,
                                      &request));
        wait_for(&request);
    } else if (parent->place >= 0) {
        CHECK_MPI(caucus_group_split(parent->group, colour, key[parent->place], &known->group));
    }
    CHECK((known->group != CAUCUS_GROUP_NULL) == (known->place >= 0), "who is in it");
    known->parts = 1;
    if (known->n == 0) /* in none, but there is something in this slot */
        known->n = 1;
}

/* Two lists that may overlap, both begun by all before anybody waits; the second is kept. */
static void make_lists(struct known *known) {
    struct known other = {.group = CAUCUS_GROUP_NULL};
    caucus_request requests[2];
    choose_list(&other, NULL);
    choose_list(known, NULL);
    CHECK_MPI(caucus_group_icreate(MPI_COMM_WORLD, other.member, other.n, 21, &other.group,
                                   &requests[0]));
    CHECK_MPI(caucus_group_icreate(MPI_COMM_WORLD, known->member, known->n, 22, &known->group,
                                   &requests[1]));
    CHECK_MPI(caucus_waitall(2, requests, MPI_STATUSES_IGNORE));
    find_place(known);
    CHECK((known->group != CAUCUS_GROUP_NULL) == (known->place >= 0), "who is in it");
    if (other.group != CAUCUS_GROUP_NULL)
        CHECK_MPI(caucus_group_free(&other.group));
}

static bool overlap(const struct known *one, const struct known *other) {
    for (int i = 0; i < one->n; i++)
        for (int k = 0; k < other->n; k++)
            if (one->member[i] == other->member[k])
                return true;
    return false;
}

/* Of the living groups, in a random order, those that have nobody in common. */
static void make_merged(struct known *known) {
    const struct known *own = NULL;
    int firsts[LIVE], k = 0, begin = below(LIVE), waits = below(2);
    caucus_request request;
    for (int i = 0; i < LIVE; i++) {
        const struct known *next = &live[(begin + i) % LIVE];
        if (next == known || next->n == 0 || next->parts || overlap(known, next))
            continue;
        memcpy(known->member + known->n, next->member, (size_t)next->n * sizeof(int));
        known->n += next->n;
        firsts[k++] = next->member[0];
        if (next->place >= 0)
            own = next;
    }
    find_place(known);
    if (!own)
        return;
    const int *list = own->place == 0 ? firsts : NULL;
    if (waits) {
        CHECK_MPI(caucus_group_merge(own->group, list, own->place == 0 ? k : 0, 3, &known->group));
        return;
    }
    CHECK_MPI(
        caucus_group_imerge(own->group, list, own->place == 0 ? k : 0, 3, &known->group, &request));
    wait_for(&request);
}

/* Ranks that are not in it join a group, in a random order. */
static void make_grown(struct known *known, const struct known *parent) {
    int joining[MOST], n = 0;
    caucus_request request;
    struct known all;
    choose_list(&all, NULL);
    *known = *parent;
    known->group = CAUCUS_GROUP_NULL;
    for (int i = 0; i < all.n; i++) {
        struct known one = {.n = 1, .member = {all.member[i]}};
        if (!overlap(parent, &one))
            known->member[known->n++] = joining[n++] = all.member[i];
    }
    find_place(known);
    if (parent->place >= 0)
        CHECK_MPI(caucus_group_igrow(parent->group, parent->place == 0 ? joining : NULL, n, 4,
                                     &known->group, &request));
    else if (known->place >= 0)
        CHECK_MPI(
            caucus_group_ijoin(MPI_COMM_WORLD, parent->member[0], 4, &known->group, &request));
    else
        return;
    wait_for(&request);
}

/* Some leave, of whom some do not call. */
static void make_rest(struct known *known, const struct known *parent) {
    int leaving[MOST], n = 0;
    for (int i = 0; i < parent->n; i++) {
        if (below(3) == 0 && n < parent->n - 1)
            leaving[n++] = i;
        else
            known->member[known->n++] = parent->member[i];
    }
    find_place(known);
    if (parent->place >= 0 && (known->place >= 0 || n % 2))
        CHECK_MPI(caucus_group_shrink(parent->group, leaving, n, &known->group));
}

static void make_other(struct known *known, const struct known *parent, bool whole) {
    int way = below(4);
    if (way == 0)
        make_lists(known);
    else if (way == 1 && whole)
        make_grown(known, parent);
    else if (way == 2 && whole)
        make_rest(known, parent);
    else
        make_merged(known);
}

static void make(struct known *known) {
    const struct known *parent = &live[below(LIVE)];
    int way = below(8);
    *known = (struct known){.group = CAUCUS_GROUP_NULL};
    bool whole = parent->n > 0 && !parent->parts && parent != known;
    if (way > 4) {
        make_other(known, parent, whole);
    } else if (way == 4 && whole) {
        make_split(known, parent);
    } else if (way == 3 && whole) {
        make_within(known, parent);
    } else if (way == 2) {
        make_range(known);
    } else if (way == 1 && below(4) == 0) {
        known->n = ranks;
        for (int i = 0; i < ranks; i++)
            known->member[i] = i;
        find_place(known);
        CHECK_MPI(caucus_group_from_comm(MPI_COMM_WORLD, &known->group));
    } else {
        make_list(known);
    }
}

#endif
