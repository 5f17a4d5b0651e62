// SPDX-License-Identifier: BSD-3-Clause
#include "alive_case.hpp"

#include <cstring>
#include <memory>

namespace test {

namespace {

struct Seen {
    const ProtocolOutput *outcome = nullptr;
    int outcomes = 0, released = 0;
};

Seen seen_by(const ProtocolView &view, size_t member) {
    Seen seen;
    for (const ProtocolOutput &output : view.outputs(member)) {
        if (output.number == CAUCUS_ALIVE_RELEASED) {
            seen.released++;
        } else {
            seen.outcome = &output;
            seen.outcomes++;
        }
    }
    return seen;
}

std::string always(const ProtocolView &view, int32_t members) {
    const ProtocolOutput *success = nullptr;
    bool error = false;
    for (size_t i = 0; i < view.size(); i++) {
        Seen seen = seen_by(view, i);
        if (seen.outcomes > 1)
            return "two outcomes on one member";
        if (seen.released > 1 || (seen.released > 0 && !seen.outcome))
            return "released before the outcome, or twice";
        if (!seen.outcome || seen.outcome->number == CAUCUS_ALIVE_IN_DOUBT)
            continue;
        if (seen.outcome->number != CAUCUS_ALIVE_SUCCESS) {
            error = error || view.alive(i);
            continue;
        }
        if (success && success->bytes != seen.outcome->bytes)
            return "two groups";
        success = seen.outcome;
    }
    if (success && error)
        return "a success, and an error of one who lives";
    if (success) {
        caucus_alive_outcome outcome;
        uint64_t left_out[1];
        if (!caucus_alive_outcome_read(success->bytes.data(),
                                       static_cast<int64_t>(success->bytes.size()), members,
                                       &outcome, left_out))
            return "an outcome that can't be read";
        for (size_t i = 0; i < view.size(); i++)
            if ((left_out[0] >> i & 1) != 0 && view.alive(i))
                return "a living member is left out";
    }
    return "";
}

std::string at_end(const ProtocolView &view, bool released) {
    for (size_t i = 0; i < view.size(); i++) {
        Seen seen = seen_by(view, i);
        if (view.alive(i) && view.calls(i) > 0 && seen.outcomes != 1)
            return "member " + std::to_string(i) + " waits for ever";
        if (released && view.alive(i) && seen.released != 1)
            return "member " + std::to_string(i) + " serves for ever";
    }
    return "";
}

} // namespace

ProtocolModel AliveCase::model(const caucus_protocol *protocol) const {
    ProtocolModel model;
    model.protocol = protocol;
    auto kept = std::make_shared<caucus_alive_setup>(setup); // as long as the model
    model.setups.assign(static_cast<size_t>(setup.members), kept.get());
    model.selective = true;
    for (int32_t i = 0; i < setup.members; i++) {
        caucus_alive_name name{static_cast<uint64_t>(100 + i), 7};
        std::string bytes(sizeof name, '\0');
        std::memcpy(bytes.data(), &name, sizeof name);
        model.calls.emplace_back();
        if ((never_call >> i & 1) == 0)
            model.calls.back().push_back({CAUCUS_ALIVE_BEGIN, bytes});
        if ((objects >> i & 1) != 0)
            model.calls.back().push_back({CAUCUS_ALIVE_OBJECT, ""});
    }
    model.detection = setup.detects;
    model.timers = setup.timeout > 0 ? ProtocolModel::ANYWHERE : ProtocolModel::NEVER;
    model.always = [kept](const auto &view) { return always(view, kept->members); };
    // Without detection nobody learns that a dead member needs no service any more.
    bool released = setup.detects && never_call == 0;
    model.at_end = [released](const auto &view) { return at_end(view, released); };
    return model;
}

} // namespace test
