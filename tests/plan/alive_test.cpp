// SPDX-License-Identifier: BSD-3-Clause
// What create_alive promises, in every order of events for few members and in random ones for more.
// States, moves and what they are of are printed, for docs/development/groups.md.
#include "alive_case.hpp"

extern "C" {
#include "plan/protocol/alive_message.h"
#include "plan/protocol/alive_tree.h"
}

#include <algorithm>
#include <cmath>
#include <cstring>
#include <deque>
#include <gtest/gtest.h>
#include <random>

namespace {

using namespace test;

enum { HERE = 1, ABSENT = 2, DOUBT = 4 }; // timers

void search(const char *what, const AliveCase &given, int crashes, uint32_t timers = ~0u) {
    ProtocolModel model = given.model();
    model.crashes = crashes;
    model.which_timers = timers;
    ProtocolResult result = search_protocol(model);
    EXPECT_TRUE(result.complete) << what << ": " << result.wrong;
    std::printf("%-12s n=%d crashes<=%d %s%s: %lld states, %lld moves, longest run %lld\n", what,
                given.setup.members, crashes, given.setup.hears_all ? "hearing all" : "listening",
                given.setup.timeout > 0 ? ", timers at any time" : "",
                static_cast<long long>(result.states), static_cast<long long>(result.moves),
                static_cast<long long>(result.longest));
    std::fflush(stdout);
}

TEST(AliveSearch, WithoutTimers) {
    for (bool all : {false, true})
        for (int n = 1; n <= 4; n++)
            search("plain", {{n, 0, true, all}}, n - 1);
    search("plain", {{5, 0, true, false}}, 1);
    search("plain", {{5, 0, true, true}}, 1);
}

// Minutes: --gtest_also_run_disabled_tests --gtest_filter=*Large*
TEST(AliveSearch, DISABLED_LargeFiveTwo) {
    search("plain", {{5, 0, true, false}}, 2);
}

TEST(AliveSearch, DISABLED_LargeFiveTwoHearingAll) {
    search("plain", {{5, 0, true, true}}, 2);
}

TEST(AliveSearch, DISABLED_LargeSixOne) {
    search("plain", {{6, 0, true, false}}, 1);
}

TEST(AliveSearch, DISABLED_LargeAbsence) {
    search("absence", {{4, 4000, true, false}}, 1, ABSENT);
}

TEST(AliveSearch, DISABLED_LargeTimers) {
    search("timers", {{3, 4000, true, false}}, 1);
}

TEST(AliveSearch, WithTimers) {
    for (bool all : {false, true}) {
        search("timers", {{2, 4000, true, all}}, 1);
        search("timers", {{3, 4000, true, all}}, 0);
        search("absence", {{3, 4000, true, all}}, 2, ABSENT);
    }
    search("absence", {{4, 4000, true, false}}, 0, ABSENT);
}

TEST(AliveSearch, WhenSomebodyNeverComes) {
    for (uint64_t absent : {1, 2, 4})
        search("nobody home", {{3, 4000, true, false}, absent}, 1, ABSENT);
}

TEST(AliveSearch, WhenSomebodyObjects) {
    for (uint64_t objects : {1, 2, 4})
        search("objection", {{3, 0, true, false}, 0, objects}, 2);
    search("objection", {{4, 0, true, false}, 0, 4}, 1);
    search("objection", {{4, 0, true, false}, 4, 1}, 0); // and 2 never comes
}

TEST(AliveSearch, WithoutDetection) {
    search("undetected", {{2, 4000, false, false}}, 1);
    search("undetected", {{3, 4000, false, false}}, 2, ABSENT | DOUBT);
}

TEST(AliveWalk, ManyMembers) {
    for (int n : {6, 7, 8, 13, 18, 33, 64}) {
        for (bool all : {false, true}) {
            ProtocolModel model = AliveCase{{n, 0, true, all}}.model();
            model.crashes = n / 2;
            ProtocolResult result = walk_protocol(model, 1, 40000 / (n * n) + 10);
            EXPECT_TRUE(result.complete) << n << " members: " << result.wrong;
        }
    }
}

TEST(AliveWalk, ManyMembersWithTimers) {
    for (int n : {5, 8, 18}) {
        ProtocolModel model = AliveCase{{n, 4000, true, true}}.model();
        model.crashes = n / 2;
        ProtocolResult result = walk_protocol(model, 1, 6000 / (n * n) + 20);
        EXPECT_TRUE(result.complete) << n << " members: " << result.wrong;
    }
}

// Members in one process that take turns: in a round each sends what it sent first of what is still
// to be sent, and receives no more than one message.
class Rounds {
  public:
    explicit Rounds(const caucus_alive_setup &given, const std::vector<int32_t> &dead = {})
        : setup(given), states(static_cast<size_t>(given.members)), out(states.size()),
          in(states.size()), outcome(states.size()) {
        for (size_t i = 0; i < states.size(); i++) {
            auto bytes = static_cast<size_t>(caucus_alive.state_bytes(&setup));
            states[i].assign(bytes / 8, 0);
            caucus_alive.begin(&setup, static_cast<int32_t>(i), states[i].data());
            for (int32_t one : dead)
                step(i, {CAUCUS_EVENT_DEATH, one, 0, nullptr, 0});
        }
        for (int32_t i = 0; i < given.members; i++) {
            caucus_alive_name name{static_cast<uint64_t>(i), 5};
            bool lives = std::find(dead.begin(), dead.end(), i) == dead.end();
            if (lives)
                step(static_cast<size_t>(i),
                     {CAUCUS_EVENT_CALL, 0, CAUCUS_ALIVE_BEGIN, &name, sizeof name});
        }
    }
    ~Rounds() {
        caucus_actions_free(&actions);
    }

    bool round() { // whether anything happened
        bool any = false;
        std::vector<std::pair<size_t, Letter>> sent;
        for (size_t i = 0; i < out.size(); i++) {
            if (out[i].empty())
                continue;
            sent.emplace_back(i, out[i].front());
            out[i].pop_front();
            any = true;
        }
        for (auto &[from, letter] : sent)
            in[letter.to].emplace_back(from, letter.bytes);
        for (size_t i = 0; i < in.size(); i++) {
            if (in[i].empty())
                continue;
            auto [from, bytes] = in[i].front();
            in[i].pop_front();
            any = true;
            messages++;
            step(i, {CAUCUS_EVENT_MESSAGE, static_cast<int32_t>(from), 0, bytes.data(),
                     static_cast<int64_t>(bytes.size())});
        }
        rounds += any;
        return any;
    }

    int decided = 0, released = 0, messages = 0, rounds = 0, rounds_to_decide = 0;
    size_t longest = 0;
    int sent_before_release = 0; // messages but FIN and REL
    caucus_alive_setup setup;

  private:
    struct Letter {
        size_t to;
        std::string bytes;
    };
    void step(size_t i, caucus_event event) {
        caucus_actions_clear(&actions);
        caucus_alive.step(&setup, states[i].data(), &event, &actions);
        for (int64_t k = 0; k < actions.count; k++) {
            const caucus_action &action = actions.action[k];
            std::string bytes(static_cast<const char *>(caucus_action_bytes(&actions, k)),
                              static_cast<size_t>(action.length));
            if (action.kind == CAUCUS_ACTION_SEND) {
                int32_t kind;
                std::memcpy(&kind, bytes.data(), sizeof kind);
                sent_before_release += kind != CAUCUS_ALIVE_FIN && kind != CAUCUS_ALIVE_REL;
                longest = std::max(longest, bytes.size());
                out[i].push_back({static_cast<size_t>(action.peer), bytes});
            } else if (action.kind == CAUCUS_ACTION_DECIDE &&
                       action.number == CAUCUS_ALIVE_SUCCESS) {
                decided++;
                rounds_to_decide = rounds;
                outcome[i] = bytes;
            } else if (action.kind == CAUCUS_ACTION_DECIDE) {
                released += action.number == CAUCUS_ALIVE_RELEASED;
            }
        }
    }
    std::vector<std::vector<uint64_t>> states;
    std::vector<std::deque<Letter>> out;
    std::vector<std::deque<std::pair<size_t, std::string>>> in;
    caucus_actions actions{};

  public:
    std::vector<std::string> outcome;
};

TEST(AliveCost, IsFourMessagesEachAndLogarithmic) {
    for (int n : {1, 2, 3, 4, 5, 7, 8, 9, 16, 31, 64, 100, 1000}) {
        Rounds run({n, 0, true, false});
        while (run.round())
            ;
        EXPECT_EQ(run.decided, n);
        EXPECT_EQ(run.released, n);
        EXPECT_EQ(run.sent_before_release, 4 * (n - 1)) << n;
        EXPECT_EQ(run.messages, 6 * (n - 1)) << n;
        EXPECT_LE(run.rounds_to_decide, 4 * std::ceil(std::log2(n))) << n;
        EXPECT_LE(run.longest, 33u);
    }
}

TEST(AliveOutcome, LeavesOutWhomAllKnowToBeDead) {
    Rounds run({9, 0, true, false}, {0, 4, 5, 8});
    while (run.round())
        ;
    EXPECT_EQ(run.decided, 5);
    EXPECT_EQ(run.sent_before_release, 4 * 4);
    for (int32_t i : {1, 2, 3, 6, 7}) {
        const std::string &bytes = run.outcome[static_cast<size_t>(i)];
        caucus_alive_outcome outcome;
        uint64_t left_out[1];
        ASSERT_TRUE(caucus_alive_outcome_read(bytes.data(), static_cast<int64_t>(bytes.size()), 9,
                                              &outcome, left_out));
        EXPECT_EQ(outcome.code, CAUCUS_ALIVE_SUCCESS);
        EXPECT_EQ(outcome.fixed_by, 1);
        EXPECT_EQ(outcome.name.counter, 1u);
        EXPECT_EQ(left_out[0], 1u << 0 | 1u << 4 | 1u << 5 | 1u << 8);
    }
}

// The definitions, as they are: children of x are x + 2^k for 2^k below its lowest bit.
std::vector<int32_t> children_of(int32_t n, int32_t x) {
    std::vector<int32_t> children;
    for (int32_t bit = 1; x + bit < n && (x == 0 || bit < (x & -x)); bit *= 2)
        children.push_back(x + bit);
    return children;
}

void add_front(const caucus_alive_tree &tree, int32_t c, uint64_t *front) {
    if (c != tree.me && !caucus_set_has(tree.dead, c))
        caucus_set_add(front, c);
    else
        for (int32_t child : children_of(tree.members, c))
            add_front(tree, child, front);
}

bool covered(const caucus_alive_tree &tree, const uint64_t *set, int32_t c) {
    if (c != tree.me && caucus_set_has(set, c))
        return true;
    if (c != tree.me && !caucus_set_has(tree.dead, c))
        return false;
    for (int32_t child : children_of(tree.members, c))
        if (!covered(tree, set, child))
            return false;
    return true;
}

TEST(AliveTree, IsWhatItsDefinitionSays) {
    for (int32_t n = 1; n <= 9; n++) {
        for (uint64_t dead = 0; dead < 1u << n; dead++) {
            for (int32_t me = 0; me < n; me++) {
                if (dead >> me & 1)
                    continue;
                caucus_alive_tree tree{n, me, &dead};
                int32_t root = caucus_alive_root(&tree);
                EXPECT_EQ(dead & ((1u << root) - 1), (1u << root) - 1);
                EXPECT_FALSE(dead >> root & 1);
                int32_t top = root == me ? 0 : me;
                uint64_t front = 0;
                add_front(tree, top, &front);
                for (int32_t i = 0; i < n; i++) {
                    EXPECT_EQ(caucus_alive_is_child(&tree, i), (front >> i & 1) != 0);
                    caucus_alive_tree other{n, i, &dead};
                    EXPECT_TRUE((front >> i & 1) == 0 || caucus_alive_up(&other) == me);
                }
                for (uint64_t set = 0; set < 1u << n; set += 1 + n / 4)
                    EXPECT_EQ(caucus_alive_covers(&tree, &set), covered(tree, &set, top));
            }
        }
    }
}

TEST(AliveMessage, KeepsSetsInEitherForm) {
    for (int32_t n : {1, 8, 63, 64, 65, 1000}) {
        for (int32_t every : {1, 2, 7, 500}) {
            std::vector<uint64_t> set(static_cast<size_t>(caucus_set_words(n))), read = set;
            for (int32_t i = 0; i < n; i += every)
                caucus_set_add(set.data(), i);
            std::vector<unsigned char> bytes(static_cast<size_t>(caucus_alive_message_limit(n)));
            caucus_alive_message sent{CAUCUS_ALIVE_HERE, n - 1, {2, 0, {3, 4}}}, got;
            int64_t length = caucus_alive_message_pack(&sent, set.data(), n, bytes.data());
            ASSERT_LE(length, caucus_alive_message_limit(n));
            ASSERT_TRUE(caucus_alive_message_unpack(bytes.data(), length, n, &got, read.data()));
            EXPECT_EQ(std::memcmp(&sent, &got, sizeof got), 0);
            EXPECT_EQ(read, set);
            for (int64_t cut = 0; cut < length; cut++) // no byte more is read than there is
                caucus_alive_message_unpack(
                    std::vector<unsigned char>(bytes.begin(), bytes.begin() + cut).data(), cut, n,
                    &got, read.data());
        }
    }
}

TEST(AliveMessage, AnyBytesLeadToOneOutcomeAtMost) {
    std::mt19937 random(11);
    for (int32_t n : {1, 3, 70}) {
        for (int trial = 0; trial < 300; trial++) {
            caucus_alive_setup setup{n, 4000, true, true};
            std::vector<uint64_t> state(static_cast<size_t>(caucus_alive.state_bytes(&setup)) / 8);
            caucus_actions actions{};
            int outcomes = 0;
            auto me = static_cast<int32_t>(random() % static_cast<unsigned>(n));
            caucus_alive.begin(&setup, me, state.data());
            for (int i = 0; i < 60; i++) {
                caucus_alive_message message{static_cast<int32_t>(random() % 9) - 1,
                                             static_cast<int32_t>(random() % 80) - 1,
                                             {static_cast<int32_t>(random() % 8) - 1,
                                              static_cast<int32_t>(random() % 4) - 1,
                                              {1, 2}}};
                std::string bytes(reinterpret_cast<const char *>(&message), sizeof message);
                for (size_t extra = random() % 12; extra > 0; extra--)
                    bytes.push_back(static_cast<char>(random() % 3));
                auto kind = static_cast<caucus_event_kind>(i == 5 ? 0 : random() % 16 == 0 ? 2 : 1);
                if (kind == CAUCUS_EVENT_CALL)
                    bytes.resize(sizeof(caucus_alive_name));
                caucus_event event{kind, static_cast<int32_t>(random() % static_cast<unsigned>(n)),
                                   kind == CAUCUS_EVENT_TIMER ? static_cast<int64_t>(random() % 3)
                                                              : 0,
                                   bytes.data(), static_cast<int64_t>(bytes.size())};
                caucus_actions_clear(&actions);
                caucus_alive.step(&setup, state.data(), &event, &actions);
                for (int64_t k = 0; k < actions.count; k++)
                    outcomes += actions.action[k].kind == CAUCUS_ACTION_DECIDE &&
                                actions.action[k].number != CAUCUS_ALIVE_RELEASED;
            }
            EXPECT_LE(outcomes, 1);
            caucus_actions_free(&actions);
        }
    }
}

} // namespace
