// SPDX-License-Identifier: BSD-3-Clause
// Members that give up at a time limit: either all of a list succeed, or none does.
#include "creation_lists.hpp"
#include "mutant.hpp"

#include <gtest/gtest.h>
#include <memory>

namespace {

using namespace test;

struct Case {
    unsigned members, limits; // bit i: member i gives up, and wants it settled
    bool flat;
    int absent; // who never comes; -1
};

std::shared_ptr<Lists> lists_of(const Case &of) {
    List all;
    for (unsigned i = 0; i < of.members; i++)
        all.push_back(static_cast<int32_t>(i));
    auto lists = std::make_shared<Lists>(std::vector<List>(of.members, all), true, 0, 0, of.flat);
    for (unsigned i = 0; i < of.members; i++) {
        lists->setups[i].settles = (of.limits >> i & 1) != 0;
        lists->setups[i].timeout = lists->setups[i].settles ? 1000 : 0;
    }
    return lists;
}

std::string outcomes(const ProtocolView &view, int absent) {
    for (size_t i = 0; i < view.size(); i++) {
        if (static_cast<int>(i) == absent)
            continue;
        if (view.outputs(i).empty())
            return "member " + std::to_string(i) + " waits for ever";
        if (absent >= 0 && view.outputs(i)[0].number != CAUCUS_CREATION_TIMEOUT)
            return "member " + std::to_string(i) + " does not tell that one never came";
    }
    return "";
}

ProtocolResult search(const Case &of, const caucus_protocol *protocol) {
    auto lists = lists_of(of);
    ProtocolModel model = model_of(lists, protocol);
    model.timers = ProtocolModel::ANYWHERE;
    if (of.absent >= 0)
        model.calls[static_cast<size_t>(of.absent)].clear();
    model.always = [lists](const auto &view) { return agreed(view, *lists); };
    int absent = of.absent;
    model.at_end = [absent](const ProtocolView &view) { return outcomes(view, absent); };
    return search_protocol(model);
}

struct Sum {
    int64_t cases = 0, states = 0;
};

// Every set of members that give up, at any moment; the first thing wrong.
std::string all_limits(unsigned members, const caucus_protocol *protocol, Sum *sum) {
    for (unsigned limits = 1; limits < 1U << members; limits++)
        for (bool flat : {false, true}) {
            ProtocolResult result = search({members, limits, flat, -1}, protocol);
            sum->cases++;
            sum->states += result.states;
            if (!result.complete)
                return result.wrong.empty() ? "too many states" : result.wrong;
        }
    return "";
}

TEST(CreationSettled, AllSucceedOrNone) {
    for (unsigned members = 1; members <= 5; members++) {
        Sum sum;
        EXPECT_EQ(all_limits(members, &caucus_creation, &sum), "");
        std::printf("%u members: %lld cases, %lld states\n", members,
                    static_cast<long long>(sum.cases), static_cast<long long>(sum.states));
    }
}

TEST(CreationSettled, SixSucceedOrNone) {
    ProtocolResult result = search({6, 63, false, -1}, &caucus_creation);
    EXPECT_TRUE(result.complete) << result.wrong;
    std::printf("6 members: %lld states\n", static_cast<long long>(result.states));
}

// All who have a limit come in time: so all succeed.
std::string in_time(const caucus_protocol *protocol) {
    for (unsigned limits : {1U, 2U, 4U, 8U, 15U})
        for (bool flat : {false, true}) {
            auto lists = lists_of({4, limits, flat, -1});
            ProtocolModel model = model_of(lists, protocol);
            model.timers = ProtocolModel::NEVER;
            model.at_end = [](const ProtocolView &view) {
                for (size_t i = 0; i < view.size(); i++)
                    if (view.outputs(i).size() != 1 ||
                        view.outputs(i)[0].number != CAUCUS_CREATION_DONE)
                        return "member " + std::to_string(i) + " does not succeed";
                return std::string();
            };
            ProtocolResult result = search_protocol(model);
            if (!result.complete)
                return result.wrong;
        }
    return "";
}

TEST(CreationSettled, WhoComesInTimeSucceeds) {
    EXPECT_EQ(in_time(&caucus_creation), "");
}

// Whoever has no limit hears of it from one who has.
TEST(CreationSettled, AllGiveUpWhereOneNeverComes) {
    for (unsigned members = 2; members <= 4; members++)
        for (unsigned limits = 1; limits < 1U << members; limits++)
            for (unsigned absent = 0; absent < members; absent++) {
                if (limits == 1U << absent)
                    continue; // nobody gives up
                ProtocolResult result =
                    search({members, limits, false, static_cast<int>(absent)}, &caucus_creation);
                EXPECT_TRUE(result.complete) << result.wrong;
            }
}

// Not agreed on: but who lives ends.
TEST(CreationSettled, DeathsEndIt) {
    for (bool flat : {false, true}) {
        auto lists = lists_of({4, 15, flat, -1});
        ProtocolModel model = model_of(lists, &caucus_creation);
        model.crashes = 2;
        model.at_end = [](const ProtocolView &view) {
            for (size_t i = 0; i < view.size(); i++)
                if (view.alive(i) && view.outputs(i).empty())
                    return "member " + std::to_string(i) + " waits for ever";
            return std::string();
        };
        ProtocolResult result = search_protocol(model);
        EXPECT_TRUE(result.complete) << result.wrong;
        std::printf("deaths: %lld states\n", static_cast<long long>(result.states));
    }
}

TEST(CreationSettled, CostsFourMessagesEach) {
    for (unsigned members : {1U, 2U, 3U, 5U, 8U, 9U, 31U})
        for (bool flat : {false, true}) {
            auto lists = lists_of({members, 1U << (members - 1), flat, -1});
            ProtocolModel model = model_of(lists, &caucus_creation);
            model.timers = ProtocolModel::NEVER;
            ProtocolResult result = walk_protocol(model, 1, 1);
            EXPECT_TRUE(result.complete) << result.wrong;
            EXPECT_EQ(result.moves - members, 4 * (members - 1));
        }
}

const char *const SOURCE = "plan/protocol/creation.c";

const Fault FAULTS[] = {
    {"who has promised gives up", SOURCE,
     "end_timers(m); /* others may succeed now, so this one gives up no more */", ""},
    {"the root asks nobody", SOURCE, "if (m->me == 0 && m->own->settles && !m->own->asked)",
     "if (false)"},
    {"the root does not wait for promises", SOURCE,
     "} else if (m->me == 0 && m->own->awaited == 0) {", "} else if (m->me == 0) {"},
    {"a promise is made for those below", SOURCE,
     "caucus_set_clear(m->own->heard, m->setup->members);\n    m->own->awaited = m->children;",
     "if (m->me == 0) {\n"
     "        caucus_set_clear(m->own->heard, m->setup->members);\n"
     "        m->own->awaited = m->children;\n    }"},
    {"those below are not asked", SOURCE, "send_below(m, CAUCUS_CREATION_STAY, 0);", ";"},
    {"a limit below is not told of", SOURCE, "own->settles |= message->code != 0;", ""},
    {"who gives up keeps it to himself", SOURCE, "if (i != m->me)\n            send(",
     "if (code != CAUCUS_CREATION_TIMEOUT && i != m->me)\n            send("},
    {"only who has a limit answers", SOURCE, "if (message->kind == CAUCUS_CREATION_STAY &&",
     "if (message->kind == CAUCUS_CREATION_STAY && m->setup->settles &&"},
};

TEST(CreationSettledFaults, AreAllFound) {
    MutantFactory factory({SOURCE});
    for (const Fault &fault : FAULTS) {
        auto *protocol =
            static_cast<const caucus_protocol *>(factory.symbol(fault, "caucus_creation"));
        std::string found = in_time(protocol);
        for (unsigned members = 2; members <= 4 && found.empty(); members++) {
            Sum sum;
            found = all_limits(members, protocol, &sum);
        }
        EXPECT_NE(found, "") << fault.name;
        std::printf("%s: %s\n", fault.name, found.substr(0, found.find('\n')).c_str());
    }
}

} // namespace
