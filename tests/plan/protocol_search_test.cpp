// SPDX-License-Identifier: BSD-3-Clause
// The search finds as many worlds as can be counted by hand, and what is wrong with protocols that
// are made to be wrong.
#include "protocol_search.hpp"

#include <gtest/gtest.h>

namespace {

using namespace test;

// Each member that calls sends its number to all others, who deliver it; `returns` sends it back,
// for ever, and `mute` members hear nobody until they have called.
struct Flood {
    int32_t members;
    bool returns, mute;
};
struct FloodState {
    int32_t me, called;
};

int64_t flood_bytes(const void *) {
    return sizeof(FloodState);
}

void flood_begin(const void *, int32_t me, void *state) {
    static_cast<FloodState *>(state)->me = me;
}

void flood_step(const void *given, void *state, const caucus_event *event,
                caucus_actions *actions) {
    const auto *flood = static_cast<const Flood *>(given);
    auto *own = static_cast<FloodState *>(state);
    if (event->kind == CAUCUS_EVENT_CALL) {
        own->called = 1;
        auto said = static_cast<unsigned char>(event->number);
        for (int32_t i = 0; i < flood->members; i++)
            if (i != own->me)
                caucus_act_send(actions, i, &said, 1);
        caucus_act_timer(actions, 3, 1000);
    } else if (event->kind == CAUCUS_EVENT_MESSAGE && flood->returns) {
        caucus_act_send(actions, event->peer, event->bytes, event->length);
    } else if (event->kind == CAUCUS_EVENT_MESSAGE) {
        caucus_act_deliver(actions, event->peer, event->bytes, event->length);
    } else {
        caucus_act_decide(actions, event->kind, nullptr, 0);
    }
}

bool flood_hears(const void *given, const void *state, const caucus_event *event) {
    return !static_cast<const Flood *>(given)->mute || event->kind == CAUCUS_EVENT_CALL ||
           static_cast<const FloodState *>(state)->called != 0;
}

const caucus_protocol FLOOD{"flood", flood_bytes, flood_begin, flood_step, flood_hears, nullptr};

ProtocolModel model_of(const Flood &flood, std::vector<std::vector<ProtocolCall>> calls) {
    ProtocolModel model;
    model.protocol = &FLOOD;
    model.setups.assign(static_cast<size_t>(flood.members), &flood);
    model.calls = std::move(calls);
    return model;
}

std::string text_of(const std::vector<ProtocolOutput> &outputs) {
    std::string text;
    for (const ProtocolOutput &output : outputs)
        text += output.decision ? 'a' + static_cast<char>(output.number) : output.bytes[0];
    return text;
}

TEST(ProtocolSearch, CountsWorlds) {
    Flood three{3, false, false}, two{2, false, false};
    auto one_call = search_protocol(model_of(three, {{{1, ""}}}));
    EXPECT_TRUE(one_call.complete) << one_call.wrong;
    EXPECT_EQ(one_call.states, 1 + 1 + 2 + 1); // called; one, the other, or both have it
    EXPECT_EQ(one_call.ends, 1);
    EXPECT_EQ(one_call.longest, 3);
    // i calls and j <= i deliveries
    auto two_calls = search_protocol(model_of(two, {{{1, ""}, {2, ""}}}));
    EXPECT_EQ(two_calls.states, 6);
    ProtocolModel mixed = model_of(two, {{{1, ""}, {2, ""}}});
    mixed.ordered = false; // after both calls: one of the two, the other, both in two orders
    EXPECT_EQ(search_protocol(mixed).states, 6 + 2);
    mixed.sorted_log = true;
    EXPECT_EQ(search_protocol(mixed).states, 6 + 1);
}

TEST(ProtocolSearch, CountsFaults) {
    Flood two{2, false, false};
    ProtocolModel model = model_of(two, {{{1, ""}}});
    model.losses = 1; // on its way, there, or lost
    EXPECT_EQ(search_protocol(model).states, 4);
    model.losses = 0;
    model.duplicates = 1; // way and there, and again with the double: two, one and none on the way
    EXPECT_EQ(search_protocol(model).states, 1 + 1 + 1 + 3);
    model.duplicates = 0;
    model.crashes = 1;
    model.immortal = 2;
    model.detection = false;
    // member 0 dies before, after the call, or with the message there; a message can be lost then
    EXPECT_EQ(search_protocol(model).states, 3 + 3 + 1);
    model.detection =
        true; // each of the four last again, with 1 told; told before or after it came
    EXPECT_EQ(search_protocol(model).states, 7 + 5);
}

TEST(ProtocolSearch, KeepsOrderAndTimers) {
    Flood two{2, false, false};
    ProtocolModel model = model_of(two, {{{1, ""}, {2, ""}}});
    model.always = [](const ProtocolView &view) {
        return text_of(view.outputs(1)) == "\2" ? "the second came first" : std::string();
    };
    EXPECT_TRUE(search_protocol(model).complete);
    model.ordered = false;
    auto mixed = search_protocol(model);
    EXPECT_EQ(mixed.wrong, "the second came first:\n"
                           "  1. 0 calls\n      to 1: 1\n"
                           "  2. 0 calls\n      to 1: 2\n"
                           "  3. 1 gets from 0: 2\n      delivers, from 0: 2\n");
    model = model_of(two, {{{1, ""}}});
    model.at_end = [](const ProtocolView &view) {
        return text_of(view.outputs(0)) == "c" ? std::string() : "the timer did not run out";
    };
    EXPECT_NE(search_protocol(model).wrong.find("did not run out"), std::string::npos);
    model.timers = ProtocolModel::ANYWHERE;
    EXPECT_EQ(search_protocol(model).states, 1 + 4);
    model.timers = ProtocolModel::LAST;
    auto last = search_protocol(model);
    EXPECT_TRUE(last.complete);
    EXPECT_EQ(last.states, 1 + 3);
}

TEST(ProtocolSearch, HoldsBackWhatIsNotHeard) {
    Flood two{2, false, true};
    ProtocolModel model = model_of(two, {{{1, ""}}});
    model.selective = true;
    auto held = search_protocol(model);
    EXPECT_EQ(held.states, 2); // member 1 never calls, so the message stays
    EXPECT_EQ(held.ends, 1);
    model.selective = false;
    EXPECT_EQ(search_protocol(model).states, 3);
}

TEST(ProtocolSearch, FindsEndlessRuns) {
    Flood two{2, true, false};
    auto found = search_protocol(model_of(two, {{{1, ""}}}));
    EXPECT_EQ(found.wrong.rfind("it can go round for ever:\n  1. 0 calls", 0), 0u) << found.wrong;
    auto walked = walk_protocol(model_of(two, {{{1, ""}}}), 1, 1, 1000);
    EXPECT_EQ(walked.wrong.rfind("it can go round for ever", 0), 0u) << walked.wrong;
}

TEST(ProtocolSearch, WalksFindWhatIsRare) {
    Flood four{4, false, false};
    ProtocolModel model = model_of(four, {{{1, ""}}, {{2, ""}}});
    model.crashes = 2;
    model.at_end = [](const ProtocolView &view) {
        bool rare = view.crashes() == 2 && view.alive(3) && text_of(view.outputs(3)) == "dd";
        return rare ? "told of two deaths and of nothing else" : std::string();
    };
    auto walked = walk_protocol(model, 1, 10000);
    EXPECT_NE(walked.wrong.find("nothing else"), std::string::npos);
    auto again = walk_protocol(model, 1, 10000);
    EXPECT_EQ(again.wrong, walked.wrong); // a seed is a run
}

TEST(ProtocolSearch, StopsAtTheLimit) {
    Flood three{3, false, false};
    auto cut = search_protocol(model_of(three, {{{1, ""}}}), 4);
    EXPECT_FALSE(cut.complete);
    EXPECT_EQ(cut.wrong, "");
    EXPECT_EQ(cut.states, 4);
}

} // namespace
