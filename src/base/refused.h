/* SPDX-License-Identifier: BSD-3-Clause */
/* Settings whose values are wrong. In a program that was written for Caucus that is an error of the
 * call that reads them; under the drop-in nobody could handle it, so that the process refuses the
 * value and goes on with the default, and a sentence says so. */
#ifndef CAUCUS_BASE_REFUSED_H
#define CAUCUS_BASE_REFUSED_H

#include "base/settings.h"

/* Notes that this thread's failure is the setting's fault; returns status. */
int caucus_setting_blame(enum caucus_setting_id id, int status);

/* The setting has its default until the process ends: this thread's failure, whose text says why,
 * is no error. Whether that is new. */
bool caucus_setting_refuse(enum caucus_setting_id id);

/* From now on caucus_settings_forgive refuses what is wrong. */
void caucus_settings_forgive_all(void);
bool caucus_settings_are_forgiven(void);

/* After a failure: whether it was a setting's fault that is to be forgiven. The setting is refused
 * then, and whoever failed may begin again. */
bool caucus_settings_forgive(void);

/* Whether the setting was refused; whether any was. */
bool caucus_setting_is_refused(enum caucus_setting_id id);
bool caucus_settings_refused(void);

/* Writes a line to standard error for each that was refused since the last call. */
void caucus_settings_tell_refused(void);

#endif
