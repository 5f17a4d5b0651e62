/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAUCUS_RUN_SUPPORT_NOTICE_H
#define CAUCUS_RUN_SUPPORT_NOTICE_H

/* A line on standard error. */
void caucus_notice(const char *text);

#endif
