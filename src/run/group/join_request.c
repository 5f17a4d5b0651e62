/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups that ask others to be taken into them: brings messages to the protocol
 * (plan/protocol/join_request.h), and lists and unions ride on it. The merges that come of it are
 * those of merging.c, with the ways ASKS and TAKES. */
#include "plan/protocol/join_request.h"
#include "base/memory.h"
#include "base/status.h"
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
struct caucus_join_request {
    int tag;
    int64_t group; /* whom this rank speaks for; -1 if it did not say */
    struct caucus_join_request_setup setup;
    struct caucus_group_manager *manager;
    struct caucus_runner runner;
    struct asker *askers;
    struct caucus_merging *merging;        /* that has asked, or NULL */
    const struct caucus_merge_words *load; /* of what a step sends, other than bare refusals */
    int64_t number;
    const struct caucus_group_message *message; /* that a step is about, or NULL */
    int deaths;                                 /* so many of the manager's have been looked at */
    struct caucus_join_request *next;
};

static const struct caucus_runner_binding binding;

static struct caucus_join_request *make(struct caucus_group_manager *manager, int tag) {
    struct caucus_join_request *join_request = caucus_array(1, sizeof *join_request);
    if (!join_request)
        return NULL;
    join_request->tag = tag;
    join_request->group = -1;
    join_request->setup =
        (struct caucus_join_request_setup){manager->attachment->size, manager->attachment->rank};
    join_request->manager = manager;
    if (caucus_runner_begin(&join_request->runner, &binding, &join_request->setup,
                            manager->attachment->rank, &manager->actions, join_request)) {
        free(join_request);
        return NULL;
    }
    join_request->next = manager->join_requests;
    manager->join_requests = join_request;
    return join_request;
}

static struct caucus_join_request *at_tag(struct caucus_group_manager *manager, int tag) {
    struct caucus_join_request *at = manager->join_requests;
    while (at && at->tag != tag)
        at = at->next;
    return at ? at : make(manager, tag);
}

static void drop_asker(struct caucus_join_request *join_request, int rank) {
    for (struct asker **at = &join_request->askers; *at; at = &(*at)->next)
        if ((*at)->rank == rank) {
            struct asker *asker = *at;
            *at = asker->next;
            free(asker->list.word);
            free(asker);
            return;
        }
}

void caucus_join_requests_drop(struct caucus_group_manager *manager) {
    while (manager->join_requests) {
        struct caucus_join_request *join_request = manager->join_requests;
        manager->join_requests = join_request->next;
        while (join_request->askers)
            drop_asker(join_request, join_request->askers->rank);
        caucus_runner_end(&join_request->runner);
        free(join_request);
    }
}

static int keep_asker(struct caucus_join_request *join_request,
                      const struct caucus_group_message *message) {
    struct asker *asker = caucus_array(1, sizeof *asker);
    int32_t *list = caucus_array_copy(message->load, message->length, 1);
    drop_asker(join_request, message->source);
    if (!asker || !list) {
        free(asker);
        free(list);
        return CAUCUS_NO_MEMORY;
    }
    asker->rank = message->source;
    asker->list = (struct caucus_merge_words){message->length / (int64_t)sizeof *list, list};
    asker->next = join_request->askers;
    join_request->askers = asker;
    return CAUCUS_OK;
}

static int send(void *owner, int32_t rank, const void *body, int64_t length) {
    struct caucus_join_request *join_request = owner;
    struct caucus_group_manager *manager = join_request->manager;
    struct caucus_group_head head = {
        CAUCUS_MANAGER_JOIN_REQUEST, join_request->tag, join_request->number, 0, {0}};
    struct caucus_join_request_message said;
    memcpy(&said, body, sizeof said);
    memcpy(head.body, body, (size_t)length);
    bool answers =
        said.word != CAUCUS_JOIN_REQUEST_ASKED && said.word != CAUCUS_JOIN_REQUEST_WITHDRAWN;
    if (answers)
        drop_asker(join_request, rank);
    bool aside = join_request->merging && said.word != CAUCUS_JOIN_REQUEST_ASKED;
    if (!join_request->load || aside)
        return caucus_group_manager_send(manager, rank, &head, NULL, 0);
    return caucus_group_manager_send(manager, rank, &head, join_request->load->word,
                                     join_request->load->count *
                                         (int64_t)sizeof *join_request->load->word);
}

/* The group that has asked fails, and hears so. */
static void fail_merging(struct caucus_merging *merging, int status) {
    caucus_merging_fail(merging, status);
    caucus_merging_tell(merging);
}

/* Nobody took or refused the group. */
static void end_unanswered(struct caucus_merging *merging, int64_t number) {
    int asked = merging->asked;
    int status =
        number == CAUCUS_JOIN_REQUEST_DEAD
            ? caucus_fail(CAUCUS_DEAD, "rank %d of the parent, which was asked, is dead", asked)
            : caucus_fail(CAUCUS_TIMED_OUT,
                          "rank %d of the parent, which was asked, did not answer within "
                          "CAUCUS_TIMEOUT",
                          asked);
    fail_merging(merging, status);
}

/* The answer to this rank's own wish. A refusal with words on it is an error of all. */
static void decide(void *owner, int64_t answer, const void *bytes, int64_t length) {
    struct caucus_join_request *join_request = owner;
    struct caucus_merging *merging = join_request->merging;
    const struct caucus_group_message *message = join_request->message;
    int32_t instead;
    (void)length;
    memcpy(&instead, bytes, sizeof instead);
    join_request->merging = NULL;
    if (!merging)
        return;
    merging->join_request = NULL;
    if (answer == CAUCUS_JOIN_REQUEST_FREE || answer == CAUCUS_JOIN_REQUEST_DEAD) {
        end_unanswered(merging, answer);
        return;
    }
    int64_t words = message->length / (int64_t)sizeof(int32_t);
    bool merges = answer == CAUCUS_JOIN_REQUEST_TAKEN || words > 0;
    int status = merges ? caucus_merge_learn(&merging->merge, message->load, words)
                        : caucus_merge_learn(&merging->merge, &instead, 1);
    if (merges || status) {
        caucus_merging_settle(merging, message->head.about, status);
        return;
    }
    merging->known = true;
    caucus_merging_tell(merging);
}

static const struct caucus_runner_binding binding = {
    .protocol = &caucus_join_request_protocol, .send = send, .decide = decide};

/* What a step of this rank's own needs to send so many is there before anything is sent or counts
 * as said: it goes through as a whole or not at all. */
static int make_room(struct caucus_join_request *join_request, int64_t messages) {
    const struct caucus_merge_words *load = join_request->load;
    int status = caucus_runner_make_room(&join_request->manager->actions, messages,
                                         sizeof(struct caucus_join_request_message));
    int64_t length = load ? load->count * (int64_t)sizeof *load->word : 0;
    return status ? status
                  : caucus_mailbox_reserve(&join_request->manager->mailbox, messages,
                                           (int64_t)sizeof(struct caucus_group_head) + length);
}

/* After each step. */
static int end_step(struct caucus_join_request *join_request, int status) {
    caucus_mailbox_reserve(&join_request->manager->mailbox, 0, 0);
    join_request->message = NULL;
    join_request->load = NULL;
    join_request->number = -1;
    return status;
}

/* Of a wish that there is no memory for. */
static int refuse_unheard(struct caucus_group_manager *manager,
                          const struct caucus_group_message *message, int status) {
    const struct caucus_join_request_message said = {CAUCUS_JOIN_REQUEST_REFUSED, -1};
    struct caucus_group_head head = {CAUCUS_MANAGER_JOIN_REQUEST, message->head.tag, -1, 0, {0}};
    memcpy(head.body, &said, sizeof said);
    caucus_group_manager_send(manager, message->source, &head, NULL, 0);
    return status;
}

int caucus_join_requests_take(struct caucus_group_manager *manager,
                              const struct caucus_group_message *message, bool *heard) {
    struct caucus_join_request *join_request = at_tag(manager, message->head.tag);
    struct caucus_join_request_message said;
    memcpy(&said, message->head.body, sizeof said);
    bool asked = said.word == CAUCUS_JOIN_REQUEST_ASKED;
    int status = join_request ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    if (!status && asked)
        status = keep_asker(join_request, message);
    *heard = !status || asked;
    if (status)
        return asked ? refuse_unheard(manager, message, status) : status;
    join_request->message = message;
    return end_step(join_request, caucus_runner_hear(&join_request->runner, message->source,
                                                     message->head.body, sizeof said));
}

static int call(struct caucus_join_request *join_request, int64_t what, const int32_t *ranks,
                int64_t count) {
    return end_step(join_request, caucus_runner_call(&join_request->runner, what, ranks,
                                                     count * (int64_t)sizeof *ranks));
}

static int hear_deaths(struct caucus_group_manager *manager,
                       struct caucus_join_request *join_request) {
    int status = CAUCUS_OK;
    while (join_request->deaths < manager->deaths.count && !status) {
        int rank = manager->deaths.rank[join_request->deaths++];
        drop_asker(join_request, rank);
        status = end_step(join_request, caucus_runner_hear_death(&join_request->runner, rank));
    }
    return status;
}

int caucus_join_requests_look(struct caucus_group_manager *manager) {
    int status = CAUCUS_OK;
    for (struct caucus_join_request *at = manager->join_requests; at && !status; at = at->next)
        status = hear_deaths(manager, at);
    return status;
}

/* Where this rank speaks for the group, with that tag, and has not asked by it. */
static int open(struct caucus_group_manager *manager, const struct caucus_light_group *group,
                int tag, struct caucus_join_request **found) {
    struct caucus_join_request *join_request = at_tag(manager, tag);
    if (!join_request)
        return CAUCUS_NO_MEMORY;
    *found = join_request;
    int status = hear_deaths(manager, join_request);
    if (status)
        return status;
    if (caucus_join_request_asked(join_request->runner.state) >= 0)
        return caucus_fail(CAUCUS_PENDING,
                           "this rank has asked rank %d with tag %d and has no answer yet",
                           caucus_join_request_asked(join_request->runner.state), tag);
    int64_t identity = caucus_group_identity(group);
    if (join_request->group == identity)
        return CAUCUS_OK;
    join_request->group = identity;
    return call(join_request, CAUCUS_JOIN_REQUEST_OPEN, NULL, 0);
}

int caucus_join_request_poll(struct caucus_light_group *group, int tag, int limit, int *askers,
                             int *count) {
    struct caucus_group_manager *manager = group->parent->manager;
    struct caucus_join_request *join_request;
    *count = 0;
    pthread_mutex_lock(&manager->lock);
    int status = caucus_group_manager_progress(manager);
    if (!status)
        status = open(manager, group, tag, &join_request);
    int32_t at =
        status ? -1 : caucus_join_request_next(&join_request->setup, join_request->runner.state, 0);
    for (; at >= 0 && *count < limit;
         at = caucus_join_request_next(&join_request->setup, join_request->runner.state, at + 1))
        askers[(*count)++] = at;
    pthread_mutex_unlock(&manager->lock);
    return status;
}

/* The list of one that waits. */
static int find_asker(const struct caucus_join_request *join_request, int rank,
                      const struct asker **found) {
    const struct asker *at = join_request->askers;
    while (at && at->rank != rank)
        at = at->next;
    *found = at;
    bool waits =
        at && rank >= 0 && rank < join_request->setup.ranks &&
        caucus_join_request_next(&join_request->setup, join_request->runner.state, rank) == rank;
    return waits ? CAUCUS_OK
                 : caucus_fail(CAUCUS_BAD_ARGUMENT,
                               "rank %d of the parent does not wait to be taken in with tag %d",
                               rank, join_request->tag);
}

int caucus_join_request_refuse(struct caucus_light_group *group, int tag, int asker) {
    struct caucus_group_manager *manager = group->parent->manager;
    struct caucus_join_request *join_request;
    const struct asker *found;
    pthread_mutex_lock(&manager->lock);
    int status = open(manager, group, tag, &join_request);
    if (!status)
        status = find_asker(join_request, asker, &found);
    if (!status)
        status = make_room(join_request, 1);
    if (!status)
        status = call(join_request, CAUCUS_JOIN_REQUEST_REFUSE, &asker, 1);
    pthread_mutex_unlock(&manager->lock);
    return status;
}

void caucus_join_request_forget(struct caucus_merging *merging) {
    if (merging->join_request)
        merging->join_request->merging = NULL;
    merging->join_request = NULL;
}

/* First the wish is withdrawn, and whoever hears of that answers; who does not is given up. */
int caucus_join_request_lose_patience(struct caucus_merging *merging) {
    struct caucus_join_request *join_request = merging->join_request;
    if (!merging->withdrawn) {
        merging->withdrawn = true;
        return call(join_request, CAUCUS_JOIN_REQUEST_WITHDRAW, NULL, 0);
    }
    int status = call(join_request, CAUCUS_JOIN_REQUEST_GIVE_UP, NULL, 0);
    caucus_join_request_forget(merging);
    fail_merging(merging, caucus_fail(CAUCUS_TIMED_OUT,
                                      "rank %d of the parent, which was asked, did not answer "
                                      "within CAUCUS_TIMEOUT, nor hear within as long again that "
                                      "the wish was withdrawn",
                                      merging->asked));
    return status;
}

void caucus_join_request_tell(const struct caucus_merging *merging, char *text, int64_t size) {
    caucus_join_request_explain(merging->join_request->runner.state, merging->withdrawn, text,
                                size);
}

static int check_asked(const struct caucus_join_request *join_request, int asked) {
    int32_t taker = caucus_join_request_taker(join_request->runner.state);
    if (taker >= 0)
        return caucus_fail(CAUCUS_BAD_ARGUMENT,
                           "the group was taken in by that of rank %d of the parent", taker);
    if (caucus_join_request_owes(&join_request->setup, join_request->runner.state, asked))
        return caucus_fail(CAUCUS_PENDING,
                           "rank %d of the parent has not answered yet what was asked with tag %d "
                           "and given up",
                           asked, join_request->tag);
    return CAUCUS_OK;
}

/* Some of which a rank refuses that asks itself. */
static int64_t count_askers(const struct caucus_join_request *join_request) {
    int64_t count = 0;
    for (const struct asker *at = join_request->askers; at; at = at->next)
        count++;
    return count;
}

static int ask(const struct caucus_merging_wish *wish, struct caucus_merging *merging) {
    struct caucus_group_manager *manager = wish->parent->manager;
    struct caucus_join_request *join_request;
    int status = open(manager, wish->group, wish->tag, &join_request);
    if (!status)
        status = check_asked(join_request, wish->ranks[0]);
    if (!status)
        status = caucus_merge_add(&merging->merge, &wish->group->members);
    if (status)
        return status;
    join_request->load = &merging->merge.part[0];
    status = make_room(join_request, 1 + count_askers(join_request));
    if (status)
        return end_step(join_request, status);
    join_request->merging = merging;
    merging->join_request = join_request;
    merging->asked = wish->ranks[0];
    status = call(join_request, CAUCUS_JOIN_REQUEST_ASK, wish->ranks, 1);
    if (status)
        caucus_join_request_forget(merging);
    return status;
}

/* What is to become of those who ask: a union, or the words that all of them get. */
static int unite(const struct caucus_merging_wish *wish,
                 const struct caucus_join_request *join_request, struct caucus_merge *merge) {
    const struct asker *asker;
    int status = caucus_merge_add(merge, &wish->group->members);
    for (int i = 0; i < wish->count && !status; i++) {
        status = find_asker(join_request, wish->ranks[i], &asker);
        if (!status)
            status = caucus_merge_add_words(merge, asker->list.word, asker->list.count);
    }
    return status ? status : caucus_merge_settle(merge);
}

/* Where this rank has none left, it fails with its own words and the others with those of the
 * outcome. */
static int number_union(const struct caucus_merging_wish *wish, struct caucus_merging *merging,
                        int64_t *number) {
    struct caucus_group_manager *manager = wish->parent->manager;
    int32_t slot;
    int status = caucus_group_slots_take(&manager->slots, &slot);
    if (!status) {
        *number = caucus_group_manager_number(manager, slot);
        return CAUCUS_OK;
    }
    caucus_merging_fail(merging, status);
    return caucus_merge_lacks_number(&merging->merge, wish->parent->rank);
}

static void give_back(struct caucus_group_manager *manager, int64_t number) {
    if (number >= 0)
        caucus_group_manager_give_number(manager, number);
}

static int take(const struct caucus_merging_wish *wish, struct caucus_merging *merging) {
    struct caucus_group_manager *manager = wish->parent->manager;
    struct caucus_merge *merge = &merging->merge;
    struct caucus_join_request *join_request;
    int64_t number = -1;
    int status = open(manager, wish->group, wish->tag, &join_request);
    if (!status)
        status = unite(wish, join_request, merge);
    if (!status)
        status = number_union(wish, merging, &number);
    if (status)
        return status;
    int checked = caucus_merge_check(merge);
    join_request->load = &merge->outcome;
    join_request->number = number;
    status = checked == CAUCUS_NO_MEMORY ? checked : make_room(join_request, wish->count);
    if (status) { /* nobody was told */
        give_back(manager, number);
        return end_step(join_request, status);
    }
    const int64_t sent = manager->mailbox.sent;
    status = call(join_request, checked ? CAUCUS_JOIN_REQUEST_REFUSE : CAUCUS_JOIN_REQUEST_TAKE,
                  wish->ranks, wish->count);
    if (status && manager->mailbox.sent == sent)
        give_back(manager, number);
    caucus_merging_settle(merging, status ? -1 : number, status);
    return status;
}

/* What has come is heard first: whoever has withdrawn is not taken, and who answered may be asked.
 */
int caucus_join_request_begin(const struct caucus_merging_wish *wish,
                              struct caucus_merging *merging) {
    merging->merge.parent_size = wish->parent->size;
    int status = caucus_group_manager_progress(wish->parent->manager);
    if (status)
        return status;
    return wish->meets == CAUCUS_GROUP_ASKS ? ask(wish, merging) : take(wish, merging);
}
