/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/engine/one_copy.h"

#include "base/memory.h"
#include "base/settings.h"
#include "base/status.h"
#include "run/memory/peer_memory.h"
#include "run/peers/peers.h"

#include <stdlib.h>
#include <string.h>

/* In the order of the peers, which is that of their ranks; NULL where one of them can't be read. */
static int64_t *read_cards(const struct caucus_peer_card *cards, const struct caucus_peers *peers) {
    int64_t *process = caucus_array(peers->size, sizeof *process);
    for (int i = 0; i < peers->size && process; i++) {
        int at = (peers->rank + i) % peers->size; /* each begins with another one */
        process[at] = cards[at].process;
        if (caucus_peer_card_holds(&cards[at]))
            continue;
        free(process);
        process = NULL;
    }
    return process;
}

static bool all_want(const struct caucus_peer_card *cards, const struct caucus_peers *peers) {
    for (int i = 0; i < peers->size; i++)
        if (cards[i].word == 0)
            return false;
    return true;
}

bool caucus_one_copy_lacks_table(struct caucus_engine *engine, int32_t ranks) {
    if (!engine->process)
        return false;
    caucus_link_table_take(engine->memory, ranks, &engine->links);
    return !engine->links.block;
}

int64_t caucus_one_copy_bytes(int32_t ranks) {
    return ranks > 1 && ranks <= CAUCUS_MOST_LINKED ? caucus_link_table_bytes(ranks) : 0;
}

int caucus_one_copy_try(struct caucus_engine *engine, const struct caucus_peers *peers, bool wants,
                        bool *refused) {
    enum { WORDS = sizeof(struct caucus_peer_card) / sizeof(int64_t) };
    struct caucus_peer_card own = caucus_peer_card(&engine->word), cards[CAUCUS_MOST_LINKED];
    *refused = true;
    if (peers->size > CAUCUS_MOST_LINKED)
        return CAUCUS_OK;
    if (!wants)
        own.word = 0;
    int status = caucus_peers_allgather(peers, &own, WORDS, MPI_INT64_T, cards);
    if (status || !all_want(cards, peers))
        return status;
    engine->process = read_cards(cards, peers);
    caucus_link_table_take(engine->memory, peers->size, &engine->links); /* the others do */
    *refused = !caucus_one_copy_allowed(engine);
    return CAUCUS_OK;
}

int caucus_one_copy_inherit(struct caucus_engine *engine) {
    const struct caucus_attachment *attachment = engine->attachment;
    const struct caucus_engine *parent = attachment->parent->engine;
    int32_t node = caucus_engine_node(engine), count = caucus_engine_node_size(engine);
    engine->one_copy = parent->one_copy && engine->shares_memory;
    if (!parent->process)
        return CAUCUS_OK;
    engine->process = caucus_array(count, sizeof *engine->process);
    if (!engine->process)
        return CAUCUS_NO_MEMORY;
    for (int32_t i = 0; i < count; i++) {
        int32_t member = caucus_rank_in_node(&engine->nodes, node, i);
        int32_t rank = attachment->peers.rank_of[member];
        engine->process[i] = parent->process[caucus_local_of_rank(&parent->nodes, rank)];
    }
    return CAUCUS_OK;
}

void caucus_one_copy_refuse(struct caucus_engine *engine) {
    free(engine->process);
    engine->process = NULL;
    caucus_link_table_let_go(&engine->links);
    engine->one_copy = false;
}
