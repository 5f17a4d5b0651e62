/* SPDX-License-Identifier: BSD-3-Clause */
/* Letters of groups that help each other (src/plan/protocol/balance.h). */
#include "letters.h"

#include "plan/protocol/balance.h"

enum { MOST = 8 };

static int64_t call(struct fuzz_input *input, int member, int64_t number, unsigned char *bytes) {
    int64_t own = 100 * member + fuzz_byte(input);
    (void)number;
    memcpy(bytes, &own, sizeof own);
    return sizeof own;
}

static void look(const void *given, const void *state) {
    const struct caucus_balance_setup *setup = given;
    struct caucus_balance_group group = caucus_balance_current(state);
    fuzz_expect(group.first >= 0 && group.first < setup->ranks && group.count > 0 &&
                    group.count <= setup->ranks,
                "a group");
    caucus_balance_may_ask(setup, state);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    struct fuzz_input input = {bytes, size};
    struct caucus_balance_setup setup = {.ranks = 1 + fuzz_below(&input, MOST)};
    struct letters_case of = {&caucus_balance_protocol, setup.ranks, {0}, NULL, 2, call, look};
    setup.group_size = 1 + fuzz_below(&input, setup.ranks);
    for (int i = 0; i < setup.ranks; i++)
        of.setup[i] = &setup;
    letters_run(&of, &input);
    return 0;
}
