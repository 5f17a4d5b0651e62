// SPDX-License-Identifier: BSD-3-Clause
// Groups that ask each other: every wish has one answer, whoever asks whom, and nobody is taken
// twice or speaks on when it was taken.
#include "mutant.hpp"
extern "C" {
#include "plan/protocol/join_request.h"
}
#include "protocol_search.hpp"

#include <cstring>
#include <gtest/gtest.h>
#include <random>

namespace {

using namespace test;

// Behind the protocol's state: what its user did. Whose wish waits is taken or refused by him at
// any moment: timers 0 and 1. His own wish may be withdrawn, and then given up: 2 and 3.
struct User {
    int64_t took;     // bits of ranks
    int64_t wishes;   // made
    int64_t taken;    // its group is, and it speaks for no other yet
    int64_t withdrew; // the wish that has no answer
    int64_t gave_up;  // bits of ranks
    int64_t given_up; // wishes
    int64_t wrong;    // a line of this file
};

// What users do besides.
enum Patience { WAITS, WITHDRAWS, GIVES_UP };

struct Setup {
    caucus_join_request_setup asking;
    const caucus_protocol *protocol;
    Patience patience;
};

const Setup &setup_of(const void *setup) {
    return *static_cast<const Setup *>(setup);
}

int64_t asking_bytes(const void *setup) {
    return setup_of(setup).protocol->state_bytes(&setup_of(setup).asking);
}

int64_t state_bytes(const void *setup) {
    return asking_bytes(setup) + static_cast<int64_t>(sizeof(User));
}

void begin(const void *setup, int32_t me, void *state) {
    setup_of(setup).protocol->begin(&setup_of(setup).asking, me, state);
}

void answer(const Setup &setup, void *state, User *user, int64_t call, caucus_actions *actions) {
    int32_t rank = caucus_join_request_next(&setup.asking, state, 0);
    if (rank < 0 || user->taken)
        user->wrong = __LINE__;
    if (rank >= 0 && call == CAUCUS_JOIN_REQUEST_TAKE)
        user->took |= int64_t{1} << rank;
    caucus_event event{CAUCUS_EVENT_CALL, 0, call, &rank, sizeof rank};
    setup.protocol->step(&setup.asking, state, &event, actions);
}

void lose_patience(const Setup &setup, void *state, User *user, caucus_actions *actions) {
    int64_t call = user->withdrew ? CAUCUS_JOIN_REQUEST_GIVE_UP : CAUCUS_JOIN_REQUEST_WITHDRAW;
    if (user->withdrew) {
        user->gave_up |= int64_t{1} << caucus_join_request_asked(state);
        user->given_up++;
    }
    user->withdrew = user->withdrew ? 0 : 1;
    caucus_event event{CAUCUS_EVENT_CALL, 0, call, nullptr, 0};
    setup.protocol->step(&setup.asking, state, &event, actions);
}

void step(const void *given, void *state, const caucus_event *event, caucus_actions *actions) {
    const Setup &setup = setup_of(given);
    auto *user = reinterpret_cast<User *>(static_cast<char *>(state) + asking_bytes(given));
    if (event->kind == CAUCUS_EVENT_TIMER && event->number < 2) {
        answer(setup, state, user,
               event->number == 0 ? CAUCUS_JOIN_REQUEST_TAKE : CAUCUS_JOIN_REQUEST_REFUSE, actions);
    } else if (event->kind == CAUCUS_EVENT_TIMER) {
        lose_patience(setup, state, user, actions);
    } else {
        user->wishes +=
            event->kind == CAUCUS_EVENT_CALL && event->number == CAUCUS_JOIN_REQUEST_ASK ? 1 : 0;
        bool asks = event->kind == CAUCUS_EVENT_CALL && event->number == CAUCUS_JOIN_REQUEST_ASK;
        if (asks && user->taken)
            user->wrong = __LINE__;
        if (event->kind == CAUCUS_EVENT_CALL && !asks)
            user->taken = 0;
        setup.protocol->step(&setup.asking, state, event, actions);
    }
    for (int64_t i = 0; i < actions->count; i++) {
        if (actions->action[i].kind != CAUCUS_ACTION_DECIDE)
            continue;
        user->taken = actions->action[i].number == CAUCUS_JOIN_REQUEST_TAKEN ? 1 : user->taken;
        if (actions->action[i].number == CAUCUS_JOIN_REQUEST_FREE && !user->withdrew)
            user->wrong = __LINE__;
        user->withdrew = 0;
    }
    bool waits = caucus_join_request_asked(state) >= 0;
    caucus_act_timer(actions, 2, waits && setup.patience > WAITS && !user->withdrew ? 1 : -1);
    caucus_act_timer(actions, 3, waits && setup.patience == GIVES_UP && user->withdrew ? 1 : -1);
    int64_t looks = caucus_join_request_next(&setup.asking, state, 0) >= 0 ? 1 : -1;
    caucus_act_timer(actions, 0, looks);
    caucus_act_timer(actions, 1, looks);
}

bool hears(const void *setup, const void *state, const caucus_event *event) {
    return setup_of(setup).protocol->hears(&setup_of(setup).asking, state, event);
}

const caucus_protocol WITH_USER = {
    "asking and its user", state_bytes, begin, step, hears, caucus_join_request_protocol.describe};

const char *state_at(const ProtocolView &view, size_t member) {
    return view.state<char>(member);
}

const User *user_at(const ProtocolView &view, const Setup &setup, size_t member) {
    return reinterpret_cast<const User *>(state_at(view, member) + asking_bytes(&setup));
}

// Whom each has asked, in this order; -1: it speaks for another group from then on.
struct Wishes {
    std::vector<std::vector<int32_t>> of;
    std::vector<Setup> setups;

    Wishes(std::vector<std::vector<int32_t>> given, const caucus_protocol *protocol,
           Patience patience = WAITS)
        : of(std::move(given)) {
        auto ranks = static_cast<int32_t>(of.size());
        for (int32_t me = 0; me < ranks; me++)
            setups.push_back({{ranks, me}, protocol, patience});
    }

    std::string wrong_so_far(const ProtocolView &view) const {
        std::vector<int> taken(view.size());
        for (size_t me = 0; me < view.size(); me++) {
            const User *user = user_at(view, setups[me], me);
            if (user->wrong != 0)
                return "line " + std::to_string(user->wrong);
            if (static_cast<int64_t>(view.outputs(me).size()) + user->given_up > user->wishes)
                return "more answers than wishes";
            for (const ProtocolOutput &output : view.outputs(me)) {
                int32_t rank;
                std::memcpy(&rank, output.bytes.data(), sizeof rank);
                if (output.number == CAUCUS_JOIN_REQUEST_TAKEN &&
                    (user_at(view, setups[0], static_cast<size_t>(rank))->took >> me & 1) == 0)
                    return "member " + std::to_string(me) + " was not taken by who it thinks";
            }
            for (size_t k = 0; k < view.size(); k++)
                taken[k] += static_cast<int>(user->took >> k & 1);
        }
        for (size_t k = 0; k < view.size(); k++)
            if (of[k].size() == 1 && taken[k] > 1)
                return "member " + std::to_string(k) + " was taken twice";
        return "";
    }

    static bool was_taken(const ProtocolView &view, size_t member, size_t by) {
        for (const ProtocolOutput &output : view.outputs(member)) {
            int32_t rank;
            std::memcpy(&rank, output.bytes.data(), sizeof rank);
            if (output.number == CAUCUS_JOIN_REQUEST_TAKEN && rank == static_cast<int32_t>(by))
                return true;
        }
        return false;
    }

    // Whoever waits does so for one that may look at his wish, or for one that waits likewise.
    std::string wrong_at_end(const ProtocolView &view) const {
        for (size_t me = 0; me < view.size(); me++) {
            if (!view.alive(me))
                continue;
            if (user_at(view, setups[me], me)->withdrew)
                return "member " + std::to_string(me) + " withdrew, and waits for ever";
            auto at = static_cast<int32_t>(me);
            for (size_t links = 0;
                 caucus_join_request_asked(state_at(view, static_cast<size_t>(at))) >= 0; links++) {
                if (links > view.size())
                    return "a ring of members that wait for each other";
                int32_t asked = caucus_join_request_asked(state_at(view, static_cast<size_t>(at)));
                const char *state = state_at(view, static_cast<size_t>(asked));
                if (!view.alive(static_cast<size_t>(asked)))
                    return "member " + std::to_string(at) + " waits for a dead one";
                bool waits = caucus_join_request_asked(state) >= 0;
                if (!waits && caucus_join_request_next(&setups[static_cast<size_t>(asked)].asking,
                                                       state, at) != at)
                    return "the wish of member " + std::to_string(at) + " is lost";
                at = asked;
            }
            const User *user = user_at(view, setups[me], me);
            for (size_t k = 0; k < view.size(); k++) {
                if (caucus_join_request_owes(&setups[me].asking, state_at(view, me),
                                             static_cast<int32_t>(k)))
                    return "member " + std::to_string(k) + " owes an answer for ever";
                if ((user->took >> k & 1) != 0 && !was_taken(view, k, me) && view.alive(k) &&
                    (user_at(view, setups[k], k)->gave_up >> me & 1) == 0)
                    return "member " + std::to_string(k) + " does not know who took it";
            }
            bool waits = caucus_join_request_asked(state_at(view, me)) >= 0;
            if (static_cast<int64_t>(view.outputs(me).size()) + user->given_up + (waits ? 1 : 0) !=
                user->wishes)
                return "member " + std::to_string(me) + " has not one answer for each wish";
        }
        return "";
    }

    ProtocolModel model() const {
        ProtocolModel model;
        model.protocol = &WITH_USER;
        for (size_t me = 0; me < of.size(); me++) {
            model.setups.push_back(&setups[me]);
            model.calls.emplace_back();
            for (int32_t rank : of[me])
                model.calls.back().push_back(
                    {rank < 0 ? CAUCUS_JOIN_REQUEST_OPEN : CAUCUS_JOIN_REQUEST_ASK,
                     rank < 0 ? std::string()
                              : std::string(reinterpret_cast<const char *>(&rank), sizeof rank)});
        }
        model.selective = true;
        model.timers = ProtocolModel::ANYWHERE;
        model.always = [this](const ProtocolView &view) { return wrong_so_far(view); };
        model.at_end = [this](const ProtocolView &view) { return wrong_at_end(view); };
        return model;
    }
};

// Everybody asks somebody else, or nobody: all ways for n members.
std::string all_wishes(int32_t n, const caucus_protocol *protocol, int64_t *states,
                       Patience patience = WAITS, int crashes = 0) {
    std::vector<int32_t> choice(static_cast<size_t>(n), -1);
    for (;;) {
        std::vector<std::vector<int32_t>> wishes;
        bool valid = true;
        for (int32_t me = 0; me < n; me++) {
            int32_t rank = choice[static_cast<size_t>(me)];
            valid = valid && rank != me;
            wishes.push_back(rank < 0 ? std::vector<int32_t>{} : std::vector<int32_t>{rank});
        }
        if (valid) {
            Wishes all(wishes, protocol, patience);
            ProtocolModel model = all.model();
            model.crashes = crashes;
            ProtocolResult result = search_protocol(model, 3000000);
            *states += result.states;
            if (!result.complete)
                return result.wrong.empty() ? "too many states" : result.wrong;
        }
        size_t at = 0;
        while (at < choice.size() && ++choice[at] == n)
            choice[at++] = -1;
        if (at == choice.size())
            return "";
    }
}

TEST(AskingSearch, WhoeverAsksWhomGetsOneAnswer) {
    for (int32_t n : {2, 3, 4}) {
        int64_t states = 0;
        EXPECT_EQ(all_wishes(n, &caucus_join_request_protocol, &states), "");
        std::printf("%d members: %lld states\n", n, static_cast<long long>(states));
    }
}

// Who does not want to wait any more is free or taken, and the other one knows which; who gives up
// even that may be taken without knowing, and nobody else is.
TEST(AskingSearch, WishesMayBeWithdrawnOrGivenUp) {
    for (Patience patience : {WITHDRAWS, GIVES_UP})
        for (int32_t n : {2, 3}) {
            int64_t states = 0;
            EXPECT_EQ(all_wishes(n, &caucus_join_request_protocol, &states, patience), "");
            std::printf("%d members, who %s: %lld states\n", n,
                        patience == GIVES_UP ? "give up" : "withdraw",
                        static_cast<long long>(states));
        }
}

TEST(AskingSearch, NobodyWaitsForTheDead) {
    for (int crashes : {1, 2}) {
        int64_t states = 0;
        EXPECT_EQ(all_wishes(3, &caucus_join_request_protocol, &states, WAITS, crashes), "");
        EXPECT_EQ(all_wishes(2, &caucus_join_request_protocol, &states, GIVES_UP, crashes), "");
        std::printf("%d crashes: %lld states\n", crashes, static_cast<long long>(states));
    }
}

// Askers try again elsewhere, and those that were taken come back with another group.
std::vector<std::vector<std::vector<int32_t>>> longer() {
    return {
        {{1, 1}, {0, 0}},         {{1, 2}, {2, 0}, {0, 1}},
        {{1, -1, 1}, {0, -1, 0}}, {{1, -1, 2}, {2, -1, 0}, {0, -1, 1}},
        {{1, 2, 1}, {0, 2}, {1}}, {{1}, {2}, {3}, {0, -1, 0}},
    };
}

// Fewer, for users who lose patience.
std::vector<std::vector<std::vector<int32_t>>> shorter() {
    return {{{1, 1, 1}, {}}, {{1, 1}, {0, 0}}, {{1, -1, 1}, {0}}, {{1, 1}, {2}, {}}};
}

std::string longer_wishes(const caucus_protocol *protocol, int64_t *states,
                          Patience patience = WAITS) {
    for (const auto &of : patience == WAITS ? longer() : shorter()) {
        Wishes wishes(of, protocol, patience);
        ProtocolResult result = search_protocol(wishes.model(), 5000000);
        *states += result.states;
        if (!result.complete)
            return result.wrong.empty() ? "too many states" : result.wrong;
    }
    return "";
}

TEST(AskingSearch, SeveralWishesOfEach) {
    int64_t states = 0;
    EXPECT_EQ(longer_wishes(&caucus_join_request_protocol, &states), "");
    std::printf("several wishes: %lld states\n", static_cast<long long>(states));
    for (Patience patience : {WITHDRAWS, GIVES_UP}) {
        states = 0;
        EXPECT_EQ(longer_wishes(&caucus_join_request_protocol, &states, patience), "");
        std::printf("several wishes, withdrawn%s: %lld states\n",
                    patience == GIVES_UP ? " or given up" : "", static_cast<long long>(states));
    }
}

TEST(AskingWalk, ManyMembers) {
    for (unsigned trial = 0; trial < 200; trial++) {
        std::mt19937 random(trial);
        auto n = static_cast<int32_t>(5 + random() % 30);
        std::vector<std::vector<int32_t>> of(static_cast<size_t>(n));
        for (int32_t me = 0; me < n; me++)
            for (unsigned i = random() % 4; i > 0; i--) {
                int32_t rank = static_cast<int32_t>(random() % static_cast<unsigned>(n));
                of[static_cast<size_t>(me)].push_back(rank == me ? -1 : rank);
            }
        Wishes wishes(of, &caucus_join_request_protocol);
        ProtocolResult result = walk_protocol(wishes.model(), random(), 5);
        ASSERT_TRUE(result.complete) << result.wrong;
    }
}

const char *const SOURCE = "plan/protocol/join_request.c";

const Fault FAULTS[] = {
    {"who asks lets everybody wait", SOURCE, "else if (m->own->asked > 0)", "else if (false)"},
    {"who asks refuses the lower ones", SOURCE, "m->setup->me + 1, m->own->asked - 1",
     "m->waiting[0] & 1 ? 0 : m->setup->ranks, m->own->asked - 1"},
    {"who was taken forgets the others", SOURCE, "if (m->own->taker > 0)", "if (false)"},
    {"who was taken speaks on", SOURCE, "m->own->taker = event->peer + 1;", ";"},
    {"an answer leaves the wish open", SOURCE, "m->own->asked = 0;\n        if", "if"},
    {"a wish is kept when it is answered", SOURCE,
     "bool takes = event->number == CAUCUS_JOIN_REQUEST_TAKE;\n            take_out(m->waiting, "
     "rank);",
     "bool takes = event->number == CAUCUS_JOIN_REQUEST_TAKE;"},
    {"a wish is not kept", SOURCE, "caucus_set_add(m->waiting, event->peer);", ";"},
    {"taking and refusing are one", SOURCE,
     "takes ? CAUCUS_JOIN_REQUEST_TAKEN : CAUCUS_JOIN_REQUEST_REFUSED",
     "CAUCUS_JOIN_REQUEST_REFUSED"},
    {"answers are not awaited", SOURCE, "return own->asked == 0 && own->taker == 0;",
     "return own->taker == 0;"},
    {"a wish that was withdrawn waits on", SOURCE,
     "take_out(m->waiting, event->peer);\n        send(m, event->peer, CAUCUS_JOIN_REQUEST_FREE",
     "send(m, event->peer, CAUCUS_JOIN_REQUEST_FREE"},
    {"who hears of it says nothing", SOURCE, "send(m, event->peer, CAUCUS_JOIN_REQUEST_FREE, -1);",
     ""},
    {"who has answered says free too", SOURCE,
     "CAUCUS_JOIN_REQUEST_WITHDRAWN && is_waiting(m, event->peer)",
     "CAUCUS_JOIN_REQUEST_WITHDRAWN"},
    {"a late answer is taken for one to a new wish", SOURCE,
     "caucus_set_add(m->owing, m->own->asked - 1);", ""},
    {"who asks a dead one waits", SOURCE, "if (caucus_set_has(m->dead, rank)) {", "if (false) {"},
    {"a death ends no wish", SOURCE, "if (m->own->asked != rank + 1)\n        return;", "return;"},
    {"an answer is owed for ever", SOURCE, "take_out(m->owing, event->peer);", ""},
};

TEST(AskingFaults, AreAllFound) {
    MutantFactory factory({SOURCE});
    for (const Fault &fault : FAULTS) {
        int64_t states = 0;
        auto *protocol = static_cast<const caucus_protocol *>(
            factory.symbol(fault, "caucus_join_request_protocol"));
        std::string found = all_wishes(3, protocol, &states);
        if (found.empty())
            found = longer_wishes(protocol, &states);
        for (Patience patience : {WITHDRAWS, GIVES_UP})
            if (found.empty())
                found = longer_wishes(protocol, &states, patience);
        if (found.empty())
            found = all_wishes(2, protocol, &states, WAITS, 1);
        EXPECT_NE(found, "") << fault.name;
        std::printf("%s: %s\n", fault.name, found.substr(0, found.find('\n')).c_str());
    }
}

} // namespace
