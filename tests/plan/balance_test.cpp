// SPDX-License-Identifier: BSD-3-Clause
// Groups that help each other: every order of events for few ranks, random ones for many.
#include "full_run.hpp"
#include "mutant.hpp"
extern "C" {
#include "plan/protocol/balance.h"
}
#include "protocol_search.hpp"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <map>
#include <random>

namespace {

using namespace test;

std::string bytes_of(int64_t number) {
    return std::string(reinterpret_cast<const char *>(&number), sizeof number);
}

caucus_balance_group group_in(const ProtocolOutput &output) {
    caucus_balance_group group;
    std::memcpy(&group, output.bytes.data(), sizeof group);
    return group;
}

bool has(const caucus_balance_setup &setup, const caucus_balance_group &group, int32_t rank) {
    return (rank - group.first + setup.ranks) % setup.ranks < group.count;
}

struct Case {
    caucus_balance_setup setup;
    std::vector<int> busy;
    int calls;
    uint64_t lacking = 0; // bits of ranks that have no number for a group
};

// A user that polls `busy` times with work and then without any, for each rank.
std::vector<std::vector<ProtocolCall>> users(const Case &it) {
    std::vector<std::vector<ProtocolCall>> all;
    for (int32_t rank = 0; rank < it.setup.ranks; rank++) {
        const bool lacks = (it.lacking >> rank & 1) != 0;
        all.emplace_back();
        for (int call = 0; call < it.calls; call++)
            all.back().push_back({call < it.busy[static_cast<size_t>(rank)],
                                  bytes_of(lacks ? -1 : 1000 * rank + call)});
    }
    return all;
}

// What members were told so far: growing groups, the same on all that are in one, and one that has
// the work of a part of it.
std::string wrong_so_far(const caucus_balance_setup &setup, const ProtocolView &view) {
    std::map<int64_t, caucus_balance_group> groups;
    for (size_t rank = 0; rank < view.size(); rank++) {
        bool over = false;
        int32_t count = 0;
        for (const ProtocolOutput &output : view.outputs(rank)) {
            std::string who = "rank " + std::to_string(rank);
            caucus_balance_group group = group_in(output);
            if (over && output.number != CAUCUS_BALANCE_NEWS_OVER)
                return who + " goes on after the end";
            over = output.number == CAUCUS_BALANCE_NEWS_OVER;
            if (output.number != CAUCUS_BALANCE_NEWS_GROWN)
                continue;
            auto known = groups.emplace(group.number, group);
            if (std::memcmp(&known.first->second, &group, sizeof group) != 0)
                return who + " has another group of the number";
            if (!has(setup, group, static_cast<int32_t>(rank)) || group.count <= count)
                return who + " is in no larger group";
            if (group.number < 0 || group.number / 1000 != group.first)
                return who + " has a number that its first rank did not give";
            if (!has(setup, group, group.source) || group.source == group.first ||
                !has(setup, group, group.work * setup.group_size))
                return who + " works on what its group does not have";
            count = group.count;
        }
    }
    return "";
}

// All heard the end, and before it every group in which all that work is.
std::string wrong_at_end(const caucus_balance_setup &setup, const ProtocolView &view) {
    std::map<int64_t, int32_t> members;
    std::map<int64_t, caucus_balance_group> groups;
    for (size_t rank = 0; rank < view.size(); rank++) {
        const auto &outputs = view.outputs(rank);
        if (outputs.empty() || outputs.back().number != CAUCUS_BALANCE_NEWS_OVER)
            return "rank " + std::to_string(rank) + " never hears of the end";
        for (const ProtocolOutput &output : outputs)
            if (output.number == CAUCUS_BALANCE_NEWS_GROWN) {
                caucus_balance_group group = group_in(output);
                members[group.number]++;
                groups[group.number] = group;
            }
    }
    for (const auto &[number, group] : groups)
        if (members[number] != group.count)
            return "a group of " + std::to_string(group.count) + " with " +
                   std::to_string(members[number]) + " members";
    std::map<int64_t, int> polls; // in each group, by all its members alike
    for (size_t rank = 0; rank < view.size(); rank++) {
        int64_t number = -1 - static_cast<int64_t>(rank) / setup.group_size;
        int same = 0;
        for (const ProtocolOutput &output : view.outputs(rank)) {
            same += output.number == CAUCUS_BALANCE_NEWS_SAME;
            if (output.number == CAUCUS_BALANCE_NEWS_SAME)
                continue;
            if (polls.emplace(number, same).first->second != same)
                return "rank " + std::to_string(rank) + " polled " + std::to_string(same) +
                       " times in its group, others did not";
            if (output.number == CAUCUS_BALANCE_NEWS_OVER)
                break;
            number = group_in(output).number;
            same = 0;
        }
    }
    return "";
}

ProtocolModel model_of(const Case &it, const caucus_protocol *protocol = &caucus_balance_protocol) {
    const caucus_balance_setup &setup = it.setup;
    ProtocolModel model;
    model.protocol = protocol;
    model.setups.assign(static_cast<size_t>(setup.ranks), &setup);
    model.calls = users(it);
    model.always = [&setup](const ProtocolView &view) { return wrong_so_far(setup, view); };
    model.at_end = [&setup](const ProtocolView &view) { return wrong_at_end(setup, view); };
    return model;
}

std::vector<Case> cases() {
    return {
        {{1, 1}, {0}, 2},          {{1, 1}, {3}, 5},          {{2, 1}, {0, 0}, 3},
        {{2, 1}, {0, 3}, 6},       {{2, 1}, {3, 0}, 6},       {{2, 2}, {2, 0}, 5},
        {{3, 1}, {0, 0, 2}, 5},    {{3, 1}, {2, 0, 0}, 5},    {{3, 1}, {0, 2, 0}, 5},
        {{3, 1}, {1, 2, 3}, 6},    {{3, 2}, {0, 0, 3}, 6},    {{3, 2}, {2, 1, 0}, 5},
        {{4, 1}, {0, 0, 0, 2}, 5}, {{4, 1}, {0, 2, 0, 0}, 5}, {{4, 2}, {0, 0, 2, 2}, 5},
        {{2, 1}, {0, 3}, 6, 1},    {{3, 1}, {0, 0, 2}, 5, 1}, {{3, 1}, {0, 0, 2}, 5, 2},
        {{3, 1}, {0, 2, 0}, 5, 4}, {{3, 2}, {0, 0, 3}, 6, 1}, {{3, 1}, {0, 0, 2}, 5, 7},
    };
}

TEST(Balance, EveryOrderEndsWell) {
    for (const Case &it : cases()) {
        ProtocolResult result = search_protocol(model_of(it), 4000000);
        EXPECT_TRUE(result.wrong.empty()) << result.wrong;
        std::printf("%d ranks, groups of %d: %lld states%s\n", it.setup.ranks, it.setup.group_size,
                    static_cast<long long>(result.states), result.complete ? "" : ", not all");
    }
}

// Ranks, sizes of groups and works of a random case.
Case random_case(unsigned seed, int32_t most_ranks) {
    std::mt19937 random(seed);
    auto below = [&random](int32_t n) { return static_cast<int32_t>(random() % unsigned(n)); };
    Case it;
    it.setup.ranks = 1 + below(most_ranks);
    it.setup.group_size = 1 + below(std::min(it.setup.ranks, 6));
    int most = 1 + below(8);
    for (int32_t rank = 0; rank < it.setup.ranks; rank++)
        it.busy.push_back(below(3) ? 0 : below(most));
    /* a rank may be in as many groups as there are, one after the other, and poll with each */
    it.calls = 2 * (it.setup.ranks + most + 2);
    if (below(4) == 0)
        it.lacking = static_cast<uint64_t>(random()) << 32 | random();
    return it;
}

int64_t walk(int32_t most_ranks, unsigned cases_of_each, const caucus_protocol *protocol,
             std::string *wrong) {
    int64_t moves = 0;
    for (unsigned seed = 1; seed <= cases_of_each && wrong->empty(); seed++) {
        Case it = random_case(seed, most_ranks);
        ProtocolResult result = walk_protocol(model_of(it, protocol), seed, 3, 1000000);
        *wrong = result.wrong;
        moves += result.moves;
    }
    return moves;
}

TEST(Balance, RandomRunsEndWell) {
    for (int32_t most_ranks : {6, 20, 64}) {
        std::string wrong;
        unsigned cases_of_each = (test::full_run() ? 4 : 1) * (most_ranks < 64 ? 15 : 2);
        int64_t moves = walk(most_ranks, cases_of_each, &caucus_balance_protocol, &wrong);
        EXPECT_TRUE(wrong.empty()) << wrong;
        std::printf("up to %d ranks: %lld moves\n", most_ranks, static_cast<long long>(moves));
    }
}

TEST(Balance, FaultsAreFound) {
    const char *source = "plan/protocol/balance.c";
    const Fault faults[] = {
        {"tells of the end too early", source, "own->over && own->idle", "own->over"},
        {"does not wait for those taken in", source, "!own->complete || own->idle", "own->idle"},
        {"says that it is in before its user knows", source, "own->complete || own->grown ||",
         "own->complete ||"},
        {"asks for itself alone", source, "others ? own->asked_from : own->first", "own->first"},
        {"tells the left of nothing", source, "send(own->left, message, actions);", ""},
        {"counts no other works", source, "own->done_below++;", ""},
        {"takes its own number", source, ".number = own->asked_number},\n             actions);",
         ".number = own->own_number},\n             actions);"},
    };
    MutantFactory factory({source});
    for (const Fault &fault : faults) {
        auto *protocol =
            static_cast<const caucus_protocol *>(factory.symbol(fault, "caucus_balance_protocol"));
        std::string wrong;
        for (const Case &it : cases())
            if (wrong.empty())
                wrong = search_protocol(model_of(it, protocol), 300000).wrong;
        walk(12, 400, protocol, &wrong);
        EXPECT_NE(wrong, "") << fault.name;
    }
}

// Questions are told apart from all else that is sent, as they are in words.
TEST(Balance, QuestionsAreKnown) {
    const caucus_balance_setup setup = {2, 1};
    std::vector<uint64_t> state(static_cast<size_t>(caucus_balance_protocol.state_bytes(&setup)) /
                                sizeof(uint64_t));
    caucus_balance_protocol.begin(&setup, 0, state.data());
    caucus_actions actions{};
    int asked = 0, sent = 0;
    auto look = [&](int64_t i) {
        const caucus_action &action = actions.action[i];
        if (action.kind != CAUCUS_ACTION_SEND)
            return;
        char words[100];
        caucus_balance_protocol.describe(caucus_action_bytes(&actions, i), action.length, words,
                                         sizeof words);
        bool is_ask = std::string(words).compare(0, 3, "ask") == 0;
        EXPECT_EQ(caucus_balance_is_ask(caucus_action_bytes(&actions, i)), is_ask) << words;
        asked += is_ask;
        sent++;
    };
    for (int call = 0; call < 2; call++) {
        const int64_t work = 0;
        caucus_event event{};
        event.kind = CAUCUS_EVENT_CALL;
        event.bytes = &work;
        event.length = sizeof work;
        caucus_actions_clear(&actions);
        caucus_balance_protocol.step(&setup, state.data(), &event, &actions);
        for (int64_t i = 0; i < actions.count; i++)
            look(i);
    }
    EXPECT_GT(asked, 0) << sent << " messages";
    caucus_actions_free(&actions);
}

} // namespace
