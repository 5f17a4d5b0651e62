/* SPDX-License-Identifier: BSD-3-Clause */
#include <caucus/version.h>

const char *caucus_version(void) {
    return CAUCUS_VERSION;
}
