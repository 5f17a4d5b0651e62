/* SPDX-License-Identifier: BSD-3-Clause */
/* Letters of the living who make a group (src/plan/protocol/alive.h), what is answered without a
 * state, and outcomes. */
#include "letters.h"

#include "plan/protocol/alive.h"
#include "plan/protocol/alive_message.h"
#include "plan/protocol/member_set.h"
#include "plan/protocol/retirement.h"

enum { MOST = 6 };

static int64_t call(struct fuzz_input *input, int member, int64_t number, unsigned char *bytes) {
    struct caucus_alive_name name = {fuzz_byte(input), (uint64_t)member};
    if (number == CAUCUS_ALIVE_OBJECT)
        return 0;
    memcpy(bytes, &name, sizeof name);
    return sizeof name;
}

static int64_t retire(struct fuzz_input *input, int member, int64_t number, unsigned char *bytes) {
    (void)input, (void)member, (void)number, (void)bytes;
    return 0;
}

/* A letter to somebody who keeps no state. */
static void answer(struct fuzz_input *input) {
    struct caucus_alive_outcome outcome;
    int32_t members = 1 + fuzz_byte(input);
    unsigned char reply[64];
    char text[100];
    uint64_t *set = calloc((size_t)caucus_set_words(members), sizeof *set);
    unsigned char *copy = malloc(input->left ? input->left : 1);
    fuzz_expect(set && copy, "memory");
    memcpy(copy, input->at, input->left);
    caucus_alive_outcome_read(copy, (int64_t)input->left, members, &outcome, set);
    caucus_alive_message_describe(copy, (int64_t)input->left, text, sizeof text);
    fuzz_expect(caucus_alive_answer(copy, (int64_t)input->left, reply) <= 64, "a short answer");
    free(set);
    free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    struct fuzz_input input = {bytes, size};
    uint8_t how = fuzz_byte(&input);
    int members = 1 + fuzz_below(&input, MOST);
    struct caucus_alive_setup setup = {.members = members,
                                       .timeout = how & 1 ? 1000000 : 0,
                                       .detects = how & 2,
                                       .hears_all = how & 4};
    struct caucus_retirement_setup retirement = {.members = members};
    struct letters_case of = {&caucus_alive, members, {0}, NULL, 2, call, NULL};
    if (how & 8)
        of = (struct letters_case){&caucus_retirement, members, {0}, NULL, 1, retire, NULL};
    for (int i = 0; i < members; i++)
        of.setup[i] = how & 8 ? (const void *)&retirement : &setup;
    if (how & 16)
        answer(&input);
    else
        letters_run(&of, &input);
    return 0;
}
