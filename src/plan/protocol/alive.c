/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/protocol/alive.h"

#include "plan/protocol/alive_machine.h"

#include <string.h>

static int64_t state_bytes(const void *setup) {
    const struct caucus_alive_setup *of = setup;
    return (int64_t)sizeof(struct caucus_alive_head) +
           CAUCUS_ALIVE_SETS * 8 * caucus_set_words(of->members);
}

struct caucus_alive_machine caucus_alive_machine_of(const void *setup, void *state,
                                                    struct caucus_actions *actions) {
    struct caucus_alive_machine m = {setup, state, {NULL}, {0}, actions};
    uint64_t *word = (uint64_t *)(void *)((char *)state + sizeof(struct caucus_alive_head));
    for (int i = 0; i < CAUCUS_ALIVE_SETS; i++)
        m.set[i] = word + i * caucus_set_words(m.setup->members);
    m.tree = (struct caucus_alive_tree){m.setup->members, m.own->me, m.set[CAUCUS_ALIVE_SET_DEAD]};
    return m;
}

static void begin(const void *setup, int32_t me, void *state) {
    struct caucus_alive_machine m = caucus_alive_machine_of(setup, state, NULL);
    m.own->me = me;
    m.own->lock = m.own->ack_to = m.own->told = m.own->fin_to = m.own->timed = CAUCUS_ALIVE_NOBODY;
}

static void fix_value(struct caucus_alive_machine *m) {
    m->own->value = (struct caucus_alive_outcome){CAUCUS_ALIVE_SUCCESS, m->own->me, m->own->name};
    caucus_set_clear(m->set[CAUCUS_ALIVE_SET_VALUE], m->setup->members);
    caucus_set_join(m->set[CAUCUS_ALIVE_SET_VALUE], m->set[CAUCUS_ALIVE_SET_DEAD],
                    m->setup->members);
    m->own->fresh = 1;
}

static void lead(struct caucus_alive_machine *m) {
    if (m->own->lock != m->own->me) {
        if (m->own->lock == CAUCUS_ALIVE_NOBODY) {
            if (!caucus_alive_covers(&m->tree, m->set[CAUCUS_ALIVE_SET_UP]))
                return;
            fix_value(m);
        }
        caucus_alive_bind(m, m->own->me); /* a proposal that I was bound to stays as it is */
    }
    if (caucus_alive_covers(&m->tree, m->set[CAUCUS_ALIVE_SET_ACK]))
        caucus_alive_decide(m, CAUCUS_ALIVE_NOBODY);
}

static void follow(struct caucus_alive_machine *m, int32_t up) {
    if (m->own->told != up && caucus_alive_covers(&m->tree, m->set[CAUCUS_ALIVE_SET_UP])) {
        m->own->told = up;
        caucus_alive_send_plain(m, up, CAUCUS_ALIVE_UP, m->set[CAUCUS_ALIVE_SET_DEAD]);
    }
    if (m->own->lock == caucus_alive_root(&m->tree) && !m->own->acked &&
        m->own->ack_to != CAUCUS_ALIVE_NOBODY && !caucus_alive_is_dead(m, m->own->ack_to) &&
        caucus_alive_covers(&m->tree, m->set[CAUCUS_ALIVE_SET_ACK])) {
        m->own->acked = 1;
        struct caucus_alive_message ack = {.kind = CAUCUS_ALIVE_ACK, .ballot = m->own->lock};
        caucus_alive_emit(m, m->own->ack_to, &ack, NULL);
    }
}

/* Who came to me by a death and never reported may have been released already, and will never say
 * so. */
static void ask_adopted(struct caucus_alive_machine *m) {
    for (int32_t i = m->setup->members; i-- > 1;) {
        if (caucus_position_parent(i) == m->own->me || !caucus_alive_is_child(&m->tree, i) ||
            caucus_set_has(m->set[CAUCUS_ALIVE_SET_UP], i) ||
            caucus_set_has(m->set[CAUCUS_ALIVE_SET_FIN], i) ||
            caucus_set_has(m->set[CAUCUS_ALIVE_SET_ASKED], i))
            continue;
        caucus_set_add(m->set[CAUCUS_ALIVE_SET_ASKED], i);
        caucus_alive_send_outcome(m, i);
    }
}

static void serve(struct caucus_alive_machine *m, int32_t up) {
    if (up != m->own->me && m->own->told != up) {
        m->own->told = up;
        caucus_alive_send_outcome(m, up);
    }
    ask_adopted(m);
    if (!caucus_alive_covers(&m->tree, m->set[CAUCUS_ALIVE_SET_FIN]))
        return;
    if (up == m->own->me) {
        caucus_alive_release(m);
    } else if (m->own->fin_to != up) {
        m->own->fin_to = up;
        caucus_alive_send_plain(m, up, CAUCUS_ALIVE_FIN, NULL);
    }
}

static void set_timers(struct caucus_alive_machine *m, int32_t root) {
    if (m->setup->timeout <= 0 || m->own->timed == root)
        return;
    int64_t quarter = m->setup->timeout / 4;
    m->own->timed = root;
    m->own->late = 0;
    caucus_act_timer(m->actions, CAUCUS_ALIVE_TIMER_HERE, quarter / 2);
    caucus_act_timer(m->actions, CAUCUS_ALIVE_TIMER_ABSENT,
                     root == m->own->me ? 2 * quarter : 4 * quarter);
}

static void advance(struct caucus_alive_machine *m) {
    if (!m->own->called || m->own->fenced || m->own->released)
        return;
    int32_t up = caucus_alive_up(&m->tree);
    if (!m->own->decided) {
        set_timers(m, caucus_alive_root(&m->tree));
        if (up == m->own->me)
            lead(m);
        else
            follow(m, up);
    }
    if (m->own->decided)
        serve(m, up);
}

static void learn(struct caucus_alive_machine *m, const uint64_t *dead) {
    if (caucus_set_has(dead, m->own->me))
        caucus_alive_fence(m, CAUCUS_ALIVE_EXCLUDED);
    else
        caucus_set_join(m->set[CAUCUS_ALIVE_SET_DEAD], dead, m->setup->members);
}

static void learn_below(struct caucus_alive_machine *m, int32_t root) {
    if (m->own->me < root)
        caucus_alive_fence(m, CAUCUS_ALIVE_EXCLUDED);
    for (int32_t i = 0; i < root && !m->own->fenced; i++)
        caucus_set_add(m->set[CAUCUS_ALIVE_SET_DEAD], i);
}

static void on_up(struct caucus_alive_machine *m, int32_t peer, const uint64_t *dead) {
    caucus_set_add(m->set[CAUCUS_ALIVE_SET_UP], peer);
    learn(m, dead);
    if (m->own->fenced)
        return;
    if (m->own->decided)
        caucus_alive_send_outcome(m, peer);
    else if (m->own->lock == caucus_alive_root(&m->tree))
        caucus_alive_send_proposal(m, peer);
}

static void on_proposal(struct caucus_alive_machine *m, int32_t peer,
                        const struct caucus_alive_message *message, const uint64_t *set) {
    learn_below(m, message->ballot);
    if (m->own->fenced || m->own->decided) /* who asks has heard, or will hear, the outcome */
        return;
    if (message->ballot < caucus_alive_root(&m->tree))
        return; /* of a root that is dead */
    if (m->own->lock != message->ballot) {
        m->own->value = message->outcome;
        caucus_set_clear(m->set[CAUCUS_ALIVE_SET_VALUE], m->setup->members);
        caucus_set_join(m->set[CAUCUS_ALIVE_SET_VALUE], set, m->setup->members);
        caucus_alive_bind(m, message->ballot);
        if (!m->setup->detects && m->setup->timeout > 0)
            caucus_act_timer(m->actions, CAUCUS_ALIVE_TIMER_DOUBT, m->setup->timeout);
    }
    m->own->ack_to = peer;
    m->own->acked = 0;
}

static void on_outcome(struct caucus_alive_machine *m, int32_t peer,
                       const struct caucus_alive_message *message, const uint64_t *set) {
    if (m->own->decided || peer != caucus_alive_up(&m->tree))
        caucus_set_add(m->set[CAUCUS_ALIVE_SET_ASKING], peer);
    if (m->own->decided)
        return; /* the first that is heard counts */
    m->own->value = message->outcome;
    caucus_set_clear(m->set[CAUCUS_ALIVE_SET_VALUE], m->setup->members);
    caucus_set_join(m->set[CAUCUS_ALIVE_SET_VALUE], set, m->setup->members);
    caucus_alive_decide(m, peer);
}

static void object(struct caucus_alive_machine *m) {
    if (!caucus_alive_may_fail(m))
        return;
    caucus_set_clear(m->set[CAUCUS_ALIVE_SET_VALUE], m->setup->members);
    caucus_alive_fail(m, CAUCUS_ALIVE_MISMATCH);
}

static void on_message(struct caucus_alive_machine *m, int32_t peer,
                       const struct caucus_alive_message *message, const uint64_t *set) {
    switch ((enum caucus_alive_kind)message->kind) {
    case CAUCUS_ALIVE_UP:
        on_up(m, peer, set);
        break;
    case CAUCUS_ALIVE_PREP:
        on_proposal(m, peer, message, set);
        break;
    case CAUCUS_ALIVE_ACK:
        if (!m->own->decided && message->ballot == m->own->lock)
            caucus_set_add(m->set[CAUCUS_ALIVE_SET_ACK], peer);
        break;
    case CAUCUS_ALIVE_COM:
        on_outcome(m, peer, message, set);
        break;
    case CAUCUS_ALIVE_FIN:
        caucus_set_add(m->set[CAUCUS_ALIVE_SET_ASKING], peer);
        caucus_set_add(m->set[CAUCUS_ALIVE_SET_FIN], peer);
        break;
    case CAUCUS_ALIVE_REL:
        if (m->own->decided)
            caucus_alive_release(m);
        break;
    case CAUCUS_ALIVE_HERE:
        caucus_set_join(m->set[CAUCUS_ALIVE_SET_HERE], set, m->setup->members);
        break;
    default:
        object(m);
    }
}

/* Whom an error of lateness names: who has not come, as far as I know. */
static void name_absent(struct caucus_alive_machine *m) {
    uint64_t *absent = m->set[CAUCUS_ALIVE_SET_VALUE];
    int32_t n = m->setup->members;
    caucus_set_clear(absent, n);
    if (caucus_alive_root(&m->tree) != m->own->me) {
        caucus_set_add(absent, caucus_alive_root(&m->tree));
        return;
    }
    for (int32_t i = 0; i < n;) {
        if (i != m->own->me && caucus_set_has(m->set[CAUCUS_ALIVE_SET_UP], i)) {
            i = caucus_position_end(n, i);
            continue;
        }
        if (i != m->own->me && !caucus_alive_is_dead(m, i) &&
            !caucus_set_has(m->set[CAUCUS_ALIVE_SET_HERE], i))
            caucus_set_add(absent, i);
        i++;
    }
}

static void tell_here(struct caucus_alive_machine *m) {
    uint64_t *here = m->set[CAUCUS_ALIVE_SET_HERE];
    caucus_set_add(here, m->own->me);
    for (int32_t i = 0; i < m->setup->members; i++)
        if (i != m->own->me && caucus_set_has(m->set[CAUCUS_ALIVE_SET_UP], i))
            for (int32_t k = i; k < caucus_position_end(m->setup->members, i); k++)
                caucus_set_add(here, k);
    caucus_alive_send_plain(m, caucus_alive_root(&m->tree), CAUCUS_ALIVE_HERE, here);
}

static void on_timer(struct caucus_alive_machine *m, int64_t timer) {
    if (m->own->decided)
        return;
    bool leads = caucus_alive_root(&m->tree) == m->own->me;
    if (timer == CAUCUS_ALIVE_TIMER_HERE) {
        m->own->late = 1;
        if (!leads)
            tell_here(m);
    } else if (timer == CAUCUS_ALIVE_TIMER_ABSENT && caucus_alive_may_fail(m)) {
        name_absent(m);
        caucus_alive_fail(m, CAUCUS_ALIVE_TIMEOUT);
    } else if (timer == CAUCUS_ALIVE_TIMER_DOUBT && !leads) {
        caucus_alive_fence(m, CAUCUS_ALIVE_IN_DOUBT);
    }
}

static void on_call(struct caucus_alive_machine *m, const struct caucus_event *event) {
    if (event->number == CAUCUS_ALIVE_OBJECT) {
        object(m);
    } else if (!m->own->called && event->length == (int64_t)sizeof m->own->name) {
        memcpy(&m->own->name, event->bytes, sizeof m->own->name);
        m->own->called = 1;
    }
}

static void on_bytes(struct caucus_alive_machine *m, const struct caucus_event *event) {
    struct caucus_alive_message message;
    uint64_t *set = m->set[CAUCUS_ALIVE_SET_HEARD];
    if (!caucus_alive_is_dead(m, event->peer) &&
        caucus_alive_message_unpack(event->bytes, event->length, m->setup->members, &message,
                                    set)) {
        if (!m->own->released)
            on_message(m, event->peer, &message, set);
        else if (message.kind != CAUCUS_ALIVE_REL)
            caucus_alive_send_plain(m, event->peer, CAUCUS_ALIVE_REL, NULL);
    }
    caucus_set_clear(set, m->setup->members);
}

static void step(const void *setup, void *state, const struct caucus_event *event,
                 struct caucus_actions *actions) {
    struct caucus_alive_machine m = caucus_alive_machine_of(setup, state, actions);
    if (m.own->fenced)
        return;
    if (event->kind == CAUCUS_EVENT_CALL)
        on_call(&m, event);
    else if (event->kind == CAUCUS_EVENT_MESSAGE)
        on_bytes(&m, event);
    else if (event->kind == CAUCUS_EVENT_TIMER)
        on_timer(&m, event->number);
    else if (event->peer != m.own->me)
        caucus_set_add(m.set[CAUCUS_ALIVE_SET_DEAD], event->peer);
    advance(&m);
}

bool caucus_alive_has_proposed(const void *state) {
    const struct caucus_alive_head *own = state;
    return own->fresh;
}

static bool hears_from(const struct caucus_alive_machine *m, int32_t peer) {
    if (m->setup->hears_all || m->own->released || caucus_alive_is_child(&m->tree, peer))
        return true;
    int32_t root = caucus_alive_root(&m->tree);
    return peer == root || peer == caucus_alive_up(&m->tree) ||
           (root == m->own->me && m->own->late);
}

static bool hears(const void *setup, const void *state, const struct caucus_event *event) {
    struct caucus_alive_machine m = caucus_alive_machine_of(setup, (void *)(uintptr_t)state, NULL);
    if (event->kind == CAUCUS_EVENT_CALL || event->kind == CAUCUS_EVENT_DEATH)
        return event->kind == CAUCUS_EVENT_CALL || hears_from(&m, event->peer) || !m.own->called;
    return m.own->called && hears_from(&m, event->peer);
}

const struct caucus_protocol caucus_alive = {
    "alive", state_bytes, begin, step, hears, caucus_alive_message_describe,
};
