/* SPDX-License-Identifier: BSD-3-Clause */
/* One message to each peer, and from each, in pieces where it is long and goes to another node; a
 * rank copies what it has itself, and last what it wants more than once. What is relayed goes
 * through node memory, where each rank has room for two chunks and two flags, which count the
 * chunks that it wrote and those of others that it read:
 *
 *   step        of two ranks that exchange three chunks
 *   0           write chunk 0
 *   1           wrote 1, messages, own copies
 *   2           write chunk 1
 *   3           wrote 2, await that the sources wrote 1
 *   4           read chunks 0
 *   5           read 1, await that the targets read 1
 *   6           write chunk 2
 *   7           wrote 3, await that the sources wrote 2
 *   8 …         read chunks 1, read chunks 2
 *
 * A chunk is written before the one before it is read, so that nobody waits for another one who is
 * as far as he is. No rank waits for itself around a ring: for chunk k to be written, k - 2 must be
 * read, for which only k - 2 must be written.
 *
 * Cost: every relayed byte is copied twice, by way of a cache. Limits: none. */
#include "plan/redistribute/schedule.h"

#include "plan/schedule/builder.h"

struct emitter {
    const struct caucus_redistribution *redistribution;
    const struct caucus_relay *relay;
    struct caucus_builder builder;
    int32_t local;            /* this rank's number on its node */
    int32_t wrote, read;      /* the first lines of the ranks' flags */
    struct caucus_place node; /* the ranks' room for chunks */
};

static struct caucus_place packed(enum caucus_buffer buffer, int64_t bytes) {
    return (struct caucus_place){buffer, bytes};
}

/* Whether a peer gets or sends a message; *section goes along with the peers in their order. */
static bool is_message(const struct emitter *emitter, int32_t peer,
                       const struct caucus_relay_section **section) {
    int32_t rank = emitter->redistribution->rank;
    const struct caucus_relay *relay = emitter->relay;
    if (!caucus_relay_serves(relay->nodes, rank, peer))
        return peer != rank;
    return (*section)++->by_message || relay->chunk == 0;
}

/* How long the pieces of a message are. MPI asks the other end before it sends what is long, and
 * both question and answer queue behind whatever else is on its way to the same node. Shorter
 * pieces go at once over most networks, or ask all together before anything is on its way. */
static int64_t piece_of(const struct emitter *emitter, int32_t peer, int64_t bytes) {
    const struct caucus_node_map *nodes = emitter->relay->nodes;
    int32_t rank = emitter->redistribution->rank;
    if (!nodes || caucus_node_of_rank(nodes, peer) == caucus_node_of_rank(nodes, rank))
        return bytes;
    int64_t pieces = (bytes + CAUCUS_MESSAGE_PIECE - 1) / CAUCUS_MESSAGE_PIECE;
    pieces = pieces < CAUCUS_MESSAGE_PIECES ? pieces : CAUCUS_MESSAGE_PIECES;
    return pieces > 0 ? (bytes + pieces - 1) / pieces : 0;
}

/* What goes to, or comes from, the peer of that number. */
static void emit_message(struct emitter *emitter, const struct caucus_index_side *side,
                         int32_t number, bool sends) {
    struct caucus_builder *builder = &emitter->builder;
    int32_t peer = side->peer[number];
    int64_t at = side->begin[number] * side->element;
    int64_t rest = side->begin[number + 1] * side->element - at;
    int64_t piece = piece_of(emitter, peer, rest);
    for (; rest > 0; at += piece, rest -= piece) {
        int64_t length = rest < piece ? rest : piece;
        if (sends)
            caucus_emit_send(builder, peer, packed(CAUCUS_BUFFER_IN, at), length);
        else
            caucus_emit_receive(builder, peer, packed(CAUCUS_BUFFER_OUT, at), length);
    }
}

/* Messages, and what this rank has itself. */
static void emit_messages(struct emitter *emitter) {
    const struct caucus_redistribution *r = emitter->redistribution;
    const struct caucus_index_side *send = &r->send, *receive = &r->receive;
    const struct caucus_relay_section *source = emitter->relay->source;
    const struct caucus_relay_section *target = emitter->relay->target;
    struct caucus_builder *builder = &emitter->builder;
    for (int32_t i = 0; i < receive->peers; i++)
        if (is_message(emitter, receive->peer[i], &source))
            emit_message(emitter, receive, i, false);
    for (int32_t i = 0; i < send->peers; i++)
        if (is_message(emitter, send->peer[i], &target))
            emit_message(emitter, send, i, true);
    if (send->peers > 0 && send->peer[0] == r->rank) /* the nearest, if it is there */
        caucus_emit_copy(builder, packed(CAUCUS_BUFFER_IN, 0), packed(CAUCUS_BUFFER_OUT, 0),
                         send->begin[1] * send->element);
}

static void emit_repeats(struct emitter *emitter) {
    const struct caucus_index_side *receive = &emitter->redistribution->receive;
    int64_t begin = receive->begin[receive->peers] * receive->element;
    int64_t bytes = receive->repeated * receive->element;
    caucus_end_step(&emitter->builder);
    caucus_emit_copy(&emitter->builder, packed(CAUCUS_BUFFER_OUT, begin),
                     packed(CAUCUS_BUFFER_OUT, begin + bytes), bytes);
}

/* What of a section is in a chunk, and where that is in node memory and in the rank's buffer. */
struct part {
    int64_t length, at;
    struct caucus_place node;
};

static struct part part_of(const struct emitter *emitter, int64_t chunk, int32_t writer,
                           const struct caucus_relay_section *section) {
    int64_t size = emitter->relay->chunk, from = chunk * size, until = from + size;
    int64_t begin = section->begin > from ? section->begin : from;
    int64_t end = section->end < until ? section->end : until;
    int64_t place = CAUCUS_RELAY_CHUNKS * (int64_t)writer + chunk % CAUCUS_RELAY_CHUNKS;
    return (struct part){end > begin ? end - begin : 0, section->at + begin - section->begin,
                         caucus_at(emitter->node, place * size + begin - from)};
}

static int32_t local_of(const struct emitter *emitter, const struct caucus_relay_section *section) {
    return caucus_local_of_rank(emitter->relay->nodes, section->rank);
}

static void emit_write(struct emitter *emitter, int64_t chunk) {
    const struct caucus_relay *relay = emitter->relay;
    struct caucus_builder *builder = &emitter->builder;
    if (chunk * relay->chunk >= relay->own)
        return;
    int64_t before = chunk - CAUCUS_RELAY_CHUNKS; /* had this one's place */
    for (int32_t i = 0; i < relay->targets && before >= 0; i++)
        if (part_of(emitter, before, emitter->local, &relay->target[i]).length > 0)
            caucus_emit_await(builder, emitter->read + local_of(emitter, &relay->target[i]), 1,
                              before + 1);
    caucus_end_step(builder);
    for (int32_t i = 0; i < relay->targets; i++) {
        struct part part = part_of(emitter, chunk, emitter->local, &relay->target[i]);
        caucus_emit_copy(builder, packed(CAUCUS_BUFFER_IN, part.at), part.node, part.length);
    }
    caucus_end_step(builder);
    caucus_emit_signal(builder, emitter->wrote + emitter->local, chunk + 1);
}

static void emit_read(struct emitter *emitter, int64_t chunk) {
    const struct caucus_relay *relay = emitter->relay;
    struct caucus_builder *builder = &emitter->builder;
    bool is_awaited = false; /* by a source that has use for the place */
    for (int32_t i = 0; i < relay->sources; i++) {
        const struct caucus_relay_section *source = &relay->source[i];
        int32_t local = local_of(emitter, source);
        if (part_of(emitter, chunk, local, source).length == 0)
            continue;
        caucus_emit_await(builder, emitter->wrote + local, 1, chunk + 1);
        is_awaited |= (chunk + CAUCUS_RELAY_CHUNKS) * relay->chunk < source->bytes;
    }
    caucus_end_step(builder);
    for (int32_t i = 0; i < relay->sources; i++) {
        const struct caucus_relay_section *source = &relay->source[i];
        struct part part = part_of(emitter, chunk, local_of(emitter, source), source);
        caucus_emit_copy(builder, part.node, packed(CAUCUS_BUFFER_OUT, part.at), part.length);
    }
    caucus_end_step(builder);
    if (is_awaited)
        caucus_emit_signal(builder, emitter->read + emitter->local, chunk + 1);
}

/* Returns how many chunks there are to be written or read. */
static int64_t prepare_relay(struct emitter *emitter) {
    const struct caucus_relay *relay = emitter->relay;
    int32_t rank = emitter->redistribution->rank;
    int64_t most = relay->own;
    if (relay->chunk == 0)
        return 0;
    int32_t ranks = caucus_node_size(relay->nodes, caucus_node_of_rank(relay->nodes, rank));
    emitter->local = caucus_local_of_rank(relay->nodes, rank);
    emitter->wrote = caucus_reserve_lines(&emitter->builder, ranks);
    emitter->read = caucus_reserve_lines(&emitter->builder, ranks);
    emitter->node =
        caucus_reserve_node(&emitter->builder, CAUCUS_RELAY_CHUNKS * relay->chunk * (int64_t)ranks);
    for (int32_t i = 0; i < relay->sources; i++)
        most = relay->source[i].end > most ? relay->source[i].end : most;
    return (most + relay->chunk - 1) / relay->chunk;
}

int caucus_redistribution_schedule(const struct caucus_redistribution *redistribution,
                                   const struct caucus_relay *relay,
                                   struct caucus_schedule *schedule) {
    struct emitter emitter = {.redistribution = redistribution, .relay = relay};
    caucus_builder_init(&emitter.builder, redistribution->ranks, redistribution->rank);
    int64_t rounds = prepare_relay(&emitter);
    for (int64_t round = 0; round <= rounds; round++) {
        if (rounds > 0)
            emit_write(&emitter, round);
        if (round == 0)
            emit_messages(&emitter);
        else
            emit_read(&emitter, round - 1);
    }
    emit_repeats(&emitter);
    return caucus_builder_finish(&emitter.builder, schedule);
}
