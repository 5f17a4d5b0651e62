/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes of the heap that a program without MPI has, and had at most: all that is allocated passes
 * through here, the libraries' as well. In one file of a program; without glibc, and where a
 * sanitizer counts itself, nothing is known. */
#ifndef CAUCUS_BENCH_COUNTED_MEMORY_H
#define CAUCUS_BENCH_COUNTED_MEMORY_H

#include <stdbool.h>
#include <stdlib.h>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#include <malloc.h>

static size_t bytes_now, bytes_most;

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void __libc_free(void *memory);

static void *counted(void *memory) {
    if (memory)
        bytes_now += malloc_usable_size(memory);
    if (bytes_now > bytes_most)
        bytes_most = bytes_now;
    return memory;
}

static void discounted(void *memory) {
    if (memory)
        bytes_now -= malloc_usable_size(memory);
}

void *malloc(size_t size) {
    return counted(__libc_malloc(size));
}

void *calloc(size_t count, size_t size) {
    return counted(__libc_calloc(count, size));
}

void *realloc(void *memory, size_t size) {
    discounted(memory);
    return counted(__libc_realloc(memory, size));
}

void free(void *memory) {
    discounted(memory);
    __libc_free(memory);
}

static const bool counting = true;
#else
static size_t bytes_now, bytes_most;
static const bool counting = false;
#endif

#endif
