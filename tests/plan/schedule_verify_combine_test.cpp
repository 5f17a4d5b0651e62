// SPDX-License-Identifier: BSD-3-Clause
// Reductions: the right operands, once each, in their order, and in one tree on all ranks.
#include "written_schedule.hpp"

#include <gtest/gtest.h>

using test::in;
using test::out;
using test::scratch;
using test::Written;

#define EXPECT_SAYS(text, part)                                                                    \
    EXPECT_NE((text).find(part), std::string::npos) << "it says: " << (text)

namespace {

// Every rank has every other's operand in scratch at 8 times its number.
class Gathered : public Written {
  public:
    explicit Gathered(int32_t ranks, bool ordered) : Written(ranks) {
        specification.ordered = ordered;
        for (int32_t r = 0; r < ranks; r++) {
            for (int32_t other = 0; other < ranks; other++)
                if (other == r)
                    rank[r].copy(in(), scratch(8 * r), 8);
                else
                    rank[r].send(other, in(), 8).receive(other, scratch(8 * other), 8);
            rank[r].step();
        }
    }
    // This rank's result: the operands of these ranks, combined from left to right.
    void combine(int32_t r, const std::vector<int32_t> &order) {
        rank[r].copy(scratch(8 * order[0]), out(), 8).step();
        for (size_t i = 1; i < order.size(); i++) {
            rank[r].copy(out(), scratch(56), 8).step();
            rank[r].copy(scratch(8 * order[i]), out(), 8).step();
            rank[r].reduce(scratch(56), out(), 8).step();
        }
        expected[r] = {{0, 8, 0, 0, specification.ranks - 1}};
    }
};

TEST(ScheduleVerifyCombine, TakesOperandsInTheOrderOfRanks) {
    Gathered right(3, true), turned(3, true);
    right.combine(1, {0, 1, 2});
    EXPECT_EQ(right.verify(), "");
    turned.combine(1, {1, 0, 2});
    EXPECT_SAYS(turned.verify(), "operands of ranks 1 to 1 are combined with those of 0 to 0, out "
                                 "of order");
}

TEST(ScheduleVerifyCombine, TakesAnyOrderWhereTheOperationIsCommutative) {
    Gathered plan(3, false);
    plan.combine(1, {2, 0, 1});
    EXPECT_EQ(plan.verify(), "");
}

TEST(ScheduleVerifyCombine, FindsAnOperandThatIsMissingOrThereTwice) {
    Gathered missing(3, false), twice(3, false), often(3, false), ordered(3, true);
    missing.combine(0, {0, 1});
    EXPECT_SAYS(missing.verify(), "holds byte 0, combined of 2 operands");
    twice.combine(0, {0, 1, 1});
    EXPECT_SAYS(twice.verify(), "holds byte 0, combined of 3 operands");
    often.combine(0, {0, 1, 2, 2});
    EXPECT_SAYS(often.verify(), "some operand is combined twice");
    ordered.combine(0, {0, 1});
    EXPECT_SAYS(ordered.verify(), "holds byte 0, combined over ranks 0 to 1");
}

TEST(ScheduleVerifyCombine, FindsTreesThatDiffer) {
    Gathered plan(3, false), same(3, false);
    plan.combine(0, {0, 1, 2});
    plan.combine(1, {1, 2, 0});
    EXPECT_SAYS(plan.verify(), "in another tree than on a rank before it");
    same.combine(0, {0, 1, 2});
    same.combine(1, {1, 0, 2}); // a + b is b + a
    EXPECT_EQ(same.verify(), "");
}

TEST(ScheduleVerifyCombine, FindsBytesThatDoNotBelongTogether) {
    Gathered plan(2, true);
    plan[0].reduce(scratch(0), scratch(9), 4);
    EXPECT_SAYS(plan.verify(), "byte 0 of an operand meets byte 1");
}

TEST(ScheduleVerifyCombine, FindsAnElementThatIsCut) {
    for (auto [begin, length] : {std::pair{0, 6}, std::pair{2, 4}}) {
        Gathered plan(2, true);
        plan.specification.element = 4;
        plan[0].reduce(scratch(begin), scratch(8 + begin), length);
        EXPECT_SAYS(plan.verify(), "an element of 4 bytes is cut");
    }
}

TEST(ScheduleVerifyCombine, FollowsEveryByteOfItsOwn) {
    Gathered plan(2, true);
    plan.specification.element = 4;
    plan[0].reduce(scratch(4), scratch(12), 4).step();
    plan[0].copy(scratch(12), out(4), 4).copy(scratch(0), out(0), 4);
    plan.expected[0] = {{0, 4, 0, 0, 0}, {4, 4, 4, 0, 1}};
    EXPECT_EQ(plan.verify(), "");
    plan.expected[0] = {{0, 4, 0, 0, 0}, {4, 4, 0, 0, 1}};
    EXPECT_SAYS(plan.verify(), "byte 4 of out must hold byte 0, combined over ranks 0 to 1, and "
                               "holds byte 4, combined over ranks 0 to 1");
}

} // namespace
