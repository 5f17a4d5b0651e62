/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes of the heap that Caucus itself has on this rank, as they were asked for, and had at most;
 * not what MPI has, whose calls come from elsewhere. In one file of a program: its malloc() and its
 * kin are those of the whole process and look who calls. Under SMPI all ranks are in one process,
 * and the linker leads Caucus' own calls here (cmake/CaucusPrograms.cmake). One thread. */
#ifndef CAUCUS_BENCH_OWN_MEMORY_H
#define CAUCUS_BENCH_OWN_MEMORY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { OWN_PLACES = 1 << 14 };

/* What of it is there, found by its address. */
static struct {
    struct own_memory {
        void *at;
        size_t bytes;
    } place[OWN_PLACES];
    size_t now, most;
    bool is_short; /* of places: some bytes were not counted */
} own;

static size_t own_place(const void *at) {
    size_t place = (uintptr_t)at / 16 % OWN_PLACES;
    while (own.place[place].at && own.place[place].at != at)
        place = (place + 1) % OWN_PLACES;
    return place;
}

static void *own_add(void *at, size_t bytes) {
    static int count;
    struct own_memory *place = &own.place[own_place(at)];
    if (!at || (!place->at && count == OWN_PLACES - 1)) {
        own.is_short = at ? true : own.is_short;
        return at;
    }
    count += !place->at;
    *place = (struct own_memory){at, bytes};
    own.now += bytes;
    own.most = own.now > own.most ? own.now : own.most;
    return at;
}

/* The address stays, so that others behind it are found. */
static void own_remove(const void *at) {
    size_t place = own_place(at);
    own.now -= own.place[place].bytes;
    own.place[place].bytes = 0;
}

#ifdef CAUCUS_SIMULATED

/* SMPI's own are what the sources that include mpi.h call. */
void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t bytes);
void *__real_aligned_alloc(size_t alignment, size_t bytes);
void __real_free(void *memory);

void *__wrap_malloc(size_t bytes) {
    return own_add(__real_malloc(bytes), bytes);
}

void *__wrap_calloc(size_t count, size_t size) {
    return own_add(__real_calloc(count, size), count * size);
}

void *__wrap_realloc(void *memory, size_t bytes) {
    own_remove(memory);
    return own_add(__real_realloc(memory, bytes), bytes);
}

void *__wrap_aligned_alloc(size_t alignment, size_t bytes) {
    return own_add(__real_aligned_alloc(alignment, bytes), bytes);
}

void __wrap_free(void *memory) {
    own_remove(memory);
    __real_free(memory);
}

void *__wrap_smpi_shared_malloc_intercept(size_t bytes, const char *file, int line) {
    (void)file, (void)line;
    return __wrap_malloc(bytes);
}

void *__wrap_smpi_shared_calloc_intercept(size_t count, size_t size, const char *file, int line) {
    (void)file, (void)line;
    return __wrap_calloc(count, size);
}

void *__wrap_smpi_shared_realloc_intercept(void *memory, size_t bytes, const char *file, int line) {
    (void)file, (void)line;
    return __wrap_realloc(memory, bytes);
}

static inline void own_memory_begin(void) {}

#else

#include <link.h>

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);
void __libc_free(void *memory);

/* Where its code lies. */
static uintptr_t own_first, own_end;

static int own_look(struct dl_phdr_info *library, size_t size, void *context) {
    (void)size, (void)context;
    bool is_ours = library->dlpi_name && strstr(library->dlpi_name, "/libcaucus.so");
    for (int i = 0; is_ours && i < library->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &library->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && part->p_flags & PF_X) {
            own_first = library->dlpi_addr + part->p_vaddr;
            own_end = own_first + part->p_memsz;
        }
    }
    return 0;
}

static inline void own_memory_begin(void) {
    dl_iterate_phdr(own_look, NULL);
}

#define OWN_CALLS                                                                                  \
    ((uintptr_t)__builtin_return_address(0) >= own_first &&                                        \
     (uintptr_t)__builtin_return_address(0) < own_end)

void *malloc(size_t bytes) {
    void *memory = __libc_malloc(bytes);
    return OWN_CALLS ? own_add(memory, bytes) : memory;
}

void *calloc(size_t count, size_t size) {
    void *memory = __libc_calloc(count, size);
    return OWN_CALLS ? own_add(memory, count * size) : memory;
}

void *realloc(void *memory, size_t bytes) {
    own_remove(memory);
    void *moved = __libc_realloc(memory, bytes);
    return OWN_CALLS ? own_add(moved, bytes) : moved;
}

void *aligned_alloc(size_t alignment, size_t bytes) {
    void *memory = __libc_memalign(alignment, bytes);
    return OWN_CALLS ? own_add(memory, bytes) : memory;
}

void free(void *memory) {
    own_remove(memory);
    __libc_free(memory);
}

#endif

#endif
