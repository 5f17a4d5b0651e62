/* SPDX-License-Identifier: BSD-3-Clause */
/* What fuzz targets have in common. A target is LLVMFuzzerTestOneInput; it links with libFuzzer, or
 * with replay.c, which hands it files. Bytes are taken off the front of an input, so that a
 * change anywhere keeps what was taken before. */
#ifndef CAUCUS_TESTS_FUZZ_H
#define CAUCUS_TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

struct fuzz_input {
    const uint8_t *at;
    size_t left;
};

/* 0 where nothing is left. */
static inline uint8_t fuzz_byte(struct fuzz_input *input) {
    if (!input->left)
        return 0;
    input->left--;
    return *input->at++;
}

static inline int fuzz_below(struct fuzz_input *input, int end) {
    return fuzz_byte(input) % end;
}

/* Small numbers, powers of two and their neighbours, and anything. */
static inline int64_t fuzz_number(struct fuzz_input *input) {
    uint8_t how = fuzz_byte(input);
    uint64_t number = 0;
    if (how < 192)
        return how % 64 - 8;
    if (how < 224)
        return (int64_t)((UINT64_C(1) << (fuzz_byte(input) % 64)) + how % 3 - 1);
    for (int i = 0; i < 8; i++)
        number = number << 8 | fuzz_byte(input);
    return (int64_t)number;
}

/* Up to the next newline of the input, which is taken too; of just that size, for whoever reads
 * beyond the end. The caller frees it. */
static inline char *fuzz_line(struct fuzz_input *input) {
    const uint8_t *end = input->left ? memchr(input->at, '\n', input->left) : NULL;
    size_t length = end ? (size_t)(end - input->at) : input->left;
    char *text = malloc(length + 1);
    if (!text)
        abort();
    if (length)
        memcpy(text, input->at, length);
    text[length] = '\0';
    input->at += length + (end != NULL);
    input->left -= length + (end != NULL);
    return text;
}

/* The path of a file that has what is left of the input. It is the same file every time. */
const char *fuzz_file(const struct fuzz_input *input);

/* Ends the program loudly unless it holds. */
static inline void fuzz_expect(bool holds, const char *what) {
    if (holds)
        return;
    fprintf(stderr, "expected: %s\n", what);
    abort();
}

#endif
