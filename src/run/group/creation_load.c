/* SPDX-License-Identifier: BSD-3-Clause */
/* What rides on the messages by which a group is made, and what it is called when that fails. */
#include "base/status.h"
#include "plan/group/merge.h"
#include "run/group/hub.h"

#include <stdlib.h>

int caucus_creation_fail(const struct caucus_light_group *group, int64_t code, int rank) {
    switch (code) {
    case CAUCUS_CREATION_MISMATCH:
        if (group->way == CAUCUS_GROUP_LATER) /* met by their list alone */
            return caucus_fail(CAUCUS_NO_MEMORY,
                               "rank %d of the parent, a member, has no number left for the group, "
                               "or no memory",
                               rank);
        if (group->outside == CAUCUS_GROUP_MERGES || group->outside == CAUCUS_GROUP_JOINS)
            return caucus_fail(CAUCUS_BAD_ARGUMENT,
                               "the lists of groups that merge differ: rank %d of the parent, the "
                               "first of one, gave another list, or none that is right, or has "
                               "no number left for the group, or no memory",
                               rank);
        if (group->outside == CAUCUS_GROUP_LEADERS || group->tag < 0)
            return caucus_fail(
                CAUCUS_BAD_ARGUMENT,
                "rank %d of the parent gave other arguments, or wrong ones, or has no "
                "number left for the group, or no memory",
                rank);
        return caucus_fail(
            CAUCUS_BAD_ARGUMENT,
            "the lists of members differ: rank %d of the parent has another list, or "
            "began another group with tag %d, or has no number left for the group, or no memory",
            rank, group->tag);
    case CAUCUS_CREATION_TIMEOUT:
        return caucus_fail(CAUCUS_TIMED_OUT,
                           "rank %d of the parent, a member, did not come within CAUCUS_TIMEOUT",
                           rank);
    default:
        return caucus_fail(CAUCUS_DEAD, "rank %d of the parent, a member, is dead", rank);
    }
}

int caucus_creation_send(const struct caucus_light_group *group, int rank,
                         const struct caucus_hub_message *message) {
    struct caucus_merge *merge = group->merge;
    struct caucus_merge_words words = {0};
    enum caucus_creation_word word = caucus_creation_word_of(message->body);
    int status = CAUCUS_OK;
    if (merge && word == CAUCUS_CREATION_UP)
        status = caucus_merge_gather(merge, &words);
    else if (merge && word == CAUCUS_CREATION_DOWN && merge->outcome.count == 0)
        status = caucus_merge_settle(merge);
    const struct caucus_merge_words *load = &words;
    if (merge && word == CAUCUS_CREATION_DOWN)
        load = &merge->outcome;
    if (!status)
        status = caucus_hub_send(group->parent->hub, rank, message, load->word,
                                 load->count * (int64_t)sizeof *load->word);
    free(words.word);
    return status;
}

int caucus_creation_unload(const struct caucus_light_group *group,
                           const struct caucus_hub_letter *letter) {
    struct caucus_merge *merge = group->merge;
    int64_t words = letter->length / (int64_t)sizeof(int32_t);
    if (!merge || words == 0)
        return CAUCUS_OK;
    if (caucus_creation_word_of(letter->message.body) == CAUCUS_CREATION_DOWN)
        return caucus_merge_learn(merge, letter->load, words);
    int32_t from = caucus_members_position(&group->members, letter->source);
    return caucus_merge_note(merge, from, letter->load, words);
}
