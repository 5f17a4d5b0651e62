// SPDX-License-Identifier: BSD-3-Clause
// The public face of collectives between two groups without MPI: caucus/schedule.h.
#include <caucus/schedule.h>

extern "C" {
#include "study/collective/block_pattern.h"
#include "study/face/study.h"
}
#include "temporary_file.hpp"

#include <fstream>
#include <gtest/gtest.h>
#include <memory>
#include <numeric>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

using Study = std::unique_ptr<caucus_study, void (*)(caucus_study *)>;

caucus_study_question between(const char *collective, int64_t first, int64_t second) {
    caucus_study_question question{};
    question.collective = collective;
    question.ranks = first + second;
    question.first_group = first;
    question.bytes = question.second_bytes = 64;
    question.element = 8;
    question.commutative = 1;
    question.persistent = 1;
    return question;
}

Study study_of(const caucus_study_question &question) {
    caucus_study *study = nullptr;
    EXPECT_EQ(caucus_study_create(&question, &study), CAUCUS_PLAN_OK) << caucus_error_text();
    return {study, caucus_study_free};
}

std::string written(const Study &study, const char *format) {
    test::TemporaryFile file("");
    EXPECT_EQ(caucus_study_write(study.get(), format, file.path.c_str()), CAUCUS_PLAN_OK);
    std::ifstream again(file.path);
    std::stringstream text;
    text << again.rdbuf();
    return text.str();
}

TEST(StudyGroups, EveryAlgorithmOfTheTableServesAndIsRight) {
    caucus_study_listed listed;
    std::set<std::string> seen;
    for (int i = 0; caucus_study_listed_entry(i, &listed); i++) {
        if (listed.groups != 2) {
            EXPECT_EQ(listed.groups, 1);
            EXPECT_TRUE(seen.empty()) << "those of one group come first";
            continue;
        }
        std::string name = std::string(listed.collective) + " by " + listed.name;
        EXPECT_TRUE(seen.insert(name).second) << name;
        caucus_study_question question = between(listed.collective, 6, 6);
        question.algorithm = listed.name;
        /* all on one node for what needs that, else each group on nodes of its own */
        question.machine = listed.needs_one_node ? "ppn:12" : "ppn:2+ppn:3";
        for (int64_t root : {0, 2, 6, 9}) {
            question.root = root;
            Study study = study_of(question);
            ASSERT_TRUE(study) << name;
            EXPECT_EQ(caucus_study_nodes(study.get()), listed.needs_one_node ? 1 : 5);
            EXPECT_GT(caucus_study_predicted(study.get()), 0) << name;
            caucus_study_verdict verdict;
            caucus_study_time time;
            EXPECT_EQ(caucus_study_verify(study.get(), &verdict), CAUCUS_PLAN_OK)
                << name << ": " << caucus_error_text();
            EXPECT_EQ(caucus_study_simulate(study.get(), &time), CAUCUS_PLAN_OK);
            EXPECT_EQ(time.messages_within + time.messages_between, verdict.messages);
            EXPECT_EQ(time.bytes_within + time.bytes_between, verdict.bytes);
        }
    }
    EXPECT_GT(seen.size(), 50U);
}

// Not every rank of the root's group knows what is asked; the choice must not be by its view.
TEST(StudyGroups, TheChoiceIsThatOfRanksThatTakePart) {
    for (const char *collective : {"bcast", "reduce", "gather", "scatterv"})
        for (int64_t first_of_group : {0, 3}) {
            caucus_study_question question = between(collective, 3, 5);
            question.machine = "ppn:2+ppn:2";
            question.bytes = 1 << 20;
            question.root = first_of_group;
            Study lowest = study_of(question);
            question.root++;
            Study another = study_of(question);
            EXPECT_STREQ(caucus_study_algorithm(lowest.get()),
                         caucus_study_algorithm(another.get()));
            EXPECT_EQ(caucus_study_predicted(lowest.get()), caucus_study_predicted(another.get()));
        }
}

// Which groups share nodes follows from the text, and so does what crosses between them.
TEST(StudyGroups, MachinesOfBoth) {
    const struct {
        const char *machine;
        int64_t nodes;
        std::vector<int32_t> node_of_rank;
    } cases[] = {
        {"ppn:2+ppn:2", 5, {0, 0, 1, 2, 2, 3, 3, 4}},
        {"cyclic:2+cyclic:2", 4, {0, 1, 0, 2, 3, 2, 3, 2}},
        {"3+1x5", 2, {0, 0, 0, 1, 1, 1, 1, 1}},
        {"ppn:2", 4, {0, 0, 1, 1, 2, 2, 3, 3}},
        {"cyclic:3", 3, {0, 1, 2, 0, 1, 2, 0, 1}},
    };
    for (const auto &one : cases) {
        caucus_study_question question = between("allgather", 3, 5);
        question.machine = one.machine;
        Study study = study_of(question);
        ASSERT_TRUE(study) << one.machine;
        EXPECT_EQ(caucus_study_nodes(study.get()), one.nodes);
        for (int32_t rank = 0; rank < 8; rank++)
            EXPECT_EQ(caucus_node_of_rank(&study->nodes, rank),
                      one.node_of_rank[static_cast<size_t>(rank)])
                << one.machine << ": rank " << rank;
    }
}

std::vector<int64_t> blocks_of(const caucus_study_question &question) {
    Study study = study_of(question);
    if (!study || !study->lengths)
        return {};
    return {study->lengths, study->lengths + question.ranks};
}

TEST(StudyGroups, CountsAreExact) {
    caucus_study_question question = between("allgatherv", 3, 4);
    question.second_bytes = 160;
    EXPECT_EQ(blocks_of(question), (std::vector<int64_t>{64, 64, 64, 160, 160, 160, 160}));
    question.counts = "linear";
    EXPECT_EQ(blocks_of(question), (std::vector<int64_t>{32, 64, 96, 64, 128, 192, 256}));
    question.counts = "with-zeros+regular";
    EXPECT_EQ(blocks_of(question), (std::vector<int64_t>{96, 0, 96, 160, 160, 160, 160}));
    question.second_bytes = 0;
    EXPECT_EQ(blocks_of(question), (std::vector<int64_t>{96, 0, 96, 0, 0, 0, 0}));
    question = between("reduce_scatter", 3, 4); // both cut the same operand
    EXPECT_EQ(blocks_of(question), (std::vector<int64_t>{64, 64, 64, 48, 48, 48, 48}));
    question = between("gatherv", 1, 1);
    question.ranks = 3, question.first_group = 0; // one group
    question.counts = "linear";
    EXPECT_EQ(blocks_of(question), (std::vector<int64_t>{32, 64, 96}));
    question.counts = nullptr;
    EXPECT_TRUE(blocks_of(question).empty());
    question.irregular = 1;
    EXPECT_TRUE(blocks_of(question).empty());
}

TEST(StudyGroups, EveryPatternAddsUpAndVerifies) {
    for (int pattern = 0; pattern < CAUCUS_BLOCK_PATTERNS; pattern++)
        for (const char *collective : {"allgatherv", "reduce_scatter", "gatherv", "scatterv"}) {
            std::string name = caucus_block_pattern_name(pattern);
            caucus_study_question question = between(collective, 7, 4);
            question.counts = name.c_str();
            question.seed = static_cast<uint64_t>(pattern);
            std::vector<int64_t> blocks = blocks_of(question);
            auto border = blocks.begin() + 7;
            bool reduces = std::string(collective) == "reduce_scatter";
            EXPECT_EQ(std::accumulate(blocks.begin(), border, int64_t{0}), 7 * 64) << name;
            EXPECT_EQ(std::accumulate(border, blocks.end(), int64_t{0}), (reduces ? 7 : 4) * 64);
            for (int64_t block : blocks)
                EXPECT_TRUE(block >= 0 && block % 8 == 0) << name << " " << block;
            Study study = study_of(question);
            caucus_study_verdict verdict;
            EXPECT_EQ(caucus_study_verify(study.get(), &verdict), CAUCUS_PLAN_OK)
                << caucus_error_text();
        }
}

TEST(StudyGroups, DrawingsTellTheGroups) {
    caucus_study_question question = between("allgather", 3, 5);
    question.machine = "ppn:2+ppn:2";
    question.algorithm = "direct";
    question.second_bytes = 8;
    Study study = study_of(question);
    std::string text = written(study, "text");
    EXPECT_EQ(text.rfind("allgather by direct: 3+5 ranks on 5 nodes, 64+8 bytes\n", 0), 0U) << text;
    std::string squeezed;
    for (char c : text)
        if (c != ' ' || squeezed.empty() || squeezed.back() != ' ')
            squeezed += c;
    EXPECT_NE(squeezed.find("\ngroup A0 A1 A2 B0 B1 B2 B3 B4\n"), std::string::npos) << text;
    EXPECT_NE(squeezed.find("\n node 0 0 1 2 2 3 3 4\n"), std::string::npos) << text;
    std::string picture = written(study, "svg");
    for (const char *words : {"<g class=\"groups\">", ">A0 to A2, the first group<",
                              ">B0 to B4, the second group<", ">A0<", ">B4<"})
        EXPECT_NE(picture.find(words), std::string::npos) << words;
    question = between("allgather", 3, 5);
    question.first_group = 0;
    EXPECT_EQ(written(study_of(question), "svg").find("groups"), std::string::npos);
    EXPECT_EQ(written(study_of(question), "text").find("group"), std::string::npos);
}

// There are 64 rows at most; what a row stands for is told where it is more than one rank.
TEST(StudyGroups, DrawingsTellThatRowsStandForSeveralRanks) {
    const std::string words = "A row stands for several ranks";
    for (int64_t ranks : {63, 64, 65, 100}) {
        caucus_study_question question = between("bcast", ranks, 0);
        question.first_group = 0;
        question.algorithm = "binomial";
        std::string picture = written(study_of(question), "svg");
        EXPECT_EQ(picture.find(words) != std::string::npos, ranks > 64) << ranks;
        EXPECT_NE(picture.find("</svg>"), std::string::npos);
    }
}

TEST(StudyGroups, WrongQuestionsAreNamed) {
    caucus_study_question question = between("allgatherv", 3, 5);
    auto wrong = [&](const std::string &words) {
        caucus_study *study = nullptr;
        EXPECT_EQ(caucus_study_create(&question, &study), CAUCUS_PLAN_BAD_INPUT) << words;
        EXPECT_EQ(study, nullptr);
        EXPECT_NE(std::string(caucus_error_text()).find(words), std::string::npos)
            << caucus_error_text();
        question = between("allgatherv", 3, 5);
    };
    question.first_group = -1;
    wrong("first_group is -1");
    question.first_group = 8;
    wrong("the second one has none");
    question.second_bytes = -8;
    wrong("second_bytes is -8");
    question.second_bytes = 9;
    wrong("9 bytes are not whole elements of 8");
    question.second_bytes = INT64_MAX / 8 * 8;
    wrong("too many for 8 ranks");
    question.collective = "scan";
    wrong("no scan between groups of 3 and 5 ranks");
    question.counts = "uneven";
    wrong("no counts 'uneven': there are regular");
    question.counts = "linear+uneven";
    wrong("no counts 'uneven'");
    question.counts = "linear+";
    wrong("no counts ''");
    question.counts = "linear";
    question.irregular = 1;
    wrong("not both");
    question.counts = "linear";
    question.collective = "allgather";
    wrong("all blocks of allgather have the same length");
    question.machine = "2x2+1x5";
    wrong("2x2");
    question.machine = "ppn:2+";
    wrong("''");
}

} // namespace
