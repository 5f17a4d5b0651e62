// SPDX-License-Identifier: BSD-3-Clause
// Who helps whom where events come in one given order; balance_test looks at every order, but not
// at how many help.
extern "C" {
#include "plan/protocol/balance.h"
}

#include <deque>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace {

// Messages on their way, in the order in which they were sent.
class Ring {
  public:
    explicit Ring(const caucus_balance_setup &given) : setup(given) {
        auto words =
            static_cast<size_t>(caucus_balance_protocol.state_bytes(&setup)) / sizeof(uint64_t);
        states.assign(static_cast<size_t>(setup.ranks), std::vector<uint64_t>(words));
        for (int32_t rank = 0; rank < setup.ranks; rank++)
            caucus_balance_protocol.begin(&setup, rank, state(rank));
    }
    // A rank's user polls; then all that is on its way arrives.
    void poll(int32_t rank, bool busy, bool has_number = true) {
        const int64_t number = has_number ? rank : -1;
        caucus_event event{};
        event.kind = CAUCUS_EVENT_CALL;
        event.number = busy;
        step(rank, event, {reinterpret_cast<const char *>(&number), sizeof number});
        while (!messages.empty()) {
            Message message = messages.front();
            messages.pop_front();
            event = {};
            event.kind = CAUCUS_EVENT_MESSAGE;
            event.peer = message.from;
            step(message.to, event, message.bytes);
        }
    }
    caucus_balance_group group(int32_t rank) {
        return caucus_balance_current(state(rank));
    }
    int asked = 0; // so many times

  private:
    struct Message {
        int32_t from, to;
        std::string bytes;
    };
    void *state(int32_t rank) {
        return states[static_cast<size_t>(rank)].data();
    }
    void step(int32_t rank, caucus_event event, const std::string &bytes) {
        caucus_actions actions{};
        event.bytes = bytes.data();
        event.length = static_cast<int64_t>(bytes.size());
        caucus_balance_protocol.step(&setup, state(rank), &event, &actions);
        for (int64_t i = 0; i < actions.count; i++) {
            const caucus_action &action = actions.action[i];
            const auto *sent = static_cast<const char *>(caucus_action_bytes(&actions, i));
            asked += action.kind == CAUCUS_ACTION_SEND && caucus_balance_is_ask(sent);
            if (action.kind == CAUCUS_ACTION_SEND)
                messages.push_back({rank, action.peer, {sent, sent + action.length}});
        }
        caucus_actions_free(&actions);
    }
    const caucus_balance_setup setup;
    std::vector<std::vector<uint64_t>> states;
    std::deque<Message> messages;
};

// Whether those that are idle become so from the left or from the right: the one that is busy hears
// of all of them before its next poll, and takes them in at once.
TEST(BalanceHelp, AllThatAreIdleHelp) {
    for (bool from_left : {true, false}) {
        Ring ring({5, 1});
        for (int32_t i = 0; i < 4; i++)
            ring.poll(from_left ? i : 3 - i, false);
        ring.poll(4, true);
        for (int32_t rank = 0; rank < 5; rank++) {
            caucus_balance_group group = ring.group(rank);
            EXPECT_EQ(group.first, 0) << rank;
            EXPECT_EQ(group.count, 5) << rank;
            EXPECT_EQ(group.source, 4) << rank;
            EXPECT_EQ(group.work, 4) << rank;
            EXPECT_EQ(group.number, 0) << "that of the first rank";
        }
    }
}

// Nobody is asked on its behalf alone; with another one it comes along, under that one's number.
TEST(BalanceHelp, WhoHasNoNumberComesAlong) {
    Ring ring({3, 1});
    ring.poll(1, false, false);
    ring.poll(2, true);
    EXPECT_EQ(ring.asked, 0);
    EXPECT_EQ(ring.group(2).count, 1);
    ring.poll(0, false);
    ring.poll(2, true);
    for (int32_t rank = 0; rank < 3; rank++) {
        EXPECT_EQ(ring.group(rank).count, 3) << rank;
        EXPECT_EQ(ring.group(rank).number, 0) << rank;
    }
}

} // namespace
