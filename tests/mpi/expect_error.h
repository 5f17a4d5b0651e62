/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_MPI_EXPECT_ERROR_H
#define TESTS_MPI_EXPECT_ERROR_H

#include "check.h"

#include <caucus/error.h>

#include <string.h>

/* The call failed with an error of the class, and its text has the words. */
static inline void expect(int code, int wanted, const char *words) {
    int class;
    CHECK(code != MPI_SUCCESS, "it succeeded where '%s' was expected", words);
    MPI_Error_class(code, &class);
    CHECK(class == wanted && strstr(caucus_error_text(), words), "class %d, not %d: %s", class,
          wanted, caucus_error_text());
}

#endif
