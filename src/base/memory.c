/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

void *caucus_array(int64_t count, size_t size) {
    void *array = NULL;
    if (count >= 0 && (uint64_t)count <= SIZE_MAX / (size > 0 ? size : 1))
        array = calloc(count > 0 ? (size_t)count : 1, size);
    if (!array)
        caucus_fail(CAUCUS_NO_MEMORY, "out of memory: %lld elements of %zu bytes", (long long)count,
                    size);
    return array;
}

void *caucus_array_copy(const void *source, int64_t count, size_t size) {
    void *array = caucus_array(count, size);
    if (array && count > 0)
        memcpy(array, source, (size_t)count * size);
    return array;
}
