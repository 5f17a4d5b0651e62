/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of groups that ride on letters (src/plan/group/merge.h), lists of members, and the sets of
 * members in letters. */
#include "fuzz.h"

#include "plan/group/merge.h"
#include "plan/group/split.h"
#include "plan/protocol/member_set.h"

enum { MOST = 40 };

static int64_t draw_words(struct fuzz_input *input, int32_t *word) {
    int64_t count = fuzz_below(input, MOST);
    for (int64_t i = 0; i < count; i++)
        word[i] = (int32_t)fuzz_number(input);
    return count;
}

/* In a block of just its size. */
static int32_t *exact(const int32_t *word, int64_t count) {
    int32_t *copy = malloc(count ? (size_t)count * sizeof *copy : 1);
    fuzz_expect(copy != NULL, "memory");
    memcpy(copy, word, (size_t)count * sizeof *copy);
    return copy;
}

static void check_members(struct caucus_members *members, int32_t parent) {
    for (int32_t i = 0; i < members->count && i < 1000; i++) {
        int32_t rank = caucus_members_rank(members, i);
        fuzz_expect(rank >= 0 && rank < parent, "a rank of the parent");
        fuzz_expect(caucus_members_position(members, rank) == i, "its position");
    }
    caucus_members_free(members);
}

static void merge(struct fuzz_input *input, int32_t parent) {
    struct caucus_merge merge = {.me = fuzz_below(input, parent), .parent_size = parent};
    struct caucus_merge_words up;
    struct caucus_members members;
    int32_t word[MOST];
    for (int i = fuzz_below(input, 4); i >= 0; i--) {
        int64_t count = draw_words(input, word);
        int32_t *copy = exact(word, count);
        if (i == 0 && fuzz_below(input, 2))
            caucus_merge_add_words(&merge, copy, count);
        else
            caucus_merge_note(&merge, (int32_t)fuzz_number(input), copy, count);
        free(copy);
    }
    if (!caucus_merge_gather(&merge, &up))
        free(up.word);
    if (!caucus_merge_settle(&merge) && !caucus_merge_check(&merge) &&
        !caucus_merge_union(merge.outcome.word, merge.outcome.count, parent, &members))
        check_members(&members, parent);
    caucus_merge_free(&merge);
}

static void learn(struct fuzz_input *input, int32_t parent) {
    struct caucus_merge merge = {.parent_size = parent};
    struct caucus_members members;
    int32_t word[MOST];
    int64_t count = draw_words(input, word);
    int32_t *copy = exact(word, count);
    if (!caucus_merge_union(copy, count, parent, &members))
        check_members(&members, parent);
    if (!caucus_merge_learn(&merge, copy, count))
        caucus_merge_check(&merge);
    caucus_merge_free(&merge);
    if (!caucus_members_from_list(&members, parent, (int32_t)count, copy))
        check_members(&members, parent);
    if (count >= 3 && !caucus_members_from_range(&members, parent, copy[0], copy[1], copy[2]))
        check_members(&members, parent);
    free(copy);
}

static void sets(struct fuzz_input *input) {
    int32_t members = 1 + (int32_t)fuzz_byte(input) * 3;
    int64_t words = caucus_set_words(members), limit = caucus_set_packed_limit(members);
    uint64_t *set = calloc((size_t)words, sizeof *set), *again = calloc((size_t)words, 8);
    unsigned char *copy = malloc(input->left ? input->left : 1), *packed = malloc((size_t)limit);
    fuzz_expect(set && again && copy && packed, "memory");
    memcpy(copy, input->at, input->left);
    if (caucus_set_unpack(copy, (int64_t)input->left, members, set)) {
        int64_t length = caucus_set_pack(set, members, packed);
        fuzz_expect(length <= limit && caucus_set_unpack(packed, length, members, again) &&
                        memcmp(set, again, (size_t)words * 8) == 0,
                    "the same set");
    }
    free(set);
    free(again);
    free(copy);
    free(packed);
}

static void split(struct fuzz_input *input) {
    struct caucus_split_wish wish[MOST];
    int32_t positions[MOST], n = 1 + fuzz_below(input, MOST - 1);
    for (int32_t i = 0; i < n; i++)
        wish[i] = (struct caucus_split_wish){(int32_t)fuzz_number(input),
                                             (int32_t)fuzz_number(input), i, 0};
    int32_t count = caucus_split(wish, n, fuzz_below(input, n), positions);
    fuzz_expect(count >= 0 && count <= n, "some of them");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    struct fuzz_input input = {bytes, size};
    int what = fuzz_below(&input, 4);
    int32_t parent = 1 + fuzz_below(&input, 60);
    if (what == 0)
        merge(&input, parent);
    else if (what == 1)
        learn(&input, parent);
    else if (what == 2)
        sets(&input);
    else
        split(&input);
    return 0;
}
