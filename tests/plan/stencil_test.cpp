// SPDX-License-Identifier: BSD-3-Clause
extern "C" {
#include "base/status.h"
}
#include "problem.hpp"
extern "C" {
#include "study/grid/stencil_text.h"
}
#include "temporary_file.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <set>
#include <string>
#include <vector>

namespace {

class Stencil {
  public:
    Stencil() = default;
    Stencil(int ndims, const std::string &text)
        : status(caucus_stencil_parse(&stencil, ndims, text.c_str())) {}
    ~Stencil() {
        caucus_stencil_free(&stencil);
    }
    Stencil(const Stencil &) = delete;
    Stencil &operator=(const Stencil &) = delete;
    std::vector<int> offset(int k) const {
        const int *first = stencil.offset + k * stencil.ndims;
        return {first, first + stencil.ndims};
    }
    caucus_stencil stencil{};
    int status = CAUCUS_OK;
};

TEST(Stencil, StarsHaveTwoStepsPerAxis) {
    for (int ndims = 0; ndims <= 10; ndims++) {
        Stencil star(ndims, "star");
        ASSERT_EQ(star.status, CAUCUS_OK);
        EXPECT_EQ(star.stencil.count, 2 * ndims);
        std::set<std::vector<int>> seen;
        for (int k = 0; k < star.stencil.count; k++) {
            EXPECT_TRUE(seen.insert(star.offset(k)).second);
            EXPECT_EQ(star.stencil.weight[k], 1);
        }
        std::vector<double> weight(static_cast<size_t>(ndims), -1);
        EXPECT_TRUE(caucus_stencil_is_star(&star.stencil, weight.data()));
        EXPECT_EQ(weight, std::vector<double>(static_cast<size_t>(ndims), 1));
    }
}

TEST(Stencil, BoxesHaveAllNearNeighbours) {
    const int counts[] = {0, 2, 8, 26, 80, 242};
    for (int ndims = 0; ndims <= 5; ndims++) {
        Stencil box(ndims, "box");
        ASSERT_EQ(box.status, CAUCUS_OK);
        EXPECT_EQ(box.stencil.count, counts[ndims]);
        std::set<std::vector<int>> seen;
        for (int k = 0; k < box.stencil.count; k++) {
            EXPECT_TRUE(seen.insert(box.offset(k)).second);
            EXPECT_NE(box.offset(k), std::vector<int>(static_cast<size_t>(ndims), 0));
        }
        EXPECT_EQ(caucus_stencil_is_star(&box.stencil, nullptr), ndims < 2);
    }
    Stencil largest;
    ASSERT_EQ(caucus_stencil_init_box(&largest.stencil, 10), CAUCUS_OK);
    EXPECT_EQ(largest.stencil.count, 59048);
}

TEST(Stencil, WeightsOfAnAxisAreHalved) {
    int offsets[] = {1, 0, -1, 0, 0, 1, 0, 1, 1, 1, 2, 0};
    double weights[] = {3, 5, 2, 4, 100, 200}, axis[2];
    Stencil stencil;
    ASSERT_EQ(caucus_stencil_init(&stencil.stencil, 2, 4, offsets, weights), CAUCUS_OK);
    EXPECT_TRUE(caucus_stencil_is_star(&stencil.stencil, axis));
    EXPECT_EQ(axis[0], 4);
    EXPECT_EQ(axis[1], 3);
    EXPECT_TRUE(caucus_stencil_is_star(&stencil.stencil, nullptr));
    caucus_stencil_free(&stencil.stencil);
    ASSERT_EQ(caucus_stencil_init(&stencil.stencil, 2, 6, offsets, weights), CAUCUS_OK);
    EXPECT_FALSE(caucus_stencil_is_star(&stencil.stencil, axis))
        << "but the unit steps are still counted";
    EXPECT_EQ(axis[0], 4);
    EXPECT_EQ(axis[1], 3);
}

TEST(Stencil, HugeStepsAreNoUnitSteps) {
    int offsets[] = {INT32_MAX, INT32_MAX, 1, INT32_MIN, INT32_MAX, 3};
    double axis[2];
    Stencil stencil;
    ASSERT_EQ(caucus_stencil_init(&stencil.stencil, 2, 3, offsets, nullptr), CAUCUS_OK);
    EXPECT_FALSE(caucus_stencil_is_star(&stencil.stencil, axis));
    EXPECT_EQ(axis[0], 0);
    EXPECT_EQ(axis[1], 0);
}

TEST(Stencil, CopiesWhatItIsGiven) {
    int offsets[] = {1, 2};
    double weights[] = {7};
    Stencil stencil;
    ASSERT_EQ(caucus_stencil_init(&stencil.stencil, 2, 1, offsets, weights), CAUCUS_OK);
    offsets[0] = 9;
    weights[0] = 9;
    EXPECT_EQ(stencil.offset(0), (std::vector<int>{1, 2}));
    EXPECT_EQ(stencil.stencil.weight[0], 7);
}

TEST(Stencil, NonsenseIsRefusedByName) {
    const double nan = std::nan(""), infinite = std::numeric_limits<double>::infinity();
    int offsets[] = {1, 0, 0, 0};
    Stencil stencil;
    EXPECT_EQ(caucus_stencil_init(&stencil.stencil, 2, 2, offsets, nullptr), CAUCUS_BAD_ARGUMENT);
    EXPECT_STREQ(caucus_error_text(),
                 "offset 1 of the stencil is all zeros: a cell is no neighbour of itself");
    for (double bad : {nan, infinite, -infinite, -1e-300}) {
        EXPECT_EQ(caucus_stencil_init(&stencil.stencil, 2, 1, offsets, &bad), CAUCUS_BAD_ARGUMENT);
        EXPECT_EQ(std::string(caucus_error_text()).find("the weight of offset 0 is "), 0u);
        double weights[] = {1, bad};
        EXPECT_EQ(caucus_stencil_init_star(&stencil.stencil, 2, weights), CAUCUS_BAD_ARGUMENT);
        EXPECT_EQ(std::string(caucus_error_text()).find("weights[1] is "), 0u);
    }
    EXPECT_EQ(caucus_stencil_init(&stencil.stencil, 2, -1, offsets, nullptr), CAUCUS_BAD_ARGUMENT);
    EXPECT_EQ(caucus_stencil_init(&stencil.stencil, 2, 1, nullptr, nullptr), CAUCUS_BAD_ARGUMENT);
    EXPECT_STREQ(caucus_error_text(), "offsets is a null pointer: 1 are needed");
    for (int ndims : {-1, 11, INT32_MIN, INT32_MAX}) {
        EXPECT_EQ(caucus_stencil_init(&stencil.stencil, ndims, 1, offsets, nullptr),
                  CAUCUS_BAD_DIMS);
        EXPECT_EQ(caucus_stencil_init_star(&stencil.stencil, ndims, nullptr), CAUCUS_BAD_DIMS);
        EXPECT_EQ(caucus_stencil_init_box(&stencil.stencil, ndims), CAUCUS_BAD_DIMS);
        EXPECT_EQ(caucus_stencil_parse(&stencil.stencil, ndims, "/dev/null"), CAUCUS_BAD_DIMS);
    }
    EXPECT_EQ(stencil.stencil.offset, nullptr);
}

TEST(StencilFile, ReadsOffsetsAndWeights) {
    test::TemporaryFile file(
        "# steps, weight\r\n1 0 2.5\r\n\r\n-1 0\n 0\t+1 1e3 # far\n0 -2147483647 0");
    Stencil stencil(2, file.path);
    ASSERT_EQ(stencil.status, CAUCUS_OK) << caucus_error_text();
    ASSERT_EQ(stencil.stencil.count, 4);
    EXPECT_EQ(stencil.offset(0), (std::vector<int>{1, 0}));
    EXPECT_EQ(stencil.offset(1), (std::vector<int>{-1, 0}));
    EXPECT_EQ(stencil.offset(2), (std::vector<int>{0, 1}));
    EXPECT_EQ(stencil.offset(3), (std::vector<int>{0, -2147483647}));
    EXPECT_EQ(std::vector<double>(stencil.stencil.weight, stencil.stencil.weight + 4),
              (std::vector<double>{2.5, 1, 1000, 0}));
}

std::string refusal(int ndims, const std::string &content) {
    test::TemporaryFile file(content);
    Stencil stencil(ndims, file.path);
    EXPECT_EQ(stencil.status, CAUCUS_BAD_FILE) << content;
    EXPECT_EQ(stencil.stencil.offset, nullptr);
    std::string text = caucus_error_text();
    return text.rfind(file.path, 0) == 0 ? text.substr(file.path.size()) : text;
}

TEST(StencilFile, MalformedLinesAreRefusedWithTheirPlace) {
    EXPECT_EQ(refusal(2, "1 0\n1\n"),
              ":2: the line of '1' has 1 words: 2 steps and perhaps a weight are needed");
    EXPECT_EQ(refusal(2, "1 0 1 1\n"),
              ":1: the line of '1' has 4 words: 2 steps and perhaps a weight are needed");
    EXPECT_EQ(refusal(1, "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n"),
              ":1: the line of '1' has 15 words: 1 steps and perhaps a weight are needed");
    EXPECT_EQ(refusal(2, "\n\n0 0 1\n"),
              ":3: the offset of '0' is all zeros: a cell is no neighbour of itself");
    EXPECT_EQ(refusal(2, ""), ": the file has no offset: one per line is needed");
    EXPECT_EQ(refusal(2, "# 1 0\n"), ": the file has no offset: one per line is needed");
    for (std::string word :
         {"x", "1.0", "0x1", "2147483648", "-2147483648", "99999999999999999999999", "1,0"}) {
        EXPECT_EQ(refusal(2, "0 1\n0 " + word + "\n"),
                  ":2: '" + word + "' is not a whole number from -2147483647 to 2147483647");
        EXPECT_EQ(refusal(2, word + " 1\n"),
                  ":1: '" + word + "' is not a whole number from -2147483647 to 2147483647");
    }
    for (std::string word : {"x", "nan", "inf", "-inf", "-1", "1e999", "1.5.2", "1,5"})
        EXPECT_EQ(refusal(2, "1 0 " + word + "\n"),
                  ":1: '" + word + "' is not a weight: it must be a finite number, not negative");
    Stencil missing(2, "/nowhere/stencil");
    EXPECT_EQ(missing.status, CAUCUS_BAD_FILE);
    EXPECT_STREQ(caucus_error_text(),
                 "/nowhere/stencil: it can't be opened: No such file or directory");
    Stencil nothing(2, "");
    EXPECT_EQ(nothing.status, CAUCUS_BAD_ARGUMENT);
    EXPECT_STREQ(caucus_error_text(), "no stencil is named: star, box or the path of a file");
    EXPECT_EQ(caucus_stencil_parse(&nothing.stencil, 2, nullptr), CAUCUS_BAD_ARGUMENT);
}

TEST(StencilFile, ThereIsALimitOfOffsets) {
    std::string content;
    for (int i = 0; i < (1 << 20); i++)
        content += "1\n";
    {
        test::TemporaryFile file(content);
        Stencil most(1, file.path);
        EXPECT_EQ(most.stencil.count, 1 << 20);
    }
    EXPECT_EQ(refusal(1, content + "7\n"),
              ":1048577: '7' begins one offset too many: there may be 1048576");
}

TEST(Stencil, RefusesWeightsWhoseSumsCouldOverflow) {
    const double weights[] = {1e308, 1e308};
    caucus_stencil stencil;
    EXPECT_EQ(caucus_stencil_init_star(&stencil, 2, weights), CAUCUS_BAD_ARGUMENT);
    EXPECT_NE(std::string(caucus_error_text()).find("add up to inf"), std::string::npos);
    const double heavy[] = {1e289, 1e289};
    EXPECT_EQ(caucus_stencil_init_star(&stencil, 2, heavy), CAUCUS_OK);
    caucus_stencil_free(&stencil);
}

TEST(Stencil, RefusesMoreOffsetsThanAnybodyNeeds) {
    const int offset = 1;
    caucus_stencil stencil;
    EXPECT_EQ(caucus_stencil_init(&stencil, 1, CAUCUS_STENCIL_MOST_OFFSETS + 1, &offset, nullptr),
              CAUCUS_BAD_ARGUMENT);
    EXPECT_NE(std::string(caucus_error_text()).find("there may be 1048576"), std::string::npos);
}

TEST(StencilFuzz, RandomFilesAreReadOrRefused) {
    const std::string letters = "0112 -+.e \t\r\n\n\n#";
    test::Random random(4);
    int read = 0;
    for (int trial = 0; trial < 6000; trial++) {
        std::string content;
        double noise = random.chance(.5) ? 0 : .05;
        for (int length = random.below(40); length > 0; length--)
            content +=
                random.chance(noise)
                    ? static_cast<char>(random.below(256))
                    : letters[static_cast<size_t>(random.below(static_cast<int>(letters.size())))];
        test::TemporaryFile file(content);
        int ndims = random.from(1, 3);
        Stencil stencil(ndims, file.path);
        read += stencil.status == CAUCUS_OK;
        if (stencil.status != CAUCUS_OK) {
            EXPECT_STRNE(caucus_error_text(), "");
            EXPECT_EQ(stencil.stencil.offset, nullptr);
            continue;
        }
        EXPECT_GE(stencil.stencil.count, 1);
        for (int k = 0; k < stencil.stencil.count; k++) {
            EXPECT_NE(stencil.offset(k), std::vector<int>(static_cast<size_t>(ndims), 0));
            EXPECT_TRUE(stencil.stencil.weight[k] >= 0 && std::isfinite(stencil.stencil.weight[k]));
        }
    }
    EXPECT_GT(read, 50);
}

} // namespace
