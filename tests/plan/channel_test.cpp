// SPDX-License-Identifier: BSD-3-Clause
// Channels: every order of events of small ones, and random orders of larger ones. Nothing is lost,
// doubled or out of order, nobody waits for ever, and slots are all the memory there is.
#include "channel_search.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace {

using test::ChannelModel;
using test::expect_right;
using test::expect_right_at_random;
using test::finger;
using Casts = std::vector<std::vector<int64_t>>;

const uint64_t EVERYBODY = ~uint64_t{0};

TEST(Channel, OfOne) {
    ChannelModel plain(finger(1), {{0, 1, 5}}), total(finger(1), {{0, 1, 5}}, 1, true);
    for (ChannelModel *channel : {&plain, &total}) {
        channel->quiesces = EVERYBODY;
        expect_right(*channel);
    }
}

// Its own slot is free when it has taken a piece: that lets the next one in, whatever else happens.
TEST(Channel, TakingAnOwnPieceLetsTheNextOneIn) {
    ChannelModel one(finger(1), {{5}}, 1, true), two(finger(2), {{}, {4}}, 1, true);
    expect_right(one);
    expect_right(two);
}

TEST(Channel, OfTwo) {
    for (int32_t credits : {1, 2, 3}) {
        ChannelModel channel(finger(2), {{0, 1}, {1, 1, 0}}, credits);
        expect_right(channel);
    }
}

TEST(Channel, OfThree) {
    for (const Casts &casts : {Casts{{1}, {1}, {}}, Casts{{1, 1, 1}}, Casts{{}, {1}, {1, 1}}})
        for (int32_t credits : {1, 2}) {
            ChannelModel channel(finger(3), casts, credits);
            expect_right(channel);
        }
}

TEST(Channel, AllOfThreeCast) {
    ChannelModel channel(finger(3), {{1}, {1}, {1}});
    expect_right(channel);
}

TEST(Channel, OverlaysOfThreeAndFour) {
    const int32_t pairs[] = {0, 0, 1, 1}, uneven[] = {0, 1, 1};
    caucus_node_map even_nodes, uneven_nodes;
    ASSERT_EQ(caucus_node_map_init(&even_nodes, 4, pairs), 0);
    ASSERT_EQ(caucus_node_map_init(&uneven_nodes, 3, uneven), 0);
    const caucus_overlay overlays[] = {{&caucus_overlay_skip_ring, 3, nullptr, false},
                                       {&caucus_overlay_two_level, 3, &uneven_nodes, false},
                                       {&caucus_overlay_skip_ring, 4, nullptr, false},
                                       {&caucus_overlay_two_level, 4, &even_nodes, false},
                                       {&caucus_overlay_finger, 4, nullptr, false}};
    for (const caucus_overlay &overlay : overlays) {
        ChannelModel some(overlay, {{1}, {1}, {}});
        if (overlay.ranks == 3)
            expect_right(some);
        ChannelModel one(overlay, {{}, {0}});
        expect_right(one);
        ChannelModel many(overlay, {{1, 5}, {1, 1, 2}, {2, 0, 3, 1}}, 2);
        expect_right_at_random(many, 300);
    }
    caucus_node_map_free(&even_nodes);
    caucus_node_map_free(&uneven_nodes);
}

TEST(Channel, PiecesAndStreams) { // 2 bytes are put together, more are taken in pieces
    for (const Casts &casts : {Casts{{2, 1}, {3}}, Casts{{2}, {2}}, Casts{{4, 0}, {1, 2}}})
        for (int32_t credits : {1, 2}) {
            ChannelModel channel(finger(2), casts, credits);
            expect_right(channel);
        }
}

TEST(Channel, LargeOnesDoNotBlockEachOther) {
    for (const Casts &casts : {Casts{{}, {2}, {2}}, Casts{{}, {3}, {2}}}) {
        ChannelModel channel(finger(3), casts);
        expect_right(channel);
    }
    ChannelModel all(finger(4), {{4, 1}, {2, 4}, {1, 3, 2}, {2, 2}});
    expect_right_at_random(all, 1000);
}

TEST(Channel, TotalOrder) {
    for (int32_t credits : {1, 2}) {
        ChannelModel two(finger(2), {{1}, {2, 1}}, credits, true);
        expect_right(two);
    }
    ChannelModel many(finger(4), {{1, 1, 2}, {1, 4, 1}, {1, 1, 1}, {0, 2, 1}}, 2, true);
    many.causal = true;
    expect_right_at_random(many, 1000);
}

TEST(Channel, CausalOrder) {
    for (const Casts &casts : {Casts{{1}, {1}, {}}, Casts{{}, {1}, {1}}, Casts{{1}, {}, {1}}})
        for (int32_t credits : {1, 2}) {
            ChannelModel channel(finger(3, true), casts, credits);
            channel.causal = true;
            channel.setup.asks = 1; // whoever hears a message casts another
            if (credits == 1)
                channel.setup.asks = -1;
            expect_right_at_random(channel, 1000);
            channel.setup.asks = -1;
            expect_right(channel);
        }
}

// A path of trees: what is heard through one must not come before what is slow on another.
TEST(Channel, CausalOrderOfFour) {
    ChannelModel channel(finger(4, true), {{1, 2}, {1, 1}, {1, 3}, {1}}, 2);
    channel.causal = true;
    expect_right_at_random(channel, 1000);
}

TEST(Channel, WithoutASharedTreeOrderIsNotCausal) {
    ChannelModel channel(finger(3), {{1}, {1}, {1}}, 2);
    channel.causal = true;
    EXPECT_NE(test::walk_protocol(channel.model(), 1, 1000).wrong.find("not in causal order"),
              std::string::npos);
}

TEST(Channel, Quiescence) { // a cast of 1 byte is answered with one of none by all who hear it
    for (const Casts &casts : {Casts{{1}}, Casts{{}, {1}}, Casts{{0}, {0}}}) {
        ChannelModel channel(finger(2), casts);
        channel.quiesces = EVERYBODY;
        channel.setup.asks = 1;
        expect_right(channel);
    }
    for (const Casts &casts : {Casts{{1}}, Casts{{}, {}, {1}}}) {
        ChannelModel channel(finger(3), casts);
        channel.quiesces = EVERYBODY;
        channel.setup.asks = 1;
        expect_right(channel);
    }
    ChannelModel total(finger(3), {{1, 0}, {1}, {3}}, 2, true);
    ChannelModel four(finger(4), {{1, 3}, {1}, {0, 0, 2}}, 2);
    for (ChannelModel *channel : {&total, &four}) {
        channel->quiesces = EVERYBODY;
        channel->setup.asks = 1;
        expect_right_at_random(*channel, 1000);
    }
}

// Messages of several casts: a part is handed out and answered before the rest is taken.
TEST(Channel, QuiescenceInTheMidstOfAMessage) {
    ChannelModel two(finger(2), {{1}}), total(finger(2), {{}, {1}}, 1, true),
        three(finger(3), {{1}, {0}}), four(finger(4), {{1}, {}, {0, 2}}, 2, true);
    for (ChannelModel *channel : {&two, &total, &three, &four}) {
        channel->quiesces = EVERYBODY;
        channel->setup.asks = 1;
        channel->setup.wakes = true;
    }
    expect_right(two);
    for (ChannelModel *channel : {&total, &three, &four})
        expect_right_at_random(*channel, 300);
}

TEST(Channel, SomeCloseWhileOthersWaitForQuiet) {
    for (int32_t ranks : {2, 3})
        for (uint64_t quiescing : {1, 2, 3}) {
            ChannelModel channel(finger(ranks), {{0}, {0}});
            channel.quiesces = quiescing;
            expect_right(channel);
        }
}

// One that takes nothing makes others wait; what was cast by then waits in slots.
TEST(Channel, AFrozenMemberMakesCastersWait) {
    for (int32_t ranks : {2, 3})
        for (int32_t credits : {1, 2}) {
            ChannelModel channel(finger(ranks), {{}, {1, 1, 1, 1, 1}}, credits);
            channel.setup.frozen = 0;
            auto model = channel.model();
            model.at_end = [&](const test::ProtocolView &view) -> std::string {
                // The slots at the frozen one, those on the way to it, and the origin's own.
                return view.flights() == 0 && view.calls(1) == 2 * static_cast<size_t>(credits)
                           ? ""
                           : "casts " + std::to_string(view.calls(1));
            };
            auto result = test::search_protocol(model);
            EXPECT_EQ(result.wrong, "");
            EXPECT_TRUE(result.complete);
        }
}

TEST(Channel, BytesThatMakeNoSenseAreDropped) {
    ChannelModel channel(finger(3), {});
    std::vector<int64_t> state(
        static_cast<size_t>(caucus_channel_protocol.state_bytes(&channel.setup.channel)) / 8);
    caucus_actions actions{};
    caucus_channel_protocol.begin(&channel.setup.channel, 0, state.data());
    auto before = state;
    auto drops = [&](int32_t peer, const void *bytes, size_t length) {
        caucus_event event{CAUCUS_EVENT_MESSAGE, peer, 0, bytes, static_cast<int64_t>(length)};
        caucus_channel_protocol.step(&channel.setup.channel, state.data(), &event, &actions);
        return state == before && actions.count == 0;
    };
    EXPECT_TRUE(drops(1, "x", 1));
    caucus_channel_message message{};
    for (int kind : {0, +CAUCUS_CHANNEL_GRANT, +CAUCUS_CHANNEL_CONFIRM, +CAUCUS_CHANNEL_DECISION,
                     CAUCUS_CHANNEL_DECISION + 1}) {
        message.kind = kind;
        EXPECT_TRUE(drops(1, &message, sizeof message)) << kind;
    }
    message.kind = CAUCUS_CHANNEL_DATA;
    for (int32_t origin : {-1, 0, 3, 2}) { // 2 forwards to 0 itself
        message.origin = origin;
        EXPECT_TRUE(drops(1, &message, sizeof message)) << origin;
    }
    message = {};
    message.kind = CAUCUS_CHANNEL_CREDIT; // for nothing that was sent
    message.number[0] = 1;
    EXPECT_TRUE(drops(1, &message, sizeof message));
    caucus_actions_free(&actions);
}

// A member between calls and messages that a test gives it.
class Alone {
  public:
    Alone(ChannelModel &model, int32_t me)
        : setup(model.setup.channel),
          state(static_cast<size_t>(caucus_channel_protocol.state_bytes(&setup)) / 8) {
        caucus_channel_protocol.begin(&setup, me, state.data());
    }
    ~Alone() {
        caucus_actions_free(&actions);
    }
    Alone(const Alone &) = delete;
    Alone &operator=(const Alone &) = delete;

    Alone &call(int64_t number, int64_t length = 0) {
        return step({CAUCUS_EVENT_CALL, 0, number, &length, sizeof length});
    }
    Alone &hear(int32_t peer, const caucus_channel_message &message) {
        return step({CAUCUS_EVENT_MESSAGE, peer, 0, &message, sizeof message});
    }
    std::string explained() const {
        char text[300];
        caucus_channel_explain(&setup, state.data(), text, sizeof text);
        return text;
    }

  private:
    Alone &step(const caucus_event &event) {
        caucus_channel_protocol.step(&setup, state.data(), &event, &actions);
        return *this;
    }

    const caucus_channel_setup &setup;
    std::vector<int64_t> state;
    caucus_actions actions{};
};

caucus_channel_message message_of(int32_t kind, int64_t first = 0) {
    caucus_channel_message message{};
    message.kind = kind;
    message.number[0] = first;
    return message;
}

TEST(Channel, TellsWhomItWaitsFor) {
    ChannelModel plain(finger(3), {}), ordered(finger(3), {}, 1, true);
    EXPECT_EQ(Alone(plain, 0).explained(), "nothing came from the other ranks");
    Alone caster(plain, 0);
    caster.call(CAUCUS_CHANNEL_CAST, 1).call(CAUCUS_CHANNEL_CAST, 1);
    EXPECT_EQ(caster.explained(), "ranks 1 and 2 have made no room for another message: "
                                  "each link has 0 of 1 credits; 1 of 3 slots have messages that "
                                  "wait for links");
    caster.hear(2, message_of(CAUCUS_CHANNEL_CREDIT, 1));
    EXPECT_EQ(caster.explained(), "rank 1 has made no room for another message: the link "
                                  "has 0 of 1 credits; 1 of 3 slots have messages that wait for "
                                  "links");
    caster.hear(1, message_of(CAUCUS_CHANNEL_CREDIT, 1));
    EXPECT_EQ(caster.explained(), "nothing came from the other ranks");
    EXPECT_EQ(Alone(ordered, 1).call(CAUCUS_CHANNEL_CAST, 1).explained(),
              "rank 0 has not told the turn of a message: 1 tickets are asked for");
    auto late = message_of(CAUCUS_CHANNEL_DATA);
    late.origin = 2;
    late.ticket = 1;
    EXPECT_EQ(Alone(ordered, 1).hear(2, late).explained(),
              "ticket 1 is here, its turn comes after 0, which is not");
}

TEST(Channel, TellsWhoDoesNotRest) {
    ChannelModel plain(finger(3), {});
    Alone first(plain, 0);
    const char *what = "not said that it waits for quiet, nor those whose messages come through it";
    first.call(CAUCUS_CHANNEL_QUIESCE);
    EXPECT_EQ(first.explained(), std::string("ranks 2 and 1 have ") + what);
    first.hear(2, message_of(CAUCUS_CHANNEL_REPORT, 1))
        .hear(2, message_of(CAUCUS_CHANNEL_REPORT, 1));
    EXPECT_EQ(first.explained(), std::string("rank 1 has ") + what);
    EXPECT_EQ(Alone(plain, 2).call(CAUCUS_CHANNEL_CLOSE).explained(),
              "rank 0 has not told that all is quiet");
    auto unequal = message_of(CAUCUS_CHANNEL_REPORT, 1);
    unequal.number[2] = 1; // a cast that was not taken by two
    first.hear(1, unequal);
    EXPECT_EQ(first.explained(),
              "some ranks have not taken all messages: 1 casts were taken 0 times in all");
    char text[20];
    caucus_channel_setup setup = plain.setup.channel;
    std::vector<int64_t> state(static_cast<size_t>(caucus_channel_protocol.state_bytes(&setup)) /
                               8);
    caucus_channel_protocol.begin(&setup, 0, state.data());
    caucus_channel_explain(&setup, state.data(), text, sizeof text);
    EXPECT_STREQ(text, "nothing came from t"); // cut
}

// Faults that are put in on purpose, each to be found.
void expect_found(ChannelModel channel, const test::ChannelFault &fault, const char *what) {
    channel.setup.fault = fault;
    auto result = test::search_protocol(channel.model());
    EXPECT_NE(result.wrong, "");
    EXPECT_NE(result.wrong.find(what), std::string::npos) << what << ": " << result.wrong;
}

caucus_channel_in *links_of(caucus_channel_state *state) {
    return reinterpret_cast<caucus_channel_in *>(state + 1);
}

caucus_channel_out *links_out(const caucus_channel_setup &setup, caucus_channel_state *state) {
    return reinterpret_cast<caucus_channel_out *>(links_of(state) + setup.sources + 1);
}

TEST(ChannelFaults, CreditsThatAreNotThere) {
    expect_found(
        {finger(2), {{1, 1, 1}}},
        [](const auto &setup, auto *state, auto *, bool after) {
            for (int64_t i = 0; !after && i < state->targets; i++)
                links_out(setup, state)[i].freed = links_out(setup, state)[i].sent;
        },
        "never closes");
}

TEST(ChannelFaults, CreditsThatAreNotReturned) {
    expect_found(
        {finger(2), {{1, 1, 1}}},
        [](const auto &, auto *, auto *actions, bool after) {
            for (int64_t i = 0; after && i < actions->count; i++)
                if (*static_cast<const int32_t *>(caucus_action_bytes(actions, i)) ==
                    CAUCUS_CHANNEL_CREDIT)
                    actions->count--;
        },
        "never closes");
}

TEST(ChannelFaults, LargeOnesWithoutAnOrder) {
    expect_found(
        {finger(3), {{}, {3}, {2}}},
        [](const auto &, auto *state, auto *, bool after) {
            if (!after) // whatever comes first
                state->next_ticket = 0;
            if (!after && state->me == 0)
                state->tickets = 0;
        },
        "channel_user.cpp");
}

TEST(ChannelFaults, QuietAfterOneLook) {
    ChannelModel channel(finger(3), {{1}});
    channel.quiesces = EVERYBODY;
    channel.setup.asks = 1;
    expect_found(
        channel,
        [](const auto &, auto *state, auto *, bool after) {
            if (!after) // nobody asks whether something has changed
                state->asked = state->sums;
        },
        "quiet before");
}

} // namespace
