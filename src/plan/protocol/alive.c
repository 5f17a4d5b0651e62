/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/protocol/alive.h"

#include "base/memory.h"
#include "base/status.h"
#include "plan/protocol/alive_message.h"
#include "plan/protocol/alive_tree.h"
#include "plan/protocol/sentences.h"

#include <stdlib.h>
#include <string.h>

enum { NOBODY = -1 };

enum timer_kind { TIMER_HERE, TIMER_ABSENT, TIMER_DOUBT };

/* Sets that follow the head in a state. */
enum set_kind {
    SET_DEAD,
    SET_UP,     /* who reported to me */
    SET_ACK,    /* who acknowledged the proposal I am bound to */
    SET_FIN,    /* who has nobody left below that lacks the outcome */
    SET_HERE,   /* who has come, by what others say */
    SET_ASKED,  /* whom I asked whether he was released */
    SET_ASKING, /* who told me the outcome or that he has it, and may wait for a release */
    SET_VALUE,  /* of the proposal, and then of the outcome */
    SET_HEARD,  /* of the message at hand, else empty */
    SETS
};

struct state {
    int32_t me;
    int32_t lock;   /* the root whose proposal I am bound to */
    int32_t ack_to; /* who brought it */
    int32_t told;   /* to whom I sent UP, or COM once decided */
    int32_t fin_to;
    int32_t timed; /* the root that the timers wait for */
    uint8_t called, acked, fresh, decided, released, late, fenced, unused;
    struct caucus_alive_name name;
    struct caucus_alive_outcome value;
};
_Static_assert(sizeof(struct state) == 32 + 16 + 24, "no gaps in a state");

struct machine {
    const struct caucus_alive_setup *setup;
    struct state *own;
    uint64_t *set[SETS];
    struct caucus_alive_tree tree;
    struct caucus_actions *actions;
};

static int64_t state_bytes(const void *setup) {
    const struct caucus_alive_setup *of = setup;
    return (int64_t)sizeof(struct state) + SETS * 8 * caucus_set_words(of->members);
}

/* actions may be NULL where nothing is done. */
static struct machine machine_of(const void *setup, void *state, struct caucus_actions *actions) {
    struct machine m = {setup, state, {NULL}, {0}, actions};
    uint64_t *word = (uint64_t *)(void *)((char *)state + sizeof(struct state));
    for (int i = 0; i < SETS; i++)
        m.set[i] = word + i * caucus_set_words(m.setup->members);
    m.tree = (struct caucus_alive_tree){m.setup->members, m.own->me, m.set[SET_DEAD]};
    return m;
}

static void begin(const void *setup, int32_t me, void *state) {
    struct machine m = machine_of(setup, state, NULL);
    m.own->me = me;
    m.own->lock = m.own->ack_to = m.own->told = m.own->fin_to = m.own->timed = NOBODY;
}

static bool is_dead(const struct machine *m, int32_t member) {
    return caucus_set_has(m->set[SET_DEAD], member);
}

/* To a member, or NOBODY for the user, who gets an outcome. */
static void tell(const struct machine *m, int32_t to, enum caucus_alive_kind kind) {
    enum { USUAL = 256 };
    bool has_ballot = kind == CAUCUS_ALIVE_PREP || kind == CAUCUS_ALIVE_ACK;
    bool has_value = kind == CAUCUS_ALIVE_PREP || kind == CAUCUS_ALIVE_COM;
    struct caucus_alive_message message = {.kind = kind, .ballot = has_ballot ? m->own->lock : 0};
    const uint64_t *set = has_value                   ? m->set[SET_VALUE]
                          : kind == CAUCUS_ALIVE_UP   ? m->set[SET_DEAD]
                          : kind == CAUCUS_ALIVE_HERE ? m->set[SET_HERE]
                                                      : NULL;
    if (has_value)
        message.outcome = m->own->value;
    unsigned char usual[USUAL], *bytes = usual;
    int64_t limit = caucus_alive_message_limit(m->setup->members);
    if (limit > USUAL)
        bytes = caucus_array(limit, 1);
    if (!bytes) {
        m->actions->status = CAUCUS_NO_MEMORY;
        return;
    }
    int64_t length = caucus_alive_message_pack(&message, set, m->setup->members, bytes);
    if (to == NOBODY)
        caucus_act_decide(m->actions, message.outcome.code, bytes, length);
    else
        caucus_act_send(m->actions, to, bytes, length);
    if (bytes != usual)
        free(bytes);
}

/* The value is what the root proposes, if it lives: nothing acknowledged so far counts. */
static void bind(struct machine *m, int32_t root) {
    m->own->lock = root;
    caucus_set_clear(m->set[SET_ACK], m->setup->members);
    for (int32_t i = m->setup->members; i-- > 0;) /* far first: it has most below it */
        if (caucus_set_has(m->set[SET_UP], i) && !is_dead(m, i))
            tell(m, i, CAUCUS_ALIVE_PREP);
}

static void report_outcome(struct machine *m) {
    tell(m, NOBODY, CAUCUS_ALIVE_COM);
    if (m->setup->timeout > 0)
        for (int timer = TIMER_HERE; timer <= TIMER_DOUBT; timer++)
            caucus_act_timer(m->actions, timer, -1);
}

/* Of an error all must hear who may never report: a proposal that failed has no one bound to it. */
static bool hears_outcome(const struct machine *m, int32_t member) {
    bool leads = caucus_alive_root(&m->tree) == m->own->me;
    if (m->own->value.code == CAUCUS_ALIVE_SUCCESS)
        return caucus_set_has(m->set[SET_UP], member);
    return leads || caucus_set_has(m->set[SET_UP], member) ||
           caucus_alive_is_child(&m->tree, member);
}

/* The value is an outcome; from brought it, or nobody. */
static void decide(struct machine *m, int32_t from) {
    m->own->decided = 1;
    for (int32_t i = m->setup->members; i-- > 0;)
        if (i != m->own->me && i != from && !is_dead(m, i) && hears_outcome(m, i))
            tell(m, i, CAUCUS_ALIVE_COM);
    m->own->told = from == caucus_alive_up(&m->tree) ? from : NOBODY;
    report_outcome(m);
}

/* Nothing more is sent, and nothing is heard. */
static void fence(struct machine *m, enum caucus_alive_code code) {
    m->own->fenced = 1;
    if (m->own->decided || !m->own->called)
        return;
    m->own->decided = 1;
    m->own->value.code = code;
    report_outcome(m);
}

/* An error is allowed where nobody can have a success, nor can get one. */
static bool may_fail(const struct machine *m) {
    bool leads = caucus_alive_root(&m->tree) == m->own->me;
    return m->own->called && !m->own->decided &&
           (m->own->lock == NOBODY || (leads && m->own->lock == m->own->me && m->own->fresh));
}

/* The set of the value is whom the error names. */
static void fail(struct machine *m, enum caucus_alive_code code) {
    m->own->value = (struct caucus_alive_outcome){code, m->own->me, {0, 0}};
    decide(m, NOBODY);
}

/* All that live have the outcome. Who is released keeps no more than what it takes to answer. */
static void release(struct machine *m) {
    m->own->released = 1;
    for (int32_t i = m->setup->members; i-- > 0;)
        if (caucus_alive_is_child(&m->tree, i) || caucus_set_has(m->set[SET_ASKING], i))
            tell(m, i, CAUCUS_ALIVE_REL);
    for (int i = SET_UP; i < SETS; i++)
        caucus_set_clear(m->set[i], m->setup->members);
    m->own->told = m->own->fin_to = m->own->lock = m->own->ack_to = NOBODY;
    m->own->acked = m->own->fresh = 0;
    caucus_act_decide(m->actions, CAUCUS_ALIVE_RELEASED, NULL, 0);
}

static void set_value(struct machine *m, const struct caucus_alive_outcome *outcome,
                      const uint64_t *set) {
    m->own->value = *outcome;
    caucus_set_clear(m->set[SET_VALUE], m->setup->members);
    caucus_set_join(m->set[SET_VALUE], set, m->setup->members);
}

static void fix_value(struct machine *m) {
    const struct caucus_alive_outcome own = {CAUCUS_ALIVE_SUCCESS, m->own->me, m->own->name};
    set_value(m, &own, m->set[SET_DEAD]);
    m->own->fresh = 1;
}

static void lead(struct machine *m) {
    if (m->own->lock != m->own->me) {
        if (m->own->lock == NOBODY) {
            if (!caucus_alive_covers(&m->tree, m->set[SET_UP]))
                return;
            fix_value(m);
        }
        bind(m, m->own->me); /* a proposal that I was bound to stays as it is */
    }
    if (caucus_alive_covers(&m->tree, m->set[SET_ACK]))
        decide(m, NOBODY);
}

static void follow(struct machine *m, int32_t up) {
    if (m->own->told != up && caucus_alive_covers(&m->tree, m->set[SET_UP])) {
        m->own->told = up;
        tell(m, up, CAUCUS_ALIVE_UP);
    }
    if (m->own->lock == caucus_alive_root(&m->tree) && !m->own->acked && m->own->ack_to != NOBODY &&
        !is_dead(m, m->own->ack_to) && caucus_alive_covers(&m->tree, m->set[SET_ACK])) {
        m->own->acked = 1;
        tell(m, m->own->ack_to, CAUCUS_ALIVE_ACK);
    }
}

/* Who came to me by a death and never reported may have been released already, and will never say
 * so. */
static void ask_adopted(struct machine *m) {
    for (int32_t i = m->setup->members; i-- > 1;) {
        if (caucus_position_parent(i) == m->own->me || !caucus_alive_is_child(&m->tree, i) ||
            caucus_set_has(m->set[SET_UP], i) || caucus_set_has(m->set[SET_FIN], i) ||
            caucus_set_has(m->set[SET_ASKED], i))
            continue;
        caucus_set_add(m->set[SET_ASKED], i);
        tell(m, i, CAUCUS_ALIVE_COM);
    }
}

static void serve(struct machine *m, int32_t up) {
    if (up != m->own->me && m->own->told != up) {
        m->own->told = up;
        tell(m, up, CAUCUS_ALIVE_COM);
    }
    ask_adopted(m);
    if (!caucus_alive_covers(&m->tree, m->set[SET_FIN]))
        return;
    if (up == m->own->me) {
        release(m);
    } else if (m->own->fin_to != up) {
        m->own->fin_to = up;
        tell(m, up, CAUCUS_ALIVE_FIN);
    }
}

static void set_timers(struct machine *m, int32_t root) {
    if (m->setup->timeout <= 0 || m->own->timed == root)
        return;
    int64_t quarter = m->setup->timeout / 4;
    m->own->timed = root;
    m->own->late = 0;
    caucus_act_timer(m->actions, TIMER_HERE, quarter / 2);
    caucus_act_timer(m->actions, TIMER_ABSENT, root == m->own->me ? 2 * quarter : 4 * quarter);
}

static void advance(struct machine *m) {
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

static void learn(struct machine *m, const uint64_t *dead) {
    if (caucus_set_has(dead, m->own->me))
        fence(m, CAUCUS_ALIVE_EXCLUDED);
    else
        caucus_set_join(m->set[SET_DEAD], dead, m->setup->members);
}

static void learn_below(struct machine *m, int32_t root) {
    if (m->own->me < root)
        fence(m, CAUCUS_ALIVE_EXCLUDED);
    for (int32_t i = 0; i < root && !m->own->fenced; i++)
        caucus_set_add(m->set[SET_DEAD], i);
}

static void on_up(struct machine *m, int32_t peer, const uint64_t *dead) {
    caucus_set_add(m->set[SET_UP], peer);
    learn(m, dead);
    if (m->own->fenced)
        return;
    if (m->own->decided)
        tell(m, peer, CAUCUS_ALIVE_COM);
    else if (m->own->lock == caucus_alive_root(&m->tree))
        tell(m, peer, CAUCUS_ALIVE_PREP);
}

static void on_proposal(struct machine *m, int32_t peer, const struct caucus_alive_message *message,
                        const uint64_t *set) {
    learn_below(m, message->ballot);
    if (m->own->fenced || m->own->decided) /* who asks has heard, or will hear, the outcome */
        return;
    if (message->ballot < caucus_alive_root(&m->tree))
        return; /* of a root that is dead */
    if (m->own->lock != message->ballot) {
        set_value(m, &message->outcome, set);
        bind(m, message->ballot);
        if (!m->setup->detects && m->setup->timeout > 0)
            caucus_act_timer(m->actions, TIMER_DOUBT, m->setup->timeout);
    }
    m->own->ack_to = peer;
    m->own->acked = 0;
}

static void on_outcome(struct machine *m, int32_t peer, const struct caucus_alive_message *message,
                       const uint64_t *set) {
    if (m->own->decided || peer != caucus_alive_up(&m->tree))
        caucus_set_add(m->set[SET_ASKING], peer);
    if (m->own->decided)
        return; /* the first that is heard counts */
    set_value(m, &message->outcome, set);
    decide(m, peer);
}

static void object(struct machine *m) {
    if (!may_fail(m))
        return;
    caucus_set_clear(m->set[SET_VALUE], m->setup->members);
    fail(m, CAUCUS_ALIVE_MISMATCH);
}

static void on_message(struct machine *m, int32_t peer, const struct caucus_alive_message *message,
                       const uint64_t *set) {
    switch ((enum caucus_alive_kind)message->kind) {
    case CAUCUS_ALIVE_UP:
        on_up(m, peer, set);
        break;
    case CAUCUS_ALIVE_PREP:
        on_proposal(m, peer, message, set);
        break;
    case CAUCUS_ALIVE_ACK:
        if (!m->own->decided && message->ballot == m->own->lock)
            caucus_set_add(m->set[SET_ACK], peer);
        break;
    case CAUCUS_ALIVE_COM:
        on_outcome(m, peer, message, set);
        break;
    case CAUCUS_ALIVE_FIN:
        caucus_set_add(m->set[SET_ASKING], peer);
        caucus_set_add(m->set[SET_FIN], peer);
        break;
    case CAUCUS_ALIVE_REL:
        if (m->own->decided)
            release(m);
        break;
    case CAUCUS_ALIVE_HERE:
        caucus_set_join(m->set[SET_HERE], set, m->setup->members);
        break;
    default:
        object(m);
    }
}

/* Whom an error of lateness names: who has not come, as far as I know. */
static void name_absent(struct machine *m) {
    uint64_t *absent = m->set[SET_VALUE];
    int32_t n = m->setup->members;
    caucus_set_clear(absent, n);
    if (caucus_alive_root(&m->tree) != m->own->me) {
        caucus_set_add(absent, caucus_alive_root(&m->tree));
        return;
    }
    for (int32_t i = 0; i < n;) {
        if (i != m->own->me && caucus_set_has(m->set[SET_UP], i)) {
            i = caucus_position_end(n, i);
            continue;
        }
        if (i != m->own->me && !is_dead(m, i) && !caucus_set_has(m->set[SET_HERE], i))
            caucus_set_add(absent, i);
        i++;
    }
}

static void tell_here(struct machine *m) {
    uint64_t *here = m->set[SET_HERE];
    caucus_set_add(here, m->own->me);
    for (int32_t i = 0; i < m->setup->members; i++)
        if (i != m->own->me && caucus_set_has(m->set[SET_UP], i))
            for (int32_t k = i; k < caucus_position_end(m->setup->members, i); k++)
                caucus_set_add(here, k);
    tell(m, caucus_alive_root(&m->tree), CAUCUS_ALIVE_HERE);
}

static void on_timer(struct machine *m, int64_t timer) {
    if (m->own->decided)
        return;
    bool leads = caucus_alive_root(&m->tree) == m->own->me;
    if (timer == TIMER_HERE) {
        m->own->late = 1;
        if (!leads)
            tell_here(m);
    } else if (timer == TIMER_ABSENT && may_fail(m)) {
        name_absent(m);
        fail(m, CAUCUS_ALIVE_TIMEOUT);
    } else if (timer == TIMER_DOUBT && !leads) {
        fence(m, CAUCUS_ALIVE_IN_DOUBT);
    }
}

static void on_call(struct machine *m, const struct caucus_event *event) {
    if (event->number == CAUCUS_ALIVE_OBJECT) {
        object(m);
    } else if (!m->own->called && event->length == (int64_t)sizeof m->own->name) {
        memcpy(&m->own->name, event->bytes, sizeof m->own->name);
        m->own->called = 1;
    }
}

static void on_bytes(struct machine *m, const struct caucus_event *event) {
    struct caucus_alive_message message;
    uint64_t *set = m->set[SET_HEARD];
    if (!is_dead(m, event->peer) && caucus_alive_message_unpack(event->bytes, event->length,
                                                                m->setup->members, &message, set)) {
        if (!m->own->released)
            on_message(m, event->peer, &message, set);
        else if (message.kind != CAUCUS_ALIVE_REL)
            tell(m, event->peer, CAUCUS_ALIVE_REL);
    }
    caucus_set_clear(set, m->setup->members);
}

static void step(const void *setup, void *state, const struct caucus_event *event,
                 struct caucus_actions *actions) {
    struct machine m = machine_of(setup, state, actions);
    if (m.own->fenced)
        return;
    if (event->kind == CAUCUS_EVENT_CALL)
        on_call(&m, event);
    else if (event->kind == CAUCUS_EVENT_MESSAGE)
        on_bytes(&m, event);
    else if (event->kind == CAUCUS_EVENT_TIMER)
        on_timer(&m, event->number);
    else if (event->peer != m.own->me)
        caucus_set_add(m.set[SET_DEAD], event->peer);
    advance(&m);
}

bool caucus_alive_has_proposed(const void *state) {
    const struct state *own = state;
    return own->fresh;
}

static bool hears_from(const struct machine *m, int32_t peer) {
    if (m->setup->hears_all || m->own->released || caucus_alive_is_child(&m->tree, peer))
        return true;
    int32_t root = caucus_alive_root(&m->tree);
    return peer == root || peer == caucus_alive_up(&m->tree) ||
           (root == m->own->me && m->own->late);
}

static bool hears(const void *setup, const void *state, const struct caucus_event *event) {
    struct machine m = machine_of(setup, (void *)(uintptr_t)state, NULL);
    if (event->kind == CAUCUS_EVENT_CALL || event->kind == CAUCUS_EVENT_DEATH)
        return event->kind == CAUCUS_EVENT_CALL || hears_from(&m, event->peer) || !m.own->called;
    return m.own->called && hears_from(&m, event->peer);
}

/* Those right below me that are not in a set. */
static bool tell_below(const struct machine *m, enum set_kind said, const int32_t *ranks,
                       const char *what, struct caucus_sentences *words) {
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
    const struct machine m = machine_of(setup, (void *)(uintptr_t)state, NULL);
    struct caucus_sentences words = caucus_sentences_in(text, size);
    int32_t root = caucus_alive_root(&m.tree), up = caucus_alive_up(&m.tree);
    bool bound = m.own->lock == root;
    if (!m.own->called || m.own->decided)
        return;
    if (!bound && tell_below(&m, SET_UP, ranks,
                             "not come, or somebody below it in the tree (message UP)", &words))
        return;
    if (bound && !m.own->acked &&
        tell_below(&m, SET_ACK, ranks,
                   "not agreed to the group, or somebody below it in the tree (message ACK)",
                   &words))
        return;
    if (up != m.own->me)
        caucus_sentences_has(&words, ranks[up],
                             bound ? "not told that all have agreed to the group (message COM)"
                                   : "not proposed the group (message PREP)");
}

const struct caucus_protocol caucus_alive = {
    "alive", state_bytes, begin, step, hears, caucus_alive_message_describe,
};
