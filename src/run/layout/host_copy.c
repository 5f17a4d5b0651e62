/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/layout/host_copy.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>

enum { PIECE = 1 << 20 };

/* By packed bytes, a piece at a time. */
static int move(const struct caucus_layout *from, const struct caucus_layout *to) {
    int64_t room = from->bytes < PIECE ? from->bytes : PIECE;
    char *packed = caucus_array(room, 1);
    int status = packed ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    for (int64_t done = 0; done < from->bytes && !status; done += room) {
        int64_t length = from->bytes - done < room ? from->bytes - done : room;
        status = caucus_layout_pack(from, done, length, packed);
        if (!status)
            status = caucus_layout_unpack(to, done, length, packed);
    }
    free(packed);
    return status;
}

/* Memory for what the elements span, wherever that begins. */
static int make_room(struct caucus_host_copy *copy, int64_t count, MPI_Datatype type) {
    struct caucus_type_map *map;
    int64_t span;
    int status = caucus_type_map_create(type, &map);
    if (status)
        return status;
    int64_t extent = map->extent < 0 ? -map->extent : map->extent;
    int64_t before = (map->extent < 0 ? (count - 1) * extent : 0) - map->true_lower;
    if (__builtin_mul_overflow(count - 1, extent, &span) ||
        __builtin_add_overflow(span, map->true_extent, &span))
        status = caucus_fail(CAUCUS_BAD_COUNT, "the buffer is longer than 2^63 bytes");
    caucus_type_map_release(map);
    if (status)
        return status;
    copy->memory = caucus_array(span, 1);
    copy->buffer = copy->memory ? caucus_layout_shifted(copy->memory, before) : NULL;
    return copy->memory ? CAUCUS_OK : CAUCUS_NO_MEMORY;
}

/* Nothing at MPI_BOTTOM has a shape of its own. */
int caucus_host_copy_make(struct caucus_host_copy *copy, int64_t count, MPI_Datatype type) {
    if (!copy->buffer)
        return CAUCUS_OK;
    int status = caucus_layout_elements(&copy->device, copy->buffer, count, type);
    if (status || !copy->device.on_device) {
        if (!status)
            caucus_layout_free(&copy->device);
        return status;
    }
    status = make_room(copy, count, type);
    if (status) {
        caucus_layout_free(&copy->device);
        return status;
    }
    status = caucus_layout_elements(&copy->host, copy->buffer, count, type);
    if (!status)
        status = move(&copy->device, &copy->host);
    if (status)
        caucus_host_copy_drop(copy);
    return status;
}

int caucus_host_copy_write_back(const struct caucus_host_copy *copy) {
    return copy->memory ? move(&copy->host, &copy->device) : CAUCUS_OK;
}

void caucus_host_copy_drop(struct caucus_host_copy *copy) {
    caucus_layout_free(&copy->device);
    caucus_layout_free(&copy->host);
    free(copy->memory);
    copy->memory = NULL;
}
