// SPDX-License-Identifier: BSD-3-Clause
#include "concrete_run.hpp"

extern "C" {
#include "base/status.h"
}

#include <algorithm>
#include <cstring>
#include <numeric>
#include <stdexcept>

namespace test {

namespace {
constexpr int64_t element = 8;

int64_t flag_of(int run, int64_t value) {
    return static_cast<int64_t>(run + 1) * CAUCUS_FLAG_LIMIT + value;
}
} // namespace

ConcreteRun::ConcreteRun(const caucus_specification &asked, const caucus_schedule *given,
                         uint64_t seed)
    : specification(asked), schedules(given), random(seed), eager(random() % 2),
      by_priority(random() % 4 != 0), rank(static_cast<size_t>(asked.ranks)),
      priority(static_cast<size_t>(asked.ranks)),
      queue(static_cast<size_t>(asked.ranks) * static_cast<size_t>(asked.ranks)) {
    int64_t all = 0;
    node.resize(static_cast<size_t>(asked.nodes ? asked.nodes->nodes : asked.ranks));
    for (int32_t r = 0; r < asked.ranks; r++) {
        Rank &one = rank[r];
        asked.buffers(asked.context, r, &one.buffers);
        const caucus_rank_buffers &buffers = one.buffers;
        one.out_at = buffers.aliased ? std::max<int64_t>(0, -buffers.alias) : buffers.in_bytes;
        one.in_at = buffers.aliased ? one.out_at + buffers.alias : 0;
        one.user.resize(static_cast<size_t>(
            std::max(one.in_at + buffers.in_bytes, one.out_at + buffers.out_bytes)));
        one.scratch.resize(static_cast<size_t>(given[r].scratch_bytes));
        one.in_start = all;
        all += buffers.in_bytes;
        one.node = asked.nodes ? caucus_node_of_rank(asked.nodes, r) : r;
        Node &home = node[one.node];
        home.ranks.push_back(r);
        for (int half : {0, 1}) {
            home.memory[half].resize(static_cast<size_t>(given[r].node_bytes));
            home.lines[half].resize(static_cast<size_t>(given[r].lines) * CAUCUS_LINE_BYTES);
            home.flags[half].resize(static_cast<size_t>(given[r].lines));
        }
        for (int64_t i = 0; i < given[r].count; i++) {
            const caucus_operation &operation = given[r].operations[i];
            one.touches_node |= operation.kind == CAUCUS_OPERATION_SIGNAL;
            bool writes = operation.kind == CAUCUS_OPERATION_RECEIVE ||
                          operation.kind == CAUCUS_OPERATION_COPY ||
                          operation.kind == CAUCUS_OPERATION_REDUCE;
            one.touches_node |= writes && operation.target >= CAUCUS_BUFFER_LINE;
        }
    }
    std::iota(priority.begin(), priority.end(), 0);
    input.resize(1);
    input[0].resize(static_cast<size_t>(all));
}

void ConcreteRun::fail(int32_t r, const std::string &what) {
    if (failure.empty())
        failure =
            "rank " + std::to_string(r) + ", run " + std::to_string(rank[r].run) + ": " + what;
}

uint8_t *ConcreteRun::place(int32_t r, int buffer, int64_t offset, int64_t length) {
    Rank &one = rank[r];
    Node &home = node[one.node];
    int half = one.run % 2;
    struct {
        uint8_t *bytes;
        int64_t size;
    } area{};
    switch (buffer) {
    case CAUCUS_BUFFER_IN:
        area = {one.user.data() + one.in_at, one.buffers.in_bytes};
        break;
    case CAUCUS_BUFFER_OUT:
        area = {one.user.data() + one.out_at, one.buffers.out_bytes};
        break;
    case CAUCUS_BUFFER_SCRATCH:
        area = {one.scratch.data(), static_cast<int64_t>(one.scratch.size())};
        break;
    case CAUCUS_BUFFER_LINE:
        area = {home.lines[half].data(), static_cast<int64_t>(home.lines[half].size())};
        break;
    default:
        area = {home.memory[half].data(), static_cast<int64_t>(home.memory[half].size())};
    }
    if (offset >= 0 && length >= 0 && offset <= area.size - length)
        return area.bytes + offset;
    fail(r, "out of bounds");
    return nullptr;
}

void ConcreteRun::combine(const uint8_t *lower, uint8_t *upper) const {
    if (!specification.ordered) {
        uint64_t a, b;
        std::memcpy(&a, lower, element);
        std::memcpy(&b, upper, element);
        b += a;
        std::memcpy(upper, &b, element);
        return;
    }
    uint32_t a[2], b[2]; // x -> a0 x + a1
    std::memcpy(a, lower, element);
    std::memcpy(b, upper, element);
    b[1] = (a[0] | 1) * b[1] + a[1];
    b[0] = (a[0] | 1) * (b[0] | 1);
    std::memcpy(upper, b, element);
}

void ConcreteRun::reduce(int32_t r, int64_t i) {
    const caucus_operation &operation = schedules[r].operations[i];
    uint8_t *source = place(r, operation.source, operation.source_offset, operation.length);
    uint8_t *target = place(r, operation.target, operation.target_offset, operation.length);
    if (operation.length % element)
        fail(r, "an element is cut");
    if (failure.empty())
        for (int64_t at = 0; at < operation.length; at += element)
            combine(source + at, target + at);
}

// The first operation of its step by which a rank would meet a peer; -1 if there is none.
int64_t ConcreteRun::meeting(int32_t r, int kind, int32_t peer) const {
    const Rank &one = rank[r];
    for (int64_t i = one.begin; i < one.end; i++)
        if (!one.finished[i - one.begin] && schedules[r].operations[i].kind == kind &&
            schedules[r].operations[i].peer == peer)
            return i;
    return -1;
}

bool ConcreteRun::is_next(int32_t r, int64_t i) const {
    const caucus_operation &operation = schedules[r].operations[i];
    return meeting(r, operation.kind, operation.peer) == i;
}

bool ConcreteRun::send(int32_t r, int64_t i) {
    const caucus_operation &operation = schedules[r].operations[i];
    if (!is_next(r, i))
        return false;
    const uint8_t *source = place(r, operation.source, operation.source_offset, operation.length);
    if (!source)
        return true;
    Message message(source, source + operation.length);
    auto &messages = queue[static_cast<size_t>(r) * rank.size() + operation.peer];
    if (eager) {
        messages.push_back(message);
        return true;
    }
    int64_t met = meeting(operation.peer, CAUCUS_OPERATION_RECEIVE, r);
    if (met < 0)
        return false;
    messages.push_back(message);
    receive(operation.peer, met);
    rank[operation.peer].finished[met - rank[operation.peer].begin] = true;
    return true;
}

bool ConcreteRun::receive(int32_t r, int64_t i) {
    const caucus_operation &operation = schedules[r].operations[i];
    auto &messages = queue[static_cast<size_t>(operation.peer) * rank.size() + r];
    if (messages.empty() || !is_next(r, i))
        return false;
    uint8_t *target = place(r, operation.target, operation.target_offset, operation.length);
    if (static_cast<int64_t>(messages.front().size()) != operation.length)
        fail(r, "a message of another length");
    else if (target)
        std::memcpy(target, messages.front().data(), messages.front().size());
    messages.pop_front();
    return true;
}

bool ConcreteRun::await(int32_t r, int64_t i) {
    const caucus_operation &operation = schedules[r].operations[i];
    const auto &flags = node[rank[r].node].flags[rank[r].run % 2];
    if (operation.target_offset < 0 ||
        operation.target_offset + operation.peer > static_cast<int64_t>(flags.size())) {
        fail(r, "no such line");
        return true;
    }
    for (int64_t l = 0; l < operation.peer; l++)
        if (flags[operation.target_offset + l] < flag_of(rank[r].run, operation.length))
            return false;
    return true;
}

void ConcreteRun::signal(int32_t r, int64_t i) {
    const caucus_operation &operation = schedules[r].operations[i];
    auto &flags = node[rank[r].node].flags[rank[r].run % 2];
    if (operation.target_offset < 0 ||
        operation.target_offset >= static_cast<int64_t>(flags.size()))
        fail(r, "no such line");
    else
        flags[operation.target_offset] = flag_of(rank[r].run, operation.length);
}

// Whether the operation is finished now.
bool ConcreteRun::carry_out(int32_t r, int64_t i) {
    const caucus_operation &operation = schedules[r].operations[i];
    switch (operation.kind) {
    case CAUCUS_OPERATION_SEND:
        return send(r, i);
    case CAUCUS_OPERATION_RECEIVE:
        return receive(r, i);
    case CAUCUS_OPERATION_AWAIT:
        return await(r, i);
    case CAUCUS_OPERATION_SIGNAL:
        signal(r, i);
        return true;
    case CAUCUS_OPERATION_REDUCE:
        reduce(r, i);
        return true;
    default:
        uint8_t *target = place(r, operation.target, operation.target_offset, operation.length);
        uint8_t *source = place(r, operation.source, operation.source_offset, operation.length);
        if (target && source)
            std::memmove(target, source, static_cast<size_t>(operation.length));
        return true;
    }
}

void ConcreteRun::fill_input(int run) {
    while (static_cast<int>(input.size()) <= run)
        input.emplace_back(input[0].size());
    for (uint8_t &byte : input[run])
        byte = static_cast<uint8_t>(random());
}

void ConcreteRun::begin_step(int32_t r, int64_t begin) {
    Rank &one = rank[r];
    one.begin = one.end = begin;
    while (one.end < schedules[r].count && !schedules[r].operations[one.end++].ends_step) {
    }
    one.finished.assign(static_cast<size_t>(one.end - one.begin), false);
}

// As the executor does: who touches node memory waits until all are done with the run before the
// last, unless a synchronising schedule has told already.
bool ConcreteRun::begin_run(int32_t r) {
    Rank &one = rank[r];
    if (one.touches_node && !schedules[r].synchronising)
        for (int32_t other : node[one.node].ranks)
            if (rank[other].done < one.run)
                return false;
    one.run++;
    for (uint8_t &byte : one.user)
        byte = static_cast<uint8_t>(random());
    if (one.buffers.in_bytes)
        std::memcpy(one.user.data() + one.in_at, input[one.run].data() + one.in_start,
                    static_cast<size_t>(one.buffers.in_bytes));
    one.before.assign(one.user.begin() + one.out_at,
                      one.user.begin() + one.out_at + one.buffers.out_bytes);
    begin_step(r, 0);
    return true;
}

void ConcreteRun::check_range(int32_t r, const caucus_expected &expected) {
    Rank &one = rank[r];
    const uint8_t *found = one.user.data() + one.out_at + expected.out_offset;
    const uint8_t *all = input[one.run].data();
    std::vector<uint8_t> wanted(static_cast<size_t>(expected.length));
    for (int32_t from = expected.last_rank; from >= expected.first_rank; from--) {
        const uint8_t *operand = all + rank[from].in_start + expected.in_offset;
        if (from == expected.last_rank)
            std::copy_n(operand, expected.length, wanted.begin());
        else
            for (int64_t at = 0; at < expected.length; at += element)
                combine(operand + at, wanted.data() + at);
    }
    if (!std::equal(wanted.begin(), wanted.end(), found))
        fail(r, "wrong bytes from " + std::to_string(expected.out_offset) + " of out on");
}

// Nobody leaves before all have come; between groups, all of the other one.
void ConcreteRun::check_barrier(int32_t r) {
    const int32_t first = specification.first_group;
    for (int32_t other = 0; other < specification.ranks; other++)
        if ((!first || (r < first) != (other < first)) && rank[other].run < rank[r].run)
            fail(r, "leaves a barrier that rank " + std::to_string(other) + " has not come to");
}

void ConcreteRun::end_run(int32_t r) {
    Rank &one = rank[r];
    const caucus_expected *expected = nullptr;
    int64_t count = 0, done = 0;
    if (specification.expected(specification.context, r, &expected, &count))
        throw std::runtime_error(caucus_error_text());
    const uint8_t *out = one.user.data() + one.out_at;
    for (int64_t i = 0; i <= count; i++) {
        int64_t next = i < count ? expected[i].out_offset : one.buffers.out_bytes;
        if (!std::equal(out + done, out + next, one.before.begin() + done))
            fail(r, "out was changed where nothing is expected");
        if (i == count)
            break;
        check_range(r, expected[i]);
        done = next + expected[i].length;
    }
    if (specification.barrier)
        check_barrier(r);
    one.done++;
}

// Whether the rank could do anything.
bool ConcreteRun::progress(int32_t r) {
    Rank &one = rank[r];
    if (one.done == one.run + 1)
        return one.done < runs && begin_run(r);
    if (one.begin == schedules[r].count) {
        end_run(r);
        return true;
    }
    auto open = static_cast<size_t>(std::count(one.finished.begin(), one.finished.end(), false));
    if (open == 0) {
        begin_step(r, one.end);
        return true;
    }
    size_t size = one.finished.size(), from = random() % size;
    for (size_t k = 0; k < size; k++) {
        size_t i = (from + k) % size;
        if (!one.finished[i] && carry_out(r, one.begin + static_cast<int64_t>(i))) {
            one.finished[i] = true;
            return true;
        }
    }
    return false;
}

std::string ConcreteRun::run(int asked) {
    runs = asked;
    for (int e = 0; e < runs; e++)
        fill_input(e);
    std::shuffle(priority.begin(), priority.end(), random);
    for (;;) {
        bool any = false;
        if (!by_priority || random() % 64 == 0)
            std::shuffle(priority.begin(), priority.end(), random);
        for (size_t k = 0; k < priority.size() && !any; k++)
            any = progress(priority[k]);
        if (!failure.empty())
            return failure;
        if (!any)
            break;
    }
    for (int32_t r = 0; r < specification.ranks; r++)
        if (rank[r].done < runs)
            return "rank " + std::to_string(r) + " comes to no end";
    for (const auto &messages : queue)
        if (!messages.empty())
            return "a message that nobody receives";
    return "";
}

} // namespace test
