// SPDX-License-Identifier: BSD-3-Clause
// The public face of collectives without MPI: caucus/schedule.h.
#include <caucus/schedule.h>

#include "temporary_file.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <memory>
#include <sstream>
#include <string>
#include <unistd.h>

namespace {

using Study = std::unique_ptr<caucus_study, void (*)(caucus_study *)>;

Study study_of(const caucus_study_question &question) {
    caucus_study *study = nullptr;
    EXPECT_EQ(caucus_study_create(&question, &study), CAUCUS_PLAN_OK) << caucus_error_text();
    return {study, caucus_study_free};
}

caucus_study_question allreduce(const char *machine) {
    caucus_study_question question{};
    question.collective = "allreduce";
    question.machine = machine;
    question.bytes = 4096;
    question.element = 8;
    question.commutative = 1;
    question.persistent = 1;
    return question;
}

TEST(Study, EveryAlgorithmIsVerifiedAndSimulated) {
    Study study = study_of(allreduce("4x6"));
    EXPECT_EQ(caucus_study_ranks(study.get()), 24);
    EXPECT_EQ(caucus_study_nodes(study.get()), 4);
    EXPECT_GT(caucus_study_predicted(study.get()), 0);
    caucus_study_candidate candidate;
    int served = 0;
    for (int i = 0; caucus_study_candidate_entry(study.get(), i, &candidate); i++) {
        if (!candidate.serves) {
            EXPECT_STRNE(candidate.why, "");
            EXPECT_EQ(caucus_study_use(study.get(), candidate.name), CAUCUS_PLAN_NOT_APPLICABLE);
            continue;
        }
        std::string name = candidate.name;
        ASSERT_EQ(caucus_study_use(study.get(), name.c_str()), CAUCUS_PLAN_OK);
        EXPECT_EQ(caucus_study_algorithm(study.get()), name);
        caucus_study_verdict verdict;
        caucus_study_time time;
        EXPECT_EQ(caucus_study_verify(study.get(), &verdict), CAUCUS_PLAN_OK)
            << caucus_error_text();
        EXPECT_EQ(caucus_study_simulate(study.get(), &time), CAUCUS_PLAN_OK);
        EXPECT_EQ(time.messages_within + time.messages_between, verdict.messages);
        EXPECT_EQ(time.bytes_within + time.bytes_between, verdict.bytes);
        EXPECT_EQ(time.operations, verdict.operations);
        EXPECT_LE(time.card_bytes, time.bytes_between);
        EXPECT_GT(time.seconds, 0);
        served++;
    }
    EXPECT_GT(served, 2);
}

TEST(Study, AFailedUseLeavesTheOneBefore) {
    Study study = study_of(allreduce("2x3"));
    std::string before = caucus_study_algorithm(study.get());
    double predicted = caucus_study_predicted(study.get());
    EXPECT_EQ(caucus_study_use(study.get(), "magic"), CAUCUS_PLAN_BAD_INPUT);
    EXPECT_EQ(caucus_study_algorithm(study.get()), before);
    EXPECT_EQ(caucus_study_predicted(study.get()), predicted);
}

TEST(Study, WritesEveryFormat) {
    Study study = study_of(allreduce("2x3"));
    const char *const starts[][2] = {
        {"svg", "<?xml"}, {"text", "allreduce by "}, {"goal", "num_ranks 6\n"}};
    for (const auto &format : starts) {
        test::TemporaryFile file("");
        EXPECT_EQ(caucus_study_write(study.get(), format[0], file.path.c_str()), CAUCUS_PLAN_OK);
        std::ifstream again(file.path);
        std::stringstream text;
        text << again.rdbuf();
        EXPECT_EQ(text.str().rfind(format[1], 0), 0U) << format[0];
    }
    test::TemporaryFile kept("as it was");
    EXPECT_EQ(caucus_study_write(study.get(), "pdf", kept.path.c_str()), CAUCUS_PLAN_BAD_INPUT);
    EXPECT_EQ(std::filesystem::file_size(kept.path), 9U);
    EXPECT_EQ(caucus_study_write(study.get(), "svg", "no/such/folder/file"), CAUCUS_PLAN_FAILED);
    EXPECT_NE(std::string(caucus_error_text()).find("no/such/folder/file"), std::string::npos);
    EXPECT_EQ(caucus_study_write(study.get(), "goal", "/dev/full"), CAUCUS_PLAN_FAILED);
}

// It can be read once alone.
TEST(Study, TheModelMayComeFromAPipe) {
    const std::string text = "latency_between 1\n";
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    ASSERT_EQ(write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
    close(ends[1]);
    const std::string path = "/dev/fd/" + std::to_string(ends[0]);
    caucus_study_question question = allreduce("2x3");
    question.model = path.c_str();
    Study study = study_of(question);
    close(ends[0]);
    caucus_study_time time;
    EXPECT_EQ(caucus_study_simulate(study.get(), &time), CAUCUS_PLAN_OK);
    EXPECT_GT(time.seconds, 1);
}

TEST(Study, WrongQuestionsAreNamed) {
    caucus_study_question question = allreduce("2x3");
    caucus_study *study = nullptr;
    auto wrong = [&](const char *words) {
        EXPECT_EQ(caucus_study_create(&question, &study), CAUCUS_PLAN_BAD_INPUT);
        EXPECT_EQ(study, nullptr);
        EXPECT_NE(std::string(caucus_error_text()).find(words), std::string::npos)
            << caucus_error_text();
        question = allreduce("2x3");
    };
    question.collective = nullptr;
    wrong("no collective ''");
    question.collective = "broadcast";
    wrong("'broadcast'");
    question.bytes = -8;
    wrong("bytes is -8");
    question.root = 6;
    wrong("root 6");
    question.machine = nullptr;
    wrong("at least one");
    question.ranks = int64_t{1} << 40;
    wrong("too many");
    question.machine = "2xx3";
    wrong("2xx3");
    question.model = "no/such/file";
    wrong("no/such/file");
    question.algorithm = "magic";
    wrong("magic");
    question.collective = "neighbor_alltoall";
    question.machine = nullptr;
    question.ranks = 1;
    question.degree = 1000;
    question.bytes = int64_t{1} << 59;
    wrong("too many for 1 ranks of up to 1000 blocks");
    caucus_study_free(nullptr);
}

TEST(Study, TablesEnd) {
    caucus_study_listed listed;
    const char *name, *help;
    double value;
    int count = 0;
    while (caucus_study_listed_entry(count, &listed))
        count++;
    EXPECT_GT(count, 20);
    EXPECT_EQ(caucus_study_listed_entry(-1, &listed), 0);
    for (count = 0; caucus_study_parameter_entry(count, &name, &help, &value); count++)
        EXPECT_GE(value, 0);
    EXPECT_EQ(count, 16);
}

} // namespace
