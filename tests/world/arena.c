/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory that ranks and the world allocate while a run lasts: all of it is given back at once,
 * so that the next run in this process finds the same addresses as in a process of its own. What
 * the C library or the real MPI has allocated goes back to them. The world's own calls of malloc
 * and so on come here too (--wrap, tools/world_build.py). */
#include "world.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { LEAST_CLASS = 5, CLASSES = 64, ALIGNMENT = 16, MOST_FILL = 256, ZEROED = 1 << 20 };
static const size_t RESERVED = (size_t)1 << 38, LARGEST = (size_t)1 << 35;

struct block {              /* in front of what the caller sees */
    uint32_t class, offset; /* of what the caller sees, from the block's begin */
    uint64_t used;
};
struct free_block {
    struct free_block *next;
};

static char *base, *place;
static bool is_open;
static struct free_block *free_blocks[CLASSES];

void *__real_malloc(size_t);
void *__real_calloc(size_t, size_t);
void *__real_realloc(void *, size_t);
void __real_free(void *);

void arena_begin(void) {
    base = place = mmap(NULL, RESERVED, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED)
        abort();
    is_open = true;
}

/* Before the world's variables go back to what they were. */
void arena_reset(void) {
    size_t used = (size_t)(place - base);
    memset(base, 0, used < ZEROED ? used : ZEROED);
    if (used > ZEROED)
        madvise(base + ZEROED, used - ZEROED, MADV_DONTNEED);
}

static bool is_ours(const void *memory) {
    return base && (const char *)memory >= base && (const char *)memory < base + RESERVED;
}

static struct block *block_of(void *memory) {
    return (struct block *)memory - 1;
}

static void *take(size_t size, size_t alignment, bool zeroed) {
    unsigned class = LEAST_CLASS;
    size_t extra = sizeof(struct block) + (alignment > ALIGNMENT ? alignment : 0);
    if (size > LARGEST) {
        errno = ENOMEM;
        return NULL;
    }
    while (((size_t)1 << class) < size + extra)
        class++;
    char *memory = (char *)free_blocks[class];
    bool fresh = !memory;
    if (fresh) {
        memory = place;
        if ((size_t)(base + RESERVED - place) < (size_t)1 << class) {
            errno = ENOMEM;
            return NULL;
        }
        place += (size_t)1 << class;
    } else {
        free_blocks[class] = free_blocks[class]->next;
        memory -= sizeof(struct block);
    }
    char *seen = memory + sizeof(struct block);
    if (alignment > ALIGNMENT)
        seen = (char *)(((uintptr_t)seen + alignment - 1) / alignment * alignment);
    *block_of(seen) = (struct block){class, (uint32_t)(seen - memory), 1};
    if (zeroed && !fresh)
        memset(seen, 0, size);
    else if (!zeroed) /* who reads it before writing shall notice */
        memset(seen, 0xa5, size < MOST_FILL ? size : MOST_FILL);
    return seen;
}

void *world_malloc(size_t size) {
    return is_open ? take(size, ALIGNMENT, false) : __real_malloc(size);
}

void *world_calloc(size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return is_open ? take(bytes, ALIGNMENT, true) : __real_calloc(count, size);
}

void *world_aligned_alloc(size_t alignment, size_t size) {
    return is_open ? take(size, alignment, false) : aligned_alloc(alignment, size);
}

int world_posix_memalign(void **made, size_t alignment, size_t size) {
    *made = world_aligned_alloc(alignment, size);
    return *made ? 0 : ENOMEM;
}

void world_free(void *memory) {
    if (!is_ours(memory)) {
        __real_free(memory);
        return;
    }
    struct block *block = block_of(memory);
    if (!block->used)
        finish(BROKEN, 1, "rank %d frees memory twice", self ? self->process->rank : -1);
    char *begin = (char *)memory - block->offset;
    unsigned class = block->class;
    block->used = 0;
    struct free_block *gone = (struct free_block *)(void *)(begin + sizeof *block);
    gone->next = free_blocks[class];
    free_blocks[class] = gone;
}

static size_t room(void *memory) {
    return ((size_t)1 << block_of(memory)->class) - block_of(memory)->offset;
}

void *world_realloc(void *memory, size_t size) {
    if (memory && !is_ours(memory))
        return __real_realloc(memory, size);
    if (!memory || size > room(memory)) {
        void *made = world_malloc(size);
        if (made && memory) {
            memcpy(made, memory, room(memory));
            world_free(memory);
        }
        return made;
    }
    return memory;
}

char *world_strdup(const char *text) {
    size_t size = strlen(text) + 1;
    char *made = world_malloc(size);
    return made ? memcpy(made, text, size) : NULL;
}

char *world_strndup(const char *text, size_t most) {
    size_t length = strnlen(text, most);
    char *made = world_calloc(length + 1, 1);
    return made ? memcpy(made, text, length) : NULL;
}

void *__wrap_malloc(size_t size) {
    return world_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
    return world_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size) {
    return world_realloc(memory, size);
}

void __wrap_free(void *memory) {
    world_free(memory);
}

char *__wrap_strdup(const char *text) {
    return world_strdup(text);
}
