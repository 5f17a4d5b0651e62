// SPDX-License-Identifier: BSD-3-Clause
// The file of choices: what is written is read, one choice for a key; a line that is none is told.
extern "C" {
#include "base/status.h"
#include "plan/choice/choice.h"
}
#include "temporary_file.hpp"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace {

enum { MOST = 8 };

int read(const std::string &text, std::vector<caucus_choice> &found) {
    test::TemporaryFile file(text);
    int64_t count = -1;
    found.resize(MOST);
    int status = caucus_choices_read(file.path.c_str(), found.data(), MOST, &count);
    found.resize(static_cast<size_t>(count));
    return status;
}

std::string written(const std::vector<caucus_choice> &choices) {
    char *text = nullptr;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    for (const caucus_choice &choice : choices)
        EXPECT_TRUE(caucus_choice_write(stream, &choice));
    std::fclose(stream);
    std::string result(text, size);
    std::free(text);
    return result;
}

TEST(ChoiceFile, WhatIsWrittenIsRead) {
    const std::string text = "persistent allgather 12 1 1 1 ours ring\n"
                             "blocking allgather 12 1 1 0 mpi bruck\n"
                             "blocking allreduce 63 16 0 1 ours recursive_doubling\n"
                             "blocking barrier 0 0 1 1 ours dissemination\n"
                             "all reduce 7 8 1 1 ours binomial\n";
    std::vector<caucus_choice> found;
    ASSERT_EQ(read("# a comment\n\n" + text, found), CAUCUS_OK);
    ASSERT_EQ(found.size(), 5u);
    EXPECT_EQ(written(found), text);
    EXPECT_EQ(found[0].key.form, CAUCUS_CHOICE_PERSISTENT);
    EXPECT_EQ(found[4].key.form, CAUCUS_CHOICE_ALL);
    EXPECT_EQ(found[1].key.collective, CAUCUS_ALLGATHER);
    EXPECT_TRUE(found[1].is_mpis);
    EXPECT_EQ(found[2].key.size_class, 63);
    EXPECT_EQ(found[2].key.element, 16);
    EXPECT_STREQ(found[3].algorithm->name, "dissemination");
}

TEST(ChoiceFile, OneForAKeyAndNoMoreThanThereIsRoomFor) {
    std::vector<caucus_choice> found;
    ASSERT_EQ(
        read("blocking bcast 3 1 1 1 ours postal\nblocking bcast 3 1 1 1 mpi postal\n", found),
        CAUCUS_OK);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_FALSE(found[0].is_mpis);
    std::string many;
    for (int i = 0; i < 2 * MOST; i++)
        many += "blocking bcast " + std::to_string(i) + " 1 1 1 ours postal\n";
    ASSERT_EQ(read(many, found), CAUCUS_OK);
    EXPECT_EQ(found.size(), static_cast<size_t>(MOST));
}

TEST(ChoiceFile, WhatThisVersionDoesNotKnowIsLeftOut) {
    std::vector<caucus_choice> found;
    ASSERT_EQ(
        read("blocking bcast 3 1 1 1 ours of_tomorrow\nblocking broadcast 3 1 1 1 ours postal\n"
             "blocking bcast 4 1 1 1 ours postal\n",
             found),
        CAUCUS_OK);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].key.size_class, 4);
}

TEST(ChoiceFile, ALineThatIsNoneIsTold) {
    const struct {
        const char *line, *told;
    } cases[] = {
        {"sometimes bcast 3 1 1 1 ours postal", "'sometimes' is no form"},
        {"blocking bcast 64 1 1 1 ours postal", "'64' is no size class"},
        {"blocking bcast -1 1 1 1 ours postal", "'-1' is no size class"},
        {"blocking bcast 3x 1 1 1 ours postal", "'3x' is no size class"},
        {"blocking bcast 3 99999999999999999999 1 1 ours postal", "is no size of an element"},
        {"blocking bcast 3 1 2 1 ours postal", "'2' is no 0 or 1"},
        {"blocking bcast 3 1 1 9 ours postal", "'9' is no 0 or 1"},
        {"blocking bcast 3 1 1 1 theirs postal", "'theirs' is no owner of a call"},
        {"blocking bcast 3 1 1 1 ours", "a line has 8 words, not 7"},
        {"blocking bcast 3 1 1 1 ours postal more", "a line has 8 words, not 9"},
    };
    for (const auto &each : cases) {
        std::vector<caucus_choice> found;
        EXPECT_EQ(read(std::string("blocking bcast 4 1 1 1 ours postal\n") + each.line, found),
                  CAUCUS_BAD_FILE);
        EXPECT_NE(std::string(caucus_error_text()).find(each.told), std::string::npos)
            << caucus_error_text();
        EXPECT_NE(std::string(caucus_error_text()).find(":2: "), std::string::npos);
    }
    std::vector<caucus_choice> found;
    EXPECT_EQ(read(std::string("\0", 1), found), CAUCUS_BAD_FILE);
}

} // namespace
