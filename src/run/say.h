/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAUCUS_RUN_SAY_H
#define CAUCUS_RUN_SAY_H

#include "run/attach.h"

/* A line on standard error. */
void caucus_say(const char *text);

/* The lowest of the ranks that want to say it does. All ranks come here; when they leave, it is
 * said: they may well abort then. */
void caucus_say_once(const struct caucus_attachment *attachment, bool wants, const char *text);

#endif
