// SPDX-License-Identifier: BSD-3-Clause
#include "channel_user.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace test {

namespace {

struct User : ChannelAccount {
    int64_t answers;     // that are due
    int64_t due;         // bit of an origin: its question is to be answered
    int64_t open, woken; // own questions; by a part of what is taken next
};

const ChannelSetup &setup_of(const void *setup) {
    return *static_cast<const ChannelSetup *>(setup);
}

int64_t channel_bytes(const ChannelSetup &setup) {
    return caucus_channel_protocol.state_bytes(&setup.channel);
}

int64_t state_bytes(const void *setup) {
    return channel_bytes(setup_of(setup)) + static_cast<int64_t>(sizeof(User));
}

void begin(const void *setup, int32_t me, void *state) {
    caucus_channel_protocol.begin(&setup_of(setup).channel, me, state);
}

// One member during one step.
class Step : private ChannelStep {
  public:
    Step(const void *given, void *whole, caucus_actions *to)
        : ChannelStep(caucus_channel_protocol, &setup_of(given).channel, whole, to),
          setup(setup_of(given)), state(static_cast<caucus_channel_state *>(whole)),
          user(reinterpret_cast<User *>(static_cast<char *>(whole) + channel_bytes(setup))) {}

    void handle(const caucus_event &event) {
        if (event.kind == CAUCUS_EVENT_CALL && event.number == CAUCUS_CHANNEL_QUIESCE)
            user->quiescing = 1;
        if (event.kind == CAUCUS_EVENT_CALL && is_cast(event.number))
            keep_cast();
        if (event.kind == CAUCUS_EVENT_CALL && is_question(event.number)) {
            user->open++;
            user->asked = user->casts - (event.number == CAUCUS_CHANNEL_FLUSH ? 1 : 0);
        }
        bool took = event.kind == CAUCUS_EVENT_TIMER;
        bool answers = took && event.number == ANSWERS;
        if (took && !answers && !uses_a_part()) {
            call(CAUCUS_CHANNEL_TAKE);
            user->woken = 0;
        }
        if (!took)
            pass(event);
        if (answers || !setup.defers)
            answer_all();
        int64_t nothing = 0;
        while (user->answers > 0 && hears(CAUCUS_CHANNEL_CAST, &nothing)) {
            user->answers--;
            keep_cast();
            call(CAUCUS_CHANNEL_CAST, &nothing);
            took = true;
        }
        if (took && user->quiescing && !user->answers && !user->due)
            call(CAUCUS_CHANNEL_QUIESCE);
        if (setup.defers)
            caucus_act_timer(out, ANSWERS, user->due ? 1 : -1);
        bool takes = state->me != setup.frozen && hears(CAUCUS_CHANNEL_TAKE, nullptr);
        caucus_act_timer(out, 0, takes ? 1 : -1);
    }

  private:
    enum { ANSWERS = 1 }; // a timer

    bool uses_a_part() {
        caucus_channel_message next;
        if (!setup.wakes || user->woken || !caucus_channel_peek(&setup.channel, state, &next))
            return false;
        user->woken = 1;
        call(CAUCUS_CHANNEL_WAKE);
        user->answers += next.total == setup.asks;
        return true;
    }
    void answer_all() {
        for (int64_t origin = 0; origin < MOST_MEMBERS; origin++)
            if (user->due >> origin & 1) {
                user->due &= ~(int64_t{1} << origin);
                call(CAUCUS_CHANNEL_ANSWER, &origin);
            }
    }
    static bool is_cast(int64_t number) {
        return number == CAUCUS_CHANNEL_CAST || is_question(number);
    }
    static bool is_question(int64_t number) {
        return number == CAUCUS_CHANNEL_ASK || number == CAUCUS_CHANNEL_FLUSH;
    }
    void call(int64_t number, const int64_t *bytes = nullptr) {
        if (hears(number, bytes))
            pass(event_of(number, bytes));
    }
    void pass(const caucus_event &event) {
        caucus_actions_clear(&actions);
        if (setup.fault)
            setup.fault(setup.channel, state, &actions, false);
        step(event);
        if (setup.fault)
            setup.fault(setup.channel, state, &actions, true);
        for (int64_t i = 0; i < actions.count; i++)
            carry_out(actions.action[i], caucus_action_bytes(&actions, i));
    }

    void carry_out(const caucus_action &action, const void *bytes) {
        if (action.kind == CAUCUS_ACTION_SEND) {
            caucus_act_send(out, action.peer, bytes, action.length);
        } else if (action.kind == CAUCUS_ACTION_DECIDE && action.number == CAUCUS_CHANNEL_ASK) {
            user->open--;
            user->answered++;
            user->known_to_all = user->asked;
        } else if (action.kind == CAUCUS_ACTION_DECIDE) {
            bool closes = action.number == CAUCUS_CHANNEL_CLOSE;
            expect(closes == (state->closing != 0), __LINE__);
            expect(!user->open, __LINE__);
            user->quiescing = 0;
            (closes ? user->closed : user->quiet)++;
        } else {
            caucus_channel_message message;
            std::memcpy(&message, bytes, sizeof message);
            hear(message);
        }
    }

    void hear(const caucus_channel_message &message) {
        int64_t origin = message.origin;
        expect(setup.channel.total_order || origin != state->me, __LINE__);
        expect(message.sequence == user->got[origin] ||
                   (setup.flushes && message.sequence == user->got[origin] + 1),
               __LINE__);
        expect(message.kind != CAUCUS_CHANNEL_FLUSHING, __LINE__);
        expect(message.offset == user->bytes[origin], __LINE__);
        expect(message.slot >= 0 && message.slot < (state->sources + 1) * setup.channel.credits,
               __LINE__);
        expect(!user->closed, __LINE__);
        if (message.total > setup.channel.segment) // one at a time needs one buffer
            for (int64_t other = 0; other < MOST_MEMBERS; other++)
                expect(other == origin || !user->bytes[other], __LINE__);
        user->bytes[origin] += caucus_channel_piece(&setup.channel, &message);
        if (!caucus_channel_is_last(&setup.channel, &message))
            return;
        expect(user->bytes[origin] == message.total, __LINE__);
        user->bytes[origin] = 0;
        user->got[origin] = message.sequence + 1;
        if (message.kind == CAUCUS_CHANNEL_QUESTION && origin != state->me)
            user->due |= int64_t{1} << origin;
        user->answers += message.total == setup.asks;
        if (setup.logs)
            caucus_act_deliver(out, message.origin, nullptr, 0);
    }

    const ChannelSetup &setup;
    caucus_channel_state *state;
    User *user;
};

void step(const void *setup, void *state, const caucus_event *event, caucus_actions *actions) {
    Step(setup, state, actions).handle(*event);
}

// Who waits for quiet, or owes answers, does nothing else.
bool hears(const void *setup, const void *state, const caucus_event *event) {
    const auto *user = reinterpret_cast<const User *>(static_cast<const char *>(state) +
                                                      channel_bytes(setup_of(setup)));
    bool rests = event->kind == CAUCUS_EVENT_CALL &&
                 (event->number == CAUCUS_CHANNEL_QUIESCE || event->number == CAUCUS_CHANNEL_CLOSE);
    return !user->quiescing && !user->answers && !(rests && user->due) &&
           caucus_channel_protocol.hears(&setup_of(setup).channel, state, event);
}

void describe(const void *bytes, int64_t length, char *text, int64_t size) {
    caucus_channel_protocol.describe(bytes, length, text, size);
}

const caucus_protocol protocol = {
    "channel with its user", state_bytes, begin, step, hears, describe};

const User *user_of(const ChannelSetup &setup, const ProtocolView &view, size_t member) {
    return reinterpret_cast<const User *>(view.state<char>(member) + channel_bytes(setup));
}

// Slots are never more than filled.
bool is_bounded(const ChannelSetup &setup, const ProtocolView &view) {
    for (size_t me = 0; me < view.size(); me++) {
        const auto *state = view.state<caucus_channel_state>(me);
        const auto *in = reinterpret_cast<const caucus_channel_in *>(state + 1);
        for (int64_t i = 0; i <= state->sources; i++)
            if (in[i].freed > in[i].activated || in[i].activated > in[i].arrived ||
                in[i].arrived - in[i].freed > setup.channel.credits)
                return false;
    }
    return true;
}

std::string judge_end(const ChannelSetup &setup, uint64_t quiesces, const ProtocolView &view) {
    for (size_t me = 0; me < view.size(); me++) {
        const auto *user = user_of(setup, view, me);
        std::string who = "member " + std::to_string(me);
        if (!user->closed)
            return who + " never closes";
        if (user->answered != setup.questions[me])
            return who + " lacks answers";
        if ((quiesces >> me & 1) && user->quiet != 1)
            return who + " never hears that all is quiet";
        for (size_t origin = 0; origin < view.size(); origin++)
            if ((origin != me || setup.channel.total_order) &&
                user->got[origin] != user_of(setup, view, origin)->casts)
                return who + " lacks messages of " + std::to_string(origin);
    }
    return view.flights() == 0 ? "" : "messages are left over";
}

// When all is quiet nobody lacks anything.
bool quiet_is_quiet(const ChannelSetup &setup, const ProtocolView &view) {
    bool decided = false;
    int64_t casts = 0, got = 0;
    for (size_t me = 0; me < view.size(); me++) {
        const auto *user = user_of(setup, view, me);
        decided |= user->quiet > 0 || user->closed > 0;
        casts += user->casts;
        for (int64_t of_one : user->got)
            got += of_one;
    }
    auto hearers = static_cast<int64_t>(view.size()) - (setup.channel.total_order ? 0 : 1);
    return !decided || got == casts * hearers;
}

} // namespace

ProtocolCall channel_cast(int64_t bytes) {
    if (bytes == FLUSH)
        return {CAUCUS_CHANNEL_FLUSH, ""};
    int64_t number = bytes >= ASK ? CAUCUS_CHANNEL_ASK : CAUCUS_CHANNEL_CAST;
    bytes -= bytes >= ASK ? ASK : 0;
    return {number, std::string(reinterpret_cast<char *>(&bytes), sizeof bytes)};
}

ProtocolCall channel_call(int64_t number) {
    return {number, ""};
}

ChannelModel::ChannelModel(const caucus_overlay &overlay, std::vector<std::vector<int64_t>> given,
                           int32_t credits, bool total_order, int64_t segment, int64_t memory)
    : casts(std::move(given)) {
    setup.channel = {overlay, 0, 0, credits, total_order, segment, memory, 2};
    setup.logs = total_order;
    for (size_t me = 0; me < casts.size(); me++)
        for (int64_t bytes : casts[me]) {
            setup.flushes = setup.flushes || bytes == FLUSH;
            setup.questions[me] += bytes == FLUSH || bytes >= ASK;
        }
    for (int32_t rank = 0; rank < overlay.ranks; rank++) {
        int32_t count, *list;
        caucus_overlay_sources(&overlay, rank, &count, &list);
        free(list);
        setup.channel.sources = std::max(setup.channel.sources, count);
        caucus_overlay_targets(&overlay, rank, &count, &list);
        free(list);
        setup.channel.targets = std::max(setup.channel.targets, count);
    }
    casts.resize(static_cast<size_t>(overlay.ranks));
}

ProtocolModel ChannelModel::model() {
    ProtocolModel model;
    model.protocol = &protocol;
    model.setups.assign(casts.size(), &setup);
    for (const auto &of_one : casts) {
        std::vector<ProtocolCall> calls;
        for (int64_t bytes : of_one)
            calls.push_back(channel_cast(bytes));
        if (quiesces >> model.calls.size() & 1)
            calls.push_back(channel_call(CAUCUS_CHANNEL_QUIESCE));
        calls.push_back(channel_call(CAUCUS_CHANNEL_CLOSE));
        model.calls.push_back(calls);
    }
    model.timers = ProtocolModel::ANYWHERE;
    model.always = [this](const ProtocolView &view) -> std::string {
        const ChannelAccounts users(view, channel_bytes(setup));
        if (std::string wrong = users.first_wrong("channel_user.cpp"); !wrong.empty())
            return wrong;
        if (!is_bounded(setup, view))
            return "more messages than slots";
        if (causal && !users.are_causal())
            return "not in causal order";
        if (setup.logs && !users.are_total())
            return "not in total order";
        if (!users.are_answers_true())
            return "answered before all have heard";
        return quiet_is_quiet(setup, view) ? "" : "quiet before all was heard";
    };
    model.at_end = [this](const ProtocolView &view) { return judge_end(setup, quiesces, view); };
    return model;
}

} // namespace test
