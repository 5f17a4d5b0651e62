/* SPDX-License-Identifier: BSD-3-Clause */
/* Letters of groups that ask to be taken in (src/plan/protocol/join_request.h). */
#include "letters.h"

#include "plan/protocol/join_request.h"

enum { RANKS = 5 };

static int64_t call(struct fuzz_input *input, int member, int64_t number, unsigned char *bytes) {
    int32_t rank = fuzz_below(input, RANKS);
    if (number > CAUCUS_JOIN_REQUEST_REFUSE)
        return 0;
    if (rank == member)
        return -1;
    memcpy(bytes, &rank, sizeof rank);
    return sizeof rank;
}

static void look(const void *setup, const void *state) {
    int32_t next = caucus_join_request_next(setup, state, 0);
    fuzz_expect(next >= -1 && next < RANKS, "a rank");
    fuzz_expect(caucus_join_request_asked(state) < RANKS &&
                    caucus_join_request_taker(state) < RANKS,
                "ranks");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    struct fuzz_input input = {bytes, size};
    struct caucus_join_request_setup setup[RANKS];
    struct letters_case of = {&caucus_join_request_protocol, RANKS, {0}, NULL, 6, call, look};
    for (int i = 0; i < RANKS; i++) {
        setup[i] = (struct caucus_join_request_setup){RANKS, i};
        of.setup[i] = &setup[i];
    }
    letters_run(&of, &input);
    return 0;
}
