/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that can't find the memory of their node among each other's files, or whose system has no
 * files without a name: they share memory all the same, by names. This program's memfd_create,
 * readlink and shm_open are found by the library before the C library's.
 *
 * run: ranks=2,4
 * run: ranks=5 env=CAUCUS_NODES=3,2
 * start: own (what replaces functions of the system must be the program) */
#define _GNU_SOURCE
#include "check.h"

#include <caucus/caucus.h>

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static bool makes = true, finds = true;
static int named, nameless;

int memfd_create(const char *name, unsigned flags) {
    int (*real)(const char *, unsigned);
    *(void **)&real = dlsym(RTLD_NEXT, "memfd_create");
    errno = ENOSYS;
    return makes ? real(name, flags) : -1;
}

ssize_t readlink(const char *path, char *text, size_t size) {
    ssize_t (*real)(const char *, char *, size_t);
    *(void **)&real = dlsym(RTLD_NEXT, "readlink");
    bool ours = strncmp(path, "/proc/", 6) == 0 && strstr(path, "/fd/");
    nameless += ours && finds;
    errno = EACCES;
    return ours && !finds ? -1 : real(path, text, size);
}

int shm_open(const char *name, int flags, mode_t mode) {
    int (*real)(const char *, int, mode_t);
    *(void **)&real = dlsym(RTLD_NEXT, "shm_open");
    named += strncmp(name, "/caucus-", 8) == 0;
    return real(name, flags, mode);
}

/* The first collective on a communicator attaches it. */
static void check(bool by_name) {
    enum { COUNT = 3000 };
    static int in[COUNT], out[COUNT];
    MPI_Comm comm;
    int size = world_size(), both[2];
    named = nameless = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int i = 0; i < COUNT; i++)
        in[i] = world_rank() + i;
    CHECK_MPI(caucus_allreduce(in, out, COUNT, MPI_INT, MPI_SUM, comm));
    for (int i = 0; i < COUNT; i++)
        CHECK(out[i] == size * (size - 1) / 2 + size * i, "%d: %d", i, out[i]);
    MPI_Comm_free(&comm);
    MPI_Allreduce((int[]){named, nameless}, both, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(by_name == (both[0] > 0), "%d are opened by name", both[0]);
    CHECK(by_name || both[1] > 0, "none is opened without a name");
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank = world_rank(), last = world_size() - 1;
    check(false);
    makes = rank != 0;
    check(true);
    makes = true;
    finds = rank != last;
    check(true);
    finds = true;
    check(false);
    MPI_Finalize();
    return 0;
}
