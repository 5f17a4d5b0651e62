/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/interposition/meeting.h"

#include "api/creation/create.h"
#include "api/interposition/interposition.h"
#include "api/interposition/tracked.h"
#include "base/status.h"
#include "run/creation/room.h"
#include "run/group/rendezvous.h"
#include "run/peers/agree.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct meeting {
    MPI_Group group;
    intptr_t generation; /* of what is tracked, when the group was looked at */
    int count, *ranks;   /* of what MPI_COMM_WORLD is attached by; NULL: they need not meet */
};

/* Those of windows and files that were looked at last. Nothing else has their handles while the
 * groups are kept. */
enum { KEPT = 32 };
static struct meeting kept[KEPT];
static int used, next;

/* What messages are about: no communicator has this number. */
static uint64_t topic_of(const char *words) {
    const struct caucus_item item = {"words", CAUCUS_ITEM_TEXT, words, 0};
    return caucus_agree_digest(1, &item);
}

static struct caucus_attachment *find_world(void) {
    struct caucus_attachment *world = caucus_attached(MPI_COMM_WORLD);
    return world && world->creation ? world : NULL;
}

static bool has_other_members(MPI_Group group, int *count) {
    int me = MPI_UNDEFINED;
    PMPI_Group_size(group, count);
    PMPI_Group_rank(group, &me);
    return *count > 1 && me != MPI_UNDEFINED;
}

/* Finds out who meets; fails for want of memory, and then the others have heard so. */
static int look_at(struct meeting *meeting, struct caucus_attachment *world, const char *words) {
    MPI_Group group = meeting->group, all = world->creation->group;
    int stranger = 0, *ranks = NULL, status = CAUCUS_OK;
    if (has_other_members(group, &meeting->count) && caucus_interposition_assembles(group))
        status = caucus_creation_ranks(group, all, &ranks, &stranger);
    if (status && !caucus_creation_stranger(group, all, &stranger) && stranger < 0)
        caucus_creation_decline(group, world, topic_of(words), 0);
    if (!status && stranger < 0)
        meeting->ranks = ranks;
    else
        free(ranks);
    if (!status)
        meeting->generation = caucus_tracked_generation();
    return status;
}

static void meet(const struct meeting *meeting, struct caucus_attachment *world,
                 const char *words) {
    const struct caucus_rendezvous_call call = {
        .name = "a meeting before MPI makes something for a group",
        .topic = topic_of(words),
        .ranks = meeting->ranks,
        .count = meeting->count};
    struct caucus_rendezvous_outcome outcome;
    if (meeting->ranks)
        caucus_rendezvous_meet(world, &call, &outcome);
}

void caucus_meet(MPI_Group group, const char *words) {
    struct caucus_attachment *world = find_world();
    struct meeting meeting = {.group = group};
    if (world && !look_at(&meeting, world, words))
        meet(&meeting, world, words);
    free(meeting.ranks);
}

static void drop(struct meeting *meeting) {
    free(meeting->ranks);
    PMPI_Group_free(&meeting->group);
}

static struct meeting *find(MPI_Group group) {
    for (int i = 0; i < used; i++)
        if (kept[i].group == group)
            return &kept[i];
    return NULL;
}

static struct meeting *make(MPI_Group group) {
    struct meeting *meeting = &kept[next];
    next = (next + 1) % KEPT;
    if (used == KEPT)
        drop(meeting);
    else
        used++;
    *meeting = (struct meeting){.group = group, .generation = -1};
    return meeting;
}

void caucus_meet_again(MPI_Group group, const char *words) {
    struct caucus_attachment *world = find_world();
    struct meeting *meeting = world ? find(group) : NULL;
    if (meeting || !world)
        PMPI_Group_free(&group);
    else
        meeting = make(group);
    if (!world)
        return;
    bool known = meeting->ranks || meeting->generation == caucus_tracked_generation();
    if (known || !look_at(meeting, world, words))
        meet(meeting, world, words);
}

void caucus_meetings_end(void) {
    while (used > 0)
        drop(&kept[--used]);
    next = 0;
}
