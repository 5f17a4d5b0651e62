/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/redistribute/directory.h"

#include "base/memory.h"
#include "base/permute.h"
#include "base/status.h"

#include <stdbool.h>
#include <stdlib.h>

/* Intervals may have so many times more indices than any rank has elements. */
enum { SPARSE = 8 };

struct caucus_directory caucus_directory_cut(int64_t low, int64_t high, int64_t most,
                                             int32_t ranks) {
    uint64_t width = (uint64_t)high - (uint64_t)low, elements = most > 0 ? (uint64_t)most : 1;
    uint64_t share = width / (uint64_t)ranks + (width % (uint64_t)ranks != 0);
    bool sparse = share / SPARSE > elements;
    if (sparse)
        share = elements;
    return (struct caucus_directory){low, share > 0 ? share : 1, ranks, sparse};
}

/* Who keeps an index. By unsigned numbers: the indices may be further apart than 2^63. */
static int32_t keeper_of(const struct caucus_directory *directory, int64_t index) {
    uint64_t interval = ((uint64_t)index - (uint64_t)directory->low) / directory->share;
    return (int32_t)(directory->sparse ? caucus_mix(interval) % (uint64_t)directory->ranks
                                       : interval);
}

int caucus_index_mail_init(struct caucus_index_mail *mail, int32_t receivers, int64_t records) {
    *mail = (struct caucus_index_mail){
        .receivers = receivers,
        .to = caucus_array(receivers, sizeof *mail->to),
        .begin = caucus_array((int64_t)receivers + 1, sizeof *mail->begin),
        .record = caucus_array(records, sizeof *mail->record),
    };
    if (mail->to && mail->begin && mail->record)
        return CAUCUS_OK;
    caucus_index_mail_free(mail);
    return CAUCUS_NO_MEMORY;
}

void caucus_index_mail_free(struct caucus_index_mail *mail) {
    free(mail->to);
    free(mail->begin);
    free(mail->record);
    *mail = (struct caucus_index_mail){0};
}

static int by_receiver(const void *left, const void *right) {
    const struct caucus_index_letter *a = left, *b = right;
    return a->to < b->to ? -1 : a->to > b->to;
}

int caucus_index_mail_sort(struct caucus_index_mail *mail, struct caucus_index_letter *letters,
                           int64_t count) {
    int32_t receivers = 0;
    if (count > 0) /* there may be no array */
        qsort(letters, (size_t)count, sizeof *letters, by_receiver);
    for (int64_t i = 0; i < count; i++)
        receivers += i == 0 || letters[i].to != letters[i - 1].to;
    if (caucus_index_mail_init(mail, receivers, count))
        return CAUCUS_NO_MEMORY;
    receivers = 0;
    for (int64_t i = 0; i < count; i++) {
        if (i == 0 || letters[i].to != letters[i - 1].to) {
            mail->to[receivers] = letters[i].to;
            mail->begin[receivers++] = i;
        }
        mail->record[i] = letters[i].record;
    }
    mail->begin[receivers] = count;
    return CAUCUS_OK;
}

struct letters {
    struct caucus_index_letter *letter; /* owned */
    int64_t count, room;
};

/* A row of indices, cut where another interval begins. */
static int write_row(const struct caucus_directory *directory, struct caucus_index_record row,
                     struct letters *letters) {
    for (int64_t left = row.count; left > 0; left -= row.count) {
        uint64_t at = (uint64_t)row.first - (uint64_t)directory->low;
        uint64_t rest = directory->share - at % directory->share;
        void *larger = caucus_array_grow(letters->letter, letters->count, &letters->room,
                                         sizeof *letters->letter);
        if (!larger)
            return CAUCUS_NO_MEMORY;
        row.count = rest < (uint64_t)left ? (int64_t)rest : left;
        letters->letter = larger;
        letters->letter[letters->count++] =
            (struct caucus_index_letter){row, keeper_of(directory, row.first)};
        row.first += row.count;
        row.position += row.count;
    }
    return CAUCUS_OK;
}

/* Indices that are next to one another are told as one: of what is wanted, where their positions
 * are too, as they are in one piece. */
static int write_list(const struct caucus_directory *directory, int32_t rank,
                      enum caucus_index_role role, const struct caucus_index_list *list,
                      struct letters *letters) {
    int status = CAUCUS_OK;
    for (int64_t i = 0; i < list->pieces && !status;) {
        const struct caucus_index_piece *piece = &list->piece[i++];
        struct caucus_index_record row = {piece->first, piece->count, piece->position, rank, role};
        while (role == CAUCUS_INDEX_HAS && i < list->pieces &&
               list->piece[i].first == row.first + row.count)
            row.count += list->piece[i++].count;
        status = write_row(directory, row, letters);
    }
    return status;
}

int caucus_directory_tell(const struct caucus_directory *directory, int32_t rank,
                          const struct caucus_index_list *has,
                          const struct caucus_index_list *wants, struct caucus_index_mail *mail) {
    struct letters letters = {0};
    *mail = (struct caucus_index_mail){0};
    int status = write_list(directory, rank, CAUCUS_INDEX_HAS, has, &letters);
    if (!status)
        status = write_list(directory, rank, CAUCUS_INDEX_WANTS, wants, &letters);
    if (!status)
        status = caucus_index_mail_sort(mail, letters.letter, letters.count);
    free(letters.letter);
    return status;
}
