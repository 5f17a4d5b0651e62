/* SPDX-License-Identifier: BSD-3-Clause */
/* What a member of those that live waits for, told to people. */
#include "plan/protocol/alive_machine.h"
#include "plan/protocol/sentences.h"

#include <stddef.h>

/* Those right below me that are not in a set. */
static bool tell_below(const struct caucus_alive_machine *m, enum caucus_alive_sets said,
                       const int32_t *ranks, const char *what, struct caucus_sentences *words) {
    if (caucus_alive_covers(&m->tree, m->set[said]))
        return false;
    for (int32_t i = 0; i < m->setup->members; i++)
        if (caucus_alive_is_child(&m->tree, i) && !caucus_set_has(m->set[said], i))
            caucus_sentences_name(words, ranks[i]);
    caucus_sentences_have(words, "%s", what);
    return true;
}

void caucus_alive_explain(const struct caucus_alive_setup *setup, const void *state,
                          const int32_t *ranks, char *text, int64_t size) {
    const struct caucus_alive_machine m =
        caucus_alive_machine_of(setup, (void *)(uintptr_t)state, NULL);
    struct caucus_sentences words = caucus_sentences_in(text, size);
    int32_t root = caucus_alive_root(&m.tree), up = caucus_alive_up(&m.tree);
    bool bound = m.own->lock == root;
    if (!m.own->called || m.own->decided)
        return;
    if (!bound && tell_below(&m, CAUCUS_ALIVE_SET_UP, ranks,
                             "not come, or somebody below it in the tree (message UP)", &words))
        return;
    if (bound && !m.own->acked &&
        tell_below(&m, CAUCUS_ALIVE_SET_ACK, ranks,
                   "not agreed to the group, or somebody below it in the tree (message ACK)",
                   &words))
        return;
    if (up != m.own->me)
        caucus_sentences_has(&words, ranks[up],
                             bound ? "not told that all have agreed to the group (message COM)"
                                   : "not proposed the group (message PREP)");
}
