/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_SIZE = 2048 };

static _Thread_local char error_text[TEXT_SIZE];

int caucus_fail(int status, const char *format, ...) {
    char text[TEXT_SIZE]; /* an argument may be the text kept now */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    memcpy(error_text, text, sizeof error_text);
    return status;
}

int caucus_fail_in(int status, const char *format, ...) {
    char place[512];
    char kept[TEXT_SIZE - sizeof place];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(place, sizeof place, format, arguments);
    va_end(arguments);
    snprintf(kept, sizeof kept, "%.*s", (int)sizeof kept - 1, error_text);
    return caucus_fail(status, "%s: %s", place, kept);
}

const char *caucus_failure_text(void) {
    return error_text;
}
