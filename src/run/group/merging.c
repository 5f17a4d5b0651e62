/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/group/merging_state.h"

#include "base/memory.h"
#include "base/status.h"
#include "run/waits.h"

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

static void unlink_merging(struct caucus_hub *hub, struct caucus_merging *merging) {
    for (struct caucus_merging **at = &hub->mergings; *at; at = &(*at)->next)
        if (*at == merging) {
            *at = merging->next;
            return;
        }
}

void caucus_merging_fail(struct caucus_merging *merging, int status, const char *text) {
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
            caucus_merging_fail(merging, status, caucus_error_text());
    }
    merging->told = true;
}

void caucus_merging_tell(struct caucus_merging *merging) {
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
        caucus_merging_fail(merging, status, caucus_error_text());
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

/* What a first waits for hears of deaths by itself. */
static void hear_deaths(struct caucus_hub *hub, struct caucus_merging *merging) {
    while (merging->deaths < hub->deaths.count) {
        int rank = hub->deaths.rank[merging->deaths++];
        for (int32_t i = 0; i < merging->aboves && !merging->known; i++)
            if (merging->above[i] == rank) {
                caucus_fail(CAUCUS_DEAD,
                            "rank %d of the parent, a member that was to tell what becomes of the "
                            "group, is dead",
                            rank);
                caucus_merging_fail(merging, CAUCUS_DEAD, caucus_error_text());
            }
    }
}

/* A first that meets others has their own limit. */
static void look(struct caucus_merging *merging, double now) {
    double limit = merging->timeout * merging->patience;
    if (merging->known || merging->firsts || limit <= 0 || now - merging->begun < limit)
        return;
    if (merging->asking) {
        merging->patience++;
        caucus_asking_lose_patience(merging);
        return;
    }
    caucus_fail(CAUCUS_TIMED_OUT,
                "rank %d of the parent, the first of the group, did not tell within %s "
                "CAUCUS_TIMEOUT what becomes of it",
                merging->first, merging->patience == 2 ? "twice" : "three times");
    caucus_merging_fail(merging, CAUCUS_TIMED_OUT, caucus_error_text());
}

void caucus_mergings_look(struct caucus_hub *hub) {
    double now = hub->mergings ? PMPI_Wtime() : 0;
    for (struct caucus_merging *at = hub->mergings; at; at = at->next) {
        hear_deaths(hub, at);
        look(at, now);
    }
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
void caucus_mergings_tell(const struct caucus_hub *hub, struct caucus_waits *waits) {
    char text[WORDS] = "";
    for (const struct caucus_merging *at = hub->mergings; at; at = at->next) {
        if (at->known || at->firsts || at->alone)
            continue;
        if (at->asking)
            caucus_asking_tell(at, text, sizeof text);
        else if (at->aboves > 0)
            caucus_merge_explain(at->above[0], text, sizeof text);
        caucus_waits_line(waits, at->parent->comm, "in %s: %s", name_of_call(at), text);
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

void caucus_merging_settle(struct caucus_merging *merging, int64_t number, int status) {
    struct caucus_merge *merge = &merging->merge;
    merging->number = number;
    if (merging->status) /* it erred, and that is what counts */
        status = caucus_fail(merging->status, "%s", merging->text ? merging->text : "");
    if (!status && merge->outcome.count == 0)
        status = caucus_merge_settle(merge);
    if (!status)
        status = caucus_merge_check(merge);
    if (status) {
        caucus_merging_fail(merging, status, caucus_error_text());
        give_number_back(merging);
    }
    merging->known = true;
    caucus_merging_tell(merging);
}

/* The firsts have met, or failed to. */
static void conclude(struct caucus_merging *merging, int status) {
    struct caucus_hub *hub = merging->parent->hub;
    struct caucus_light_group *firsts = merging->firsts;
    int64_t number = firsts->number; /* the union's */
    pthread_mutex_lock(&hub->lock);
    firsts->number = -1;
    merging->firsts = NULL;
    caucus_merging_settle(merging, number, status);
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
    return status ? status
                  : caucus_group_make_numbered(merging->parent, &members, merging->number, made);
}

void caucus_merging_free(struct caucus_merging *merging) {
    struct caucus_hub *hub = merging->parent->hub;
    if (merging->firsts)
        caucus_group_end(merging->firsts);
    pthread_mutex_lock(&hub->lock);
    caucus_asking_forget(merging);
    bool over = merging->told;
    merging->alone = true;
    if (over)
        unlink_merging(hub, merging);
    pthread_mutex_unlock(&hub->lock);
    if (over)
        free_merging(merging);
}
