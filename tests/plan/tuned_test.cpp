// SPDX-License-Identifier: BSD-3-Clause
// What stands around the figures in a file of caucus tune.
extern "C" {
#include "base/status.h"
#include "base/tuned.h"
}
#include "temporary_file.hpp"

#include <gtest/gtest.h>
#include <string>

namespace {

const std::string head = CAUCUS_TUNED_HEAD " of Caucus 0.1.0 on 2026-11-26, 10:00 UTC.\n";
const std::string mpi_line = CAUCUS_TUNED_MPI "MPICH Version: 5.0.2\n";
const std::string figures = "signal 1e-6  # seconds\nports 1\n";
const std::string whole = head + mpi_line + figures + CAUCUS_TUNED_END "\n";

struct Looked {
    int status;
    std::string mpi, path, text;
};

Looked look(const std::string &text) {
    test::TemporaryFile file(text);
    char mpi[CAUCUS_TUNED_ROOM], *word[1];
    caucus_lines lines;
    const int status = caucus_tuned_open(&lines, file.path.c_str(), mpi);
    if (status == CAUCUS_OK) {
        EXPECT_EQ(caucus_lines_next(&lines, 1, word), 2) << "the first figure is still to be read";
        EXPECT_STREQ(word[0], "signal");
        caucus_lines_close(&lines);
    }
    return {status, mpi, file.path, caucus_failure_text()};
}

TEST(Tuned, AWholeFileNamesItsMpi) {
    for (const std::string &text :
         {whole, "# 4 ranks on 2 cores\n" + whole, "\n" + whole, "\xEF\xBB\xBF" + whole,
          whole + "# seen by me\nsignal 2e-6\n"}) {
        const Looked found = look(text);
        EXPECT_EQ(found.status, CAUCUS_OK) << found.text;
        EXPECT_EQ(found.mpi, "MPICH Version: 5.0.2") << text;
    }
}

TEST(Tuned, LinesMayEndAsElsewhere) {
    std::string text;
    for (char letter : whole)
        text += letter == '\n' ? std::string("\r\n") : std::string(1, letter);
    const Looked found = look(text);
    EXPECT_EQ(found.status, CAUCUS_OK) << found.text;
    EXPECT_EQ(found.mpi, "MPICH Version: 5.0.2");
}

// The line end behind the end mark may be missing, as of any last line.
TEST(Tuned, WhatIsCutOffAnywhereIsNotBelieved) {
    for (size_t length = 0; length + 1 < whole.size(); length++) {
        const Looked found = look(whole.substr(0, length));
        EXPECT_EQ(found.status, CAUCUS_NOT_APPLICABLE) << length;
        const bool any = length > head.size() + mpi_line.size();
        const char *why = any ? ": it is cut off, the line" : ": it is empty";
        EXPECT_NE(found.text.find(found.path + why), std::string::npos) << found.text;
    }
    EXPECT_EQ(look(whole.substr(0, whole.size() - 1)).status, CAUCUS_OK);
}

TEST(Tuned, WhatHasNothingButCommentsIsEmpty) {
    for (const std::string &text : {std::string(), std::string("\n \t\n"), head + CAUCUS_TUNED_END,
                                    std::string("# mine\n")}) {
        const Looked found = look(text);
        EXPECT_EQ(found.status, CAUCUS_NOT_APPLICABLE) << text;
        EXPECT_NE(found.text.find("it is empty"), std::string::npos) << found.text;
    }
}

// A user's own, and older ones.
TEST(Tuned, WithoutAHeadNothingIsKnown) {
    for (const std::string &text : {figures, "# Measured on 2 ranks of 1 nodes.\n" + figures,
                                    mpi_line + figures, "  " + head + figures}) {
        const Looked found = look(text);
        EXPECT_EQ(found.status, CAUCUS_OK) << found.text;
        EXPECT_EQ(found.mpi, "");
    }
}

TEST(Tuned, ALongNameIsCutShort) {
    const Looked found = look(head + CAUCUS_TUNED_MPI + std::string(1000, 'x') + "\n" + figures +
                              CAUCUS_TUNED_END "\n");
    EXPECT_EQ(found.status, CAUCUS_OK) << found.text;
    EXPECT_EQ(found.mpi, std::string(CAUCUS_TUNED_ROOM - 1, 'x'));
}

TEST(Tuned, WhatCannotBeReadIsABadFile) {
    char mpi[CAUCUS_TUNED_ROOM];
    caucus_lines lines;
    EXPECT_EQ(caucus_tuned_open(&lines, "no/such/file", mpi), CAUCUS_BAD_FILE);
    EXPECT_STREQ(mpi, "");
    EXPECT_EQ(look(std::string("a\0b", 3)).status, CAUCUS_BAD_FILE);
}

} // namespace
