/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/redistribute/schedule.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>

/* The chunks of all ranks are in what one request may have of node memory. */
enum { NODE_BYTES = 8 << 20, LONG = 1 << 20, LONG_ONE_COPY = 1 << 14 };

/* The sections of one side, or their number where there is no memory yet. */
static int32_t list_sections(const struct caucus_redistribution *redistribution,
                             const struct caucus_node_map *nodes,
                             const struct caucus_index_side *side,
                             struct caucus_relay_section *sections) {
    int32_t count = 0;
    int64_t begin = 0, size = side->element;
    for (int32_t i = 0; i < side->peers; i++) {
        if (!caucus_relay_serves(nodes, redistribution->rank, side->peer[i]))
            continue;
        int64_t end = begin + (side->begin[i + 1] - side->begin[i]) * size;
        if (sections)
            sections[count] = (struct caucus_relay_section){
                .rank = side->peer[i], .begin = begin, .end = end, .at = side->begin[i] * size};
        count++;
        begin = end;
    }
    return count;
}

/* Whether what goes to each target is one long piece: sets by_message. Returns how many are. */
static int32_t find_long(struct caucus_relay *relay, const struct caucus_index_side *send,
                         int64_t least) {
    int32_t found = 0, target = 0;
    int64_t part = 0;
    for (int32_t i = 0; i < send->peers && target < relay->targets; i++) {
        int64_t elements = send->begin[i + 1] - send->begin[i];
        bool is_piece = send->part[part].count == elements;
        while (elements > 0)
            elements -= send->part[part++].count;
        struct caucus_relay_section *section = &relay->target[target];
        if (section->rank != send->peer[i])
            continue;
        section->by_message = is_piece && section->end - section->begin >= least;
        found += section->by_message;
        target++;
    }
    return found;
}

/* Where a rank has long pieces for several others, it would copy them all by itself; MPI may well
 * let these fetch them, each its own. One copy is less than two for any piece. */
static void leave_long_ones(struct caucus_relay *relay, const struct caucus_index_side *send,
                            bool one_copy) {
    bool several = find_long(relay, send, one_copy ? LONG_ONE_COPY : LONG) > 1 || one_copy;
    relay->own = 0;
    for (int32_t i = 0; i < relay->targets; i++) {
        struct caucus_relay_section *section = &relay->target[i];
        int64_t bytes = section->end - section->begin;
        section->by_message = section->by_message && several;
        section->begin = relay->own;
        relay->own += section->by_message ? 0 : bytes;
        section->end = relay->own;
    }
}

int caucus_relay_create(struct caucus_relay *relay,
                        const struct caucus_redistribution *redistribution,
                        const struct caucus_node_map *nodes, bool one_copy) {
    const struct caucus_index_side *send = &redistribution->send,
                                   *receive = &redistribution->receive;
    *relay = (struct caucus_relay){.nodes = nodes, .rank = redistribution->rank};
    relay->targets = list_sections(redistribution, nodes, send, NULL);
    relay->sources = list_sections(redistribution, nodes, receive, NULL);
    relay->target = caucus_array(relay->targets, sizeof *relay->target);
    relay->source = caucus_array(relay->sources, sizeof *relay->source);
    if (!relay->target || !relay->source) {
        caucus_relay_free(relay);
        return CAUCUS_NO_MEMORY;
    }
    list_sections(redistribution, nodes, send, relay->target);
    list_sections(redistribution, nodes, receive, relay->source);
    leave_long_ones(relay, send, one_copy);
    return CAUCUS_OK;
}

void caucus_relay_free(struct caucus_relay *relay) {
    free(relay->target);
    free(relay->source);
    *relay = (struct caucus_relay){0};
}

void caucus_relay_cut(struct caucus_relay *relay, int64_t longest, int64_t chunk) {
    const struct caucus_node_map *nodes = relay->nodes;
    if (!nodes || longest == 0 ||
        caucus_node_size(nodes, caucus_node_of_rank(nodes, relay->rank)) == 1)
        return;
    int64_t room = NODE_BYTES / CAUCUS_RELAY_CHUNKS / nodes->largest;
    int64_t least = longest / (CAUCUS_FLAG_LIMIT / 2) + 1; /* a flag counts chunks */
    chunk = chunk < room ? chunk : room;
    chunk = chunk < longest ? chunk : longest;
    chunk = chunk > least ? chunk : least;
    relay->chunk = (chunk + CAUCUS_LINE_BYTES - 1) / CAUCUS_LINE_BYTES * CAUCUS_LINE_BYTES;
}

enum { BY_MESSAGE = -1 }; /* instead of where a section begins */

int caucus_relay_tell(const struct caucus_relay *relay, struct caucus_index_mail *mail) {
    if (caucus_index_mail_init(mail, relay->targets, relay->targets))
        return CAUCUS_NO_MEMORY;
    for (int32_t i = 0; i < relay->targets; i++) {
        mail->to[i] = relay->target[i].rank;
        mail->begin[i] = i;
        mail->record[i] = (struct caucus_index_record){
            relay->target[i].by_message ? BY_MESSAGE : relay->target[i].begin, relay->own, 0,
            relay->rank, CAUCUS_INDEX_STREAM};
    }
    mail->begin[relay->targets] = relay->targets;
    return CAUCUS_OK;
}

int caucus_relay_hear(struct caucus_relay *relay, const struct caucus_index_record *records,
                      int64_t count) {
    int32_t heard = 0;
    for (int32_t i = 0; i < relay->sources; i++) {
        struct caucus_relay_section *source = &relay->source[i];
        int64_t at = 0;
        while (at < count && records[at].rank != source->rank)
            at++;
        if (at == count)
            continue;
        heard++;
        source->by_message = records[at].first == BY_MESSAGE;
        source->end = source->by_message ? 0 : records[at].first + source->end - source->begin;
        source->begin = source->by_message ? 0 : records[at].first;
        source->bytes = records[at].count;
    }
    if (heard == relay->sources && heard == count)
        return CAUCUS_OK;
    return caucus_fail(CAUCUS_INTERNAL,
                       "%lld ranks of the node write for this one, which expects %d",
                       (long long)count, relay->sources);
}
