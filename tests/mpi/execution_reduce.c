/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions give what MPI gives: predefined operations on C types, pairs with gaps, operations of
 * the user, commutative or not, on datatypes with gaps and lower bounds, from buffers with gaps;
 * datatypes may be freed as soon as an operation is made.
 *
 * run: ranks=1,2,3,5
 * run: ranks=4 env=CAUCUS_SHARED_MEMORY=0 */
#include "schedules.h"

#include <stddef.h>

enum { COUNT = 37, FAR = 1 << 30 };

/* All operands are gathered in scratch, and combined there in the order of ranks. */
static void emit(struct caucus_builder *builder, int64_t bytes) {
    int32_t size = builder->group.size;
    struct caucus_place all = caucus_reserve_scratch(builder, size * bytes);
    for (int32_t other = 0; other < size; other++) {
        caucus_emit_receive(builder, other, caucus_at(all, other * bytes), bytes);
        caucus_emit_send(builder, other, in_at(0), bytes);
    }
    caucus_end_step(builder);
    caucus_emit_copy(builder, caucus_at(all, (size - 1) * bytes), out_at(0), bytes);
    caucus_end_step(builder);
    for (int32_t other = size - 1; other-- > 0;) {
        caucus_emit_reduce(builder, caucus_at(all, other * bytes), out_at(0), bytes);
        caucus_end_step(builder);
    }
}

static struct caucus_engine *engine;
static ptrdiff_t lower; /* where the first element begins, from the address that is given */

/* count elements of a type at in; the result must be what MPI_Allreduce gives, byte for byte in
 * what the type has. `owned` types are freed before the first run. */
static void check(const void *in, size_t bytes, int count, MPI_Datatype type, MPI_Op op, bool owned,
                  const char *what) {
    struct operation operation;
    struct caucus_builder builder;
    int element, size = world_size();
    char *out = calloc(bytes, 1), *expected = calloc(bytes, 1);
    CHECK(out && expected, "no memory");
    const char *given = (const char *)in - lower;
    MPI_Allreduce(given, expected - lower, count, type, op, MPI_COMM_WORLD);
    MPI_Type_size(type, &element);
    caucus_builder_init(&builder, size, world_rank());
    emit(&builder, (int64_t)count * element);
    struct buffers buffers = {.in = (void *)(uintptr_t)given,
                              .out = out - lower,
                              .in_count = count,
                              .out_count = count,
                              .type = type,
                              .op = op};
    make(&operation, engine, &builder, false, &buffers);
    if (owned)
        MPI_Type_free(&type);
    for (int again = 0; again < 2; again++) {
        memset(out, 0, bytes);
        run(&operation);
        CHECK(memcmp(out, expected, bytes) == 0, "%s", what);
    }
    destroy(&operation);
    free(out);
    free(expected);
}

static void check_integers(void) {
    const struct {
        MPI_Datatype type;
        const char *name;
    } types[] = {{MPI_SIGNED_CHAR, "signed char"},
                 {MPI_UNSIGNED_CHAR, "unsigned char"},
                 {MPI_SHORT, "short"},
                 {MPI_UNSIGNED_SHORT, "unsigned short"},
                 {MPI_INT, "int"},
                 {MPI_UNSIGNED, "unsigned"},
                 {MPI_LONG, "long"},
                 {MPI_UINT64_T, "uint64_t"},
                 {MPI_INT8_T, "int8_t"},
                 {MPI_AINT, "MPI_Aint"}};
    const MPI_Op ops[] = {MPI_SUM, MPI_PROD, MPI_MIN,  MPI_MAX, MPI_LAND,
                          MPI_LOR, MPI_LXOR, MPI_BAND, MPI_BOR, MPI_BXOR};
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (size_t o = 0; o < sizeof ops / sizeof *ops; o++) {
            int element;
            unsigned char in[COUNT * 8] = {0};
            MPI_Type_size(types[t].type, &element);
            for (int i = 0; i < COUNT; i++) /* little endian or not: some byte is not 0 */
                in[i * element] = (unsigned char)((world_rank() * 3 + i) % 5);
            check(in, sizeof in, COUNT, types[t].type, ops[o], false, types[t].name);
        }
}

static void check_reals(void) {
    float in[COUNT];
    double twice[COUNT];
    double _Complex complex[COUNT];
    const MPI_Op ops[] = {MPI_SUM, MPI_PROD, MPI_MIN, MPI_MAX};
    for (int i = 0; i < COUNT; i++) { /* exact in any order */
        in[i] = (float)((world_rank() + i) % 7 - 3);
        twice[i] = in[i];
        complex[i] = twice[i];
    }
    for (int o = 0; o < 4; o++) {
        check(in, sizeof in, COUNT, MPI_FLOAT, ops[o], false, "float");
        check(twice, sizeof twice, COUNT, MPI_DOUBLE, ops[o], false, "double");
    }
    check(complex, sizeof complex, COUNT, MPI_C_DOUBLE_COMPLEX, MPI_SUM, false, "complex");
}

static void check_pairs(void) {
    struct double_int {
        double value;
        int index;
    } real[COUNT];
    struct short_int {
        short value;
        int index;
    } small[COUNT];
    memset(real, 0, sizeof real);
    memset(small, 0, sizeof small);
    for (int i = 0; i < COUNT; i++) {
        real[i].value = (world_rank() * 5 + i) % 4;
        small[i].value = (short)real[i].value;
        real[i].index = small[i].index = world_rank();
    }
    check(real, sizeof real, COUNT, MPI_DOUBLE_INT, MPI_MAXLOC, false, "double and int");
    check(small, sizeof small, COUNT, MPI_SHORT_INT, MPI_MINLOC, false, "short and int");
}

/* An element as its user knows it: a gap before, within and behind. */
struct matrix {
    char before[8];
    double a, b;
    int nothing[2];
    double c, d;
    char behind[16];
};

static MPI_Datatype matrix_type(void) {
    int lengths[2] = {2, 2};
    MPI_Aint at[2] = {offsetof(struct matrix, a), offsetof(struct matrix, c)};
    MPI_Datatype types[2] = {MPI_DOUBLE, MPI_DOUBLE}, bare, made;
    MPI_Type_create_struct(2, lengths, at, types, &bare);
    MPI_Type_create_resized(bare, 0, sizeof(struct matrix), &made);
    MPI_Type_free(&bare);
    MPI_Type_commit(&made);
    return made;
}

static void multiply(void *in, void *inout, int *count, MPI_Datatype *type) {
    const struct matrix *x = in;
    struct matrix *y = inout;
    int size;
    MPI_Type_size(*type, &size);
    CHECK(size == 4 * (int)sizeof(double), "the user's function got another datatype");
    for (int i = 0; i < *count; i++) {
        double first = y[i].a, second = y[i].b; /* the gaps are nobody's */
        y[i].a = x[i].a * first + x[i].b * y[i].c;
        y[i].b = x[i].a * second + x[i].b * y[i].d;
        y[i].c = x[i].c * first + x[i].d * y[i].c;
        y[i].d = x[i].c * second + x[i].d * y[i].d;
    }
}

static void check_matrices(void) {
    MPI_Op product;
    struct matrix in[COUNT];
    memset(in, 0, sizeof in);
    for (int i = 0; i < COUNT; i++) {
        in[i].a = 1 + world_rank();
        in[i].b = i % 3;
        in[i].c = world_rank() % 2;
        in[i].d = 1;
    }
    MPI_Op_create(multiply, 0, &product);
    check(in, sizeof in, COUNT, matrix_type(), product, true, "matrices");
    MPI_Op_free(&product);
}

static void add_ints(void *in, void *inout, int *count, MPI_Datatype *type) {
    CHECK(*type == MPI_INT, "the user's function got another datatype");
    for (int i = 0; i < *count; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static void check_own_sum(void) {
    MPI_Op sum;
    int in[COUNT];
    for (int i = 0; i < COUNT; i++)
        in[i] = i * world_rank();
    MPI_Op_create(add_ints, 1, &sum);
    check(in, sizeof in, COUNT, MPI_INT, sum, false, "a sum of the user's");
    MPI_Op_free(&sum);
}

/* Far behind where they are said to be, as with absolute addresses: nothing else may be touched. */
static void add_far_ints(void *in, void *inout, int *count, MPI_Datatype *type) {
    (void)type;
    const int *more = (const int *)((const char *)in + FAR);
    int *sums = (int *)((char *)inout + FAR);
    for (int i = 0; i < *count; i++)
        sums[i] += more[i];
}

static void check_far(void) {
    MPI_Op sum;
    MPI_Datatype far;
    const int length = 1;
    const MPI_Aint at = FAR;
    int in[COUNT];
    for (int i = 0; i < COUNT; i++)
        in[i] = 1 + i * world_rank();
    MPI_Type_create_hindexed(1, &length, &at, MPI_INT, &far);
    MPI_Type_commit(&far);
    MPI_Op_create(add_far_ints, 1, &sum);
    lower = FAR;
    check(in, sizeof in, COUNT, far, sum, true, "integers that lie far behind");
    lower = 0;
    MPI_Op_free(&sum);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    engine = engine_of(MPI_COMM_WORLD);
    check_integers();
    check_reals();
    check_pairs();
    check_matrices();
    check_own_sum();
    check_far();
    MPI_Finalize();
    return 0;
}
