// SPDX-License-Identifier: BSD-3-Clause
// Faults sown into right schedules of every algorithm, at places drawn at random. The proof must
// find every one that does harm. Which do?
//   - a send or receive with another peer or length, or missing: always, for then the n-th send of
//     a pair does not meet the n-th receive;
//   - any other, unless random executions on real bytes, several runs in a row, keep coming to the
//     right end: a fault that changes nothing (an operand shifted to where the same bytes lie, a
//     wait that another one implies) is no fault.
#include "collective_case.hpp"
#include "concrete_run.hpp"
#include "full_run.hpp"
extern "C" {
#include "plan/intergroup/intergroup.h"
}
#include "written_schedule.hpp"

#include <gtest/gtest.h>

#include <map>
#include <tuple>

using test::ConcreteRun;
using test::Instance;
using test::NodeMap;
using test::Nodes;

namespace {

enum class Fault {
    peer,
    length,
    dropped_message,
    dropped_work, // a copy, a reduction: the value of an earlier run stays where it was
    dropped_signal,
    dropped_await,
    dropped_step,
    shifted_source,
    shifted_target,
    other_buffer,
    turned_reduction,
    swapped_operations,
    repeated_reduction,
    lower_value,
    dropped_pair, // a send and the receive that meets it
    count
};

const char *name_of(Fault fault) {
    static const char *const names[] = {"wrong peer",
                                        "wrong length",
                                        "dropped message",
                                        "dropped copy or reduction",
                                        "dropped signal",
                                        "dropped await",
                                        "dropped step",
                                        "shifted source",
                                        "shifted target",
                                        "other buffer",
                                        "turned reduction",
                                        "swapped operations",
                                        "repeated reduction",
                                        "lower flag value",
                                        "dropped send and receive"};
    return names[static_cast<int>(fault)];
}

bool always_harms(Fault fault) {
    return fault == Fault::peer || fault == Fault::length || fault == Fault::dropped_message;
}

bool is_message(const caucus_operation &operation) {
    return operation.kind == CAUCUS_OPERATION_SEND || operation.kind == CAUCUS_OPERATION_RECEIVE;
}
bool is_work(const caucus_operation &operation) {
    return operation.kind == CAUCUS_OPERATION_COPY || operation.kind == CAUCUS_OPERATION_REDUCE;
}

// Copies of all schedules, of which one operation is spoilt.
class Spoilt {
  public:
    Spoilt(const caucus_schedule *right, int32_t ranks, std::mt19937_64 &given)
        : schedules(right, right + ranks), operations(static_cast<size_t>(ranks)), random(given) {
        for (int32_t r = 0; r < ranks; r++) {
            operations[r].assign(right[r].operations, right[r].operations + right[r].count);
            operations[r].reserve(operations[r].size() + 1);
        }
    }
    // Whether there is a place for the fault.
    bool sow(Fault fault) {
        std::vector<std::pair<int32_t, int64_t>> places;
        for (size_t r = 0; r < operations.size(); r++)
            for (size_t i = 0; i < operations[r].size(); i++)
                if (fits(fault, operations[r], i))
                    places.emplace_back(r, i);
        if (places.empty())
            return false;
        std::tie(rank, place) = places[random() % places.size()];
        apply(fault);
        for (size_t r = 0; r < operations.size(); r++) {
            schedules[r].operations = operations[r].data();
            schedules[r].count = static_cast<int64_t>(operations[r].size());
        }
        return true;
    }

    std::vector<caucus_schedule> schedules;
    int32_t rank = 0;
    int64_t place = 0;

  private:
    using Operations = std::vector<caucus_operation>;

    bool fits(Fault fault, const Operations &of, size_t i) const {
        const caucus_operation &operation = of[i];
        switch (fault) {
        case Fault::peer:
            return is_message(operation) && operations.size() > 1;
        case Fault::length:
        case Fault::dropped_message:
            return is_message(operation);
        case Fault::dropped_pair:
            return operation.kind == CAUCUS_OPERATION_SEND &&
                   &of != &operations[operation.peer]; // to itself: two of one list
        case Fault::dropped_work:
            return is_work(operation);
        case Fault::dropped_signal:
            return operation.kind == CAUCUS_OPERATION_SIGNAL;
        case Fault::dropped_await:
            return operation.kind == CAUCUS_OPERATION_AWAIT;
        case Fault::dropped_step:
            return operation.ends_step && i + 1 < of.size();
        case Fault::shifted_source:
            return is_work(operation) || operation.kind == CAUCUS_OPERATION_SEND;
        case Fault::shifted_target:
            return operation.kind != CAUCUS_OPERATION_SEND;
        case Fault::other_buffer:
            return is_work(operation) || is_message(operation);
        case Fault::turned_reduction:
        case Fault::repeated_reduction:
            return operation.kind == CAUCUS_OPERATION_REDUCE;
        case Fault::swapped_operations:
            return i + 1 < of.size() && operation.ends_step;
        default:
            return (operation.kind == CAUCUS_OPERATION_AWAIT ||
                    operation.kind == CAUCUS_OPERATION_SIGNAL) &&
                   operation.length > 1;
        }
    }

    void drop(int32_t of_rank, int64_t at) {
        Operations &of = operations[of_rank];
        if (of[at].ends_step && at > 0)
            of[at - 1].ends_step = 1;
        of.erase(of.begin() + at);
    }

    // The n-th receive of the pair of ranks meets the n-th send.
    void drop_pair() {
        const Operations &own = operations[rank], &others = operations[own[place].peer];
        const int32_t peer = own[place].peer;
        auto before = std::count_if(own.begin(), own.begin() + place, [&](const auto &one) {
            return one.kind == CAUCUS_OPERATION_SEND && one.peer == peer;
        });
        auto met = std::find_if(others.begin(), others.end(), [&](const auto &one) {
            return one.kind == CAUCUS_OPERATION_RECEIVE && one.peer == rank && before-- == 0;
        });
        drop(peer, met - others.begin());
        drop(rank, place);
    }

    void apply(Fault fault) {
        Operations &of = operations[rank];
        caucus_operation &operation = of[place];
        const int64_t shift = random() % 2 ? 8 : -8;
        const auto other = static_cast<uint8_t>(random() % CAUCUS_BUFFERS);
        switch (fault) {
        case Fault::peer: {
            auto ranks = static_cast<int32_t>(operations.size());
            operation.peer = static_cast<int32_t>(
                (operation.peer + 1 + static_cast<int64_t>(random() % (operations.size() - 1))) %
                ranks);
            break;
        }
        case Fault::length:
            operation.length += operation.length > 8 && random() % 2 ? -8 : 8;
            break;
        case Fault::dropped_step:
            operation.ends_step = 0;
            break;
        case Fault::shifted_source:
            operation.source_offset += shift;
            break;
        case Fault::shifted_target:
            operation.target_offset += operation.kind == CAUCUS_OPERATION_SIGNAL ||
                                               operation.kind == CAUCUS_OPERATION_AWAIT
                                           ? shift / 8
                                           : shift;
            break;
        case Fault::other_buffer:
            (operation.kind == CAUCUS_OPERATION_SEND ? operation.source : operation.target) = other;
            break;
        case Fault::turned_reduction:
            std::swap(operation.source, operation.target);
            std::swap(operation.source_offset, operation.target_offset);
            break;
        case Fault::swapped_operations:
            std::swap(of[place], of[place + 1]);
            std::swap(of[place].ends_step, of[place + 1].ends_step);
            break;
        case Fault::repeated_reduction: {
            caucus_operation again = operation;
            operation.ends_step = 1;
            of.insert(of.begin() + place, again);
            of[place].ends_step = 1;
            of[place + 1].ends_step = again.ends_step;
            break;
        }
        case Fault::lower_value:
            operation.length--;
            break;
        case Fault::dropped_pair:
            drop_pair();
            break;
        default:
            drop(rank, place);
        }
    }

    std::vector<Operations> operations;
    std::mt19937_64 &random;
};

struct Count {
    int sown = 0, found = 0, harmless = 0;
};
std::map<Fault, Count> counts;

caucus_problem_shape small_shape(const caucus_algorithm *algorithm, int32_t ranks,
                                 const caucus_node_map *nodes, uint64_t seed) {
    caucus_problem_shape shape = test::draw_shape(algorithm, ranks, nodes, seed);
    shape.element = 8; // what the executions know to combine
    shape.bytes = algorithm->collective == CAUCUS_BARRIER ? 0 : seed % 3 == 0 ? 8 : 24;
    shape.segment = seed % 2 ? 8 : 0;
    shape.node_limit = std::max<int64_t>(4096, test::enough_node_memory(shape));
    return shape;
}

// Random executions of a schedule; "" if all came to the right end.
std::string execute(const Instance &instance, const caucus_schedule *schedules, int times,
                    std::mt19937_64 &random) {
    std::string text;
    for (int time = 0; time < times && text.empty(); time++)
        text = ConcreteRun(instance.specification, schedules, random()).run(4);
    return text;
}

void sow_one(const caucus_algorithm *algorithm, const Instance &instance, Fault fault,
             const std::string &what, std::mt19937_64 &random) {
    Spoilt spoilt(instance.schedules, instance.problem.shape.ranks, random);
    if (!spoilt.sow(fault))
        return;
    Count &count = counts[fault];
    count.sown++;
    if (caucus_schedule_verify(&instance.specification, spoilt.schedules.data(), nullptr)) {
        count.found++;
        return;
    }
    std::string where = std::string(name_of(fault)) + " at rank " + std::to_string(spoilt.rank) +
                        ", operation " + std::to_string(spoilt.place) + " of " + what;
    EXPECT_FALSE(always_harms(fault)) << where;
    std::string harm = execute(instance, spoilt.schedules.data(), 12, random);
    EXPECT_EQ(harm, "") << where << ": executed, but not found by the proof of " << algorithm->name;
    count.harmless++;
}

// All faults in one case. first_group: between groups.
void sow_all(const caucus_algorithm *algorithm, int32_t ranks, int32_t first_group, Nodes nodes,
             std::mt19937_64 &random) {
    NodeMap map(nodes, ranks, 4);
    caucus_problem_shape shape = small_shape(algorithm, ranks, map.get(), random());
    shape.first_group = first_group;
    shape.second_bytes = shape.bytes;
    shape.in_place = shape.in_place && !first_group;
    if (!test::must_serve(algorithm, shape))
        return;
    Instance instance(algorithm, shape);
    std::string what = test::describe(algorithm, shape, nodes, 4);
    if (first_group && instance.status == CAUCUS_NOT_APPLICABLE)
        return;
    ASSERT_EQ(instance.verify(), CAUCUS_OK) << what << ": " << instance.text;
    EXPECT_EQ(execute(instance, instance.schedules, 2, random), "") << what;
    for (int fault = 0; fault < static_cast<int>(Fault::count); fault++)
        sow_one(algorithm, instance, static_cast<Fault>(fault), what, random);
}

void report() {
    for (const auto &[fault, count] : counts) {
        std::printf("%-26s %6d sown, %6d found, %5d harmless\n", name_of(fault), count.sown,
                    count.found, count.harmless);
        EXPECT_GT(count.found, 0) << name_of(fault);
    }
    counts.clear();
}

constexpr Nodes kinds[] = {Nodes::one,    Nodes::uneven,      Nodes::blocks,
                           Nodes::uneven, Nodes::interleaved, Nodes::none};

TEST(SeededFaults, HarmfulOnesAreFound) {
    int rounds = test::full_run() ? 12 : 1;
    for (int a = 0; const caucus_algorithm *algorithm = caucus_algorithm_entry(a); a++)
        for (int round = 0; round < 6 * rounds; round++) {
            std::mt19937_64 random(static_cast<uint64_t>(a) * 1000 + round);
            auto ranks = static_cast<int32_t>(2 + random() % 8);
            sow_all(algorithm, ranks, 0, kinds[round % 6], random);
        }
    report();
}

TEST(SeededFaults, HarmfulOnesAreFoundBetweenGroups) {
    int rounds = test::full_run() ? 12 : 1;
    for (int a = 0; const caucus_algorithm *algorithm = caucus_intergroup_algorithm(a); a++)
        for (int round = 0; round < 6 * rounds; round++) {
            std::mt19937_64 random(static_cast<uint64_t>(a) * 1000 + round);
            auto first = static_cast<int32_t>(1 + random() % 4);
            auto second = static_cast<int32_t>(random() % 2 ? first : 1 + random() % 5);
            sow_all(algorithm, first + second, first, kinds[round % 6], random);
        }
    report();
}

// The sum begins with what is in scratch: nothing at the first start, the first sum at the second.
TEST(SeededFaults, AStateThatIsNotResetAtTheSecondStartIsFound) {
    test::Written plan(2);
    plan.expected[0] = {{0, 8, 0, 0, 1}};
    plan.specification.element = 8;
    plan[1].send(0, test::in(), 8);
    plan[0].receive(1, test::scratch(8), 8).step();
    plan[0].reduce(test::in(), test::scratch(), 8).step();
    plan[0].reduce(test::scratch(8), test::scratch(), 8).step();
    plan[0].copy(test::scratch(), test::out(), 8);
    std::string text = plan.verify();
    EXPECT_NE(text.find("what an earlier run has left"), std::string::npos) << text;
    EXPECT_EQ(ConcreteRun(plan.specification, plan.schedules.data(), 1).run(1), "");
    EXPECT_NE(ConcreteRun(plan.specification, plan.schedules.data(), 1).run(2), "");
}

} // namespace
