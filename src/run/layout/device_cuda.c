/* SPDX-License-Identifier: BSD-3-Clause */
/* The driver of CUDA: whoever has memory of such a device has loaded it, by whatever runtime. */
#include "run/layout/device_runtime.h"

/* Numbers of its interface. */
enum {
    POINTER_CONTEXT = 1,
    POINTER_MEMORY_TYPE = 2,
    POINTER_IS_MANAGED = 8,
    POINTER_DEVICE_ORDINAL = 9,
    TYPE_DEVICE = 2,
    TYPE_UNIFIED = 4,
    CONCURRENT_MANAGED_ACCESS = 89
};

typedef void *context_handle;
typedef unsigned long long device_address;

/* The stream of the calling thread, which needs no making: it waits for the default stream of the
 * program's and for no other. */
#define STREAM_OF_THREAD ((void *)0x2)

struct copy_2d {
    size_t from_x, from_y;
    int from_type;
    const void *from_host;
    device_address from;
    void *from_array;
    size_t from_pitch, to_x, to_y;
    int to_type;
    void *to_host;
    device_address to;
    void *to_array;
    size_t to_pitch, width, height;
};

static int (*pointer_attribute)(void *value, int attribute, device_address address);
static int (*device_get)(int *device, int ordinal);
static int (*device_attribute)(int *value, int attribute, int device);
static int (*primary_retain)(context_handle *context, int device);
static int (*primary_release)(int device);
static int (*context_push)(context_handle context);
static int (*context_pop)(context_handle *context);
static int (*copy_async)(device_address to, device_address from, size_t bytes, void *stream);
static int (*copy_2d_async)(const struct copy_2d *copy, void *stream);
static int (*stream_wait)(void *stream);

#define FUNCTION(pointer) ((void (**)(void))(void *)&(pointer))

static const struct caucus_device_symbol symbols[] = {
    {"cuPointerGetAttribute", FUNCTION(pointer_attribute)},
    {"cuDeviceGet", FUNCTION(device_get)},
    {"cuDeviceGetAttribute", FUNCTION(device_attribute)},
    {"cuDevicePrimaryCtxRetain", FUNCTION(primary_retain)},
    {"cuDevicePrimaryCtxRelease_v2", FUNCTION(primary_release)},
    {"cuCtxPushCurrent_v2", FUNCTION(context_push)},
    {"cuCtxPopCurrent_v2", FUNCTION(context_pop)},
    {"cuMemcpyAsync", FUNCTION(copy_async)},
    {"cuMemcpy2DAsync_v2", FUNCTION(copy_2d_async)},
    {"cuStreamSynchronize", FUNCTION(stream_wait)},
    {NULL, NULL},
};

static device_address number(const void *address) {
    return (device_address)(uintptr_t)address;
}

static int device_of(const void *address, int *device) {
    int ordinal = 0;
    int error = pointer_attribute(&ordinal, POINTER_DEVICE_ORDINAL, number(address));
    return error ? error : device_get(device, ordinal);
}

/* Managed memory is for both, but on some devices only while these are not at work. */
static bool is_kept_from_host(const void *address) {
    int device, concurrent = 0;
    return device_of(address, &device) ||
           device_attribute(&concurrent, CONCURRENT_MANAGED_ACCESS, device) || !concurrent;
}

static bool owns(const void *address) {
    unsigned type = 0, managed = 0;
    if (pointer_attribute(&type, POINTER_MEMORY_TYPE, number(address)) ||
        pointer_attribute(&managed, POINTER_IS_MANAGED, number(address)))
        return false;
    return managed ? is_kept_from_host(address) : type == TYPE_DEVICE;
}

static int copy_runs(const struct caucus_device_copy *copy) {
    if (copy->count == 1)
        return copy_async(number(copy->to), number(copy->from), (size_t)copy->bytes,
                          STREAM_OF_THREAD);
    const struct copy_2d runs = {.from_type = TYPE_UNIFIED,
                                 .from = number(copy->from),
                                 .from_pitch = (size_t)copy->from_stride,
                                 .to_type = TYPE_UNIFIED,
                                 .to = number(copy->to),
                                 .to_pitch = (size_t)copy->to_stride,
                                 .width = (size_t)copy->bytes,
                                 .height = (size_t)copy->count};
    return copy_2d_async(&runs, STREAM_OF_THREAD);
}

static int copy_within(context_handle context, const struct caucus_device_copy *copy) {
    int error = context_push(context);
    if (error)
        return error;
    error = copy_runs(copy);
    int waited = stream_wait(STREAM_OF_THREAD);
    context_pop(&context);
    return error ? error : waited;
}

/* Memory of pools belongs to no context: that of the runtime serves. */
static int copy(const struct caucus_device_copy *copy) {
    context_handle context = NULL;
    int device;
    if (!pointer_attribute(&context, POINTER_CONTEXT, number(copy->device)) && context)
        return copy_within(context, copy);
    int error = device_of(copy->device, &device);
    if (!error)
        error = primary_retain(&context, device);
    if (error)
        return error;
    error = copy_within(context, copy);
    primary_release(device);
    return error;
}

const struct caucus_device_runtime caucus_device_cuda = {
    .name = "CUDA",
    .library = "libcuda.so",
    .symbols = symbols,
    .owns = owns,
    .copy = copy,
    .queries = {"MPIX_Query_cuda_support"},
};
