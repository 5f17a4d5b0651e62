/* SPDX-License-Identifier: BSD-3-Clause */
/* A redistribution that every rank knows all of, so that it can tell what it must get. */
#ifndef TESTS_MPI_REDISTRIBUTE_CASE_H
#define TESTS_MPI_REDISTRIBUTE_CASE_H

#include "buffer_memory.h"
#include "redistribute_groups.h"

enum { ELEMENTS = 3, GUARD = 0xa5 };
static const int elements[ELEMENTS] = {8, 8, 3};

/* The same numbers on all ranks. */
static uint64_t draw_state = 88172645463325252u;
static int64_t draw(int64_t low, int64_t high) {
    draw_state ^= draw_state << 13;
    draw_state ^= draw_state >> 7;
    draw_state ^= draw_state << 17;
    return low + (int64_t)((draw_state >> 11) % (uint64_t)(high - low + 1));
}

struct list {
    int64_t count, room;
    caucus_index_range *range;
};

/* What all ranks have and want in one direction. */
struct field {
    struct list has[MOST_RANKS], wants[MOST_RANKS];
    int element; /* bytes */
};

static void add(struct list *list, int64_t first, int64_t count) {
    if (list->count == list->room) {
        list->room = 2 * list->room + 8;
        list->range = realloc(list->range, (size_t)list->room * sizeof *list->range);
        CHECK(list->range, "no memory");
    }
    list->range[list->count++] = (caucus_index_range){first, count};
}

static void shuffle(struct list *list) {
    for (int64_t i = list->count - 1; i > 0; i--) {
        int64_t other = draw(0, i);
        caucus_index_range range = list->range[i];
        list->range[i] = list->range[other];
        list->range[other] = range;
    }
}

/* Ranges of at most `longest` to ranks begin to end - 1 at random; to begin alone where end is 0.
 */
static void deal(struct list *to, int64_t low, int64_t length, int64_t longest, int begin,
                 int end) {
    end = end > 0 ? end : begin + 1;
    for (int64_t at = 0; at < length;) {
        int64_t count = draw(1, longest);
        count = count < length - at ? count : length - at;
        add(&to[draw(begin, end - 1)], low + at, count);
        if (draw(0, 15) == 0)
            add(&to[draw(begin, end - 1)], low + at, 0);
        at += count;
    }
    for (int rank = begin; rank < end; rank++)
        shuffle(&to[rank]);
}

static void deal_cyclic(struct list *to, int64_t low, int64_t length, int64_t block, int begin,
                        int end) {
    CHECK(begin < end && end <= MOST_RANKS, "ranks %d to %d", begin, end);
    for (int64_t at = 0; at < length; at += block)
        add(&to[begin + at / block % (end - begin)], low + at,
            block < length - at ? block : length - at);
}

/* What there is, as it comes: some of it by several ranks, or more than once by one. */
static void pick(struct list *to, int64_t low, int64_t length, int begin, int end) {
    for (int rank = begin; rank < end && length > 0; rank++)
        for (int64_t i = draw(0, 12); i > 0; i--) {
            int64_t first = draw(0, length - 1);
            add(&to[rank], low + first, draw(0, length - first < 300 ? length - first : 300));
        }
}

static void free_fields(struct field fields[2]) {
    for (int i = 0; i < 2; i++)
        for (int rank = 0; rank < MOST_RANKS; rank++) {
            free(fields[i].has[rank].range);
            free(fields[i].wants[rank].range);
        }
}

/* A buffer of elements of a datatype with or without gaps. */
struct buffer {
    MPI_Datatype type;
    int element, extent;
    int at[8]; /* of the element's bytes */
    int64_t count, *index;
    unsigned char *bytes, *expected;
};

/* Each rank by itself draws whether there are gaps. */
static void make_type(struct buffer *buffer, int element, int kind) {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    int spread = kind == 2 ? 2 : 1;
    buffer->element = element;
    buffer->extent = kind == 0 ? element : spread * element + 5;
    for (int i = 0; i < element; i++)
        buffer->at[i] = kind == 0 ? i : 2 + spread * i;
    if (kind == 0) {
        MPI_Type_contiguous(element, MPI_BYTE, &buffer->type);
    } else {
        MPI_Type_create_hindexed_block(element, 1,
                                       (MPI_Aint[]){buffer->at[0], buffer->at[1], buffer->at[2],
                                                    buffer->at[3], buffer->at[4], buffer->at[5],
                                                    buffer->at[6], buffer->at[7]},
                                       MPI_BYTE, &made);
        MPI_Type_create_resized(made, 0, buffer->extent, &buffer->type);
        MPI_Type_free(&made);
    }
    MPI_Type_commit(&buffer->type);
}

static void make_buffer(struct buffer *buffer, const struct list *list, int element, int kind) {
    *buffer = (struct buffer){.count = 0};
    make_type(buffer, element, kind);
    for (int64_t i = 0; i < list->count; i++)
        buffer->count += list->range[i].count;
    size_t bytes = (size_t)buffer->count * (size_t)buffer->extent + 1;
    buffer->index = calloc((size_t)buffer->count + 1, sizeof *buffer->index);
    buffer->bytes = buffer_new(bytes);
    buffer->expected = malloc(bytes);
    CHECK(buffer->index && buffer->bytes && buffer->expected, "no memory");
    int64_t at = 0;
    for (int64_t i = 0; i < list->count; i++)
        for (int64_t k = 0; k < list->range[i].count; k++)
            buffer->index[at++] = list->range[i].first + k;
}

/* The bytes of every element, by its index. */
static void fill_values(struct buffer *buffer, unsigned char *bytes, int64_t salt) {
    memset(bytes, GUARD, (size_t)buffer->count * (size_t)buffer->extent + 1);
    for (int64_t i = 0; i < buffer->count; i++) {
        uint64_t value = ((uint64_t)buffer->index[i] * 31 + (uint64_t)salt) * 0x9e3779b97f4a7c15u;
        for (int k = 0; k < buffer->element; k++)
            bytes[i * buffer->extent + buffer->at[k]] = (unsigned char)(value >> (8 * k));
    }
}

struct moved {
    struct buffer in, out;
    int64_t in_salt, out_salt; /* of its direction */
    caucus_request request;
};

static void prepare(struct moved *moved, const struct groups *groups,
                    const struct field fields[2]) {
    bool between = groups->first > 0;
    int sends = between && groups->rank >= groups->first, receives = between ? !sends : sends;
    const struct list *has = &fields[sends].has[groups->rank];
    const struct list *wants = &fields[receives].wants[groups->rank];
    make_buffer(&moved->in, has, fields[sends].element, groups->rank % 3);
    make_buffer(&moved->out, wants, fields[receives].element, (groups->rank + 1) % 3);
    moved->in_salt = 7 * sends;
    moved->out_salt = 7 * receives;
    bool sends_any = moved->in.count > 0, receives_any = moved->out.count > 0;
    CHECK_MPI(caucus_redistribute_init(
        sends_any ? buffer_address(moved->in.bytes) : NULL, has->count, has->range,
        sends_any ? moved->in.type : MPI_DATATYPE_NULL,
        receives_any ? buffer_address(moved->out.bytes) : NULL, wants->count, wants->range,
        receives_any ? moved->out.type : MPI_DATATYPE_NULL, groups->comm, MPI_INFO_NULL,
        &moved->request));
    MPI_Type_free(&moved->in.type); /* as in MPI, the request keeps what it needs */
    MPI_Type_free(&moved->out.type);
}

static void fill(struct moved *moved, int64_t salt) {
    size_t bytes = (size_t)moved->out.count * (size_t)moved->out.extent + 1;
    fill_values(&moved->in, moved->in.bytes, salt + moved->in_salt);
    fill_values(&moved->in, moved->in.expected, salt + moved->in_salt);
    fill_values(&moved->out, moved->out.expected, salt + moved->out_salt);
    memset(moved->out.bytes, GUARD, bytes);
}

static void verify_buffer(const struct buffer *buffer, const char *name) {
    for (int64_t i = 0; i < buffer->count * buffer->extent + 1; i++)
        CHECK(buffer->bytes[i] == buffer->expected[i],
              "%s: byte %lld of element %lld, index %lld, is %02x and should be %02x", name,
              (long long)(i % buffer->extent), (long long)(i / buffer->extent),
              i / buffer->extent < buffer->count ? (long long)buffer->index[i / buffer->extent]
                                                 : -1LL,
              buffer->bytes[i], buffer->expected[i]);
}

static void verify(const struct moved *moved) {
    verify_buffer(&moved->in, "in");
    verify_buffer(&moved->out, "out");
}

static void finish(struct moved *moved) {
    CHECK_MPI(caucus_request_free(&moved->request));
    struct buffer *buffers[] = {&moved->in, &moved->out};
    for (int i = 0; i < 2; i++) {
        free(buffers[i]->index);
        buffer_free(buffers[i]->bytes);
        free(buffers[i]->expected);
    }
}

#endif
