/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory of a device that is none: processors that touch it die of it, and the kernel refuses
 * it. The same pages are seen through a window, which only the runtime and the test know. */
#ifndef TESTS_DEVICE_MEMORY_H
#define TESTS_DEVICE_MEMORY_H

#include "kinds.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_ALLOCATIONS = 4096, MOST_QUEUED = 64 };
static const size_t arena_bytes = (size_t)1 << 30;

struct allocation {
    char *address; /* as programs have it */
    size_t bytes;
    enum standin_kind kind;
};

static struct allocation allocations[MOST_ALLOCATIONS];
static int allocation_count, live;
static char *device, *window;
static size_t used;
static long copies, asked;

static void fail(const char *what) {
    fprintf(stderr, "the stand-in of a device: %s\n", what);
    abort();
}

static void open_arena(void) {
    int file = memfd_create("device", 0);
    if (file < 0 || ftruncate(file, (off_t)arena_bytes))
        fail("no memory");
    device = mmap(NULL, arena_bytes, PROT_NONE, MAP_SHARED | MAP_NORESERVE, file, 0);
    window = mmap(NULL, arena_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
    close(file);
    if (device == MAP_FAILED || window == MAP_FAILED)
        fail("no mapping");
}

static bool is_behind_window(enum standin_kind kind) {
    return kind <= STANDIN_APART;
}

void *standin_allocate(size_t bytes, enum standin_kind kind) {
    if (!device)
        open_arena();
    if (allocation_count == MOST_ALLOCATIONS || used + bytes + 512 > arena_bytes)
        fail("full");
    char *address = is_behind_window(kind) ? device + used : malloc(bytes + 1);
    if (is_behind_window(kind))
        used += (bytes + 511) / 256 * 256;
    allocations[allocation_count++] = (struct allocation){address, bytes, kind};
    live++;
    return address;
}

static const struct allocation *find(const void *address) {
    for (int i = allocation_count - 1; i >= 0; i--) {
        const struct allocation *at = &allocations[i];
        if (at->address && (const char *)address >= at->address &&
            (const char *)address < at->address + at->bytes && at->kind != STANDIN_PLAIN)
            return at;
    }
    return NULL;
}

/* Space is given back when nothing is left. */
void standin_free(void *address) {
    for (int i = 0; i < allocation_count; i++)
        if (allocations[i].address == address) {
            if (!is_behind_window(allocations[i].kind))
                free(address);
            allocations[i] = (struct allocation){.address = NULL};
            if (--live == 0)
                used = 0, allocation_count = 0;
            return;
        }
    fail("nothing to be freed");
}

static bool is_device(const void *address) {
    return device && (const char *)address >= device &&
           (const char *)address < device + arena_bytes;
}

void *standin_window(void *address) {
    return is_device(address) ? window + ((char *)address - device) : address;
}

void *standin_address(void *seen) {
    bool within = window && (char *)seen >= window && (char *)seen < window + arena_bytes;
    return within ? device + ((char *)seen - window) : seen;
}

long standin_copies(void) {
    return copies;
}

long standin_asked(void) {
    return asked;
}

/* Runs of bytes that are copied when the stream is waited for, not before. */
struct queued {
    char *to;
    const char *from;
    size_t bytes, rows, to_pitch, from_pitch;
};

static _Thread_local struct queued queue[MOST_QUEUED];
static _Thread_local int queued;

/* A buffer's last byte is its own: nobody may copy beyond it. */
static bool is_whole(const void *address, size_t bytes, size_t rows, size_t pitch) {
    const struct allocation *at = find(address);
    size_t span = (rows - 1) * pitch + bytes;
    return at ? (size_t)((const char *)address - at->address) + span <= at->bytes
              : !is_device(address);
}

static bool enqueue(const struct queued *copy) {
    if (queued == MOST_QUEUED || copy->bytes == 0 || copy->rows == 0 ||
        !is_whole(copy->to, copy->bytes, copy->rows, copy->to_pitch) ||
        !is_whole(copy->from, copy->bytes, copy->rows, copy->from_pitch) ||
        (copy->rows > 1 && (copy->to_pitch < copy->bytes || copy->from_pitch < copy->bytes)))
        return false;
    queue[queued++] = *copy;
    return true;
}

static void run_queue(void) {
    for (int i = 0; i < queued; i++) {
        const struct queued *copy = &queue[i];
        char *to = standin_window(copy->to);
        const char *from = standin_window((char *)(uintptr_t)copy->from);
        for (size_t row = 0; row < copy->rows; row++)
            memcpy(to + row * copy->to_pitch, from + row * copy->from_pitch, copy->bytes);
        copies++;
    }
    queued = 0;
}

#endif
