// SPDX-License-Identifier: BSD-3-Clause
// Members that create a group, each with a list of its own, for the search of protocols.
#pragma once

extern "C" {
#include "plan/protocol/creation.h"
}
#include "protocol_search.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace test {

using List = std::vector<int32_t>;

struct Lists {
    std::vector<List> of; // each member's own, with itself in it
    std::vector<caucus_creation_setup> setups;

    // joins: only the first member knows the others
    Lists(std::vector<List> given, bool checked, int64_t patience, int64_t timeout,
          bool flat = false, bool joins = false)
        : of(std::move(given)) {
        for (size_t i = 0; i < of.size(); i++) {
            uint64_t hash = 1;
            for (int32_t rank : of[i])
                hash = 10 * hash + static_cast<uint64_t>(rank);
            auto me = std::find(of[i].begin(), of[i].end(), static_cast<int32_t>(i));
            setups.push_back({static_cast<int32_t>(of[i].size()), of[i].data(),
                              static_cast<int32_t>(me - of[i].begin()), checked, flat,
                              joins ? 1 : hash, patience, timeout, 0, 0, false, nullptr, nullptr});
        }
    }
    bool has(size_t member, size_t other) const {
        return std::count(of[member].begin(), of[member].end(), static_cast<int32_t>(other)) > 0;
    }
    // All that can be reached from list to list are in each other's.
    bool mutual() const {
        for (size_t i = 0; i < of.size(); i++)
            for (size_t k = 0; k < of.size(); k++)
                if (has(i, k) != has(k, i))
                    return false;
        return true;
    }
};

inline std::string agreed(const ProtocolView &view, const Lists &lists) {
    for (size_t i = 0; i < view.size(); i++) {
        if (view.outputs(i).size() > 1)
            return "two outcomes";
        if (view.outputs(i).empty() || view.outputs(i)[0].number != CAUCUS_CREATION_DONE)
            continue;
        for (int32_t other : lists.of[i]) {
            auto k = static_cast<size_t>(other);
            if (lists.of[k] != lists.of[i])
                return "a group of members with different lists";
            if (view.outputs(k).empty())
                continue;
            if (view.outputs(k)[0].number != CAUCUS_CREATION_DONE)
                return "a success beside an error";
            if (view.outputs(k)[0].bytes != view.outputs(i)[0].bytes)
                return "two numbers";
        }
    }
    return "";
}

inline ProtocolModel model_of(const std::shared_ptr<Lists> &lists,
                              const caucus_protocol *protocol) {
    ProtocolModel model;
    model.protocol = protocol;
    model.selective = true;
    for (size_t i = 0; i < lists->of.size(); i++) {
        uint64_t number = 70 + i;
        std::string bytes(sizeof number, '\0');
        std::memcpy(bytes.data(), &number, sizeof number);
        model.setups.push_back(&lists->setups[i]);
        model.calls.push_back({{0, bytes}});
    }
    bool timed = lists->setups[0].patience > 0 || lists->setups[0].timeout > 0;
    model.timers = timed ? ProtocolModel::ANYWHERE : ProtocolModel::NEVER;
    model.at_end = [lists](const ProtocolView &view) {
        bool ends = lists->setups[0].timeout > 0 || lists->mutual();
        for (size_t i = 0; ends && i < view.size(); i++)
            if (view.alive(i) && view.outputs(i).empty())
                return "member " + std::to_string(i) + " waits for ever";
        return std::string();
    };
    return model;
}

} // namespace test
