/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/redistribute/directory.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdbool.h>
#include <stdlib.h>

struct caucus_directory caucus_directory_cut(int64_t low, int64_t high, int32_t ranks) {
    uint64_t width = (uint64_t)high - (uint64_t)low;
    uint64_t share = width / (uint64_t)ranks + (width % (uint64_t)ranks != 0);
    return (struct caucus_directory){low, share > 0 ? share : 1, ranks};
}

/* Who keeps an index. By unsigned numbers: the indices may be further apart than 2^63. */
static int32_t keeper_of(const struct caucus_directory *directory, int64_t index) {
    return (int32_t)(((uint64_t)index - (uint64_t)directory->low) / directory->share);
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

/* Goes through a list in the order of keepers. Indices that are next to one another are told as
 * one: of what is wanted, if their positions are too. */
struct walk {
    const struct caucus_directory *directory;
    const struct caucus_index_list *list;
    bool wants;
    int64_t at;                    /* the next piece */
    int64_t first, left, position; /* of the run at hand */
};

static void take_run(struct walk *walk) {
    const struct caucus_index_list *list = walk->list;
    if (walk->left > 0 || walk->at == list->pieces)
        return;
    walk->first = list->piece[walk->at].first;
    walk->position = list->piece[walk->at].position;
    walk->left = list->piece[walk->at++].count;
    while (!walk->wants && walk->at < list->pieces &&
           list->piece[walk->at].first == walk->first + walk->left)
        walk->left += list->piece[walk->at++].count;
}

/* Who keeps what comes next; past the last rank at the end. */
static int32_t next_keeper(struct walk *walk) {
    take_run(walk);
    return walk->left > 0 ? keeper_of(walk->directory, walk->first) : walk->directory->ranks;
}

/* What of the run at hand its keeper keeps. */
static int64_t take_share(struct walk *walk) {
    const struct caucus_directory *directory = walk->directory;
    uint64_t at = (uint64_t)walk->first - (uint64_t)directory->low;
    uint64_t rest = directory->share - at % directory->share;
    int64_t count = rest < (uint64_t)walk->left ? (int64_t)rest : walk->left;
    walk->first += count;
    walk->position += count;
    walk->left -= count;
    return count;
}

/* One rank's records for one keeper after the other; only counts where mail has no memory yet. */
static void write(const struct caucus_directory *directory, int32_t rank,
                  const struct caucus_index_list *has, const struct caucus_index_list *wants,
                  struct caucus_index_mail *mail, int64_t *records) {
    struct walk walks[] = {{.directory = directory, .list = has},
                           {.directory = directory, .list = wants, .wants = true}};
    mail->receivers = 0;
    *records = 0;
    for (;;) {
        int32_t keepers[] = {next_keeper(&walks[0]), next_keeper(&walks[1])};
        int32_t keeper = keepers[0] < keepers[1] ? keepers[0] : keepers[1];
        if (keeper == directory->ranks)
            break;
        if (mail->to) {
            mail->to[mail->receivers] = keeper;
            mail->begin[mail->receivers] = *records;
        }
        mail->receivers++;
        for (int role = CAUCUS_INDEX_HAS; role <= CAUCUS_INDEX_WANTS; role++) {
            struct walk *walk = &walks[role];
            for (; next_keeper(walk) == keeper; ++*records) {
                int64_t first = walk->first, position = walk->position;
                int64_t count = take_share(walk);
                if (mail->record)
                    mail->record[*records] =
                        (struct caucus_index_record){first, count, position, rank, role};
            }
        }
    }
    if (mail->begin)
        mail->begin[mail->receivers] = *records;
}

int caucus_directory_tell(const struct caucus_directory *directory, int32_t rank,
                          const struct caucus_index_list *has,
                          const struct caucus_index_list *wants, struct caucus_index_mail *mail) {
    int64_t records;
    *mail = (struct caucus_index_mail){0};
    write(directory, rank, has, wants, mail, &records);
    int status = caucus_index_mail_init(mail, mail->receivers, records);
    if (!status)
        write(directory, rank, has, wants, mail, &records);
    return status;
}
