/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls by which a process reads and writes the memory of others, as the library finds them
 * before the C library's: they count, copy less than asked, and fail when a test wants it. MPI's
 * own are left alone. */
#ifndef TESTS_MPI_PEER_CALLS_H
#define TESTS_MPI_PEER_CALLS_H

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static long peer_calls;         /* so far */
static bool peer_calls_part;    /* some copy a part only */
static unsigned peer_calls_nap; /* microseconds before each */
static int peer_calls_error;    /* errno of all from now on; 0: they are carried out */
static double peer_calls_begun, peer_calls_ended; /* when the last one with a nap did */
static long peer_calls_refused;                   /* one in so many is refused; 0: none */

static double peer_calls_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool peer_call_is_ours(void *caller) {
    static const char *const others[] = {"libmpi", "libuc", "libopen-pal", "mca_", "libfabric"};
    Dl_info from;
    bool ours = true;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (dladdr(caller, &from) && from.dli_fname && strstr(from.dli_fname, others[i]))
            ours = false;
    return ours;
}

static ssize_t peer_call(bool ours, long which, pid_t process, const struct iovec *here,
                         unsigned long heres, const struct iovec *there, unsigned long theres,
                         unsigned long flags) {
    struct iovec local = *here, remote = *there;
    if (!ours)
        return syscall(which, process, here, heres, there, theres, flags);
    peer_calls++;
    if (peer_calls_nap) {
        peer_calls_begun = peer_calls_clock();
        usleep(peer_calls_nap);
        peer_calls_ended = peer_calls_clock();
    }
    if (peer_calls_error) {
        errno = peer_calls_error;
        return -1;
    }
    if (peer_calls_refused && peer_calls % peer_calls_refused == 0) {
        errno = peer_calls % 2 ? EFAULT : EPERM;
        return -1;
    }
    if (peer_calls_part && heres == 1 && theres == 1 && peer_calls % 2 && local.iov_len > 5000) {
        local.iov_len = remote.iov_len = local.iov_len / 3;
        here = &local;
        there = &remote;
    }
    return syscall(which, process, here, heres, there, theres, flags);
}

ssize_t process_vm_readv(pid_t process, const struct iovec *here, unsigned long heres,
                         const struct iovec *there, unsigned long theres, unsigned long flags) {
    return peer_call(peer_call_is_ours(__builtin_return_address(0)), SYS_process_vm_readv, process,
                     here, heres, there, theres, flags);
}

ssize_t process_vm_writev(pid_t process, const struct iovec *here, unsigned long heres,
                          const struct iovec *there, unsigned long theres, unsigned long flags) {
    return peer_call(peer_call_is_ours(__builtin_return_address(0)), SYS_process_vm_writev, process,
                     here, heres, there, theres, flags);
}

#endif
