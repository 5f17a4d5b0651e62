/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/execution/reduction.h"

#include <stdbool.h>
#include <stddef.h>

enum operation { SUM, PROD, MIN, MAX, LAND, LOR, LXOR, BAND, BOR, BXOR, OPERATIONS };
enum kind { I8, U8, I16, U16, I32, U32, I64, U64, F32, F64, BOOL, BYTES, KINDS };

/* NOLINTBEGIN(bugprone-macro-parentheses): types can't be in parentheses */
#define KERNEL(name, type, expression)                                                             \
    static void name(const void *restrict source, void *restrict target, int64_t count) {          \
        const type *restrict a = source;                                                           \
        type *restrict b = target;                                                                 \
        for (int64_t i = 0; i < count; i++)                                                        \
            b[i] = (type)(expression);                                                             \
    }

/* Sums and products of signed numbers wrap around, as the same unsigned ones do; small ones are
 * widened, for their product is computed as an int otherwise. */
#define ARITHMETIC(suffix, type, wide)                                                             \
    KERNEL(sum_##suffix, type, (wide)a[i] + (wide)b[i])                                            \
    KERNEL(prod_##suffix, type, (wide)a[i] * (wide)b[i])                                           \
    KERNEL(min_##suffix, type, a[i] < b[i] ? a[i] : b[i])                                          \
    KERNEL(max_##suffix, type, a[i] > b[i] ? a[i] : b[i])

#define LOGICAL(suffix, type)                                                                      \
    KERNEL(land_##suffix, type, a[i] && b[i])                                                      \
    KERNEL(lor_##suffix, type, a[i] || b[i])                                                       \
    KERNEL(lxor_##suffix, type, !a[i] != !b[i])

#define BITWISE(suffix, type)                                                                      \
    KERNEL(band_##suffix, type, a[i] & b[i])                                                       \
    KERNEL(bor_##suffix, type, a[i] | b[i])                                                        \
    KERNEL(bxor_##suffix, type, a[i] ^ b[i])

#define INTEGER(suffix, type, wide)                                                                \
    ARITHMETIC(suffix, type, wide)                                                                 \
    LOGICAL(suffix, type)                                                                          \
    BITWISE(suffix, type)

INTEGER(i8, int8_t, uint32_t)
INTEGER(u8, uint8_t, uint32_t)
INTEGER(i16, int16_t, uint32_t)
INTEGER(u16, uint16_t, uint32_t)
INTEGER(i32, int32_t, uint32_t)
INTEGER(u32, uint32_t, uint32_t)
INTEGER(i64, int64_t, uint64_t)
INTEGER(u64, uint64_t, uint64_t)
ARITHMETIC(f32, float, float)
ARITHMETIC(f64, double, double)
LOGICAL(bool, bool)
/* NOLINTEND(bugprone-macro-parentheses) */

#define ARITHMETIC_ROW(suffix)                                                                     \
    [SUM] = sum_##suffix, [PROD] = prod_##suffix, [MIN] = min_##suffix, [MAX] = max_##suffix
#define LOGICAL_ROW(suffix) [LAND] = land_##suffix, [LOR] = lor_##suffix, [LXOR] = lxor_##suffix
#define BITWISE_ROW(suffix) [BAND] = band_##suffix, [BOR] = bor_##suffix, [BXOR] = bxor_##suffix
#define INTEGER_ROW(suffix) {ARITHMETIC_ROW(suffix), LOGICAL_ROW(suffix), BITWISE_ROW(suffix)}

static caucus_kernel *const kernels[KINDS][OPERATIONS] = {
    [I8] = INTEGER_ROW(i8),        [U8] = INTEGER_ROW(u8),       [I16] = INTEGER_ROW(i16),
    [U16] = INTEGER_ROW(u16),      [I32] = INTEGER_ROW(i32),     [U32] = INTEGER_ROW(u32),
    [I64] = INTEGER_ROW(i64),      [U64] = INTEGER_ROW(u64),     [F32] = {ARITHMETIC_ROW(f32)},
    [F64] = {ARITHMETIC_ROW(f64)}, [BOOL] = {LOGICAL_ROW(bool)}, [BYTES] = {BITWISE_ROW(u8)},
};

#define SIGNED(type)                                                                               \
    (sizeof(type) == 1 ? I8 : sizeof(type) == 2 ? I16 : sizeof(type) == 4 ? I32 : I64)
#define UNSIGNED(type)                                                                             \
    (sizeof(type) == 1 ? U8 : sizeof(type) == 2 ? U16 : sizeof(type) == 4 ? U32 : U64)

static int kind_of(MPI_Datatype type) {
    /* No switch, no static table: in some MPIs handles are addresses that only a run knows. */
    const struct {
        MPI_Datatype type;
        int kind;
    } known[] = {
        {MPI_DOUBLE, F64},
        {MPI_FLOAT, F32},
        {MPI_INT, SIGNED(int)},
        {MPI_LONG, SIGNED(long)},
        {MPI_UNSIGNED, UNSIGNED(unsigned)},
        {MPI_UNSIGNED_LONG, UNSIGNED(unsigned long)},
        {MPI_INT8_T, I8},
        {MPI_UINT8_T, U8},
        {MPI_INT16_T, I16},
        {MPI_UINT16_T, U16},
        {MPI_INT32_T, I32},
        {MPI_UINT32_T, U32},
        {MPI_INT64_T, I64},
        {MPI_UINT64_T, U64},
        {MPI_SHORT, SIGNED(short)},
        {MPI_UNSIGNED_SHORT, UNSIGNED(unsigned short)},
        {MPI_LONG_LONG, SIGNED(long long)},
        {MPI_UNSIGNED_LONG_LONG, UNSIGNED(unsigned long long)},
        {MPI_SIGNED_CHAR, I8},
        {MPI_UNSIGNED_CHAR, U8},
        {MPI_AINT, SIGNED(MPI_Aint)},
        {MPI_OFFSET, SIGNED(MPI_Offset)},
        {MPI_COUNT, SIGNED(MPI_Count)},
        {MPI_C_BOOL, sizeof(bool) == 1 ? BOOL : KINDS},
        {MPI_BYTE, BYTES},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].type == type)
            return known[i].kind;
    return KINDS;
}

static int operation_of(MPI_Op op) {
    const MPI_Op known[OPERATIONS] = {
        [SUM] = MPI_SUM, [PROD] = MPI_PROD, [MIN] = MPI_MIN,   [MAX] = MPI_MAX, [LAND] = MPI_LAND,
        [LOR] = MPI_LOR, [LXOR] = MPI_LXOR, [BAND] = MPI_BAND, [BOR] = MPI_BOR, [BXOR] = MPI_BXOR,
    };
    int operation = 0;
    while (operation < OPERATIONS && known[operation] != op)
        operation++;
    return operation;
}

caucus_kernel *caucus_kernel_find(MPI_Op op, MPI_Datatype type) {
    int kind = kind_of(type), operation = operation_of(op);
    return kind < KINDS && operation < OPERATIONS ? kernels[kind][operation] : NULL;
}
