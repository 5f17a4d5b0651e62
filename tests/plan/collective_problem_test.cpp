// SPDX-License-Identifier: BSD-3-Clause
// What all ranks are told about a collective fits together, and what is expected of it is what MPI
// says: checked block by block against a second, plain reading of the definitions.
#include "collective_case.hpp"

#include <gtest/gtest.h>

#include <map>

namespace {

class Asked {
  public:
    explicit Asked(const caucus_problem_shape &shape) {
        status = caucus_problem_init(&problem, &shape);
        caucus_problem_specification(&problem, &specification);
    }
    ~Asked() {
        caucus_problem_free(&problem);
    }
    Asked(const Asked &) = delete;
    Asked &operator=(const Asked &) = delete;

    caucus_task task(int32_t rank) {
        caucus_task task{};
        EXPECT_EQ(caucus_problem_task(&problem, rank, &task), CAUCUS_OK);
        return task;
    }
    caucus_rank_buffers buffers(int32_t rank) {
        caucus_rank_buffers buffers{};
        specification.buffers(specification.context, rank, &buffers);
        return buffers;
    }
    std::vector<caucus_expected> expected(int32_t rank) {
        const caucus_expected *first = nullptr;
        int64_t count = 0;
        EXPECT_EQ(specification.expected(specification.context, rank, &first, &count), CAUCUS_OK);
        return {first, first + count};
    }

    caucus_problem problem{};
    caucus_specification specification{};
    int status;
};

caucus_problem_shape shape_of(caucus_collective collective, int32_t ranks, int64_t bytes) {
    caucus_problem_shape shape{};
    shape.collective = collective;
    shape.ranks = ranks;
    shape.bytes = bytes;
    return shape;
}

// The n-th block from a to b, wherever MPI has both sides name it: (from, to, n) -> length, offset.
using Blocks = std::map<std::tuple<int32_t, int32_t, int>, std::pair<int64_t, int64_t>>;

void add(Blocks &blocks, int32_t from, int32_t to, int64_t length, int64_t offset) {
    int n = 0;
    while (blocks.count({from, to, n}))
        n++;
    blocks[{from, to, n}] = {length, offset};
}

// Whether every receiver expects what the senders' own views say that they send.
void expect_pairs(Asked &asked, const Blocks &sent) {
    Blocks received;
    for (int32_t rank = 0; rank < asked.problem.shape.ranks; rank++) {
        int64_t at = 0;
        for (const caucus_expected &one : asked.expected(rank)) {
            EXPECT_EQ(one.out_offset, at);
            EXPECT_EQ(one.first_rank, one.last_rank);
            at += one.length;
            add(received, one.first_rank, rank, one.length, one.in_offset);
        }
        EXPECT_EQ(at, asked.buffers(rank).out_bytes);
    }
    EXPECT_EQ(sent, received);
}

TEST(Problem, AllToAllsExpectWhatIsSent) {
    for (auto collective : {CAUCUS_ALLTOALL, CAUCUS_ALLTOALLV, CAUCUS_ALLTOALLW})
        for (bool in_place : {false, true}) {
            caucus_problem_shape shape = shape_of(collective, 7, 24);
            shape.irregular = true;
            shape.element = 4;
            shape.in_place = in_place;
            shape.exchanged = CAUCUS_NEEDS_TRAFFIC;
            Asked asked(shape);
            Blocks sent;
            for (int32_t from = 0; from < 7; from++) {
                caucus_task task = asked.task(from);
                int64_t at = 0;
                for (int32_t to = 0; to < 7; at += caucus_task_send(&task, to++)) {
                    add(sent, from, to, caucus_task_send(&task, to), at);
                    EXPECT_EQ(task.traffic->bytes[task.traffic->first[from] + to],
                              caucus_task_send(&task, to));
                    EXPECT_TRUE(!in_place ||
                                caucus_task_send(&task, to) == caucus_task_receive(&task, to));
                }
                EXPECT_EQ(at, asked.buffers(from).in_bytes);
                EXPECT_EQ(asked.buffers(from).aliased, in_place);
            }
            expect_pairs(asked, sent);
        }
}

TEST(Problem, NeighboursExpectWhatIsSent) {
    for (int collective = CAUCUS_NEIGHBOR_ALLGATHER; collective < CAUCUS_COLLECTIVES; collective++)
        for (uint64_t seed = 0; seed < 20; seed++) {
            caucus_problem_shape shape =
                shape_of(static_cast<caucus_collective>(collective), 12, 8);
            shape.seed = seed;
            shape.irregular = true;
            test::Draw draw(seed);
            test::draw_neighbourhood(draw, shape);
            Asked asked(shape);
            ASSERT_EQ(asked.status, CAUCUS_OK);
            bool same_block = collective <= CAUCUS_NEIGHBOR_ALLGATHERV;
            Blocks sent;
            for (int32_t from = 0; from < 12; from++) {
                caucus_task task = asked.task(from);
                int64_t at = 0;
                for (int32_t k = 0; k < task.destinations; k++) {
                    int64_t length = same_block ? task.bytes : caucus_task_send(&task, k);
                    add(sent, from, task.destination[k], length, at);
                    at += same_block ? 0 : length;
                }
                EXPECT_EQ(same_block ? task.bytes : at, asked.buffers(from).in_bytes);
            }
            expect_pairs(asked, sent);
        }
}

// On a ring what goes down comes from above, even if both neighbours are one rank, or oneself.
TEST(Problem, AStarPairsOppositeDirections) {
    for (int32_t ranks : {1, 2, 5}) {
        caucus_problem_shape shape = shape_of(CAUCUS_NEIGHBOR_ALLTOALL, ranks, 8);
        shape.neighbourhood = CAUCUS_NEIGHBOURHOOD_STAR;
        shape.axes = 1;
        shape.side[0] = ranks;
        shape.periodic[0] = true;
        Asked asked(shape);
        for (int32_t rank = 0; rank < ranks; rank++) {
            std::vector<caucus_expected> expected = asked.expected(rank);
            ASSERT_EQ(expected.size(), 2U);
            EXPECT_EQ(expected[0].first_rank, (rank + 1) % ranks); // from above
            EXPECT_EQ(expected[0].in_offset, 0);                   // its block for below
            EXPECT_EQ(expected[1].first_rank, (rank + ranks - 1) % ranks);
            EXPECT_EQ(expected[1].in_offset, 8);
        }
    }
}

TEST(Problem, GivesARankOnlyWhatMPIGivesIt) {
    caucus_problem_shape shape = shape_of(CAUCUS_GATHERV, 5, 16);
    shape.root = 3;
    shape.irregular = true;
    {
        Asked asked(shape);
        for (int32_t rank = 0; rank < 5; rank++) {
            EXPECT_EQ(asked.task(rank).receive_bytes != nullptr, rank == 3);
            EXPECT_EQ(asked.task(rank).volume, 0);
            EXPECT_EQ(asked.task(rank).bytes, asked.buffers(rank).in_bytes);
        }
    }
    shape.exchanged = CAUCUS_NEEDS_COUNTS;
    Asked asked(shape);
    for (int32_t rank = 0; rank < 5; rank++) {
        EXPECT_NE(asked.task(rank).receive_bytes, nullptr);
        EXPECT_EQ(asked.task(rank).volume, asked.buffers(3).out_bytes);
    }
}

TEST(Problem, MergesWhatStandsTogether) {
    Asked asked(shape_of(CAUCUS_ALLGATHER, 16384, 8));
    std::vector<caucus_expected> expected = asked.expected(5000);
    ASSERT_EQ(expected.size(), 1U);
    EXPECT_EQ(expected[0].length, 16384 * 8);
}

// Serves not on rank 1, and on no rank where nothing is sent.
void emit_partly(caucus_builder *builder, const caucus_task *task) {
    if (task->rank == 1 || task->bytes == 0)
        caucus_builder_fail(builder, CAUCUS_NOT_APPLICABLE, "no room");
}

TEST(Problem, AnAlgorithmServesOnAllRanksOrOnNone) {
    const caucus_algorithm partial{CAUCUS_BCAST, "partial", "", 0, emit_partly, nullptr};
    for (int64_t bytes : {0, 8}) {
        Asked asked(shape_of(CAUCUS_BCAST, 3, bytes));
        caucus_schedule *schedules = nullptr;
        EXPECT_EQ(caucus_problem_build(&asked.problem, &partial, &schedules),
                  bytes ? CAUCUS_INTERNAL : CAUCUS_NOT_APPLICABLE);
        EXPECT_EQ(schedules, nullptr);
        EXPECT_STREQ(caucus_error_text(),
                     bytes ? "partial serves on rank 2, but not on rank 1: no room" : "no room");
    }
}

TEST(Problem, RefusesWhatMakesNoSense) {
    EXPECT_NE(Asked(shape_of(CAUCUS_ALLREDUCE, 0, 8)).status, CAUCUS_OK);
    EXPECT_NE(Asked(shape_of(CAUCUS_ALLREDUCE, 4, -8)).status, CAUCUS_OK);
    EXPECT_NE(Asked(shape_of(CAUCUS_NEIGHBOR_ALLGATHER, 4, 8)).status, CAUCUS_OK);
    caucus_problem_shape shape = shape_of(CAUCUS_BCAST, 4, 8);
    shape.root = 4;
    EXPECT_NE(Asked(shape).status, CAUCUS_OK);
    shape = shape_of(CAUCUS_ALLREDUCE, 4, 9);
    shape.element = 8;
    EXPECT_NE(Asked(shape).status, CAUCUS_OK);
    shape = shape_of(CAUCUS_NEIGHBOR_ALLGATHER, 4, 8);
    shape.neighbourhood = CAUCUS_NEIGHBOURHOOD_STAR;
    shape.axes = 2;
    shape.side[0] = shape.side[1] = 3;
    EXPECT_NE(Asked(shape).status, CAUCUS_OK);
}

// All blocks of all ranks together are less than 2^61 bytes.
TEST(Problem, RefusesMoreBytesThanCanBeCounted) {
    constexpr int64_t most = (int64_t{1} << 60) - 1;
    caucus_problem_shape shape = shape_of(CAUCUS_NEIGHBOR_ALLTOALL, 1, most);
    shape.neighbourhood = CAUCUS_NEIGHBOURHOOD_RANDOM;
    shape.degree = 1;
    EXPECT_EQ(Asked(shape).status, CAUCUS_OK) << caucus_error_text();
    shape.degree = 1000;
    EXPECT_EQ(Asked(shape).status, CAUCUS_BAD_ARGUMENT);
    EXPECT_NE(std::string(caucus_error_text()).find("up to 1000 blocks"), std::string::npos)
        << caucus_error_text();
    shape.bytes = most / 1000;
    EXPECT_EQ(Asked(shape).status, CAUCUS_OK) << caucus_error_text();
    shape.neighbourhood = CAUCUS_NEIGHBOURHOOD_STAR;
    shape.bytes = most;
    shape.axes = 1;
    shape.side[0] = 1;
    EXPECT_EQ(Asked(shape).status, CAUCUS_BAD_ARGUMENT);
}

} // namespace
