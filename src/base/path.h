/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAUCUS_BASE_PATH_H
#define CAUCUS_BASE_PATH_H

#include "base/settings.h"

enum caucus_path_kind { CAUCUS_PATH_FILE, CAUCUS_PATH_FOLDER };

/* Whether the setting is empty, or names a file or folder that may be written, or whose last
 * `missing` parts, which are not there yet, could be made. Makes nothing. */
int caucus_path_check(enum caucus_setting_id id, enum caucus_path_kind kind, int missing);

#endif
