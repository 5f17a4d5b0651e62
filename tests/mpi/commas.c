/* SPDX-License-Identifier: BSD-3-Clause */
/* The program's locale has a decimal comma: settings, hints and what was measured are read and kept
 * with a point all the same, and the locale stays what it is.
 * start: own (a locale is the process's)
 *
 * run: ranks=1 env=CAUCUS_TIMEOUT=0.5 env=CAUCUS_CACHE=kept-commas */
#include "check.h"
#include "comma.h"
#include "skip.h"

#include "api/common/hint.h"
#include "base/status.h"
#include "run/engine/engine.h"
#include "run/measure/kept.h"

static void check_settings(void) {
    double number = -1;
    CHECK(caucus_engine_read_limit(&number) == 0 && number == 0.5, "CAUCUS_TIMEOUT is %g: %s",
          number, caucus_error_text());
    CHECK(caucus_hint_threshold("", &number) == 0 && number == 0.02, "the default is %g: %s",
          number, caucus_error_text());
    CHECK(caucus_hint_threshold("0.25", &number) == 0 && number == 0.25, "the hint is %g: %s",
          number, caucus_error_text());
}

static void check_kept(void) {
    struct caucus_attachment attachment = {.local_size = 2, .nodes = {.count = 3}};
    struct caucus_model model, found = {.ports = 0};
    caucus_model_default(&model);
    caucus_kept_write(&attachment, CAUCUS_KEPT_ALL, &model);
    CHECK(numbers_have_commas(), "the locale was changed");
    CHECK(caucus_kept_read(&attachment, CAUCUS_KEPT_ALL, &found), "nothing is read");
    CHECK(memcmp(&found, &model, sizeof model) == 0, "other figures with commas");
    setlocale(LC_NUMERIC, "C");
    CHECK(caucus_kept_read(&attachment, CAUCUS_KEPT_ALL, &found), "the file has commas");
    CHECK(memcmp(&found, &model, sizeof model) == 0, "other figures with points");
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    bool commas = set_decimal_comma();
    if (commas) {
        check_settings();
        check_kept();
    }
    MPI_Finalize();
    return commas ? 0 : skipped("no locale with a decimal comma can be had");
}
