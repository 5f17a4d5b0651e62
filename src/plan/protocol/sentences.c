/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/protocol/sentences.h"

#include <stdarg.h>
#include <stdio.h>

struct caucus_sentences caucus_sentences_in(char *text, int64_t size) {
    *text = 0;
    return (struct caucus_sentences){.text = text, .size = size};
}

static void add_list(struct caucus_sentences *sentences, const char *format, va_list arguments) {
    if (sentences->used < sentences->size)
        sentences->used +=
            vsnprintf(sentences->text + sentences->used,
                      (size_t)(sentences->size - sentences->used), format, arguments);
}

__attribute__((format(printf, 2, 3))) static void add(struct caucus_sentences *sentences,
                                                      const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add_list(sentences, format, arguments);
    va_end(arguments);
}

static void separate(struct caucus_sentences *sentences) {
    add(sentences, "%s", sentences->used ? "; " : "");
}

void caucus_sentences_tell(struct caucus_sentences *sentences, const char *format, ...) {
    va_list arguments;
    separate(sentences);
    va_start(arguments, format);
    add_list(sentences, format, arguments);
    va_end(arguments);
}

void caucus_sentences_name(struct caucus_sentences *sentences, int64_t rank) {
    if (sentences->named < CAUCUS_SENTENCE_RANKS)
        sentences->ranks[sentences->named] = rank;
    sentences->named++;
}

bool caucus_sentences_have(struct caucus_sentences *sentences, const char *format, ...) {
    va_list arguments;
    int named = sentences->named;
    int shown = named < CAUCUS_SENTENCE_RANKS ? named : CAUCUS_SENTENCE_RANKS;
    if (named == 0)
        return false;
    separate(sentences);
    add(sentences, "%s ", named == 1 ? "rank" : "ranks");
    for (int i = 0; i < shown; i++) {
        const char *before = i == 0 ? "" : i + 1 < named ? ", " : " and ";
        add(sentences, "%s%lld", before, (long long)sentences->ranks[i]);
    }
    add(sentences, "%s %s ", shown < named ? " and others" : "", named == 1 ? "has" : "have");
    va_start(arguments, format);
    add_list(sentences, format, arguments);
    va_end(arguments);
    sentences->named = 0;
    return true;
}

void caucus_sentences_has(struct caucus_sentences *sentences, int64_t rank, const char *what) {
    caucus_sentences_name(sentences, rank);
    caucus_sentences_have(sentences, "%s", what);
}
