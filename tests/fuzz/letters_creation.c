/* SPDX-License-Identifier: BSD-3-Clause */
/* Letters of members that make a group (src/plan/protocol/creation.h). */
#include "letters.h"

#include "plan/protocol/creation.h"

enum { MOST = 6 };

static int64_t call(struct fuzz_input *input, int member, int64_t number, unsigned char *bytes) {
    int64_t own = fuzz_number(input);
    (void)member, (void)number;
    memcpy(bytes, &own, sizeof own);
    return sizeof own;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    struct fuzz_input input = {bytes, size};
    static const int32_t ranks[MOST] = {3, 17, 0, 5, 100000, 8};
    struct caucus_creation_setup setup[MOST];
    int members = 1 + fuzz_below(&input, MOST);
    uint8_t how = fuzz_byte(&input);
    struct letters_case of = {&caucus_creation, members, {0}, ranks, 2, call, NULL};
    for (int i = 0; i < members; i++) {
        setup[i] = (struct caucus_creation_setup){.members = members,
                                                  .ranks = ranks,
                                                  .me = i,
                                                  .checked = how & 1,
                                                  .flat = how & 2,
                                                  .hash = how & 4 ? (uint64_t)(i == 2) : 7,
                                                  .patience = how & 8 ? 1000 : 0,
                                                  .timeout = how & 16 ? 5000 : 0,
                                                  .grace = how & 32 ? 100 : 0,
                                                  .settles = how & 64};
        of.setup[i] = &setup[i];
    }
    letters_run(&of, &input);
    return 0;
}
