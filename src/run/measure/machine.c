/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/measure/machine.h"

#include "base/settings.h"
#include "base/status.h"
#include "run/attachment/exchange.h"
#include "run/measure/between_nodes.h"
#include "run/measure/kept.h"
#include "run/measure/within_nodes.h"
#include "run/support/notice.h"

#include <pthread.h>
#include <stdio.h>

/* ---- what this process has measured, the latest last ---- */
enum { KNOWN_MOST = 8 };

struct known {
    int ranks_of_node; /* 0: nothing */
    bool several_nodes;
    enum caucus_kept_within within;
    struct caucus_model model;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct known known[KNOWN_MOST];
static int known_count;

static struct known *find(const struct known *asked) {
    for (int i = 0; i < known_count && i < KNOWN_MOST; i++)
        if (known[i].ranks_of_node == asked->ranks_of_node && known[i].within == asked->within &&
            known[i].several_nodes == asked->several_nodes)
            return &known[i];
    return NULL;
}

static bool look_up(struct known *asked) {
    pthread_mutex_lock(&lock);
    const struct known *there = find(asked);
    if (there)
        *asked = *there;
    pthread_mutex_unlock(&lock);
    return there != NULL;
}

/* Instead of the oldest, where there is no room. */
static void remember(const struct known *measured) {
    pthread_mutex_lock(&lock);
    struct known *place = find(measured);
    if (!place)
        place = &known[known_count++ % KNOWN_MOST];
    *place = *measured;
    pthread_mutex_unlock(&lock);
}

/* ---- with CAUCUS_VERBOSE ---- */
static void tell_between(const char *how, const struct caucus_model *model) {
    const double lone = model->lone_latency + 2 * model->lone_overhead;
    const double busy =
        model->latency[CAUCUS_BETWEEN_NODES] + 2 * model->overhead[CAUCUS_BETWEEN_NODES];
    char text[400];
    snprintf(text, sizeof text,
             "messages between nodes, %s: a short one takes %.3g us, while all ranks "
             "exchange some %.3g us; a rank sends %.4g MB/s, a node %.4g MB/s",
             how, 1e6 * lone, 1e6 * busy, 1e-6 / model->byte[CAUCUS_BETWEEN_NODES],
             1e-6 / model->card_byte);
    caucus_notice(text);
}

static void tell_within(const char *how, const struct caucus_model *model) {
    const double trip =
        model->latency[CAUCUS_WITHIN_NODE] + 2 * model->overhead[CAUCUS_WITHIN_NODE];
    char text[400];
    snprintf(text, sizeof text,
             "within a node, %s: a short message takes %.3g us, a flag %.3g us; a message has %.4g "
             "MB/s, a copy in shared memory %.4g MB/s, one copy by the kernel %.4g MB/s",
             how, 1e6 * trip, 1e6 * model->signal, 1e-6 / model->byte[CAUCUS_WITHIN_NODE],
             1e-6 / model->copy_byte, 1e-6 / model->one_copy_byte);
    caucus_notice(text);
}

static void tell(const char *how, const struct known *told) {
    bool verbose;
    if (caucus_setting_is(CAUCUS_SETTING_VERBOSE, "1", &verbose) || !verbose)
        return;
    if (told->several_nodes)
        tell_between(how, &told->model);
    if (told->within != CAUCUS_KEPT_NOTHING)
        tell_within(how, &told->model);
}

/* ---- what is to be measured ---- */
static enum caucus_kept_within what_within(const struct caucus_engine *engine, bool shared) {
    const struct caucus_attachment *attachment = engine->attachment;
    if (shared || attachment->size == attachment->nodes.count)
        return CAUCUS_KEPT_NOTHING;
    if (!engine->shares_memory || !engine->shares_by_nodes)
        return CAUCUS_KEPT_MESSAGES;
    return engine->one_copy ? CAUCUS_KEPT_ONE_COPY : CAUCUS_KEPT_ALL;
}

/* Where ranks take turns at a processor, on any node, the figures would be those of the turns. */
static int find_what(const struct caucus_engine *engine, struct known *what) {
    const struct caucus_attachment *attachment = engine->attachment;
    int shared = engine->ranks_per_core > 1;
    int status = caucus_highest(attachment->comm, &shared);
    what->ranks_of_node = attachment->local_size;
    what->several_nodes = attachment->nodes.count > 1;
    what->within = what_within(engine, shared);
    return status;
}

/* Rank 0's say, who looks into its file too; ranks_of_node is 0 where nothing is known. */
static int find_known(const struct caucus_attachment *attachment, struct known *found) {
    if (attachment->rank == 0 && !look_up(found)) {
        if (caucus_kept_read(attachment, found->within, &found->model))
            tell("as kept by an earlier run", found);
        else
            found->ranks_of_node = 0;
    }
    return caucus_bcast_all(attachment, found, sizeof *found);
}

/* Six figures within a node, up to three times. */
static int measure(struct caucus_engine *engine, double seconds, struct known *what) {
    const struct caucus_attachment *attachment = engine->attachment;
    int status = CAUCUS_OK;
    if (what->within != CAUCUS_KEPT_NOTHING)
        status = caucus_measure_within_nodes(engine, seconds / 180, &what->model);
    if (!status && what->several_nodes)
        status = caucus_measure_between_nodes(attachment, seconds, &what->model);
    if (!status && attachment->rank == 0) {
        caucus_kept_write(attachment, what->within, &what->model);
        tell("measured now", what);
    }
    return status;
}

int caucus_measure_machine(struct caucus_engine *engine, double seconds,
                           struct caucus_model *model) {
    const struct caucus_attachment *attachment = engine->attachment;
    struct known found = {.model = *model};
    if (attachment->size == 1)
        return CAUCUS_OK;
    int status = find_what(engine, &found);
    if (status || (found.within == CAUCUS_KEPT_NOTHING && !found.several_nodes))
        return status;
    status = find_known(attachment, &found);
    if (!status && found.ranks_of_node == 0) {
        found.model = *model;
        status = measure(engine, seconds, &found);
    }
    if (status)
        return status;
    *model = found.model;
    found.ranks_of_node = attachment->local_size; /* rank 0's node may have others */
    remember(&found);
    return CAUCUS_OK;
}
