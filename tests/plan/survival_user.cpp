// SPDX-License-Identifier: BSD-3-Clause
#include "survival_user.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace test {

namespace {

enum { MOST = 4, MOST_CASTS = 5 };

struct User {
    int64_t got[MOST];               // whole messages of each
    int64_t bytes[MOST];             // of the next one, in pieces
    int64_t known[MOST_CASTS][MOST]; // what he had got when he cast
    int64_t casts, flushes, flushed; // flushes: asked for, answered
    int64_t asked, known_to_all;     // casts that all must have got then, and by now
    int64_t quiescing, quiet, closed, left, wrong;
};

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

class Step {
  public:
    Step(const void *given, void *whole, caucus_actions *to)
        : setup(setup_of(given)), state(static_cast<caucus_survival_state *>(whole)),
          user(reinterpret_cast<User *>(static_cast<char *>(whole) + inner_bytes(setup))), out(to) {
    }
    ~Step() {
        caucus_actions_free(&actions);
    }
    Step(const Step &) = delete;
    Step &operator=(const Step &) = delete;

    void handle(const caucus_event &event) {
        bool calls = event.kind == CAUCUS_EVENT_CALL;
        if (calls && event.number == CAUCUS_CHANNEL_CAST)
            std::copy(user->got, user->got + MOST, user->known[user->casts++]);
        if (calls && event.number == CAUCUS_CHANNEL_FLUSH) {
            user->flushes++;
            user->asked = user->casts;
        }
        user->quiescing |= calls && event.number == CAUCUS_CHANNEL_QUIESCE;
        if (event.kind == CAUCUS_EVENT_TIMER)
            call(CAUCUS_CHANNEL_TAKE);
        else
            pass(event);
        if (user->quiescing) // who was woken rests again
            call(CAUCUS_CHANNEL_QUIESCE);
        caucus_act_timer(out, 0, hears(CAUCUS_CHANNEL_TAKE) ? 1 : -1);
    }

  private:
    bool hears(int64_t number) {
        caucus_event event = {CAUCUS_EVENT_CALL, 0, number, nullptr, 0};
        return caucus_survival.hears(&setup.survival, state, &event);
    }
    void call(int64_t number) {
        caucus_channel_message next;
        bool takes = number == CAUCUS_CHANNEL_TAKE;
        if (!hears(number))
            return;
        expect(!takes || caucus_survival_peek(&setup.survival, state, &next), __LINE__);
        pass({CAUCUS_EVENT_CALL, 0, number, nullptr, 0});
    }

    void pass(const caucus_event &event) {
        caucus_actions_clear(&actions);
        auto member = caucus_survival_member_of(&setup.survival, state, &actions);
        if (setup.fault)
            setup.fault(setup.survival, member, false, event);
        caucus_survival.step(&setup.survival, state, &event, &actions);
        if (setup.fault)
            setup.fault(setup.survival, member, true, event);
        for (int64_t i = 0; i < actions.count; i++)
            carry_out(actions.action[i], caucus_action_bytes(&actions, i));
    }

    void carry_out(const caucus_action &action, const void *bytes) {
        if (action.kind == CAUCUS_ACTION_SEND) {
            caucus_act_send(out, action.peer, bytes, action.length);
        } else if (action.kind == CAUCUS_ACTION_DELIVER) {
            caucus_channel_message message;
            std::memcpy(&message, bytes, sizeof message);
            hear(message);
        } else if (action.number == CAUCUS_CHANNEL_ASK) {
            user->flushed++;
            user->known_to_all = user->asked;
        } else if (action.number == CAUCUS_CHANNEL_QUIESCE) {
            expect(user->quiescing, __LINE__);
            user->quiescing = 0;
            user->quiet++;
        } else if (action.number == CAUCUS_CHANNEL_CLOSE) {
            user->closed++;
        } else if (action.number == CAUCUS_SURVIVAL_VIEW) {
            std::fill(user->bytes, user->bytes + MOST, 0); // pieces are void
        } else {
            expect(action.number == CAUCUS_SURVIVAL_LEFT && user->closed, __LINE__);
            user->left++;
        }
    }

    void expect(bool right, int line) {
        if (!right && !user->wrong)
            user->wrong = line;
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
    caucus_actions *out;
    caucus_actions actions{};
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

bool is_causal(const SurvivalSetup &setup, const ProtocolView &view) {
    for (size_t me = 0; me < view.size(); me++)
        for (size_t origin = 0; view.alive(me) && origin < view.size(); origin++) {
            const User *user = user_of(setup, view, me), *other = user_of(setup, view, origin);
            for (int64_t i = 0; i < user->got[origin]; i++)
                for (size_t x = 0; x < view.size(); x++)
                    if (x != me && x != origin && user->got[x] < other->known[i][x])
                        return false;
        }
    return true;
}

// Of those that live, one order is the beginning of the other.
bool is_total(const ProtocolView &view) {
    for (size_t i = 0; i < view.size(); i++)
        for (size_t j = 0; j < i; j++)
            if (view.alive(i) && view.alive(j)) {
                const auto &a = view.outputs(i), &b = view.outputs(j);
                for (size_t k = 0; k < std::min(a.size(), b.size()); k++)
                    if (a[k].peer != b[k].peer)
                        return false;
            }
    return true;
}

// What somebody was told to have come to all has come to all that live.
bool flushes_are_true(const SurvivalSetup &setup, const ProtocolView &view) {
    for (size_t origin = 0; origin < view.size(); origin++)
        for (size_t me = 0; me < view.size(); me++)
            if (me != origin && view.alive(me) &&
                user_of(setup, view, me)->got[origin] < user_of(setup, view, origin)->known_to_all)
                return false;
    return true;
}

// Who is told of quiet, or of the end, knows that those that live got all that was cast by then; he
// casts nothing afterwards in these models.
bool quiet_is_quiet(const SurvivalSetup &setup, const ProtocolView &view) {
    bool told = false;
    for (size_t me = 0; me < view.size(); me++) {
        const User *user = user_of(setup, view, me);
        told = told || (view.alive(me) && (user->closed || user->quiet));
    }
    for (size_t me = 0; told && me < view.size(); me++)
        for (size_t origin = 0; origin < view.size(); origin++)
            if (view.alive(me) && view.alive(origin) &&
                (origin != me || setup.survival.channel.total_order) &&
                user_of(setup, view, me)->got[origin] < user_of(setup, view, origin)->casts)
                return false;
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
        if (!user->closed || !user->left)
            return who + (user->closed ? " never leaves" : " never closes");
        if (user->flushed != user->flushes)
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
        list.push_back({CAUCUS_CHANNEL_CLOSE, ""});
        model.calls.push_back(list);
    }
    model.timers = ProtocolModel::ANYWHERE;
    model.always = [this](const ProtocolView &view) -> std::string {
        for (size_t me = 0; me < view.size(); me++)
            if (int64_t line = user_of(setup, view, me)->wrong)
                return "member " + std::to_string(me) + ": survival_user.cpp, line " +
                       std::to_string(line);
        if (causal && !is_causal(setup, view))
            return "not in causal order";
        if (setup.logs && !is_total(view))
            return "not in total order";
        if (!flushes_are_true(setup, view))
            return "flushed before all have heard";
        return quiet_is_quiet(setup, view) ? "" : "quiet before all was heard";
    };
    model.at_end = [this](const ProtocolView &view) { return judge_end(setup, view, calls); };
    return model;
}

} // namespace test
