// SPDX-License-Identifier: BSD-3-Clause
extern "C" {
#include "base/status.h"
}

#include <gtest/gtest.h>
#include <string>
#include <thread>

TEST(Status, KeepsTheTextAndReturnsTheStatus) {
    EXPECT_EQ(caucus_fail(CAUCUS_BAD_DIMS, "dims[%d] is %d", 2, -7), CAUCUS_BAD_DIMS);
    EXPECT_STREQ(caucus_error_text(), "dims[2] is -7");
    EXPECT_EQ(caucus_fail(CAUCUS_INTERNAL, "other"), CAUCUS_INTERNAL);
    EXPECT_STREQ(caucus_error_text(), "other");
}

TEST(Status, PutsAPlaceInFront) {
    caucus_fail(CAUCUS_BAD_ARGUMENT, "a is %s", "wrong");
    EXPECT_EQ(caucus_fail_in(CAUCUS_BAD_FILE, "line %d", 3), CAUCUS_BAD_FILE);
    EXPECT_STREQ(caucus_error_text(), "line 3: a is wrong");
    caucus_fail_in(CAUCUS_BAD_FILE, "file %s", "x");
    EXPECT_STREQ(caucus_error_text(), "file x: line 3: a is wrong");
}

TEST(Status, TheTextItselfMayBeAnArgument) {
    caucus_fail(CAUCUS_BAD_ARGUMENT, "inner");
    caucus_fail(CAUCUS_BAD_ARGUMENT, "outer (%s)", caucus_error_text());
    EXPECT_STREQ(caucus_error_text(), "outer (inner)");
}

TEST(Status, PercentSignsInTheTextAreNotAFormat) {
    caucus_fail(CAUCUS_BAD_ARGUMENT, "%s", "100%n %s");
    caucus_fail_in(CAUCUS_BAD_ARGUMENT, "%s", "50%n");
    EXPECT_STREQ(caucus_error_text(), "50%n: 100%n %s");
}

TEST(Status, LongTextsAreCutNotOverrun) {
    std::string word(5000, 'w');
    caucus_fail(CAUCUS_BAD_ARGUMENT, "%s", word.c_str());
    size_t length = std::string(caucus_error_text()).size();
    EXPECT_GT(length, 1000u);
    EXPECT_LT(length, 5000u);
    for (int i = 0; i < 20; i++)
        caucus_fail_in(CAUCUS_BAD_ARGUMENT, "%s", word.c_str());
    EXPECT_EQ(std::string(caucus_error_text()).find_first_not_of("w: "), std::string::npos);
}

TEST(Status, EveryThreadHasItsOwn) {
    caucus_fail(CAUCUS_BAD_ARGUMENT, "mine");
    std::string before, after;
    std::thread other([&] {
        before = caucus_error_text();
        caucus_fail(CAUCUS_BAD_ARGUMENT, "theirs");
        after = caucus_error_text();
    });
    other.join();
    EXPECT_EQ(before, "");
    EXPECT_EQ(after, "theirs");
    EXPECT_STREQ(caucus_error_text(), "mine");
}
