/* SPDX-License-Identifier: BSD-3-Clause */
/* What was found out by measuring, as a file: for a kind of call and a size class the algorithm to
 * take. */
#ifndef CAUCUS_PLAN_CHOICE_CHOICE_H
#define CAUCUS_PLAN_CHOICE_CHOICE_H

#include "plan/collective/algorithm.h"

#include <stdio.h>

/* Calls in which form it holds for. */
enum caucus_choice_form { CAUCUS_CHOICE_BLOCKING, CAUCUS_CHOICE_PERSISTENT, CAUCUS_CHOICE_ALL };

/* Plain bytes without gaps; of what all ranks know alike without a message. */
struct caucus_choice_key {
    int64_t form, collective, size_class, element, commutative, shares_memory;
};

enum { CAUCUS_CHOICE_NUMBERS = sizeof(struct caucus_choice_key) / sizeof(int64_t) };

struct caucus_choice {
    struct caucus_choice_key key;
    const struct caucus_algorithm *algorithm;
    bool is_mpis; /* MPI's own blocking call is faster than all that there is here */
};

/* Reads up to most of them, of each key one; lines about what this version does not know are left
 * out. Fails with CAUCUS_BAD_FILE as caucus_lines_open, and where a line is none of these. */
int caucus_choices_read(const char *path, struct caucus_choice *choices, int64_t most,
                        int64_t *count);

/* One line; false if it can't be written. */
bool caucus_choice_write(FILE *stream, const struct caucus_choice *choice);

#endif
