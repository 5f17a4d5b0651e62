// SPDX-License-Identifier: BSD-3-Clause
// Whatever allocation fails: an algorithm says that it is out of memory, and gives back all that it
// had; and nothing is kept where none fails.
extern "C" {
#include "base/status.h"
}
#include "collective_case.hpp"
#include "failing_memory.hpp"
#include "intergroup_case.hpp"
extern "C" {
#include "plan/choice/choose.h"
#include "plan/collective/algorithm.h"
#include "plan/intergroup/intergroup.h"
}

#include <caucus/schedule.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace {

using test::refuse_each;

uint64_t digest_of(const caucus_schedule &schedule) {
    uint64_t digest = static_cast<uint64_t>(schedule.scratch_bytes + schedule.node_bytes);
    const auto *byte = reinterpret_cast<const unsigned char *>(schedule.operations);
    for (size_t i = 0; i < static_cast<size_t>(schedule.count) * sizeof *schedule.operations; i++)
        digest = (digest ^ byte[i]) * 0x100000001B3 + 1;
    return digest;
}

void refuse_each_of(const caucus_algorithm *algorithm, const caucus_problem_shape &shape,
                    test::Nodes nodes) {
    caucus_problem problem{};
    ASSERT_EQ(caucus_problem_init(&problem, &shape), CAUCUS_OK);
    std::string name = test::describe(algorithm, shape, nodes, 4);
    for (int32_t rank : {0, 3, shape.ranks - 1}) {
        caucus_task task;
        ASSERT_EQ(caucus_problem_task(&problem, rank, &task), CAUCUS_OK);
        if (caucus_algorithm_serves(algorithm, &task))
            continue;
        uint64_t right = 0;
        refuse_each(
            name,
            [&] {
                caucus_schedule schedule{};
                int status = caucus_algorithm_build(algorithm, &task, &schedule);
                uint64_t digest = status ? right : digest_of(schedule);
                right = right ? right : digest;
                caucus_schedule_free(&schedule);
                return digest == right ? status : static_cast<int>(CAUCUS_INTERNAL);
            },
            true);
    }
    caucus_problem_free(&problem);
}

constexpr test::Nodes ways[] = {test::Nodes::none, test::Nodes::one, test::Nodes::uneven,
                                test::Nodes::interleaved};

TEST(OutOfMemory, AlgorithmsOfCollectives) {
    for (int i = 0; caucus_algorithm_entry(i); i++)
        for (auto nodes : ways)
            for (uint64_t seed = 1; seed <= 6; seed++) {
                const int32_t ranks = seed % 2 ? 7 : 12;
                test::NodeMap map(nodes, ranks, 4);
                const caucus_algorithm *algorithm = caucus_algorithm_entry(i);
                refuse_each_of(algorithm, test::draw_shape(algorithm, ranks, map.get(), seed),
                               nodes);
            }
}

TEST(OutOfMemory, AlgorithmsBetweenGroups) {
    for (int i = 0; caucus_intergroup_algorithm(i); i++)
        for (auto nodes : ways)
            for (uint64_t seed = 1; seed <= 6; seed++) {
                const int32_t first = seed % 2 ? 3 : 7, ranks = first + 5;
                test::NodeMap map(nodes, ranks, 4);
                test::NodesApart apart(first, 5, 4, seed % 4 < 2);
                const caucus_algorithm *algorithm = caucus_intergroup_algorithm(i);
                refuse_each_of(algorithm,
                               test::draw_intergroup_shape(
                                   algorithm, ranks, first,
                                   nodes == test::Nodes::uneven ? apart.get() : map.get(), seed),
                               nodes);
            }
}

// Of the same by all ranks, some of which may have the memory: who has none comes to nothing, or to
// what they come to.
void refuse_each_of_choosing(const caucus_problem_shape &shape) {
    constexpr unsigned exchanged = CAUCUS_NEEDS_COUNTS | CAUCUS_NEEDS_TRAFFIC;
    caucus_problem problem{};
    ASSERT_EQ(caucus_problem_init(&problem, &shape), CAUCUS_OK);
    caucus_task task;
    ASSERT_EQ(caucus_problem_task(&problem, 0, &task), CAUCUS_OK);
    caucus_model model, usual;
    caucus_model_default(&model);
    caucus_model_default(&usual);
    usual.copy_byte *= 3;
    const caucus_algorithm *right[2] = {};
    refuse_each(
        std::string("a choice for ") + caucus_collective_name(shape.collective) + " of " +
            std::to_string(shape.bytes) + " bytes, " + std::to_string(shape.first_group),
        [&] {
            const caucus_algorithm *chosen[2] = {};
            caucus_candidate candidate;
            int status = caucus_algorithm_choose(&task, &model, "", exchanged, &chosen[0]);
            if (!status)
                status =
                    caucus_algorithm_choose_measured(&task, &model, &usual, exchanged, &chosen[1]);
            for (int i = 0;
                 !status && caucus_algorithm_explain(&task, &model, exchanged, i, &candidate); i++)
                status = candidate.lacks_memory ? CAUCUS_NO_MEMORY : CAUCUS_OK;
            if (status)
                return status;
            for (int i = 0; i < 2; i++)
                right[i] = right[i] ? right[i] : chosen[i];
            return chosen[0] == right[0] && chosen[1] == right[1]
                       ? CAUCUS_OK
                       : static_cast<int>(CAUCUS_INTERNAL);
        },
        true);
    caucus_problem_free(&problem);
}

TEST(OutOfMemory, Choices) {
    for (auto collective :
         {CAUCUS_ALLTOALLV, CAUCUS_NEIGHBOR_ALLGATHER, CAUCUS_NEIGHBOR_ALLTOALL, CAUCUS_ALLGATHERV,
          CAUCUS_REDUCE_SCATTER, CAUCUS_ALLREDUCE, CAUCUS_BCAST})
        for (int32_t first : {0, 32})
            for (int64_t bytes : {8, 512, 4096, 1 << 18}) {
                const bool neighbours = collective >= CAUCUS_NEIGHBOR_ALLGATHER;
                test::NodeMap map(test::Nodes::blocks, 64, 4);
                caucus_problem_shape shape{};
                shape.collective = collective;
                shape.ranks = 64;
                shape.first_group = neighbours ? 0 : first;
                shape.bytes = shape.second_bytes = bytes;
                shape.commutative = true;
                shape.element = 8;
                shape.nodes = map.get();
                shape.node_limit = 4 << 20;
                shape.exchanged = CAUCUS_NEEDS_COUNTS | CAUCUS_NEEDS_TRAFFIC;
                if (neighbours)
                    shape.neighbourhood = CAUCUS_NEIGHBOURHOOD_RANDOM;
                shape.degree = neighbours ? 2 : 0;
                refuse_each_of_choosing(shape);
            }
}

// A prediction that there is no memory for is left out.
int study(const char *collective, const char *machine, int64_t first_group) {
    caucus_study_question question{};
    question.collective = collective;
    question.machine = machine;
    question.ranks = 6;
    question.first_group = first_group;
    question.bytes = 4096;
    question.element = 8;
    question.commutative = 1;
    question.degree = 3;
    caucus_study *study = nullptr;
    caucus_study_verdict verdict;
    caucus_study_time time;
    int status = caucus_study_create(&question, &study);
    if (!status)
        status = caucus_study_verify(study, &verdict);
    if (!status)
        status = caucus_study_simulate(study, &time);
    caucus_study_free(study);
    return status == CAUCUS_PLAN_FAILED ? static_cast<int>(CAUCUS_NO_MEMORY) : status;
}

TEST(OutOfMemory, Studies) {
    for (const char *collective : {"allreduce", "alltoallv", "gather", "neighbor_alltoall"})
        for (const char *machine : {"2x3", ""})
            for (int64_t first_group : {0, 2}) {
                if (first_group && std::string(collective) == "neighbor_alltoall")
                    continue; // there is none between groups
                refuse_each(
                    std::string("a study of ") + collective,
                    [&] { return study(collective, machine, first_group); }, true);
            }
}

} // namespace
