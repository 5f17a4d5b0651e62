// SPDX-License-Identifier: BSD-3-Clause
#include "channel_account.hpp"

#include <algorithm>

namespace test {

ChannelStep::ChannelStep(const caucus_protocol &stepped, const void *setup, void *whole,
                         caucus_actions *to)
    : out(to), protocol(stepped), inner(setup), state(whole),
      account(*reinterpret_cast<ChannelAccount *>(static_cast<char *>(whole) +
                                                  stepped.state_bytes(setup))) {}

ChannelStep::~ChannelStep() {
    caucus_actions_free(&actions);
}

caucus_event ChannelStep::event_of(int64_t number, const int64_t *bytes) {
    return {CAUCUS_EVENT_CALL, 0, number, bytes, bytes ? int64_t{sizeof *bytes} : 0};
}

bool ChannelStep::hears(int64_t number, const int64_t *bytes) {
    caucus_event event = event_of(number, bytes);
    return protocol.hears(inner, state, &event);
}

void ChannelStep::step(const caucus_event &event) {
    protocol.step(inner, state, &event, &actions);
}

void ChannelStep::keep_cast() {
    std::copy(account.got, account.got + MOST_MEMBERS, account.known[account.casts++]);
}

void ChannelStep::expect(bool right, int line) {
    if (!right && !account.wrong)
        account.wrong = line;
}

std::string ChannelAccounts::first_wrong(const char *source) const {
    for (size_t me = 0; me < view.size(); me++)
        if (int64_t line = (*this)[me].wrong)
            return "member " + std::to_string(me) + ": " + source + ", line " +
                   std::to_string(line);
    return "";
}

bool ChannelAccounts::are_causal() const {
    for (size_t me = 0; me < view.size(); me++)
        for (size_t origin = 0; view.alive(me) && origin < view.size(); origin++) {
            const ChannelAccount &user = (*this)[me], &other = (*this)[origin];
            for (int64_t i = 0; i < user.got[origin]; i++)
                for (size_t x = 0; x < view.size(); x++)
                    if (x != me && x != origin && user.got[x] < other.known[i][x])
                        return false;
        }
    return true;
}

bool ChannelAccounts::are_total() const {
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

bool ChannelAccounts::are_answers_true() const {
    for (size_t origin = 0; origin < view.size(); origin++)
        for (size_t me = 0; me < view.size(); me++)
            if (me != origin && view.alive(me) &&
                (*this)[me].got[origin] < (*this)[origin].known_to_all)
                return false;
    return true;
}

} // namespace test
