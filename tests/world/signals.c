/* SPDX-License-Identifier: BSD-3-Clause */
/* Signals between ranks, and of a rank to itself: a handler runs at once, where the signal is sent.
 */
#include "world.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static struct sigaction *actions[MOST_PROCESSES]; /* by number; zero: the default */

static struct sigaction *action_of(const struct process *process, int number) {
    if (!actions[process->rank])
        actions[process->rank] = NEW(NSIG, struct sigaction);
    return &actions[process->rank][number];
}

int world_sigaction(int number, const struct sigaction *wanted, struct sigaction *old) {
    if (number < 1 || number >= NSIG) {
        errno = EINVAL;
        return -1;
    }
    struct sigaction *action = action_of(self->process, number);
    if (old)
        *old = *action;
    if (wanted)
        *action = *wanted;
    return 0;
}

void (*world_signal(int number, void (*handler)(int)))(int) {
    struct sigaction wanted = {.sa_handler = handler}, old;
    return world_sigaction(number, &wanted, &old) == 0 ? old.sa_handler : SIG_ERR;
}

static void receive_signal(struct process *process, int number) {
    struct sigaction *action = action_of(process, number);
    if (number == SIGSTOP || number == SIGCONT)
        process_freeze(process, number == SIGSTOP);
    else if (action->sa_handler == SIG_DFL || number == SIGKILL)
        process_die(process);
    else if (action->sa_handler != SIG_IGN)
        action->sa_handler(number);
}

int world_kill(pid_t pid, int number) {
    int rank = pid - getpid() * RANKS_PER_PROCESS;
    if (rank < 0 || rank >= settings.ranks || number < 0 || number >= NSIG)
        return -1;
    if (number != 0)
        receive_signal(&processes[rank], number);
    return 0;
}

int world_raise(int number) {
    return world_kill(getpid() * RANKS_PER_PROCESS + self->process->rank, number);
}

/* ---- the memory of another rank, which is this process's own ---- */
static ssize_t copy_between(pid_t pid, const struct iovec *own, const struct iovec *other,
                            bool reads) {
    int rank = pid - getpid() * RANKS_PER_PROCESS;
    size_t bytes = own->iov_len < other->iov_len ? own->iov_len : other->iov_len;
    if (rank < 0 || rank >= settings.ranks || process_is_dead(rank)) {
        errno = ESRCH;
        return -1;
    }
    if (settings.refusals > 0 && bytes > sizeof(long) &&
        draw(settings.refusals) == settings.refusals - 1) { /* not in the trials at an attach */
        errno = EFAULT;
        return -1;
    }
    if (draw(4) == 0 && bytes > 1) /* the kernel's may end early */
        bytes /= 2;
    memcpy(reads ? own->iov_base : other->iov_base, reads ? other->iov_base : own->iov_base, bytes);
    return (ssize_t)bytes;
}

ssize_t world_process_vm_readv(pid_t pid, const struct iovec *own, unsigned long owns,
                               const struct iovec *other, unsigned long others,
                               unsigned long flags) {
    (void)owns, (void)others, (void)flags;
    return copy_between(pid, own, other, true);
}

ssize_t world_process_vm_writev(pid_t pid, const struct iovec *own, unsigned long owns,
                                const struct iovec *other, unsigned long others,
                                unsigned long flags) {
    (void)owns, (void)others, (void)flags;
    return copy_between(pid, own, other, false);
}
