/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/group/merging.h"

#include "base/memory.h"
#include "base/status.h"
#include "plan/group/merge.h"
#include "plan/protocol/positions.h"
#include "run/group/hub.h"

#include <stdlib.h>
#include <string.h>

struct caucus_merging {
    struct caucus_attachment *parent;
    struct caucus_light_group *firsts; /* on one of them, until it is known what comes of it */
    struct caucus_merge merge;         /* of a first; its outcome everybody's in the end */
    int64_t about, turn;               /* of what is said inside the group */
    int32_t child[CAUCUS_POSITION_CHILDREN];
    int32_t children; /* whom I tell; ranks of the parent */
    int first;        /* who tells the group */
    bool known;       /* what came of it: */
    bool told;        /* those below me know it */
    bool alone;       /* nobody here wants to know it any more */
    int64_t number;
    int status; /* with these words */
    char *text;
    double due; /* 0: no limit */
    struct caucus_merging *next;
};

/* Of a message inside a group; on it rides the outcome, or the words of the failure. */
struct verdict {
    int64_t number;
    int32_t status, unused[3];
};
_Static_assert(sizeof(struct verdict) == CAUCUS_CREATION_MESSAGE_BYTES, "as bodies are");

static void free_merging(struct caucus_merging *merging) {
    caucus_merge_free(&merging->merge);
    free(merging->text);
    free(merging);
}

static void unlink_merging(struct caucus_hub *hub, struct caucus_merging *merging) {
    for (struct caucus_merging **at = &hub->mergings; *at; at = &(*at)->next)
        if (*at == merging) {
            *at = merging->next;
            return;
        }
}

static void keep_failure(struct caucus_merging *merging, int status, const char *text) {
    merging->known = true;
    merging->status = status;
    free(merging->text);
    merging->text = strdup(text);
}

/* To those below me in my own group. Under the hub's lock. */
static void tell(struct caucus_merging *merging, const struct verdict *verdict, const void *load,
                 int64_t length) {
    struct caucus_hub_message message = {CAUCUS_HUB_INSIDE, 0, merging->about, merging->turn, {0}};
    memcpy(message.body, verdict, sizeof *verdict);
    for (int32_t i = 0; i < merging->children; i++) {
        int status =
            caucus_hub_send(merging->parent->hub, merging->child[i], &message, load, length);
        if (status && !merging->known)
            keep_failure(merging, status, caucus_error_text());
    }
    merging->told = true;
}

/* The first tells what it knows. */
static void tell_known(struct caucus_merging *merging) {
    const struct caucus_merge_words *outcome = &merging->merge.outcome;
    struct verdict verdict = {merging->number, merging->status, {0}};
    const char *text = merging->text ? merging->text : "";
    if (merging->status)
        tell(merging, &verdict, text, (int64_t)strlen(text) + 1);
    else
        tell(merging, &verdict, outcome->word, outcome->count * (int64_t)sizeof *outcome->word);
}

static void learn(struct caucus_merging *merging, const struct caucus_hub_letter *letter) {
    struct verdict verdict;
    memcpy(&verdict, letter->message.body, sizeof verdict);
    const char *text = letter->load;
    bool worded = letter->length > 0 && text[letter->length - 1] == '\0';
    merging->number = verdict.number;
    merging->known = true;
    int status = verdict.status;
    if (status)
        caucus_fail(status, "%s", worded ? text : "");
    else
        status = caucus_merge_learn(&merging->merge, letter->load,
                                    letter->length / (int64_t)sizeof(int32_t));
    if (status)
        keep_failure(merging, status, caucus_error_text());
}

bool caucus_mergings_take(struct caucus_hub *hub, const struct caucus_hub_letter *letter) {
    struct caucus_merging *at = hub->mergings;
    struct verdict verdict;
    while (at &&
           (at->about != letter->message.about || at->turn != letter->message.turn || at->told))
        at = at->next;
    if (!at)
        return false;
    memcpy(&verdict, letter->message.body, sizeof verdict);
    if (!at->known)
        learn(at, letter);
    tell(at, &verdict, letter->load, letter->length);
    if (at->alone) {
        unlink_merging(hub, at);
        free_merging(at);
    }
    return true;
}

void caucus_mergings_look(struct caucus_hub *hub) {
    double now = hub->mergings ? PMPI_Wtime() : 0;
    for (struct caucus_merging *at = hub->mergings; at; at = at->next)
        if (!at->known && !at->firsts && at->due > 0 && now >= at->due) {
            caucus_fail(CAUCUS_TIMED_OUT,
                        "rank %d of the parent, the first of the group, did not tell within twice "
                        "CAUCUS_TIMEOUT what becomes of it",
                        at->first);
            keep_failure(at, CAUCUS_TIMED_OUT, caucus_error_text());
        }
}

void caucus_mergings_drop(struct caucus_hub *hub) {
    while (hub->mergings) {
        struct caucus_merging *next = hub->mergings->next;
        free_merging(hub->mergings);
        hub->mergings = next;
    }
}

/* The root of the firsts has given the number. */
static void give_number_back(struct caucus_merging *merging) {
    struct caucus_hub *hub = merging->parent->hub;
    int64_t slots = hub->room.slots_each;
    if (merging->number >= 0 && merging->number / slots == merging->parent->rank)
        caucus_group_slots_give(&hub->slots, (int32_t)(merging->number % slots));
    merging->number = -1;
}

/* The firsts have met, or failed to. */
static void conclude(struct caucus_merging *merging, int status) {
    struct caucus_hub *hub = merging->parent->hub;
    struct caucus_merge *merge = &merging->merge;
    struct caucus_light_group *firsts = merging->firsts;
    struct caucus_members members;
    pthread_mutex_lock(&hub->lock);
    merging->number = firsts->number;
    firsts->number = -1; /* it is the union's */
    if (merging->status) /* it erred, and that is what counts */
        status = caucus_fail(merging->status, "%s", merging->text ? merging->text : "");
    if (!status && merge->outcome.count == 0)
        status = caucus_merge_settle(merge);
    if (!status)
        status = caucus_merge_union(merge->outcome.word, merge->outcome.count, merge->parent_size,
                                    &members);
    if (status) {
        keep_failure(merging, status, caucus_error_text());
        give_number_back(merging);
    } else {
        caucus_members_free(&members);
    }
    merging->known = true;
    tell_known(merging);
    merging->firsts = NULL;
    pthread_mutex_unlock(&hub->lock);
    caucus_group_end(firsts);
}

int caucus_merging_advance(struct caucus_merging *merging, bool *complete) {
    struct caucus_hub *hub = merging->parent->hub;
    bool ready = false;
    int status = CAUCUS_OK;
    if (merging->firsts) {
        int met = caucus_group_advance(merging->firsts, &ready);
        if (ready || met)
            conclude(merging, met);
    }
    pthread_mutex_lock(&hub->lock);
    if (!merging->known)
        status = caucus_hub_progress(hub);
    *complete = merging->known && !merging->firsts;
    pthread_mutex_unlock(&hub->lock);
    if (!status && *complete && merging->status)
        status = caucus_fail(merging->status, "%s", merging->text ? merging->text : "");
    return status;
}

int caucus_merging_take(struct caucus_merging *merging, struct caucus_light_group **made) {
    const struct caucus_merge_words *outcome = &merging->merge.outcome;
    struct caucus_members members;
    int status = caucus_merge_union(outcome->word, outcome->count, merging->parent->size, &members);
    if (!status)
        status = caucus_group_make(merging->parent, &members, -1, 0, CAUCUS_GROUP_NUMBERED, made);
    if (!status)
        (*made)->number = merging->number;
    return status;
}

void caucus_merging_free(struct caucus_merging *merging) {
    struct caucus_hub *hub = merging->parent->hub;
    if (merging->firsts)
        caucus_group_end(merging->firsts);
    pthread_mutex_lock(&hub->lock);
    bool over = merging->told;
    merging->alone = true;
    if (over)
        unlink_merging(hub, merging);
    pthread_mutex_unlock(&hub->lock);
    if (over)
        free_merging(merging);
}

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
    double timeout = wish->parent->engine->timeout;
    merging->due = timeout > 0 ? PMPI_Wtime() + 2 * timeout : 0;
    merging->about = -1;
    if (!group)
        return;
    merging->about = caucus_group_identity(group);
    merging->turn = group->merges++;
    merging->first = caucus_members_rank(&group->members, 0);
    merging->children = caucus_position_children(group->size, group->rank, merging->child);
    for (int32_t i = 0; i < merging->children; i++)
        merging->child[i] = caucus_members_rank(&group->members, merging->child[i]);
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
    merging->number = -1;
    bool first = !wish->group || wish->group->rank == 0;
    if (wish->status) /* before another text takes the place of its own */
        keep_failure(merging, wish->status, caucus_error_text());
    if (first)
        status = make_firsts(wish, merging);
    if (status && !wish->status)
        keep_failure(merging, status, caucus_error_text());
    pthread_mutex_lock(&hub->lock);
    place(wish, merging);
    merging->next = hub->mergings;
    hub->mergings = merging;
    if (first && !merging->firsts)
        tell_known(merging);
    caucus_hub_look_at_held(hub);
    pthread_mutex_unlock(&hub->lock);
    *made = merging;
    return CAUCUS_OK;
}
