/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/collective/learned_kept.h"

#include "api/collective/learned.h"
#include "api/collective/leave.h"
#include "base/memory.h"
#include "base/settings.h"
#include "base/status.h"
#include "run/attachment/exchange.h"
#include "run/measure/kept_file.h"
#include "run/peers/agree.h"

#include <caucus/version.h>

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Of a file: fewer than a communicator can learn, so that there is room for what is new. */
enum { KEPT = 192 };
_Static_assert((int)KEPT < (int)CAUCUS_LEARNED_MOST, "room for others");

/* The latest come last. */
struct choices {
    int64_t count;
    struct caucus_choice choice[CAUCUS_LEARNED_MOST];
};

/* Addresses mean nothing to another rank. */
struct sent {
    int64_t is_kept; /* what will be found out */
    int64_t count;
    struct {
        struct caucus_choice_key key;
        int64_t algorithm, is_mpis;
    } choice[CAUCUS_LEARNED_MOST];
};

/* ---- which file ---- */
static uint64_t digest_nodes(const struct caucus_node_map *nodes) {
    const int32_t shape[] = {nodes->ranks, nodes->nodes, nodes->block};
    const struct caucus_item items[] = {
        {"shape", CAUCUS_ITEM_INTEGERS, shape, 3},
        {"nodes", CAUCUS_ITEM_INTEGERS, nodes->node_of_rank, nodes->block ? 0 : nodes->ranks},
    };
    return caucus_agree_digest(2, items);
}

static bool find(const struct caucus_context *context, struct caucus_kept_file *file) {
    char words[200], key[CAUCUS_KEPT_KEY];
    int threads = MPI_THREAD_SINGLE;
    PMPI_Query_thread(&threads);
    snprintf(words, sizeof words,
             "choices of caucus %d.%d.%d, %d ranks, memory of nodes %016" PRIx64 "%s%s%s%s%s",
             CAUCUS_VERSION_MAJOR, CAUCUS_VERSION_MINOR, CAUCUS_VERSION_PATCH, context->size,
             digest_nodes(&context->engine->nodes),
             context->attachment->described ? ", described" : "",
             caucus_leave_is_offered() ? ", beside MPI's own" : "",
             threads == MPI_THREAD_MULTIPLE ? ", threads" : "",
             context->engine->timeout > 0 ? ", time limit" : "",
             context->engine->one_copy ? ", one copy" : "");
    caucus_kept_describe(context->attachment, words, key);
    return caucus_kept_file_find(file, "choices", key);
}

/* ---- reading ---- */
static void drop_oldest(struct choices *choices) {
    const int64_t dropped = choices->count - KEPT;
    if (dropped <= 0)
        return;
    memmove(choices->choice, choices->choice + dropped, KEPT * sizeof *choices->choice);
    choices->count = KEPT;
}

static bool read_from(const struct caucus_kept_file *file, struct choices *choices) {
    choices->count = 0;
    if (!caucus_kept_file_is_fit(file))
        return false;
    if (!caucus_choices_read(file->path, choices->choice, CAUCUS_LEARNED_MOST, &choices->count)) {
        drop_oldest(choices);
        return true;
    }
    choices->count = 0;
    caucus_kept_file_say(file, "is not as it was written: what it keeps is measured again.");
    return false;
}

static int64_t index_of(const struct caucus_algorithm *algorithm) {
    int index = 0;
    while (caucus_algorithm_entry(index) != algorithm)
        index++;
    return index;
}

static void read_and_pack(const struct caucus_context *context, struct choices *choices,
                          struct sent *sent) {
    struct caucus_kept_file file;
    bool verbose;
    sent->is_kept = find(context, &file);
    if (!sent->is_kept || !read_from(&file, choices))
        return;
    sent->count = choices->count;
    for (int64_t i = 0; i < choices->count; i++) {
        sent->choice[i].key = choices->choice[i].key;
        sent->choice[i].algorithm = index_of(choices->choice[i].algorithm);
        sent->choice[i].is_mpis = choices->choice[i].is_mpis;
    }
    if (!caucus_setting_is(CAUCUS_SETTING_VERBOSE, "1", &verbose) && verbose)
        caucus_kept_file_say(&file, "has choices of earlier runs, which are taken.");
}

/* What blocking calls have found out is for those who ask for it. */
static void learn(struct caucus_context *context, const struct sent *sent) {
    context->keeps_choices = sent->is_kept != 0;
    for (int64_t i = 0; i < sent->count; i++) {
        const struct caucus_choice_key *key = &sent->choice[i].key;
        if (context->settings.select_persistent && key->form == CAUCUS_CHOICE_BLOCKING)
            continue;
        struct caucus_learned_entry *entry = caucus_learned_open(context->learned, key);
        if (!entry)
            return;
        entry->is_settled = entry->is_kept = true;
        entry->is_mpis = sent->choice[i].is_mpis != 0;
        entry->algorithm = caucus_algorithm_entry((int)sent->choice[i].algorithm);
    }
}

static int recall(struct caucus_context *context) {
    if (context->between || context->group || context->size < 2)
        return CAUCUS_OK;
    struct choices *choices = caucus_array(1, sizeof *choices);
    struct sent *sent = caucus_array(1, sizeof *sent);
    int status = caucus_agree(&context->attachment->peers,
                              choices && sent ? CAUCUS_OK : CAUCUS_NO_MEMORY, 0, NULL);
    if (!status && context->rank == 0)
        read_and_pack(context, choices, sent);
    if (!status)
        status = caucus_bcast_all(context->attachment, sent, offsetof(struct sent, choice));
    if (!status && sent->count > 0)
        status = caucus_bcast_all(context->attachment, sent->choice,
                                  (size_t)sent->count * sizeof *sent->choice);
    if (!status)
        learn(context, sent);
    free(choices);
    free(sent);
    return status;
}

int caucus_learned_begin(struct caucus_context *context) {
    if (context->learned || context->settings.select_seconds <= 0)
        return CAUCUS_OK;
    const struct caucus_peers *peers = &context->attachment->peers;
    struct caucus_learned *made = NULL;
    int lacks = caucus_learned_create(&made);
    int status = caucus_peers_meet(peers); /* nobody blocks within MPI before all are here */
    status = caucus_agree(peers, status ? status : lacks, 0, NULL);
    if (status) {
        caucus_learned_free(made);
        return status;
    }
    context->learned = made;
    return recall(context);
}

/* ---- writing ---- */
static void add(struct choices *choices, const struct caucus_choice *choice) {
    int64_t others = 0;
    for (int64_t i = 0; i < choices->count; i++)
        if (memcmp(&choices->choice[i].key, &choice->key, sizeof choice->key) != 0)
            choices->choice[others++] = choices->choice[i];
    choices->choice[others] = *choice;
    choices->count = others + 1;
    drop_oldest(choices);
}

static bool write_all(FILE *stream, const void *data) {
    const struct choices *choices = data;
    bool good = true;
    for (int64_t i = 0; i < choices->count && good; i++)
        good = caucus_choice_write(stream, &choices->choice[i]);
    return good;
}

void caucus_learned_keep(const struct caucus_context *context) {
    struct caucus_kept_file file;
    if (context->rank != 0 || context->between || context->group || !find(context, &file))
        return;
    struct choices *all = caucus_array(2, sizeof *all);
    if (!all)
        return;
    all[1].count = caucus_learned_choices(context->learned, all[1].choice);
    read_from(&file, all);
    for (int64_t i = 0; i < all[1].count; i++)
        add(all, &all[1].choice[i]);
    caucus_kept_file_replace(&file, write_all, all);
    free(all);
}
