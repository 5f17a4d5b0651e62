/* SPDX-License-Identifier: BSD-3-Clause */
extern "C" {
#include "base/status.h"
#include "plan/grid/dims.h"
}

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace {

int fill_zeros(int64_t ranks, int per_node, std::vector<int> &dims,
               const std::vector<double> &extents = {}, const std::vector<int> &periodic = {}) {
    caucus_nodes nodes;
    std::vector<int32_t> sizes(static_cast<size_t>((ranks + per_node - 1) / per_node), per_node);
    sizes.back() -= static_cast<int32_t>((per_node - ranks % per_node) % per_node);
    EXPECT_EQ(caucus_nodes_init(&nodes, static_cast<int32_t>(sizes.size()), sizes.data()),
              CAUCUS_OK);
    int status = caucus_grid_dims(&nodes, static_cast<int>(dims.size()),
                                  extents.empty() ? nullptr : extents.data(),
                                  periodic.empty() ? nullptr : periodic.data(), dims.data());
    caucus_nodes_free(&nodes);
    return status;
}

int64_t product(const std::vector<int> &dims) {
    int64_t result = 1;
    for (int side : dims)
        result *= side;
    return result;
}

} // namespace

TEST(Dims, SquareWhereNothingSpeaksAgainstIt) {
    std::vector<int> dims(2, 0);
    ASSERT_EQ(fill_zeros(16384, 16, dims), CAUCUS_OK);
    EXPECT_EQ(dims, (std::vector<int>{128, 128}));
}

TEST(Dims, FollowsTheExtents) {
    std::vector<int> dims(2, 0);
    ASSERT_EQ(fill_zeros(2400, 48, dims, {4, 1}), CAUCUS_OK);
    EXPECT_EQ(dims, (std::vector<int>{100, 24}));
}

TEST(Dims, RefusesExtentsThatCantBeMultiplied) {
    for (double extent : {1e200, 1e-200}) {
        std::vector<int> dims(3, 0);
        EXPECT_EQ(fill_zeros(64, 4, dims, {extent, extent, 1}), CAUCUS_BAD_ARGUMENT);
        EXPECT_NE(std::string(caucus_error_text()).find("extents"), std::string::npos);
        EXPECT_EQ(dims, std::vector<int>(3, 0));
    }
    std::vector<int> dims(3, 0);
    EXPECT_EQ(fill_zeros(64, 4, dims, {1e60, 1e60, 1e60}), CAUCUS_OK);
    EXPECT_EQ(product(dims), 64);
}

TEST(Dims, PrefersWhatFitsTheNode) {
    std::vector<int> dims(3, 0);
    ASSERT_EQ(fill_zeros(672, 56, dims), CAUCUS_OK);
    EXPECT_EQ(dims, (std::vector<int>{14, 8, 6}));
}

TEST(Dims, KeepsFixedEntries) {
    std::vector<int> dims{0, 7, 0};
    ASSERT_EQ(fill_zeros(7 * 60, 12, dims), CAUCUS_OK);
    EXPECT_EQ(dims[1], 7);
    EXPECT_EQ(product(dims), 420);
    std::vector<int> all{5, 84};
    ASSERT_EQ(fill_zeros(420, 12, all), CAUCUS_OK);
    EXPECT_EQ(all, (std::vector<int>{5, 84}));
}

TEST(Dims, EveryCountAndDimension) {
    std::mt19937 random(1);
    for (int ranks = 1; ranks <= 150; ranks++)
        for (int ndims = 1; ndims <= 4; ndims++) {
            std::vector<int> dims(ndims, 0), periodic(ndims);
            for (int &wraps : periodic)
                wraps = random() % 2;
            ASSERT_EQ(fill_zeros(ranks, 1 + random() % 20, dims, {}, periodic), CAUCUS_OK);
            ASSERT_EQ(product(dims), ranks);
        }
}

TEST(Dims, TenDimensionsOfAMillionRanks) {
    std::vector<int> dims(10, 0);
    ASSERT_EQ(fill_zeros(1 << 20, 64, dims), CAUCUS_OK);
    EXPECT_EQ(product(dims), 1 << 20);
}

TEST(Dims, RefusesWhatDoesNotDivide) {
    std::vector<int> dims{0, 7};
    EXPECT_EQ(fill_zeros(48, 8, dims), CAUCUS_BAD_DIMS);
    EXPECT_STREQ(caucus_error_text(),
                 "dims[1] is 7: with the entries before it that does not divide 48 ranks");
    EXPECT_EQ(dims, (std::vector<int>{0, 7}));
    std::vector<int> negative{-1, 0};
    EXPECT_EQ(fill_zeros(48, 8, negative), CAUCUS_BAD_DIMS);
    std::vector<int> small{4, 6};
    EXPECT_EQ(fill_zeros(48, 8, small), CAUCUS_BAD_DIMS);
    EXPECT_STREQ(caucus_error_text(), "the product of dims is 24: it must be 48 ranks");
    std::vector<int> free_dims(2, 0);
    EXPECT_EQ(fill_zeros(48, 8, free_dims, {1, NAN}), CAUCUS_BAD_ARGUMENT);
    EXPECT_EQ(fill_zeros(48, 8, free_dims, {0, 1}), CAUCUS_BAD_ARGUMENT);
    std::vector<int> many(11, 0);
    EXPECT_EQ(fill_zeros(48, 8, many), CAUCUS_BAD_DIMS);
}
