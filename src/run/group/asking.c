/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/group/asking.h"

#include "base/memory.h"
#include "base/status.h"
#include "plan/protocol/asking.h"
#include "run/group/merging_state.h"

#include <stdlib.h>
#include <string.h>

/* Who waits, and what rode on its wish. */
struct asker {
    int rank;
    struct caucus_merge_words list;
    struct asker *next;
};

/* What is asked of this rank, and by it, with one tag. */
struct caucus_asking {
    int tag;
    int64_t group; /* whom this rank speaks for; -1 if it did not say */
    struct caucus_asking_setup setup;
    uint64_t *state;
    struct asker *askers;
    struct caucus_merging *merging;        /* that has asked, or NULL */
    const struct caucus_merge_words *load; /* of what a step sends, other than bare refusals */
    int64_t number;
    int deaths; /* so many of the hub's have been looked at */
    struct caucus_asking *next;
};

static struct caucus_asking *make(struct caucus_hub *hub, int tag) {
    struct caucus_asking *asking = caucus_array(1, sizeof *asking);
    if (!asking)
        return NULL;
    asking->tag = tag;
    asking->group = -1;
    asking->setup = (struct caucus_asking_setup){hub->attachment->size, hub->attachment->rank};
    asking->state = caucus_array(caucus_asking_protocol.state_bytes(&asking->setup), 1);
    if (!asking->state) {
        free(asking);
        return NULL;
    }
    asking->next = hub->askings;
    hub->askings = asking;
    return asking;
}

static struct caucus_asking *at_tag(struct caucus_hub *hub, int tag) {
    struct caucus_asking *at = hub->askings;
    while (at && at->tag != tag)
        at = at->next;
    return at ? at : make(hub, tag);
}

static void drop_asker(struct caucus_asking *asking, int rank) {
    for (struct asker **at = &asking->askers; *at; at = &(*at)->next)
        if ((*at)->rank == rank) {
            struct asker *asker = *at;
            *at = asker->next;
            free(asker->list.word);
            free(asker);
            return;
        }
}

void caucus_askings_drop(struct caucus_hub *hub) {
    while (hub->askings) {
        struct caucus_asking *asking = hub->askings;
        hub->askings = asking->next;
        while (asking->askers)
            drop_asker(asking, asking->askers->rank);
        free(asking->state);
        free(asking);
    }
}

static int keep_asker(struct caucus_asking *asking, const struct caucus_hub_letter *letter) {
    struct asker *asker = caucus_array(1, sizeof *asker);
    int32_t *list = caucus_array_copy(letter->load, letter->length, 1);
    drop_asker(asking, letter->source);
    if (!asker || !list) {
        free(asker);
        free(list);
        return CAUCUS_NO_MEMORY;
    }
    asker->rank = letter->source;
    asker->list = (struct caucus_merge_words){letter->length / (int64_t)sizeof *list, list};
    asker->next = asking->askers;
    asking->askers = asker;
    return CAUCUS_OK;
}

static int send(struct caucus_hub *hub, struct caucus_asking *asking, int rank, const void *body) {
    struct caucus_hub_message message = {CAUCUS_HUB_ASKING, asking->tag, asking->number, 0, {0}};
    struct caucus_asking_message said;
    memcpy(&said, body, sizeof said);
    memcpy(message.body, body, sizeof said);
    bool answers = said.word != CAUCUS_ASKING_ASKED && said.word != CAUCUS_ASKING_WITHDRAWN;
    if (answers)
        drop_asker(asking, rank);
    bool aside = asking->merging && said.word != CAUCUS_ASKING_ASKED;
    if (!asking->load || aside)
        return caucus_hub_send(hub, rank, &message, NULL, 0);
    return caucus_hub_send(hub, rank, &message, asking->load->word,
                           asking->load->count * (int64_t)sizeof *asking->load->word);
}

/* The group that has asked fails, and hears so. */
static void fail_merging(struct caucus_merging *merging, int status) {
    caucus_merging_fail(merging, status, caucus_error_text());
    caucus_merging_tell(merging);
}

/* Nobody took or refused the group. */
static void end_unanswered(struct caucus_merging *merging, int64_t number) {
    int asked = merging->asked;
    int status =
        number == CAUCUS_ASKING_DEAD
            ? caucus_fail(CAUCUS_DEAD, "rank %d of the parent, which was asked, is dead", asked)
            : caucus_fail(CAUCUS_TIMED_OUT,
                          "rank %d of the parent, which was asked, did not answer within "
                          "CAUCUS_TIMEOUT",
                          asked);
    fail_merging(merging, status);
}

/* The answer to this rank's own wish. A refusal with words on it is an error of all. */
static void decide(struct caucus_asking *asking, const struct caucus_action *action,
                   const void *bytes, const struct caucus_hub_letter *letter) {
    struct caucus_merging *merging = asking->merging;
    int32_t instead;
    memcpy(&instead, bytes, sizeof instead);
    asking->merging = NULL;
    if (!merging)
        return;
    merging->asking = NULL;
    if (action->number == CAUCUS_ASKING_FREE || action->number == CAUCUS_ASKING_DEAD) {
        end_unanswered(merging, action->number);
        return;
    }
    int64_t words = letter->length / (int64_t)sizeof(int32_t);
    bool merges = action->number == CAUCUS_ASKING_TAKEN || words > 0;
    int status = merges ? caucus_merge_learn(&merging->merge, letter->load, words)
                        : caucus_merge_learn(&merging->merge, &instead, 1);
    if (merges || status) {
        caucus_merging_settle(merging, letter->message.about, status);
        return;
    }
    merging->known = true;
    caucus_merging_tell(merging);
}

static int step(struct caucus_hub *hub, struct caucus_asking *asking,
                const struct caucus_event *event, const struct caucus_hub_letter *letter) {
    struct caucus_actions *actions = &hub->actions;
    caucus_actions_clear(actions);
    caucus_asking_protocol.step(&asking->setup, asking->state, event, actions);
    int status = actions->status;
    for (int64_t i = 0; i < actions->count && !status; i++) {
        const struct caucus_action *action = &actions->action[i];
        if (action->kind == CAUCUS_ACTION_SEND)
            status = send(hub, asking, action->peer, caucus_action_bytes(actions, i));
        else if (action->kind == CAUCUS_ACTION_DECIDE)
            decide(asking, action, caucus_action_bytes(actions, i), letter);
    }
    asking->load = NULL;
    asking->number = -1;
    return status;
}

int caucus_askings_take(struct caucus_hub *hub, const struct caucus_hub_letter *letter) {
    struct caucus_asking *asking = at_tag(hub, letter->message.tag);
    struct caucus_asking_message said;
    struct caucus_event event = {.kind = CAUCUS_EVENT_MESSAGE,
                                 .peer = letter->source,
                                 .bytes = letter->message.body,
                                 .length = sizeof said};
    memcpy(&said, letter->message.body, sizeof said);
    int status = asking ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    if (!status && said.word == CAUCUS_ASKING_ASKED)
        status = keep_asker(asking, letter);
    return status ? status : step(hub, asking, &event, letter);
}

static int call(struct caucus_hub *hub, struct caucus_asking *asking, int64_t what,
                const int32_t *ranks, int64_t count) {
    struct caucus_event event = {.kind = CAUCUS_EVENT_CALL,
                                 .number = what,
                                 .bytes = ranks,
                                 .length = count * (int64_t)sizeof *ranks};
    return step(hub, asking, &event, NULL);
}

static int hear_deaths(struct caucus_hub *hub, struct caucus_asking *asking) {
    int status = CAUCUS_OK;
    while (asking->deaths < hub->deaths.count && !status) {
        struct caucus_event event = {.kind = CAUCUS_EVENT_DEATH,
                                     .peer = hub->deaths.rank[asking->deaths++]};
        drop_asker(asking, event.peer);
        status = step(hub, asking, &event, NULL);
    }
    return status;
}

int caucus_askings_look(struct caucus_hub *hub) {
    int status = CAUCUS_OK;
    for (struct caucus_asking *at = hub->askings; at && !status; at = at->next)
        status = hear_deaths(hub, at);
    return status;
}

/* Where this rank speaks for the group, with that tag, and has not asked by it. */
static int open(struct caucus_hub *hub, const struct caucus_light_group *group, int tag,
                struct caucus_asking **found) {
    struct caucus_asking *asking = at_tag(hub, tag);
    if (!asking)
        return CAUCUS_NO_MEMORY;
    *found = asking;
    int status = hear_deaths(hub, asking);
    if (status)
        return status;
    if (caucus_asking_asked(asking->state) >= 0)
        return caucus_fail(CAUCUS_PENDING,
                           "this rank has asked rank %d with tag %d and has no answer yet",
                           caucus_asking_asked(asking->state), tag);
    int64_t identity = caucus_group_identity(group);
    if (asking->group == identity)
        return CAUCUS_OK;
    asking->group = identity;
    return call(hub, asking, CAUCUS_ASKING_OPEN, NULL, 0);
}

int caucus_asking_poll(struct caucus_light_group *group, int tag, int limit, int *askers,
                       int *count) {
    struct caucus_hub *hub = group->parent->hub;
    struct caucus_asking *asking;
    *count = 0;
    pthread_mutex_lock(&hub->lock);
    int status = caucus_hub_progress(hub);
    if (!status)
        status = open(hub, group, tag, &asking);
    int32_t at = status ? -1 : caucus_asking_next(&asking->setup, asking->state, 0);
    for (; at >= 0 && *count < limit;
         at = caucus_asking_next(&asking->setup, asking->state, at + 1))
        askers[(*count)++] = at;
    pthread_mutex_unlock(&hub->lock);
    return status;
}

/* The list of one that waits. */
static int find_asker(const struct caucus_asking *asking, int rank, const struct asker **found) {
    const struct asker *at = asking->askers;
    while (at && at->rank != rank)
        at = at->next;
    *found = at;
    bool waits = at && rank >= 0 && rank < asking->setup.ranks &&
                 caucus_asking_next(&asking->setup, asking->state, rank) == rank;
    return waits ? CAUCUS_OK
                 : caucus_fail(CAUCUS_BAD_ARGUMENT,
                               "rank %d of the parent does not wait to be taken in with tag %d",
                               rank, asking->tag);
}

int caucus_asking_refuse(struct caucus_light_group *group, int tag, int asker) {
    struct caucus_hub *hub = group->parent->hub;
    struct caucus_asking *asking;
    const struct asker *found;
    pthread_mutex_lock(&hub->lock);
    int status = open(hub, group, tag, &asking);
    if (!status)
        status = find_asker(asking, asker, &found);
    if (!status)
        status = call(hub, asking, CAUCUS_ASKING_REFUSE, &asker, 1);
    pthread_mutex_unlock(&hub->lock);
    return status;
}

void caucus_asking_forget(struct caucus_merging *merging) {
    if (merging->asking)
        merging->asking->merging = NULL;
    merging->asking = NULL;
}

/* First the wish is withdrawn, and whoever hears of that answers; who does not is given up. */
int caucus_asking_lose_patience(struct caucus_merging *merging) {
    struct caucus_asking *asking = merging->asking;
    struct caucus_hub *hub = merging->parent->hub;
    if (!merging->withdrawn) {
        merging->withdrawn = true;
        return call(hub, asking, CAUCUS_ASKING_WITHDRAW, NULL, 0);
    }
    int status = call(hub, asking, CAUCUS_ASKING_GIVE_UP, NULL, 0);
    caucus_asking_forget(merging);
    fail_merging(merging, caucus_fail(CAUCUS_TIMED_OUT,
                                      "rank %d of the parent, which was asked, did not answer "
                                      "within CAUCUS_TIMEOUT, nor hear within as long again that "
                                      "the wish was withdrawn",
                                      merging->asked));
    return status;
}

void caucus_asking_tell(const struct caucus_merging *merging, char *text, int64_t size) {
    caucus_asking_explain(merging->asking->state, merging->withdrawn, text, size);
}

static int check_asked(const struct caucus_asking *asking, int asked) {
    int32_t taker = caucus_asking_taker(asking->state);
    if (taker >= 0)
        return caucus_fail(CAUCUS_BAD_ARGUMENT,
                           "the group was taken in by that of rank %d of the parent", taker);
    if (caucus_asking_owes(&asking->setup, asking->state, asked))
        return caucus_fail(CAUCUS_PENDING,
                           "rank %d of the parent has not answered yet what was asked with tag %d "
                           "and given up",
                           asked, asking->tag);
    return CAUCUS_OK;
}

static int ask(const struct caucus_merging_wish *wish, struct caucus_merging *merging) {
    struct caucus_hub *hub = wish->parent->hub;
    struct caucus_asking *asking;
    int status = open(hub, wish->group, wish->tag, &asking);
    if (!status)
        status = check_asked(asking, wish->ranks[0]);
    if (!status)
        status = caucus_merge_add(&merging->merge, &wish->group->members);
    if (status)
        return status;
    asking->merging = merging;
    merging->asking = asking;
    merging->asked = wish->ranks[0];
    asking->load = &merging->merge.part[0];
    status = call(hub, asking, CAUCUS_ASKING_ASK, wish->ranks, 1);
    if (status)
        caucus_asking_forget(merging);
    return status;
}

/* What is to become of those who ask: a union, or the words that all of them get. */
static int unite(const struct caucus_merging_wish *wish, const struct caucus_asking *asking,
                 struct caucus_merge *merge) {
    const struct asker *asker;
    int status = caucus_merge_add(merge, &wish->group->members);
    for (int i = 0; i < wish->count && !status; i++) {
        status = find_asker(asking, wish->ranks[i], &asker);
        if (!status)
            status = caucus_merge_add_words(merge, asker->list.word, asker->list.count);
    }
    return status ? status : caucus_merge_settle(merge);
}

/* Where this rank has none left, it fails with its own words and the others with those of the
 * outcome. */
static int number_union(const struct caucus_merging_wish *wish, struct caucus_merging *merging,
                        int64_t *number) {
    struct caucus_hub *hub = wish->parent->hub;
    int32_t slot;
    int status = caucus_group_slots_take(&hub->slots, &slot);
    if (!status) {
        *number = caucus_group_number(&hub->room, wish->parent->rank, slot);
        return CAUCUS_OK;
    }
    caucus_merging_fail(merging, status, caucus_error_text());
    return caucus_merge_lacks_number(&merging->merge, wish->parent->rank);
}

static int take(const struct caucus_merging_wish *wish, struct caucus_merging *merging) {
    struct caucus_hub *hub = wish->parent->hub;
    struct caucus_merge *merge = &merging->merge;
    struct caucus_asking *asking;
    int64_t number = -1;
    int status = open(hub, wish->group, wish->tag, &asking);
    if (!status)
        status = unite(wish, asking, merge);
    if (!status)
        status = number_union(wish, merging, &number);
    if (status)
        return status;
    bool fits = !caucus_merge_check(merge);
    asking->load = &merge->outcome;
    asking->number = number;
    status = call(hub, asking, fits ? CAUCUS_ASKING_TAKE : CAUCUS_ASKING_REFUSE, wish->ranks,
                  wish->count);
    caucus_merging_settle(merging, number, status);
    return status;
}

/* What has come is heard first: whoever has withdrawn is not taken, and who answered may be asked.
 */
int caucus_asking_begin(const struct caucus_merging_wish *wish, struct caucus_merging *merging) {
    merging->merge.parent_size = wish->parent->size;
    int status = caucus_hub_progress(wish->parent->hub);
    if (status)
        return status;
    return wish->meets == CAUCUS_GROUP_ASKS ? ask(wish, merging) : take(wish, merging);
}
