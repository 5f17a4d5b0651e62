/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/collective/predefined.h"

#include "base/status.h"

#include <stddef.h>

/* The groups of MPI-4.1, section 6.9.2. Where implementations take more than the standard asks
 * (characters as integers, logical operations on real numbers) so does this table. */
enum group { INTEGER = 1, REAL = 2, LOGICAL = 4, COMPLEX = 8, BYTES = 16, PAIR = 32, TEXT = 64 };

#define TYPE(name, group) {name, #name, group}
static const struct {
    MPI_Datatype type;
    const char *name;
    unsigned group;
} types[] = {
    TYPE(MPI_INT, INTEGER),
    TYPE(MPI_DOUBLE, REAL),
    TYPE(MPI_BYTE, BYTES),
    TYPE(MPI_FLOAT, REAL),
    TYPE(MPI_CHAR, INTEGER),
    TYPE(MPI_LONG, INTEGER),
    TYPE(MPI_INT64_T, INTEGER),
    TYPE(MPI_UINT64_T, INTEGER),
    TYPE(MPI_INT32_T, INTEGER),
    TYPE(MPI_UINT32_T, INTEGER),
    TYPE(MPI_UNSIGNED, INTEGER),
    TYPE(MPI_UNSIGNED_LONG, INTEGER),
    TYPE(MPI_LONG_LONG, INTEGER),
    TYPE(MPI_UNSIGNED_LONG_LONG, INTEGER),
    TYPE(MPI_SHORT, INTEGER),
    TYPE(MPI_UNSIGNED_SHORT, INTEGER),
    TYPE(MPI_SIGNED_CHAR, INTEGER),
    TYPE(MPI_UNSIGNED_CHAR, INTEGER),
    TYPE(MPI_INT8_T, INTEGER),
    TYPE(MPI_UINT8_T, INTEGER),
    TYPE(MPI_INT16_T, INTEGER),
    TYPE(MPI_UINT16_T, INTEGER),
    TYPE(MPI_AINT, INTEGER),
    TYPE(MPI_OFFSET, INTEGER),
    TYPE(MPI_COUNT, INTEGER),
    TYPE(MPI_LONG_DOUBLE, REAL),
    TYPE(MPI_C_BOOL, LOGICAL),
    TYPE(MPI_C_FLOAT_COMPLEX, COMPLEX),
    TYPE(MPI_C_DOUBLE_COMPLEX, COMPLEX),
    TYPE(MPI_C_LONG_DOUBLE_COMPLEX, COMPLEX),
    TYPE(MPI_FLOAT_INT, PAIR),
    TYPE(MPI_DOUBLE_INT, PAIR),
    TYPE(MPI_LONG_INT, PAIR),
    TYPE(MPI_2INT, PAIR),
    TYPE(MPI_SHORT_INT, PAIR),
    TYPE(MPI_LONG_DOUBLE_INT, PAIR),
    TYPE(MPI_WCHAR, TEXT),
    TYPE(MPI_PACKED, TEXT),
};
#undef TYPE

enum {
    ORDERED = INTEGER | REAL,
    NUMBER = INTEGER | REAL | COMPLEX,
    TRUTH = INTEGER | REAL | LOGICAL,
    BITS = INTEGER | BYTES
};

#define OPERATION(name, groups) {name, #name, groups}
static const struct {
    MPI_Op op;
    const char *name;
    unsigned groups;
} operations[] = {
    OPERATION(MPI_SUM, NUMBER),  OPERATION(MPI_MAX, ORDERED), OPERATION(MPI_MIN, ORDERED),
    OPERATION(MPI_PROD, NUMBER), OPERATION(MPI_LAND, TRUTH),  OPERATION(MPI_LOR, TRUTH),
    OPERATION(MPI_LXOR, TRUTH),  OPERATION(MPI_BAND, BITS),   OPERATION(MPI_BOR, BITS),
    OPERATION(MPI_BXOR, BITS),   OPERATION(MPI_MAXLOC, PAIR), OPERATION(MPI_MINLOC, PAIR),
    OPERATION(MPI_REPLACE, 0),   OPERATION(MPI_NO_OP, 0),
};
#undef OPERATION

enum { TYPES = sizeof types / sizeof *types, OPERATIONS = sizeof operations / sizeof *operations };

static int find_type(MPI_Datatype type) {
    int i = 0;
    while (i < TYPES && types[i].type != type)
        i++;
    return i;
}

static int find_operation(MPI_Op op) {
    int i = 0;
    while (i < OPERATIONS && operations[i].op != op)
        i++;
    return i;
}

const char *caucus_datatype_name(MPI_Datatype type) {
    int i = find_type(type);
    return i < TYPES ? types[i].name : NULL;
}

const char *caucus_operation_name(MPI_Op op) {
    int i = find_operation(op);
    return i < OPERATIONS ? operations[i].name : NULL;
}

bool caucus_operation_is_exact(MPI_Op op, MPI_Datatype type) {
    int at = find_type(type);
    unsigned exact = INTEGER | LOGICAL | BYTES;
    return find_operation(op) < OPERATIONS && at < TYPES && (types[at].group & exact);
}

bool caucus_operation_rounds(MPI_Op op, MPI_Datatype type) {
    int at = find_type(type);
    return find_operation(op) < OPERATIONS && at < TYPES && (types[at].group & (REAL | COMPLEX));
}

/* Fortran's types, and what else an MPI has of its own, are left to MPI. */
static bool is_derived(MPI_Datatype type) {
    int integers, addresses, datatypes, combiner;
    if (PMPI_Type_get_envelope(type, &integers, &addresses, &datatypes, &combiner) != MPI_SUCCESS)
        return true;
    return combiner != MPI_COMBINER_NAMED && combiner != MPI_COMBINER_F90_REAL &&
           combiner != MPI_COMBINER_F90_INTEGER && combiner != MPI_COMBINER_F90_COMPLEX;
}

int caucus_operation_takes(MPI_Op op, MPI_Datatype type, const char *type_name) {
    int operation = find_operation(op), known = find_type(type);
    if (op == MPI_OP_NULL)
        return caucus_fail(CAUCUS_BAD_OPERATION, "op is MPI_OP_NULL");
    if (operation == OPERATIONS)
        return CAUCUS_OK;
    const char *name = operations[operation].name;
    if (!operations[operation].groups)
        return caucus_fail(CAUCUS_BAD_OPERATION, "op is %s, which is for one-sided calls only",
                           name);
    if (known < TYPES && !(operations[operation].groups & types[known].group))
        return caucus_fail(CAUCUS_BAD_OPERATION, "op is %s, which does not take %s, the %s", name,
                           types[known].name, type_name);
    if (known == TYPES && is_derived(type))
        return caucus_fail(CAUCUS_BAD_OPERATION,
                           "op is %s, which takes MPI's own datatypes only, but %s is derived",
                           name, type_name);
    return CAUCUS_OK;
}
