/* SPDX-License-Identifier: BSD-3-Clause */
/* Letters of channels (src/plan/protocol/channel.h), and of those that survive deaths
 * (survival.h). */
#include "letters.h"

#include "plan/protocol/survival.h"

enum { MOST = 5, LONGEST = 40 };

static int64_t call(struct fuzz_input *input, int member, int64_t number, unsigned char *bytes) {
    int64_t value = fuzz_byte(input);
    (void)member;
    switch (number) {
    case CAUCUS_CHANNEL_CAST:
    case CAUCUS_CHANNEL_ASK:
        value %= LONGEST;
        break;
    case CAUCUS_CHANNEL_ANSWER:
        value %= MOST;
        break;
    default:
        return 0;
    }
    memcpy(bytes, &value, sizeof value);
    return sizeof value;
}

static void look(const void *setup, const void *state) {
    char text[200];
    struct caucus_channel_message message;
    caucus_channel_explain(setup, state, text, sizeof text);
    if (caucus_channel_peek(setup, state, &message))
        fuzz_expect(caucus_channel_piece(setup, &message) >= 0, "a piece");
}

static struct caucus_channel_setup draw(struct fuzz_input *input, int members) {
    uint8_t how = fuzz_byte(input);
    struct caucus_channel_setup setup = {
        .overlay = {.kind = how & 1 ? &caucus_overlay_finger : &caucus_overlay_skip_ring,
                    .ranks = members,
                    .shared = how & 2},
        .credits = 1 + (how >> 2) % 4,
        .total_order = how & 16,
        .segment = 1 + fuzz_byte(input) % 16,
        .memory = how & 32 ? 30 : 0,
        .window = 1 + fuzz_byte(input) % 9,
    };
    for (int rank = 0; rank < members; rank++) {
        int32_t count, *list;
        if (!caucus_overlay_sources(&setup.overlay, rank, &count, &list) && count > setup.sources)
            setup.sources = count;
        free(list);
        if (!caucus_overlay_targets(&setup.overlay, rank, &count, &list) && count > setup.targets)
            setup.targets = count;
        free(list);
    }
    return setup;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    struct fuzz_input input = {bytes, size};
    uint8_t how = fuzz_byte(&input);
    int members = 1 + how % MOST;
    bool survives = how & 128 && members > 1;
    struct caucus_survival_setup setup = {.channel = draw(&input, members)};
    struct letters_case of = {&caucus_channel_protocol, members, {0}, NULL, 8, call, look};
    for (int i = 0; i < members; i++)
        of.setup[i] = &setup.channel;
    if (survives) {
        setup.window = (int32_t)setup.channel.window;
        setup.bytes = how & 64 ? 100 : 0;
        for (int i = 0; i < members; i++) {
            fuzz_expect(!caucus_survival_make_room(&setup.channel, i), "room");
            of.setup[i] = &setup;
        }
        of.protocol = &caucus_survival;
        of.look = NULL;
    }
    letters_run(&of, &input);
    return 0;
}
