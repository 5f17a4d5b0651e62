// SPDX-License-Identifier: BSD-3-Clause
// Whom members of groups in the making wait for, in words.
extern "C" {
#include "plan/group/merge.h"
#include "plan/group/task_queue.h"
#include "plan/protocol/alive.h"
#include "plan/protocol/balance.h"
#include "plan/protocol/creation.h"
#include "plan/protocol/join_request.h"
#include "plan/protocol/sentences.h"
}

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace {

using Text = std::array<char, 400>;

// A member between events that a test gives it.
template <class Setup> class Member {
  public:
    Member(const caucus_protocol &which, const Setup &of, int32_t me)
        : protocol(which), setup(of), state(static_cast<size_t>(which.state_bytes(&of)) / 8 + 1) {
        protocol.begin(&setup, me, state.data());
    }
    ~Member() {
        caucus_actions_free(&actions);
    }
    Member(const Member &) = delete;
    Member &operator=(const Member &) = delete;

    template <class Bytes> Member &call(int64_t number, const Bytes &bytes) {
        return step({CAUCUS_EVENT_CALL, 0, number, &bytes, sizeof bytes});
    }
    Member &hear(int32_t peer, const std::vector<unsigned char> &bytes) {
        return step(
            {CAUCUS_EVENT_MESSAGE, peer, 0, bytes.data(), static_cast<int64_t>(bytes.size())});
    }
    // What it has sent last.
    std::vector<unsigned char> said() const {
        const caucus_action &last = actions.action[actions.count - 1];
        return {actions.bytes + last.offset, actions.bytes + last.offset + last.length};
    }
    const Setup &its_setup() const {
        return setup;
    }
    const void *its_state() const {
        return state.data();
    }

  private:
    Member &step(const caucus_event &event) {
        caucus_actions_clear(&actions);
        protocol.step(&setup, state.data(), &event, &actions);
        return *this;
    }

    const caucus_protocol &protocol;
    Setup setup;
    std::vector<uint64_t> state;
    caucus_actions actions{};
};

const std::array<int32_t, 4> ranks = {10, 11, 12, 13};

class Creator : public Member<caucus_creation_setup> {
  public:
    Creator(int32_t me, bool checked, bool settles = false)
        : Member(caucus_creation, setup_of(me, checked, settles), me) {}
    Creator &come() {
        call(CAUCUS_CREATION_CREATE, uint64_t{7});
        return *this;
    }
    std::string explained() const {
        Text text{};
        caucus_creation_explain(&its_setup(), its_state(), text.data(), text.size());
        return text.data();
    }

  private:
    static caucus_creation_setup setup_of(int32_t me, bool checked, bool settles) {
        caucus_creation_setup of{};
        of.members = static_cast<int32_t>(ranks.size());
        of.ranks = ranks.data();
        of.me = me;
        of.checked = checked;
        of.settles = settles;
        return of;
    }
};

TEST(Words, ACheckedListGoesUpAndDownItsTree) {
    Creator root(0, true), inner(2, true), leaf(3, true);
    EXPECT_EQ(root.explained(), "");
    root.come();
    EXPECT_EQ(root.explained(), "rank 11 has not come (message UP); rank 12 has not come, or "
                                "somebody below it in the tree (message UP)");
    EXPECT_EQ(inner.come().explained(), "rank 13 has not come (message UP)");
    EXPECT_EQ(leaf.come().explained(), "rank 12 has not told that all have come (message DOWN)");
    inner.hear(13, leaf.said());
    EXPECT_EQ(inner.explained(), "rank 10 has not told that all have come (message DOWN)");
    root.hear(12, inner.said());
    EXPECT_EQ(root.explained(), "rank 11 has not come (message UP)");
    root.hear(11, Creator(1, true).come().said());
    EXPECT_EQ(root.explained(), "");
}

// Rank 13 alone wants it settled.
TEST(Words, ASettledListIsAskedToStay) {
    Creator root(0, true), inner(2, true), leaf(3, true, true);
    root.come();
    inner.come().hear(13, leaf.come().said());
    root.hear(12, inner.said());
    root.hear(11, Creator(1, true).come().said());
    EXPECT_EQ(root.explained(), "rank 11 has not said to stay (message YES); rank 12 has not said "
                                "to stay, or somebody below it in the tree (message YES)");
    inner.hear(10, root.said());
    EXPECT_EQ(inner.explained(), "rank 13 has not said to stay (message YES)");
    leaf.hear(12, inner.said());
    EXPECT_EQ(leaf.explained(), "rank 12 has not told that all have come (message DOWN)");
    inner.hear(13, leaf.said());
    root.hear(12, inner.said());
    EXPECT_EQ(root.explained(), "rank 11 has not said to stay (message YES)");
}

TEST(Words, AnUncheckedListGoesDown) {
    Creator root(0, false), leaf(3, false);
    EXPECT_EQ(root.come().explained(), "");
    EXPECT_EQ(leaf.come().explained(),
              "rank 12 has not told the number of the group (message DOWN)");
}

TEST(Words, WhoAsksWaitsForTheAnswer) {
    Member<caucus_join_request_setup> member(caucus_join_request_protocol, {8, 2}, 2);
    Text text{};
    caucus_join_request_explain(member.its_state(), false, text.data(), text.size());
    EXPECT_STREQ(text.data(), "");
    member.call(CAUCUS_JOIN_REQUEST_ASK, int32_t{5});
    caucus_join_request_explain(member.its_state(), false, text.data(), text.size());
    EXPECT_STREQ(text.data(), "rank 5 has not answered whether it takes this group in (message "
                              "TAKEN or REFUSED)");
    caucus_join_request_explain(member.its_state(), true, text.data(), text.size());
    EXPECT_STREQ(text.data(), "rank 5 has not heard that the wish was withdrawn (message FREE)");
    caucus_merge_explain(4, text.data(), text.size());
    EXPECT_STREQ(text.data(), "rank 4 has not told what becomes of the group (message INSIDE)");
}

TEST(Words, APollWaitsForItsFirstOrTheNextGroup) {
    Text text{};
    Member<caucus_balance_setup> first(caucus_balance_protocol, {6, 3}, 0);
    Member<caucus_balance_setup> second(caucus_balance_protocol, {6, 3}, 1);
    first.call(0, int64_t{1});
    second.call(0, int64_t{1});
    caucus_balance_explain(&first.its_setup(), first.its_state(), text.data(), text.size());
    EXPECT_STREQ(text.data(),
                 "rank 3 has not polled, nor those it waits for (message GROWN or OVER)");
    caucus_balance_explain(&second.its_setup(), second.its_state(), text.data(), text.size());
    EXPECT_STREQ(text.data(),
                 "rank 0 has not polled, nor those it waits for (message SAME, IDLE or GROWN)");
}

class Living : public Member<caucus_alive_setup> {
  public:
    Living(int32_t me) : Member(caucus_alive, {4, 0, true, true}, me) {}
    Living &come() {
        call(CAUCUS_ALIVE_BEGIN, caucus_alive_name{1, 2});
        return *this;
    }
    std::string explained() const {
        Text text{};
        caucus_alive_explain(&its_setup(), its_state(), ranks.data(), text.data(), text.size());
        return text.data();
    }
};

TEST(Words, TheLivingComeAndAgree) {
    Living root(0), near(1), inner(2), leaf(3);
    EXPECT_EQ(root.explained(), "");
    EXPECT_EQ(root.come().explained(),
              "ranks 11 and 12 have not come, or somebody below it in the tree (message UP)");
    near.come(), inner.come(), leaf.come();
    EXPECT_EQ(leaf.explained(), "rank 12 has not proposed the group (message PREP)");
    inner.hear(3, leaf.said());
    root.hear(1, near.said()).hear(2, inner.said());
    EXPECT_EQ(root.explained(), "ranks 11 and 12 have not agreed to the group, or somebody below "
                                "it in the tree (message ACK)");
    near.hear(0, root.said());
    EXPECT_EQ(near.explained(),
              "rank 10 has not told that all have agreed to the group (message COM)");
    root.hear(1, near.said());
    EXPECT_EQ(root.explained(), "rank 12 has not agreed to the group, or somebody below it in the "
                                "tree (message ACK)");
}

TEST(Words, ADeskWaitsForItsWorkers) {
    caucus_task_queue desk{};
    Text text{};
    ASSERT_EQ(caucus_task_queue_create(&desk, 3, 0), 0);
    caucus_task_queue_ready(&desk, 1);
    ASSERT_EQ(caucus_task_queue_submit(&desk, 0, 2), 0);
    caucus_task_queue_explain(&desk, 1, text.data(), text.size());
    EXPECT_STREQ(text.data(), "ranks 1 and 3 have not come back for a task (message "
                              "READY); 1 of 3 workers are idle, 1 tasks wait for workers");
    caucus_task_queue_free(&desk);
}

TEST(Words, ManyAreCutShort) {
    Text text{};
    caucus_sentences words = caucus_sentences_in(text.data(), text.size());
    for (int rank = 0; rank < 9; rank++)
        caucus_sentences_name(&words, rank);
    caucus_sentences_have(&words, "not come");
    EXPECT_STREQ(text.data(), "ranks 0, 1, 2, 3, 4, 5, 6, 7 and others have not come");
    words = caucus_sentences_in(text.data(), 10);
    caucus_sentences_has(&words, 3, "not come");
    caucus_sentences_has(&words, 4, "not come");
    EXPECT_STREQ(text.data(), "rank 3 ha");
}

} // namespace
