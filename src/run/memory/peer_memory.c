/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/memory/peer_memory.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/random.h>
#include <sys/uio.h>
#include <unistd.h>

static _Atomic int64_t copied_bytes;

int64_t caucus_peer_copied(void) {
    return atomic_load(&copied_bytes);
}

struct caucus_peer_card caucus_peer_card(uint64_t *word) {
    if (getrandom(word, sizeof *word, 0) != (ssize_t)sizeof *word)
        *word = 0; /* nobody takes that for a sign */
    return (struct caucus_peer_card){
        .address = (uint64_t)(uintptr_t)word, .word = *word, .process = getpid()};
}

/* One piece on either side: the kernel copies up to a limit of its own, and says how far it came.
 */
static ssize_t copy_some(int64_t process, enum caucus_peer_direction direction, char *own,
                         uint64_t address, int64_t bytes) {
    const struct iovec here = {own, (size_t)bytes};
    const struct iovec there = {(void *)(uintptr_t)address, (size_t)bytes};
    return direction == CAUCUS_PEER_READ
               ? process_vm_readv((pid_t)process, &here, 1, &there, 1, 0)
               : process_vm_writev((pid_t)process, &here, 1, &there, 1, 0);
}

static int copy(int64_t process, enum caucus_peer_direction direction, char *own, uint64_t address,
                int64_t bytes) {
    while (bytes > 0) {
        ssize_t copied = copy_some(process, direction, own, address, bytes);
        if (copied < 0 && errno != EINTR)
            return errno;
        if (copied == 0) /* else this would go on for ever */
            return EFAULT;
        if (copied > 0) {
            own += copied;
            address += (uint64_t)copied;
            bytes -= copied;
        }
    }
    return 0;
}

int caucus_peer_copy(int64_t process, enum caucus_peer_direction direction, char *own,
                     uint64_t address, int64_t bytes) {
    int error = copy(process, direction, own, address, bytes);
    if (!error)
        atomic_fetch_add_explicit(&copied_bytes, bytes, memory_order_relaxed);
    return error;
}

/* Writing the word back changes nothing, as it is there already; so several may try at a time. */
bool caucus_peer_card_holds(const struct caucus_peer_card *card) {
    uint64_t word = 0;
    const int64_t size = sizeof word;
    char *bytes = (char *)&word;
    return card->word != 0 && !copy(card->process, CAUCUS_PEER_READ, bytes, card->address, size) &&
           word == card->word &&
           !copy(card->process, CAUCUS_PEER_WRITE, bytes, card->address, size);
}
