// SPDX-License-Identifier: BSD-3-Clause
extern "C" {
#include "base/lines.h"
#include "base/status.h"
}
#include "temporary_file.hpp"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace {

using Lines = std::vector<std::vector<std::string>>;

Lines read(const std::string &content, std::vector<long> *numbers = nullptr) {
    test::TemporaryFile file(content);
    caucus_lines lines;
    Lines all;
    if (caucus_lines_open(&lines, file.path.c_str()) != CAUCUS_OK)
        return {{"FAILED"}};
    char *word[3];
    for (int count; (count = caucus_lines_next(&lines, 3, word)) > 0;) {
        all.emplace_back(word, word + (count < 3 ? count : 3));
        if (count > 3)
            all.back().push_back("+" + std::to_string(count - 3));
        if (numbers)
            numbers->push_back(static_cast<long>(lines.number));
    }
    EXPECT_EQ(caucus_lines_next(&lines, 3, word), 0);
    caucus_lines_close(&lines);
    return all;
}

TEST(Lines, AreSplitAtBlanks) {
    EXPECT_EQ(read("a b\nc\n"), (Lines{{"a", "b"}, {"c"}}));
    EXPECT_EQ(read("  a \t b  \n"), (Lines{{"a", "b"}}));
    EXPECT_EQ(read("a b c d e\n"), (Lines{{"a", "b", "c", "+2"}}));
}

TEST(Lines, MayEndInAnyWay) {
    for (const char *content :
         {"a b\nc", "a b\nc\n", "a b\r\nc\r\n", "a b\r\nc", "a b\r\nc\r", "a b\nc\n\n\n"})
        EXPECT_EQ(read(content), (Lines{{"a", "b"}, {"c"}})) << content;
    EXPECT_EQ(read(""), Lines{});
    EXPECT_EQ(read("\n\r\n  \n"), Lines{});
}

TEST(Lines, CommentsAndEmptyLinesCountAsLines) {
    std::vector<long> numbers;
    EXPECT_EQ(read("# first\n\na b # more\n#\nc#d\n", &numbers), (Lines{{"a", "b"}, {"c"}}));
    EXPECT_EQ(numbers, (std::vector<long>{3, 5}));
}

TEST(Lines, AByteOrderMarkIsNoWord) {
    EXPECT_EQ(read("\xEF\xBB\xBFnode\n"), (Lines{{"node"}}));
}

TEST(Lines, LongFilesAndLongLinesAreReadWhole) {
    std::string content;
    for (int i = 0; i < 30000; i++)
        content += "node" + std::to_string(i) + "\n";
    Lines lines = read(content);
    ASSERT_EQ(lines.size(), 30000u);
    EXPECT_EQ(lines.back()[0], "node29999");
    EXPECT_EQ(read(std::string(100000, 'x'))[0][0].size(), 100000u);
}

TEST(Lines, WhatIsNoTextIsRefused) {
    auto text = [](const std::string &content) {
        test::TemporaryFile file(content);
        caucus_lines lines;
        EXPECT_EQ(caucus_lines_open(&lines, file.path.c_str()), CAUCUS_BAD_FILE);
        return std::string(caucus_error_text()).substr(file.path.size());
    };
    EXPECT_EQ(text(std::string("a\nb\0c\n", 6)), ": the file is no text: it has a zero byte");
    EXPECT_EQ(text("a\nb\x07\n"), ":2: the line has the control character 0x07");
    EXPECT_EQ(text("a\rb\n"), ":1: the line has the control character 0x0d");
    EXPECT_EQ(text("a\n\nb\x7f"), ":3: the line has the control character 0x7f");
}

TEST(Lines, WhatCantBeReadIsRefused) {
    caucus_lines lines;
    EXPECT_EQ(caucus_lines_open(&lines, "/nowhere/at/all"), CAUCUS_BAD_FILE);
    EXPECT_STREQ(caucus_error_text(),
                 "/nowhere/at/all: it can't be opened: No such file or directory");
    EXPECT_EQ(caucus_lines_open(&lines, "/"), CAUCUS_BAD_FILE);
    EXPECT_STREQ(caucus_error_text(), "/: it can't be read: Is a directory");
    EXPECT_EQ(caucus_lines_open(&lines, "/dev/zero"), CAUCUS_BAD_FILE);
    EXPECT_EQ(caucus_lines_open(&lines, ""), CAUCUS_BAD_FILE);
}

} // namespace
