/* SPDX-License-Identifier: BSD-3-Clause */
/* Settings: lines "number of the setting, value" put into the environment, and names that no
 * setting has; and marks of ranks in texts of errors. */
#include "fuzz.h"

#include "base/settings.h"
#include "base/status.h"

static void ask(int id, const char *value) {
    const struct caucus_setting *setting = caucus_setting_entry(id);
    int64_t number = 0;
    setenv(setting->environment, value, 1);
    fuzz_expect(caucus_setting_text(id) != NULL, "a text");
    if (!caucus_setting_integer(id, -5, &number))
        fuzz_expect(number >= -5, "at least the minimum");
    else
        fuzz_expect(strstr(caucus_error_text(), setting->environment) != NULL, "the name");
    caucus_setting_lists(id, "cart");
    caucus_setting_lists(id, value);
    unsetenv(setting->environment);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    struct fuzz_input input = {bytes, size};
    for (int i = 0; i < 8 && input.left; i++) {
        int id = fuzz_below(&input, CAUCUS_SETTING_COUNT + 1);
        char *line = fuzz_line(&input);
        if (id < CAUCUS_SETTING_COUNT) {
            ask(id, line);
        } else if (*line && !strchr(line, '=')) {
            char name[300];
            snprintf(name, sizeof name, "CAUCUS_%.200s", line);
            setenv(name, "1", 1);
            fuzz_expect(caucus_settings_warn_unknown() <= 1, "one unknown name");
            unsetenv(name);
        }
        free(line);
    }
    return 0;
}
