// SPDX-License-Identifier: BSD-3-Clause
// Every algorithm of the table, proved: for all process counts, shapes of nodes, roots and sizes.
// Threads share the work; every case is a problem of its own. With TEST_FULL all counts from 1 to
// 256, and some up to 16,384 wherever all ranks together have at most 10^8 operations; with
// TEST_SHARE=3/40 too, a fortieth of that, and all that is done without TEST_FULL. With
// TEST_ALGORITHM only algorithms whose "collective name" contains it: after one was changed.
#include "collective_case.hpp"
#include "full_run.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <thread>

using test::Instance;
using test::NodeMap;
using test::Nodes;

namespace {

// Of all ranks in one case, and in those that run at a time: some 24 bytes each.
int64_t most_operations() {
    return test::full_run() ? 100'000'000 : 100'000;
}
constexpr int64_t operations_at_a_time = 150'000'000;
constexpr int64_t few_operations = 10'000'000; // which are not counted

std::vector<const caucus_algorithm *> algorithms() {
    const char *asked = std::getenv("TEST_ALGORITHM");
    std::vector<const caucus_algorithm *> chosen;
    for (int i = 0; caucus_algorithm_entry(i); i++) {
        const caucus_algorithm *algorithm = caucus_algorithm_entry(i);
        std::string name = caucus_collective_name(algorithm->collective);
        if (!asked || (name + " " + algorithm->name).find(asked) != std::string::npos)
            chosen.push_back(algorithm);
    }
    return chosen;
}

// What all threads have found out.
class Tally {
  public:
    void failed(const std::string &what) {
        std::lock_guard<std::mutex> hold(lock);
        if (failures.size() < 20)
            failures.push_back(what);
        failed_cases++;
    }
    void passed(const caucus_algorithm *algorithm, int64_t count) {
        std::lock_guard<std::mutex> hold(lock);
        served.insert(algorithm);
        cases++;
        operations += count;
    }
    // What was not proved though it might serve: which of them hangs on the machine is told too.
    void left_out(const char *why, const std::string &what) {
        std::lock_guard<std::mutex> hold(lock);
        left[why].push_back(what);
    }
    bool ever_served(const caucus_algorithm *algorithm) const {
        return served.count(algorithm) > 0;
    }
    void report(const char *what, double seconds) const {
        std::printf("%s: %lld cases, %.4g operations verified in %.1f s\n", what,
                    static_cast<long long>(cases), static_cast<double>(operations), seconds);
        for (const auto &[why, cases_left] : left) {
            std::printf("%s: %zu cases left out, because %s\n", what, cases_left.size(),
                        why.c_str());
            for (const std::string &one : cases_left)
                std::printf("    %s\n", one.c_str());
        }
        for (const std::string &failure : failures)
            ADD_FAILURE() << failure;
        EXPECT_EQ(failed_cases, 0);
    }
    int64_t verified() {
        std::lock_guard<std::mutex> hold(lock);
        return operations;
    }

  private:
    std::mutex lock;
    std::vector<std::string> failures;
    std::set<const caucus_algorithm *> served;
    std::map<std::string, std::vector<std::string>> left;
    int64_t cases = 0, operations = 0, failed_cases = 0;
};

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

// Items 0 to count - 1, by all cores; says every ten seconds how far it is.
void share(const char *what, size_t count, Tally &tally, const std::function<void(size_t)> &item) {
    std::atomic<size_t> next{0}, done{0};
    std::vector<std::thread> threads;
    double begin = now(), said = begin;
    for (unsigned t = 0; t < std::max(1U, std::thread::hardware_concurrency()); t++)
        threads.emplace_back([&] {
            for (size_t i = next++; i < count; i = next++, done++)
                item(i);
        });
    while (done < count) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        if (now() - said > 10) {
            said = now();
            std::printf("%s: %zu of %zu, %.4g operations, %.0f s\n", what, done.load(), count,
                        static_cast<double>(tally.verified()), said - begin);
            std::fflush(stdout);
        }
    }
    for (std::thread &thread : threads)
        thread.join();
    tally.report(what, now() - begin);
}

// Its operations; 0 where it rightly said that it can't serve.
int64_t prove(const caucus_algorithm *algorithm, int32_t ranks, Nodes nodes, int32_t most,
              uint64_t seed, Tally &tally) {
    NodeMap map(nodes, ranks, most);
    caucus_problem_shape shape = test::draw_shape(algorithm, ranks, map.get(), seed);
    std::vector<int64_t> lengths = test::draw_lengths(shape, seed);
    if (!lengths.empty())
        shape.lengths = lengths.data();
    if (!test::must_serve(algorithm, shape))
        return 0;
    Instance instance(algorithm, shape);
    if (shape.node_limit < test::enough_node_memory(shape) &&
        instance.status == CAUCUS_NOT_APPLICABLE)
        return 0;
    if (instance.verify() == CAUCUS_OK)
        tally.passed(algorithm, instance.verdict.operations);
    else
        tally.failed(test::describe(algorithm, shape, nodes, most) + ": " + instance.text);
    return instance.verdict.operations;
}

// The shapes of nodes that an algorithm takes notice of.
std::vector<Nodes> kinds_for(const caucus_algorithm *algorithm) {
    if (algorithm->needs & CAUCUS_NEEDS_ONE_NODE)
        return {Nodes::one};
    if (algorithm->needs & CAUCUS_NEEDS_ORDERED)
        return {Nodes::one, Nodes::blocks, Nodes::uneven, Nodes::singletons};
    if (algorithm->needs & CAUCUS_NEEDS_NODES)
        return {Nodes::one, Nodes::blocks, Nodes::uneven, Nodes::interleaved, Nodes::singletons};
    return {Nodes::none, Nodes::uneven};
}

// All shapes of nodes, or of many ranks one after the other from count to count; and more, with
// other parameters, while the budget lasts.
void prove_many(const caucus_algorithm *algorithm, int32_t ranks, int64_t budget, int rounds,
                Tally &tally) {
    constexpr int32_t sizes[] = {1, 2, 3, 4, 7, 8, 16, 32};
    constexpr int32_t many = 64;
    std::vector<Nodes> kinds = kinds_for(algorithm);
    uint64_t seed = static_cast<uint64_t>(ranks) * 1000;
    size_t least = ranks > many ? 1 : kinds.size(), most_cases = kinds.size() * rounds;
    for (size_t i = 0; i < most_cases && (i < least || budget > 0); i++) {
        Nodes nodes = kinds[(static_cast<size_t>(ranks) + i) % kinds.size()];
        int32_t most = sizes[seed * 2654435761U % 4294967296U % std::size(sizes)];
        budget -= prove(algorithm, ranks, nodes, most, seed++, tally);
    }
}

// How many operations all ranks would have: those of the root, and of some others for all others.
// None where it can't serve.
constexpr int32_t samples = 6;

int64_t estimate(const caucus_algorithm *algorithm, const caucus_problem_shape &shape) {
    caucus_problem problem{};
    test::require(caucus_problem_init(&problem, &shape));
    int64_t sum = 0, own = 0;
    for (int32_t sample = 0; sample <= samples; sample++) {
        int32_t rank = static_cast<int32_t>(
            (shape.root + static_cast<int64_t>(sample) * shape.ranks / (samples + 1)) %
            shape.ranks);
        caucus_task task;
        caucus_schedule schedule{};
        test::require(caucus_problem_task(&problem, rank, &task));
        if (caucus_algorithm_build(algorithm, &task, &schedule))
            break; // what is wrong will be found
        (sample ? sum : own) += schedule.count;
        caucus_schedule_free(&schedule);
    }
    caucus_problem_free(&problem);
    return own + sum / samples * (shape.ranks - 1);
}

constexpr double longest_building = 30; // seconds

double processor_time() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Memory for large cases: who takes some waits until there is as much.
class Budget {
  public:
    void take(int64_t operations) {
        std::unique_lock<std::mutex> hold(lock);
        returned.wait(hold, [&] { return left >= operations; });
        left -= operations;
    }
    void give(int64_t operations) {
        std::lock_guard<std::mutex> hold(lock);
        left += operations;
        returned.notify_all();
    }

  private:
    std::mutex lock;
    std::condition_variable returned;
    int64_t left = operations_at_a_time;
} budget;

void prove_large(const caucus_algorithm *algorithm, int32_t ranks, Tally &tally) {
    std::vector<Nodes> kinds = kinds_for(algorithm);
    Nodes nodes = kinds[static_cast<size_t>(ranks) % kinds.size()];
    constexpr int32_t largest_node = 4096;
    if (nodes == Nodes::one && ranks > largest_node) {
        if (kinds.size() == 1)
            return tally.left_out("no node is so large",
                                  std::string(caucus_collective_name(algorithm->collective)) + " " +
                                      algorithm->name);
        nodes = kinds[1];
    }
    constexpr int32_t most = 64;
    NodeMap map(nodes, ranks, most);
    constexpr int32_t once = 2000;
    for (uint64_t seed = ranks > once; seed < 2; seed++) {
        caucus_problem_shape shape = test::draw_shape(algorithm, ranks, map.get(), seed);
        auto describe = [&] { return test::describe(algorithm, shape, nodes, most); };
        constexpr int32_t most_with_traffic = 2100; // every rank reads the table of all pairs
        if (shape.exchanged & CAUCUS_NEEDS_TRAFFIC && ranks > most_with_traffic &&
            algorithm->collective <= CAUCUS_ALLTOALLW)
            return tally.left_out("every rank reads the table of all pairs", describe());
        double begin = processor_time();
        int64_t operations = estimate(algorithm, shape);
        double building = (processor_time() - begin) / samples * ranks;
        if (operations > most_operations()) {
            tally.left_out("all ranks together have too many operations", describe());
            continue;
        }
        if (building > longest_building)
            return tally.left_out("building takes this machine too long", describe());
        bool large = operations > few_operations;
        if (large)
            budget.take(operations);
        prove(algorithm, ranks, nodes, most, seed, tally);
        if (large) {
            budget.give(operations);
            return;
        }
    }
}

TEST(Collectives, EveryAlgorithmAtEveryCount) {
    bool full = test::full_run();
    auto always = [](const caucus_algorithm *algorithm, int32_t ranks) {
        return ranks <= 20 || ranks == 31 || ranks == 33 || ranks == 64 ||
               (algorithm->collective == CAUCUS_BARRIER && ranks < 64);
    };
    const int32_t most = full ? 256 : 64;
    Tally tally;
    auto kinds = algorithms();
    share("all counts", kinds.size() * most, tally, [&](size_t item) {
        const caucus_algorithm *algorithm = kinds[item % kinds.size()];
        int32_t ranks = most - static_cast<int32_t>(item / kinds.size()); // the long ones first
        bool whole = full && test::in_share(item);
        if (whole || always(algorithm, ranks))
            prove_many(algorithm, ranks, whole ? 20'000 : 2'000, 2, tally);
    });
    for (const caucus_algorithm *algorithm : kinds)
        EXPECT_TRUE(tally.ever_served(algorithm)) << algorithm->name << " has never served";
}

TEST(Collectives, SomeLargeCounts) {
    std::vector<int32_t> counts = {300};
    if (test::full_run())
        counts = {16384, 2053, 1021, 300};
    Tally tally;
    auto kinds = algorithms();
    share("large counts", kinds.size() * counts.size(), tally, [&](size_t item) {
        int32_t ranks = counts[item / kinds.size()];
        if (ranks == 300 || test::in_share(item))
            prove_large(kinds[item % kinds.size()], ranks, tally);
    });
}

} // namespace
