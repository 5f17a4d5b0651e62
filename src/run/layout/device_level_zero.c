/* SPDX-License-Identifier: BSD-3-Clause */
/* Level Zero. It wants a context for every question: ours is one of each driver, which all of a
 * driver's memory is known to, whatever context of the program's it was allocated in. */
#include "run/layout/device_runtime.h"

#include <pthread.h>

/* Numbers of its interface. */
enum {
    CONTEXT_DESCRIPTION = 0xd,
    QUEUE_DESCRIPTION = 0xe,
    ALLOCATION_PROPERTIES = 0x17,
    TYPE_DEVICE = 2,
    SYNCHRONOUS = 1,
    FAILED = 1, /* no error of its own */
    MOST_DRIVERS = 8,
    MOST_DEVICES = 64
};

typedef void *handle;

struct context_description {
    int kind;
    const void *next;
    uint32_t flags;
};

struct queue_description {
    int kind;
    const void *next;
    uint32_t ordinal, index, flags;
    int mode, priority;
};

struct allocation {
    int kind;
    void *next;
    int type;
    uint64_t id, page_size;
};

struct region {
    uint32_t x, y, z, width, height, depth;
};

static int (*init)(uint32_t flags);
static int (*driver_get)(uint32_t *count, handle *drivers);
static int (*context_create)(handle driver, const struct context_description *description,
                             handle *context);
static int (*allocation_properties)(handle context, const void *address,
                                    struct allocation *properties, handle *device);
static int (*list_create)(handle context, handle device,
                          const struct queue_description *description, handle *list);
static int (*append_copy)(handle list, void *to, const void *from, size_t bytes, handle event,
                          uint32_t waits, handle *events);
static int (*append_copy_region)(handle list, void *to, const struct region *to_region,
                                 uint32_t to_pitch, uint32_t to_slice, const void *from,
                                 const struct region *from_region, uint32_t from_pitch,
                                 uint32_t from_slice, handle event, uint32_t waits, handle *events);

#define FUNCTION(pointer) ((void (**)(void))(void *)&(pointer))

static const struct caucus_device_symbol symbols[] = {
    {"zeInit", FUNCTION(init)},
    {"zeDriverGet", FUNCTION(driver_get)},
    {"zeContextCreate", FUNCTION(context_create)},
    {"zeMemGetAllocProperties", FUNCTION(allocation_properties)},
    {"zeCommandListCreateImmediate", FUNCTION(list_create)},
    {"zeCommandListAppendMemoryCopy", FUNCTION(append_copy)},
    {"zeCommandListAppendMemoryCopyRegion", FUNCTION(append_copy_region)},
    {NULL, NULL},
};

static handle contexts[MOST_DRIVERS];
static int context_count;

/* A list of commands for each device that was copied from or to: one thread at a time uses it. */
static struct {
    handle context, device, list;
} lists[MOST_DEVICES];
static int list_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool begin(void) {
    const struct context_description description = {.kind = CONTEXT_DESCRIPTION};
    handle drivers[MOST_DRIVERS];
    uint32_t count = MOST_DRIVERS;
    if (init(0) || driver_get(&count, drivers))
        return false;
    for (uint32_t i = 0; i < count && i < MOST_DRIVERS; i++)
        if (!context_create(drivers[i], &description, &contexts[context_count]))
            context_count++;
    return context_count > 0;
}

/* The context that knows it, with the device; NULL for what processors may touch. */
static handle find(const void *address, handle *device) {
    for (int i = 0; i < context_count; i++) {
        struct allocation found = {.kind = ALLOCATION_PROPERTIES};
        if (!allocation_properties(contexts[i], address, &found, device) &&
            found.type == TYPE_DEVICE)
            return contexts[i];
    }
    return NULL;
}

static bool owns(const void *address) {
    handle device;
    return find(address, &device) != NULL;
}

/* Under the lock. */
static int list_of(handle context, handle device, handle *list) {
    const struct queue_description description = {.kind = QUEUE_DESCRIPTION, .mode = SYNCHRONOUS};
    for (int i = 0; i < list_count; i++)
        if (lists[i].context == context && lists[i].device == device) {
            *list = lists[i].list;
            return 0;
        }
    if (list_count == MOST_DEVICES)
        return FAILED;
    int error = list_create(context, device, &description, list);
    if (error)
        return error;
    lists[list_count].context = context;
    lists[list_count].device = device;
    lists[list_count++].list = *list;
    return 0;
}

static int copy_runs(handle list, const struct caucus_device_copy *copy) {
    if (copy->count == 1)
        return append_copy(list, copy->to, copy->from, (size_t)copy->bytes, NULL, 0, NULL);
    const struct region region = {
        .width = (uint32_t)copy->bytes, .height = (uint32_t)copy->count, .depth = 1};
    return append_copy_region(list, copy->to, &region, (uint32_t)copy->to_stride, 0, copy->from,
                              &region, (uint32_t)copy->from_stride, 0, NULL, 0, NULL);
}

static int copy(const struct caucus_device_copy *copy) {
    handle device, list;
    handle context = find(copy->device, &device);
    if (!context)
        return FAILED;
    pthread_mutex_lock(&lock);
    int error = list_of(context, device, &list);
    if (!error)
        error = copy_runs(list, copy);
    pthread_mutex_unlock(&lock);
    return error;
}

const struct caucus_device_runtime caucus_device_level_zero = {
    .name = "Level Zero",
    .library = "libze_loader.so",
    .symbols = symbols,
    .begin = begin,
    .owns = owns,
    .copy = copy,
    .queries = {"MPIX_Query_ze_support"},
};
