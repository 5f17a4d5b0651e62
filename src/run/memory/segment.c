/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/memory/segment.h"

#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_SIZE = 64, PATH_SIZE = 64, ATTEMPTS = 8, MOST_AT_A_TIME = 1 << 20, LEAST = 1 << 16 };

enum way { WITHOUT_NAME, NAMED };

/* Where the ranks find what rank 0 has made; word is 0 where it has made nothing. */
struct place {
    uint64_t word[2];      /* random, in its name: nobody can guess that, or be there first */
    int64_t process, file; /* WITHOUT_NAME: who has it open, as what */
};

static int fail(const char *call, int64_t size, int error) {
    return caucus_fail(CAUCUS_NO_MEMORY, "no %lld bytes of shared memory: %s failed: %s",
                       (long long)size, call, strerror(error));
}

static void name_of(const struct place *place, char name[NAME_SIZE]) {
    snprintf(name, NAME_SIZE, "/caucus-%016llx%016llx", (unsigned long long)place->word[0],
             (unsigned long long)place->word[1]);
}

static int open_new(enum way way, struct place *place) {
    char name[NAME_SIZE];
    int file = -1;
    for (int attempt = 0; attempt < ATTEMPTS && file < 0; attempt++) {
        if (getrandom(place->word, sizeof place->word, 0) != (ssize_t)sizeof place->word)
            return fail("getrandom", 0, errno);
        name_of(place, name);
        file = way == NAMED
                   ? shm_open(name, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR)
                   : memfd_create(name + 1, MFD_CLOEXEC);
        if (file < 0 && errno != EEXIST)
            break;
    }
    place->process = getpid();
    place->file = file;
    return file < 0 ? fail(way == NAMED ? "shm_open" : "memfd_create", 0, errno) : CAUCUS_OK;
}

/* Beyond the limit the kernel would end the process, by SIGXFSZ. */
static int check_limit(int64_t size) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || (rlim_t)size <= limit.rlim_cur)
        return CAUCUS_OK;
    return caucus_fail(CAUCUS_NO_MEMORY,
                       "no %lld bytes of shared memory: a file may have %lld (ulimit -f)",
                       (long long)size, (long long)limit.rlim_cur);
}

/* By pieces: a signal undoes the one that is under way, and where a profiler counts time there is
 * one every few milliseconds. */
static int allocate(int file, int64_t size) {
    int64_t piece = MOST_AT_A_TIME;
    int error = 0, status = check_limit(size);
    for (int64_t at = 0; at < size && !status && (error == 0 || error == EINTR);) {
        int64_t length = size - at < piece ? size - at : piece;
        error = posix_fallocate(file, (off_t)at, (off_t)length);
        at += error ? 0 : length;
        piece = error && piece > LEAST ? piece / 2 : piece;
    }
    return error ? fail("posix_fallocate", size, error) : status;
}

static int map(int file, struct caucus_segment *segment) {
    void *base =
        mmap(NULL, (size_t)segment->size, PROT_READ | PROT_WRITE, MAP_SHARED, file, (off_t)0);
    if (base == MAP_FAILED)
        return fail("mmap", segment->size, errno);
    segment->base = base;
    return CAUCUS_OK;
}

/* Once all have it, or none is to have it. */
static void close_made(enum way way, struct place *place) {
    char name[NAME_SIZE];
    if (place->word[0] == 0)
        return;
    name_of(place, name);
    close((int)place->file);
    if (way == NAMED)
        shm_unlink(name);
    place->word[0] = 0;
}

static int make(enum way way, struct place *place, struct caucus_segment *segment) {
    int status = open_new(way, place);
    if (status) {
        place->word[0] = 0;
        return status;
    }
    if (way == WITHOUT_NAME && fchmod((int)place->file, S_IRUSR | S_IWUSR) != 0)
        status = fail("fchmod", segment->size, errno);
    if (!status)
        status = allocate((int)place->file, segment->size);
    if (!status)
        status = map((int)place->file, segment);
    if (status)
        close_made(way, place);
    return status;
}

/* That process may be another one here, or its files out of reach: in another container, say. */
static int open_without_name(const struct place *place) {
    char name[NAME_SIZE], path[PATH_SIZE], found[PATH_SIZE + NAME_SIZE] = "";
    name_of(place, name);
    snprintf(path, sizeof path, "/proc/%lld/fd/%lld", (long long)place->process,
             (long long)place->file);
    if (readlink(path, found, sizeof found - 1) < 0)
        return -1;
    errno = ENOENT;
    return strstr(found, name + 1) ? open(path, O_RDWR | O_CLOEXEC) : -1;
}

static int join(enum way way, const struct place *place, struct caucus_segment *segment) {
    char name[NAME_SIZE];
    name_of(place, name);
    int file = way == NAMED ? shm_open(name, O_RDWR | O_CLOEXEC, 0) : open_without_name(place);
    if (file < 0)
        return fail(way == NAMED ? "shm_open" : "open", segment->size, errno);
    int status = map(file, segment);
    close(file);
    return status;
}

/* *again: another way may lead to it, for all ranks alike. */
static int create(const struct caucus_peers *peers, enum way way, struct caucus_segment *segment,
                  bool *again) {
    enum { HERE, NOT_HERE, NOT_WANTED };
    struct place place = {{0}, 0, 0};
    int rank = peers->rank, status = CAUCUS_OK;
    bool wanted = segment->size >= 0;
    if (!wanted)
        status = caucus_fail(CAUCUS_NO_MEMORY, "shared memory is not wanted, or there is none");
    else if (rank == 0)
        status = make(way, &place, segment);
    int failed = caucus_peers_bcast(peers, &place, sizeof place, MPI_BYTE, 0);
    if (!status && failed)
        status = failed;
    if (rank > 0 && !status && place.word[0])
        status = join(way, &place, segment);
    int bad = HERE, any = NOT_WANTED;
    if (!wanted || failed)
        bad = NOT_WANTED;
    else if (status || !place.word[0])
        bad = NOT_HERE;
    failed = caucus_peers_allreduce(peers, &bad, &any, 1, MPI_INT, MPI_MAX);
    if (rank == 0)
        close_made(way, &place);
    if (!status && failed)
        status = failed;
    if (!status && any)
        status = caucus_fail(CAUCUS_NO_MEMORY, "another rank of the node can't share memory");
    *again = !failed && any == NOT_HERE;
    if (status)
        caucus_segment_free(segment);
    return status;
}

int caucus_segment_create(const struct caucus_peers *peers, int64_t size,
                          struct caucus_segment *segment) {
    bool again;
    *segment = (struct caucus_segment){.size = size};
    int status = create(peers, WITHOUT_NAME, segment, &again);
    return again ? create(peers, NAMED, segment, &again) : status;
}

void caucus_segment_free(struct caucus_segment *segment) {
    if (segment->base)
        munmap(segment->base, (size_t)segment->size);
    segment->base = NULL;
}
