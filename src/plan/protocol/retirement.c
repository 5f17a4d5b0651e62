/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/protocol/retirement.h"

#include "plan/protocol/alive_tree.h"

#include <stdio.h>

struct state {
    int32_t me, told; /* told: to whom I reported; -1 */
    uint8_t called, decided, unused[6];
    uint64_t sets[]; /* who is dead, and who reported */
};

static int64_t state_bytes(const void *setup) {
    const struct caucus_retirement_setup *of = setup;
    return (int64_t)sizeof(struct state) + 2 * 8 * caucus_set_words(of->members);
}

static void begin(const void *setup, int32_t me, void *state) {
    (void)setup;
    struct state *own = state;
    own->me = me;
    own->told = -1;
}

static void step(const void *given, void *state, const struct caucus_event *event,
                 struct caucus_actions *actions) {
    const struct caucus_retirement_setup *setup = given;
    struct state *own = state;
    uint64_t *reported = own->sets + caucus_set_words(setup->members);
    bool from_other = event->peer >= 0 && event->peer < setup->members && event->peer != own->me;
    if (event->kind == CAUCUS_EVENT_CALL)
        own->called = 1;
    else if (event->kind == CAUCUS_EVENT_MESSAGE && from_other)
        caucus_set_add(reported, event->peer);
    else if (event->kind == CAUCUS_EVENT_DEATH && from_other)
        caucus_set_add(own->sets, event->peer);
    struct caucus_alive_tree tree = {setup->members, own->me, own->sets};
    if (!own->called || !caucus_alive_covers(&tree, reported))
        return;
    int32_t up = caucus_alive_up(&tree);
    if (own->me == 0 && !own->decided) {
        own->decided = 1;
        caucus_act_decide(actions, 0, NULL, 0);
    } else if (up != own->me && own->told != up) {
        own->told = up;
        caucus_act_send(actions, up, NULL, 0);
    }
}

static void describe(const void *bytes, int64_t length, char *text, int64_t size) {
    (void)bytes, (void)length;
    snprintf(text, (size_t)size, "freed");
}

const struct caucus_protocol caucus_retirement = {
    "retirement", state_bytes, begin, step, NULL, describe,
};
