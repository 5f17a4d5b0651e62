/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/choice/choice.h"

#include "base/lines.h"
#include "base/status.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 8 };
static const char *const FORMS[] = {"blocking", "persistent", "all"};
static const char *const OWNERS[] = {"ours", "mpi"};
_Static_assert(sizeof FORMS / sizeof *FORMS == CAUCUS_CHOICE_ALL + 1, "a word for each form");

/* ---- reading ---- */
static int refuse(const struct caucus_lines *lines, const char *what, const char *word) {
    return caucus_fail(CAUCUS_BAD_FILE, "%s:%lld: '%.60s' is no %s", lines->path,
                       (long long)lines->number, word, what);
}

static int read_word(const struct caucus_lines *lines, const char *what, const char *word,
                     const char *const *words, int64_t count, int64_t *number) {
    for (*number = 0; *number < count; ++*number)
        if (strcmp(word, words[*number]) == 0)
            return CAUCUS_OK;
    return refuse(lines, what, word);
}

static int read_number(const struct caucus_lines *lines, const char *what, const char *word,
                       int64_t most, int64_t *number) {
    char *end;
    errno = 0;
    *number = strtoll(word, &end, 10);
    return end == word || *end || errno || *number < 0 || *number > most ? refuse(lines, what, word)
                                                                         : CAUCUS_OK;
}

/* A choice without an algorithm is of another version. */
static int read_line(const struct caucus_lines *lines, int count, char *const *words,
                     struct caucus_choice *choice) {
    struct caucus_choice_key *key = &choice->key;
    int64_t is_mpis = 0;
    if (count != WORDS)
        return caucus_fail(CAUCUS_BAD_FILE, "%s:%lld: a line has %d words, not %d", lines->path,
                           (long long)lines->number, WORDS, count);
    int status = read_word(lines, "form", words[0], FORMS, CAUCUS_CHOICE_ALL + 1, &key->form);
    key->collective = caucus_collective_find(words[1]);
    if (!status)
        status = read_number(lines, "size class", words[2], 63, &key->size_class);
    if (!status)
        status = read_number(lines, "size of an element", words[3], INT64_MAX, &key->element);
    if (!status)
        status = read_number(lines, "0 or 1", words[4], 1, &key->commutative);
    if (!status)
        status = read_number(lines, "0 or 1", words[5], 1, &key->shares_memory);
    if (!status)
        status = read_word(lines, "owner of a call", words[6], OWNERS, 2, &is_mpis);
    choice->is_mpis = is_mpis != 0;
    if (!status && key->collective >= 0)
        choice->algorithm =
            caucus_algorithm_find((enum caucus_collective)key->collective, words[7]);
    return status;
}

static bool is_there(const struct caucus_choice *choices, int64_t count,
                     const struct caucus_choice_key *key) {
    for (int64_t i = 0; i < count; i++)
        if (memcmp(&choices[i].key, key, sizeof *key) == 0)
            return true;
    return false;
}

int caucus_choices_read(const char *path, struct caucus_choice *choices, int64_t most,
                        int64_t *count) {
    struct caucus_lines lines;
    char *words[WORDS];
    int found, status = caucus_lines_open(&lines, path);
    *count = 0;
    if (status)
        return status;
    while (!status && *count < most && (found = caucus_lines_next(&lines, WORDS, words)) > 0) {
        struct caucus_choice choice = {.algorithm = NULL};
        status = read_line(&lines, found, words, &choice);
        if (!status && choice.algorithm && !is_there(choices, *count, &choice.key))
            choices[(*count)++] = choice;
    }
    caucus_lines_close(&lines);
    return status;
}

/* ---- writing ---- */
bool caucus_choice_write(FILE *stream, const struct caucus_choice *choice) {
    const struct caucus_choice_key *key = &choice->key;
    return fprintf(stream, "%s %s %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %s %s\n",
                   FORMS[key->form], caucus_collective_name((int)key->collective), key->size_class,
                   key->element, key->commutative, key->shares_memory, OWNERS[choice->is_mpis],
                   choice->algorithm->name) > 0;
}
