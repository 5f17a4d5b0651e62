// SPDX-License-Identifier: BSD-3-Clause
extern "C" {
#include "base/memory.h"
#include "base/status.h"
}

#include <cstdint>
#include <cstdlib>
#include <gtest/gtest.h>
#include <string>

TEST(Memory, ArraysAreZeroed) {
    auto *array = static_cast<int *>(caucus_array(1000, sizeof(int)));
    ASSERT_NE(array, nullptr);
    for (int i = 0; i < 1000; i++)
        EXPECT_EQ(array[i], 0);
    free(array);
}

TEST(Memory, AnEmptyArrayIsNoFailure) {
    void *array = caucus_array(0, 8);
    EXPECT_NE(array, nullptr);
    free(array);
    array = caucus_array_copy(nullptr, 0, 8);
    EXPECT_NE(array, nullptr);
    free(array);
}

TEST(Memory, CopiesAreEqualAndApart) {
    int source[] = {3, 1, 4, 1, 5};
    auto *copy = static_cast<int *>(caucus_array_copy(source, 5, sizeof(int)));
    ASSERT_NE(copy, nullptr);
    for (int i = 0; i < 5; i++)
        EXPECT_EQ(copy[i], source[i]);
    copy[0] = 9;
    EXPECT_EQ(source[0], 3);
    free(copy);
}

TEST(Memory, ImpossibleSizesFailWithAText) {
    EXPECT_EQ(caucus_array(INT64_MAX, 8), nullptr);
    EXPECT_EQ(caucus_error_text(),
              "out of memory: " + std::to_string(INT64_MAX) + " elements of 8 bytes");
    EXPECT_EQ(caucus_array(-1, 8), nullptr);
    EXPECT_STREQ(caucus_error_text(), "out of memory: -1 elements of 8 bytes");
    EXPECT_EQ(caucus_array(INT64_MAX / 2, SIZE_MAX / 2), nullptr);
    int source = 1;
    EXPECT_EQ(caucus_array_copy(&source, INT64_MAX, 4), nullptr);
}
