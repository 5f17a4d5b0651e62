/* SPDX-License-Identifier: BSD-3-Clause */
/* What a rank brings to a merge. */
#include "base/memory.h"
#include "base/status.h"
#include "run/group/merging_state.h"

#include <stdlib.h>

/* Ranks of the list that are some, each once, and this one; NULL without memory. */
static int32_t *clean(const struct caucus_merging_wish *wish, int32_t *count) {
    int32_t *ranks = caucus_array(wish->count + INT64_C(1), sizeof *ranks);
    *count = 0;
    for (int i = -1; ranks && i < wish->count; i++) {
        int32_t rank = i < 0 ? wish->parent->rank : wish->ranks[i];
        bool wanted = rank >= 0 && rank < wish->parent->size;
        for (int32_t k = 0; k < *count && wanted; k++)
            wanted = ranks[k] != rank;
        if (wanted)
            ranks[(*count)++] = rank;
    }
    return ranks;
}

/* Who meets: the list, or the one that others join and they. */
static int list_firsts(const struct caucus_merging_wish *wish, struct caucus_members *members) {
    int32_t count = 0;
    bool joins = wish->meets == CAUCUS_GROUP_JOINS;
    if (!wish->status && !joins)
        return caucus_members_from_list(members, wish->parent->size, wish->count, wish->ranks);
    int32_t *ranks = clean(wish, &count);
    if (!ranks)
        return CAUCUS_NO_MEMORY;
    if (joins && !wish->group) { /* the one that is joined is the root */
        ranks[1] = ranks[0];
        ranks[0] = wish->ranks[0];
    }
    int status = caucus_members_from_list(members, wish->parent->size, count, ranks);
    free(ranks);
    return status;
}

/* What a first stands for: its group, and after it those who join it. */
static int bring(const struct caucus_merging_wish *wish, struct caucus_merge *merge) {
    struct caucus_members joining;
    if (!wish->group)
        return CAUCUS_OK;
    int status = caucus_merge_add(merge, &wish->group->members);
    if (status || wish->meets != CAUCUS_GROUP_JOINS || wish->count == 0 || wish->status)
        return status;
    status = caucus_members_from_list(&joining, wish->parent->size, wish->count, wish->ranks);
    if (status)
        return status;
    status = caucus_merge_add(merge, &joining);
    caucus_members_free(&joining);
    return status;
}

static int make_firsts(const struct caucus_merging_wish *wish, struct caucus_merging *merging) {
    struct caucus_members members;
    int status = list_firsts(wish, &members);
    if (!status)
        status = caucus_group_make(wish->parent, &members, wish->meets, wish->tag,
                                   CAUCUS_GROUP_CHECKED, &merging->firsts);
    if (status)
        return status;
    merging->merge.me = merging->firsts->rank;
    merging->merge.parent_size = wish->parent->size;
    merging->firsts->merge = &merging->merge;
    status = wish->status ? wish->status : bring(wish, &merging->merge);
    merging->firsts->objects = status != CAUCUS_OK;
    return status;
}

/* What concerns this rank's own group. */
static void place(const struct caucus_merging_wish *wish, struct caucus_merging *merging) {
    struct caucus_light_group *group = wish->group;
    bool asks = wish->meets == CAUCUS_GROUP_ASKS;
    bool first = !group || group->rank == 0;
    merging->timeout = wish->parent->engine->timeout;
    merging->begun = merging->timeout > 0 ? PMPI_Wtime() : 0;
    merging->patience = !asks ? 2 : first ? 1 : 3;
    merging->about = -1;
    if (!group)
        return;
    merging->about = caucus_group_identity(group);
    merging->turn = group->merges++;
    merging->first = caucus_members_rank(&group->members, 0);
    merging->children = caucus_position_children(group->size, group->rank, merging->child);
    for (int32_t i = 0; i < merging->children; i++)
        merging->child[i] = caucus_members_rank(&group->members, merging->child[i]);
    for (int32_t at = group->rank; at > 0; at = caucus_position_parent(at))
        merging->above[merging->aboves++] =
            caucus_members_rank(&group->members, caucus_position_parent(at));
}

int caucus_merging_begin(const struct caucus_merging_wish *wish, struct caucus_merging **made) {
    struct caucus_merging *merging = caucus_array(1, sizeof *merging);
    struct caucus_hub *hub;
    int status = merging ? caucus_hub_get(wish->parent, &hub) : CAUCUS_NO_MEMORY;
    if (status) {
        free(merging);
        return status;
    }
    merging->parent = wish->parent;
    merging->meets = wish->meets;
    merging->number = -1;
    bool first = !wish->group || wish->group->rank == 0;
    if (wish->status) /* before another text takes the place of its own */
        caucus_merging_fail(merging, wish->status, caucus_error_text());
    bool meet = wish->meets == CAUCUS_GROUP_MERGES || wish->meets == CAUCUS_GROUP_JOINS;
    if (first && meet)
        status = make_firsts(wish, merging);
    if (status && !wish->status)
        caucus_merging_fail(merging, status, caucus_error_text());
    if (merging->firsts)
        caucus_group_begin(merging->firsts);
    pthread_mutex_lock(&hub->lock);
    place(wish, merging);
    merging->next = hub->mergings;
    hub->mergings = merging;
    if (first && !meet && !wish->status)
        status = caucus_asking_begin(wish, merging);
    if (status && !merging->known)
        caucus_merging_fail(merging, status, caucus_error_text());
    if (first && !merging->firsts && !merging->asking && !merging->told)
        caucus_merging_tell(merging);
    caucus_hub_look_at_held(hub);
    pthread_mutex_unlock(&hub->lock);
    *made = merging;
    return CAUCUS_OK;
}
