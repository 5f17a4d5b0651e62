/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory for buffers of calls: plain, or with TEST_DEVICE=cuda, hip or ze now this kind and now
 * that one of a device that tests/device stands in for, and on other ranks others at the same time;
 * with TEST_MEMORY=secret now plain and now secret (secret_memory.h). A test fills and compares
 * what it sees, and gives calls the address, which may be of no use to it.
 */
#ifndef TESTS_MPI_BUFFER_MEMORY_H
#define TESTS_MPI_BUFFER_MEMORY_H

#include "../device/kinds.h"
#include "check.h"
#include "secret_memory.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

#define STANDIN(name) (*(__typeof__(standin_##name) **)&standin.name)

static struct {
    bool is_looked_for;
    void *library, *allocate, *free, *window, *address, *copies, *asked, *errors;
} standin;

/* As a program loads a runtime: nobody else sees its names. */
static inline void open_standin(const char *name) {
    char path[4096];
    const char *file = strcmp(name, "cuda") == 0  ? "libcuda.so.1"
                       : strcmp(name, "hip") == 0 ? "libamdhip64.so.6"
                                                  : "libze_loader.so.1";
    snprintf(path, sizeof path, "%s/%s", TEST_DEVICE_FOLDER, file);
    standin.is_looked_for = true;
    standin.library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    CHECK(standin.library, "%s", dlerror());
    standin.allocate = dlsym(standin.library, "standin_allocate");
    standin.free = dlsym(standin.library, "standin_free");
    standin.window = dlsym(standin.library, "standin_window");
    standin.address = dlsym(standin.library, "standin_address");
    standin.copies = dlsym(standin.library, "standin_copies");
    standin.asked = dlsym(standin.library, "standin_asked");
    standin.errors = dlsym(standin.library, "standin_errors");
}

static inline bool has_standin(void) {
    const char *name = getenv("TEST_DEVICE");
    if (name && *name && !standin.is_looked_for)
        open_standin(name);
    standin.is_looked_for = true;
    return standin.library != NULL;
}

/* What the program sees of memory of a kind. */
static inline void *standin_new(size_t bytes, enum standin_kind kind) {
    return STANDIN(window)(STANDIN(allocate)(bytes, kind));
}

static inline void *buffer_new(size_t bytes) {
    static unsigned drawn;
    if (!has_standin())
        return ((unsigned)world_rank() + drawn++) % 3 ? secret_new(bytes) : plain_new(bytes);
    return standin_new(bytes,
                       (enum standin_kind)((unsigned)world_rank() + drawn++) % STANDIN_KINDS);
}

/* As calls are to be given it; other addresses stay as they are. */
static inline void *buffer_address(const void *seen) {
    void *given = (void *)(uintptr_t)seen;
    return has_standin() ? STANDIN(address)(given) : given;
}

static inline void buffer_free(void *seen) {
    if (!has_standin())
        secret_free(seen);
    else if (seen)
        STANDIN(free)(STANDIN(address)(seen));
}

#endif
