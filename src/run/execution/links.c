/* SPDX-License-Identifier: BSD-3-Clause */
/* Long messages within a node, in one copy. The sender tells in the link of the pair where the data
 * is (struct caucus_link, run/engine/link_table.h), the receiver where it goes, and both copy
 * pieces of it until none is left: the receiver reads from the sender's memory, the sender writes
 * into the receiver's. Whoever comes late finds less to do. Where the kernel has refused a piece,
 * all of the message goes through a bounce buffer then. The receiver says when it has all. */
#include "run/execution/links.h"

#include "base/memory.h"
#include "base/status.h"
#include "run/execution/bounce.h"
#include "run/memory/peer_memory.h"
#include "run/support/rank_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    LEAST = 16 << 10,       /* shorter messages are MPI's */
    SHORT_PIECE = 16 << 10, /* of what is claimed at a time */
    LONG_PIECE = 64 << 10,
    PAGE = 4 << 10,
    /* Until others get their turn. After some rounds that last long, a wait takes it that others
     * use the processor, and naps (run/progress/waiting.c): so there are few of them. */
    AT_A_TIME = 8 << 20
};

/* What ends of a message say of it, besides what the kernel says, in its words. */
enum { GIVEN_UP = ECANCELED, DIFFERS = EMSGSIZE, DEAD = ESRCH, LACKS_BUFFER = ENOBUFS };

static struct caucus_link *link_of(const struct caucus_execution *execution, int32_t peer,
                                   bool sends) {
    const struct caucus_engine *engine = execution->engine;
    int32_t own = caucus_engine_local(engine), other = caucus_local_of_rank(&engine->nodes, peer);
    int64_t from = sends ? own : other, to = sends ? other : own;
    int64_t place = from * caucus_engine_node_size(engine) + to;
    return caucus_link_at(&engine->links, &execution->arena->link[place]);
}

bool caucus_may_be_linked(const struct caucus_execution *execution,
                          const struct caucus_operation *o) {
    const struct caucus_engine *engine = execution->engine;
    return execution->links.wanted && o->length >= LEAST && o->peer != engine->attachment->rank &&
           caucus_node_of_rank(&engine->nodes, o->peer) == caucus_engine_node(engine);
}

bool caucus_is_linked(const struct caucus_execution *execution, const struct caucus_operation *o) {
    return caucus_may_be_linked(execution, o) &&
           link_of(execution, o->peer, o->kind == CAUCUS_OPERATION_SEND);
}

int caucus_links_reserve(struct caucus_execution *execution, int64_t count) {
    struct caucus_links *links = &execution->links;
    if (links->message || count == 0)
        return CAUCUS_OK;
    links->message = caucus_array(count, sizeof *links->message);
    return links->message ? CAUCUS_OK : CAUCUS_NO_MEMORY;
}

/* The number that the message has among all of its link: of earlier steps none is under way. */
static int64_t number_of(const struct caucus_links *links,
                         const struct caucus_linked_message *message) {
    for (int64_t i = links->count - 1; i >= 0; i--)
        if (links->message[i].link == message->link)
            return links->message[i].number + 1;
    return 1 + atomic_load_explicit(message->sends ? &message->link->posted : &message->link->taken,
                                    memory_order_relaxed);
}

void caucus_links_post(struct caucus_execution *execution, const struct caucus_operation *o,
                       char *at) {
    struct caucus_links *links = &execution->links;
    bool sends = o->kind == CAUCUS_OPERATION_SEND;
    struct caucus_linked_message message = {.link = link_of(execution, o->peer, sends),
                                            .at = at,
                                            .length = o->length,
                                            .peer = o->peer,
                                            .sends = sends};
    message.number = number_of(links, &message);
    links->message[links->count++] = message;
    links->left++;
    links->receives += !sends;
}

static int failure(const struct caucus_linked_message *message, int error) {
    if (error == DIFFERS)
        return caucus_fail(CAUCUS_TRUNCATED,
                           "%lld bytes %s " CAUCUS_RANK ", which %s another number of bytes",
                           (long long)message->length, message->sends ? "to" : "from",
                           message->peer, message->sends ? "expects" : "sends");
    if (error == DEAD)
        return caucus_fail(CAUCUS_DEAD, CAUCUS_RANK ", which takes part, is dead", message->peer);
    if (error == LACKS_BUFFER)
        return caucus_fail(CAUCUS_INTERNAL,
                           "%lld bytes %s " CAUCUS_RANK
                           ", which the kernel does not copy: %s rank has lost its buffer for "
                           "such messages when it gave up an earlier one",
                           (long long)message->length, message->sends ? "to" : "from",
                           message->peer, message->sends ? "that" : "this");
    return caucus_fail(CAUCUS_INTERNAL, CAUCUS_RANK " has given up", message->peer);
}

/* A half for each, or more pieces where one side may come late. */
static int64_t piece_of(const struct caucus_linked_message *message) {
    int64_t half = (message->length / 2 + PAGE - 1) / PAGE * PAGE;
    if (!message->link->is_shared)
        return AT_A_TIME;
    return half < SHORT_PIECE ? SHORT_PIECE : half < LONG_PIECE ? half : LONG_PIECE;
}

static int64_t process_of(const struct caucus_execution *execution, int32_t rank) {
    const struct caucus_engine *engine = execution->engine;
    return engine->process[caucus_local_of_rank(&engine->nodes, rank)];
}

/* Any other error is that the kernel does not copy: the message goes another way. */
static bool ends_message(int error) {
    return error == DEAD || error == DIFFERS || error == GIVEN_UP || error == LACKS_BUFFER;
}

/* What ends the message counts for more than what sends it another way. */
static void tell_error(struct caucus_link *link, int error) {
    int32_t told = atomic_load(&link->error);
    while ((told == 0 || (ends_message(error) && !ends_message(told))) &&
           !atomic_compare_exchange_weak(&link->error, &told, error))
        ;
}

/* Copies pieces while there are any that nobody has begun with; after an error, no more of them are
 * copied. */
static void copy_pieces(const struct caucus_execution *execution,
                        const struct caucus_linked_message *message) {
    struct caucus_link *link = message->link;
    const int64_t piece = piece_of(message);
    const uint64_t there = message->sends ? link->target : link->source;
    const enum caucus_peer_direction direction =
        message->sends ? CAUCUS_PEER_WRITE : CAUCUS_PEER_READ;
    for (int64_t done = 0; done < AT_A_TIME; done += piece) {
        if (atomic_load_explicit(&link->begun, memory_order_relaxed) >= message->length)
            return;
        int64_t at = atomic_fetch_add_explicit(&link->begun, piece, memory_order_relaxed);
        int64_t rest = message->length - at, length = rest < piece ? rest : piece;
        if (rest <= 0)
            return;
        int error = 0;
        if (atomic_load_explicit(&link->error, memory_order_relaxed) == 0)
            error = caucus_peer_copy(process_of(execution, message->peer), direction,
                                     message->at + at, there + (uint64_t)at, length);
        if (error)
            tell_error(link, error);
        atomic_fetch_add_explicit(&link->copied, length, memory_order_release);
    }
}

static int64_t look(_Atomic int64_t *word) {
    return atomic_load_explicit(word, memory_order_acquire);
}

/* Tells where the data is or goes, once it is the turn of the message, and the other side is there.
 * Returns whether both have. Who has something to receive leaves what he sends to the others: to
 * read from others' memory, of which the cache may have a copy, is faster than to write there. */
static bool meet(const struct caucus_execution *execution, struct caucus_linked_message *message) {
    struct caucus_link *link = message->link;
    if (message->is_met)
        return true;
    if (message->sends && !message->is_told) {
        if (look(&link->posted) != message->number - 1 || look(&link->taken) != message->number - 1)
            return false;
        link->source = (uint64_t)(uintptr_t)message->at;
        link->is_shared = execution->links.receives == 0;
        atomic_store_explicit(&link->error, 0, memory_order_relaxed);
        atomic_store_explicit(&link->begun, 0, memory_order_relaxed);
        atomic_store_explicit(&link->copied, -message->length, memory_order_relaxed);
        atomic_store_explicit(&link->posted, message->number, memory_order_release);
        message->is_told = true;
    } else if (!message->sends) {
        if (look(&link->posted) < message->number || look(&link->taken) != message->number - 1)
            return false;
        if (look(&link->copied) != -message->length) { /* nobody copies yet */
            atomic_store_explicit(&link->error, DIFFERS, memory_order_release);
            message->is_told = true;
            return false;
        }
        link->target = (uint64_t)(uintptr_t)message->at;
        atomic_store_explicit(&link->accepted, message->number, memory_order_release);
        message->is_told = true;
    }
    message->is_met = look(&link->accepted) >= message->number;
    return message->is_met;
}

static int32_t number_of_link(const struct caucus_execution *execution,
                              const struct caucus_link *link) {
    return (int32_t)(link - execution->engine->links.link) + 1;
}

/* Nobody copies any more. Returns whether this end has moved all. */
static bool bounce(const struct caucus_execution *execution,
                   struct caucus_linked_message *message) {
    const struct caucus_engine *engine = execution->engine;
    const int32_t receiver = message->sends ? caucus_local_of_rank(&engine->nodes, message->peer)
                                            : caucus_engine_local(engine);
    bool is_broken = false, is_moved;
    const struct caucus_bounced moved = {.bounce = &engine->links.bounce[receiver],
                                         .link = number_of_link(execution, message->link),
                                         .at = message->at,
                                         .length = message->length,
                                         .moved = &message->bounced};
    is_moved =
        message->sends ? caucus_bounce_fill(&moved) : caucus_bounce_empty(&moved, &is_broken);
    if (is_broken)
        tell_error(message->link, LACKS_BUFFER);
    return is_moved;
}

/* The sender goes on as soon as nobody reads any more. Once the receiver has all, the link may be
 * the next message's. */
static int test(const struct caucus_execution *execution, struct caucus_linked_message *message) {
    struct caucus_link *link = message->link;
    if (message->sends && look(&link->taken) >= message->number) {
        message->is_complete = true;
        return CAUCUS_OK;
    }
    if (!meet(execution, message)) {
        int error = message->is_told ? atomic_load(&link->error) : 0;
        return ends_message(error) ? failure(message, error) : CAUCUS_OK;
    }
    if (!message->sends || link->is_shared)
        copy_pieces(execution, message);
    bool is_copied = look(&link->copied) == 0;
    int error = atomic_load(&link->error);
    if (ends_message(error))
        return failure(message, error);
    if (is_copied && error)
        is_copied = bounce(execution, message);
    if (is_copied && !message->sends)
        atomic_store_explicit(&link->taken, message->number, memory_order_release);
    message->is_complete = is_copied;
    return CAUCUS_OK;
}

int caucus_links_test(struct caucus_execution *execution) {
    struct caucus_links *links = &execution->links;
    int status = CAUCUS_OK;
    for (int64_t i = 0; i < links->count; i++) /* before copying, for which others would wait */
        if (links->message[i].sends && !links->message[i].is_told)
            meet(execution, &links->message[i]);
    for (int64_t i = 0; i < links->count && links->left > 0 && !status; i++) {
        struct caucus_linked_message *message = &links->message[i];
        if (message->is_complete)
            continue;
        status = test(execution, message);
        links->left -= message->is_complete;
    }
    if (links->left == 0)
        links->count = links->receives = 0;
    return status;
}

/* Nobody begins with a piece any more, and who has begun gets it done: he is within a call of the
 * kernel's. Where he is not done in a second he is dead, or was stopped behind that call. */
static void close_link(const struct caucus_linked_message *message) {
    struct caucus_link *link = message->link;
    const struct timespec nap = {.tv_nsec = 1000000};
    int64_t most = message->length;
    tell_error(link, GIVEN_UP);
    int64_t begun = atomic_exchange(&link->begun, most);
    begun = begun < most ? begun : most;
    for (int naps = 0; begun > 0 && naps < 1000 && look(&link->copied) + most < begun; naps++)
        nanosleep(&nap, NULL);
}

/* The sender is through with the message's bounce buffer if it was he who ended it. */
static void abandon(const struct caucus_execution *execution,
                    const struct caucus_linked_message *message) {
    const struct caucus_engine *engine = execution->engine;
    bool may_be_written = !ends_message(atomic_load(&message->link->error));
    close_link(message);
    if (!message->sends)
        caucus_bounce_abandon(&engine->links.bounce[caucus_engine_local(engine)],
                              number_of_link(execution, message->link), may_be_written);
}

void caucus_links_abandon(struct caucus_execution *execution) {
    struct caucus_links *links = &execution->links;
    for (int64_t i = 0; i < links->count; i++)
        if (links->message[i].is_told && !links->message[i].is_complete)
            abandon(execution, &links->message[i]);
    links->count = links->left = links->receives = 0;
}

void caucus_links_free(struct caucus_execution *execution) {
    free(execution->links.message);
}
