/* SPDX-License-Identifier: BSD-3-Clause */
/* All ranks come to the same verdict before anything is made. */
#ifndef CAUCUS_RUN_PEERS_AGREE_H
#define CAUCUS_RUN_PEERS_AGREE_H

#include "run/peers/peers.h"

#include <stddef.h>
#include <stdint.h>

enum { CAUCUS_AGREE_ITEMS = 12 };

enum caucus_item_kind {
    CAUCUS_ITEM_INTEGERS,
    CAUCUS_ITEM_LONGS,
    CAUCUS_ITEM_REALS,
    CAUCUS_ITEM_TEXT
};

/* Something that must be the same on all ranks. */
struct caucus_item {
    const char *name;
    enum caucus_item_kind kind;
    const void
        *data;     /* int[count], int64_t[count], double[count], or a string; NULL is a value too */
    int64_t count; /* of a string: not used */
};

/* All of the peers, those with a status that is no success included. If a
 * rank has failed, all get the status and the text of the lowest such rank, with "rank R: " before
 * it, as rank_text.h has it, unless they are unnamed or agreed on it before. Otherwise, if an item
 * differs, all get CAUCUS_BAD_ARGUMENT with a text that names the item, two ranks, and their
 * values. count is at most CAUCUS_AGREE_ITEMS and the same on all ranks that have not failed. Cost:
 * one MPI_Allreduce where all is well, or messages up and down a tree. */
int caucus_agree(const struct caucus_peers *peers, int status, int count,
                 const struct caucus_item *items);

/* A number that is the same where all items are, and hardly ever otherwise. Local. */
uint64_t caucus_agree_digest(int count, const struct caucus_item *items);

/* The same where only root can fail: one MPI_Bcast. */
int caucus_agree_root(const struct caucus_peers *peers, int root, int status);

/* The same, and where root is well all have its data: at most CAUCUS_AGREE_BYTES, in the same
 * MPI_Bcast. */
enum { CAUCUS_AGREE_BYTES = 2048 };
int caucus_agree_root_data(const struct caucus_peers *peers, int root, int status, void *data,
                           size_t bytes);

#endif
