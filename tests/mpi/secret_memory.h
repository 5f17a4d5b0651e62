/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of this process alone, which the kernel copies to and from no other one, like that of some
 * devices: where TEST_MEMORY=secret, and the kernel has it (5.14); else plain memory. */
#ifndef TESTS_MPI_SECRET_MEMORY_H
#define TESTS_MPI_SECRET_MEMORY_H

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SECRET_HEAD = 64 }; /* before each: how much was mapped; 0: it is plain */

static inline void *with_head(void *memory, size_t mapped) {
    if (!memory)
        return NULL;
    memcpy(memory, &mapped, sizeof mapped);
    return (char *)memory + SECRET_HEAD;
}

static inline void *plain_new(size_t bytes) {
    return with_head(malloc(bytes + SECRET_HEAD), 0);
}

static inline void *secret_new(size_t bytes) {
    const char *wanted = getenv("TEST_MEMORY");
    void *memory = MAP_FAILED;
#ifdef SYS_memfd_secret
    int file = wanted && strcmp(wanted, "secret") == 0 ? (int)syscall(SYS_memfd_secret, 0) : -1;
    if (file >= 0 && ftruncate(file, (off_t)(bytes + SECRET_HEAD)) == 0)
        memory = mmap(NULL, bytes + SECRET_HEAD, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file >= 0)
        close(file);
#else
    (void)wanted;
#endif
    return memory == MAP_FAILED ? plain_new(bytes) : with_head(memory, bytes + SECRET_HEAD);
}

static inline void secret_free(void *memory) {
    size_t mapped;
    if (!memory)
        return;
    char *head = (char *)memory - SECRET_HEAD;
    memcpy(&mapped, head, sizeof mapped);
    if (mapped)
        munmap(head, mapped);
    else
        free(head);
}

#endif
