/* SPDX-License-Identifier: BSD-3-Clause */
#include "letters.h"

enum { MOST_FLIGHTS = 64, MOST_STEPS = 300, MOST_ACTIONS = 1 << 16, MOST_BYTES = 1 << 12 };

struct flight {
    int32_t from, to;
    int64_t length;
    unsigned char *bytes;
};

struct world {
    const struct letters_case *of;
    void *state[8];
    uint64_t dead;     /* members: bit `of whom` of each 8 bits of those who were told */
    int32_t timers[8]; /* that are set, as bits */
    struct flight flight[MOST_FLIGHTS];
    int flights;
    struct caucus_actions actions;
};

static int32_t peer_of(const struct world *world, int member) {
    return world->of->rank_of ? world->of->rank_of[member] : member;
}

static int member_of(const struct world *world, int32_t peer) {
    for (int i = 0; i < world->of->members; i++)
        if (peer_of(world, i) == peer)
            return i;
    return -1;
}

/* Bytes of just their size. */
static void *block(const void *bytes, int64_t length) {
    void *copy = malloc(length ? (size_t)length : 1);
    fuzz_expect(copy != NULL, "memory");
    if (length)
        memcpy(copy, bytes, (size_t)length);
    return copy;
}

static void post(struct world *world, int from, int to, const void *bytes, int64_t length) {
    if (world->flights == MOST_FLIGHTS || length > MOST_BYTES)
        return;
    world->flight[world->flights++] = (struct flight){from, to, length, block(bytes, length)};
}

static void carry_out(struct world *world, int member) {
    const struct caucus_actions *actions = &world->actions;
    char text[100];
    fuzz_expect(actions->count < MOST_ACTIONS, "few actions");
    for (int64_t i = 0; i < actions->count; i++) {
        const struct caucus_action *action = &actions->action[i];
        const void *bytes = caucus_action_bytes(actions, i);
        fuzz_expect(action->offset >= 0 && action->length >= 0 &&
                        action->offset + action->length <= actions->used,
                    "bytes of an action");
        if (action->kind == CAUCUS_ACTION_SEND) {
            int to = member_of(world, action->peer);
            fuzz_expect(to >= 0, "a peer that there is");
            if (world->of->protocol->describe)
                world->of->protocol->describe(bytes, action->length, text, sizeof text);
            post(world, member, to, bytes, action->length);
        } else if (action->kind == CAUCUS_ACTION_TIMER) {
            fuzz_expect(action->number >= 0 && action->number < 32, "a timer");
            int32_t bit = (int32_t)(UINT32_C(1) << action->number);
            world->timers[member] =
                action->after < 0 ? world->timers[member] & ~bit : world->timers[member] | bit;
        }
    }
}

static void step(struct world *world, int member, enum caucus_event_kind kind, int from,
                 int64_t number, const void *bytes, int64_t length) {
    const struct letters_case *of = world->of;
    void *copy = block(bytes, length);
    struct caucus_event event = {.kind = kind,
                                 .peer = peer_of(world, from),
                                 .number = number,
                                 .bytes = copy,
                                 .length = length};
    caucus_actions_clear(&world->actions);
    bool heard = !of->protocol->hears ||
                 of->protocol->hears(of->setup[member], world->state[member], &event);
    if (heard) {
        of->protocol->step(of->setup[member], world->state[member], &event, &world->actions);
        carry_out(world, member);
        if (of->look)
            of->look(of->setup[member], world->state[member]);
    }
    free(copy);
}

/* What is there is changed at one place, cut, or made longer. */
static void change(struct fuzz_input *input, struct flight *flight) {
    int how = fuzz_below(input, 4);
    int64_t number = fuzz_number(input), at = fuzz_byte(input);
    if (how == 0) {
        flight->length = at < flight->length ? at : flight->length;
    } else if (how == 1) {
        unsigned char *longer = calloc(1, (size_t)(flight->length + at + 1));
        fuzz_expect(longer != NULL, "memory");
        memcpy(longer, flight->bytes, (size_t)flight->length);
        free(flight->bytes);
        flight->bytes = longer;
        flight->length += at;
    } else if (flight->length >= 8) {
        size_t size = how == 2 ? 4 : 8;
        memcpy(flight->bytes + at % (flight->length / (int64_t)size) * (int64_t)size, &number,
               size);
    }
}

/* One of those under way; the first one most often. */
static void deliver(struct world *world, struct fuzz_input *input, bool changed, bool keeps) {
    if (!world->flights)
        return;
    int i = fuzz_below(input, world->flights);
    struct flight flight = world->flight[i];
    if (keeps) {
        flight.bytes = block(flight.bytes, flight.length);
    } else {
        memmove(&world->flight[i], &world->flight[i + 1],
                sizeof flight * (size_t)(--world->flights - i));
    }
    if (changed)
        change(input, &flight);
    step(world, flight.to, CAUCUS_EVENT_MESSAGE, flight.from, 0, flight.bytes, flight.length);
    free(flight.bytes);
}

static void invent(struct world *world, struct fuzz_input *input, int member) {
    unsigned char bytes[256] = {0};
    int from = fuzz_below(input, world->of->members);
    int64_t length = fuzz_byte(input), words = fuzz_byte(input) % 8;
    for (int64_t i = 0; i < words; i++) {
        int64_t number = fuzz_number(input);
        memcpy(bytes + 8 * i, &number, 8);
    }
    for (int64_t at = 8 * words; at < length; at++)
        bytes[at] = fuzz_byte(input);
    step(world, member, CAUCUS_EVENT_MESSAGE, from, 0, bytes, length);
}

static void call(struct world *world, struct fuzz_input *input, int member) {
    unsigned char bytes[64] = {0};
    int64_t number = fuzz_byte(input) % world->of->calls;
    int64_t length = world->of->call(input, member, number, bytes);
    if (length >= 0)
        step(world, member, CAUCUS_EVENT_CALL, member, number, bytes, length);
}

static void die(struct world *world, struct fuzz_input *input, int member) {
    int whom = fuzz_below(input, world->of->members);
    uint64_t bit = UINT64_C(1) << (8 * member + whom);
    if (whom == member || world->dead & bit)
        return;
    world->dead |= bit;
    step(world, member, CAUCUS_EVENT_DEATH, whom, 0, NULL, 0);
}

static void move(struct world *world, struct fuzz_input *input) {
    uint8_t what = fuzz_byte(input);
    int member = what / 16 % world->of->members, timer;
    switch (what % 16) {
    case 0:
    case 1:
    case 2:
    case 3:
        call(world, input, member);
        break;
    case 4:
    case 5:
        deliver(world, input, true, what & 128);
        break;
    case 6:
    case 7:
        invent(world, input, member);
        break;
    case 8:
        timer = fuzz_below(input, 32);
        if (world->timers[member] >> timer & 1) {
            world->timers[member] &= ~(int32_t)(UINT32_C(1) << timer);
            step(world, member, CAUCUS_EVENT_TIMER, member, timer, NULL, 0);
        }
        break;
    case 9:
        die(world, input, member);
        break;
    case 10:
        deliver(world, input, false, true);
        break;
    default:
        deliver(world, input, false, false);
    }
}

void letters_run(const struct letters_case *of, struct fuzz_input *input) {
    struct world world = {.of = of};
    for (int i = 0; i < of->members; i++) {
        int64_t size = of->protocol->state_bytes(of->setup[i]);
        fuzz_expect(size > 0 && size % 8 == 0 && size < 1 << 22, "a state's size");
        world.state[i] = calloc(1, (size_t)size);
        fuzz_expect(world.state[i] != NULL, "memory");
        of->protocol->begin(of->setup[i], i, world.state[i]);
    }
    for (int i = 0; i < MOST_STEPS && input->left; i++)
        move(&world, input);
    for (int i = 0; i < of->members; i++)
        free(world.state[i]);
    for (int i = 0; i < world.flights; i++)
        free(world.flight[i].bytes);
    caucus_actions_free(&world.actions);
}
