// SPDX-License-Identifier: BSD-3-Clause
// The parameters of a machine: their table and their file.
extern "C" {
#include "base/status.h"
#include "plan/machine/model.h"
}
#include "temporary_file.hpp"

#include <gtest/gtest.h>
#include <set>
#include <string>

namespace {

TEST(Model, EveryParameterHasANameAndAPlaceOfItsOwn) {
    caucus_model model;
    std::set<std::string> names;
    std::set<double *> places;
    const char *name, *help;
    double *value;
    caucus_model_default(&model);
    for (int i = 0; (name = caucus_model_parameter(&model, i, &help, &value)); i++) {
        names.insert(name);
        places.insert(value);
        EXPECT_GE(*value, 0) << name;
        EXPECT_NE(std::string(help), "");
    }
    EXPECT_EQ(places.size() * sizeof(double), sizeof model);
    EXPECT_EQ(names.size(), places.size());
    EXPECT_EQ(caucus_model_parameter(&model, -1, &help, &value), nullptr);
}

TEST(Model, DefaultsAreThoseOfACluster) {
    caucus_model model;
    caucus_model_default(&model);
    double within = model.latency[CAUCUS_WITHIN_NODE] + 2 * model.overhead[CAUCUS_WITHIN_NODE];
    double between = model.latency[CAUCUS_BETWEEN_NODES] + 2 * model.overhead[CAUCUS_BETWEEN_NODES];
    EXPECT_LT(within, between);
    EXPECT_LE(model.card_byte, model.byte[CAUCUS_BETWEEN_NODES]);
    EXPECT_LT(model.signal, within);
}

TEST(Model, AFileChangesWhatItNames) {
    test::TemporaryFile file("# measured\nlatency_between 2.5e-6\n\nports 0 # any\n");
    caucus_model model, before;
    caucus_model_default(&model);
    before = model;
    ASSERT_EQ(caucus_model_read(&model, file.path.c_str()), CAUCUS_OK) << caucus_error_text();
    EXPECT_EQ(model.latency[CAUCUS_BETWEEN_NODES], 2.5e-6);
    EXPECT_EQ(model.ports, 0);
    EXPECT_EQ(model.latency[CAUCUS_WITHIN_NODE], before.latency[CAUCUS_WITHIN_NODE]);
    EXPECT_EQ(model.card_byte, before.card_byte);
}

TEST(Model, TakesTheLargestNumbersThereMayBe) {
    test::TemporaryFile file("ports 1024\nbyte_between 1e9\neager 1e18\n");
    caucus_model model;
    caucus_model_default(&model);
    ASSERT_EQ(caucus_model_read(&model, file.path.c_str()), CAUCUS_OK) << caucus_error_text();
    EXPECT_EQ(model.ports, 1024);
    EXPECT_EQ(model.byte[CAUCUS_BETWEEN_NODES], 1e9);
    EXPECT_EQ(model.eager, 1e18);
}

TEST(Model, AMalformedFileIsNamedWithItsLineAndChangesNothing) {
    const struct {
        const char *text, *words;
    } cases[] = {
        {"latency_within 1\nmagic 1\n", ":2: there is no parameter 'magic'"},
        {"signal\n", ":1: a line is a name and a number, not 1 words"},
        {"signal 1 2\n", "not 3 words"},
        {"signal fast\n", "'fast'"},
        {"signal 1x\n", "'1x'"},
        {"signal -1\n", "'-1'"},
        {"signal nan\n", "'nan'"},
        {"signal 1e999\n", "'1e999'"},
        {"ports 1.5\n", "whole number"},
        {"latency_within 1\nports 1025\n", ":2: ports is 1025: it may be at most 1024"},
        {"byte_between 1e308\n", ":1: byte_between is 1e+308: it may be at most 1e+09"},
        {"latency_lone 1.1e9\n", "at most 1e+09"},
        {"eager 1e19\n", "at most 1e+18"},
    };
    for (const auto &wrong : cases) {
        test::TemporaryFile file(wrong.text);
        caucus_model model;
        caucus_model_default(&model);
        double before = model.latency[CAUCUS_WITHIN_NODE];
        EXPECT_EQ(caucus_model_read(&model, file.path.c_str()), CAUCUS_BAD_FILE) << wrong.text;
        EXPECT_NE(std::string(caucus_error_text()).find(wrong.words), std::string::npos)
            << caucus_error_text();
        EXPECT_EQ(model.latency[CAUCUS_WITHIN_NODE], before);
    }
    caucus_model model;
    EXPECT_EQ(caucus_model_read(&model, "no/such/file"), CAUCUS_BAD_FILE);
}

} // namespace
