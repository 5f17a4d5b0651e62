// SPDX-License-Identifier: BSD-3-Clause
// Simulated times against what can be worked out by hand.
extern "C" {
#include "base/status.h"
#include "plan/schedule/builder.h"
#include "plan/schedule/event_queue.h"
#include "study/simulate/simulate.h"
}

#include <algorithm>
#include <array>
#include <functional>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace {

constexpr caucus_place IN{CAUCUS_BUFFER_IN, 0}, OUT{CAUCUS_BUFFER_OUT, 0};

// Powers of two, so that sums are exact.
caucus_model model() {
    caucus_model model{};
    model.latency[0] = 64, model.latency[1] = 1024;
    model.byte[0] = 4, model.byte[1] = 8;
    model.overhead[0] = 16, model.overhead[1] = 32;
    model.card_byte = 2;
    model.signal = 128;
    model.copy_byte = 1;
    model.reduce_byte = 2;
    model.operation = 1;
    model.ports = 1;
    return model;
}

class Schedules {
  public:
    Schedules(int32_t ranks, const std::function<void(caucus_builder *, int32_t, int32_t)> &emit) {
        for (int32_t rank = 0; rank < ranks; rank++) {
            caucus_builder builder;
            caucus_builder_init(&builder, ranks, rank);
            emit(&builder, rank, ranks);
            schedules_.emplace_back();
            EXPECT_EQ(caucus_builder_finish(&builder, &schedules_.back()), CAUCUS_OK);
        }
    }
    Schedules(const Schedules &) = delete;
    Schedules &operator=(const Schedules &) = delete;
    ~Schedules() {
        for (auto &schedule : schedules_)
            caucus_schedule_free(&schedule);
    }
    int run(caucus_simulation *simulation, const caucus_model &machine, int32_t ppn = 0,
            std::vector<caucus_simulated_event> *events = nullptr) const {
        caucus_node_map map{};
        auto ranks = static_cast<int32_t>(schedules_.size());
        if (ppn > 0)
            caucus_node_map_blocks(&map, ranks, ppn);
        int status =
            caucus_schedule_simulate(ranks, schedules_.data(), ppn > 0 ? &map : nullptr, &machine,
                                     events ? note : nullptr, events, simulation);
        caucus_node_map_free(&map);
        return status;
    }
    double seconds(const caucus_model &machine = model(), int32_t ppn = 0) const {
        caucus_simulation simulation;
        EXPECT_EQ(run(&simulation, machine, ppn), CAUCUS_OK) << caucus_error_text();
        return simulation.seconds;
    }

  private:
    static void note(void *context, const caucus_simulated_event *event) {
        static_cast<std::vector<caucus_simulated_event> *>(context)->push_back(*event);
    }
    std::vector<caucus_schedule> schedules_;
};

Schedules one_message(int64_t bytes) {
    return Schedules(2, [=](caucus_builder *builder, int32_t rank, int32_t) {
        if (rank == 0)
            caucus_emit_send(builder, 1, IN, bytes);
        else
            caucus_emit_receive(builder, 0, OUT, bytes);
    });
}

Schedules ring(int32_t ranks, int64_t bytes) {
    return Schedules(ranks, [=](caucus_builder *builder, int32_t rank, int32_t size) {
        for (int32_t round = 0; round < size - 1; round++) {
            caucus_emit_send(builder, (rank + 1) % size, IN, bytes);
            caucus_emit_receive(builder, (rank + size - 1) % size, OUT, bytes);
            caucus_end_step(builder);
        }
    });
}

Schedules binomial(int32_t ranks, int64_t bytes) {
    return Schedules(ranks, [=](caucus_builder *builder, int32_t rank, int32_t size) {
        int32_t low = 1;
        while (rank % (2 * low) == 0 && low < size)
            low *= 2;
        if (rank > 0)
            caucus_emit_receive(builder, rank - low, OUT, bytes);
        caucus_end_step(builder);
        for (int32_t distance = low / 2; distance > 0; distance /= 2)
            if (rank + distance < size) {
                caucus_emit_send(builder, rank + distance, OUT, bytes);
                caucus_end_step(builder);
            }
    });
}

// Everybody of the first half sends to its partner in the second.
Schedules halves(int32_t ranks, int64_t bytes) {
    return Schedules(ranks, [=](caucus_builder *builder, int32_t rank, int32_t size) {
        if (rank < size / 2)
            caucus_emit_send(builder, rank + size / 2, IN, bytes);
        else
            caucus_emit_receive(builder, rank - size / 2, OUT, bytes);
    });
}

TEST(Simulate, OneMessageTakesWhatLogGPSays) {
    EXPECT_EQ(one_message(100).seconds(), 1 + 32 + 1024 + 100 * 8 + 32);
    EXPECT_EQ(one_message(100).seconds(model(), 2), 1 + 16 + 64 + 100 * 4 + 16);
}

TEST(Simulate, NothingTakesNoTime) {
    EXPECT_EQ(Schedules(3, [](caucus_builder *, int32_t, int32_t) {}).seconds(), 0);
}

TEST(Simulate, RoundsOfARingFollowOneAnother) {
    // A round: the send (1 + 32), the way (1024 + 8 n), the receive (32).
    for (int32_t ranks : {2, 3, 7, 16})
        EXPECT_EQ(ring(ranks, 64).seconds(), (ranks - 1) * (1.0 + 32 + 1024 + 64 * 8 + 32));
}

TEST(Simulate, BinomialTree) {
    // The root sends for 33 + 8 n, every time; the last of its children is a leaf, the first has
    // the longest way below. With n = 1 the wire dominates: depth messages one after the other.
    for (int rounds = 1; rounds <= 5; rounds++)
        EXPECT_EQ(binomial(1 << rounds, 1).seconds(), rounds * (1.0 + 32 + 1024 + 8 + 32));
}

TEST(Simulate, RanksOfANodeShareItsCard) {
    // 8 messages at a time: the card takes 2 a byte for all, a rank 8 by itself.
    EXPECT_EQ(halves(16, 1000).seconds(model(), 8), 33 + 1024 + 8 * 1000 * 2.0 + 32);
    EXPECT_EQ(halves(8, 1000).seconds(model(), 4), 33 + 1024 + 1000 * 8.0 + 32);
    caucus_simulation simulation;
    EXPECT_EQ(halves(16, 1000).run(&simulation, model(), 8), CAUCUS_OK);
    EXPECT_EQ(simulation.messages[CAUCUS_BETWEEN_NODES], 8);
    EXPECT_EQ(simulation.messages[CAUCUS_WITHIN_NODE], 0);
    EXPECT_EQ(simulation.bytes[CAUCUS_BETWEEN_NODES], 8000);
    EXPECT_EQ(simulation.card_bytes, 8000);
    EXPECT_EQ(simulation.operations, 16);
}

Schedules fan(int32_t ranks, int64_t bytes, bool in) {
    return Schedules(ranks, [=](caucus_builder *builder, int32_t rank, int32_t size) {
        for (int32_t peer = 1; rank == 0 && peer < size; peer++)
            if (in)
                caucus_emit_receive(builder, peer, OUT, bytes);
            else
                caucus_emit_send(builder, peer, IN, bytes);
        if (rank > 0 && in)
            caucus_emit_send(builder, 0, IN, bytes);
        else if (rank > 0)
            caucus_emit_receive(builder, 0, OUT, bytes);
    });
}

TEST(Simulate, OnePortSendsOneAfterTheOther) {
    EXPECT_EQ(fan(5, 1000, false).seconds(), 33 + 4 * 8000 + 1024 + 32);
    EXPECT_EQ(fan(5, 1000, true).seconds(), 33 + 4 * 8000 + 1024 + 32);
}

TEST(Simulate, SeveralPortsSendAtATime) {
    caucus_model machine = model();
    machine.card_byte = 0; // else the card is what limits
    machine.ports = 2;
    EXPECT_EQ(fan(5, 1000, false).seconds(machine), 2 * 33 + 2 * 8000 + 1024 + 32);
    machine.ports = 0;
    EXPECT_EQ(fan(5, 1000, false).seconds(machine), 4 * 33 + 8000 + 1024 + 32);
    machine.card_byte = 8; // as slow as one rank: as with one port
    EXPECT_EQ(fan(5, 1000, false).seconds(machine), 33 + 4 * 8000 + 1024 + 32);
}

TEST(Simulate, AProcessorDoesOneThingAtATime) {
    Schedules schedules(2, [](caucus_builder *builder, int32_t rank, int32_t) {
        caucus_place scratch = caucus_reserve_scratch(builder, 4096);
        caucus_emit_copy(builder, IN, scratch, 4000);
        if (rank == 0)
            caucus_emit_send(builder, 1, IN, 10);
        else
            caucus_emit_receive(builder, 0, OUT, 10);
        caucus_end_step(builder);
        caucus_emit_reduce(builder, scratch, OUT, 10);
    });
    // The message is there at 33 + 80 + 1024, the copy done at 1 + 1 + 4000, then its overhead.
    EXPECT_EQ(schedules.seconds(), 1 + 1 + 4000 + 32 + 1 + 20);
}

TEST(Simulate, FlagsTakeASignal) {
    Schedules schedules(4, [](caucus_builder *builder, int32_t rank, int32_t size) {
        int32_t lines = caucus_reserve_lines(builder, size);
        caucus_emit_copy(builder, IN, caucus_line_payload(lines + rank), 8);
        caucus_end_step(builder);
        caucus_emit_signal(builder, lines + rank, 1);
        caucus_end_step(builder);
        caucus_emit_await(builder, lines, size, 1);
        caucus_end_step(builder);
        caucus_emit_copy(builder, caucus_line_payload(lines), OUT, 8);
    });
    EXPECT_EQ(schedules.seconds(model(), 4), 9 + 1 + 128 + 9);
    // Looking at 4 flags costs 5 operations, hidden by the signal here.
    caucus_model machine = model();
    machine.signal = 0;
    EXPECT_EQ(schedules.seconds(machine, 4), 9 + 1 + 5 + 9);
}

TEST(Simulate, AwaitTakesTheFirstValueThatIsEnough) {
    Schedules schedules(2, [](caucus_builder *builder, int32_t rank, int32_t) {
        int32_t lines = caucus_reserve_lines(builder, 1);
        for (int value = 1; rank == 0 && value <= 8; value++) {
            caucus_emit_signal(builder, lines, value);
            caucus_end_step(builder);
            caucus_emit_copy(builder, IN, caucus_at(IN, 1024), 1000);
            caucus_end_step(builder);
        }
        if (rank == 1)
            caucus_emit_await(builder, lines, 1, 3);
    });
    std::vector<caucus_simulated_event> events;
    caucus_simulation simulation;
    ASSERT_EQ(schedules.run(&simulation, model(), 2, &events), CAUCUS_OK);
    EXPECT_EQ(simulation.seconds, 8 * 1002);
    auto await =
        std::find_if(events.begin(), events.end(), [](const caucus_simulated_event &event) {
            return event.kind == CAUCUS_OPERATION_AWAIT;
        });
    ASSERT_NE(await, events.end());
    EXPECT_EQ(await->end, 2 * 1002 + 1 + 128);
}

TEST(Simulate, EventsTellWhenEverythingWas) {
    std::vector<caucus_simulated_event> events;
    caucus_simulation simulation;
    ASSERT_EQ(ring(5, 100).run(&simulation, model(), 2, &events), CAUCUS_OK);
    EXPECT_EQ(static_cast<int64_t>(events.size()), simulation.operations);
    double last = 0;
    for (const auto &event : events) {
        EXPECT_LE(event.begin, event.end);
        EXPECT_EQ(event.bytes, 100);
        last = std::max(last, event.end);
    }
    EXPECT_EQ(last, simulation.seconds);
}

// What each of three ranks does, whatever numbers they have.
using Emit = std::function<void(caucus_builder *, const std::array<int32_t, 3> &)>;

// The same for all of their numbers: seconds, and when the last receive of a rank ends.
void expect_times(const std::array<Emit, 3> &ranks, const caucus_model &machine, double seconds,
                  size_t receiver, double received) {
    std::array<int32_t, 3> number = {0, 1, 2};
    do {
        Schedules schedules(3, [&](caucus_builder *builder, int32_t rank, int32_t) {
            for (size_t i = 0; i < ranks.size(); i++)
                if (number[i] == rank && ranks[i])
                    ranks[i](builder, number);
        });
        caucus_simulation simulation;
        std::vector<caucus_simulated_event> events;
        ASSERT_EQ(schedules.run(&simulation, machine, 0, &events), CAUCUS_OK)
            << caucus_error_text();
        EXPECT_EQ(simulation.seconds, seconds);
        double last = 0;
        for (const auto &event : events)
            if (event.rank == number[receiver] && event.kind == CAUCUS_OPERATION_RECEIVE)
                last = std::max(last, event.end);
        EXPECT_EQ(last, received);
    } while (std::next_permutation(number.begin(), number.end()));
}

caucus_model eager_model() {
    caucus_model machine = model();
    machine.eager = 100;
    return machine;
}

Emit copy_and_receive(int64_t copied, size_t from, int64_t bytes) {
    return [=](caucus_builder *builder, const std::array<int32_t, 3> &number) {
        caucus_emit_copy(builder, IN, OUT, copied);
        caucus_end_step(builder);
        caucus_emit_receive(builder, number[from], OUT, bytes);
    };
}

TEST(Simulate, ALongMessageLeavesWhenItsReceiveIsPosted) {
    Emit sender = [](caucus_builder *builder, const std::array<int32_t, 3> &number) {
        caucus_emit_send(builder, number[0], IN, 1000);
    };
    const double received = 1001 + 1 + 1024 + 8000 + 32; // ready at 33, posted at 1002
    expect_times({copy_and_receive(1000, 1, 1000), sender, nullptr}, eager_model(), received, 0,
                 received);
}

// A long message and a short one.
const Emit long_and_short = [](caucus_builder *builder, const std::array<int32_t, 3> &number) {
    caucus_emit_send(builder, number[1], IN, 1000);
    caucus_emit_send(builder, number[2], IN, 10);
};

TEST(Simulate, AMessageThatWaitsForItsReceiveHoldsUpNoOther) {
    const Emit receiver = [](caucus_builder *builder, const std::array<int32_t, 3> &number) {
        caucus_emit_receive(builder, number[0], OUT, 10);
    };
    expect_times({long_and_short, copy_and_receive(10000, 0, 1000), receiver}, eager_model(),
                 10001 + 1 + 1024 + 8000 + 32, 2, 66 + 1024 + 80 + 32);
}

TEST(Simulate, AMessageThatHasWaitedGoesBeforeWhatIsNotReady) {
    // Posted at 40, while the short one is ready at 66 and then has to wait.
    const double finish = 40 + 8000;
    expect_times({long_and_short, copy_and_receive(38, 0, 1000), copy_and_receive(1, 0, 10)},
                 eager_model(), finish + 80 + 1024 + 32, 1, finish + 1024 + 32);
}

// More of anything is never faster, for schedules in which all ranks do alike.
TEST(Simulate, TimeGrowsWithEveryParameter) {
    const char *help;
    double *value;
    for (int32_t ppn : {1, 3, 4, 12})
        for (int index = 0; index < 11; index++) {
            double before = 0;
            for (double factor : {0.0, 0.5, 1.0, 2.0, 10.0}) {
                caucus_model machine = model();
                caucus_model_parameter(&machine, index, &help, &value);
                *value *= factor;
                double now =
                    ring(12, 50).seconds(machine, ppn) + binomial(12, 500).seconds(machine, ppn);
                EXPECT_GE(now, before) << index;
                before = now;
            }
        }
    double before = 0;
    for (int64_t bytes = 1; bytes < 100000; bytes *= 3) {
        double now = halves(24, bytes).seconds(model(), 6);
        EXPECT_GT(now, before);
        before = now;
    }
}

// Between the bound of the slowest card or port, and everything one after the other.
TEST(Simulate, RandomTrafficStaysWithinItsBounds) {
    std::mt19937 random(1);
    for (int round = 0; round < 50; round++) {
        auto ranks = static_cast<int32_t>(2 + random() % 12);
        auto ppn = static_cast<int32_t>(1 + random() % static_cast<unsigned>(ranks));
        struct Message {
            int32_t source, target;
            int64_t bytes;
        };
        std::vector<Message> traffic;
        double all = 0;
        caucus_model machine = model();
        for (unsigned i = 0; i < 40; i++) {
            Message message{static_cast<int32_t>(random() % static_cast<unsigned>(ranks)),
                            static_cast<int32_t>(random() % static_cast<unsigned>(ranks)),
                            static_cast<int64_t>(1 + random() % 1000)};
            traffic.push_back(message);
            all += 2 + 64 + 1024 + 8 * static_cast<double>(message.bytes);
        }
        Schedules schedules(ranks, [&](caucus_builder *builder, int32_t rank, int32_t) {
            for (const auto &message : traffic) {
                if (message.source == rank)
                    caucus_emit_send(builder, message.target, IN, message.bytes);
                if (message.target == rank)
                    caucus_emit_receive(builder, message.source, OUT, message.bytes);
            }
        });
        caucus_simulation simulation;
        ASSERT_EQ(schedules.run(&simulation, machine, ppn), CAUCUS_OK) << caucus_error_text();
        EXPECT_LE(simulation.seconds, all);
        EXPECT_GE(simulation.seconds, 2.0 * static_cast<double>(simulation.card_bytes));
        EXPECT_EQ(simulation.messages[0] + simulation.messages[1], 40);
        double again = schedules.seconds(machine, ppn);
        EXPECT_EQ(again, simulation.seconds) << "the same twice";
    }
}

void expect_failure(const Schedules &schedules, const char *words, int32_t ppn = 0,
                    const caucus_model &machine = model()) {
    caucus_simulation simulation;
    EXPECT_NE(schedules.run(&simulation, machine, ppn), CAUCUS_OK);
    EXPECT_NE(std::string(caucus_error_text()).find(words), std::string::npos)
        << caucus_error_text();
}

TEST(Simulate, SchedulesThatDoNotFitTogetherAreNamed) {
    expect_failure(Schedules(2,
                             [](caucus_builder *builder, int32_t rank, int32_t) {
                                 if (rank == 1)
                                     caucus_emit_receive(builder, 0, OUT, 4);
                             }),
                   "rank 1 waits for ever in step 0: for a message from rank 0");
    expect_failure(Schedules(2,
                             [](caucus_builder *builder, int32_t rank, int32_t) {
                                 if (rank == 1)
                                     caucus_emit_send(builder, 0, IN, 4);
                             }),
                   "rank 0 never receives a message that rank 1 sends it");
    expect_failure(Schedules(2,
                             [](caucus_builder *builder, int32_t rank, int32_t) {
                                 if (rank == 1)
                                     caucus_emit_send(builder, 0, IN, 4);
                                 else
                                     caucus_emit_receive(builder, 1, OUT, 5);
                             }),
                   "rank 1 sends 4 bytes to rank 0, which has posted a receive of 5");
    expect_failure(Schedules(2,
                             [](caucus_builder *builder, int32_t, int32_t) {
                                 caucus_reserve_lines(builder, 2);
                                 caucus_emit_await(builder, 1, 1, 1);
                             }),
                   "for flag 1 to be 1", 2);
    expect_failure(Schedules(2, [](caucus_builder *builder, int32_t,
                                   int32_t) { caucus_emit_send(builder, 7, IN, 1); }),
                   "not in range");
}

TEST(Simulate, TimesThatAreNoNumbersAreRefused) {
    caucus_model machine = model();
    machine.byte[CAUCUS_BETWEEN_NODES] = 1e308;
    expect_failure(one_message(1000), "times are infinite", 0, machine);
    machine = model();
    machine.ports = 1025;
    expect_failure(one_message(1000), "1025 ports", 0, machine);
}

// Wherever the pair of ranks is kept.
TEST(Simulate, AMessageThatNobodyReceivesIsNamed) {
    const int32_t ranks = 3;
    for (int32_t source = 0; source < ranks; source++)
        for (int32_t target = 0; target < ranks; target++)
            expect_failure(Schedules(ranks,
                                     [=](caucus_builder *builder, int32_t rank, int32_t) {
                                         if (rank == source)
                                             caucus_emit_send(builder, target, IN, 4);
                                     }),
                           ("rank " + std::to_string(target) +
                            " never receives a message that rank " + std::to_string(source) +
                            " sends it")
                               .c_str());
}

TEST(EventQueue, GivesTheEarliestAndOfEqualsTheFirst) {
    std::mt19937 random(7);
    caucus_event_queue queue{};
    std::vector<std::pair<double, int32_t>> expected;
    for (int32_t i = 0; i < 5000; i++) {
        double time = static_cast<double>(random() % 100);
        caucus_queued event{};
        event.time = time;
        event.subject = i;
        ASSERT_TRUE(caucus_event_push(&queue, event));
        expected.emplace_back(time, i);
    }
    std::stable_sort(expected.begin(), expected.end(),
                     [](const auto &a, const auto &b) { return a.first < b.first; });
    caucus_queued event;
    for (const auto &[time, subject] : expected) {
        ASSERT_TRUE(caucus_event_pop(&queue, &event));
        EXPECT_EQ(event.time, time);
        EXPECT_EQ(event.subject, subject);
    }
    EXPECT_FALSE(caucus_event_pop(&queue, &event));
    caucus_event_queue_free(&queue);
}

} // namespace
