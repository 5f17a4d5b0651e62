/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/memory/segment.h"

#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

enum { NAME_SIZE = 48, ATTEMPTS = 8 };

static int fail(const char *call, int64_t size, int error) {
    return caucus_fail(CAUCUS_NO_MEMORY, "no %lld bytes of shared memory: %s failed: %s",
                       (long long)size, call, strerror(error));
}

/* A name that nobody can guess, so that nobody can be there first. */
static int open_new(char *name, int *file) {
    uint64_t word[2];
    *file = -1;
    for (int attempt = 0; attempt < ATTEMPTS && *file < 0; attempt++) {
        if (getrandom(word, sizeof word, 0) != (ssize_t)sizeof word)
            return fail("getrandom", 0, errno);
        snprintf(name, NAME_SIZE, "/caucus-%016llx%016llx", (unsigned long long)word[0],
                 (unsigned long long)word[1]);
        *file = shm_open(name, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
        if (*file < 0 && errno != EEXIST)
            break;
    }
    return *file < 0 ? fail("shm_open", 0, errno) : CAUCUS_OK;
}

static int allocate(int file, int64_t size) {
    int error;
    do
        error = posix_fallocate(file, 0, (off_t)size);
    while (error == EINTR);
    return error ? fail("posix_fallocate", size, error) : CAUCUS_OK;
}

static int map(int file, struct caucus_segment *segment) {
    void *base =
        mmap(NULL, (size_t)segment->size, PROT_READ | PROT_WRITE, MAP_SHARED, file, (off_t)0);
    if (base == MAP_FAILED)
        return fail("mmap", segment->size, errno);
    segment->base = base;
    return CAUCUS_OK;
}

static int make(char *name, struct caucus_segment *segment) {
    int file, status = open_new(name, &file);
    if (status) {
        name[0] = '\0';
        return status;
    }
    status = allocate(file, segment->size);
    if (!status)
        status = map(file, segment);
    close(file);
    if (status) {
        shm_unlink(name);
        name[0] = '\0';
    }
    return status;
}

static int join(const char *name, struct caucus_segment *segment) {
    int file = shm_open(name, O_RDWR | O_CLOEXEC, 0);
    if (file < 0)
        return fail("shm_open", segment->size, errno);
    int status = map(file, segment);
    close(file);
    return status;
}

int caucus_segment_create(const struct caucus_peers *peers, int64_t size,
                          struct caucus_segment *segment) {
    char name[NAME_SIZE] = "";
    int rank = peers->rank, status = CAUCUS_OK;
    *segment = (struct caucus_segment){.size = size};
    if (rank == 0 && size < 0)
        status = caucus_fail(CAUCUS_NO_MEMORY, "shared memory is not wanted, or there is none");
    else if (rank == 0)
        status = make(name, segment);
    int failed = caucus_peers_bcast(peers, name, NAME_SIZE, MPI_CHAR, 0);
    if (!status && failed)
        status = failed;
    if (rank > 0 && !status && name[0])
        status = join(name, segment);
    int bad = status != CAUCUS_OK || !name[0], any = 1;
    failed = caucus_peers_allreduce(peers, &bad, &any, 1, MPI_INT, MPI_MAX);
    if (rank == 0 && name[0])
        shm_unlink(name);
    if (!status && failed)
        status = failed;
    if (!status && any)
        status = caucus_fail(CAUCUS_NO_MEMORY, "another rank of the node can't share memory");
    if (status)
        caucus_segment_free(segment);
    return status;
}

void caucus_segment_free(struct caucus_segment *segment) {
    if (segment->base)
        munmap(segment->base, (size_t)segment->size);
    segment->base = NULL;
}
