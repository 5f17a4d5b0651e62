/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/calls/forgive.h"

#include "base/metis.h"
#include "base/path.h"
#include "base/refused.h"
#include "base/scotch.h"
#include "base/status.h"
#include "run/attachment/locate.h"
#include "run/engine/engine.h"
#include "run/support/waits.h"

#include <string.h>

static int check_report(void) {
    return caucus_path_check(CAUCUS_SETTING_REPORT, CAUCUS_PATH_FILE, 1);
}

static int check_cache(void) {
    return strcmp(caucus_setting_text(CAUCUS_SETTING_CACHE), "none") == 0
               ? CAUCUS_OK
               : caucus_path_check(CAUCUS_SETTING_CACHE, CAUCUS_PATH_FOLDER, 2);
}

/* As long as it fails for a setting that was not refused yet. */
static void ask(caucus_check *check) {
    while (check() && caucus_settings_forgive())
        continue;
}

void caucus_calls_forgive(bool first, caucus_check *const checks[], int count) {
    static caucus_check *const own[] = {caucus_describe_check_setting, caucus_levels_check_setting,
                                        caucus_engine_check_settings,  caucus_waits_check_settings,
                                        caucus_metis_check_setting,    caucus_scotch_check_setting};
    caucus_settings_forgive_all();
    for (int i = 0; i < count; i++)
        ask(checks[i]);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        ask(own[i]);
    if (!first)
        return;
    ask(check_report);
    ask(check_cache);
    caucus_settings_tell_refused();
}
