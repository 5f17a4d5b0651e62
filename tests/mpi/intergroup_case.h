/* SPDX-License-Identifier: BSD-3-Clause */
/* A collective between two groups with random arguments, and what must come of it: all ranks draw
 * the same case, and every rank works out by itself what all of them have. */
#ifndef TESTS_MPI_INTERGROUP_CASE_H
#define TESTS_MPI_INTERGROUP_CASE_H

#include "intergroup_calls.h"

static const char *const names[WHICH] = {
    "barrier",  "bcast",     "gather",    "gatherv",        "scatter",
    "scatterv", "reduce",    "allreduce", "allgather",      "allgatherv",
    "alltoall", "alltoallv", "alltoallw", "reduce_scatter", "reduce_scatter_block"};
static const char *const form_names[FORMS] = {"blocking", "nonblocking", "persistent"};

/* The same on all ranks. */
struct draw {
    uint64_t salt;
    enum which which;
    enum form form;
    bool large, positive; /* no block is empty */
    int size[2];
    int root_side, root;
    int base, grain; /* lengths are multiples of so many units, so that elements of all types fit */
    int longest;     /* of a block, in grains */
    int silent;      /* the side that sends nothing, or neither */
    const struct reduction *reduction;
    int elements; /* of a reduction */
};

struct operation {
    struct draw draw;
    struct call call;
    int side, rank, round;
};

static bool nasty; /* arguments that must not be looked at are wrong ones */
static bool plain; /* nothing that some MPI gets wrong itself: empty blocks, types that differ */

static inline int draw_below(uint64_t *state, int end) {
    *state = mix(*state);
    return (int)((*state >> 16) % (uint64_t)end);
}

static inline bool is_reduction(enum which which) {
    return which == REDUCE || which == ALLREDUCE || which >= REDUCE_SCATTER;
}

static inline bool is_rooted(enum which which) {
    return which >= BCAST && which <= REDUCE;
}

/* Mostly short ones, where ends and beginnings are; some that are cut into pieces. */
static inline int draw_longest(uint64_t *state, int ranks) {
    int kind = draw_below(state, 16);
    if (kind < 2)
        return 1;
    if (kind < 13)
        return 20;
    return kind < 15 ? 600 : 12000 / ranks;
}

static inline int common_multiple(int a, int b) {
    int multiple = a;
    while (multiple % b != 0)
        multiple += a;
    return multiple;
}

static inline struct draw draw_case(uint64_t *state, int first, int second) {
    static const int grains[] = {1, 2, 3, 6};
    struct draw d = {.size = {first, second}};
    d.which = (enum which)draw_below(state, WHICH);
    d.large = HAS_LARGE && draw_below(state, 2);
    d.root_side = draw_below(state, 2);
    d.root = draw_below(state, d.size[d.root_side]);
    d.base = draw_below(state, BASES);
    d.grain = grains[draw_below(state, 4)];
    d.longest = draw_longest(state, first + second);
    d.silent = draw_below(state, 12); /* 0 or 1: that side */
    d.reduction = &reductions[draw_below(state, REDUCTIONS)];
    d.elements = draw_below(state, d.longest + 1);
    if (d.which == REDUCE_SCATTER_BLOCK)
        d.elements *= common_multiple(first, second);
    if (plain) {
        d.root = d.which == BCAST ? 0 : d.root;
        d.positive = true;
        d.silent = -1;
        d.longest++;
        d.elements += common_multiple(first, second);
    }
    d.salt = *state;
    return d;
}

/* Blocks that are the same for all, or of which all ranks have the same length. */
static inline void forget_ends(const struct draw *d, bool lengths, int *from, int *to) {
    bool uniform = d->which == BCAST || d->which == GATHER || d->which == SCATTER ||
                   d->which == ALLGATHER || d->which == ALLTOALL;
    if (d->which < ALLTOALL && d->which != SCATTER && d->which != SCATTERV)
        *to = 0;
    if (d->which == BCAST || d->which == SCATTER || d->which == SCATTERV)
        *from = 0;
    if (lengths && uniform)
        *from = *to = 0;
}

/* In units. */
static inline int length_of(const struct draw *d, int side, int from, int to) {
    forget_ends(d, true, &from, &to);
    uint64_t random = mix_of(d->salt, side, from, to);
    int kind = (int)(random % 8), grains = (int)(random / 8 % ((uint64_t)d->longest + 1));
    if (kind == 0)
        grains = 0;
    if (kind == 1)
        grains = d->longest;
    if (kind > 5 && grains > 20) /* very uneven */
        grains = 3;
    if (d->silent == side)
        grains = 0;
    if (d->positive && grains == 0)
        grains = 1;
    return grains * d->grain;
}

static inline const struct pattern *pattern_of(const struct draw *d, int side, int rank, int role) {
    int at = (int)(mix_of(d->salt + 1, side, rank, role) % PATTERNS);
    if (plain)
        at = 0;
    while (d->grain % patterns[d->base][at].units != 0)
        at = (at + 1) % PATTERNS;
    return &patterns[d->base][at];
}

static inline void add_blocks(struct operation *o, struct part *part, int blocks, enum way way) {
    const struct draw *d = &o->draw;
    bool sends = part == &o->call.send;
    part->blocks = blocks;
    for (int i = 0; i < blocks; i++) {
        int units = sends ? length_of(d, o->side, o->rank, i) : length_of(d, !o->side, i, o->rank);
        part->pattern[i] = pattern_of(d, o->side, o->rank, 2 * (way == TYPED ? i : 0) + sends);
        part->elements[i] = units / part->pattern[i]->units;
    }
    lay_out(part, way, d->salt + (uint64_t)o->rank);
}

static inline void add_operands(struct operation *o, struct part *part, int elements) {
    part->blocks = 1;
    part->pattern[0] = &o->draw.reduction->pattern;
    part->elements[0] = elements;
    lay_out(part, ROW, 0);
}

/* The parts of the result that the ranks of this rank's group get: the same sum in both groups. */
static inline void share_out(struct operation *o) {
    const struct draw *d = &o->draw;
    int ranks = d->size[o->side], left = d->elements;
    for (int i = 0; i < ranks; i++) {
        int part = i + 1 == ranks ? left
                                  : (int)(mix_of(d->salt + 2, o->side, i, 0) %
                                          (uint64_t)(2 * left / (ranks - i) + 1));
        if (d->which == REDUCE_SCATTER_BLOCK)
            part = d->elements / ranks;
        part = part < left ? part : left;
        o->call.receive.large_counts[i] = o->call.receive.counts[i] = part;
        left -= part;
    }
}

static inline void build_reduction(struct operation *o, bool at_root, bool sends) {
    const struct draw *d = &o->draw;
    struct call *call = &o->call;
    call->op = d->reduction->op;
    call->type = d->reduction->pattern.type;
    call->count = d->elements;
    if (d->which != REDUCE || sends)
        add_operands(o, &call->send, d->elements);
    if (d->which == ALLREDUCE || (d->which == REDUCE && at_root))
        add_operands(o, &call->receive, d->elements);
    if (d->which >= REDUCE_SCATTER) {
        share_out(o);
        int own = call->receive.counts[o->rank];
        add_operands(o, &call->receive, own);
        share_out(o);
        if (d->which == REDUCE_SCATTER_BLOCK)
            call->count = own;
    }
    if (d->which == REDUCE && !at_root && !sends && nasty) {
        call->op = MPI_OP_NULL;
        call->type = MPI_DATATYPE_NULL;
        call->count = -5;
    }
}

static inline void build_blocks(struct operation *o, bool at_root, bool away) {
    struct call *call = &o->call;
    int others = o->draw.size[!o->side];
    switch (o->draw.which) {
    case BCAST:
    case SCATTER:
    case SCATTERV:
        if (at_root)
            add_blocks(o, &call->send, call->which == BCAST ? 1 : others,
                       call->which == SCATTERV ? SCATTERED : ROW);
        if (away)
            add_blocks(o, &call->receive, 1, ROW);
        break;
    case GATHER:
    case GATHERV:
        if (at_root)
            add_blocks(o, &call->receive, others, call->which == GATHERV ? SCATTERED : ROW);
        if (away)
            add_blocks(o, &call->send, 1, ROW);
        break;
    case ALLGATHER:
    case ALLGATHERV:
        add_blocks(o, &call->send, 1, ROW);
        add_blocks(o, &call->receive, others, call->which == ALLGATHERV ? SCATTERED : ROW);
        break;
    case ALLTOALL:
    case ALLTOALLV:
    case ALLTOALLW: {
        enum way way = call->which == ALLTOALL ? ROW : call->which == ALLTOALLV ? SCATTERED : TYPED;
        add_blocks(o, &call->send, others, way);
        add_blocks(o, &call->receive, others, way);
        break;
    }
    default:
        break;
    }
}

/* This rank's arguments; to be given to drop_operation. */
static inline void build_operation(struct operation *o, const struct draw *d, MPI_Comm comm,
                                   int side, int rank) {
    bool away = d->root_side != side, at_root = !away && rank == d->root;
    *o = (struct operation){.draw = *d, .side = side, .rank = rank};
    struct call *call = &o->call;
    call->which = d->which;
    call->form = d->form;
    call->large = d->large;
    call->comm = comm;
    call->root = away ? d->root : at_root ? MPI_ROOT : MPI_PROC_NULL;
    call->request = NO_REQUEST;
    say_nothing(&call->send, nasty);
    say_nothing(&call->receive, nasty);
    if (is_reduction(d->which))
        build_reduction(o, at_root, away);
    else
        build_blocks(o, at_root, away);
}

static inline void drop_part(struct part *part) {
    buffer_free(part->memory);
    free(part->expected);
}

static inline void drop_operation(struct operation *o) {
    drop_part(&o->call.send);
    drop_part(&o->call.receive);
}

static inline uint64_t salt_of(const struct operation *o) {
    return o->draw.salt + 1000 + (uint64_t)o->round;
}

static inline void put_blocks(const struct operation *o, struct part *part, bool sends) {
    for (int i = 0; i < part->blocks; i++) {
        int from = sends ? o->rank : i, to = sends ? i : o->rank;
        forget_ends(&o->draw, false, &from, &to);
        uint64_t salt = mix_of(salt_of(o), sends ? o->side : !o->side, from, to);
        for (int unit = 0; unit < part->elements[i] * part->pattern[i]->units; unit++) {
            uint64_t value = mix(salt + (uint64_t)unit);
            put(part, i, unit, &value);
        }
    }
}

static inline void make_operand(const struct operation *o, int side, int rank, int element,
                                void *packed) {
    o->draw.reduction->make(packed, mix_of(salt_of(o), side, rank, element));
}

static inline void put_operands(const struct operation *o, struct part *part) {
    uint64_t packed[2];
    for (int i = 0; i < part->elements[0]; i++) {
        make_operand(o, o->side, o->rank, i, packed);
        put_element(part, i, packed);
    }
}

static inline void put_result(const struct operation *o, struct part *part) {
    int first = 0;
    uint64_t all[2], next[2];
    for (int i = 0; o->draw.which >= REDUCE_SCATTER && i < o->rank; i++)
        first += part->counts[i];
    for (int i = 0; i < part->elements[0]; i++) {
        make_operand(o, !o->side, 0, first + i, all);
        for (int rank = 1; rank < o->draw.size[!o->side]; rank++) {
            make_operand(o, !o->side, rank, first + i, next);
            o->draw.reduction->combine(all, next);
        }
        put_element(part, i, all);
    }
}

/* New data to be sent, and what must come. */
static inline void fill_operation(struct operation *o) {
    struct part *send = &o->call.send, *receive = &o->call.receive;
    o->round++;
    if (send->matters) {
        make_noise(send, salt_of(o));
        is_reduction(o->draw.which) ? put_operands(o, send) : put_blocks(o, send, true);
        memcpy(send->memory, send->expected, (size_t)send->bytes);
    }
    if (receive->matters) {
        make_noise(receive, salt_of(o) + 1);
        is_reduction(o->draw.which) ? put_result(o, receive) : put_blocks(o, receive, false);
    }
}

static inline void describe(const struct operation *o, char *text, size_t size) {
    const struct draw *d = &o->draw;
    snprintf(text, size,
             "%s %s%s, %d and %d ranks, rank %d of group %d, root %d of group %d, longest %d x %d, "
             "%d elements, round %d, salt %llx",
             form_names[d->form], names[d->which], d->large ? "_c" : "", d->size[0], d->size[1],
             o->rank, o->side, d->root, d->root_side, d->longest, d->grain, d->elements, o->round,
             (unsigned long long)d->salt);
}

static inline void check_part(const struct operation *o, const struct part *part) {
    char text[512];
    if (!part->matters || memcmp(part->memory, part->expected, (size_t)part->bytes) == 0)
        return;
    for (int i = 0; i < part->bytes; i++)
        if (part->memory[i] != part->expected[i]) {
            describe(o, text, sizeof text);
            CHECK(false, "%s: byte %d of %d of what is %s is %d, not %d", text, i - GUARD,
                  part->bytes - 2 * GUARD, part == &o->call.send ? "sent" : "received",
                  part->memory[i], part->expected[i]);
        }
}

static inline void check_operation(const struct operation *o) {
    check_part(o, &o->call.send);
    check_part(o, &o->call.receive);
}

#endif
