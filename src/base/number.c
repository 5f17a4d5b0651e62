/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/number.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* C libraries have the locale "C" ready and hand it out: nothing need be kept for the next time. If
 * there is none, numbers are as the program has them. */
struct caucus_numbers caucus_numbers_begin(void) {
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return (struct caucus_numbers){plain, uselocale(plain)};
}

void caucus_numbers_end(struct caucus_numbers numbers) {
    uselocale(numbers.before);
    if (numbers.plain)
        freelocale(numbers.plain);
}

double caucus_number_read(const char *text, char **end) {
    const struct caucus_numbers numbers = caucus_numbers_begin();
    double number = strtod(text, end);
    caucus_numbers_end(numbers);
    return number;
}

int caucus_number_write(char *text, size_t size, const char *format, ...) {
    const struct caucus_numbers numbers = caucus_numbers_begin();
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, size, format, arguments);
    va_end(arguments);
    caucus_numbers_end(numbers);
    return length;
}
