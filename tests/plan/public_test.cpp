// SPDX-License-Identifier: BSD-3-Clause
// The planner's public face, caucus/plan.h, and the ranks that take part in a smaller grid.
extern "C" {
#include "base/status.h"
#include "study/grid/taking_part.h"
}
#include "temporary_file.hpp"

#include <caucus/plan.h>
#include <caucus/version.h>
#include <gtest/gtest.h>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace {

using Plan = std::unique_ptr<caucus_plan, decltype(&caucus_plan_free)>;
using Dims = std::vector<int>;

Plan make(const Dims &dims, const std::string &machine, int64_t ranks = 0) {
    caucus_plan *plan = nullptr;
    EXPECT_EQ(caucus_plan_create(static_cast<int>(dims.size()), dims.data(), nullptr, nullptr,
                                 nullptr, machine.c_str(), ranks, &plan),
              CAUCUS_PLAN_OK)
        << caucus_error_text();
    return Plan(plan, caucus_plan_free);
}

std::string refused(const Dims &dims, const char *stencil, const double *weights,
                    const char *machine, int64_t ranks = 0) {
    caucus_plan *plan = reinterpret_cast<caucus_plan *>(1);
    EXPECT_EQ(caucus_plan_create(static_cast<int>(dims.size()), dims.data(), nullptr, stencil,
                                 weights, machine, ranks, &plan),
              CAUCUS_PLAN_BAD_INPUT);
    EXPECT_EQ(plan, nullptr);
    return caucus_error_text();
}

std::vector<int32_t> ranks_of(caucus_plan *plan) {
    std::vector<int32_t> ranks(static_cast<size_t>(caucus_plan_cells(plan)));
    EXPECT_EQ(caucus_plan_rank_of_cell(plan, ranks.data()), CAUCUS_PLAN_OK) << caucus_error_text();
    return ranks;
}

std::vector<int32_t> nodes_of(const caucus_plan *plan) {
    std::vector<int32_t> nodes(static_cast<size_t>(caucus_plan_cells(plan)));
    EXPECT_EQ(caucus_plan_node_of_cell(plan, nodes.data()), CAUCUS_PLAN_OK);
    return nodes;
}

caucus_cart_traffic measure(caucus_plan *plan, int level = 0) {
    caucus_cart_traffic traffic{};
    EXPECT_EQ(caucus_plan_measure(plan, level, &traffic), CAUCUS_PLAN_OK) << caucus_error_text();
    return traffic;
}

TEST(Public, KnownGrid) {
    Plan plan = make({50, 48}, "ppn:48");
    EXPECT_EQ(caucus_plan_parts(plan.get(), 0), 50);
    EXPECT_STREQ(caucus_plan_mapper(plan.get()), "given");
    EXPECT_EQ(measure(plan.get()).off_node, 4704);
    ASSERT_EQ(caucus_plan_map(plan.get(), "best"), CAUCUS_PLAN_OK);
    caucus_cart_traffic best = measure(plan.get());
    EXPECT_EQ(best.off_node, 1204);
    EXPECT_EQ(best.all, 2 * (50 * 47 + 49 * 48));
    double bound = 0;
    ASSERT_EQ(caucus_plan_bound(plan.get(), &bound), CAUCUS_PLAN_OK);
    EXPECT_LE(bound, best.off_node);
    EXPECT_GT(bound, 0);
}

TEST(Public, SmallerGridTakesTheLargestNodes) {
    Plan plan = make({3, 4}, "2,6,2,6");
    EXPECT_EQ(caucus_plan_ranks(plan.get()), 16);
    EXPECT_EQ(nodes_of(plan.get()), (std::vector<int32_t>{0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 3, 3}));
    ASSERT_EQ(caucus_plan_map(plan.get(), "best"), CAUCUS_PLAN_OK);
    std::vector<int32_t> nodes = nodes_of(plan.get()), ranks = ranks_of(plan.get());
    EXPECT_EQ(std::set<int32_t>(nodes.begin(), nodes.end()), (std::set<int32_t>{1, 3}));
    std::vector<int32_t> node_of_rank(16);
    ASSERT_EQ(caucus_plan_part_of_rank(plan.get(), 0, node_of_rank.data()), CAUCUS_PLAN_OK);
    for (size_t cell = 0; cell < 12; cell++)
        EXPECT_EQ(node_of_rank[static_cast<size_t>(ranks[cell])], nodes[cell]);
    EXPECT_EQ(std::set<int32_t>(ranks.begin(), ranks.end()).size(), 12u);
}

TEST(Public, NeverWorseThanTheFirstRanks) {
    // The first six ranks share a node; the largest nodes would be as good, not better.
    Plan plan = make({2, 3}, "6,6,6");
    ASSERT_EQ(caucus_plan_map(plan.get(), "best"), CAUCUS_PLAN_OK);
    EXPECT_EQ(measure(plan.get()).off_node, 0);
    EXPECT_STREQ(caucus_plan_mapper(plan.get()), "given");
}

TEST(Public, Levels) {
    std::string text;
    for (const char *place : {"a 0", "a 1", "b 0", "b 1"})
        for (int rank = 0; rank < 4; rank++)
            text += std::string(place) + "\n";
    test::TemporaryFile file(text);
    Plan plan = make({4, 4}, "file:" + file.path);
    EXPECT_EQ(caucus_plan_levels(plan.get()), 2);
    EXPECT_EQ(caucus_plan_parts(plan.get(), 1), 4);
    EXPECT_EQ(caucus_plan_parts(plan.get(), 2), 0);
    EXPECT_STREQ(caucus_plan_node_name(plan.get(), 1), "b");
    EXPECT_EQ(caucus_plan_node_name(plan.get(), 2), nullptr);
    EXPECT_EQ(caucus_plan_node_name(plan.get(), -1), nullptr);
    EXPECT_EQ(measure(plan.get(), 1).off_node, 24);
    ASSERT_EQ(caucus_plan_map(plan.get(), "slabs"), CAUCUS_PLAN_OK);
    EXPECT_EQ(measure(plan.get(), 1).off_node, 16);
    caucus_cart_traffic traffic;
    EXPECT_EQ(caucus_plan_measure(plan.get(), 2, &traffic), CAUCUS_PLAN_BAD_INPUT);
}

TEST(Public, MapperThatDoesNotServe) {
    Plan plan = make({5, 3}, "7,8");
    EXPECT_EQ(caucus_plan_map(plan.get(), "nodecart"), CAUCUS_PLAN_NOT_APPLICABLE);
    EXPECT_NE(std::string(caucus_error_text()).find("nodecart"), std::string::npos);
    EXPECT_EQ(caucus_plan_map(plan.get(), "no such"), CAUCUS_PLAN_BAD_INPUT);
    EXPECT_EQ(caucus_plan_map(plan.get(), nullptr), CAUCUS_PLAN_BAD_INPUT);
    EXPECT_STREQ(caucus_plan_mapper(plan.get()), "given");
}

TEST(Public, Refusals) {
    const double weights[] = {1, 2};
    EXPECT_NE(refused({4, 4}, nullptr, nullptr, "3x5").find("only 15 ranks"), std::string::npos);
    EXPECT_NE(refused({4, 4}, "box", weights, "4x4").find("star"), std::string::npos);
    EXPECT_NE(refused({4, 0}, nullptr, nullptr, "4x4").find("dims[1]"), std::string::npos);
    EXPECT_NE(refused({4, 4}, nullptr, nullptr, nullptr).find("null"), std::string::npos);
    EXPECT_NE(refused({4, 4}, "no/such/file", nullptr, "4x4").find("no/such"), std::string::npos);
    EXPECT_NE(refused({4, 4}, nullptr, nullptr, "4x4", 17).find("17"), std::string::npos);
    EXPECT_FALSE(refused(Dims(11, 1), nullptr, nullptr, "ppn:1").empty());
    EXPECT_FALSE(refused({65536, 65536}, nullptr, nullptr, "ppn:1").empty());
}

TEST(Public, OffsetsAsNumbers) {
    const int dims[] = {4, 4}, offsets[] = {1, 0, -1, 0};
    const double weights[] = {2, 3};
    caucus_plan *made = nullptr;
    ASSERT_EQ(caucus_plan_create_offsets(2, dims, nullptr, 2, offsets, weights, "4x4", 0, &made),
              CAUCUS_PLAN_OK);
    Plan plan(made, caucus_plan_free);
    EXPECT_EQ(measure(plan.get()).off_node, 12 * 5);
    int count;
    const int *kept;
    const double *weight;
    caucus_plan_stencil(plan.get(), &count, &kept, &weight);
    EXPECT_EQ(Dims(kept, kept + 4), Dims(offsets, offsets + 4));
    EXPECT_EQ(weight[1], 3);
    EXPECT_EQ(caucus_plan_create_offsets(2, dims, nullptr, 1, nullptr, nullptr, "4x4", 0, &made),
              CAUCUS_PLAN_BAD_INPUT);
    EXPECT_EQ(made, nullptr);
}

TEST(Public, NoDimensionsIsOneCell) {
    Plan plan = make({}, "3");
    EXPECT_EQ(caucus_plan_cells(plan.get()), 1);
    ASSERT_EQ(caucus_plan_map(plan.get(), "best"), CAUCUS_PLAN_OK) << caucus_error_text();
    EXPECT_EQ(ranks_of(plan.get()), std::vector<int32_t>{0});
}

TEST(Public, TakingPartIsAPlainCopyWhereAllDo) {
    caucus_machine machine{}, part{};
    int32_t *ranks = nullptr;
    ASSERT_EQ(caucus_machine_parse(&machine, "2x3", 0), CAUCUS_OK);
    ASSERT_EQ(caucus_machine_taking_part(&machine, 6, &part, &ranks), CAUCUS_OK);
    EXPECT_EQ(ranks, nullptr);
    EXPECT_EQ(part.part_of_rank[0], machine.part_of_rank[0]);
    EXPECT_EQ(caucus_machine_taking_part(&machine, 7, &part, &ranks), CAUCUS_BAD_ARGUMENT);
    EXPECT_EQ(caucus_machine_taking_part(&machine, 0, &part, &ranks), CAUCUS_BAD_ARGUMENT);
    caucus_machine_free(&machine);
}

TEST(Public, Tables) {
    const char *name = nullptr, *summary = nullptr;
    std::set<std::string> names;
    int index = 0;
    while (caucus_plan_mapper_entry(index, &name, &summary)) {
        names.insert(name);
        EXPECT_NE(*summary, '\0');
        index++;
    }
    EXPECT_EQ(names.size(), static_cast<size_t>(index));
    EXPECT_EQ(caucus_plan_mapper_entry(-1, &name, &summary), 0);
    caucus_plan_setting setting;
    ASSERT_EQ(caucus_plan_setting_entry(0, &setting), 1);
    EXPECT_STREQ(setting.environment, "CAUCUS_NODES");
    EXPECT_EQ(caucus_plan_setting_entry(1000, &setting), 0);
    EXPECT_STRNE(caucus_version(), "");
}

TEST(Public, Dims) {
    int dims[] = {0, 0}, kept[] = {0, 48}, wrong[] = {7, 0};
    const double extents[] = {4, 1};
    ASSERT_EQ(caucus_plan_dims("ppn:48", 2400, 2, extents, nullptr, dims), CAUCUS_PLAN_OK);
    EXPECT_EQ(Dims(dims, dims + 2), (Dims{100, 24}));
    ASSERT_EQ(caucus_plan_dims("50x48", 0, 2, nullptr, nullptr, kept), CAUCUS_PLAN_OK);
    EXPECT_EQ(kept[0], 50);
    EXPECT_EQ(caucus_plan_dims("50x48", 0, 2, nullptr, nullptr, wrong), CAUCUS_PLAN_BAD_INPUT);
    EXPECT_EQ(caucus_plan_dims(nullptr, 0, 2, nullptr, nullptr, dims), CAUCUS_PLAN_BAD_INPUT);
}

} // namespace
