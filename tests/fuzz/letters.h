/* SPDX-License-Identifier: BSD-3-Clause */
/* Members of a protocol whose letters an input delivers, changes, doubles, loses and invents. What
 * each user calls is right, what comes from others is anything. A step must end, stay within the
 * state (which is a block of just its size), and ask for a bounded number of actions. */
#ifndef CAUCUS_TESTS_FUZZ_LETTERS_H
#define CAUCUS_TESTS_FUZZ_LETTERS_H

#include "fuzz.h"

#include "plan/protocol/protocol.h"

struct letters_case {
    const struct caucus_protocol *protocol;
    int members;
    const void *setup[8];
    const int32_t *rank_of; /* what peers are called, by member; NULL: their numbers */
    int64_t calls;          /* kinds of calls: number 0 to calls - 1 */
    /* The bytes of a right call, at most 64, and how many. */
    int64_t (*call)(struct fuzz_input *input, int member, int64_t number, unsigned char *bytes);
    /* Looks at a state after a step, where not NULL. */
    void (*look)(const void *setup, const void *state);
};

void letters_run(const struct letters_case *of, struct fuzz_input *input);

#endif
