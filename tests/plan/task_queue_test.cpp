// SPDX-License-Identifier: BSD-3-Clause
// Tasks that ask for so many workers: each is handed out once, in order but for those that may
// pass, to idle workers that lie as close together as can be.
extern "C" {
#include "plan/group/task_queue.h"
}

#include <algorithm>
#include <gtest/gtest.h>
#include <list>
#include <map>
#include <random>
#include <vector>

namespace {

struct Waiting {
    int64_t task;
    int32_t needs, passed;
};

// A queue, and beside it the same in the plainest words.
class Office {
  public:
    Office(int32_t given_workers, int32_t given_passes, unsigned seed)
        : workers(given_workers), passes(given_passes), random(seed),
          idle(static_cast<size_t>(given_workers)) {
        EXPECT_EQ(caucus_task_queue_create(&queue, workers, passes), 0);
    }
    ~Office() {
        caucus_task_queue_free(&queue);
    }
    Office(const Office &) = delete;
    Office &operator=(const Office &) = delete;

    void submit() {
        int32_t needs = static_cast<int32_t>(random() % static_cast<unsigned>(workers)) + 1;
        waiting.push_back({submitted, needs, 0});
        ASSERT_EQ(caucus_task_queue_submit(&queue, submitted++, needs), 0);
    }

    void come_back() {
        if (busy.empty())
            return;
        auto it = std::next(busy.begin(), static_cast<long>(random() % busy.size()));
        for (int32_t worker : it->second) {
            idle[static_cast<size_t>(worker)] = true;
            caucus_task_queue_ready(&queue, worker);
        }
        busy.erase(it);
    }

    void come_first(int32_t worker) {
        idle[static_cast<size_t>(worker)] = true;
        caucus_task_queue_ready(&queue, worker);
    }

    bool hand_out() {
        caucus_task_queue_task found;
        std::vector<int32_t> chosen(static_cast<size_t>(workers));
        bool some = caucus_task_queue_next(&queue, &found, chosen.data());
        auto expected = next();
        EXPECT_EQ(some, expected != waiting.end());
        if (!some)
            return false;
        EXPECT_EQ(found.task, expected->task);
        EXPECT_LE(expected->passed, passes);
        chosen.resize(static_cast<size_t>(found.needs));
        EXPECT_EQ(found.needs, expected->needs);
        check_batch(chosen);
        for (auto it = waiting.begin(); it != expected; ++it)
            it->passed++;
        waiting.erase(expected);
        for (int32_t worker : chosen)
            idle[static_cast<size_t>(worker)] = false;
        busy[found.task] = chosen;
        return true;
    }

    bool over() {
        bool all = std::count(idle.begin(), idle.end(), true) == workers;
        EXPECT_EQ(caucus_task_queue_is_over(&queue), all && waiting.empty());
        return all && waiting.empty();
    }

  private:
    std::list<Waiting>::iterator next() {
        auto free = std::count(idle.begin(), idle.end(), true);
        for (auto it = waiting.begin(); it != waiting.end(); ++it) {
            if (it->needs <= free)
                return it;
            if (it->passed >= passes)
                break;
        }
        return waiting.end();
    }

    // Ascending, idle, and no other batch has less between its first and last.
    void check_batch(const std::vector<int32_t> &chosen) {
        std::vector<int32_t> there;
        for (int32_t worker = 0; worker < workers; worker++)
            if (idle[static_cast<size_t>(worker)])
                there.push_back(worker);
        EXPECT_TRUE(std::includes(there.begin(), there.end(), chosen.begin(), chosen.end()));
        EXPECT_TRUE(std::adjacent_find(chosen.begin(), chosen.end(), std::greater_equal<>()) ==
                    chosen.end());
        for (size_t i = 0; i + chosen.size() <= there.size(); i++)
            EXPECT_LE(chosen.back() - chosen.front(), there[i + chosen.size() - 1] - there[i]);
    }

    caucus_task_queue queue;
    int32_t workers, passes;
    std::mt19937 random;
    std::vector<bool> idle;
    std::list<Waiting> waiting;
    std::map<int64_t, std::vector<int32_t>> busy;
    int64_t submitted = 0;
};

TEST(Desk, HandsOutEachOnceAsItSays) {
    for (int32_t workers : {1, 2, 3, 7, 16, 61})
        for (int32_t passes : {0, 1, 3, 1000}) {
            Office office(workers, passes, static_cast<unsigned>(workers * 7 + passes));
            std::mt19937 random(static_cast<unsigned>(workers + passes));
            for (int32_t worker = 0; worker < workers; worker++)
                office.come_first(worker);
            for (int i = 0; i < 2000; i++) {
                if (random() % 3)
                    office.submit();
                else
                    office.come_back();
                while (random() % 4 && office.hand_out())
                    office.over();
            }
            int rounds = 0;
            for (; !office.over() && rounds < 10000; rounds++)
                if (!office.hand_out())
                    office.come_back();
            EXPECT_TRUE(office.over());
        }
}

// Too many to be gone through for each task.
TEST(Desk, ServesManyWorkers) {
    const int32_t workers = 1 << 18;
    caucus_task_queue queue;
    caucus_task_queue_task found;
    std::vector<int32_t> chosen(static_cast<size_t>(workers));
    ASSERT_EQ(caucus_task_queue_create(&queue, workers, 0), 0);
    for (int32_t worker = 0; worker < workers; worker++) {
        caucus_task_queue_ready(&queue, worker);
        ASSERT_EQ(caucus_task_queue_submit(&queue, worker, 1), 0);
    }
    for (int32_t worker = 0; worker < workers; worker++) {
        ASSERT_TRUE(caucus_task_queue_next(&queue, &found, chosen.data()));
        ASSERT_EQ(found.task, worker);
        ASSERT_EQ(chosen[0], worker);
    }
    for (int32_t round = 0; round < workers; round++) { // one at a time, of the last ones
        ASSERT_EQ(caucus_task_queue_submit(&queue, round, 1), 0);
        caucus_task_queue_ready(&queue, workers - 1 - round % 2);
        ASSERT_TRUE(caucus_task_queue_next(&queue, &found, chosen.data()));
        ASSERT_EQ(chosen[0], workers - 1 - round % 2);
    }
    caucus_task_queue_free(&queue);
}

TEST(Desk, ForgetsWhatWaitsAndGoesOn) {
    caucus_task_queue queue;
    caucus_task_queue_task found;
    int32_t chosen[2];
    ASSERT_EQ(caucus_task_queue_create(&queue, 2, 0), 0);
    EXPECT_FALSE(caucus_task_queue_is_over(&queue));
    caucus_task_queue_ready(&queue, 0);
    caucus_task_queue_ready(&queue, 1);
    caucus_task_queue_ready(&queue, 1); // says so twice
    EXPECT_TRUE(caucus_task_queue_is_over(&queue));
    for (int64_t task = 0; task < 100; task++)
        ASSERT_EQ(caucus_task_queue_submit(&queue, task, 1 + task % 2), 0);
    caucus_task_queue_clear(&queue);
    EXPECT_TRUE(caucus_task_queue_is_over(&queue));
    ASSERT_EQ(caucus_task_queue_submit(&queue, 5, 2), 0);
    ASSERT_TRUE(caucus_task_queue_next(&queue, &found, chosen));
    EXPECT_EQ(found.task, 5);
    EXPECT_EQ(chosen[0], 0);
    EXPECT_EQ(chosen[1], 1);
    EXPECT_FALSE(caucus_task_queue_next(&queue, &found, chosen));
    EXPECT_FALSE(caucus_task_queue_is_over(&queue));
    caucus_task_queue_free(&queue);
}

} // namespace
