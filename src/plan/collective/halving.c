/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/collective/halving.h"

#include "plan/collective/cost.h"

#include <stdlib.h>

int caucus_halves_of(int32_t size, int32_t rank,
                     struct caucus_halves levels[CAUCUS_HALVES_LEVELS]) {
    int count = 0;
    int32_t first = 0;
    while (size > 1) {
        int32_t lower = size / 2 + size % 2, upper = size / 2;
        if (rank < first + lower) {
            levels[count++] =
                (struct caucus_halves){first, lower, first + lower, upper, .lower = true};
            size = lower;
        } else {
            levels[count++] =
                (struct caucus_halves){first + lower, upper, first, lower, .lower = false};
            first += lower;
            size = upper;
        }
    }
    return count;
}

int32_t caucus_halving_rank(int32_t size, int32_t position) {
    int32_t first = 0;
    for (; size > 1; position /= 2) {
        int32_t lower = size / 2 + size % 2;
        first += position % 2 ? lower : 0;
        size = position % 2 ? size - lower : lower;
    }
    return first;
}

/* The shares of a half from those of both halves together: a border may be anywhere in the share of
 * the other half that lies between; it is where equal shares have it. */
static void cut_half(const int64_t *both, int32_t size, bool lower, int64_t element, int64_t *cut) {
    int32_t shares = lower ? size / 2 + size % 2 : size / 2;
    cut[0] = both[0];
    cut[shares] = both[size];
    for (int32_t i = 1; i < shares; i++) {
        int32_t between = lower ? 2 * i - 1 : 2 * i;
        int32_t part = lower ? size % 2 ? shares - i : shares : size % 2 ? i : 0;
        int64_t length = both[between + 1] - both[between];
        cut[i] = both[between] + caucus_vector_cut(length, element, shares, part);
    }
}

static void cut_halves(struct caucus_halving *halving, struct caucus_builder *builder) {
    int32_t size = builder->group.size;
    int64_t element = halving->whole.element;
    halving->memory = caucus_builder_array(builder, 2 * (int64_t)size + 4 * CAUCUS_HALVES_LEVELS,
                                           sizeof(int64_t), "shares");
    if (!halving->memory) {
        halving->levels = 0;
        return;
    }
    int64_t *next = halving->memory;
    const int64_t *both = halving->whole.at;
    for (int level = 0; level < halving->levels; level++) {
        const struct caucus_halves *halves = &halving->halves[level];
        struct caucus_halving_cuts *cuts = &halving->cuts[level];
        int32_t together = halves->size + halves->other_size;
        cuts->mine = next;
        cuts->other = cuts->mine + halves->size + 1;
        next = cuts->other + halves->other_size + 1;
        cut_half(both, together, halves->lower, element, cuts->mine);
        cut_half(both, together, !halves->lower, element, cuts->other);
        both = cuts->mine;
    }
}

void caucus_halving_init(struct caucus_halving *halving, struct caucus_builder *builder,
                         const struct caucus_cuts *shares) {
    *halving = (struct caucus_halving){.whole = *shares};
    halving->levels = caucus_halves_of(builder->group.size, builder->group.rank, halving->halves);
    for (int level = 0; level < halving->levels; level++)
        halving->position |= halving->halves[level].lower ? 0 : 1 << level;
    if (shares->at)
        cut_halves(halving, builder);
}

void caucus_halving_free(struct caucus_halving *halving) {
    free(halving->memory);
    halving->memory = NULL;
}

static struct caucus_range range_of(const struct caucus_halving *halving, int32_t size,
                                    const int64_t *cut, int32_t index) {
    struct caucus_cuts cuts = {halving->whole.bytes, halving->whole.element, size, cut};
    return (struct caucus_range){caucus_cut(&cuts, index), caucus_cut(&cuts, index + 1)};
}

/* A share of this rank's half before a level, of the other one, and of both after it. */
static struct caucus_range of_mine(const struct caucus_halving *halving, int level, int32_t index) {
    return range_of(halving, halving->halves[level].size, halving->cuts[level].mine, index);
}

static struct caucus_range of_other(const struct caucus_halving *halving, int level,
                                    int32_t index) {
    return range_of(halving, halving->halves[level].other_size, halving->cuts[level].other, index);
}

static struct caucus_range of_both(const struct caucus_halving *halving, int level, int32_t index) {
    return level ? of_mine(halving, level - 1, index)
                 : range_of(halving, halving->whole.parts, halving->whole.at, index);
}

struct caucus_range caucus_halving_share(const struct caucus_halving *halving) {
    return of_both(halving, 0, halving->position);
}

struct caucus_range caucus_halving_widest(const struct caucus_halving *halving) {
    int last = halving->levels - 1;
    return last < 0 ? (struct caucus_range){0, 0}
                    : of_both(halving, last, halving->position >> last);
}

static struct caucus_range common(struct caucus_range a, struct caucus_range b) {
    int64_t begin = a.begin > b.begin ? a.begin : b.begin, end = a.end < b.end ? a.end : b.end;
    return (struct caucus_range){begin, end > begin ? end : begin};
}

/* A rank of the other half whose old share meets this one's new share, or the other way round. */
struct neighbour {
    int32_t rank;
    struct caucus_range coming, going; /* when shares shrink */
};

static int neighbours(const struct caucus_halving *halving, int level, struct neighbour found[2]) {
    const struct caucus_halves *halves = &halving->halves[level];
    int32_t mine = halving->position >> (level + 1);
    struct caucus_range before = of_mine(halving, level, mine);
    struct caucus_range after = of_both(halving, level, halving->position >> level);
    int count = 0;
    for (int32_t other = halves->lower ? mine - 1 : mine; count < 2; other++) {
        if (other > (halves->lower ? mine : mine + 1))
            break;
        if (other < 0 || other >= halves->other_size)
            continue;
        found[count++] = (struct neighbour){
            .rank = halves->other_first + caucus_halving_rank(halves->other_size, other),
            .coming = common(of_other(halving, level, other), after),
            .going = common(before, of_both(halving, level, 2 * other + (halves->lower ? 1 : 0))),
        };
    }
    return count;
}

static int64_t level_pieces(const struct caucus_halving *halving, int level) {
    const struct caucus_halves *halves = &halving->halves[level];
    int32_t together = halves->size + halves->other_size;
    int64_t bytes = of_both(halving, level, together - 1).end;
    return caucus_vector_pieces((double)bytes / together);
}

/* Where byte 0 of the vector would be: what this rank has, what it gets, and of these two the one
 * that stands before and the one behind, which holds the combination. */
struct level {
    struct caucus_place mine, got, before, behind;
};

/* Piece by piece: one is combined while the next one comes. */
static void emit_level(struct caucus_builder *builder, const struct level *level,
                       const struct neighbour *found, int count, int64_t element, int64_t pieces) {
    for (int64_t k = 0; k <= pieces; k++) {
        for (int i = 0; i < count; i++) {
            struct caucus_range going = caucus_vector_piece(found[i].going, element, pieces, k);
            struct caucus_range coming = caucus_vector_piece(found[i].coming, element, pieces, k);
            struct caucus_range came = caucus_vector_piece(found[i].coming, element, pieces, k - 1);
            caucus_emit_send(builder, found[i].rank, caucus_at(level->mine, going.begin),
                             going.end - going.begin);
            caucus_emit_receive(builder, found[i].rank, caucus_at(level->got, coming.begin),
                                coming.end - coming.begin);
            caucus_emit_reduce(builder, caucus_at(level->before, came.begin),
                               caucus_at(level->behind, came.begin), came.end - came.begin);
        }
        caucus_end_step(builder);
    }
}

/* The combination goes to where the upper half's data was. At the first level that is in for a rank
 * of the upper half, and it makes a copy. */
struct caucus_place caucus_halving_reduce(const struct caucus_halving *halving,
                                          struct caucus_builder *builder, struct caucus_place in,
                                          struct caucus_place first, struct caucus_place second) {
    struct caucus_place mine = in, spare = second;
    for (int k = halving->levels - 1; k >= 0; k--) {
        bool lower = halving->halves[k].lower, begins = k == halving->levels - 1;
        struct caucus_range range = of_both(halving, k, halving->position >> k);
        struct neighbour found[2];
        int count = neighbours(halving, k, found);
        struct level level = {.mine = mine, .got = spare};
        if (begins && !lower)
            caucus_emit_copy(builder, caucus_at(in, range.begin), caucus_at(first, range.begin),
                             range.end - range.begin);
        struct caucus_place kept = begins && !lower ? first : mine;
        level.before = lower ? kept : spare;
        level.behind = lower ? spare : kept;
        emit_level(builder, &level, found, count, halving->whole.element, level_pieces(halving, k));
        mine = level.behind;
        spare = begins && lower ? first : level.before;
    }
    return mine;
}

void caucus_halving_gather(const struct caucus_halving *halving, struct caucus_builder *builder,
                           int32_t root, struct caucus_place data) {
    for (int level = 0; level < halving->levels; level++) {
        const struct caucus_halves *halves = &halving->halves[level];
        bool all = root < 0;
        bool gets = all || (root >= halves->first && root < halves->first + halves->size);
        bool gives = all || !gets;
        struct neighbour found[2];
        int count = neighbours(halving, level, found);
        for (int i = 0; i < count; i++) {
            struct caucus_range going = found[i].coming, coming = found[i].going;
            if (gives)
                caucus_emit_send(builder, found[i].rank, caucus_at(data, going.begin),
                                 going.end - going.begin);
            if (gets)
                caucus_emit_receive(builder, found[i].rank, caucus_at(data, coming.begin),
                                    coming.end - coming.begin);
        }
        caucus_end_step(builder);
        if (!gets)
            return;
    }
}

double caucus_halving_cost(const struct caucus_task *task, const struct caucus_model *model,
                           bool reduces) {
    double seconds = 0, bytes = (double)task->volume;
    for (int64_t distance = 1; distance < task->ranks; distance *= 2) {
        double part = bytes / (2 * (double)distance);
        double pieces = reduces ? (double)caucus_vector_pieces(part) : 1;
        double message = caucus_cost_exchange(task, model, distance, part / pieces);
        double reduce = reduces ? caucus_cost_reduce(model, part / pieces) : 0;
        seconds += caucus_cost_overlap(message, reduce, pieces);
    }
    return seconds;
}
