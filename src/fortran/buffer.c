/* SPDX-License-Identifier: BSD-3-Clause */
#include "fortran/constants.h"
#include "fortran/glue.h"

#include "api/common/raise.h"
#include "base/status.h"
#include "run/layout/section.h"

#include <stdlib.h>
#include <string.h>

/* The extent of the last dimension of an array of assumed size, which has no gaps. */
enum { ASSUMED_SIZE = -1 };

static bool has_gaps(const CFI_cdesc_t *array) {
    CFI_index_t next = (CFI_index_t)array->elem_len;
    for (int i = 0; i < array->rank; i++)
        if (array->dim[i].extent == 0)
            return false;
    for (int i = 0; i < array->rank && array->dim[i].extent != ASSUMED_SIZE; i++) {
        if (array->dim[i].extent > 1 && array->dim[i].sm != next)
            return true;
        next *= array->dim[i].extent;
    }
    return false;
}

static size_t bytes_of(const CFI_cdesc_t *array) {
    size_t bytes = array->elem_len;
    for (int i = 0; i < array->rank; i++)
        bytes *= (size_t)array->dim[i].extent;
    return bytes;
}

/* Copies all elements, in Fortran's order, into the copy or out of it. */
static void copy_elements(const CFI_cdesc_t *array, char *copy, bool out) {
    CFI_index_t at[CFI_MAX_RANK] = {0};
    int dimension = 0;
    while (dimension < array->rank) {
        char *element = array->base_addr;
        for (int i = 0; i < array->rank; i++)
            element += at[i] * array->dim[i].sm;
        memcpy(out ? element : copy, out ? copy : element, array->elem_len);
        copy += array->elem_len;
        for (dimension = 0; dimension < array->rank; dimension++) {
            if (++at[dimension] < array->dim[dimension].extent)
                break;
            at[dimension] = 0;
        }
    }
}

static void *address_of(const CFI_cdesc_t *given) {
    const struct caucus_f_constants *constants = caucus_f_constants();
    if (given->base_addr == constants->in_place)
        return MPI_IN_PLACE;
    return given->base_addr == constants->bottom ? MPI_BOTTOM : given->base_addr;
}

int caucus_f_buffer_open(struct caucus_f_buffer *buffer, const CFI_cdesc_t *given,
                         const char *function) {
    *buffer = (struct caucus_f_buffer){.address = address_of(given)};
    if (!has_gaps(given))
        return MPI_SUCCESS;
    buffer->address = malloc(bytes_of(given));
    if (!buffer->address)
        return caucus_raise(MPI_COMM_SELF, NULL, function,
                            caucus_fail(CAUCUS_NO_MEMORY, "no memory for a copy of a section"));
    buffer->section = given;
    copy_elements(given, buffer->address, false);
    return MPI_SUCCESS;
}

void caucus_f_buffer_close(struct caucus_f_buffer *buffer, bool written) {
    if (!buffer->section)
        return;
    if (written)
        copy_elements(buffer->section, buffer->address, true);
    free(buffer->address);
}

void *caucus_f_address(const CFI_cdesc_t *given) {
    return has_gaps(given) ? caucus_array_section() : address_of(given);
}
