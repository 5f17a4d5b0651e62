/* SPDX-License-Identifier: BSD-3-Clause */
/* Who sends what to whom, found out by all ranks together:
 *
 *   1  the range of all indices, how many a rank has at the most, and whether elements have the
 * same size on both sides 2  each rank tells the directory what it has and wants
 * (plan/redistribute/directory.h) 3  the directory matches it, and tells senders and receivers 4
 * ranks that share memory tell one another where they will write */
#include "api/redistribute/call.h"

#include "base/status.h"
#include "plan/redistribute/directory.h"
#include "run/attachment/exchange.h"
#include "run/engine/sparse.h"
#include "run/peers/agree.h"
#include "run/support/rank_text.h"

#include <stdlib.h>

struct settling {
    struct caucus_redistribute_work *work;
    const struct caucus_attachment *attachment;
    int tag;
    int first_group;
    int64_t chunk;
};

/* A chunk stays in the cache of a core until another one reads it; where ranks share cores, each
 * costs a change of process. */
enum { CHUNK = 1 << 18, CHUNK_OF_SHARED_CORES = 1 << 20 };

static int agree(const struct settling *settling, int status) {
    return caucus_agree(&settling->attachment->peers, status, 0, NULL);
}

/* Sends and frees the mail, unless this rank has failed; all ranks take part, and agree. */
static int exchange(const struct settling *settling, int status, struct caucus_index_mail *mail,
                    struct caucus_index_record **records, int64_t *count) {
    void *received = NULL;
    if (status)
        caucus_index_mail_free(mail);
    struct caucus_sparse_messages messages = {mail->receivers, mail->to, mail->begin, mail->record,
                                              sizeof **records};
    int failed =
        caucus_sparse_exchange(settling->attachment, settling->tag, &messages, &received, count);
    caucus_index_mail_free(mail);
    *records = received;
    return agree(settling, status ? status : failed);
}

/* Numbers of all ranks whose highest are looked for; a lowest one is the highest of its negative.
 * Sizes are those of one direction, two between groups; absent ones are ABSENT. */
enum { LOW, HIGH, MOST, SIZES, NUMBERS = SIZES + 4 };
static const int64_t ABSENT = INT64_MIN;

/* Which direction this rank sends in; it receives in the other one of two. */
static int own_direction(const struct settling *settling) {
    return settling->first_group > 0 && settling->attachment->rank >= settling->first_group;
}

static void add_side(int64_t *numbers, const struct caucus_index_list *list, int direction,
                     int64_t element) {
    if (list->pieces == 0)
        return;
    const struct caucus_index_piece *last = &list->piece[list->pieces - 1];
    int64_t low = -1 - list->piece[0].first; /* ordered as the negative, which may not exist */
    int64_t high = last->first + last->count;
    int64_t *size = &numbers[SIZES + 2 * direction];
    numbers[LOW] = low > numbers[LOW] ? low : numbers[LOW];
    numbers[HIGH] = high > numbers[HIGH] ? high : numbers[HIGH];
    numbers[MOST] = list->elements > numbers[MOST] ? list->elements : numbers[MOST];
    size[0] = element > size[0] ? element : size[0];
    size[1] = -element > size[1] ? -element : size[1];
}

/* The lowest ranks that have the largest and the smallest elements. */
static int name_sizes(const struct settling *settling, const int64_t own[2], int64_t largest,
                      int64_t smallest) {
    int rank = settling->attachment->rank;
    int64_t ranks[2] = {own[0] == largest ? -rank : ABSENT, own[1] == -smallest ? -rank : ABSENT};
    int status = caucus_max_all(settling->attachment, ranks, 2);
    if (status)
        return status;
    int first = ranks[0] > ranks[1] ? 0 : 1;
    int64_t bytes[2] = {largest, smallest};
    return caucus_fail(CAUCUS_BAD_TYPE,
                       "elements differ in size: " CAUCUS_RANK " has a datatype of %lld bytes, "
                       "" CAUCUS_RANK " one of %lld",
                       (int)-ranks[first], (long long)bytes[first], (int)-ranks[!first],
                       (long long)bytes[!first]);
}

static int survey(const struct settling *settling, struct caucus_directory *directory) {
    const struct caucus_redistribute_work *work = settling->work;
    int64_t own[NUMBERS], all[NUMBERS];
    int sends = own_direction(settling), receives = settling->first_group > 0 ? !sends : sends;
    for (int i = 0; i < NUMBERS; i++)
        own[i] = ABSENT;
    add_side(own, &work->has, sends, work->has_element);
    add_side(own, &work->wants, receives, work->wants_element);
    for (int i = 0; i < NUMBERS; i++)
        all[i] = own[i];
    int status = caucus_max_all(settling->attachment, all, NUMBERS);
    for (int at = SIZES; at < NUMBERS && !status; at += 2)
        if (all[at] != ABSENT && all[at] != -all[at + 1])
            status = name_sizes(settling, &own[at], all[at], -all[at + 1]);
    if (status)
        return status;
    bool any = all[HIGH] != ABSENT;
    *directory = caucus_directory_cut(any ? -1 - all[LOW] : 0, any ? all[HIGH] : 0, all[MOST],
                                      settling->attachment->size);
    return CAUCUS_OK;
}

/* All ranks know the lowest rank that lacks an index, and the lowest that it lacks. */
static int find_missing(const struct settling *settling,
                        const struct caucus_index_missing *missing) {
    const char *who = settling->first_group > 0 ? "no rank of the other group has" : "no rank has";
    int64_t rank = missing->is_missing ? -(int64_t)missing->rank : ABSENT;
    int status = caucus_max_all(settling->attachment, &rank, 1);
    if (status || rank == ABSENT)
        return status;
    bool here = missing->is_missing && -missing->rank == rank;
    int64_t index = here ? -1 - missing->index : ABSENT;
    status = caucus_max_all(settling->attachment, &index, 1);
    return status ? status
                  : caucus_fail(CAUCUS_BAD_ARGUMENT, CAUCUS_RANK " wants index %lld, which %s",
                                (int)-rank, (long long)(-1 - index), who);
}

/* In a directory of all ranks, what this one has to send and to receive. */
static int consult(const struct settling *settling, const struct caucus_directory *directory,
                   struct caucus_index_record **records, int64_t *count) {
    struct caucus_redistribute_work *work = settling->work;
    struct caucus_index_mail mail;
    struct caucus_index_missing missing = {0};
    struct caucus_index_record *told = NULL;
    int64_t told_count = 0;
    int status = caucus_directory_tell(directory, settling->attachment->rank, &work->has,
                                       &work->wants, &mail);
    status = exchange(settling, status, &mail, &told, &told_count);
    if (!status) {
        status = caucus_directory_match(told, told_count, settling->first_group, &mail, &missing);
        status = agree(settling, status);
        if (status)
            caucus_index_mail_free(&mail);
    }
    free(told);
    if (!status) {
        status = find_missing(settling, &missing);
        if (status)
            caucus_index_mail_free(&mail);
    }
    return status ? status : exchange(settling, CAUCUS_OK, &mail, records, count);
}

static int list_sides(const struct settling *settling, struct caucus_index_record *records,
                      int64_t count) {
    struct caucus_redistribute_work *work = settling->work;
    struct caucus_redistribution *plan = &work->plan;
    plan->rank = settling->attachment->rank;
    plan->ranks = settling->attachment->size;
    int status = caucus_index_side_create(&plan->send, CAUCUS_INDEX_SEND, records, count,
                                          plan->rank, plan->ranks, &work->has, NULL);
    if (!status)
        status = caucus_index_side_create(&plan->receive, CAUCUS_INDEX_RECEIVE, records, count,
                                          plan->rank, plan->ranks, &work->wants, &work->repeats);
    plan->send.element = work->has_element;
    plan->receive.element = work->wants_element;
    return status;
}

static int relay(const struct settling *settling, const struct caucus_node_map *nodes,
                 bool one_copy) {
    struct caucus_redistribute_work *work = settling->work;
    struct caucus_index_mail mail = {0};
    struct caucus_index_record *records = NULL;
    int64_t count = 0, longest;
    int status = caucus_relay_create(&work->relay, &work->plan, nodes, one_copy);
    if (!nodes)
        return agree(settling, status);
    status = agree(settling, status);
    longest = work->relay.own;
    if (!status)
        status = caucus_max_all(settling->attachment, &longest, 1);
    if (status || longest == 0)
        return status;
    caucus_relay_cut(&work->relay, longest, settling->chunk);
    status = caucus_relay_tell(&work->relay, &mail);
    status = exchange(settling, status, &mail, &records, &count);
    if (!status)
        status = agree(settling, caucus_relay_hear(&work->relay, records, count));
    free(records);
    return status;
}

/* NULL where ranks of a node may not use its memory. */
static const struct caucus_node_map *nodes_of(const struct caucus_redistribute_work *work,
                                              const struct caucus_context *context) {
    bool alone = context->attachment->nodes.equal == 1; /* each on a node of its own */
    return work->hints.shares_memory || alone ? &context->engine->nodes : NULL;
}

int caucus_redistribute_settle(struct caucus_redistribute_work *work,
                               const struct caucus_context *context,
                               const struct caucus_arena *arena) {
    struct settling settling = {
        work, context->attachment, arena->tag, context->attachment->first_group,
        context->engine->ranks_per_core > 1 ? CHUNK_OF_SHARED_CORES : CHUNK};
    struct caucus_directory directory;
    struct caucus_index_record *records = NULL;
    int64_t count = 0;
    int status = survey(&settling, &directory);
    if (!status)
        status = consult(&settling, &directory, &records, &count);
    if (!status)
        status = agree(&settling, list_sides(&settling, records, count));
    free(records);
    return status ? status : relay(&settling, nodes_of(work, context), context->engine->one_copy);
}
