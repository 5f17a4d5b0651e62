// SPDX-License-Identifier: BSD-3-Clause
extern "C" {
#include "base/settings.h"
#include "base/status.h"
}

#include <cstdlib>
#include <gtest/gtest.h>
#include <set>
#include <string>
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
