/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/layout/device.h"

#include "base/settings.h"
#include "base/status.h"
#include "run/layout/device_runtime.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static const struct caucus_device_runtime *const kinds[] = {&caucus_device_cuda, &caucus_device_hip,
                                                            &caucus_device_level_zero};
enum { KINDS = sizeof kinds / sizeof *kinds, LONGEST = INT32_MAX };

/* Found ones stay: none is unloaded while we hold it. */
static const struct caucus_device_runtime *found[KINDS];
_Atomic int caucus_device_runtimes;
_Atomic uintptr_t caucus_device_host_page[CAUCUS_DEVICE_PAGES];

static _Atomic unsigned long long looked_at; /* how many objects had been loaded at the last look */
static _Atomic int64_t bytes_from, bytes_to;

/* A file's name that begins so. */
struct wanted {
    const char *library;
    char path[PATH_MAX];
};

static int compare_name(struct dl_phdr_info *object, size_t size, void *context) {
    struct wanted *wanted = context;
    const char *slash = strrchr(object->dlpi_name, '/');
    const char *file = slash ? slash + 1 : object->dlpi_name;
    (void)size;
    if (strncmp(file, wanted->library, strlen(wanted->library)) != 0)
        return 0;
    snprintf(wanted->path, sizeof wanted->path, "%s", object->dlpi_name);
    return 1;
}

/* Loaders hide what is loaded later from the program, not from who knows the file. */
static void *open_loaded(const char *library) {
    struct wanted wanted = {.library = library};
    return dl_iterate_phdr(compare_name, &wanted) ? dlopen(wanted.path, RTLD_LAZY | RTLD_NOLOAD)
                                                  : NULL;
}

static bool find_symbols(const struct caucus_device_runtime *kind, void *handle) {
    for (const struct caucus_device_symbol *symbol = kind->symbols; symbol->name; symbol++) {
        void *address = dlsym(handle, symbol->name);
        if (!address)
            return false;
        memcpy(symbol->function, &address, sizeof address); /* C knows no such cast */
    }
    return !kind->begin || kind->begin();
}

static bool find(const struct caucus_device_runtime *kind) {
    void *handle = RTLD_DEFAULT;
    if (find_symbols(kind, handle))
        return true;
    handle = open_loaded(kind->library);
    if (!handle)
        return false;
    bool good = find_symbols(kind, handle);
    if (!good)
        dlclose(handle);
    return good;
}

static bool is_found(const struct caucus_device_runtime *kind, int count) {
    for (int i = 0; i < count; i++)
        if (found[i] == kind)
            return true;
    return false;
}

static void look_again(unsigned long long objects) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    int count = atomic_load(&caucus_device_runtimes);
    bool wanted = strcmp(caucus_setting_text(CAUCUS_SETTING_DEVICE), "none") != 0;
    for (int i = 0; i < KINDS && wanted; i++)
        if (!is_found(kinds[i], count) && find(kinds[i])) {
            found[count++] = kinds[i];
            atomic_store_explicit(&caucus_device_runtimes, count, memory_order_release);
        }
    atomic_store_explicit(&looked_at, objects, memory_order_release);
    pthread_mutex_unlock(&lock);
}

/* The first object knows how many were ever loaded. */
static int read_loaded(struct dl_phdr_info *object, size_t size, void *objects) {
    (void)size;
    *(unsigned long long *)objects = object->dlpi_adds;
    return 1;
}

bool caucus_device_look(void) {
    unsigned long long objects = 0;
    dl_iterate_phdr(read_loaded, &objects);
    if (objects != atomic_load_explicit(&looked_at, memory_order_acquire))
        look_again(objects);
    return atomic_load_explicit(&caucus_device_runtimes, memory_order_acquire) > 0;
}

bool caucus_device_look_for(uintptr_t page) {
    bool any = caucus_device_look();
    if (!any)
        atomic_store_explicit(&caucus_device_host_page[page % CAUCUS_DEVICE_PAGES], page,
                              memory_order_relaxed);
    return any;
}

static const struct caucus_device_runtime *owner_of(const void *address) {
    int count = atomic_load_explicit(&caucus_device_runtimes, memory_order_acquire);
    for (int i = 0; i < count; i++)
        if (found[i]->owns(address))
            return found[i];
    return NULL;
}

bool caucus_device_owns(const void *address) {
    return owner_of(address) != NULL;
}

static void move_on_host(char *at, int64_t bytes, int64_t count, int64_t stride, char *packed,
                         bool packs) {
    for (int64_t i = 0; i < count; i++)
        if (packs)
            memcpy(packed + i * bytes, at + i * stride, (size_t)bytes);
        else
            memcpy(at + i * stride, packed + i * bytes, (size_t)bytes);
}

static int copy(const struct caucus_device_runtime *runtime, const struct caucus_device_copy *copy,
                bool packs) {
    int error = runtime->copy(copy);
    if (error)
        return caucus_fail(
            CAUCUS_INTERNAL, "%s could not copy %lld bytes %s the memory of a device: its error %d",
            runtime->name, (long long)(copy->bytes * copy->count), packs ? "from" : "to", error);
    atomic_fetch_add_explicit(packs ? &bytes_from : &bytes_to, copy->bytes * copy->count,
                              memory_order_relaxed);
    return CAUCUS_OK;
}

int caucus_device_move(char *at, int64_t bytes, int64_t count, int64_t stride, char *packed,
                       bool packs) {
    const struct caucus_device_runtime *runtime = owner_of(at);
    if (bytes == 0 || count == 0)
        return CAUCUS_OK;
    if (!runtime) {
        move_on_host(at, bytes, count, stride, packed, packs);
        return CAUCUS_OK;
    }
    bool at_once = count == 1 || (stride >= bytes && stride <= LONGEST);
    int status = CAUCUS_OK;
    for (int64_t i = 0, runs; i < count && !status; i += runs) {
        char *there = at + i * stride, *here = packed + i * bytes;
        runs = at_once ? count - i : 1;
        runs = runs < LONGEST ? runs : LONGEST;
        const struct caucus_device_copy part = {.to = packs ? here : there,
                                                .from = packs ? there : here,
                                                .bytes = bytes,
                                                .count = runs,
                                                .to_stride = packs ? bytes : stride,
                                                .from_stride = packs ? stride : bytes,
                                                .device = there};
        status = copy(runtime, &part, packs);
    }
    return status;
}

bool caucus_device_suits_mpi(const void *address) {
    const struct caucus_device_runtime *runtime = owner_of(address);
    for (int i = 0; runtime && i < 2 && runtime->queries[i]; i++) {
        int (*query)(void) = NULL;
        void *symbol = dlsym(RTLD_DEFAULT, runtime->queries[i]);
        memcpy(&query, &symbol, sizeof symbol);
        if (query)
            return query() != 0;
    }
    return false;
}

struct caucus_device_traffic caucus_device_moved(void) {
    return (struct caucus_device_traffic){atomic_load(&bytes_from), atomic_load(&bytes_to)};
}
