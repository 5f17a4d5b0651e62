// SPDX-License-Identifier: BSD-3-Clause
extern "C" {
#include "base/path.h"
#include "base/refused.h"
#include "base/settings.h"
#include "base/status.h"
}

#include <cstdlib>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <unistd.h>
#include <vector>

extern char **environ;

namespace {

// Every test starts without any CAUCUS_ variable and leaves the environment as it was.
class Settings : public testing::Test {
  protected:
    void SetUp() override {
        for (char **variable = environ; *variable; variable++)
            if (std::string(*variable).rfind("CAUCUS_", 0) == 0)
                kept.push_back(*variable);
        for (const std::string &variable : kept)
            unsetenv(name(variable).c_str());
    }
    void TearDown() override {
        for (const std::string &variable : made)
            unsetenv(variable.c_str());
        for (const std::string &variable : kept)
            setenv(name(variable).c_str(), variable.substr(variable.find('=') + 1).c_str(), 1);
    }
    void set(const std::string &variable, const std::string &value) {
        made.push_back(variable);
        setenv(variable.c_str(), value.c_str(), 1);
    }

  private:
    static std::string name(const std::string &variable) {
        return variable.substr(0, variable.find('='));
    }
    std::vector<std::string> kept, made;
};

TEST_F(Settings, TheTableIsComplete) {
    std::set<std::string> names, keys;
    int id = 0;
    for (; const caucus_setting *setting = caucus_setting_entry(id); id++) {
        ASSERT_NE(setting->environment, nullptr) << id;
        std::string name = setting->environment, key = setting->info_key;
        EXPECT_EQ(name.rfind("CAUCUS_", 0), 0u) << name;
        for (size_t i = 0; i < name.size(); i++)
            EXPECT_EQ(key[i], static_cast<char>(std::tolower(name[i]))) << name;
        EXPECT_EQ(key.size(), name.size());
        ASSERT_NE(setting->default_value, nullptr) << name;
        EXPECT_NE(setting->syntax, nullptr) << name;
        EXPECT_EQ(std::string(setting->help).back(), '.') << name;
        EXPECT_TRUE(names.insert(name).second) << name << " twice";
        EXPECT_TRUE(keys.insert(key).second) << key << " twice";
    }
    EXPECT_EQ(id, CAUCUS_SETTING_COUNT);
    EXPECT_EQ(caucus_setting_entry(-1), nullptr);
    EXPECT_EQ(caucus_setting_entry(CAUCUS_SETTING_COUNT + 1), nullptr);
}

TEST_F(Settings, TheEnvironmentWinsOverTheDefault) {
    EXPECT_STREQ(caucus_setting_text(CAUCUS_SETTING_CART_MAPPER), "best");
    set("CAUCUS_CART_MAPPER", "slabs");
    EXPECT_STREQ(caucus_setting_text(CAUCUS_SETTING_CART_MAPPER), "slabs");
    set("CAUCUS_CART_MAPPER", "");
    EXPECT_STREQ(caucus_setting_text(CAUCUS_SETTING_CART_MAPPER), "best");
    EXPECT_STREQ(caucus_setting_text(CAUCUS_SETTING_NODES), "");
}

TEST_F(Settings, DefaultNumbersAreNumbers) {
    int64_t ranks = 0;
    ASSERT_EQ(caucus_setting_integer(CAUCUS_SETTING_CART_CENTRAL, 0, &ranks), CAUCUS_OK);
    EXPECT_EQ(ranks, 131072);
}

TEST_F(Settings, MalformedNumbersAreRefusedByName) {
    for (const char *bad : {"x", "12x", "1.5", "-1", "99999999999999999999", "0x10", " "}) {
        set("CAUCUS_CART_CENTRAL", bad);
        int64_t value = 77;
        EXPECT_EQ(caucus_setting_integer(CAUCUS_SETTING_CART_CENTRAL, 0, &value),
                  CAUCUS_BAD_ARGUMENT)
            << bad;
        EXPECT_EQ(value, 77);
        EXPECT_EQ(caucus_error_text(), "CAUCUS_CART_CENTRAL is '" + std::string(bad) +
                                           "': it must be a whole number, at least 0");
    }
}

TEST_F(Settings, ListsAreMatchedByWholeWords) {
    EXPECT_FALSE(caucus_setting_lists(CAUCUS_SETTING_DISABLE, "cart"));
    set("CAUCUS_DISABLE", "graph, cart,inter");
    EXPECT_TRUE(caucus_setting_lists(CAUCUS_SETTING_DISABLE, "cart"));
    EXPECT_TRUE(caucus_setting_lists(CAUCUS_SETTING_DISABLE, "graph"));
    EXPECT_TRUE(caucus_setting_lists(CAUCUS_SETTING_DISABLE, "inter"));
    EXPECT_FALSE(caucus_setting_lists(CAUCUS_SETTING_DISABLE, "car"));
    EXPECT_FALSE(caucus_setting_lists(CAUCUS_SETTING_DISABLE, "carts"));
    for (const char *odd : {",,cart,,", "cart", " cart ", ",cart"}) {
        set("CAUCUS_DISABLE", odd);
        EXPECT_TRUE(caucus_setting_lists(CAUCUS_SETTING_DISABLE, "cart")) << odd;
    }
}

TEST_F(Settings, WordsAreThoseOfTheSyntax) {
    bool is = true;
    EXPECT_EQ(caucus_setting_is(CAUCUS_SETTING_SELECT, "measure", &is), CAUCUS_OK);
    EXPECT_FALSE(is);
    set("CAUCUS_SELECT", "measure");
    EXPECT_EQ(caucus_setting_is(CAUCUS_SETTING_SELECT, "measure", &is), CAUCUS_OK);
    EXPECT_TRUE(is);
    for (const char *bad : {"guess", "|", "auto | model", " model", "mode", "models"}) {
        set("CAUCUS_SELECT", bad);
        EXPECT_EQ(caucus_setting_is(CAUCUS_SETTING_SELECT, "model", &is), CAUCUS_BAD_ARGUMENT);
        EXPECT_EQ(caucus_error_text(),
                  "CAUCUS_SELECT is '" + std::string(bad) + "': it must be auto | model | measure");
    }
    EXPECT_TRUE(caucus_setting_has_word(CAUCUS_SETTING_DISABLE, "all"));
    EXPECT_TRUE(caucus_setting_has_word(CAUCUS_SETTING_DISABLE, "progress"));
    for (const char *bad : {"a", "list", "of", "", "cart,", "carts"})
        EXPECT_FALSE(caucus_setting_has_word(CAUCUS_SETTING_DISABLE, bad)) << bad;
}

/* Last of those that read it: what was refused stays so. */
TEST_F(Settings, ARefusedOneHasItsDefaultAndIsToldOnce) {
    int64_t number = 0;
    set("CAUCUS_GROUP_CALLS", "never");
    EXPECT_NE(caucus_setting_integer(CAUCUS_SETTING_GROUP_CALLS, 0, &number), CAUCUS_OK);
    EXPECT_FALSE(caucus_settings_forgive()) << "nobody said that it is to be forgiven";
    caucus_settings_forgive_all();
    EXPECT_FALSE(caucus_settings_forgive()) << "nothing has failed since";
    EXPECT_NE(caucus_setting_integer(CAUCUS_SETTING_GROUP_CALLS, 0, &number), CAUCUS_OK);
    EXPECT_TRUE(caucus_settings_forgive());
    EXPECT_TRUE(caucus_settings_refused());
    EXPECT_TRUE(caucus_setting_is_refused(CAUCUS_SETTING_GROUP_CALLS));
    EXPECT_EQ(caucus_setting_integer(CAUCUS_SETTING_GROUP_CALLS, 0, &number), CAUCUS_OK);
    EXPECT_EQ(number, 64);
    testing::internal::CaptureStderr();
    caucus_settings_tell_refused();
    caucus_settings_tell_refused();
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "caucus: warning: CAUCUS_GROUP_CALLS is 'never': it must be a whole number, at least "
              "0; 64 is used instead\n");
}

TEST_F(Settings, PathsAreCheckedAndNothingIsMade) {
    for (const char *good : {"/tmp/caucus-not-there/too", "/tmp", "/tmp/", "caucus-not-there"}) {
        set("CAUCUS_CACHE", good);
        EXPECT_EQ(caucus_path_check(CAUCUS_SETTING_CACHE, CAUCUS_PATH_FOLDER, 2), CAUCUS_OK)
            << good;
        EXPECT_NE(access(good, F_OK) == 0,
                  std::string(good).find("not-there") != std::string::npos);
    }
    for (const char *bad : {"/caucus-not-there/at/all", "/dev/null", "/dev/null/x"}) {
        set("CAUCUS_CACHE", bad);
        EXPECT_EQ(caucus_path_check(CAUCUS_SETTING_CACHE, CAUCUS_PATH_FOLDER, 2),
                  CAUCUS_BAD_ARGUMENT)
            << bad;
    }
    set("CAUCUS_REPORT", "/tmp");
    EXPECT_EQ(caucus_path_check(CAUCUS_SETTING_REPORT, CAUCUS_PATH_FILE, 1), CAUCUS_BAD_ARGUMENT);
    EXPECT_STREQ(caucus_error_text(),
                 "CAUCUS_REPORT is '/tmp': it must be a file that can be written (Is a directory)");
    set("CAUCUS_REPORT", "/dev/null");
    EXPECT_EQ(caucus_path_check(CAUCUS_SETTING_REPORT, CAUCUS_PATH_FILE, 1), CAUCUS_OK);
}

TEST_F(Settings, UnknownVariablesEarnAWarningWithTheNearestName) {
    EXPECT_EQ(caucus_settings_warn_unknown(), 0);
    set("CAUCUS_CART_MAPER", "x");
    set("CAUCUS_NODES", "4x8");
    testing::internal::CaptureStderr();
    EXPECT_EQ(caucus_settings_warn_unknown(), 1);
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "caucus: warning: CAUCUS_CART_MAPER is no setting of "
              "Caucus; did you mean CAUCUS_CART_MAPPER?\n");
    set("CAUCUS_" + std::string(300, 'Z'), "long");
    testing::internal::CaptureStderr();
    EXPECT_EQ(caucus_settings_warn_unknown(), 2);
    testing::internal::GetCapturedStderr();
}

TEST_F(Settings, AVariableThatOnlyBeginsLikeASettingIsUnknown) {
    set("CAUCUS_NODES_", "x");
    set("CAUCUS_NODE", "x");
    testing::internal::CaptureStderr();
    EXPECT_EQ(caucus_settings_warn_unknown(), 2);
    EXPECT_NE(testing::internal::GetCapturedStderr().find("did you mean CAUCUS_NODES?"),
              std::string::npos);
}

} // namespace
