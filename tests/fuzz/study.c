/* SPDX-License-Identifier: BSD-3-Clause */
/* Questions of caucus schedule: words of collectives, algorithms, machines, counts, numbers of any
 * size; small ones are built and verified too. */
#include "fuzz.h"

#include <caucus/schedule.h>

enum { MOST_RANKS = 12, MOST_BYTES = 1 << 12 };

static bool is_small(const caucus_study_question *question, const caucus_study *study) {
    return caucus_study_ranks(study) <= MOST_RANKS && question->bytes <= MOST_BYTES &&
           question->second_bytes <= MOST_BYTES;
}

static const char *collective_at(int index, const char **algorithm) {
    caucus_study_listed entry;
    if (!caucus_study_listed_entry(index, &entry))
        return "no such collective";
    *algorithm = entry.name;
    return entry.collective;
}

static bool has_large(const char *text) {
    for (const char *at = text; *at; at++) {
        char *end;
        long number = strtol(at, &end, 10);
        if (end > at && (number > 64 || number < -64))
            return true;
    }
    return strlen(text) > 24 || strncmp(text, "file:", 5) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    struct fuzz_input input = {bytes, size};
    const char *listed = "";
    uint8_t how = fuzz_byte(&input);
    caucus_study_question question = {.collective = collective_at(fuzz_byte(&input), &listed)};
    question.ranks = how & 1 ? fuzz_number(&input) : fuzz_below(&input, MOST_RANKS);
    question.bytes = fuzz_number(&input);
    question.element = fuzz_number(&input);
    question.segment = fuzz_number(&input);
    question.root = fuzz_number(&input);
    question.first_group = how & 2 ? fuzz_number(&input) : 0;
    question.second_bytes = how & 2 ? fuzz_number(&input) : 0;
    question.seed = fuzz_byte(&input);
    uint8_t flags = fuzz_byte(&input);
    question.commutative = flags & 1;
    question.in_place = flags >> 1 & 1;
    question.irregular = flags >> 2 & 1;
    question.persistent = flags >> 3 & 1;
    if (how & 4) {
        question.axes = fuzz_below(&input, 9) - 1;
        for (int i = 0; i < 6; i++) {
            question.sides[i] = (int)fuzz_number(&input);
            question.periodic[i] = fuzz_below(&input, 2);
        }
    } else if (how & 8) {
        question.degree = (int)fuzz_number(&input);
    }
    char *words[3] = {fuzz_line(&input), fuzz_line(&input), fuzz_line(&input)};
    question.machine = words[0];
    question.counts = words[1];
    question.algorithm = how & 16 ? listed : words[2];
    if (how & 32)
        question.model = fuzz_file(&input);
    caucus_study *study = NULL;
    caucus_study_verdict verdict;
    caucus_study_time time;
    bool takes_long = question.degree > 1 << 14;
    if (question.ranks <= 256 && !takes_long && !has_large(words[0])) {
        int status = caucus_study_create(&question, &study);
        fuzz_expect(!status == (study != NULL), "a study, or none");
        if (!status && is_small(&question, study)) {
            status = caucus_study_verify(study, &verdict);
            fuzz_expect(status != CAUCUS_PLAN_FAILED, caucus_error_text());
            caucus_study_simulate(study, &time);
        }
        caucus_study_free(study);
    }
    for (int i = 0; i < 3; i++)
        free(words[i]);
    return 0;
}
