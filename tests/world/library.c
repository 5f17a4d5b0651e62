/* SPDX-License-Identifier: BSD-3-Clause */
/* What ranks get of the C library in place of its own: time, sleep, the end of a process, its
 * number, environment, random bytes and shared memory. */
#include "world.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <hwloc.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* ---- time ---- */
double world_Wtime(void) {
    look_in_vain("MPI_Wtime");
    return now;
}

double world_Wtick(void) {
    return 1e-9;
}

int world_sched_yield(void) {
    look_in_vain("sched_yield");
    return 0;
}

int world_usleep(useconds_t microseconds) {
    sleep_for(microseconds * 1e-6);
    return 0;
}

unsigned world_sleep(unsigned seconds) {
    sleep_for(seconds);
    return 0;
}

int world_nanosleep(const struct timespec *wanted, struct timespec *left) {
    (void)left;
    sleep_for((double)wanted->tv_sec + (double)wanted->tv_nsec * 1e-9);
    return 0;
}

int world_clock_gettime(clockid_t clock, struct timespec *at) {
    (void)clock;
    look_in_vain("clock_gettime");
    at->tv_sec = (time_t)now;
    at->tv_nsec = (long)((now - (double)at->tv_sec) * 1e9);
    return 0;
}

int world_gettimeofday(struct timeval *at, void *zone) {
    struct timespec time;
    (void)zone;
    world_clock_gettime(CLOCK_REALTIME, &time);
    *at = (struct timeval){time.tv_sec, time.tv_nsec / 1000};
    return 0;
}

time_t world_time(time_t *at) {
    time_t seconds = (time_t)now;
    if (at)
        *at = seconds;
    return seconds;
}

/* ---- the process ---- */
/* Of no other rank, in no other world that runs at the same time. */
pid_t world_getpid(void) {
    return getpid() * RANKS_PER_PROCESS + self->process->rank;
}

static void end_process(int status) {
    struct process *process = self->process;
    if (status != 0)
        finish(ABORTED, status, "rank %d: exit status %d", process->rank, status);
    process->ended = true;
    messages_move(process); /* data that a receive waits for leave still */
    for (struct fiber *fiber = fibers; fiber; fiber = fiber->next)
        if (fiber->process == process && fiber != self)
            fiber->over = true;
    if (mpi_is_open(process) && !settings.ends_anyhow)
        finish(BROKEN, 1, "rank %d ends without MPI_Finalize", process->rank);
    fiber_end();
    abort();
}

_Noreturn void world_exit(int status) {
    end_process(status);
    abort();
}

_Noreturn void world__exit(int status) {
    end_process(status);
    abort();
}

_Noreturn void world_abort(void) {
    finish(CRASHED, 134, "rank %d calls abort", self->process->rank);
}

_Noreturn void world___assert_fail(const char *text, const char *file, unsigned line,
                                   const char *function) {
    finish(CRASHED, 134, "rank %d: %s:%u: %s: assertion failed: %s", self->process->rank, file,
           line, function, text);
}

int world_Abort(MPI_Comm comm, int status) {
    (void)comm;
    finish(ABORTED, status ? status : 1, "rank %d calls MPI_Abort(%d)", self->process->rank,
           status);
}

/* ---- the environment ---- */
struct variable {
    char *name, *value; /* NULL where it was unset */
    struct variable *next;
};

static struct variable *find_variable(const char *name) {
    struct variable *variable = self->process->variables;
    while (variable && strcmp(variable->name, name) != 0)
        variable = variable->next;
    return variable;
}

char *world_getenv(const char *name) {
    struct variable *variable = self ? find_variable(name) : NULL;
    return variable ? variable->value : getenv(name);
}

static int set_variable(const char *name, const char *value) {
    struct variable *variable = find_variable(name);
    if (!variable) {
        variable = NEW(1, struct variable);
        variable->name = strdup(name);
        variable->next = self->process->variables;
        self->process->variables = variable;
    }
    variable->value = value ? strdup(value) : NULL;
    return 0;
}

int world_setenv(const char *name, const char *value, int overwrite) {
    return !overwrite && world_getenv(name) ? 0 : set_variable(name, value);
}

int world_unsetenv(const char *name) {
    return set_variable(name, NULL);
}

/* ---- random bytes ---- */
ssize_t world_getrandom(void *buffer, size_t bytes, unsigned flags) {
    static unsigned char serial;
    unsigned char *byte = buffer;
    (void)flags;
    for (size_t i = 0; i < bytes; i++)
        byte[i] = i == 0 ? ++serial : (unsigned char)draw(256);
    return (ssize_t)bytes;
}

/* ---- shared memory ---- */
enum { MOST_SEGMENTS = 1024 };
static struct {
    char *name;
    int file;
} segments[MOST_SEGMENTS];
static struct {
    void *base;
    size_t size;
    ino_t file;
    bool shared;
} mapped[MOST_SEGMENTS];
static int segment_count, mapped_count;

int world_shm_open(const char *name, int flags, mode_t mode) {
    (void)mode;
    for (int i = 0; i < segment_count; i++)
        if (segments[i].name && strcmp(segments[i].name, name) == 0) {
            errno = EEXIST;
            return flags & O_EXCL ? -1 : dup(segments[i].file);
        }
    if (!(flags & O_CREAT) || segment_count == MOST_SEGMENTS) {
        errno = ENOENT;
        return -1;
    }
    segments[segment_count].name = strdup(name);
    segments[segment_count].file = memfd_create("segment", 0);
    return dup(segments[segment_count++].file);
}

int world_shm_unlink(const char *name) {
    for (int i = 0; i < segment_count; i++)
        if (segments[i].name && strcmp(segments[i].name, name) == 0) {
            free(segments[i].name);
            segments[i].name = NULL;
            close(segments[i].file);
            return 0;
        }
    errno = ENOENT;
    return -1;
}

/* All ranks have the files of one process. */
static const char *own_path(const char *path, char own[32]) {
    int file;
    if (sscanf(path, "/proc/%*d/fd/%d", &file) != 1)
        return path;
    snprintf(own, 32, "/proc/self/fd/%d", file);
    return own;
}

ssize_t world_readlink(const char *path, char *text, size_t size) {
    char own[32];
    return readlink(own_path(path, own), text, size);
}

int world_open(const char *path, int flags, ...) {
    char own[32];
    va_list more;
    va_start(more, flags);
    int file = open(own_path(path, own), flags, flags & O_CREAT ? va_arg(more, mode_t) : 0);
    va_end(more);
    return file;
}

/* A rank's own limits, of which that on the size of files holds here. */
int world_setrlimit(int kind, const struct rlimit *limit) {
    if (kind == RLIMIT_FSIZE)
        self->process->file_limit = *limit;
    return 0;
}

int world_getrlimit(int kind, struct rlimit *limit) {
    if (kind != RLIMIT_FSIZE || self->process->file_limit.rlim_max == 0)
        return getrlimit((__rlimit_resource_t)kind, limit);
    *limit = self->process->file_limit;
    return 0;
}

/* Pages come when they are touched, and go faster then. */
int world_posix_fallocate(int file, off_t offset, off_t size) {
    struct stat about;
    struct rlimit limit;
    world_getrlimit(RLIMIT_FSIZE, &limit);
    if ((rlim_t)(offset + size) > limit.rlim_cur)
        return EFBIG;
    if (fstat(file, &about) != 0)
        return errno;
    return about.st_size >= offset + size || ftruncate(file, offset + size) == 0 ? 0 : errno;
}

void *world_mmap(void *at, size_t size, int protection, int flags, int file, off_t offset) {
    void *base = mmap(at, size, protection, flags, file, offset);
    if (base != MAP_FAILED && mapped_count < MOST_SEGMENTS) {
        struct stat about;
        mapped[mapped_count].base = base;
        mapped[mapped_count].shared = flags & MAP_SHARED;
        mapped[mapped_count].size = size;
        mapped[mapped_count++].file = fstat(file, &about) == 0 ? about.st_ino : 0;
    }
    return base;
}

int world_munmap(void *base, size_t size) {
    for (int i = 0; i < mapped_count; i++)
        if (mapped[i].base == base)
            mapped[i] = mapped[--mapped_count];
    return munmap(base, size);
}

/* Those that a run has left. */
void mappings_drop(void) {
    for (int i = 0; i < mapped_count; i++)
        munmap(mapped[i].base, mapped[i].size);
}

static uint64_t hash_of(const uint64_t *word, size_t count) {
    uint64_t lanes[4] = {1, 2, 3, 4};
    for (size_t i = 0; i + 4 <= count; i += 4)
        for (size_t lane = 0; lane < 4; lane++)
            lanes[lane] = (lanes[lane] ^ word[i + lane]) * UINT64_C(0x100000001b3);
    return lanes[0] ^ lanes[1] ^ lanes[2] ^ lanes[3];
}

/* Each file once, whoever has mapped it. */
uint64_t shared_memory_hash(void) {
    uint64_t hash = 1;
    for (int i = 0; i < mapped_count; i++) {
        int before = 0;
        while (before < i && mapped[before].file != mapped[i].file)
            before++;
        if (before == i && mapped[i].shared)
            hash = hash * 31 + hash_of(mapped[i].base, mapped[i].size / sizeof hash);
    }
    return hash;
}

/* ---- the machine: looked at once, for all ---- */
static hwloc_topology_t machine;

void library_begin(void) {
    if (hwloc_topology_init(&machine) != 0 || hwloc_topology_load(machine) != 0)
        abort();
}

int world_hwloc_topology_init(hwloc_topology_t *topology) {
    *topology = machine;
    return 0;
}

int world_hwloc_topology_load(hwloc_topology_t topology) {
    (void)topology;
    return 0;
}

void world_hwloc_topology_destroy(hwloc_topology_t topology) {
    (void)topology;
}

/* ---- functions by name ---- */
void *world_dlsym(void *handle, const char *name) {
    char text[TEXT];
    const char *plain = name[0] == 'P' ? name + 1 : name;
    bool mpi = strncmp(plain, "MPI", 3) == 0;
    snprintf(text, sizeof text, "world%s%s", mpi ? "" : "_", mpi ? plain + 3 : name);
    void *found = dlsym(RTLD_DEFAULT, text);
    if (found)
        return found;
    return dlsym(handle == RTLD_NEXT ? RTLD_DEFAULT : handle, name);
}

/* The heap is that of all ranks and of the world: nobody's growth can be told from it, nor from
 * what the system knows of the process. */
FILE *world_fopen(const char *path, const char *mode) {
    return strncmp(path, "/proc/self/", strlen("/proc/self/")) == 0 ? NULL : fopen(path, mode);
}

struct mallinfo2 world_mallinfo2(void) {
    return (struct mallinfo2){0};
}
