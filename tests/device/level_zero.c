/* SPDX-License-Identifier: BSD-3-Clause */
/* As much of Level Zero as Caucus calls: two drivers, of which the second has the device. */
#include "memory.h"

#define PUBLIC __attribute__((visibility("default")))

enum { INVALID = 0x78000004, UNKNOWN = 0, HOST = 1, DEVICE = 2, SHARED = 3 };

struct description {
    int kind;
    const void *next;
};

struct queue_description {
    int kind;
    const void *next;
    uint32_t ordinal, index, flags;
    int mode, priority;
};

struct properties {
    int kind;
    void *next;
    int type;
    uint64_t id, page_size;
};

struct region {
    uint32_t x, y, z, width, height, depth;
};

static char drivers[2], contexts[2], card, list;
static bool is_begun;

PUBLIC int zeInit(uint32_t flags);
PUBLIC int zeDriverGet(uint32_t *count, void **found);
PUBLIC int zeContextCreate(const void *driver, const struct description *description,
                           void **context);
PUBLIC int zeMemGetAllocProperties(const void *context, const void *address,
                                   struct properties *properties, void **device_of_it);
PUBLIC int zeCommandListCreateImmediate(const void *context, const void *device_of_it,
                                        const struct queue_description *description, void **made);
PUBLIC int zeCommandListAppendMemoryCopy(const void *commands, void *to, const void *from,
                                         size_t bytes, void *event, uint32_t waits, void **events);
PUBLIC int zeCommandListAppendMemoryCopyRegion(const void *commands, void *to,
                                               const struct region *to_region, uint32_t to_pitch,
                                               uint32_t to_slice, const void *from,
                                               const struct region *from_region,
                                               uint32_t from_pitch, uint32_t from_slice,
                                               void *event, uint32_t waits, void **events);

int zeInit(uint32_t flags) {
    is_begun = flags == 0;
    return is_begun ? 0 : INVALID;
}

int zeDriverGet(uint32_t *count, void **found) {
    if (!is_begun || *count < 2)
        return INVALID;
    *count = 2;
    found[0] = &drivers[0];
    found[1] = &drivers[1];
    return 0;
}

int zeContextCreate(const void *driver, const struct description *description, void **context) {
    if (description->kind != 0xd || (driver != &drivers[0] && driver != &drivers[1]))
        return INVALID;
    *context = &contexts[driver == &drivers[1]];
    return 0;
}

int zeMemGetAllocProperties(const void *context, const void *address, struct properties *properties,
                            void **device_of_it) {
    static const int types[] = {DEVICE, DEVICE, DEVICE, SHARED, HOST, UNKNOWN};
    const struct allocation *at = context == &contexts[1] ? find(address) : NULL;
    asked++;
    if (properties->kind != 0x17)
        return INVALID;
    properties->type = at ? types[at->kind] : UNKNOWN;
    *device_of_it = at ? &card : NULL;
    return 0;
}

int zeCommandListCreateImmediate(const void *context, const void *device_of_it,
                                 const struct queue_description *description, void **made) {
    if (context != &contexts[1] || device_of_it != &card || description->kind != 0xe ||
        description->mode != 1)
        return INVALID;
    *made = &list;
    return 0;
}

static int run(const void *commands, const struct queued *copy) {
    if (commands != &list || !enqueue(copy))
        return INVALID;
    run_queue();
    return 0;
}

int zeCommandListAppendMemoryCopy(const void *commands, void *to, const void *from, size_t bytes,
                                  void *event, uint32_t waits, void **events) {
    const struct queued copy = {to, from, bytes, 1, 0, 0};
    return event || waits || events ? INVALID : run(commands, &copy);
}

int zeCommandListAppendMemoryCopyRegion(const void *commands, void *to,
                                        const struct region *to_region, uint32_t to_pitch,
                                        uint32_t to_slice, const void *from,
                                        const struct region *from_region, uint32_t from_pitch,
                                        uint32_t from_slice, void *event, uint32_t waits,
                                        void **events) {
    const struct queued copy = {to,       from,      to_region->width, to_region->height,
                                to_pitch, from_pitch};
    bool plain = !to_region->x && !to_region->y && !to_region->z && to_region->depth == 1 &&
                 memcmp(to_region, from_region, sizeof *to_region) == 0;
    return !plain || to_slice || from_slice || event || waits || events ? INVALID
                                                                        : run(commands, &copy);
}

int standin_errors(void) {
    return queued;
}
