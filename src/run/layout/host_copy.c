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

/* The same places in other memory; owns nothing. */
static struct caucus_layout on_host(const struct caucus_host_copy *copy) {
    struct caucus_layout layout = copy->device;
    layout.base = copy->buffer;
    layout.on_device = false;
    return layout;
}

/* The first byte from base on, and how many lie from there to the last one. */
static int64_t span_of(const struct caucus_layout *layout, int64_t *first) {
    int64_t end = layout->blocks ? INT64_MIN : layout->bytes;
    *first = layout->blocks ? INT64_MAX : 0;
    for (int32_t i = 0; i < layout->blocks; i++) {
        const struct caucus_layout_block *block = &layout->block[i];
        int64_t length = (block->count - 1) * block->map->extent;
        int64_t at = block->displacement + block->map->true_lower;
        int64_t lowest = at + (length < 0 ? length : 0);
        int64_t highest = at + (length > 0 ? length : 0) + block->map->true_extent;
        *first = lowest < *first ? lowest : *first;
        end = highest > end ? highest : end;
    }
    return end - *first;
}

int caucus_host_copy_of(struct caucus_host_copy *copy, struct caucus_layout *layout) {
    int64_t first;
    copy->memory = NULL;
    if (!layout->on_device || !layout->base) {
        caucus_layout_free(layout);
        return CAUCUS_OK;
    }
    copy->device = *layout;
    copy->memory = caucus_array(span_of(layout, &first), 1);
    if (!copy->memory) {
        caucus_layout_free(layout);
        return CAUCUS_NO_MEMORY;
    }
    copy->buffer = caucus_layout_shifted(copy->memory, -first);
    struct caucus_layout host = on_host(copy);
    int status = move(&copy->device, &host);
    if (status)
        caucus_host_copy_drop(copy);
    return status;
}

int caucus_host_copy_make(struct caucus_host_copy *copy, int64_t count, MPI_Datatype type) {
    struct caucus_layout layout;
    int status = caucus_layout_elements(&layout, copy->buffer, count, type);
    return status ? status : caucus_host_copy_of(copy, &layout);
}

int caucus_host_copy_write_back(const struct caucus_host_copy *copy) {
    if (!copy->memory)
        return CAUCUS_OK;
    struct caucus_layout host = on_host(copy);
    return move(&host, &copy->device);
}

void caucus_host_copy_drop(struct caucus_host_copy *copy) {
    caucus_layout_free(&copy->device);
    free(copy->memory);
    copy->memory = NULL;
}
