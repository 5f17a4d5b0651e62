// SPDX-License-Identifier: BSD-3-Clause
#include "redistribute_case.hpp"

extern "C" {
#include "base/status.h"
}
#include "concrete_run.hpp"

#include <algorithm>
#include <stdexcept>

namespace test {

namespace {
void must(int status) {
    if (status)
        throw std::runtime_error(caucus_error_text());
}

// The positions of a side's packed elements.
std::vector<int64_t> positions_of(const caucus_index_side &side) {
    std::vector<int64_t> positions;
    for (int64_t i = 0; i < side.parts; i++)
        for (int64_t k = 0; k < side.part[i].count; k++)
            positions.push_back(side.part[i].position + k);
    return positions;
}

// All elements in the order of messages.
int64_t elements_of(const caucus_index_side &side) {
    return side.begin[side.peers] + 2 * side.repeated;
}

// The index at every position of a user's list.
std::vector<int64_t> indices_of(const Ranges &ranges) {
    std::vector<int64_t> indices;
    for (const caucus_index_range &range : ranges)
        for (int64_t i = 0; i < range.count; i++)
            indices.push_back(range.first + i);
    return indices;
}
} // namespace

RedistributeCase::RedistributeCase(int32_t first, std::vector<Ranges> has_given,
                                   std::vector<Ranges> wants_given)
    : ranks(static_cast<int32_t>(has_given.size())), first_group(first), has(std::move(has_given)),
      wants(std::move(wants_given)) {
    rank.resize(has.size());
    relay.resize(has.size());
    schedules.resize(has.size());
    has_list.resize(has.size());
    wants_list.resize(has.size());
    repeats.resize(has.size());
    place.resize(has.size());
    for (size_t r = 0; r < has.size(); r++) {
        must(caucus_index_list_create(&has_list[r], "have", static_cast<int64_t>(has[r].size()),
                                      has[r].data(), nullptr));
        must(caucus_index_list_create(&wants_list[r], "want", static_cast<int64_t>(wants[r].size()),
                                      wants[r].data(), &repeats[r]));
        std::vector<int64_t> indices = indices_of(has[r]);
        for (size_t i = 0; i < indices.size(); i++)
            place[r][indices[i]] = static_cast<int64_t>(i);
    }
}

RedistributeCase::~RedistributeCase() {
    for (size_t r = 0; r < has.size(); r++) {
        caucus_index_side_free(&rank[r].send);
        caucus_index_side_free(&rank[r].receive);
        caucus_relay_free(&relay[r]);
        caucus_schedule_free(&schedules[r]);
        caucus_index_list_free(&has_list[r]);
        caucus_index_list_free(&wants_list[r]);
        free(repeats[r].repeat);
    }
}

void RedistributeCase::hand_over(caucus_index_mail &mail, Records &to) const {
    for (int32_t i = 0; i < mail.receivers; i++) {
        if (mail.to[i] < 0 || mail.to[i] >= ranks || (i > 0 && mail.to[i] <= mail.to[i - 1]))
            throw std::runtime_error("mail to rank " + std::to_string(mail.to[i]));
        auto &box = to[static_cast<size_t>(mail.to[i])];
        box.insert(box.end(), mail.record + mail.begin[i], mail.record + mail.begin[i + 1]);
    }
    caucus_index_mail_free(&mail);
}

bool RedistributeCase::match(Records &told, Records &heard) {
    for (auto &records : told) {
        caucus_index_mail mail;
        caucus_index_missing lacking;
        auto count = static_cast<int64_t>(records.size());
        most_records = std::max(most_records, count);
        must(caucus_directory_match(records.data(), count, first_group, &mail, &lacking));
        bool lower = lacking.rank < missing.rank ||
                     (lacking.rank == missing.rank && lacking.index < missing.index);
        if (lacking.is_missing && (!missing.is_missing || lower))
            missing = lacking;
        hand_over(mail, heard);
    }
    return !missing.is_missing;
}

bool RedistributeCase::plan() {
    int64_t low = INT64_MAX, high = INT64_MIN, most = 0;
    for (const auto *lists : {&has_list, &wants_list})
        for (const caucus_index_list &list : *lists)
            if (list.pieces > 0) {
                const caucus_index_piece &last = list.piece[list.pieces - 1];
                low = std::min(low, list.piece[0].first);
                high = std::max(high, last.first + last.count);
                most = std::max(most, list.elements);
            }
    if (low > high)
        low = high = 0;
    caucus_directory directory = caucus_directory_cut(low, high, most, ranks);
    Records told(has.size()), heard(has.size());
    for (int32_t r = 0; r < ranks; r++) {
        caucus_index_mail mail;
        must(caucus_directory_tell(&directory, r, &has_list[r], &wants_list[r], &mail));
        hand_over(mail, told);
    }
    if (!match(told, heard))
        return false;
    for (int32_t r = 0; r < ranks; r++) {
        auto &records = heard[r];
        auto count = static_cast<int64_t>(records.size());
        rank[r].rank = r;
        rank[r].ranks = ranks;
        must(caucus_index_side_create(&rank[r].send, CAUCUS_INDEX_SEND, records.data(), count, r,
                                      ranks, &has_list[r], nullptr));
        must(caucus_index_side_create(&rank[r].receive, CAUCUS_INDEX_RECEIVE, records.data(), count,
                                      r, ranks, &wants_list[r], &repeats[r]));
    }
    return true;
}

void RedistributeCase::schedule(int64_t bytes, const caucus_node_map *nodes, bool one_copy) {
    Records told(has.size());
    int64_t longest = 0;
    element = bytes;
    for (int32_t r = 0; r < ranks; r++) {
        caucus_index_mail mail;
        rank[r].send.element = rank[r].receive.element = element;
        must(caucus_relay_create(&relay[r], &rank[r], nodes, one_copy));
        longest = std::max(longest, relay[r].own);
        must(caucus_relay_tell(&relay[r], &mail));
        for (int32_t i = 0; i < mail.receivers; i++)
            told[mail.to[i]].push_back(mail.record[i]);
        caucus_index_mail_free(&mail);
    }
    for (int32_t r = 0; r < ranks; r++) {
        must(caucus_relay_hear(&relay[r], told[r].data(), static_cast<int64_t>(told[r].size())));
        caucus_relay_cut(&relay[r], longest, 1 << 16);
        must(caucus_redistribution_schedule(&rank[r], &relay[r], &schedules[r]));
    }
}

std::pair<int32_t, int64_t> RedistributeCase::source_of(int32_t target, int64_t index) const {
    std::vector<int32_t> holders;
    for (int32_t r = 0; r < ranks; r++)
        if (place[r].count(index) &&
            (first_group == 0 || (r < first_group) != (target < first_group)))
            holders.push_back(r);
    if (holders.empty())
        return {-1, -1};
    bool own = std::find(holders.begin(), holders.end(), target) != holders.end();
    int32_t source = own ? target : holders[static_cast<size_t>(target) % holders.size()];
    return {source, place[source].at(index)};
}

// Every packed element of out that a user asked for, from where it must come. Of what is repeated,
// the places where it is once are only read.
void RedistributeCase::expect(int32_t target) {
    const caucus_index_side &side = rank[target].receive;
    std::vector<int64_t> positions = positions_of(side), indices = indices_of(wants[target]);
    std::vector<std::map<int64_t, int64_t>> packed(has.size());
    std::vector<bool> reached(indices.size());
    expectation.clear();
    for (int64_t at = 0; at < static_cast<int64_t>(positions.size()); at++) {
        int64_t once = side.begin[side.peers];
        if (at >= once && at < once + side.repeated)
            continue;
        reached[positions[at]] = true;
        auto [source, position] = source_of(target, indices[positions[at]]);
        auto &map = packed[source];
        if (map.empty()) {
            std::vector<int64_t> sent = positions_of(rank[source].send);
            const caucus_index_side &send = rank[source].send;
            for (int32_t i = 0; i < send.peers; i++)
                for (int64_t k = send.begin[i]; k < send.begin[i + 1]; k++)
                    if (send.peer[i] == target)
                        map[sent[k]] = k;
        }
        expectation.push_back({at * element, element, map.at(position) * element, source, source});
    }
    if (std::find(reached.begin(), reached.end(), false) != reached.end())
        throw std::runtime_error("an element of rank " + std::to_string(target) + " gets nothing");
}

void RedistributeCase::buffers(void *context, int32_t rank, caucus_rank_buffers *buffers) {
    auto *own = static_cast<RedistributeCase *>(context);
    const caucus_redistribution &r = own->rank[rank];
    *buffers = {elements_of(r.send) * own->element, elements_of(r.receive) * own->element, false,
                0};
}

int RedistributeCase::expected(void *context, int32_t rank, const caucus_expected **expected,
                               int64_t *count) {
    auto *own = static_cast<RedistributeCase *>(context);
    own->expect(rank);
    *expected = own->expectation.data();
    *count = static_cast<int64_t>(own->expectation.size());
    return CAUCUS_OK;
}

std::string RedistributeCase::judge(uint64_t seed) {
    caucus_specification specification{};
    specification.ranks = ranks;
    specification.element = element;
    specification.buffers = buffers;
    specification.expected = expected;
    specification.context = this;
    specification.nodes = relay[0].nodes;
    bool repeated = std::any_of(rank.begin(), rank.end(),
                                [](const auto &one) { return one.receive.repeated > 0; });
    // What is there once has two places in out as it is packed: only a user's buffer can run it.
    if (repeated)
        return "";
    if (caucus_schedule_verify(&specification, schedules.data(), nullptr))
        return caucus_error_text();
    return ConcreteRun(specification, schedules.data(), seed).run(3);
}

} // namespace test
