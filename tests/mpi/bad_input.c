/* SPDX-License-Identifier: BSD-3-Clause */
/* Every kind of bad argument, on all ranks and on one rank alone: all ranks get the same error
 * class and text, the error handler is called once on each, and nothing is made.
 * run: ranks=1,2,3,8
 * run: ranks=4 env=CAUCUS_NODES=cyclic:2 */
#include "check.h"

#include <caucus/caucus.h>

#include <limits.h>
#include <math.h>
#include <string.h>

static int handled;

static void count_call(MPI_Comm *comm, int *code, ...) {
    (void)comm, (void)code;
    handled++;
}

/* Good arguments, which a case spoils. */
struct arguments {
    int ndims, dims[12], periods[12], reorder;
    int has_dims, has_periods, has_result;
    double weights[12];
    int has_weights, noffsets, offsets[24], has_offsets;
    double stencil_weights[12];
    const char *key, *value;
    int nranks, free_dims[12];
    double extents[12];
};

static struct arguments good(void) {
    struct arguments a = {
        .ndims = 2, .reorder = 1, .has_dims = 1, .has_periods = 1, .has_result = 1};
    a.dims[0] = world_size();
    a.dims[1] = 1;
    a.has_weights = a.has_offsets = 1;
    a.noffsets = 2;
    a.offsets[0] = a.offsets[3] = 1;
    a.nranks = world_size();
    for (int i = 0; i < 12; i++)
        a.weights[i] = a.stencil_weights[i] = a.extents[i] = 1;
    return a;
}

enum function { CREATE, WEIGHTED, STENCIL, MAP, DIMS, FUNCTIONS };

static const char *const names[FUNCTIONS] = {"caucus_cart_create", "caucus_cart_create_weighted",
                                             "caucus_stencil_create", "caucus_cart_map",
                                             "caucus_dims_create"};

/* The result, a sentinel before the call, must be untouched after a failing one. */
static int call(enum function function, MPI_Comm comm, struct arguments *a) {
    MPI_Comm cart = MPI_COMM_SELF;
    MPI_Info info = MPI_INFO_NULL;
    int newrank = -77, code, before[12];
    const int *dims = a->has_dims ? a->dims : NULL, *periods = a->has_periods ? a->periods : NULL;
    const double *weights = a->has_weights ? a->weights : NULL;
    memcpy(before, a->free_dims, sizeof before);
    if (a->key) {
        MPI_Info_create(&info);
        MPI_Info_set(info, a->key, a->value);
    }
    if (function == CREATE)
        code = caucus_cart_create(comm, a->ndims, dims, periods, a->reorder,
                                  a->has_result ? &cart : NULL);
    else if (function == WEIGHTED)
        code = caucus_cart_create_weighted(comm, a->ndims, dims, periods, weights, a->reorder,
                                           a->has_result ? &cart : NULL);
    else if (function == STENCIL)
        code = caucus_stencil_create(comm, a->ndims, dims, periods, a->noffsets,
                                     a->has_offsets ? a->offsets : NULL, a->stencil_weights, info,
                                     a->reorder, a->has_result ? &cart : NULL);
    else if (function == MAP)
        code = caucus_cart_map(comm, a->ndims, dims, periods, a->has_result ? &newrank : NULL);
    else
        code = caucus_dims_create(comm, a->nranks, a->ndims, a->extents, periods,
                                  a->has_dims ? a->free_dims : NULL);
    if (code != MPI_SUCCESS)
        CHECK(cart == MPI_COMM_SELF && newrank == -77 &&
                  !memcmp(before, a->free_dims, sizeof before),
              "the result was touched");
    else if (cart != MPI_COMM_SELF && cart != MPI_COMM_NULL)
        MPI_Comm_free(&cart);
    if (info != MPI_INFO_NULL)
        MPI_Info_free(&info);
    return code;
}

static void check_same_text(MPI_Comm comm) {
    char text[2048] = "";
    snprintf(text, sizeof text, "%s", caucus_error_text());
    MPI_Bcast(text, sizeof text, MPI_CHAR, 0, comm);
    CHECK(strcmp(text, caucus_error_text()) == 0, "'%s' is not '%s'", caucus_error_text(), text);
}

static int spoiled; /* cases so far */

static void expect(enum function function, MPI_Comm comm, struct arguments *a, int class,
                   const char *words, const char *where) {
    int before = handled, got;
    int code = call(function, comm, a);
    MPI_Error_class(code, &got);
    CHECK(got == class, "%s, %s: class %d, not %d: %s", names[function], words, got, class,
          caucus_error_text());
    CHECK(handled == before + 1, "the handler was called %d times", handled - before);
    CHECK(strncmp(caucus_error_text(), names[function], strlen(names[function])) == 0, "%s",
          caucus_error_text());
    CHECK(strstr(caucus_error_text(), words) && strstr(caucus_error_text(), where),
          "'%s' lacks '%s' or '%s'", caucus_error_text(), words, where);
    check_same_text(comm);
    spoiled++;
}

/* Bad on all ranks, then on the last one alone. */
static void everywhere(enum function function, MPI_Comm comm, struct arguments bad, int class,
                       const char *words) {
    struct arguments a = good();
    char where[32];
    int last = world_size() - 1;
    expect(function, comm, &bad, class, words, ": rank 0: ");
    snprintf(where, sizeof where, ": rank %d: ", last);
    expect(function, comm, world_rank() == last ? &bad : &a, class, words, where);
}

/* Good by itself, but not what the others have. */
static void differing(enum function function, MPI_Comm comm, struct arguments other,
                      const char *words) {
    struct arguments a = good();
    if (world_size() > 1)
        expect(function, comm, world_rank() == 1 ? &other : &a, MPI_ERR_ARG, words,
               "differs between ranks: rank 0 has ");
}

#define SPOIL(function, class, words, ...)                                                         \
    do {                                                                                           \
        struct arguments a = good();                                                               \
        __VA_ARGS__;                                                                               \
        everywhere(function, comm, a, class, words);                                               \
    } while (0)

#define DIFFER(function, words, ...)                                                               \
    do {                                                                                           \
        struct arguments a = good();                                                               \
        __VA_ARGS__;                                                                               \
        differing(function, comm, a, words);                                                       \
    } while (0)

static void bad_grids(MPI_Comm comm) {
    for (enum function f = CREATE; f <= MAP; f++) {
        SPOIL(f, MPI_ERR_DIMS, "dims[1] is -2", a.dims[1] = -2);
        SPOIL(f, MPI_ERR_DIMS, "dims[0] is 0", a.dims[0] = 0);
        SPOIL(f, MPI_ERR_DIMS, "cells", a.dims[0] = world_size() + 1);
        SPOIL(f, MPI_ERR_DIMS, "the product", a.dims[0] = a.dims[1] = 65536);
        SPOIL(f, MPI_ERR_DIMS, "the product", a.ndims = 3;
              a.dims[0] = a.dims[1] = a.dims[2] = INT_MAX);
        SPOIL(f, MPI_ERR_DIMS, "ndims is -1", a.ndims = -1);
        SPOIL(f, MPI_ERR_DIMS, "ndims is 11", a.ndims = 11);
        if (f == WEIGHTED || f == STENCIL)
            SPOIL(f, MPI_ERR_DIMS, "ndims is 11", a.ndims = 11; a.reorder = 0);
        SPOIL(f, MPI_ERR_ARG, "dims is a null pointer", a.has_dims = 0);
        SPOIL(f, MPI_ERR_ARG, "periods is a null pointer", a.has_periods = 0);
        SPOIL(f, MPI_ERR_ARG, "null pointer", a.has_result = 0);
        DIFFER(f, "periods", a.periods[0] = 1);
        if (f != STENCIL) /* its offsets would be bad first */
            DIFFER(f, "ndims", a.ndims = 1);
        DIFFER(f, "dims", a.dims[0] = 1; a.dims[1] = world_size());
        if (f != MAP)
            DIFFER(f, "reorder", a.reorder = 0);
    }
}

static void bad_weights(MPI_Comm comm) {
    SPOIL(WEIGHTED, MPI_ERR_ARG, "weights[1] is nan", a.weights[1] = fabs((double)NAN));
    SPOIL(WEIGHTED, MPI_ERR_ARG, "weights[0] is -1", a.weights[0] = -1);
    SPOIL(WEIGHTED, MPI_ERR_ARG, "weights[0] is inf", a.weights[0] = INFINITY);
    SPOIL(WEIGHTED, MPI_ERR_ARG, "all weights are zero", a.weights[0] = a.weights[1] = 0);
    DIFFER(WEIGHTED, "weights", a.weights[0] = 5);
    DIFFER(WEIGHTED, "weights", a.has_weights = 0);
    SPOIL(STENCIL, MPI_ERR_ARG, "offset 1", a.offsets[3] = 0);
    SPOIL(STENCIL, MPI_ERR_ARG, "-3 offsets", a.noffsets = -3);
    SPOIL(STENCIL, MPI_ERR_ARG, "offsets is a null pointer", a.has_offsets = 0);
    SPOIL(STENCIL, MPI_ERR_ARG, "offset 0 is nan", a.stencil_weights[0] = fabs((double)NAN));
    SPOIL(STENCIL, MPI_ERR_ARG, "offset 1 is -1", a.stencil_weights[1] = -1);
    SPOIL(STENCIL, MPI_ERR_ARG, "all weights", a.stencil_weights[0] = a.stencil_weights[1] = 0);
    DIFFER(STENCIL, "noffsets", a.noffsets = 1);
    DIFFER(STENCIL, "offsets", a.offsets[0] = -1);
    SPOIL(STENCIL, MPI_ERR_ARG, "no such grid mapper", a.key = "caucus_cart_mapper"; a.value = "x");
    SPOIL(STENCIL, MPI_ERR_ARG, "from 0 to 1", a.key = "caucus_cart_threshold"; a.value = "2");
    SPOIL(STENCIL, MPI_ERR_ARG, "from 0 to 1", a.key = "caucus_cart_threshold"; a.value = "nan");
    SPOIL(STENCIL, MPI_ERR_ARG, "characters", a.key = "caucus_cart_mapper";
          a.value = "a value that goes on and on, and on, and on, and on, and on, and on");
    DIFFER(STENCIL, "caucus_cart_mapper", a.key = "caucus_cart_mapper"; a.value = "slabs");
}

static void bad_dims(MPI_Comm comm) {
    SPOIL(DIMS, MPI_ERR_DIMS, "nranks is 0", a.nranks = 0);
    SPOIL(DIMS, MPI_ERR_DIMS, "nranks is", a.nranks = world_size() + 1);
    SPOIL(DIMS, MPI_ERR_DIMS, "ndims is 11", a.ndims = 11);
    SPOIL(DIMS, MPI_ERR_DIMS, "ndims is -1", a.ndims = -1);
    SPOIL(DIMS, MPI_ERR_DIMS, "dims[1] is -4", a.free_dims[1] = -4);
    SPOIL(DIMS, MPI_ERR_DIMS, "does not divide", a.free_dims[0] = world_size() + 1);
    SPOIL(DIMS, MPI_ERR_DIMS, "does not divide", a.free_dims[0] = a.free_dims[1] = INT_MAX);
    if (world_size() > 1)
        SPOIL(DIMS, MPI_ERR_DIMS, "product", a.ndims = 0);
    SPOIL(DIMS, MPI_ERR_ARG, "dims is a null pointer", a.has_dims = 0);
    SPOIL(DIMS, MPI_ERR_ARG, "extents[0] is -1", a.extents[0] = -1);
    SPOIL(DIMS, MPI_ERR_ARG, "extents[1] is nan", a.extents[1] = fabs((double)NAN));
    DIFFER(DIMS, "extents", a.extents[0] = 9);
    DIFFER(DIMS, "nranks", a.nranks = 1);
}

static int class_of(int code) {
    int class;
    MPI_Error_class(code, &class);
    return class;
}

/* Communicators that can't serve: found by each rank for itself. */
static void bad_comms(MPI_Comm comm) {
    caucus_cart_report_data report;
    struct arguments a = good();
    MPI_Comm half, inter;
    int before, side = world_rank() % 2;
    for (enum function f = 0; f < FUNCTIONS; f++)
        CHECK(class_of(call(f, MPI_COMM_NULL, &a)) == MPI_ERR_COMM, "%s", names[f]);
    CHECK(class_of(caucus_comm_attach(MPI_COMM_NULL)) == MPI_ERR_COMM, "attach");
    CHECK(class_of(caucus_cart_report(MPI_COMM_NULL, &report)) == MPI_ERR_COMM, "report");
    before = handled;
    CHECK(class_of(caucus_cart_report(comm, &report)) == MPI_ERR_TOPOLOGY, "no grid");
    CHECK(handled == before + 1 && strstr(caucus_error_text(), "topology"), "%s",
          caucus_error_text());
    if (world_size() == 1)
        return;
    MPI_Comm_split(comm, side, 0, &half);
    MPI_Intercomm_create(half, 0, comm, 1 - side, 5, &inter);
    return_errors(inter);
    for (enum function f = 0; f < FUNCTIONS; f++) {
        CHECK(class_of(call(f, inter, &a)) == MPI_ERR_COMM, "%s", names[f]);
        CHECK(strstr(caucus_error_text(), "intercommunicator"), "%s", caucus_error_text());
    }
    CHECK(class_of(caucus_cart_report(inter, &report)) == MPI_ERR_COMM, "report");
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

static void bad_report(MPI_Comm comm) {
    struct arguments a = good();
    caucus_cart_report_data report;
    MPI_Comm cart;
    int before = handled;
    CHECK_MPI(caucus_cart_create(comm, a.ndims, a.dims, a.periods, 1, &cart));
    int last = world_rank() == world_size() - 1;
    CHECK(class_of(caucus_cart_report(cart, last ? NULL : &report)) == MPI_ERR_ARG, "report");
    CHECK(handled == before + 1, "the new communicator has another handler");
    MPI_Comm_free(&cart);
}

int main(int argc, char **argv) {
    MPI_Errhandler handler;
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    return_errors(MPI_COMM_WORLD);
    return_errors(MPI_COMM_SELF);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_create_errhandler(count_call, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    bad_grids(comm);
    bad_weights(comm);
    bad_dims(comm);
    bad_comms(comm);
    bad_report(comm);
    for (enum function f = 0; f < FUNCTIONS; f++) {
        struct arguments a = good();
        CHECK_MPI(call(f, comm, &a));
    }
    MPI_Errhandler_free(&handler);
    MPI_Comm_free(&comm);
    if (world_rank() == 0)
        printf("%d cases\n", spoiled);
    MPI_Finalize();
    return 0;
}
