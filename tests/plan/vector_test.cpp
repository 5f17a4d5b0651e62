// SPDX-License-Identifier: BSD-3-Clause
// How vectors are cut, and what is done with the pieces of long ones.
#include "collective_case.hpp"
extern "C" {
#include "plan/collective/halving.h"
#include "plan/collective/vector.h"
}

#include <gtest/gtest.h>

namespace {

TEST(Vector, CutsAreEvenAndBetweenElements) {
    for (int64_t element : {1, 8, 24})
        for (int64_t elements : {0, 1, 5, 64, 1001})
            for (int64_t parts : {1, 2, 7, 64, 1000}) {
                int64_t before = 0, bytes = elements * element, least = bytes, most = 0;
                EXPECT_EQ(caucus_vector_cut(bytes, element, parts, 0), 0);
                for (int64_t i = 1; i <= parts; i++) {
                    int64_t cut = caucus_vector_cut(bytes, element, parts, i);
                    EXPECT_EQ(cut % element, 0);
                    least = std::min(least, cut - before);
                    most = std::max(most, cut - before);
                    before = cut;
                }
                EXPECT_EQ(before, bytes);
                EXPECT_LE(most - least, element);
                EXPECT_EQ(bytes - caucus_vector_cut(bytes, element, parts, parts - 1), most);
            }
}

TEST(Vector, CutsOfHugeVectorsDoNotOverflow) {
    int64_t bytes = INT64_C(1) << 61;
    EXPECT_EQ(caucus_vector_cut(bytes, 8, INT32_MAX, INT32_MAX), bytes);
    EXPECT_EQ(caucus_vector_cut(bytes, 8, 1 << 30, 1 << 29), bytes / 2);
}

// Whether they are equal or not, and whatever is done with them.
TEST(Vector, BlocksThatAreTooLongAreToldAlike) {
    constexpr int32_t ranks = 3;
    const std::vector<int64_t> lengths(ranks, INT64_MAX / 2 / ranks + 1);
    for (auto [collective, name] : {std::pair{CAUCUS_GATHERV, "linear"},
                                    {CAUCUS_ALLGATHERV, "ring"},
                                    {CAUCUS_REDUCE_SCATTER, "pairwise"},
                                    {CAUCUS_REDUCE_SCATTER, "recursive_halving"}})
        for (bool equal : {false, true}) {
            caucus_task task{};
            task.collective = collective;
            task.ranks = ranks;
            task.element = 1;
            task.commutative = true;
            task.bytes = lengths[0];
            task.receive_bytes = equal ? nullptr : lengths.data();
            caucus_schedule schedule{};
            EXPECT_EQ(
                caucus_algorithm_build(caucus_algorithm_find(collective, name), &task, &schedule),
                CAUCUS_BAD_ARGUMENT);
            EXPECT_NE(std::string(caucus_error_text())
                          .find("3 blocks have more than 2^62 bytes together"),
                      std::string::npos)
                << name << ": " << caucus_error_text();
        }
}

TEST(Vector, PiecesMakeUpTheWhole) {
    for (int64_t pieces : {1, 3, 16}) {
        caucus_range whole = {80, 80 + 8 * 1001};
        int64_t end = whole.begin;
        for (int64_t i = 0; i < pieces; i++) {
            caucus_range piece = caucus_vector_piece(whole, 8, pieces, i);
            EXPECT_EQ(piece.begin, end);
            end = piece.end;
        }
        EXPECT_EQ(end, whole.end);
        for (int64_t none : {int64_t{-1}, pieces}) {
            caucus_range piece = caucus_vector_piece(whole, 8, pieces, none);
            EXPECT_EQ(piece.begin, piece.end);
        }
    }
}

TEST(Vector, EveryRankHasOneShareOfTheHalves) {
    for (int32_t size = 1; size <= 200; size++) {
        std::vector<int> taken(static_cast<size_t>(size));
        for (int32_t position = 0; position < size; position++)
            taken.at(static_cast<size_t>(caucus_halving_rank(size, position)))++;
        EXPECT_EQ(taken, std::vector<int>(static_cast<size_t>(size), 1));
    }
}

// Long enough for as many pieces as there may be.
TEST(Vector, LongOnesAreProvedToo) {
    for (int index = 0; caucus_algorithm_entry(index); index++) {
        const caucus_algorithm *algorithm = caucus_algorithm_entry(index);
        if (!caucus_task_reduces(algorithm->collective) && algorithm->collective != CAUCUS_BCAST)
            continue;
        if (algorithm->needs & (CAUCUS_NEEDS_NODES | CAUCUS_NEEDS_ONE_NODE))
            continue;
        for (int32_t ranks : {2, 3, 5, 8, 13})
            for (bool in_place : {false, true})
                for (bool commutative : {false, true}) {
                    caucus_problem_shape shape{};
                    shape.collective = algorithm->collective;
                    shape.ranks = ranks;
                    shape.root = ranks / 2;
                    shape.in_place = in_place;
                    shape.commutative = commutative;
                    shape.element = caucus_task_reduces(algorithm->collective) ? 24 : 1;
                    shape.bytes = INT64_C(24) * 100003;
                    if (algorithm->needs & CAUCUS_NEEDS_COMMUTATIVE && !commutative)
                        continue;
                    test::Instance instance(algorithm, shape);
                    EXPECT_EQ(instance.verify(), CAUCUS_OK)
                        << caucus_collective_name(algorithm->collective) << " by "
                        << algorithm->name << " on " << ranks << ": " << instance.text;
                }
    }
}

} // namespace
