/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of numbers that the leaders of nodes send to one another. */
#ifndef CAUCUS_PLAN_GRAPH_LETTERS_H
#define CAUCUS_PLAN_GRAPH_LETTERS_H

#include <stdint.h>

/* Those that one leader sends, or has received: number[start[i]] to number[start[i + 1] - 1] are
 * for leader i, or from it. */
struct caucus_letters {
    int32_t leaders;
    int64_t *start; /* [leaders + 1] */
    int64_t *number;
    /* While they are written: pieces one behind the other, each behind who it is for and how many
     * numbers it has. */
    int64_t *piece, written, room;
    int status;
};

/* None at first. */
int caucus_letters_init(struct caucus_letters *letters, int32_t leaders);
void caucus_letters_free(struct caucus_letters *letters);

/* Behind what that leader gets already; a few numbers. Without memory, caucus_letters_close says
 * so. */
void caucus_letters_add(struct caucus_letters *letters, int32_t to, int64_t count,
                        const int64_t *number);

/* Sorts what was written by who it is for. */
int caucus_letters_close(struct caucus_letters *letters);

#endif
