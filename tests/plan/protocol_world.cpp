// SPDX-License-Identifier: BSD-3-Clause
#include "protocol_world.hpp"

#include <algorithm>
#include <stdexcept>

namespace test {

namespace {

uint64_t mixed(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    hash = (hash ^ (hash >> 32)) * 0xD6E8FEB86659FD93u;
    return hash ^ (hash >> 29);
}

uint64_t way(const ProtocolWorld::Flight &flight) {
    return uint64_t{flight.from} << 16 | flight.to;
}

std::string serial(const ProtocolOutput &output) {
    return std::to_string(output.decision) + ' ' + std::to_string(output.peer) + ' ' +
           std::to_string(output.number) + ' ' + std::to_string(output.bytes.size()) + ' ' +
           output.bytes;
}

} // namespace

uint64_t ProtocolWorld::hash() const {
    uint64_t hash = 0x243F6A8885A308D3u ^ members.size();
    hash = mixed(hash, uint64_t{crashes} << 16 | uint64_t{losses} << 8 | duplicates);
    for (const Member &member : members) {
        hash = mixed(hash, uint64_t{member.state} << 32 | member.log);
        hash = mixed(hash, uint64_t{member.timers} << 32 | uint64_t{member.calls} << 1 |
                               static_cast<uint64_t>(member.alive));
        hash = mixed(hash, member.told);
    }
    for (const Flight &flight : flights)
        hash = mixed(hash, way(flight) << 32 | flight.message);
    return hash;
}

uint32_t ProtocolWorlds::Pool::of(const std::string &wanted) {
    auto [place, fresh] = number.emplace(wanted, static_cast<uint32_t>(text.size()));
    if (fresh)
        text.push_back(&place->first);
    return place->second;
}

size_t ProtocolWorlds::KeyHash::operator()(const Key &key) const {
    return mixed(mixed(1, key.a), key.b);
}

ProtocolWorlds::ProtocolWorlds(const ProtocolModel &given) : model(given) {
    logs.of("");
    log_contents.emplace_back();
}

ProtocolWorlds::~ProtocolWorlds() {
    caucus_actions_free(&actions);
}

ProtocolWorld ProtocolWorlds::first() {
    ProtocolWorld world;
    for (size_t i = 0; i < model.setups.size(); i++) {
        const void *setup = model.setups[i];
        std::string state(static_cast<size_t>(model.protocol->state_bytes(setup)), '\0');
        model.protocol->begin(setup, static_cast<int32_t>(i), state.data());
        world.members.push_back({states.of(state), 0, 0, 0, true, 0});
    }
    return world;
}

bool ProtocolWorlds::hears(const ProtocolWorld &world, size_t member, caucus_event_kind kind,
                           size_t peer) {
    if (!model.protocol->hears || (!model.selective && kind != CAUCUS_EVENT_CALL))
        return true;
    caucus_event event{kind, static_cast<int32_t>(peer), 0, nullptr, 0};
    if (kind == CAUCUS_EVENT_CALL)
        event = event_of(world, {ProtocolMove::CALL, static_cast<uint16_t>(member), 0, 0}, 0);
    return model.protocol->hears(model.setups[member],
                                 states.text[world.members[member].state]->data(), &event);
}

void ProtocolWorlds::message_moves(const ProtocolWorld &world, std::vector<ProtocolMove> &must,
                                   std::vector<ProtocolMove> &may) {
    for (size_t i = 0; i < world.flights.size(); i++) {
        const auto &flight = world.flights[i];
        bool is_first = i == 0 || way(world.flights[i - 1]) != way(flight);
        bool is_last = i + 1 == world.flights.size() || way(world.flights[i + 1]) != way(flight);
        bool lives = world.members[flight.from].alive;
        ProtocolMove move{ProtocolMove::MESSAGE, flight.to, flight.from,
                          model.ordered ? 0 : flight.message};
        bool may_go =
            model.ordered ? is_first : std::find(must.begin(), must.end(), move) == must.end();
        if (may_go) {
            if (hears(world, flight.to, CAUCUS_EVENT_MESSAGE, flight.from))
                must.push_back(move);
            if (lives && world.losses < model.losses)
                may.push_back({ProtocolMove::LOSS, flight.to, flight.from, move.number});
            if (world.duplicates < model.duplicates)
                may.push_back({ProtocolMove::DUPLICATE, flight.to, flight.from, move.number});
        }
        if (!lives && (is_last || !model.ordered))
            may.push_back({ProtocolMove::LOSS, flight.to, flight.from, move.number});
    }
}

void ProtocolWorlds::moves(const ProtocolWorld &world, std::vector<ProtocolMove> &must,
                           std::vector<ProtocolMove> &may) {
    must.clear();
    may.clear();
    message_moves(world, must, may);
    for (size_t i = 0; i < world.members.size(); i++) {
        const auto &member = world.members[i];
        auto who = static_cast<uint16_t>(i);
        if (!member.alive)
            continue;
        if (i < model.calls.size() && member.calls < model.calls[i].size() &&
            hears(world, i, CAUCUS_EVENT_CALL, 0))
            must.push_back({ProtocolMove::CALL, who, 0, 0});
        for (size_t dead = 0; model.detection && dead < world.members.size(); dead++)
            if (!world.members[dead].alive && !(member.told >> dead & 1) &&
                hears(world, i, CAUCUS_EVENT_DEATH, dead))
                must.push_back({ProtocolMove::DEATH, who, static_cast<uint16_t>(dead), 0});
        if (world.crashes < model.crashes && !(model.immortal >> i & 1))
            may.push_back({ProtocolMove::CRASH, who, 0, 0});
    }
    if (model.timers == ProtocolModel::NEVER ||
        (model.timers == ProtocolModel::LAST && !must.empty()))
        return;
    for (size_t i = 0; i < world.members.size(); i++)
        for (uint32_t timer = 0; timer < 32 && world.members[i].alive; timer++)
            if (world.members[i].timers >> timer & 1)
                must.push_back({ProtocolMove::TIMER, static_cast<uint16_t>(i), 0, timer});
}

caucus_event ProtocolWorlds::event_of(const ProtocolWorld &world, const ProtocolMove &move,
                                      uint32_t message) {
    static const caucus_event_kind kinds[] = {CAUCUS_EVENT_CALL, CAUCUS_EVENT_MESSAGE,
                                              CAUCUS_EVENT_TIMER, CAUCUS_EVENT_DEATH};
    caucus_event event{kinds[move.kind], move.peer, move.number, nullptr, 0};
    const std::string *bytes = nullptr;
    if (move.kind == ProtocolMove::CALL) {
        const ProtocolCall &call = model.calls[move.member][world.members[move.member].calls];
        event.number = call.number;
        bytes = &call.bytes;
    } else if (move.kind == ProtocolMove::MESSAGE) {
        event.number = 0;
        bytes = messages.text[message];
    }
    if (bytes) {
        event.bytes = bytes->data();
        event.length = static_cast<int64_t>(bytes->size());
    }
    return event;
}

const ProtocolWorlds::Step &ProtocolWorlds::step(const ProtocolWorld &world,
                                                 const ProtocolMove &move, uint32_t message) {
    const auto &member = world.members[move.member];
    uint64_t what = move.kind == ProtocolMove::CALL      ? member.calls
                    : move.kind == ProtocolMove::MESSAGE ? message
                                                         : move.number;
    Key key{uint64_t{member.state} << 32 | what,
            uint64_t{move.member} << 32 | uint64_t{move.peer} << 8 | move.kind};
    auto known = steps.find(key);
    if (known != steps.end())
        return known->second;
    std::string state = *states.text[member.state];
    caucus_event event = event_of(world, move, message);
    caucus_actions_clear(&actions);
    model.protocol->step(model.setups[move.member], state.data(), &event, &actions);
    if (actions.status)
        throw std::runtime_error("a protocol's step fails");
    Step made{states.of(state), 0, 0, {}, {}};
    for (int64_t i = 0; i < actions.count; i++) {
        const caucus_action &action = actions.action[i];
        std::string bytes(static_cast<const char *>(caucus_action_bytes(&actions, i)),
                          static_cast<size_t>(action.length));
        uint32_t timer = uint32_t{1} << (action.number & 31);
        if (action.kind == CAUCUS_ACTION_SEND) {
            made.sends.push_back(
                {move.member, static_cast<uint16_t>(action.peer), messages.of(bytes)});
        } else if (action.kind == CAUCUS_ACTION_TIMER) {
            (action.after < 0 ? made.timers_gone : made.timers_set) |= timer;
            (action.after < 0 ? made.timers_set : made.timers_gone) &= ~timer;
        } else {
            made.outputs.push_back({action.kind == CAUCUS_ACTION_DECIDE, action.peer, action.number,
                                    std::move(bytes)});
        }
    }
    return steps.emplace(key, std::move(made)).first->second;
}

uint32_t ProtocolWorlds::longer(uint32_t log, const std::vector<ProtocolOutput> &outputs) {
    std::vector<ProtocolOutput> contents = log_contents[log];
    contents.insert(contents.end(), outputs.begin(), outputs.end());
    if (model.sorted_log)
        std::sort(contents.begin(), contents.end(),
                  [](const auto &a, const auto &b) { return serial(a) < serial(b); });
    std::string text;
    for (const ProtocolOutput &output : contents)
        text += serial(output);
    uint32_t number = logs.of(text);
    if (number == log_contents.size())
        log_contents.push_back(std::move(contents));
    return number;
}

void ProtocolWorlds::carry_out(ProtocolWorld &world, size_t member, const Step &made) {
    auto &own = world.members[member];
    own.state = made.state;
    own.timers = (own.timers & ~made.timers_gone) | made.timers_set;
    if (!made.outputs.empty())
        own.log = longer(own.log, made.outputs);
    for (const auto &flight : made.sends) {
        if (flight.to >= world.members.size())
            throw std::runtime_error("a message to nobody");
        auto place = std::upper_bound(world.flights.begin(), world.flights.end(), flight,
                                      [](const auto &a, const auto &b) { return way(a) < way(b); });
        if (!model.ordered) // then any order is the same world
            while (place != world.flights.begin() && way(place[-1]) == way(flight) &&
                   place[-1].message > flight.message)
                --place;
        if (world.members[flight.to].alive)
            world.flights.insert(place, flight);
    }
}

ProtocolWorld ProtocolWorlds::after(const ProtocolWorld &world, const ProtocolMove &move,
                                    std::string *words) {
    ProtocolWorld next = world;
    auto &member = next.members[move.member];
    const Step *made = nullptr;
    const std::string *message = nullptr;
    auto flight = next.flights.end();
    if (move.kind == ProtocolMove::MESSAGE || move.kind == ProtocolMove::LOSS ||
        move.kind == ProtocolMove::DUPLICATE) {
        auto is_it = [&](const auto &f) {
            return f.to == move.member && f.from == move.peer &&
                   (model.ordered || f.message == move.number);
        };
        flight = std::find_if(next.flights.begin(), next.flights.end(), is_it);
        if (move.kind == ProtocolMove::LOSS && !world.members[move.peer].alive && model.ordered)
            while (flight + 1 != next.flights.end() && is_it(flight[1]))
                ++flight;
        message = messages.text[flight->message];
    }
    if (move.kind == ProtocolMove::DUPLICATE) {
        next.duplicates++;
        next.flights.insert(flight, ProtocolWorld::Flight(*flight));
    } else if (move.kind == ProtocolMove::LOSS) {
        next.losses = static_cast<uint8_t>(next.losses + world.members[move.peer].alive);
        next.flights.erase(flight);
    } else if (move.kind == ProtocolMove::CRASH) {
        next.crashes++;
        member.alive = false;
        member.timers = 0;
        auto gone = std::remove_if(next.flights.begin(), next.flights.end(),
                                   [&](const auto &f) { return f.to == move.member; });
        next.flights.erase(gone, next.flights.end());
    } else {
        made = &step(world, move, message ? flight->message : 0);
        if (message)
            next.flights.erase(flight);
        member.calls = static_cast<uint16_t>(member.calls + (move.kind == ProtocolMove::CALL));
        if (move.kind == ProtocolMove::DEATH)
            member.told |= uint64_t{1} << move.peer;
        if (move.kind == ProtocolMove::TIMER)
            member.timers &= ~(uint32_t{1} << move.number);
        carry_out(next, move.member, *made);
    }
    if (words)
        *words = describe(move, message, made);
    return next;
}

std::string ProtocolWorlds::message_text(const std::string &message) const {
    if (model.protocol->describe) {
        char text[200] = "";
        model.protocol->describe(message.data(), static_cast<int64_t>(message.size()), text,
                                 sizeof text);
        return text;
    }
    std::string text;
    for (char byte : message)
        text += (text.empty() ? "" : " ") + std::to_string(static_cast<unsigned char>(byte));
    return text;
}

std::string ProtocolWorlds::describe(const ProtocolMove &move, const std::string *message,
                                     const Step *made) {
    std::string who = std::to_string(move.member), peer = std::to_string(move.peer);
    std::string text;
    switch (move.kind) {
    case ProtocolMove::CALL:
        text = who + " calls";
        break;
    case ProtocolMove::MESSAGE:
        text = who + " gets from " + peer + ": " + message_text(*message);
        break;
    case ProtocolMove::TIMER:
        text = who + "'s timer " + std::to_string(move.number) + " runs out";
        break;
    case ProtocolMove::DEATH:
        text = who + " is told that " + peer + " is dead";
        break;
    case ProtocolMove::CRASH:
        text = who + " dies";
        break;
    case ProtocolMove::LOSS:
        text = "lost, from " + peer + " to " + who + ": " + message_text(*message);
        break;
    case ProtocolMove::DUPLICATE:
        text = "doubled, from " + peer + " to " + who + ": " + message_text(*message);
        break;
    }
    if (!made)
        return text;
    for (const auto &flight : made->sends)
        text += "\n      to " + std::to_string(flight.to) + ": " +
                message_text(*messages.text[flight.message]);
    for (const ProtocolOutput &output : made->outputs)
        text += output.decision ? "\n      decides " + std::to_string(output.number)
                                : "\n      delivers, from " + std::to_string(output.peer) + ": " +
                                      message_text(output.bytes);
    return text;
}

} // namespace test
