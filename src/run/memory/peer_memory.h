/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory of other processes of the node, as far as the kernel lets this one read it
 * (process_vm_readv, process_vm_writev): one copy from one user's buffer to another's. Nothing is
 * asked for that is not allowed anyway (no prctl(PR_SET_PTRACER)). */
#ifndef CAUCUS_RUN_MEMORY_PEER_MEMORY_H
#define CAUCUS_RUN_MEMORY_PEER_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/* How a process is found by others: its number, which in another container may be that of another
 * process, and a random word of its memory by which that is noticed. */
struct caucus_peer_card {
    uint64_t address, word;
    int64_t process;
};

/* This process's. word is where the random word is, and must stay there while others try. */
struct caucus_peer_card caucus_peer_card(uint64_t *word);

/* Whether this process can read, and write, the memory of the one that has the card, and it is that
 * one. */
bool caucus_peer_card_holds(const struct caucus_peer_card *card);

enum caucus_peer_direction { CAUCUS_PEER_READ, CAUCUS_PEER_WRITE };

/* Between bytes at own and as many at the address of the other process. 0, or the reason of the
 * kernel (errno) why not all of them were copied; nobody knows which were then. */
int caucus_peer_copy(int64_t process, enum caucus_peer_direction direction, char *own,
                     uint64_t address, int64_t bytes);

/* How many bytes this process has copied so, but for trials. */
int64_t caucus_peer_copied(void);

#endif
