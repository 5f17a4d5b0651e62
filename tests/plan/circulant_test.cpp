// SPDX-License-Identifier: BSD-3-Clause
// The blocks of a broadcast over the circulant graph: what each rank works out by itself fits
// together.
extern "C" {
#include "plan/collective/circulant_pipeline.h"
}

#include <gtest/gtest.h>

#include <vector>

namespace {

std::vector<caucus_pipeline> all_ranks(int32_t size, int32_t root, int64_t blocks) {
    std::vector<caucus_pipeline> pipelines(static_cast<size_t>(size));
    for (int32_t rank = 0; rank < size; rank++)
        caucus_pipeline_init(&pipelines[static_cast<size_t>(rank)], size, root, rank, blocks);
    return pipelines;
}

void expect_broadcast(int32_t size, int32_t root, int64_t blocks) {
    auto pipelines = all_ranks(size, root, blocks);
    std::vector<std::vector<bool>> has(static_cast<size_t>(size));
    for (int32_t rank = 0; rank < size; rank++)
        has[static_cast<size_t>(rank)].assign(static_cast<size_t>(blocks), rank == root);
    int64_t received = 0;
    for (int64_t i = 0; i < pipelines[0].rounds; i++) {
        auto before = has;
        for (int32_t rank = 0; rank < size; rank++) {
            auto mine = caucus_pipeline_round_at(&pipelines[static_cast<size_t>(rank)], i);
            auto from = static_cast<size_t>(mine.from);
            auto theirs = caucus_pipeline_round_at(&pipelines[from], i);
            ASSERT_EQ(theirs.to, rank);
            ASSERT_EQ(theirs.send < 0 ? -1 : theirs.send, mine.receive < 0 ? -1 : mine.receive);
            if (mine.receive < 0)
                continue;
            auto block = static_cast<size_t>(mine.receive);
            ASSERT_LT(mine.receive, blocks);
            ASSERT_TRUE(before[from][block]) << "rank " << from << " sends what it has not got";
            ASSERT_FALSE(before[static_cast<size_t>(rank)][block]) << "a block comes twice";
            has[static_cast<size_t>(rank)][block] = true;
            received++;
        }
    }
    EXPECT_EQ(received, blocks * (size - 1));
}

TEST(Circulant, SkipsAreHalves) {
    caucus_circulant graph;
    caucus_circulant_init(&graph, 17);
    EXPECT_EQ(graph.rounds, 5);
    for (int k = 0, expected[] = {1, 2, 3, 5, 9, 17}; k <= 5; k++)
        EXPECT_EQ(graph.skip[k], expected[k]);
    caucus_circulant_init(&graph, 1);
    EXPECT_EQ(graph.rounds, 0);
    caucus_circulant_init(&graph, INT32_MAX);
    EXPECT_EQ(graph.rounds, 31);
    EXPECT_EQ(graph.skip[30], 1 << 30);
}

TEST(Circulant, EveryRankGetsEveryBlockOnce) {
    for (int32_t size = 1; size <= 130; size++)
        for (int64_t blocks : {1, 2, 3, 7, 12})
            expect_broadcast(size, (size * 5 + 3) % size, blocks);
    for (int32_t size : {509, 1000, 1024, 1025})
        expect_broadcast(size, size / 3, 21);
}

// What allgatherv relies on: the last block comes to ranks skip[k] to skip[k + 1] - 1 from the root
// in round k of the last phase.
TEST(Circulant, TheLastBlockComesByDistance) {
    for (int32_t size = 2; size <= 300; size++)
        for (int64_t blocks : {1, 2, 5, 9, 30})
            for (int32_t rank = 1; rank < size; rank++) {
                caucus_pipeline pipeline;
                caucus_pipeline_init(&pipeline, size, 0, rank, blocks);
                const caucus_circulant &graph = pipeline.graph;
                for (int k = 0; k < graph.rounds; k++) {
                    int64_t round = pipeline.rounds - graph.rounds + k;
                    bool comes = graph.skip[k] <= rank && rank < graph.skip[k + 1];
                    auto now = caucus_pipeline_round_at(&pipeline, round);
                    ASSERT_EQ(now.receive == blocks - 1, comes) << size << " " << rank;
                }
            }
}

TEST(Circulant, TakesNoMoreRoundsThanItMust) {
    for (int32_t size = 2; size <= 300; size++) {
        caucus_pipeline pipeline;
        caucus_pipeline_init(&pipeline, size, 0, size - 1, 10);
        EXPECT_EQ(pipeline.rounds, 9 + pipeline.graph.rounds);
    }
}

} // namespace
