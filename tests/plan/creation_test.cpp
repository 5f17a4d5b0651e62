// SPDX-License-Identifier: BSD-3-Clause
// Members with any lists: what they create has one list, and where lists differ all get the error.
#include "creation_lists.hpp"
#include "mutant.hpp"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <numeric>

namespace {

using namespace test;

// All lists of up to three members in any order that have `me` in them.
std::vector<List> lists_with(int32_t me) {
    std::vector<List> lists;
    for (unsigned set = 1; set < 8; set++) {
        List list;
        for (int32_t i = 0; i < 3; i++)
            if ((set >> i & 1) != 0)
                list.push_back(i);
        if ((set >> me & 1) == 0)
            continue;
        do
            lists.push_back(list);
        while (std::next_permutation(list.begin(), list.end()));
    }
    return lists;
}

struct Sum {
    int64_t cases = 0, states = 0;
};

std::string search_lists(const std::shared_ptr<Lists> &lists, const caucus_protocol *protocol,
                         Sum *sum) {
    ProtocolModel model = model_of(lists, protocol);
    // Unless it is settled, who gave up may stand beside who succeeds.
    if (lists->setups[0].timeout == 0 || lists->setups[0].settles)
        model.always = [lists](const auto &view) { return agreed(view, *lists); };
    ProtocolResult result = search_protocol(model, 1000000);
    sum->cases++;
    sum->states += result.states;
    if (result.complete)
        return "";
    return result.wrong.empty() ? "too many states" : result.wrong;
}

// Every combination of lists of three members; the first thing wrong.
std::string all_lists(const caucus_protocol *protocol, int64_t timeout, bool settles, Sum *sum) {
    for (const List &a : lists_with(0)) {
        for (const List &b : lists_with(1)) {
            for (const List &c : lists_with(2)) {
                auto lists = std::make_shared<Lists>(std::vector<List>{a, b, c}, true, 10, timeout);
                for (caucus_creation_setup &setup : lists->setups)
                    setup.settles = settles;
                std::string wrong = search_lists(lists, protocol, sum);
                if (!wrong.empty())
                    return wrong;
            }
        }
    }
    return "";
}

// Four members, the fewest of whom a tree is not flat; every fifth combination of ascending lists.
std::string flat_lists(const caucus_protocol *protocol, Sum *sum) {
    for (unsigned code = 0; code < 4096; code += 5) {
        std::vector<List> of(4);
        for (unsigned me = 0; me < 4; me++) {
            unsigned others = code >> 3 * me & 7;
            for (unsigned i = 0, bit = 0; i < 4; i++)
                if (i == me || (others >> bit++ & 1) != 0)
                    of[me].push_back(static_cast<int32_t>(i));
        }
        std::string wrong =
            search_lists(std::make_shared<Lists>(of, true, 10, 0, true), protocol, sum);
        if (!wrong.empty())
            return wrong;
    }
    return "";
}

TEST(CreationSearch, AnyListsEndInOneGroupOrErrors) {
    Sum sum;
    EXPECT_EQ(all_lists(&caucus_creation, 0, false, &sum), "");
    std::printf("checked: %lld combinations of lists, %lld states\n",
                static_cast<long long>(sum.cases), static_cast<long long>(sum.states));
}

TEST(CreationSearch, AnyListsEndInOneGroupOrErrorsWithoutATree) {
    Sum sum;
    EXPECT_EQ(flat_lists(&caucus_creation, &sum), "");
    std::printf("flat: %lld combinations of lists, %lld states\n",
                static_cast<long long>(sum.cases), static_cast<long long>(sum.states));
}

TEST(CreationSearch, TimeoutsEndWhatElseWouldWait) {
    Sum sum;
    EXPECT_EQ(all_lists(&caucus_creation, 1000, false, &sum), "");
    std::printf("with timeout: %lld combinations, %lld states\n", static_cast<long long>(sum.cases),
                static_cast<long long>(sum.states));
}

TEST(CreationSearch, TimeoutsOfWhatIsSettledLeaveNoSuccessBesideAnError) {
    Sum sum;
    EXPECT_EQ(all_lists(&caucus_creation, 1000, true, &sum), "");
    std::printf("settled: %lld combinations, %lld states\n", static_cast<long long>(sum.cases),
                static_cast<long long>(sum.states));
}

// Whoever may give up later, so that others can tell whom all wait for, does give up.
TEST(CreationSearch, GraceEnds) {
    for (size_t absent = 0; absent < 4; absent++) {
        auto lists = std::make_shared<Lists>(std::vector<List>(4, List{0, 1, 2, 3}), true, 0, 1000);
        for (caucus_creation_setup &setup : lists->setups)
            setup.grace = 10;
        ProtocolModel model = model_of(lists, &caucus_creation);
        model.calls[absent].clear();
        model.at_end = [absent](const ProtocolView &view) {
            for (size_t i = 0; i < view.size(); i++)
                if (i != absent && (view.outputs(i).empty() ||
                                    view.outputs(i)[0].number != CAUCUS_CREATION_TIMEOUT))
                    return "member " + std::to_string(i) + " does not give up";
            return std::string();
        };
        ProtocolResult result = search_protocol(model);
        EXPECT_TRUE(result.complete) << result.wrong;
    }
}

TEST(CreationSearch, FourMembersWithAStranger) {
    for (const List &odd :
         {List{3, 2, 1, 0}, List{0, 1, 2, 3}, List{3, 0}, List{1, 3}, List{2, 3}}) {
        auto lists = std::make_shared<Lists>(
            std::vector<List>{{0, 1, 2, 3}, {0, 1, 2, 3}, {0, 1, 2, 3}, odd}, true, 10, 0);
        ProtocolModel model = model_of(lists, &caucus_creation);
        model.always = [lists](const auto &view) { return agreed(view, *lists); };
        ProtocolResult result = search_protocol(model);
        EXPECT_TRUE(result.complete) << result.wrong;
        std::printf("four: %lld states\n", static_cast<long long>(result.states));
    }
}

// Member 2 does not have 0, and 0 learns from 1 alone that something is wrong.
std::string spreads(const caucus_protocol *protocol) {
    auto lists =
        std::make_shared<Lists>(std::vector<List>{{0, 1, 2}, {0, 1, 2}, {2, 1}}, true, 10, 0);
    ProtocolModel model = model_of(lists, protocol);
    model.at_end = [](const ProtocolView &view) {
        for (size_t i = 0; i < view.size(); i++)
            if (view.outputs(i).empty() || view.outputs(i)[0].number != CAUCUS_CREATION_MISMATCH)
                return "member " + std::to_string(i) + " has no error";
        return std::string();
    };
    return search_protocol(model).wrong;
}

TEST(CreationSearch, ErrorsSpread) {
    EXPECT_EQ(spreads(&caucus_creation), "");
}

TEST(CreationSearch, DeathsEndIt) {
    List all{0, 1, 2, 3};
    for (unsigned form = 0; form < 4; form++) {
        auto lists =
            std::make_shared<Lists>(std::vector<List>(4, all), form % 2 == 0, 0, 0, form / 2 != 0);
        ProtocolModel model = model_of(lists, &caucus_creation);
        model.crashes = 2;
        ProtocolResult result = search_protocol(model);
        EXPECT_TRUE(result.complete) << result.wrong;
        std::printf("deaths: %lld states\n", static_cast<long long>(result.states));
    }
}

// Those who join know the first alone, which has all of them in its list; and one errs.
ProtocolModel joining(const std::shared_ptr<Lists> &lists, int errs,
                      const caucus_protocol *protocol) {
    ProtocolModel model = model_of(lists, protocol);
    if (errs >= 0)
        model.calls[static_cast<size_t>(errs)][0].number = CAUCUS_CREATION_OBJECT;
    model.at_end = [errs](const ProtocolView &view) {
        for (size_t i = 0; i < view.size(); i++)
            if (view.outputs(i).size() != 1 ||
                view.outputs(i)[0].number !=
                    (errs < 0 ? CAUCUS_CREATION_DONE : CAUCUS_CREATION_MISMATCH) ||
                (errs < 0 && view.outputs(i)[0].bytes != view.outputs(0)[0].bytes))
                return "member " + std::to_string(i) + " does not end as all do";
        return std::string();
    };
    return model;
}

std::string join_all(const caucus_protocol *protocol) {
    for (bool flat : {true, false})
        for (int errs = -1; errs < 4; errs++) {
            List all{0, 1, 2, 3};
            auto lists = std::make_shared<Lists>(
                flat ? std::vector<List>{all, {0, 1}, {0, 2}, {0, 3}} : std::vector<List>(4, all),
                true, 10, 0, flat, flat);
            std::string wrong = search_protocol(joining(lists, errs, protocol)).wrong;
            if (!wrong.empty())
                return wrong;
        }
    return "";
}

TEST(CreationSearch, JoiningAndObjectingEndForAll) {
    EXPECT_EQ(join_all(&caucus_creation), "");
    auto lists = std::make_shared<Lists>(std::vector<List>{{0, 1, 2, 3}, {0, 1}, {0, 2}, {0, 3}},
                                         true, 0, 0, true, true);
    ProtocolResult result = walk_protocol(joining(lists, -1, &caucus_creation), 1, 1);
    EXPECT_TRUE(result.complete) << result.wrong;
    EXPECT_EQ(result.moves - 4, 2 * 3);
}

// A walk in which all come in time: moves are calls and messages.
TEST(CreationCost, IsTwoMessagesEachOrOne) {
    for (int n : {1, 2, 3, 5, 8, 9, 31, 64}) {
        for (bool checked : {false, true}) {
            List all;
            for (int32_t i = 0; i < n; i++)
                all.push_back(n - 1 - i);
            auto lists = std::make_shared<Lists>(std::vector<List>(static_cast<size_t>(n), all),
                                                 checked, 0, 0);
            ProtocolModel model = model_of(lists, &caucus_creation);
            model.always = [lists](const auto &view) { return agreed(view, *lists); };
            ProtocolResult result = walk_protocol(model, 1, 1);
            EXPECT_TRUE(result.complete) << result.wrong;
            EXPECT_EQ(result.moves - n, (checked ? 2 : 1) * (n - 1));
        }
    }
}

// Whoever wishes something, whatever the order: all learn of it with the number.
std::string wishes_of(unsigned members) {
    auto lists = std::make_shared<Lists>(std::vector<List>(4, List{3, 2, 1, 0}), true, 0, 0);
    uint64_t number = 73;
    for (unsigned i = 0; i < 4; i++) {
        lists->setups[i].wishes = (members >> i & 1) != 0 ? uint64_t{1} << (32 + i) : 0;
        number |= lists->setups[i].wishes;
    }
    ProtocolModel model = model_of(lists, &caucus_creation);
    model.always = [number](const auto &view) {
        for (size_t i = 0; i < view.size(); i++)
            if (!view.outputs(i).empty() &&
                std::memcmp(view.outputs(i)[0].bytes.data(), &number, sizeof number) != 0)
                return "a wish is lost, or one is made up";
        return "";
    };
    ProtocolResult result = search_protocol(model, 1000000);
    return result.complete ? "" : result.wrong;
}

TEST(CreationSearch, WishesReachAll) {
    for (unsigned members = 0; members < 16; members++)
        EXPECT_EQ(wishes_of(members), "") << members;
}

const char *const SOURCE = "plan/protocol/creation.c";

const Fault FAULTS[] = {
    {"hashes are not compared", SOURCE, "if (message.hash != m->setup->hash)", "if (false)"},
    {"nobody asks", SOURCE, "send(m, child_at(m, i), CAUCUS_CREATION_ASK, 0, 0);", ";"},
    {"errors go to nobody", SOURCE, "if (i != m->me)\n            send(",
     "if (false)\n            send("},
    {"errors are not heard", SOURCE, "message.kind == CAUCUS_CREATION_ERR &&", "false &&"},
    {"the root does not wait", SOURCE, "own->decided || m->own->awaited > 0)\n        return;",
     "own->decided)\n        return;"},
    {"the number is not handed on", SOURCE, "send_below(m, CAUCUS_CREATION_DOWN, m->own->number);",
     ";"},
    {"who joins has the tree's parent", SOURCE, "return setup->flat ? 0 : caucus_position_parent",
     "return caucus_position_parent"},
    {"who errs keeps it to himself", SOURCE, "if (event->number == CAUCUS_CREATION_OBJECT)",
     "if (false)"},
    {"everybody keeps a number of his own", SOURCE, "m->own->number = message->number;", ""},
};

// Too many to be gone through for each of them.
TEST(Creation, TakesALongListWithoutATree) {
    const int32_t members = 1 << 18;
    std::vector<int32_t> ranks(members);
    std::iota(ranks.begin(), ranks.end(), 0);
    caucus_creation_setup setup{};
    setup.members = members;
    setup.ranks = ranks.data();
    setup.checked = setup.flat = true;
    setup.hash = 1;
    setup.position = [](const void *, int32_t rank) { return rank; };
    caucus_actions actions{};
    std::vector<uint64_t> state(static_cast<size_t>(caucus_creation.state_bytes(&setup)) / 8);
    std::vector<unsigned char> up(CAUCUS_CREATION_MESSAGE_BYTES);
    caucus_creation_refusal(up.data(), setup.hash, 0);
    std::fill_n(up.begin(), 8, static_cast<unsigned char>(0)); // UP, and nobody settles
    caucus_creation.begin(&setup, 0, state.data());
    for (int32_t i = 0; i < members; i++) {
        caucus_event event{};
        event.kind = i == 0 ? CAUCUS_EVENT_CALL : CAUCUS_EVENT_MESSAGE;
        event.peer = i;
        event.bytes = up.data();
        event.length = i == 0 ? 0 : CAUCUS_CREATION_MESSAGE_BYTES;
        caucus_actions_clear(&actions);
        caucus_creation.step(&setup, state.data(), &event, &actions);
        ASSERT_EQ(actions.count, i < members - 1 ? 0 : members) << i;
    }
    caucus_actions_free(&actions);
}

TEST(CreationFaults, AreAllFound) {
    MutantFactory factory({SOURCE});
    for (const Fault &fault : FAULTS) {
        Sum sum;
        auto *protocol =
            static_cast<const caucus_protocol *>(factory.symbol(fault, "caucus_creation"));
        std::string found = spreads(protocol);
        if (found.empty())
            found = join_all(protocol);
        if (found.empty())
            found = all_lists(protocol, 0, false, &sum);
        EXPECT_NE(found, "") << fault.name;
        std::printf("%s: %s\n", fault.name, found.substr(0, found.find('\n')).c_str());
    }
}

} // namespace
