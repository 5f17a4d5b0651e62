/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/channel/node_links.h"

#include "base/memory.h"
#include "base/status.h"
#include "run/channel/state.h"
#include "run/memory/node_memory.h"

#include <stdlib.h>
#include <string.h>

/* In shared memory, before its slots. */
struct caucus_channel_node_link {
    alignas(CAUCUS_NODE_ALIGNMENT) _Atomic int64_t freed;
};

/* A slot; header and payload lie behind it. */
struct slot {
    alignas(16) _Atomic int64_t stamp; /* 1 more than the number of its message */
};

struct caucus_channel_node_target {
    int32_t rank;
    int64_t sent, freed;
    struct caucus_channel_node_link *link;
};

static int64_t slot_bytes(const struct caucus_channel_runner *runner) {
    return caucus_node_aligned(
        (int64_t)(sizeof(struct slot) + sizeof(struct caucus_channel_message)) +
        runner->setup.segment);
}

static int64_t link_bytes(const struct caucus_channel_runner *runner) {
    return (int64_t)sizeof(struct caucus_channel_node_link) +
           runner->setup.credits * slot_bytes(runner);
}

static struct slot *slot_at(const struct caucus_channel_runner *runner,
                            struct caucus_channel_node_link *link, int64_t number) {
    return (struct slot *)(void *)((char *)(link + 1) +
                                   number % runner->setup.credits * slot_bytes(runner));
}

/* Links into the ranks of this node out of it, in the same order on all of them, and at `base` the
 * memory of the first. With base, those of this rank get theirs. */
static int go_through(struct caucus_channel_runner *runner, char *base, int64_t *links) {
    const struct caucus_node_map *nodes = &runner->engine->nodes;
    int32_t node = caucus_node_of_rank(nodes, runner->rank);
    *links = 0;
    for (int32_t at = caucus_node_first(nodes, node); at < caucus_node_first(nodes, node + 1);
         at++) {
        int32_t rank = caucus_rank_at(nodes, at), sources, *source;
        int status = caucus_overlay_sources(&runner->setup.overlay, rank, &sources, &source);
        for (int32_t i = 0; i < sources && !status; i++) {
            if (caucus_node_of_rank(nodes, source[i]) != node)
                continue;
            char *place = base ? base + *links * link_bytes(runner) : NULL;
            struct caucus_channel_node_link *link = (void *)place;
            ++*links;
            if (base && rank == runner->rank)
                runner->link[i].shared = link;
            if (base && source[i] == runner->rank)
                runner->node_target[runner->node_targets++] =
                    (struct caucus_channel_node_target){.rank = rank, .link = link};
        }
        if (status)
            return status;
        free(source);
    }
    return CAUCUS_OK;
}

/* Nothing has come, and messages are read where they will be. */
static void use_slots(struct caucus_channel_runner *runner) {
    for (int32_t i = 0; i < runner->setup.sources; i++) {
        struct caucus_channel_node_link *link = runner->link[i].shared;
        if (!link)
            continue;
        atomic_store_explicit(&link->freed, 0, memory_order_relaxed);
        for (int32_t number = 0; number < runner->setup.credits; number++) {
            struct slot *slot = slot_at(runner, link, number);
            atomic_store_explicit(&slot->stamp, 0, memory_order_relaxed);
            runner->slot[(int64_t)i * runner->setup.credits + number].bytes =
                (unsigned char *)(slot + 1);
        }
    }
}

/* Simulated, what goes through memory would take no time. */
static bool wants_memory(const struct caucus_channel_runner *runner) {
#ifdef CAUCUS_SIMULATED
    (void)runner;
    return false;
#else
    return runner->engine->memory && runner->kind->has_node_links;
#endif
}

int caucus_channel_node_links_count(struct caucus_channel_runner *runner) {
    if (!wants_memory(runner))
        return CAUCUS_OK;
    runner->node_target = caucus_array(runner->setup.targets, sizeof *runner->node_target);
    return runner->node_target ? go_through(runner, NULL, &runner->node_links) : CAUCUS_NO_MEMORY;
}

/* Where there is no memory, messages do. */
int caucus_channel_node_links_open(struct caucus_channel_runner *runner) {
    int64_t links;
    if (!wants_memory(runner) ||
        caucus_node_memory_take(runner->engine->memory, runner->node_links * link_bytes(runner), 0,
                                1, &runner->node_block))
        return CAUCUS_OK;
    caucus_attachment_hold(runner->engine->attachment);
    int status = go_through(runner, (char *)(runner->node_block + 1), &links);
    if (!status)
        use_slots(runner);
    return status;
}

void caucus_channel_node_links_free(struct caucus_channel_runner *runner) {
    if (runner->node_block) {
        caucus_node_memory_let_go(runner->node_block);
        caucus_attachment_let_go(runner->engine->attachment);
    }
    free(runner->node_target);
}

bool caucus_channel_node_links_send(struct caucus_channel_runner *runner, int32_t to,
                                    const struct caucus_channel_piece *piece, int64_t length) {
    struct caucus_channel_node_target *target = runner->node_target;
    const struct caucus_channel_node_target *end = target + runner->node_targets;
    while (target < end && target->rank != to)
        target++;
    if (target == end)
        return false;
    struct slot *slot = slot_at(runner, target->link, target->sent);
    memcpy(slot + 1, piece->bytes, (size_t)length);
    atomic_store_explicit(&slot->stamp, ++target->sent, memory_order_release);
    return true;
}

static bool receive(struct caucus_channel_runner *runner, int32_t index) {
    const struct caucus_channel_link *link = &runner->link[index];
    int64_t before = link->arrived;
    while (link->shared && link->arrived - link->restarted < runner->setup.credits &&
           !runner->status) {
        struct slot *slot = slot_at(runner, link->shared, link->arrived);
        if (atomic_load_explicit(&slot->stamp, memory_order_acquire) != link->arrived + 1)
            break;
        caucus_channel_runner_receive_data(runner, index);
    }
    return link->arrived > before;
}

static bool hear_credit(struct caucus_channel_runner *runner,
                        struct caucus_channel_node_target *target) {
    int64_t freed = atomic_load_explicit(&target->link->freed, memory_order_acquire);
    if (freed == target->freed)
        return false;
    target->freed = freed;
    struct caucus_channel_message message = {.kind = CAUCUS_CHANNEL_CREDIT};
    message.number[0] = freed;
    caucus_channel_runner_hear(runner, target->rank, &message, sizeof message);
    return true;
}

bool caucus_channel_node_links_move(struct caucus_channel_runner *runner) {
    bool any = false;
    if (!runner->node_block)
        return false;
    for (int32_t i = 0; i < runner->node_targets && !runner->status; i++)
        any = hear_credit(runner, &runner->node_target[i]) || any;
    for (int32_t i = 0; i < runner->setup.sources; i++)
        any = receive(runner, i) || any;
    return any;
}

void caucus_channel_node_links_tell(const struct caucus_channel_link *link) {
    atomic_store_explicit(&link->shared->freed, link->restarted, memory_order_release);
}
