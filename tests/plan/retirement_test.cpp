// SPDX-License-Identifier: BSD-3-Clause
// A number is used again only after all members that live have freed the group.
#include "mutant.hpp"
extern "C" {
#include "plan/protocol/retirement.h"
}
#include "protocol_search.hpp"

#include <gtest/gtest.h>

namespace {

using namespace test;

ProtocolModel model_of(const caucus_retirement_setup &setup, const caucus_protocol *protocol,
                       int crashes) {
    ProtocolModel model;
    model.protocol = protocol;
    model.setups.assign(static_cast<size_t>(setup.members), &setup);
    model.calls.assign(model.setups.size(), {{0, ""}});
    model.crashes = crashes;
    model.always = [](const ProtocolView &view) {
        for (size_t i = 0; i < view.size(); i++) {
            if (i > 0 && !view.outputs(i).empty())
                return "member " + std::to_string(i) + " gives the number back";
            if (!view.outputs(0).empty() && view.alive(i) && view.calls(i) == 0)
                return "given back before member " + std::to_string(i) + " freed it";
        }
        return std::string(view.outputs(0).size() > 1 ? "given back twice" : "");
    };
    model.at_end = [](const ProtocolView &view) {
        bool lost = view.alive(0) && view.outputs(0).empty();
        return std::string(lost ? "never given back" : "");
    };
    return model;
}

TEST(Retirement, WaitsForAllThatLive) {
    for (int32_t n = 1; n <= 5; n++) {
        caucus_retirement_setup setup{n};
        ProtocolResult result =
            search_protocol(model_of(setup, &caucus_retirement, n == 5 ? 2 : n - 1));
        EXPECT_TRUE(result.complete) << result.wrong;
        std::printf("n=%d: %lld states\n", n, static_cast<long long>(result.states));
    }
}

TEST(Retirement, IsOneMessageEach) {
    for (int32_t n : {1, 2, 7, 8, 64}) {
        caucus_retirement_setup setup{n};
        ProtocolResult result = walk_protocol(model_of(setup, &caucus_retirement, 0), 1, 3);
        EXPECT_TRUE(result.complete) << result.wrong;
        EXPECT_EQ(result.moves, 3 * (n + n - 1));
    }
}

TEST(Retirement, FaultsAreFound) {
    const char *source = "plan/protocol/retirement.c";
    const Fault faults[] = {
        {"does not wait for the member itself", source, "!own->called ||", ""},
        {"does not wait for those below", source, "!caucus_alive_covers(&tree, reported)", "false"},
        {"reports once", source, "own->told != up", "own->told < 0"},
        {"waits for the dead", source, "caucus_set_add(own->sets, event->peer);", ";"},
        {"gives back twice", source, "own->decided = 1;", ""},
    };
    MutantFactory factory({source, "plan/protocol/alive_tree.c"});
    for (const Fault &fault : faults) {
        caucus_retirement_setup setup{4};
        auto *protocol =
            static_cast<const caucus_protocol *>(factory.symbol(fault, "caucus_retirement"));
        EXPECT_NE(search_protocol(model_of(setup, protocol, 2)).wrong, "") << fault.name;
    }
}

} // namespace
