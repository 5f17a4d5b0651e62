/* SPDX-License-Identifier: BSD-3-Clause */
/* As much of HIP as Caucus calls. It keeps an error for an address that it does not know, as its
 * older versions do. */
#include "memory.h"

#define PUBLIC __attribute__((visibility("default")))
#define PER_THREAD ((void *)2)

enum { INVALID_VALUE = 1, BAD_HANDLE = 400, DEFAULT = 4 };

struct attributes {
    int type, device;
    void *device_pointer, *host_pointer;
    int is_managed;
    unsigned flags;
};

static _Thread_local int last;

PUBLIC int hipPointerGetAttributes(struct attributes *attributes, const void *address);
PUBLIC int hipGetLastError(void);
PUBLIC int hipPeekAtLastError(void);
PUBLIC int hipMemcpyAsync(void *to, const void *from, size_t bytes, int kind, void *stream);
PUBLIC int hipMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                            size_t width, size_t height, int kind, void *stream);
PUBLIC int hipStreamSynchronize(void *stream);

int hipPointerGetAttributes(struct attributes *attributes, const void *address) {
    const struct allocation *at = find(address);
    asked++;
    if (!at)
        return last = INVALID_VALUE;
    bool managed = at->kind == STANDIN_MANAGED, pinned = at->kind == STANDIN_PINNED;
    *attributes = (struct attributes){.type = pinned ? 1 : 2,
                                      .device_pointer = (void *)(uintptr_t)address,
                                      .host_pointer = pinned ? (void *)(uintptr_t)address : NULL,
                                      .is_managed = managed};
    return 0;
}

int hipGetLastError(void) {
    int error = last;
    last = 0;
    return error;
}

int hipPeekAtLastError(void) {
    return last;
}

static int begin(const struct queued *copy, int kind, const void *stream) {
    if (kind != DEFAULT || stream != PER_THREAD)
        return last = BAD_HANDLE;
    return enqueue(copy) ? 0 : (last = INVALID_VALUE);
}

int hipMemcpyAsync(void *to, const void *from, size_t bytes, int kind, void *stream) {
    const struct queued copy = {to, from, bytes, 1, 0, 0};
    return begin(&copy, kind, stream);
}

int hipMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                     size_t height, int kind, void *stream) {
    const struct queued copy = {to, from, width, height, to_pitch, from_pitch};
    return begin(&copy, kind, stream);
}

int hipStreamSynchronize(void *stream) {
    if (stream != PER_THREAD)
        return last = BAD_HANDLE;
    run_queue();
    return 0;
}

int standin_errors(void) {
    return last;
}
