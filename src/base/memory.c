/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

static _Thread_local int64_t refusals;

int64_t caucus_memory_refusals(void) {
    return refusals;
}

static void refuse(int64_t count, size_t size) {
    refusals++;
    caucus_fail(CAUCUS_NO_MEMORY, "out of memory: %lld elements of %zu bytes", (long long)count,
                size);
}

void *caucus_array(int64_t count, size_t size) {
    void *array = NULL;
    if (count >= 0 && (uint64_t)count <= SIZE_MAX / (size > 0 ? size : 1))
        array = calloc(count > 0 ? (size_t)count : 1, size);
    if (!array)
        refuse(count, size);
    return array;
}

void *caucus_array_copy(const void *source, int64_t count, size_t size) {
    void *array = caucus_array(count, size);
    if (array && count > 0)
        memcpy(array, source, (size_t)count * size);
    return array;
}

void *caucus_array_grow(void *array, int64_t count, int64_t *room, size_t size) {
    int64_t wider = *room > 0 ? 2 * *room : 64;
    if (count < *room)
        return array;
    void *grown = (uint64_t)wider <= INT64_MAX / size ? realloc(array, (size_t)wider * size) : NULL;
    if (grown)
        *room = wider;
    else
        refuse(wider, size);
    return grown;
}
