// SPDX-License-Identifier: BSD-3-Clause
// Members of a protocol, what is on its way between them, and every move that could come next.
//
// A member's state, a message and what a member has given to its user are kept once each, under a
// number; a world is a few of these numbers, and a step of a member that was made before is looked
// up. Members are at most 64.
#pragma once

extern "C" {
#include "plan/protocol/protocol.h"
}

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

namespace test {

struct ProtocolCall {
    int64_t number = 0;
    std::string bytes;
};

// What a member gave to its user: a delivery from peer, or a decision.
struct ProtocolOutput {
    bool decision;
    int32_t peer;
    int64_t number;
    std::string bytes;
};

class ProtocolView;

// What may happen. Everything that may happen at all may happen at any moment.
struct ProtocolModel {
    const caucus_protocol *protocol = nullptr;
    std::vector<const void *> setups;             // one of each member
    std::vector<std::vector<ProtocolCall>> calls; // of each member, in this order
    int crashes = 0;         // at most; a dead member's last messages on any way may be lost
    uint64_t immortal = 0;   // bit i: member i does not crash
    bool detection = true;   // each living member is told of each death, sooner or later
    int losses = 0;          // messages of the living, at most
    int duplicates = 0;      // messages that come twice, at most
    bool ordered = true;     // messages of one member to another keep their order
    bool selective = false;  // messages and deaths wait until they are heard (protocol.h, hears)
    bool sorted_log = false; // what users got counts without its order, which spares states
    enum { NEVER, LAST, ANYWHERE } timers = NEVER;           // LAST: when nothing else can happen
    uint32_t which_timers = ~uint32_t{0};                    // bit i: timer i does run out
    std::function<std::string(const ProtocolView &)> always; // "" or what is wrong
    std::function<std::string(const ProtocolView &)> at_end; // the same, where nothing must happen
};

struct ProtocolWorld {
    struct Member {
        uint32_t state, log, timers;
        uint16_t calls; // made
        bool alive;
        uint64_t told; // of whose deaths
    };
    struct Flight {
        uint16_t from, to;
        uint32_t message;
    };
    std::vector<Member> members;
    std::vector<Flight> flights; // in the order of ways, on each in the order they were sent
    uint8_t crashes = 0, losses = 0, duplicates = 0;
    uint64_t hash() const;
};

struct ProtocolMove {
    enum Kind : uint8_t { CALL, MESSAGE, TIMER, DEATH, CRASH, LOSS, DUPLICATE } kind;
    uint16_t member, peer; // who, and from whom
    uint32_t number;       // the timer, or the message where order does not matter
    bool operator==(const ProtocolMove &other) const {
        return kind == other.kind && member == other.member && peer == other.peer &&
               number == other.number;
    }
};

class ProtocolWorlds {
  public:
    explicit ProtocolWorlds(const ProtocolModel &given);
    ~ProtocolWorlds();
    ProtocolWorlds(const ProtocolWorlds &) = delete;
    ProtocolWorlds &operator=(const ProtocolWorlds &) = delete;

    ProtocolWorld first();
    // What must happen sooner or later, and what may happen besides.
    void moves(const ProtocolWorld &world, std::vector<ProtocolMove> &must,
               std::vector<ProtocolMove> &may);
    // In words, if words is given.
    ProtocolWorld after(const ProtocolWorld &world, const ProtocolMove &move,
                        std::string *words = nullptr);

    const ProtocolModel model;

  private:
    friend class ProtocolView;
    struct Pool {
        std::unordered_map<std::string, uint32_t> number;
        std::vector<const std::string *> text;
        uint32_t of(const std::string &wanted);
    };
    struct Step {
        uint32_t state, timers_set, timers_gone;
        std::vector<ProtocolWorld::Flight> sends;
        std::vector<ProtocolOutput> outputs;
    };
    struct Key {
        uint64_t a, b;
        bool operator==(const Key &other) const {
            return a == other.a && b == other.b;
        }
    };
    struct KeyHash {
        size_t operator()(const Key &key) const;
    };

    bool hears(const ProtocolWorld &world, size_t member, caucus_event_kind kind, size_t peer);
    caucus_event event_of(const ProtocolWorld &world, const ProtocolMove &move, uint32_t message);
    const Step &step(const ProtocolWorld &world, const ProtocolMove &move, uint32_t message);
    uint32_t longer(uint32_t log, const std::vector<ProtocolOutput> &outputs);
    void message_moves(const ProtocolWorld &world, std::vector<ProtocolMove> &must,
                       std::vector<ProtocolMove> &may);
    void carry_out(ProtocolWorld &world, size_t member, const Step &made);
    std::string describe(const ProtocolMove &move, const std::string *message, const Step *made);
    std::string message_text(const std::string &message) const;

    Pool states, messages, logs;
    std::vector<std::vector<ProtocolOutput>> log_contents;
    std::unordered_map<Key, Step, KeyHash> steps;
    caucus_actions actions{};
};

// A world as the conditions see it.
class ProtocolView {
  public:
    ProtocolView(const ProtocolWorlds &of, const ProtocolWorld &seen) : worlds(of), world(seen) {}
    size_t size() const {
        return world.members.size();
    }
    bool alive(size_t member) const {
        return world.members[member].alive;
    }
    int crashes() const {
        return world.crashes;
    }
    size_t calls(size_t member) const { // made so far
        return world.members[member].calls;
    }
    template <class State> const State *state(size_t member) const {
        return reinterpret_cast<const State *>(
            worlds.states.text[world.members[member].state]->data());
    }
    const std::vector<ProtocolOutput> &outputs(size_t member) const {
        return worlds.log_contents[world.members[member].log];
    }
    size_t flights() const {
        return world.flights.size();
    }

  private:
    const ProtocolWorlds &worlds;
    const ProtocolWorld &world;
};

} // namespace test
