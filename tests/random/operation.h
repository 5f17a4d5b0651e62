/* SPDX-License-Identifier: BSD-3-Clause */
/* A random collective: its arguments on this rank, its data, and what must come of it. */
#ifndef TESTS_RANDOM_OPERATION_H
#define TESTS_RANDOM_OPERATION_H

#include "state.h"

enum which {
    BARRIER,
    BCAST,
    REDUCE,
    ALLREDUCE,
    GATHER,
    GATHERV,
    SCATTER,
    SCATTERV,
    ALLGATHER,
    ALLGATHERV,
    ALLTOALL,
    ALLTOALLV,
    REDUCE_SCATTER,
    REDUCE_SCATTER_BLOCK,
    SCAN, /* from here on not between groups */
    EXSCAN,
    NEIGHBOR_ALLGATHER,
    NEIGHBOR_ALLTOALL,
    WHICH
};

static const char *const names_of_collectives[] = {"barrier",
                                                   "bcast",
                                                   "reduce",
                                                   "allreduce",
                                                   "gather",
                                                   "gatherv",
                                                   "scatter",
                                                   "scatterv",
                                                   "allgather",
                                                   "allgatherv",
                                                   "alltoall",
                                                   "alltoallv",
                                                   "reduce_scatter",
                                                   "reduce_scatter_block",
                                                   "scan",
                                                   "exscan",
                                                   "neighbor_allgather",
                                                   "neighbor_alltoall"};

enum form { BLOCKING, NONBLOCKING, PERSISTENT };
enum element { NUMBERS, GAPPED, AFFINE }; /* AFFINE: pairs, under an operation in order of ranks */
enum { EVERYBODY = 255, POISON = 0x5a, BLOCKS = 2 * MOST /* a graph may have edges twice */ };

/* Elements of a buffer that are one rank's for another, or a combination of several ranks'. */
struct block {
    int from, until, to;     /* until: from + 1, or beyond the last one that is combined */
    int at, length, skipped; /* in elements; of an operand so many come before */
    int edge;                /* which one, where there are several from one rank to another */
};

struct operation {
    struct task task;
    enum which which;
    enum element element;
    int run, count, root;
    bool in_place, stays, native; /* stays: the root of a scatter leaves its own block there */
    uint64_t seed;
    const struct thing *on;
    int send_counts[BLOCKS], send_places[BLOCKS], receive_counts[BLOCKS], receive_places[BLOCKS];
    struct block send[BLOCKS], receive[BLOCKS];
    int sends, receives, send_length, receive_length;
    uint64_t *in, *out;
    request_type request;
    MPI_Request native_request;
};

static MPI_Datatype element_type[3];
static MPI_Op element_op;

/* x -> a x + b, the left one first. */
static void compose(void *left, void *right, int *count, MPI_Datatype *type) {
    const uint64_t *a = left;
    uint64_t *b = right;
    (void)type;
    for (int i = 0; i < *count; i++, a += 2, b += 2) {
        b[1] += b[0] * a[1];
        b[0] *= a[0];
    }
}

static void make_types(void) {
    MPI_Datatype pair;
    element_type[NUMBERS] = MPI_UINT64_T;
    MPI_Type_create_resized(MPI_UINT64_T, 0, 16, &element_type[GAPPED]);
    MPI_Type_commit(&element_type[GAPPED]);
    MPI_Type_contiguous(2, MPI_UINT64_T, &pair);
    MPI_Type_dup(pair, &element_type[AFFINE]);
    MPI_Type_commit(&element_type[AFFINE]);
    MPI_Type_free(&pair);
    MPI_Op_create(compose, 0, &element_op);
}

static void free_types(void) {
    MPI_Type_free(&element_type[GAPPED]);
    MPI_Type_free(&element_type[AFFINE]);
    USE(op_free, Op_free)(&element_op);
}

static int words_each(const struct operation *o) {
    return o->element == NUMBERS ? 1 : 2;
}

static uint64_t word_of(const struct operation *o, const struct block *b, int from, int i,
                        int word) {
    uint64_t who = (uint64_t)b->edge << 24 | (uint64_t)from << 16 | (uint64_t)(b->to & 255) << 8 |
                   (uint64_t)word;
    return mixed_with(o->seed + (uint64_t)o->run, who << 32 | (uint64_t)i) | (word == 0);
}

/* What stands at an element of a block: of one rank, or combined from the left to the right. */
static void element_of(const struct operation *o, const struct block *b, int i, uint64_t value[2]) {
    int at = b->skipped + i;
    for (int r = b->from; r < b->until; r++) {
        uint64_t next[2] = {word_of(o, b, r, at, 0), word_of(o, b, r, at, 1)};
        if (r == b->from) {
            value[0] = next[0], value[1] = next[1];
        } else if (o->element == AFFINE) {
            value[1] = next[1] + next[0] * value[1];
            value[0] *= next[0];
        } else {
            value[0] += next[0];
        }
    }
}

static bool is_reduction(enum which which) {
    return which == REDUCE || which == ALLREDUCE || which == REDUCE_SCATTER ||
           which == REDUCE_SCATTER_BLOCK || which == SCAN || which == EXSCAN;
}

static bool is_rooted(enum which which) {
    return which == BCAST || which == REDUCE || which == GATHER || which == GATHERV ||
           which == SCATTER || which == SCATTERV;
}

/* Whether MPI_IN_PLACE may stand for it. */
static bool has_own_block(enum which which) {
    return which != BARRIER && which != BCAST && which < NEIGHBOR_ALLGATHER;
}

static bool varies(enum which which) {
    return which == GATHERV || which == SCATTERV || which == ALLGATHERV || which == ALLTOALLV ||
           which == REDUCE_SCATTER;
}

/* How long the block of one rank for another is. */
static int length_between(const struct operation *o, int from, int to) {
    if (!varies(o->which))
        return o->count;
    int of = o->which == GATHERV || o->which == ALLGATHERV ? from : to;
    bool turned = o->in_place && from > to; /* in place both ways are as long */
    int both = o->which != ALLTOALLV ? of : turned ? to * 7 + from : from * 7 + to;
    return (int)(mixed_with(o->seed, (uint64_t)both) % (uint64_t)(o->count + 1));
}

static void add_send(struct operation *o, int to, int length) {
    int me = o->on->id;
    o->send[o->sends] = (struct block){me, me + 1, to, o->send_length, length, 0, 0};
    o->send_counts[o->sends] = length;
    o->send_places[o->sends++] = o->send_length;
    o->send_length += length;
}

static void add_receive(struct operation *o, int from, int to, int length) {
    o->receive[o->receives] = (struct block){from, from + 1, to, o->receive_length, length, 0, 0};
    o->receive_counts[o->receives] = length;
    o->receive_places[o->receives++] = o->receive_length;
    o->receive_length += length;
}

/* A combination of the operands of ids first to until - 1. */
static void add_result(struct operation *o, int first, int until, int skipped, int length) {
    add_receive(o, first, EVERYBODY, length);
    o->receive[o->receives - 1].until = until;
    o->receive[o->receives - 1].skipped = skipped;
}

/* Between groups counts of reduce_scatter must have one sum for both: those of one more rank. */
static void share_out(struct operation *o) {
    const struct thing *on = o->on;
    int mine = on->id - on->offset, before = 0, all = 0;
    bool two = on->offset != on->remote_offset;
    for (int r = 0; r < on->size; r++) {
        int each = o->which == REDUCE_SCATTER && !two ? length_between(o, 0, r)
                   : two                              ? o->count * on->remote
                                                      : o->count;
        o->receive_counts[r] = each;
        before += r < mine ? each : 0;
        all += each;
    }
    int kept[MOST];
    memcpy(kept, o->receive_counts, sizeof kept);
    add_send(o, EVERYBODY, all);
    add_result(o, on->remote_offset, on->remote_offset + on->remote, before, kept[mine]);
    memcpy(o->receive_counts, kept, sizeof kept);
}

/* In a group that has the root: whether this rank is it. In the other one the roles of all. */
static void rooted_blocks(struct operation *o, int root, bool at_root, bool sends, bool receives) {
    const struct thing *on = o->on;
    bool out = o->which == BCAST || o->which == SCATTER || o->which == SCATTERV;
    for (int r = 0; at_root && r < on->remote; r++) {
        int id = on->remote_offset + r;
        if (out && (o->which != BCAST || r == 0))
            add_send(o, o->which == BCAST ? EVERYBODY : id, length_between(o, root, id));
        else if (!out && o->which != REDUCE)
            add_receive(o, id, root, length_between(o, id, root));
    }
    if (at_root && o->which == REDUCE)
        add_result(o, on->remote_offset, on->remote_offset + on->remote, 0, o->count);
    if (sends && !out)
        add_send(o, o->which == REDUCE ? EVERYBODY : root, length_between(o, on->id, root));
    if (receives && out)
        add_receive(o, root, o->which == BCAST ? EVERYBODY : on->id,
                    length_between(o, root, on->id));
}

static void build_rooted(struct operation *o) {
    const struct thing *on = o->on;
    bool two = on->offset != on->remote_offset;
    int all = two ? on->size + on->remote : on->size;
    int root = (int)(mixed(o->seed ^ 77) % (uint64_t)all);
    /* MPICH 5.0.2's own nonblocking and persistent ones lose the data of any other root. */
    if (two && o->which == BCAST && (o->native || my.single))
        root = root < on->offset + on->remote_offset ? 0 : on->offset + on->remote_offset;
    bool mine = root >= on->offset && root < on->offset + on->size, is = root == on->id;
    if (!two) {
        o->root = root;
        rooted_blocks(o, root, is, true, o->which != BCAST || !is);
    } else if (mine) {
        o->root = is ? MPI_ROOT : MPI_PROC_NULL;
        rooted_blocks(o, root, is, false, false);
    } else {
        o->root = root - on->remote_offset;
        rooted_blocks(o, root, false, true, true);
    }
}

/* How many of a list before one are the same. */
static int same_before(const int *list, int at) {
    int same = 0;
    for (int i = 0; i < at; i++)
        same += list[i] == list[at];
    return same;
}

/* Neighbours of a grid or graph, as MPI tells; MPI_PROC_NULL has a block, which stays as it is.
 * What goes down an axis comes from above; edges of a graph between two ranks keep their order. */
static void build_neighbors(struct operation *o) {
    int kind, from[BLOCKS], to[BLOCKS], n = 0, m = 0, me = o->on->id, dims[2], periods[2], at[2];
    MPI_Topo_test(o->on->comm, &kind);
    if (kind == MPI_CART) {
        int axes;
        MPI_Cartdim_get(o->on->comm, &axes);
        MPI_Cart_get(o->on->comm, axes, dims, periods, at);
        for (int axis = 0; axis < axes; axis++, n += 2)
            MPI_Cart_shift(o->on->comm, axis, 1, &from[n], &from[n + 1]);
        memcpy(to, from, sizeof to);
        m = n;
    } else {
        int weighted;
        MPI_Dist_graph_neighbors_count(o->on->comm, &n, &m, &weighted);
        int weight_in[BLOCKS], weight_out[BLOCKS]; /* compilers warn of Open MPI's MPI_UNWEIGHTED */
        MPI_Dist_graph_neighbors(o->on->comm, n, from, weight_in, m, to, weight_out);
    }
    bool each = o->which == NEIGHBOR_ALLTOALL, grid = kind == MPI_CART;
    bool alike = grid && my.kept && (o->native || PLAIN_MPI);
    for (int i = 0; i < (each ? m : 1); i++) {
        add_send(o, each ? to[i] : EVERYBODY, o->count);
        if (each && !alike)
            o->send[i].edge = grid ? i : same_before(to, i);
    }
    for (int i = 0; i < n; i++) {
        add_receive(o, from[i], each ? me : EVERYBODY, o->count);
        if (each && !alike)
            o->receive[o->receives - 1].edge = grid ? i ^ 1 : same_before(from, i);
        if (from[i] == MPI_PROC_NULL)
            o->receives--;
    }
}

static void build_blocks(struct operation *o) {
    const struct thing *on = o->on;
    int far = on->remote_offset, until = far + on->remote, me = on->id;
    if (o->which == NEIGHBOR_ALLGATHER || o->which == NEIGHBOR_ALLTOALL)
        build_neighbors(o);
    else if (is_rooted(o->which))
        build_rooted(o);
    else if (o->which == REDUCE_SCATTER || o->which == REDUCE_SCATTER_BLOCK)
        share_out(o);
    else if (is_reduction(o->which))
        add_send(o, EVERYBODY, o->count);
    if (o->which == ALLREDUCE)
        add_result(o, far, until, 0, o->count);
    if (o->which == SCAN)
        add_result(o, 0, me + 1, 0, o->count);
    if (o->which == EXSCAN && me > 0)
        add_result(o, 0, me, 0, o->count);
    if (o->which == ALLGATHER || o->which == ALLGATHERV) {
        add_send(o, EVERYBODY, length_between(o, me, far));
        for (int r = far; r < until; r++)
            add_receive(o, r, EVERYBODY, length_between(o, r, me));
    }
    if (o->which == ALLTOALL || o->which == ALLTOALLV)
        for (int r = far; r < until; r++) {
            add_send(o, r, length_between(o, me, r));
            add_receive(o, r, me, length_between(o, r, me));
        }
}

/* What is in place stands where the result comes; with a root that is so there alone. */
static void put_in_place(struct operation *o) {
    bool mine = !is_rooted(o->which) || o->root == o->on->id;
    bool to_each = o->which == ALLTOALL || o->which == ALLTOALLV;
    o->in_place = o->in_place && mine;
    o->stays = o->stays && mine;
    if (o->stays)
        o->receives = 0;
    if (!o->in_place || is_reduction(o->which))
        return;
    for (int b = 0; b < o->sends; b++)
        o->send[b].at = o->receive[to_each ? b : o->on->id].at;
}

static void fill_blocks(const struct operation *o, uint64_t *memory) {
    int words = words_each(o);
    for (int b = 0; b < o->sends; b++)
        for (int i = 0; i < o->send[b].length; i++) {
            uint64_t value[2];
            element_of(o, &o->send[b], i, value);
            for (int w = 0; w < (o->element == AFFINE ? 2 : 1); w++)
                memory[(o->send[b].at + i) * words + w] = value[w];
        }
}

static size_t room_of(const struct operation *o, int elements) {
    return ((size_t)elements + 1) * (size_t)words_each(o) * sizeof(uint64_t);
}

static int whole_length(const struct operation *o) {
    bool whole = o->in_place || o->which == EXSCAN; /* whose first rank may write anything */
    return whole && o->send_length > o->receive_length ? o->send_length : o->receive_length;
}

/* Before each start. A bcast has one buffer, and so has what is in place. */
static void fill_operation(struct operation *o) {
    memset(o->in, POISON, room_of(o, o->send_length));
    memset(o->out, POISON, room_of(o, whole_length(o)));
    fill_blocks(o, o->in_place ? o->out : o->in);
}

static void compare(const struct operation *o, const uint64_t *expected, const uint64_t *found,
                    size_t bytes, const char *which) {
    for (size_t i = 0; i < bytes / sizeof *found; i++)
        if (expected[i] != found[i])
            wrong(o->task.action,
                  "%s of %d, run %d, element type %d, count %d, root %d, id %d: word %zu of the %s "
                  "buffer: expected %016llx, found %016llx",
                  names_of_collectives[o->which], o->on->size, o->run, o->element, o->count,
                  o->root, o->on->id, i, which, (unsigned long long)expected[i],
                  (unsigned long long)found[i]);
}

static void check_sent(const struct operation *o) {
    size_t bytes = room_of(o, o->send_length);
    uint64_t *expected = malloc(bytes);
    memset(expected, POISON, bytes);
    if (!o->in_place)
        fill_blocks(o, expected);
    compare(o, expected, o->in, bytes, "send");
    free(expected);
}

/* All words, those between and behind the data too, but for what an operand in place leaves. */
static void check_received(const struct operation *o) {
    size_t bytes = room_of(o, whole_length(o)), words = (size_t)words_each(o);
    size_t end = (size_t)o->receive_length * words, left = (size_t)whole_length(o) * words - end;
    uint64_t *expected = malloc(bytes);
    memset(expected, POISON, bytes);
    memcpy(expected + end, o->out + end, left * sizeof *expected);
    for (int b = 0; b < o->receives; b++)
        for (int i = 0; i < o->receive[b].length; i++) {
            uint64_t value[2];
            element_of(o, &o->receive[b], i, value);
            for (int w = 0; w < (o->element == AFFINE ? 2 : 1); w++)
                expected[((size_t)o->receive[b].at + (size_t)i) * words + (size_t)w] = value[w];
        }
    compare(o, expected, o->out, bytes, "receive");
    free(expected);
}

static void finish_operation(struct task *task) {
    struct operation *o = (struct operation *)task;
    check_sent(o);
    if (o->which != EXSCAN || o->on->id > 0)
        check_received(o);
    o->run++;
    task->active = false;
}

#endif
