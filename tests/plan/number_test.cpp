// SPDX-License-Identifier: BSD-3-Clause
// Numbers have a point in whatever machines read, also where the program's locale has a comma.
extern "C" {
#include "base/number.h"
#include "base/scotch.h"
#include "base/status.h"
#include "plan/grid/rank0.h"
#include "plan/machine/model.h"
#include "study/grid/stencil_text.h"

#include <caucus/schedule.h>
}
#include "mpi/comma.h"
#include "temporary_file.hpp"

#include <clocale>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>

namespace {

class Numbers : public testing::Test {
  protected:
    void TearDown() override {
        std::setlocale(LC_NUMERIC, "C");
    }
};

std::string written(double number) {
    char text[32];
    caucus_number_write(text, sizeof text, "%s is %.17g", "this", number);
    return text;
}

std::string drawn() {
    caucus_study_question question{};
    caucus_study *study = nullptr;
    test::TemporaryFile file("");
    question.collective = "allgather";
    question.machine = "2x3";
    question.bytes = 4000;
    EXPECT_EQ(caucus_study_create(&question, &study), CAUCUS_PLAN_OK) << caucus_error_text();
    EXPECT_EQ(caucus_study_write(study, "svg", file.path.c_str()), CAUCUS_PLAN_OK);
    caucus_study_free(study);
    std::ifstream again(file.path);
    std::stringstream text;
    text << again.rdbuf();
    return text.str();
}

TEST_F(Numbers, AreReadAndWrittenAsTheCLibraryDoesIt) {
    char *end;
    const char text[] = "-2.5e-3s";
    EXPECT_EQ(caucus_number_read(text, &end), -2.5e-3);
    EXPECT_EQ(end, text + 7);
    EXPECT_EQ(caucus_number_read("x", &end), 0);
    EXPECT_EQ(written(0.125), "this is 0.125");
    char little[4];
    EXPECT_EQ(caucus_number_write(little, sizeof little, "%.1f", 123.5), 5);
    EXPECT_STREQ(little, "123");
}

TEST_F(Numbers, HaveAPointWhereTheLocaleHasAComma) {
    const std::string picture = drawn();
    if (!set_decimal_comma())
        GTEST_SKIP() << "no locale with a decimal comma can be had";
    char *end;
    EXPECT_EQ(caucus_number_read("0.5", &end), 0.5);
    EXPECT_EQ(*end, '\0');
    EXPECT_EQ(caucus_number_read("0,5", &end), 0);
    EXPECT_EQ(written(0.125), "this is 0.125");
    EXPECT_NE(picture.find("0.8"), std::string::npos);
    EXPECT_EQ(drawn(), picture);
    EXPECT_TRUE(numbers_have_commas()) << "the program's locale was changed";
}

TEST_F(Numbers, OfSettingsAndFilesAreReadInAnyLocale) {
    if (!set_decimal_comma())
        GTEST_SKIP() << "no locale with a decimal comma can be had";
    test::TemporaryFile figures("latency_between 2.5e-6\n"), offsets("1 0 0.5\n");
    caucus_model model;
    caucus_stencil stencil;
    double most;
    caucus_model_default(&model);
    EXPECT_EQ(caucus_model_read(&model, figures.path.c_str()), CAUCUS_OK) << caucus_error_text();
    EXPECT_EQ(model.latency[CAUCUS_BETWEEN_NODES], 2.5e-6);
    EXPECT_EQ(caucus_rank0_parse("X", "0.1", &most), CAUCUS_OK) << caucus_error_text();
    EXPECT_EQ(most, 0.1);
    ASSERT_EQ(caucus_stencil_parse(&stencil, 2, offsets.path.c_str()), CAUCUS_OK)
        << caucus_error_text();
    EXPECT_EQ(stencil.weight[0], 0.5);
    caucus_stencil_free(&stencil);
}

// A ring in two parts.
bool is_divided_by_scotch() {
    int64_t start[9];
    int32_t to[16], weight[16], part[8];
    const int32_t size[2] = {4, 4};
    for (int32_t vertex = 0; vertex < 9; vertex++)
        start[vertex] = 2 * vertex;
    for (int32_t vertex = 0; vertex < 8; vertex++) {
        to[2 * vertex] = (vertex + 1) % 8;
        to[2 * vertex + 1] = (vertex + 7) % 8;
        weight[2 * vertex] = weight[2 * vertex + 1] = 1;
    }
    return caucus_scotch_partition(8, start, to, weight, 2, size, 0, part);
}

TEST_F(Numbers, OfScotchsOwnTextsArePoints) {
    bool was_divided = is_divided_by_scotch();
    if (!was_divided || !set_decimal_comma())
        GTEST_SKIP() << "without Scotch, or without a locale with a decimal comma";
    EXPECT_TRUE(is_divided_by_scotch());
}

} // namespace
