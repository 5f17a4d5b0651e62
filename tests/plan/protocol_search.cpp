// SPDX-License-Identifier: BSD-3-Clause
#include "protocol_search.hpp"

#include <algorithm>
#include <random>
#include <unordered_set>

namespace test {

namespace {

// 64-bit hashes that were seen: open addressing, for a node each would take five times the memory.
class Seen {
  public:
    bool add(uint64_t hash) { // whether it is new
        hash += hash == 0;
        if (10 * (count + 1) > 7 * slots.size())
            grow();
        uint64_t &slot = slots[find(hash)];
        bool fresh = slot == 0;
        slot = hash;
        count += fresh;
        return fresh;
    }

  private:
    size_t find(uint64_t hash) const {
        size_t at = hash & (slots.size() - 1);
        while (slots[at] != 0 && slots[at] != hash)
            at = (at + 1) & (slots.size() - 1);
        return at;
    }
    void grow() {
        std::vector<uint64_t> old(2 * slots.size(), 0);
        old.swap(slots);
        for (uint64_t hash : old)
            if (hash != 0)
                slots[find(hash)] = hash;
    }
    std::vector<uint64_t> slots = std::vector<uint64_t>(1024, 0);
    size_t count = 0;
};

const char *const ENDLESS = "it can go round for ever";

class Search {
  public:
    explicit Search(const ProtocolModel &model) : worlds(model) {}

    ProtocolResult all(int64_t most_states) {
        enter(worlds.first());
        while (!stack.empty() && trouble.empty()) {
            Frame &top = stack.back();
            if (top.next == top.moves.size()) {
                on_stack.erase(top.hash);
                stack.pop_back();
                continue;
            }
            result.moves++;
            ProtocolWorld next = worlds.after(top.world, top.moves[top.next++]);
            uint64_t hash = next.hash();
            if (on_stack.count(hash) != 0)
                trouble = ENDLESS;
            else if (seen.add(hash)) {
                if (result.states >= most_states)
                    return result;
                enter(std::move(next));
            }
        }
        if (trouble.empty()) {
            result.complete = true;
        } else {
            std::vector<ProtocolMove> run;
            for (const Frame &frame : stack)
                if (frame.next > 0)
                    run.push_back(frame.moves[frame.next - 1]);
            report(run);
        }
        return result;
    }

    // False once something is wrong.
    bool walk(uint64_t seed, int64_t most_moves) {
        std::mt19937_64 random(seed);
        const uint64_t rarity[] = {2, 8, 32, 128};
        uint64_t one_in = rarity[random() % 4];
        ProtocolWorld world = worlds.first();
        std::vector<ProtocolMove> run, must, may;
        for (;; result.states++) {
            worlds.moves(world, must, may);
            trouble = judge(world, must.empty());
            bool stops = must.empty() && (may.empty() || random() % 2 == 0);
            result.ends += must.empty();
            result.longest = std::max(result.longest, static_cast<int64_t>(run.size()));
            if (static_cast<int64_t>(run.size()) > most_moves)
                trouble = "more moves than allowed";
            if (!trouble.empty()) {
                report(run);
                return false;
            }
            if (stops)
                return true;
            bool extra = must.empty() || (!may.empty() && random() % one_in == 0);
            const auto &list = extra ? may : must;
            run.push_back(list[random() % list.size()]);
            world = worlds.after(world, run.back());
            result.moves++;
        }
    }

    ProtocolResult result;

  private:
    struct Frame {
        ProtocolWorld world;
        uint64_t hash;
        std::vector<ProtocolMove> moves;
        size_t next;
    };

    std::string judge(const ProtocolWorld &world, bool at_end) {
        ProtocolView view(worlds, world);
        std::string text = worlds.model.always ? worlds.model.always(view) : "";
        if (text.empty() && at_end && worlds.model.at_end)
            text = worlds.model.at_end(view);
        return text;
    }

    void enter(ProtocolWorld world) {
        Frame frame{std::move(world), 0, {}, 0};
        frame.hash = frame.world.hash();
        seen.add(frame.hash);
        on_stack.insert(frame.hash);
        std::vector<ProtocolMove> may;
        worlds.moves(frame.world, frame.moves, may);
        trouble = judge(frame.world, frame.moves.empty());
        result.states++;
        result.ends += frame.moves.empty();
        frame.moves.insert(frame.moves.end(), may.begin(), may.end());
        stack.push_back(std::move(frame));
        result.longest = std::max(result.longest, static_cast<int64_t>(stack.size()) - 1);
    }

    // What is wrong after this run, "" if nothing or if it is no run.
    std::string outcome(const std::vector<ProtocolMove> &run, std::string *words) {
        ProtocolWorld world = worlds.first();
        std::vector<ProtocolMove> must, may;
        std::unordered_set<uint64_t> passed;
        for (size_t i = 0; i < run.size(); i++) {
            passed.insert(world.hash());
            worlds.moves(world, must, may);
            if (std::find(must.begin(), must.end(), run[i]) == must.end() &&
                std::find(may.begin(), may.end(), run[i]) == may.end())
                return "";
            std::string line;
            world = worlds.after(world, run[i], words ? &line : nullptr);
            if (words)
                *words += "  " + std::to_string(i + 1) + ". " + line + "\n";
        }
        if (passed.count(world.hash()) != 0)
            return ENDLESS;
        worlds.moves(world, must, may);
        return judge(world, must.empty());
    }

    // Leaves out what need not be there, and tells the rest.
    void report(std::vector<ProtocolMove> run) {
        std::string first = outcome(run, nullptr); // an end that walks take for too many moves
        trouble = first.empty() ? trouble : first;
        bool shorter = true;
        for (int round = 0; shorter && round < 20 && run.size() < 2000; round++) {
            shorter = false;
            for (size_t i = run.size(); i-- > 0;) {
                std::vector<ProtocolMove> less = run;
                less.erase(less.begin() + static_cast<std::ptrdiff_t>(i));
                std::string text = outcome(less, nullptr);
                if (text.empty() || (text == ENDLESS) != (trouble == ENDLESS))
                    continue;
                run = std::move(less);
                shorter = true;
            }
        }
        std::string words, text = outcome(run, &words);
        result.wrong = (text.empty() ? trouble : text) + ":\n" + words;
    }

    ProtocolWorlds worlds;
    Seen seen;
    std::unordered_set<uint64_t> on_stack;
    std::vector<Frame> stack;
    std::string trouble;
};

} // namespace

ProtocolResult search_protocol(const ProtocolModel &model, int64_t most_states) {
    return Search(model).all(most_states);
}

ProtocolResult walk_protocol(const ProtocolModel &model, uint64_t first, int64_t count,
                             int64_t most_moves) {
    Search search(model);
    bool good = true;
    for (int64_t i = 0; good && i < count; i++)
        good = search.walk(first + static_cast<uint64_t>(i), most_moves);
    search.result.complete = good;
    return search.result;
}

} // namespace test
