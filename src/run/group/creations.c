/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups in the making: brings messages and timers to the protocol (plan/protocol/creation.h), and
 * what it wants done to MPI. What rides on the messages of a merge is that of plan/group/merge.h.
 */
#include "base/memory.h"
#include "base/status.h"
#include "plan/group/merge.h"
#include "run/creation/room.h"
#include "run/group/manager.h"
#include "run/group/rendezvous.h"
#include "run/support/waits.h"

#include <stdlib.h>
#include <string.h>

enum { FLAT_MOST = 64, WORDS = 600 };
static const int64_t PATIENCE = 50000000, MOST_GRACE = 250000000; /* ns */
static const uint64_t WISH = UINT64_C(1) << 62;                   /* above all numbers */

struct caucus_group_creation {
    struct caucus_light_group *group;
    struct caucus_creation_setup setup; /* its ranks are owned */
    struct caucus_runner runner;
    struct caucus_actions actions; /* of a merge, whose steps may have to wait for memory */
    bool unfinished;               /* the latest one does */
    bool binds;                    /* others may have the group by what it said */
    bool stays;                    /* this member has said so: it gives up no more */
    int64_t *turn;                 /* LISTED: by position */
    int32_t slot;                  /* of the root; else -1 */
    int deaths;                    /* so many of the manager's have been looked at */
    struct caucus_group_creation *next;
};

static void free_creation(struct caucus_group_creation *creation) {
    free((void *)creation->setup.ranks);
    caucus_runner_end(&creation->runner);
    caucus_actions_free(&creation->actions);
    free(creation->turn);
    free(creation);
}

static struct caucus_group_manager *manager_of(const struct caucus_group_creation *creation) {
    return creation->group->parent->manager;
}

static bool is_later(const struct caucus_light_group *group) {
    return group->way == CAUCUS_GROUP_LATER;
}

static struct caucus_group_head head(const struct caucus_light_group *group, int64_t turn) {
    if (is_later(group))
        return (struct caucus_group_head){
            CAUCUS_MANAGER_LATER, 0, (int64_t)group->hash, group->turn, {0}};
    return (struct caucus_group_head){CAUCUS_MANAGER_LISTED, group->tag, group->outside, turn, {0}};
}

static struct caucus_group_head head_for(const struct caucus_group_creation *creation, int rank) {
    const struct caucus_light_group *group = creation->group;
    int32_t position = caucus_members_position(&group->members, rank);
    return head(group, is_later(group) ? 0 : creation->turn[position]);
}

static void keep_failure(struct caucus_light_group *group, int status) {
    group->status = status;
    free(group->text);
    group->text =
        caucus_array_copy(caucus_error_text(), (int64_t)strlen(caucus_error_text()) + 1, 1);
}

/* Words for a failure. */
static int fail(const struct caucus_light_group *group, int64_t code, int rank) {
    switch (code) {
    case CAUCUS_CREATION_MISMATCH:
        if (group->way == CAUCUS_GROUP_LATER) /* met by their list alone */
            return caucus_fail(CAUCUS_NO_MEMORY,
                               "rank %d of the parent, a member, has no number left for the group, "
                               "or no memory",
                               rank);
        if (group->outside == CAUCUS_GROUP_MERGES || group->outside == CAUCUS_GROUP_JOINS)
            return caucus_fail(CAUCUS_BAD_ARGUMENT,
                               "the lists of groups that merge differ: rank %d of the parent, the "
                               "first of one, gave another list, or none that is right, or has "
                               "no number left for the group, or no memory",
                               rank);
        if (group->outside == CAUCUS_GROUP_LEADERS || group->tag < 0)
            return caucus_fail(
                CAUCUS_BAD_ARGUMENT,
                "rank %d of the parent gave other arguments, or wrong ones, or has no "
                "number left for the group, or no memory",
                rank);
        return caucus_fail(
            CAUCUS_BAD_ARGUMENT,
            "the lists of members differ: rank %d of the parent has another list, or "
            "began another group with tag %d, or has no number left for the group, or no memory",
            rank, group->tag);
    case CAUCUS_CREATION_TIMEOUT:
        return caucus_fail(CAUCUS_TIMED_OUT,
                           "rank %d of the parent, a member, did not come within CAUCUS_TIMEOUT",
                           rank);
    default:
        return caucus_fail(CAUCUS_DEAD, "rank %d of the parent, a member, is dead", rank);
    }
}

static void decide(void *owner, int64_t code, const void *bytes, int64_t length) {
    struct caucus_group_creation *creation = owner;
    struct caucus_light_group *group = creation->group;
    int32_t rank;
    (void)length;
    if (code == CAUCUS_CREATION_DONE) {
        memcpy(&group->number, bytes, sizeof group->number);
        group->wishes = group->number & (int64_t)WISH;
        group->number &= ~(int64_t)WISH;
    } else {
        memcpy(&rank, bytes, sizeof rank);
        group->failed_rank = rank;
        group->failed_code = code;
        if (!group->status) /* that of this rank itself says more */
            keep_failure(group, fail(group, code, rank));
        if (creation->slot >= 0)
            caucus_group_slots_give(&manager_of(creation)->slots, creation->slot);
    }
    group->creation = NULL; /* its record goes when the step is over */
}

/* On what goes up a merge rides what was heard from below, on what goes down the union. */
static int send(void *owner, int32_t rank, const void *body, int64_t length) {
    struct caucus_group_creation *creation = owner;
    struct caucus_merge *merge = creation->group->merge;
    struct caucus_group_head head = head_for(creation, rank);
    struct caucus_merge_words up = {0}, *load = &up;
    enum caucus_creation_word word = caucus_creation_word_of(body);
    int status = CAUCUS_OK;
    memcpy(head.body, body, (size_t)length);
    creation->stays = creation->stays || word == CAUCUS_CREATION_YES;
    if (merge && word == CAUCUS_CREATION_UP) {
        status = caucus_merge_gather(merge, &up);
    } else if (merge && word == CAUCUS_CREATION_DOWN) {
        load = &merge->outcome;
        if (load->count == 0 && creation->group->rank == 0)
            status = caucus_merge_settle(merge);
    }
    if (!status)
        status = caucus_group_manager_send(manager_of(creation), rank, &head, load->word,
                                           load->count * (int64_t)sizeof *load->word);
    free(up.word);
    if (!status && word != CAUCUS_CREATION_ERR && word != CAUCUS_CREATION_ASK &&
        word != CAUCUS_CREATION_STAY)
        creation->binds = true;
    return status;
}

static const struct caucus_runner_binding binding = {
    .protocol = &caucus_creation, .send = send, .decide = decide};

static void end_creation(struct caucus_group_creation *creation) {
    struct caucus_group_creation **at = &manager_of(creation)->creations;
    while (*at != creation)
        at = &(*at)->next;
    *at = creation->next;
    creation->group->creation = NULL;
    free_creation(creation);
}

static void tell_refusal(const struct caucus_light_group *group, int rank,
                         struct caucus_group_head *refusal) {
    caucus_creation_refusal(refusal->body, group->hash, group->parent->rank);
    caucus_group_manager_send(group->parent->manager, rank, refusal, NULL, 0);
}

/* This rank takes part no more: the others hear so, or they would wait for it. */
static void abandon(struct caucus_group_creation *creation) {
    const struct caucus_light_group *group = creation->group;
    for (int32_t i = 0; i < group->size; i++) {
        int rank = caucus_members_rank(&group->members, i);
        struct caucus_group_head refusal = head_for(creation, rank);
        if (i != group->rank)
            tell_refusal(group, rank, &refusal);
    }
    if (creation->slot >= 0 && !creation->binds) /* nobody has the number */
        caucus_group_slots_give(&manager_of(creation)->slots, creation->slot);
    end_creation(creation);
}

/* After each step: the record is gone if the creation is over. What a merge has no memory to send
 * is sent later. */
static void look_whether_over(struct caucus_group_creation *creation, int status) {
    struct caucus_light_group *group = creation->group;
    creation->unfinished = status == CAUCUS_NO_MEMORY && group->merge && !creation->actions.status;
    if (creation->unfinished)
        return;
    if (status && group->creation) {
        keep_failure(group, status);
        abandon(creation);
    } else if (status || !group->creation) {
        end_creation(creation);
    }
}

static bool is_for(const struct caucus_group_creation *creation, int source,
                   const struct caucus_group_head *given) {
    const struct caucus_light_group *group = creation->group;
    const struct caucus_group_head own = head(group, 0);
    if (own.kind != given->kind || own.tag != given->tag || own.about != given->about)
        return false;
    int32_t position = caucus_members_position(&group->members, source);
    return position >= 0 &&
           given->turn == (is_later(group) ? group->turn : creation->turn[position]);
}

static int unload(const struct caucus_light_group *group,
                  const struct caucus_group_message *message) {
    struct caucus_merge *merge = group->merge;
    int64_t words = message->length / (int64_t)sizeof(int32_t);
    if (!merge || words == 0)
        return CAUCUS_OK;
    if (caucus_creation_word_of(message->head.body) == CAUCUS_CREATION_DOWN)
        return caucus_merge_learn(merge, message->load, words);
    int32_t from = caucus_members_position(&group->members, message->source);
    return caucus_merge_note(merge, from, message->load, words);
}

/* Nothing of it counts as heard while there is no memory for all of it. */
static enum caucus_group_taken hear(struct caucus_group_creation *creation,
                                    const struct caucus_group_message *message) {
    if (creation->unfinished || unload(creation->group, message))
        return CAUCUS_MANAGER_LACKS_MEMORY;
    look_whether_over(creation, caucus_runner_hear(&creation->runner, message->source,
                                                   message->head.body, sizeof message->head.body));
    return CAUCUS_MANAGER_DONE;
}

enum caucus_group_taken caucus_creations_take(struct caucus_group_manager *manager,
                                              const struct caucus_group_message *message) {
    const struct caucus_group_head *head = &message->head;
    for (struct caucus_group_creation *at = manager->creations; at; at = at->next)
        if (is_for(at, message->source, head))
            return hear(at, message);
    if (head->kind == CAUCUS_MANAGER_LATER) /* or used later than others use it */
        return caucus_group_manager_expects(manager, head->about, head->turn) ? CAUCUS_MANAGER_HOLDS
                                                                              : CAUCUS_MANAGER_DONE;
    const int64_t *turn = caucus_group_manager_turn_known(manager, CAUCUS_MANAGER_LISTED,
                                                          head->about, head->tag, message->source);
    bool is_over =
        (turn && head->turn < *turn) || caucus_group_manager_is_gone(manager, head->about);
    return is_over ? CAUCUS_MANAGER_DONE : CAUCUS_MANAGER_HOLDS;
}

/* Whether that was its end. */
static bool ends_by_death(struct caucus_group_manager *manager,
                          struct caucus_group_creation *creation) {
    while (creation->deaths < manager->deaths.count) {
        int rank = manager->deaths.rank[creation->deaths++];
        if (caucus_members_position(&creation->group->members, rank) < 0)
            continue;
        look_whether_over(creation, caucus_runner_hear_death(&creation->runner, rank));
        return true;
    }
    return false;
}

/* What is left of a step comes before anything else. */
static int look(struct caucus_group_manager *manager, struct caucus_group_creation *creation,
                double now) {
    if (creation->unfinished) {
        int status = caucus_runner_go_on(&creation->runner);
        look_whether_over(creation, status);
        return status == CAUCUS_NO_MEMORY ? status : CAUCUS_OK;
    }
    if (ends_by_death(manager, creation))
        return CAUCUS_OK;
    bool found;
    int status = caucus_runner_hear_timer(&creation->runner, now, &found);
    if (found)
        look_whether_over(creation, status);
    return CAUCUS_OK;
}

int caucus_creations_look(struct caucus_group_manager *manager) {
    struct caucus_group_creation *next;
    int status = CAUCUS_OK;
    double now = manager->creations ? PMPI_Wtime() : 0;
    for (struct caucus_group_creation *at = manager->creations; at; at = next) {
        next = at->next;
        int looked = look(manager, at, now);
        status = status ? status : looked;
    }
    return status;
}

static const char *name_of_rendezvous(const struct caucus_light_group *group) {
    if (group->tag == CAUCUS_RENDEZVOUS_COMM)
        return "caucus_group_to_comm";
    return group->tag == CAUCUS_RENDEZVOUS_BETWEEN ? "caucus_intercomm_create_group"
                                                   : "caucus_group_create_within";
}

static const char *name_of_call(const struct caucus_light_group *group) {
    if (group->way == CAUCUS_GROUP_LATER)
        return "the first use of a group";
    if (group->call)
        return group->call;
    switch (group->outside) {
    case CAUCUS_GROUP_MERGES:
        return "caucus_group_merge, firsts of groups";
    case CAUCUS_GROUP_JOINS:
        return group->rank == 0 ? "caucus_group_grow" : "caucus_group_join";
    case CAUCUS_GROUP_LEADERS:
        return "caucus_intercomm_create_group, leaders";
    case -1:
        return group->way == CAUCUS_GROUP_UNCHECKED ? "caucus_group_create_unchecked"
                                                    : "caucus_group_create";
    default:
        return name_of_rendezvous(group);
    }
}

void caucus_creations_tell(const struct caucus_group_manager *manager, struct caucus_waits *waits) {
    char text[WORDS];
    for (const struct caucus_group_creation *at = manager->creations; at; at = at->next) {
        const struct caucus_light_group *group = at->group;
        caucus_creation_explain(&at->setup, at->runner.state, text, sizeof text);
        if (group->way == CAUCUS_GROUP_LATER || group->tag < 0 || group->call)
            caucus_waits_line(waits, group->parent->comm, "in %s, %d members: %s",
                              name_of_call(group), group->size, text);
        else
            caucus_waits_line(waits, group->parent->comm, "in %s, %d members, tag %d: %s",
                              name_of_call(group), group->size, group->tag, text);
    }
}

void caucus_creations_drop(struct caucus_group_manager *manager) {
    while (manager->creations)
        end_creation(manager->creations);
}

static int count_turns(struct caucus_group_manager *manager,
                       struct caucus_group_creation *creation) {
    const struct caucus_light_group *group = creation->group;
    creation->turn = caucus_array(group->size, sizeof *creation->turn);
    if (!creation->turn || !caucus_table_reserve(&manager->turns, group->size))
        return CAUCUS_NO_MEMORY; /* before any has counted */
    for (int i = 0; i < group->size; i++) {
        int64_t *turn = caucus_group_manager_turn(manager, CAUCUS_MANAGER_LISTED, group->outside,
                                                  group->tag, creation->setup.ranks[i]);
        if (!turn)
            return CAUCUS_NO_MEMORY;
        creation->turn[i] = (*turn)++;
    }
    return CAUCUS_OK;
}

/* Few members are faster without a tree: the root hears them all in less time than hops take, above
 * all where ranks share processors and each hop waits for its turn. */
static bool is_flat(const struct caucus_light_group *group) {
    bool of_list = group->outside >= -1 || group->call || is_later(group) ||
                   group->outside == CAUCUS_GROUP_LEADERS;
    return group->outside == CAUCUS_GROUP_JOINS || (of_list && group->size <= FLAT_MOST);
}

static int32_t position_in(const void *members, int32_t rank) {
    return caucus_members_position(members, rank);
}

static int describe(struct caucus_group_creation *creation) {
    const struct caucus_light_group *group = creation->group;
    const struct caucus_engine *engine = group->parent->engine;
    int32_t *ranks = caucus_members_array(&group->members);
    if (!ranks)
        return CAUCUS_NO_MEMORY;
    creation->setup = (struct caucus_creation_setup){
        .members = group->size,
        .ranks = ranks,
        .me = group->rank,
        .checked = group->way == CAUCUS_GROUP_CHECKED,
        .flat = is_flat(group),
        .hash = group->hash,
        .patience = is_later(group) ? 0 : PATIENCE,
        .timeout = (int64_t)(engine->timeout * 1e9),
        .settles =
            group->is_rendezvous && (engine->timeout > 0 || group->outside == CAUCUS_GROUP_LEADERS),
        .wishes = group->wishes ? WISH : 0,
        .position = position_in,
        .list = &group->members,
    };
    int64_t grace = creation->setup.timeout / 8;
    creation->setup.grace = grace < MOST_GRACE ? grace : MOST_GRACE;
    return caucus_runner_begin(&creation->runner, &binding, &creation->setup, group->rank,
                               group->merge ? &creation->actions : &group->parent->manager->actions,
                               creation);
}

static int take_number(struct caucus_group_manager *manager, struct caucus_group_creation *creation,
                       int64_t *number) {
    const struct caucus_light_group *group = creation->group;
    *number = -1;
    creation->slot = -1;
    if (group->rank != 0)
        return CAUCUS_OK;
    if (group->call) {
        *number = caucus_creation_room_tag(group->parent->creation);
        return CAUCUS_OK;
    }
    int status = caucus_group_slots_take(&manager->slots, &creation->slot);
    if (!status)
        *number = caucus_group_manager_number(manager, creation->slot);
    return status;
}

/* It counts as begun, here as there. */
void caucus_creation_refuse(const struct caucus_light_group *group, int rank) {
    int64_t *turn = is_later(group)
                        ? NULL
                        : caucus_group_manager_turn(group->parent->manager, CAUCUS_MANAGER_LISTED,
                                                    group->outside, group->tag, rank);
    struct caucus_group_head refusal = head(group, turn ? (*turn)++ : 0);
    tell_refusal(group, rank, &refusal);
}

static int refuse_all(struct caucus_light_group *group, int status) {
    keep_failure(group, status);
    for (int32_t i = 0; i < group->size; i++)
        if (i != group->rank)
            caucus_creation_refuse(group, caucus_members_rank(&group->members, i));
    return status;
}

static int prepare(struct caucus_group_manager *manager, struct caucus_light_group *group,
                   struct caucus_group_creation **made) {
    struct caucus_group_creation *creation = caucus_array(1, sizeof *creation);
    if (!creation)
        return CAUCUS_NO_MEMORY;
    creation->group = group;
    int status = describe(creation);
    if (!status && !is_later(group))
        status = count_turns(manager, creation);
    if (status)
        free_creation(creation);
    else
        *made = creation;
    return status;
}

int caucus_creation_begin(struct caucus_group_manager *manager, struct caucus_light_group *group) {
    struct caucus_group_creation *creation;
    int64_t number = -1;
    if (group->parent->engine->timeout > 0) /* who has given up has said so behind other words */
        caucus_group_manager_progress(manager);
    int status = prepare(manager, group, &creation);
    caucus_group_manager_use(manager, group); /* what is said of it is for this creation alone */
    if (status)
        return refuse_all(group, status);
    status = take_number(manager, creation, &number);
    if (status) /* of which the others hear */
        keep_failure(group, status);
    group->creation = creation;
    creation->next = manager->creations;
    manager->creations = creation;
    int what = group->objects || status ? CAUCUS_CREATION_OBJECT : CAUCUS_CREATION_CREATE;
    look_whether_over(creation,
                      caucus_runner_call(&creation->runner, what, &number, sizeof number));
    caucus_group_manager_look_at_held(manager);
    return CAUCUS_OK;
}

void caucus_creation_give_up(struct caucus_light_group *group) {
    int finalized;
    PMPI_Finalized(&finalized);
    if (finalized)
        end_creation(group->creation);
    else
        abandon(group->creation);
}

void caucus_creation_starve(struct caucus_light_group *group) {
    if (group->creation->binds && group->is_rendezvous) /* others may be inside MPI */
        return;
    keep_failure(group, CAUCUS_NO_MEMORY);
    abandon(group->creation);
}

bool caucus_creation_call_off(struct caucus_light_group *group) {
    struct caucus_group_creation *creation = group->creation;
    if (!creation || creation->stays)
        return !creation && group->number < 0;
    abandon(creation);
    return true;
}
