/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers with a fraction, in texts that machines read: settings, files, JSON, pictures. Always
 * with a point: in the locale of many a program that has called setlocale it is a comma for strtod
 * and printf, which are for people alone (tests/architecture/rules.py knows where these may be). */
#ifndef CAUCUS_BASE_NUMBER_H
#define CAUCUS_BASE_NUMBER_H

#include <locale.h>
#include <stddef.h>

/* As strtod. */
double caucus_number_read(const char *text, char **end);

/* As snprintf. */
__attribute__((format(printf, 3, 4))) int caucus_number_write(char *text, size_t size,
                                                              const char *format, ...);

/* Between these two, whatever this thread reads and prints has points. No text of the system's may
 * be asked for meanwhile, as it would not be in the user's language; other threads notice nothing.
 */
struct caucus_numbers {
    locale_t plain, before;
};
struct caucus_numbers caucus_numbers_begin(void);
void caucus_numbers_end(struct caucus_numbers numbers);

#endif
