/* SPDX-License-Identifier: BSD-3-Clause */
/* One collective with one set of arguments, run several times on changed data and compared, byte by
 * byte, with what MPI's own blocking function does. */
#ifndef TESTS_MPI_COLLECTIVE_CASE_H
#define TESTS_MPI_COLLECTIVE_CASE_H

#include "buffer_memory.h"
#include "collective_call.h"

#include <limits.h>
#include <string.h>

enum { RESTARTS = 3, SLACK = 64 };

/* Elements and how they are combined. */
struct kind {
    const char *name;
    MPI_Datatype type;
    MPI_Op op; /* MPI_OP_NULL: not for reductions */
    int words; /* of 4 bytes that an element's extent has */
    void (*fill)(int *element, unsigned random);
};

/* Products of 2x2 matrices, modulo 2^32: associative, not commutative. */
static void multiply(void *in, void *inout, int *length, MPI_Datatype *type) {
    (void)type;
    for (int i = 0; i < *length; i++) {
        unsigned *l = (unsigned *)in + 4 * i, *r = (unsigned *)inout + 4 * i, product[4];
        for (int k = 0; k < 4; k++)
            product[k] = l[k & 2] * r[k & 1] + l[(k & 2) + 1] * r[(k & 1) + 2];
        memcpy(r, product, sizeof product);
    }
}

static void fill_word(int *element, unsigned random) {
    element[0] = (int)(random >> 12);
}
static void fill_words(int *element, unsigned random) {
    for (int i = 0; i < 4; i++)
        element[i] = (int)((random >> i) % 1000);
}
static void fill_double(int *element, unsigned random) {
    double value = random >> 16; /* whole numbers: sums are exact in any order */
    memcpy(element, &value, sizeof value);
}
static void fill_pair(int *element, unsigned random) {
    double value = random >> 28; /* often the same, so that places decide */
    memcpy(element, &value, sizeof value);
    element[2] = (int)(random % 100);
    element[3] = 0;
}

enum { INTS, DOUBLES, PAIRS, MATRICES, GAPS, KINDS };
static struct kind kinds[KINDS];

static inline void make_kinds(void) {
    MPI_Op product;
    MPI_Datatype matrix, gaps, raw;
    int lengths[] = {1, 2}, places[] = {0, 2};
    MPI_Op_create(multiply, 0, &product);
    MPI_Type_contiguous(4, MPI_INT, &matrix);
    MPI_Type_commit(&matrix);
    MPI_Type_indexed(2, lengths, places, MPI_INT, &raw);
    MPI_Type_create_resized(raw, 0, 5 * sizeof(int), &gaps);
    MPI_Type_commit(&gaps);
    MPI_Type_free(&raw);
    kinds[INTS] = (struct kind){"ints", MPI_INT, MPI_SUM, 1, fill_word};
    kinds[DOUBLES] = (struct kind){"doubles", MPI_DOUBLE, MPI_SUM, 2, fill_double};
    kinds[PAIRS] = (struct kind){"pairs", MPI_DOUBLE_INT, MPI_MAXLOC, 4, fill_pair};
    kinds[MATRICES] = (struct kind){"matrices", matrix, product, 4, fill_words};
    kinds[GAPS] = (struct kind){"gaps", gaps, MPI_OP_NULL, 5, fill_words};
}

static inline void free_kinds(void) {
    caucus_op_free(&kinds[MATRICES].op);
    MPI_Type_free(&kinds[MATRICES].type);
    MPI_Type_free(&kinds[GAPS].type);
}

struct test_case {
    enum caucus_collective collective;
    const struct kind *kind;
    int count, root, in_place, large;
    enum form form;
    const char *algorithm; /* NULL: Caucus's own choice */
    MPI_Comm comm;
};

static inline unsigned mix(unsigned value) {
    value = (value ^ (value >> 16)) * 0x7feb352du;
    value = (value ^ (value >> 15)) * 0x846ca68bu;
    return value ^ (value >> 16);
}

static inline void fill_elements(int *buffer, int words, const struct kind *kind, unsigned seed) {
    for (int at = 0, i = 0; at + kind->words <= words; at += kind->words, i++)
        kind->fill(buffer + at, mix(seed + (unsigned)i * 977u));
}

/* Blocks of different lengths, laid out backwards and with gaps; from says who sends to whom. */
static inline int lay_out(const struct test_case *c, struct arguments *a, int rank, int size) {
    int send_at = 0, receive_at = 0, bytes = c->kind->words * (int)sizeof(int);
    int gap = c->collective == CAUCUS_REDUCE_SCATTER ? 0 : 1;
    for (int i = size - 1; i >= 0; i--) {
        int toward = c->count * (1 + (rank + 2 * i) % 3) / 2,
            from = c->count * (1 + (i + 2 * rank) % 3) / 2;
        int listed = c->count * (1 + i % 3) / 2;
        bool pairs = c->collective == CAUCUS_ALLTOALLV || c->collective == CAUCUS_ALLTOALLW;
        if (pairs && c->in_place) /* what comes back is as long as what went */
            toward = from = c->count * (1 + (i + rank) % 3) / 2;
        a->i_send_counts[i] = pairs ? toward : listed;
        a->i_receive_counts[i] = pairs ? from : listed;
        a->i_send_places[i] = send_at;
        a->i_receive_places[i] = receive_at;
        a->l_send_counts[i] = a->i_send_counts[i];
        a->l_receive_counts[i] = a->i_receive_counts[i];
        a->l_send_places[i] = send_at;
        a->l_receive_places[i] = receive_at;
        a->l_send_bytes[i] = a->i_send_bytes[i] = send_at * bytes;
        a->l_receive_bytes[i] = a->i_receive_bytes[i] = receive_at * bytes;
        a->types[i] = c->kind->type;
        send_at += a->i_send_counts[i] + gap;
        receive_at += a->i_receive_counts[i] + gap;
    }
    return (send_at > receive_at ? send_at : receive_at) + size * c->count + SLACK;
}

static inline bool may_be_in_place(const struct test_case *c, int rank) {
    switch (c->collective) {
    case CAUCUS_BARRIER:
    case CAUCUS_BCAST:
        return false;
    case CAUCUS_REDUCE:
    case CAUCUS_GATHER:
    case CAUCUS_GATHERV:
    case CAUCUS_SCATTER:
    case CAUCUS_SCATTERV:
        return rank == c->root;
    default:
        return true;
    }
}

static inline void describe(const struct test_case *c, char *text, size_t size) {
    snprintf(text, size, "%s of %d %s, root %d, %s, form %d%s, algorithm %s",
             caucus_collective_name((int)c->collective), c->count, c->kind->name, c->root,
             c->in_place ? "in place" : "two buffers", (int)c->form, c->large ? " (_c)" : "",
             c->algorithm ? c->algorithm : "of its choice");
}

/* Three buffers of a side: what is sent, what Caucus makes of it, what MPI does. */
struct buffers {
    int words;
    int *send, *ours, *theirs;
};

static inline void point(const struct test_case *c, struct arguments *a, int rank, int *send,
                         int *receive) {
    bool scatters = c->collective == CAUCUS_SCATTER || c->collective == CAUCUS_SCATTERV;
    bool in_place = c->in_place && may_be_in_place(c, rank);
    a->send = in_place && !scatters ? MPI_IN_PLACE : send;
    a->receive = in_place && scatters ? MPI_IN_PLACE : receive;
}

static inline void renew(const struct test_case *c, struct buffers *b, int rank, int round) {
    unsigned seed = mix((unsigned)(rank * 131 + round * 7 + (int)c->collective));
    fill_elements(b->send, b->words, c->kind, seed);
    fill_elements(b->ours, b->words, c->kind, c->in_place ? seed : 1u + (unsigned)round);
    memcpy(b->theirs, b->ours, (size_t)b->words * sizeof(int));
}

/* A reduce_scatter in place may leave anything behind its result. */
static inline int result_elements(const struct test_case *c) {
    int rank;
    MPI_Comm_rank(c->comm, &rank);
    if (!c->in_place)
        return INT_MAX / 8;
    if (c->collective == CAUCUS_REDUCE_SCATTER)
        return c->count * (1 + rank % 3) / 2;
    return c->collective == CAUCUS_REDUCE_SCATTER_BLOCK ? c->count : INT_MAX / 8;
}

static inline void compare(const struct test_case *c, const struct buffers *b, int round) {
    char text[256];
    for (int i = 0; i < b->words && i < c->kind->words * result_elements(c); i++)
        if (b->ours[i] != b->theirs[i]) {
            describe(c, text, sizeof text);
            CHECK(false, "%s: round %d: word %d is %d, not %d", text, round, i, b->ours[i],
                  b->theirs[i]);
        }
}

static inline void run_rounds(const struct test_case *c, struct arguments *a,
                              caucus_request request, struct buffers *b) {
    int rank;
    MPI_Comm_rank(c->comm, &rank);
    for (int round = 0; round < RESTARTS; round++) {
        renew(c, b, rank, round);
        point(c, a, rank, buffer_address(b->send), buffer_address(b->ours));
        if (c->form != PERSISTENT)
            CHECK_MPI(call_collective(c->collective, c->form, c->large, a, &request));
        else
            CHECK_MPI(caucus_start(&request));
        if (c->form != BLOCKING)
            CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
        point(c, a, rank, b->send, b->theirs);
        CHECK_MPI(call_collective(c->collective, NATIVE, 0, a, NULL));
        compare(c, b, round);
    }
    if (c->form == PERSISTENT)
        CHECK_MPI(caucus_request_free(&request));
    CHECK(request == CAUCUS_REQUEST_NULL, "the request lives on");
}

/* False where the algorithm can't serve, which all ranks must find alike. */
static inline bool run_case(const struct test_case *c) {
    static struct arguments a; /* large */
    struct buffers b;
    caucus_request request = CAUCUS_REQUEST_NULL;
    int rank, size, code = MPI_SUCCESS;
    char text[256];
    MPI_Comm_rank(c->comm, &rank);
    MPI_Comm_size(c->comm, &size);
    a = (struct arguments){.type = c->kind->type,
                           .op = c->kind->op,
                           .root = c->root,
                           .comm = c->comm,
                           .info = MPI_INFO_NULL,
                           .count = c->count};
    b.words = lay_out(c, &a, rank, size) * c->kind->words;
    size_t bytes = (size_t)b.words * sizeof(int);
    b.send = buffer_new(bytes);
    b.ours = buffer_new(bytes);
    b.theirs = malloc(bytes);
    CHECK(b.send && b.ours && b.theirs, "no memory");
    if (c->algorithm) {
        MPI_Info_create(&a.info);
        MPI_Info_set(a.info, "caucus_algorithm", c->algorithm);
    }
    point(c, &a, rank, buffer_address(b.send), buffer_address(b.ours));
    if (c->form == PERSISTENT)
        code = call_collective(c->collective, PERSISTENT, c->large, &a, &request);
    if (c->algorithm)
        MPI_Info_free(&a.info);
    describe(c, text, sizeof text);
    CHECK(code == MPI_SUCCESS || (c->algorithm && strstr(caucus_error_text(), "can't serve")),
          "%s: %s", text, caucus_error_text());
    if (code == MPI_SUCCESS)
        run_rounds(c, &a, request, &b);
    buffer_free(b.send);
    buffer_free(b.ours);
    free(b.theirs);
    return code == MPI_SUCCESS;
}

#endif
