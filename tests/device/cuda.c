/* SPDX-License-Identifier: BSD-3-Clause */
/* As much of the driver of CUDA as Caucus calls, and as strict as it is: nothing is copied without
 * a context, nor before its stream is waited for. */
#include "memory.h"

#define PUBLIC __attribute__((visibility("default")))
#define PER_THREAD ((void *)2)

typedef unsigned long long device_address;
enum { INVALID_VALUE = 1, NO_CONTEXT = 201, BAD_HANDLE = 400, DEPTH = 16 };

static char contexts[2]; /* one of the program's, and the primary one */
static int retained;
static _Thread_local void *stack[DEPTH];
static _Thread_local int depth;

PUBLIC int cuPointerGetAttribute(void *value, int attribute, device_address address);
PUBLIC int cuDeviceGet(int *number, int ordinal);
PUBLIC int cuDeviceGetAttribute(int *value, int attribute, int number);
PUBLIC int cuDevicePrimaryCtxRetain(void **context, int number);
PUBLIC int cuDevicePrimaryCtxRelease_v2(int number);
PUBLIC int cuCtxPushCurrent_v2(void *context);
PUBLIC int cuCtxPopCurrent_v2(void **context);
PUBLIC int cuMemcpyAsync(device_address to, device_address from, size_t bytes, void *stream);
PUBLIC int cuMemcpy2DAsync_v2(const void *copy, void *stream);
PUBLIC int cuStreamSynchronize(void *stream);

int cuPointerGetAttribute(void *value, int attribute, device_address address) {
    const struct allocation *at = find((const void *)(uintptr_t)address);
    asked++;
    if (!at)
        return INVALID_VALUE;
    bool managed = at->kind == STANDIN_MANAGED || at->kind == STANDIN_APART;
    switch (attribute) {
    case 1:
        *(void **)value = at->kind == STANDIN_POOL ? NULL : &contexts[0];
        return 0;
    case 2:
        *(unsigned *)value = at->kind == STANDIN_PINNED ? 1 : 2;
        return 0;
    case 8:
        *(unsigned *)value = managed;
        return 0;
    case 9:
        *(int *)value = at->kind == STANDIN_APART;
        return 0;
    default:
        return INVALID_VALUE;
    }
}

/* Two devices, of which the second lets nobody touch managed memory. Their numbers are others than
 * their ordinals. */
int cuDeviceGet(int *number, int ordinal) {
    *number = 7 + ordinal;
    return ordinal == 0 || ordinal == 1 ? 0 : 101;
}

int cuDeviceGetAttribute(int *value, int attribute, int number) {
    *value = number == 7;
    return attribute == 89 && number >= 7 ? 0 : INVALID_VALUE;
}

int cuDevicePrimaryCtxRetain(void **context, int number) {
    *context = &contexts[1];
    retained += number == 7;
    return number == 7 ? 0 : 101;
}

int cuDevicePrimaryCtxRelease_v2(int number) {
    return number == 7 && retained-- > 0 ? 0 : 101;
}

int cuCtxPushCurrent_v2(void *context) {
    bool good = context == &contexts[0] || (context == &contexts[1] && retained > 0);
    if (!good || depth == DEPTH)
        return NO_CONTEXT;
    stack[depth++] = context;
    return 0;
}

int cuCtxPopCurrent_v2(void **context) {
    if (depth == 0)
        return NO_CONTEXT;
    *context = stack[--depth];
    return 0;
}

static int check(const void *stream) {
    return depth == 0 ? NO_CONTEXT : stream == PER_THREAD ? 0 : BAD_HANDLE;
}

int cuMemcpyAsync(device_address to, device_address from, size_t bytes, void *stream) {
    const struct queued copy = {
        (char *)(uintptr_t)to, (const char *)(uintptr_t)from, bytes, 1, 0, 0};
    int error = check(stream);
    return error ? error : enqueue(&copy) ? 0 : INVALID_VALUE;
}

struct copy_2d {
    size_t source_x, source_y;
    int source_type;
    const void *source_host;
    device_address source;
    void *source_array;
    size_t source_pitch, target_x, target_y;
    int target_type;
    void *target_host;
    device_address target;
    void *target_array;
    size_t target_pitch, width, height;
};

int cuMemcpy2DAsync_v2(const void *what, void *stream) {
    const struct copy_2d *given = what;
    const struct queued copy = {(char *)(uintptr_t)given->target,
                                (const char *)(uintptr_t)given->source,
                                given->width,
                                given->height,
                                given->target_pitch,
                                given->source_pitch};
    int error = check(stream);
    if (!error && (given->source_type != 4 || given->target_type != 4 || given->source_x ||
                   given->source_y || given->target_x || given->target_y))
        error = INVALID_VALUE;
    return error ? error : enqueue(&copy) ? 0 : INVALID_VALUE;
}

int cuStreamSynchronize(void *stream) {
    int error = check(stream);
    if (!error)
        run_queue();
    return error;
}

int standin_errors(void) {
    return depth;
}
