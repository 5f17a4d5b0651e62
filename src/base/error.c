/* SPDX-License-Identifier: BSD-3-Clause */
/* The text is the only state of src/base and src/plan, which libcaucus.so and libcaucus_plan.so
 * both have. Where a process has both, calls between files all go to the one that was loaded first;
 * but who looks this function up in one of them (dlsym, as Python does) gets the function of that
 * one, so it must not be in the file that has the text. */
#include "base/status.h"

const char *caucus_error_text(void) {
    return caucus_failure_text();
}
