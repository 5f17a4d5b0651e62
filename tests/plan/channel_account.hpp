// SPDX-License-Identifier: BSD-3-Clause
// What users of channels keep account of, in searches, and what must be true of all together. The
// account lies behind the state of the protocol that is searched.
#pragma once

extern "C" {
#include "plan/protocol/channel.h"
}
#include "protocol_search.hpp"

namespace test {

enum { MOST_MEMBERS = 4, MOST_CASTS = 5 };

struct ChannelAccount {
    int64_t got[MOST_MEMBERS];               // whole messages of each
    int64_t bytes[MOST_MEMBERS];             // of the next one, in pieces
    int64_t known[MOST_CASTS][MOST_MEMBERS]; // what he had got when he cast
    int64_t casts, answered;                 // answered: own questions and flushes
    int64_t asked, known_to_all;             // casts that all must have got then, and by now
    int64_t quiescing, closed, quiet, wrong; // wrong: a line of the source
};

// A member, with its user, during one step of a search.
class ChannelStep {
  protected:
    ChannelStep(const caucus_protocol &stepped, const void *setup, void *whole, caucus_actions *to);
    ~ChannelStep();
    ChannelStep(const ChannelStep &) = delete;
    ChannelStep &operator=(const ChannelStep &) = delete;

    bool hears(int64_t number, const int64_t *bytes = nullptr);
    // A step of the protocol, which fills actions.
    void step(const caucus_event &event);
    static caucus_event event_of(int64_t number, const int64_t *bytes);
    void keep_cast(); // one is made
    void expect(bool right, int line);

    caucus_actions *out;
    caucus_actions actions{};

  private:
    const caucus_protocol &protocol;
    const void *inner;
    void *state;
    ChannelAccount &account;
};

// Of all members: those that live count.
class ChannelAccounts {
  public:
    ChannelAccounts(const ProtocolView &seen, int64_t state_bytes)
        : view(seen), offset(state_bytes) {}
    const ChannelAccount &operator[](size_t member) const {
        return *reinterpret_cast<const ChannelAccount *>(view.state<char>(member) + offset);
    }
    // "" or who has found something wrong at which line.
    std::string first_wrong(const char *source) const;
    // Nobody has got a message before what its origin had got when casting it.
    bool are_causal() const;
    // One order of what was given to users is the beginning of the other.
    bool are_total() const;
    // What somebody was told to have come to all has come to all.
    bool are_answers_true() const;

  private:
    const ProtocolView &view;
    int64_t offset;
};

} // namespace test
