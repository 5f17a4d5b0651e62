/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/group/merge.h"

#include "base/memory.h"
#include "base/status.h"
#include "plan/protocol/sentences.h"

#include <stdlib.h>
#include <string.h>

/* Instead of a union's size: the word after it is a rank of two groups, or -1; or the rank that has
 * no number for the union. */
enum { OVERLAP = -1, NUMBERLESS = -2 };

static int append(struct caucus_merge_words *words, const int32_t *word, int64_t count) {
    int32_t *larger = realloc(words->word, (size_t)(words->count + count + 1) * sizeof *larger);
    if (!larger)
        return caucus_fail(CAUCUS_NO_MEMORY, "no memory for the lists of groups that merge");
    if (count > 0)
        memcpy(larger + words->count, word, (size_t)count * sizeof *word);
    words->word = larger;
    words->count += count;
    return CAUCUS_OK;
}

static int append_members(struct caucus_merge_words *words, const struct caucus_members *members) {
    int32_t *list = caucus_array(members->count + INT64_C(1), sizeof *list);
    if (!list)
        return CAUCUS_NO_MEMORY;
    list[0] = members->count;
    caucus_members_list(members, list + 1);
    int status = append(words, list, members->count + INT64_C(1));
    free(list);
    return status;
}

int caucus_merge_add(struct caucus_merge *merge, const struct caucus_members *members) {
    return append_members(&merge->part[0], members);
}

int caucus_merge_add_words(struct caucus_merge *merge, const int32_t *word, int64_t count) {
    return append(&merge->part[0], word, count);
}

/* Those below x are x + 1, x + 2, x + 4, ...: a part each, in that order. */
static int part_of(const struct caucus_merge *merge, int32_t from) {
    int part = 1;
    while (part < CAUCUS_POSITION_CHILDREN && (int64_t)from - merge->me > INT64_C(1) << (part - 1))
        part++;
    return part;
}

int caucus_merge_note(struct caucus_merge *merge, int32_t from, const int32_t *word,
                      int64_t count) {
    struct caucus_merge_words *part = &merge->part[part_of(merge, from)];
    part->count = 0;
    return append(part, word, count);
}

int caucus_merge_gather(const struct caucus_merge *merge, struct caucus_merge_words *up) {
    int status = CAUCUS_OK;
    *up = (struct caucus_merge_words){0};
    for (int part = 0; part <= CAUCUS_POSITION_CHILDREN && !status; part++)
        status = append(up, merge->part[part].word, merge->part[part].count);
    if (status) {
        free(up->word);
        *up = (struct caucus_merge_words){0};
    }
    return status;
}

/* Takes the sizes out from between the lists; false where the words are no lists. */
static bool flatten(struct caucus_merge_words *lists) {
    int64_t kept = 0;
    for (int64_t at = 0; at < lists->count;) {
        int32_t size = lists->word[at++];
        if (size < 1 || size > lists->count - at)
            return false;
        memmove(lists->word + kept, lists->word + at, (size_t)size * sizeof *lists->word);
        kept += size;
        at += size;
    }
    lists->count = kept;
    return kept > 0 && kept <= INT32_MAX;
}

static int compare(const void *left, const void *right) {
    int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;
    return (a > b) - (a < b);
}

/* A rank that is there twice; -1 if there is none. */
static int find_twin(const struct caucus_merge_words *ranks, int32_t *twin) {
    int32_t *sorted = caucus_array_copy(ranks->word, ranks->count, sizeof *sorted);
    *twin = -1;
    if (!sorted)
        return CAUCUS_NO_MEMORY;
    qsort(sorted, (size_t)ranks->count, sizeof *sorted, compare);
    for (int64_t i = 1; i < ranks->count && *twin < 0; i++)
        if (sorted[i] == sorted[i - 1])
            *twin = sorted[i];
    free(sorted);
    return CAUCUS_OK;
}

int caucus_merge_settle(struct caucus_merge *merge) {
    struct caucus_merge_words lists;
    struct caucus_members members;
    int status = caucus_merge_gather(merge, &lists);
    if (status)
        return status;
    merge->outcome.count = 0;
    status = flatten(&lists) ? caucus_members_from_list(&members, merge->parent_size,
                                                        (int32_t)lists.count, lists.word)
                             : CAUCUS_BAD_ARGUMENT;
    if (!status) {
        status = append_members(&merge->outcome, &members);
        caucus_members_free(&members);
    } else if (status != CAUCUS_NO_MEMORY) {
        int32_t wrong[2] = {OVERLAP, -1};
        status = find_twin(&lists, &wrong[1]);
        if (!status)
            status = append(&merge->outcome, wrong, 2);
    }
    free(lists.word);
    return status;
}

int caucus_merge_lacks_number(struct caucus_merge *merge, int32_t rank) {
    merge->outcome.count = 0;
    return append(&merge->outcome, (int32_t[]){NUMBERLESS, rank}, 2);
}

int caucus_merge_learn(struct caucus_merge *merge, const int32_t *word, int64_t count) {
    merge->outcome.count = 0;
    return append(&merge->outcome, word, count);
}

int caucus_merge_union(const int32_t *word, int64_t count, int32_t parent_size,
                       struct caucus_members *members) {
    if (count == 2 && word[0] == OVERLAP && word[1] >= 0)
        return caucus_fail(CAUCUS_BAD_ARGUMENT,
                           "groups that merge overlap: rank %d of the parent is in two of them",
                           word[1]);
    if (count == 2 && word[0] == NUMBERLESS)
        return caucus_fail(CAUCUS_BAD_ARGUMENT,
                           "rank %d of the parent, the first of the group that takes others in, "
                           "has no number left for all of them",
                           word[1]);
    if (count < 2 || word[0] != count - 1)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "the lists of groups that merge make no sense");
    return caucus_members_from_list(members, parent_size, word[0], word + 1);
}

int caucus_merge_check(const struct caucus_merge *merge) {
    struct caucus_members members;
    int status =
        caucus_merge_union(merge->outcome.word, merge->outcome.count, merge->parent_size, &members);
    if (!status)
        caucus_members_free(&members);
    return status;
}

void caucus_merge_free(struct caucus_merge *merge) {
    for (int part = 0; part <= CAUCUS_POSITION_CHILDREN; part++)
        free(merge->part[part].word);
    free(merge->outcome.word);
}

void caucus_merge_explain(int32_t above, char *text, int64_t size) {
    struct caucus_sentences words = caucus_sentences_in(text, size);
    caucus_sentences_has(&words, above, "not told what becomes of the group (message INSIDE)");
}
