/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/status.h"
#include "plan/protocol/alive_machine.h"

#include <stdlib.h>

void caucus_alive_emit(const struct caucus_alive_machine *m, int32_t to,
                       const struct caucus_alive_message *message, const uint64_t *set) {
    enum { USUAL = 256 };
    unsigned char usual[USUAL], *bytes = usual;
    int64_t limit = caucus_alive_message_limit(m->setup->members);
    if (limit > USUAL)
        bytes = caucus_array(limit, 1);
    if (!bytes) {
        m->actions->status = CAUCUS_NO_MEMORY;
        return;
    }
    int64_t length = caucus_alive_message_pack(message, set, m->setup->members, bytes);
    if (to == CAUCUS_ALIVE_NOBODY)
        caucus_act_decide(m->actions, message->outcome.code, bytes, length);
    else
        caucus_act_send(m->actions, to, bytes, length);
    if (bytes != usual)
        free(bytes);
}

void caucus_alive_send_plain(const struct caucus_alive_machine *m, int32_t to,
                             enum caucus_alive_kind kind, const uint64_t *set) {
    caucus_alive_emit(m, to, &(struct caucus_alive_message){.kind = kind}, set);
}

void caucus_alive_send_outcome(const struct caucus_alive_machine *m, int32_t to) {
    struct caucus_alive_message message = {.kind = CAUCUS_ALIVE_COM, .outcome = m->own->value};
    caucus_alive_emit(m, to, &message, m->set[CAUCUS_ALIVE_SET_VALUE]);
}

void caucus_alive_send_proposal(const struct caucus_alive_machine *m, int32_t to) {
    struct caucus_alive_message message = {
        .kind = CAUCUS_ALIVE_PREP, .ballot = m->own->lock, .outcome = m->own->value};
    caucus_alive_emit(m, to, &message, m->set[CAUCUS_ALIVE_SET_VALUE]);
}

void caucus_alive_bind(struct caucus_alive_machine *m, int32_t root) {
    m->own->lock = root;
    caucus_set_clear(m->set[CAUCUS_ALIVE_SET_ACK], m->setup->members);
    for (int32_t i = m->setup->members; i-- > 0;) /* far first: it has most below it */
        if (caucus_set_has(m->set[CAUCUS_ALIVE_SET_UP], i) && !caucus_alive_is_dead(m, i))
            caucus_alive_send_proposal(m, i);
}

static void report_outcome(struct caucus_alive_machine *m) {
    caucus_alive_send_outcome(m, CAUCUS_ALIVE_NOBODY);
    if (m->setup->timeout > 0)
        for (int timer = CAUCUS_ALIVE_TIMER_HERE; timer <= CAUCUS_ALIVE_TIMER_DOUBT; timer++)
            caucus_act_timer(m->actions, timer, -1);
}

/* Of an error all must hear who may never report: a proposal that failed has no one bound to it. */
static bool hears_outcome(const struct caucus_alive_machine *m, int32_t member) {
    bool leads = caucus_alive_root(&m->tree) == m->own->me;
    if (m->own->value.code == CAUCUS_ALIVE_SUCCESS)
        return caucus_set_has(m->set[CAUCUS_ALIVE_SET_UP], member);
    return leads || caucus_set_has(m->set[CAUCUS_ALIVE_SET_UP], member) ||
           caucus_alive_is_child(&m->tree, member);
}

void caucus_alive_decide(struct caucus_alive_machine *m, int32_t from) {
    m->own->decided = 1;
    for (int32_t i = m->setup->members; i-- > 0;)
        if (i != m->own->me && i != from && !caucus_alive_is_dead(m, i) && hears_outcome(m, i))
            caucus_alive_send_outcome(m, i);
    m->own->told = from == caucus_alive_up(&m->tree) ? from : CAUCUS_ALIVE_NOBODY;
    report_outcome(m);
}

void caucus_alive_fence(struct caucus_alive_machine *m, enum caucus_alive_code code) {
    m->own->fenced = 1;
    if (m->own->decided || !m->own->called)
        return;
    m->own->decided = 1;
    m->own->value.code = code;
    report_outcome(m);
}

bool caucus_alive_may_fail(const struct caucus_alive_machine *m) {
    bool leads = caucus_alive_root(&m->tree) == m->own->me;
    return m->own->called && !m->own->decided &&
           (m->own->lock == CAUCUS_ALIVE_NOBODY ||
            (leads && m->own->lock == m->own->me && m->own->fresh));
}

void caucus_alive_fail(struct caucus_alive_machine *m, enum caucus_alive_code code) {
    m->own->value = (struct caucus_alive_outcome){code, m->own->me, {0, 0}};
    caucus_alive_decide(m, CAUCUS_ALIVE_NOBODY);
}

void caucus_alive_release(struct caucus_alive_machine *m) {
    m->own->released = 1;
    for (int32_t i = m->setup->members; i-- > 0;)
        if (caucus_alive_is_child(&m->tree, i) ||
            caucus_set_has(m->set[CAUCUS_ALIVE_SET_ASKING], i))
            caucus_alive_send_plain(m, i, CAUCUS_ALIVE_REL, NULL);
    for (int i = CAUCUS_ALIVE_SET_UP; i < CAUCUS_ALIVE_SETS; i++)
        caucus_set_clear(m->set[i], m->setup->members);
    m->own->told = m->own->fin_to = m->own->lock = m->own->ack_to = CAUCUS_ALIVE_NOBODY;
    m->own->acked = m->own->fresh = 0;
    caucus_act_decide(m->actions, CAUCUS_ALIVE_RELEASED, NULL, 0);
}
