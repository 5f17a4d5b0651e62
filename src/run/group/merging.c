/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/group/merging.h"

#include "base/memory.h"
#include "base/status.h"
#include "plan/protocol/member_set.h"
#include "run/group/merging_state.h"
#include "run/support/waits.h"

#include <stdlib.h>
#include <string.h>

/* Of a message inside a group; on it rides the outcome, or the words of the failure. */
struct verdict {
    int64_t number;
    int32_t status, unused[3];
};
_Static_assert(sizeof(struct verdict) == CAUCUS_CREATION_MESSAGE_BYTES, "as bodies are");

enum { WORDS = 300 };

static void free_merging(struct caucus_merging *merging) {
    caucus_merge_free(&merging->merge);
    free(merging->text);
    free(merging);
}

static void unlink_merging(struct caucus_group_manager *manager, struct caucus_merging *merging) {
    for (struct caucus_merging **at = &manager->mergings; *at; at = &(*at)->next)
        if (*at == merging) {
            *at = merging->next;
            return;
        }
}

void caucus_merging_fail(struct caucus_merging *merging, int status) {
    merging->known = true;
    merging->status = status;
    free(merging->text);
    merging->text = strdup(caucus_error_text());
}

/* As it has failed. */
static int fail_again(const struct caucus_merging *merging) {
    return caucus_fail(merging->status, "%s", merging->text ? merging->text : "");
}

/* Somebody below me could not be told yet. */
static bool is_telling(const struct caucus_merging *merging) {
    return merging->telling && !merging->told;
}

/* To those below me in my own group; whom there is no memory for hears it later. */
static void tell(struct caucus_merging *merging, const struct verdict *verdict, const void *load,
                 int64_t length) {
    struct caucus_group_manager *manager = merging->parent->manager;
    struct caucus_group_head head = {CAUCUS_MANAGER_INSIDE, 0, merging->about, merging->turn, {0}};
    memcpy(head.body, verdict, sizeof *verdict);
    merging->telling = true;
    for (; merging->told_children < merging->children; merging->told_children++)
        if (caucus_group_manager_send(manager, merging->child[merging->told_children], &head, load,
                                      length))
            return;
    merging->told = true;
}

/* That there is no memory for more. */
static void tell_lack(struct caucus_merging *merging) {
    const struct verdict verdict = {-1, CAUCUS_NO_MEMORY, {0}};
    tell(merging, &verdict, "", 1);
}

void caucus_merging_tell(struct caucus_merging *merging) {
    const struct caucus_merge_words *outcome = &merging->merge.outcome;
    struct verdict verdict = {merging->number, merging->status, {0}};
    const char *text = merging->text ? merging->text : "";
    if (merging->status)
        tell(merging, &verdict, text, (int64_t)strlen(text) + 1);
    else
        tell(merging, &verdict, outcome->word, outcome->count * (int64_t)sizeof *outcome->word);
    if (!merging->told && caucus_group_manager_starves(merging->parent->manager))
        tell_lack(merging);
}

/* False: there is no memory for it, and nothing is heard. */
static bool learn(struct caucus_merging *merging, const struct caucus_group_message *message) {
    struct verdict verdict;
    memcpy(&verdict, message->head.body, sizeof verdict);
    const char *text = message->load;
    bool worded = message->length > 0 && text[message->length - 1] == '\0';
    int status = verdict.status;
    if (status)
        caucus_fail(status, "%s", worded ? text : "");
    else
        status = caucus_merge_learn(&merging->merge, message->load,
                                    message->length / (int64_t)sizeof(int32_t));
    if (status && !verdict.status && !caucus_group_manager_starves(merging->parent->manager))
        return false;
    merging->number = verdict.number;
    merging->known = true;
    if (status)
        caucus_merging_fail(merging, status);
    return true;
}

/* Nobody here or below has anything more to hear. */
static void end_alone(struct caucus_group_manager *manager, struct caucus_merging *merging) {
    if (!merging->alone || !merging->told)
        return;
    unlink_merging(manager, merging);
    free_merging(merging);
}

enum caucus_group_taken caucus_mergings_take(struct caucus_group_manager *manager,
                                             const struct caucus_group_message *message) {
    struct caucus_merging *at = manager->mergings;
    struct verdict verdict;
    while (at && (at->about != message->head.about || at->turn != message->head.turn || at->told))
        at = at->next;
    if (!at)
        return caucus_group_manager_is_gone(manager, message->head.about) ? CAUCUS_MANAGER_DONE
                                                                          : CAUCUS_MANAGER_HOLDS;
    memcpy(&verdict, message->head.body, sizeof verdict);
    if (!at->known && !learn(at, message))
        return CAUCUS_MANAGER_LACKS_MEMORY;
    tell(at, &verdict, message->load, message->length);
    end_alone(manager, at);
    return CAUCUS_MANAGER_DONE;
}

/* What a first waits for hears of deaths by itself. */
static void hear_deaths(struct caucus_group_manager *manager, struct caucus_merging *merging) {
    while (merging->deaths < manager->deaths.count) {
        int rank = manager->deaths.rank[merging->deaths++];
        for (int32_t i = 0; i < merging->aboves && !merging->known; i++)
            if (merging->above[i] == rank) {
                caucus_fail(CAUCUS_DEAD,
                            "rank %d of the parent, a member that was to tell what becomes of the "
                            "group, is dead",
                            rank);
                caucus_merging_fail(merging, CAUCUS_DEAD);
            }
    }
}

/* A first that meets others has their own limit. */
static void look(struct caucus_merging *merging, double now) {
    double limit = merging->timeout * merging->patience;
    if (merging->known || merging->firsts || limit <= 0 || now - merging->begun < limit)
        return;
    if (merging->join_request) {
        merging->patience++;
        caucus_join_request_lose_patience(merging);
        return;
    }
    caucus_fail(CAUCUS_TIMED_OUT,
                "rank %d of the parent, the first of the group, did not tell within %s "
                "CAUCUS_TIMEOUT what becomes of it",
                merging->first, merging->patience == 2 ? "twice" : "three times");
    caucus_merging_fail(merging, CAUCUS_TIMED_OUT);
}

int caucus_mergings_look(struct caucus_group_manager *manager) {
    int status = CAUCUS_OK;
    double now = manager->mergings ? PMPI_Wtime() : 0;
    for (struct caucus_merging *next, *at = manager->mergings; at; at = next) {
        next = at->next;
        hear_deaths(manager, at);
        look(at, now);
        if (is_telling(at))
            caucus_merging_tell(at);
        if (is_telling(at))
            status = CAUCUS_NO_MEMORY;
        end_alone(manager, at);
    }
    return status;
}

static const char *name_of_call(const struct caucus_merging *merging) {
    switch (merging->meets) {
    case CAUCUS_GROUP_MERGES:
        return "caucus_group_merge";
    case CAUCUS_GROUP_JOINS:
        return "caucus_group_grow";
    default:
        return merging->meets == CAUCUS_GROUP_ASKS ? "caucus_group_ask" : "caucus_group_take";
    }
}

/* Firsts that meet are among the creations. */
void caucus_mergings_tell(const struct caucus_group_manager *manager, struct caucus_waits *waits) {
    char text[WORDS] = "";
    for (const struct caucus_merging *at = manager->mergings; at; at = at->next) {
        if (at->known || at->firsts || at->alone)
            continue;
        if (at->join_request)
            caucus_join_request_tell(at, text, sizeof text);
        else if (at->aboves > 0)
            caucus_merge_explain(at->above[0], text, sizeof text);
        caucus_waits_line(waits, at->parent->comm, "in %s: %s", name_of_call(at), text);
    }
}

void caucus_mergings_drop(struct caucus_group_manager *manager) {
    while (manager->mergings) {
        struct caucus_merging *next = manager->mergings->next;
        free_merging(manager->mergings);
        manager->mergings = next;
    }
}

/* The root of the firsts has given the number. */
static void give_number_back(struct caucus_merging *merging) {
    struct caucus_group_manager *manager = merging->parent->manager;
    if (merging->number >= 0 &&
        caucus_group_giver(&manager->room, merging->number) == merging->parent->rank)
        caucus_group_manager_give_number(manager, merging->number);
}

void caucus_merging_settle(struct caucus_merging *merging, int64_t number, int status) {
    struct caucus_merge *merge = &merging->merge;
    merging->number = number;
    if (merging->status) /* it erred, and that is what counts */
        status = fail_again(merging);
    if (!status && merge->outcome.count == 0 && merge->me == 0)
        status = caucus_merge_settle(merge);
    if (!status)
        status = caucus_merge_check(merge);
    if (status)
        caucus_merging_fail(merging, status);
    if (status == CAUCUS_BAD_ARGUMENT) /* on all; else others may have the group */
        give_number_back(merging);
    if (status)
        merging->number = -1;
    merging->known = true;
    caucus_merging_tell(merging);
}

/* The firsts have met, or failed to. */
static void conclude(struct caucus_merging *merging, int status) {
    struct caucus_group_manager *manager = merging->parent->manager;
    struct caucus_light_group *firsts = merging->firsts;
    pthread_mutex_lock(&manager->lock);
    int64_t number = firsts->number; /* the union's */
    firsts->number = -1;
    merging->firsts = NULL;
    caucus_merging_settle(merging, number, status);
    pthread_mutex_unlock(&manager->lock);
    caucus_group_end(firsts);
}

int caucus_merging_advance(struct caucus_merging *merging, bool *complete) {
    struct caucus_group_manager *manager = merging->parent->manager;
    bool ready = false;
    int status = CAUCUS_OK;
    if (merging->firsts) {
        int met = caucus_group_advance(merging->firsts, &ready);
        if (ready || met)
            conclude(merging, met);
    }
    pthread_mutex_lock(&manager->lock);
    if (!merging->known || is_telling(merging))
        status = caucus_group_manager_progress(manager);
    if (status == CAUCUS_NO_MEMORY) /* of somebody's message: what is waited for may yet come */
        status = CAUCUS_OK;
    *complete = merging->known && !merging->firsts && !is_telling(merging);
    pthread_mutex_unlock(&manager->lock);
    if (!status && *complete && merging->status)
        status = fail_again(merging);
    return status;
}

int caucus_merging_take(struct caucus_merging *merging, struct caucus_light_group **made,
                        int *instead) {
    const struct caucus_merge_words *outcome = &merging->merge.outcome;
    struct caucus_members members;
    *made = NULL;
    *instead = -1;
    if (merging->number < 0) {
        *instead = outcome->count > 0 ? outcome->word[0] : -1;
        return CAUCUS_OK;
    }
    int status = caucus_merge_union(outcome->word, outcome->count, merging->parent->size, &members);
    if (status)
        return status;
    if (caucus_members_position(&members, merging->parent->rank) < 0) {
        caucus_members_free(&members);
        return caucus_fail(CAUCUS_INTERNAL, "the union of groups lacks this rank of the parent");
    }
    return caucus_group_make_numbered(merging->parent, &members, merging->number, made);
}

/* The others, and this rank's own group, hear that nothing comes of it. */
static void give_up(struct caucus_merging *merging) {
    struct caucus_group_manager *manager = merging->parent->manager;
    caucus_group_end(merging->firsts);
    merging->firsts = NULL;
    pthread_mutex_lock(&manager->lock);
    if (!merging->known)
        caucus_merging_fail(merging, CAUCUS_NO_MEMORY);
    caucus_merging_tell(merging);
    pthread_mutex_unlock(&manager->lock);
}

void caucus_merging_free(struct caucus_merging *merging) {
    struct caucus_group_manager *manager = merging->parent->manager;
    if (merging->firsts)
        give_up(merging);
    pthread_mutex_lock(&manager->lock);
    caucus_join_request_forget(merging);
    bool over = merging->told;
    merging->alone = true;
    if (over)
        unlink_merging(manager, merging);
    pthread_mutex_unlock(&manager->lock);
    if (over)
        free_merging(merging);
}

/* Ranks of the list that are some, each once, and this one; NULL without memory. */
static int32_t *clean(const struct caucus_merging_wish *wish, int32_t *count) {
    int32_t *ranks = caucus_array(wish->count + INT64_C(1), sizeof *ranks);
    uint64_t *listed = caucus_array(caucus_set_words(wish->parent->size), sizeof *listed);
    *count = 0;
    for (int i = -1; ranks && listed && i < wish->count; i++) {
        int32_t rank = i < 0 ? wish->parent->rank : wish->ranks[i];
        if (rank < 0 || rank >= wish->parent->size || caucus_set_has(listed, rank))
            continue;
        caucus_set_add(listed, rank);
        ranks[(*count)++] = rank;
    }
    if (!listed) {
        free(ranks);
        ranks = NULL;
    }
    free(listed);
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

/* Who waits for this first, which can't begin with it. */
static void refuse_firsts(const struct caucus_merging_wish *wish) {
    caucus_group_decline_all(wish->parent, wish->meets, wish->tag, wish->count, wish->ranks);
}

static int make_firsts(const struct caucus_merging_wish *wish, struct caucus_merging *merging) {
    struct caucus_members members;
    int status = list_firsts(wish, &members);
    if (status) {
        refuse_firsts(wish);
        return status;
    }
    status = caucus_group_make(wish->parent, &members, wish->meets, wish->tag, CAUCUS_GROUP_CHECKED,
                               &merging->firsts);
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

/* Who meets as a list of its own (a group that asks has said nothing yet). */
static bool meets_firsts(const struct caucus_merging_wish *wish) {
    bool first = !wish->group || wish->group->rank == 0;
    bool meet = wish->meets == CAUCUS_GROUP_MERGES || wish->meets == CAUCUS_GROUP_JOINS;
    return first && meet;
}

/* Not even begun with: the group counts the merge all the same, those below this rank hear so, who
 * would be told by it what comes of the merge, and so do other firsts. */
static int refuse(const struct caucus_merging_wish *wish, int status) {
    struct caucus_light_group *group = wish->group;
    struct caucus_merging merging = {
        .parent = wish->parent, .status = status, .text = (char *)(uintptr_t)caucus_error_text()};
    if (meets_firsts(wish))
        refuse_firsts(wish);
    if (!group)
        return status;
    place(wish, &merging);
    if (!wish->parent->manager)
        return status;
    pthread_mutex_lock(&wish->parent->manager->lock);
    caucus_merging_tell(&merging);
    if (!merging.told)
        tell_lack(&merging);
    pthread_mutex_unlock(&wish->parent->manager->lock);
    return status;
}

int caucus_merging_begin(const struct caucus_merging_wish *wish, struct caucus_merging **made) {
    struct caucus_merging *merging = caucus_array(1, sizeof *merging);
    struct caucus_group_manager *manager;
    int status = merging ? caucus_group_manager_get(wish->parent, &manager) : CAUCUS_NO_MEMORY;
    if (status) {
        free(merging);
        return refuse(wish, status);
    }
    merging->parent = wish->parent;
    merging->meets = wish->meets;
    merging->number = -1;
    bool first = !wish->group || wish->group->rank == 0, meet = meets_firsts(wish);
    if (wish->status) /* before another text takes the place of its own */
        caucus_merging_fail(merging, wish->status);
    if (meet)
        status = make_firsts(wish, merging);
    if (status && !wish->status)
        caucus_merging_fail(merging, status);
    if (merging->firsts)
        caucus_group_begin(merging->firsts);
    pthread_mutex_lock(&manager->lock);
    place(wish, merging);
    merging->next = manager->mergings;
    manager->mergings = merging;
    if (first && !meet && !wish->status)
        status = caucus_join_request_begin(wish, merging);
    if (status && !merging->known)
        caucus_merging_fail(merging, status);
    bool tells = first || wish->status;
    if (tells && !merging->firsts && !merging->join_request && !merging->told)
        caucus_merging_tell(merging);
    caucus_group_manager_look_at_held(manager);
    pthread_mutex_unlock(&manager->lock);
    *made = merging;
    return CAUCUS_OK;
}
