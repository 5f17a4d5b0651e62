/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/layout/device_runtime.h"

enum { COPY_DEFAULT = 4 };

/* The stream of the calling thread, as CUDA has it. */
#define STREAM_OF_THREAD ((void *)0x2)

/* The numbers of the types differ between versions; what follows them does not. */
struct attributes {
    int type, device;
    void *device_pointer, *host_pointer;
    int is_managed;
    unsigned flags;
    char room[64]; /* for what later versions may append */
};

static int (*pointer_attributes)(struct attributes *attributes, const void *address);
static int (*last_error)(void);
static int (*peek_error)(void);
static int (*copy_async)(void *to, const void *from, size_t bytes, int kind, void *stream);
static int (*copy_2d_async)(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                            size_t width, size_t height, int kind, void *stream);
static int (*stream_wait)(void *stream);

#define FUNCTION(pointer) ((void (**)(void))(void *)&(pointer))

static const struct caucus_device_symbol symbols[] = {
    {"hipPointerGetAttributes", FUNCTION(pointer_attributes)},
    {"hipGetLastError", FUNCTION(last_error)},
    {"hipPeekAtLastError", FUNCTION(peek_error)},
    {"hipMemcpyAsync", FUNCTION(copy_async)},
    {"hipMemcpy2DAsync", FUNCTION(copy_2d_async)},
    {"hipStreamSynchronize", FUNCTION(stream_wait)},
    {NULL, NULL},
};

/* Our errors are told by us: the program, which may look for its own, has made none. Some versions
 * keep it as one that they do not know an address. */
static void forget_error(int before) {
    if (!before)
        last_error();
}

static bool owns(const void *address) {
    struct attributes found = {0};
    int before = peek_error();
    if (pointer_attributes(&found, address)) {
        forget_error(before);
        return false;
    }
    return found.device_pointer && !found.host_pointer && !found.is_managed;
}

static int copy(const struct caucus_device_copy *copy) {
    int before = peek_error();
    int error =
        copy->count == 1
            ? copy_async(copy->to, copy->from, (size_t)copy->bytes, COPY_DEFAULT, STREAM_OF_THREAD)
            : copy_2d_async(copy->to, (size_t)copy->to_stride, copy->from,
                            (size_t)copy->from_stride, (size_t)copy->bytes, (size_t)copy->count,
                            COPY_DEFAULT, STREAM_OF_THREAD);
    int waited = stream_wait(STREAM_OF_THREAD);
    error = error ? error : waited;
    if (error)
        forget_error(before);
    return error;
}

const struct caucus_device_runtime caucus_device_hip = {
    .name = "HIP",
    .library = "libamdhip64",
    .symbols = symbols,
    .owns = owns,
    .copy = copy,
    .queries = {"MPIX_Query_hip_support", "MPIX_Query_rocm_support"},
};
