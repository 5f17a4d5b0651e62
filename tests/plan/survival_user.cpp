// SPDX-License-Identifier: BSD-3-Clause
#include "survival_user.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace test {

namespace {

struct User : ChannelAccount {
    int64_t flushes, left;      // flushes: asked for
    int64_t rested;             // casts when he waited for quiet or the end first, plus 1
    int64_t held[MOST_MEMBERS]; // credits to each that have not left
    int64_t said;               // bit of each: the last word
};

enum { CREDITS = 1, RESTS = 2 }; // timers

const SurvivalSetup &setup_of(const void *setup) {
    return *static_cast<const SurvivalSetup *>(setup);
}

int64_t inner_bytes(const SurvivalSetup &setup) {
    return caucus_survival.state_bytes(&setup.survival);
}

int64_t state_bytes(const void *setup) {
    return inner_bytes(setup_of(setup)) + static_cast<int64_t>(sizeof(User));
}

void begin(const void *setup, int32_t me, void *state) {
    caucus_survival.begin(&setup_of(setup).survival, me, state);
}

const User *user_of(const SurvivalSetup &setup, const ProtocolView &view, size_t member) {
    return reinterpret_cast<const User *>(view.state<char>(member) + inner_bytes(setup));
}

class Step : private ChannelStep {
  public:
    Step(const void *given, void *whole, caucus_actions *to)
        : ChannelStep(caucus_survival, &setup_of(given).survival, whole, to),
          setup(setup_of(given)), state(static_cast<caucus_survival_state *>(whole)),
          user(reinterpret_cast<User *>(static_cast<char *>(whole) + inner_bytes(setup))) {}

    void handle(const caucus_event &event) {
        bool calls = event.kind == CAUCUS_EVENT_CALL;
        if (calls && event.number == CAUCUS_CHANNEL_CAST)
            keep_cast();
        if (calls && event.number == CAUCUS_CHANNEL_FLUSH) {
            user->flushes++;
            user->asked = user->casts;
        }
        if (calls && !user->rested &&
            (event.number == CAUCUS_CHANNEL_QUIESCE || event.number == CAUCUS_CHANNEL_CLOSE))
            user->rested = user->casts + 1;
        user->quiescing |= calls && event.number == CAUCUS_CHANNEL_QUIESCE;
        bool runs_out = event.kind == CAUCUS_EVENT_TIMER;
        if (runs_out && event.number == CREDITS)
            return_credits();
        else if (runs_out && event.number == 0)
            call(CAUCUS_CHANNEL_TAKE);
        else if (!runs_out)
            pass(event);
        if (user->quiescing && (!setup.late || (runs_out && event.number == RESTS)))
            call(CAUCUS_CHANNEL_QUIESCE); // who was woken rests again
        caucus_act_timer(out, 0, hears(CAUCUS_CHANNEL_TAKE) ? 1 : -1);
        if (!setup.late)
            return;
        bool holds =
            !caucus_survival_is_closed(state) &&
            std::any_of(user->held, user->held + MOST_MEMBERS, [](int64_t held) { return held; });
        caucus_act_timer(out, CREDITS, holds ? 1 : -1);
        caucus_act_timer(out, RESTS, user->quiescing && hears(CAUCUS_CHANNEL_QUIESCE) ? 1 : -1);
    }

  private:
    void return_credits() {
        for (int32_t peer = 0; peer < MOST_MEMBERS; peer++) {
            caucus_channel_message credit{};
            if (!user->held[peer])
                continue;
            auto view = static_cast<int32_t>(state->view);
            credit.kind = CAUCUS_CHANNEL_CREDIT | view << CAUCUS_SURVIVAL_VIEW_SHIFT;
            credit.number[0] = user->held[peer];
            user->held[peer] = 0;
            send(peer, &credit, sizeof credit);
        }
    }
    void send(int32_t peer, const void *bytes, int64_t length) {
        caucus_channel_message message;
        std::memcpy(&message, bytes, sizeof message);
        int32_t kind = caucus_survival_kind(&message);
        expect(!(user->said >> peer & 1), __LINE__);
        user->said |= int64_t{kind == CAUCUS_SURVIVAL_BYE} << peer;
        caucus_act_send(out, peer, bytes, length);
    }
    void call(int64_t number) {
        caucus_channel_message next;
        bool takes = number == CAUCUS_CHANNEL_TAKE;
        if (!hears(number))
            return;
        expect(!takes || caucus_survival_peek(&setup.survival, state, &next), __LINE__);
        pass(event_of(number, nullptr));
    }

    void pass(const caucus_event &event) {
        caucus_actions_clear(&actions);
        auto member = caucus_survival_member_of(&setup.survival, state, &actions);
        if (setup.fault)
            setup.fault(setup.survival, member, false, event);
        step(event);
        if (setup.fault)
            setup.fault(setup.survival, member, true, event);
        for (int64_t i = 0; i < actions.count; i++)
            carry_out(actions.action[i], caucus_action_bytes(&actions, i));
    }

    void carry_out(const caucus_action &action, const void *bytes) {
        caucus_channel_message message{};
        if (action.kind != CAUCUS_ACTION_DECIDE)
            std::memcpy(&message, bytes, sizeof message);
        if (action.kind == CAUCUS_ACTION_SEND) {
            if (setup.late && caucus_survival_kind(&message) == CAUCUS_CHANNEL_CREDIT)
                user->held[action.peer] = message.number[0];
            else
                send(action.peer, bytes, action.length);
        } else if (action.kind == CAUCUS_ACTION_DELIVER) {
            hear(message);
        } else if (action.number == CAUCUS_CHANNEL_ASK) {
            user->answered++;
            user->known_to_all = user->asked;
        } else if (action.number == CAUCUS_CHANNEL_QUIESCE) {
            expect(user->quiescing, __LINE__);
            user->quiescing = 0;
            user->quiet++;
        } else if (action.number == CAUCUS_CHANNEL_CLOSE) {
            user->closed++;
        } else if (action.number == CAUCUS_SURVIVAL_VIEW) {
            std::fill(user->bytes, user->bytes + MOST_MEMBERS, 0); // pieces are void
            std::fill(user->held, user->held + MOST_MEMBERS, 0);
        } else {
            expect(action.number == CAUCUS_SURVIVAL_LEFT && user->closed, __LINE__);
            user->left++;
        }
    }

    void hear(const caucus_channel_message &message) {
        auto origin = static_cast<size_t>(message.origin);
        const auto &channel = setup.survival.channel;
        expect(origin < setup.casts.size() && !user->closed, __LINE__);
        expect(channel.total_order || message.origin != state->me, __LINE__);
        expect(message.sequence == user->got[origin], __LINE__);
        expect(message.sequence < static_cast<int64_t>(setup.casts[origin].size()) &&
                   message.total == setup.casts[origin][static_cast<size_t>(message.sequence)],
               __LINE__);
        bool given = message.slot == CAUCUS_SURVIVAL_GIVEN;
        expect(message.offset == (given ? 0 : user->bytes[origin]), __LINE__);
        if (!given && !caucus_channel_is_last(&channel, &message)) {
            user->bytes[origin] += channel.segment;
            return;
        }
        user->bytes[origin] = 0;
        user->got[origin]++;
        if (setup.logs)
            caucus_act_deliver(out, message.origin, nullptr, 0);
    }

    const SurvivalSetup &setup;
    caucus_survival_state *state;
    User *user;
};

void step(const void *setup, void *state, const caucus_event *event, caucus_actions *actions) {
    Step(setup, state, actions).handle(*event);
}

bool hears(const void *given, const void *state, const caucus_event *event) {
    const auto &setup = setup_of(given);
    const auto *user =
        reinterpret_cast<const User *>(static_cast<const char *>(state) + inner_bytes(setup));
    if (event->kind == CAUCUS_EVENT_CALL && user->quiescing)
        return false;
    return caucus_survival.hears(&setup.survival, state, event);
}

void describe(const void *bytes, int64_t length, char *text, int64_t size) {
    caucus_survival.describe(bytes, length, text, size);
}

const caucus_protocol protocol = {
    "channel that survives with its user", state_bytes, begin, step, hears, describe};

// Who is told of quiet knows that those that live got all that was cast before its caster waited
// for that; who is told of the end, all that was cast.
bool quiet_is_quiet(const SurvivalSetup &setup, const ProtocolView &view) {
    bool quiet = false, closed = false;
    for (size_t me = 0; me < view.size(); me++) {
        const User *user = user_of(setup, view, me);
        quiet = quiet || (view.alive(me) && user->quiet);
        closed = closed || (view.alive(me) && user->closed);
    }
    for (size_t origin = 0; (quiet || closed) && origin < view.size(); origin++) {
        const User *caster = user_of(setup, view, origin);
        if (view.alive(origin) && !caster->rested)
            return false;
        for (size_t me = 0; me < view.size(); me++)
            if (view.alive(me) && view.alive(origin) &&
                (origin != me || setup.survival.channel.total_order) &&
                user_of(setup, view, me)->got[origin] <
                    (closed ? caster->casts : caster->rested - 1))
                return false;
    }
    return true;
}

std::string judge_end(const SurvivalSetup &setup, const ProtocolView &view,
                      const std::vector<std::vector<int64_t>> &calls) {
    const User *first = nullptr;
    bool total = setup.survival.channel.total_order;
    for (size_t me = 0; me < view.size(); me++) {
        const User *user = user_of(setup, view, me);
        std::string who = "member " + std::to_string(me);
        if (!view.alive(me))
            continue;
        if (setup.closes && (!user->closed || !user->left))
            return who + (user->closed ? " never leaves" : " never closes");
        if (user->answered != user->flushes)
            return who + " never hears of its flush";
        if (user->quiet != std::count(calls[me].begin(), calls[me].end(), SURVIVAL_QUIESCE))
            return who + " never hears that all is quiet";
        for (size_t origin = 0; origin < view.size(); origin++) {
            bool own = origin == me && !total;
            int64_t casts = user_of(setup, view, origin)->casts;
            if (!own && view.alive(origin) && user->got[origin] != casts)
                return who + " lacks messages of " + std::to_string(origin);
            if (!own && first && !view.alive(origin) && user->got[origin] != first->got[origin])
                return who + " has got others of " + std::to_string(origin);
        }
        first = user;
    }
    return "";
}

} // namespace

SurvivalModel::SurvivalModel(int32_t ranks, std::vector<std::vector<int64_t>> given, int deaths,
                             int32_t window, bool total_order, bool is_causal_order,
                             int64_t segment)
    : calls(std::move(given)), crashes(deaths), causal(is_causal_order) {
    caucus_overlay overlay = {&caucus_overlay_finger, ranks, nullptr, is_causal_order};
    setup.survival = {{overlay, 0, 0, 1, total_order, segment, 8, 2}, window, 0};
    setup.logs = total_order;
    int32_t sources = 0, targets = 0;
    for (int32_t rank = 0; rank < ranks; rank++) {
        caucus_survival_make_room(&setup.survival.channel, rank);
        sources = std::max(sources, setup.survival.channel.sources);
        targets = std::max(targets, setup.survival.channel.targets);
    }
    setup.survival.channel.sources = sources;
    setup.survival.channel.targets = targets;
    calls.resize(static_cast<size_t>(ranks));
    for (const auto &of_one : calls) {
        setup.casts.emplace_back();
        std::copy_if(of_one.begin(), of_one.end(), std::back_inserter(setup.casts.back()),
                     [](int64_t bytes) { return bytes >= 0; });
    }
}

ProtocolModel SurvivalModel::model() {
    ProtocolModel model;
    model.protocol = &protocol;
    model.setups.assign(calls.size(), &setup);
    model.crashes = crashes;
    for (const auto &of_one : calls) {
        std::vector<ProtocolCall> list;
        for (int64_t bytes : of_one)
            if (bytes == SURVIVAL_FLUSH)
                list.push_back({CAUCUS_CHANNEL_FLUSH, ""});
            else if (bytes == SURVIVAL_QUIESCE)
                list.push_back({CAUCUS_CHANNEL_QUIESCE, ""});
            else
                list.push_back({CAUCUS_CHANNEL_CAST,
                                std::string(reinterpret_cast<char *>(&bytes), sizeof bytes)});
        if (setup.closes)
            list.push_back({CAUCUS_CHANNEL_CLOSE, ""});
        model.calls.push_back(list);
    }
    model.timers = ProtocolModel::ANYWHERE;
    model.always = [this](const ProtocolView &view) -> std::string {
        const ChannelAccounts users(view, inner_bytes(setup));
        if (std::string wrong = users.first_wrong("survival_user.cpp"); !wrong.empty())
            return wrong;
        if (causal && !users.are_causal())
            return "not in causal order";
        if (setup.logs && !users.are_total())
            return "not in total order";
        if (!users.are_answers_true())
            return "flushed before all have heard";
        return quiet_is_quiet(setup, view) ? "" : "quiet before all was heard";
    };
    model.at_end = [this](const ProtocolView &view) { return judge_end(setup, view, calls); };
    return model;
}

} // namespace test
