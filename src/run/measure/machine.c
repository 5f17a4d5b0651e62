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
    bool measures_within; /* of rank 0's node */
    struct caucus_model model;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct known known[KNOWN_MOST];
static int known_count;

static struct known nothing_of(const struct caucus_attachment *attachment) {
    return (struct known){.several_nodes = attachment->nodes.count > 1};
}

static struct known *find(const struct caucus_attachment *attachment) {
    bool several = attachment->nodes.count > 1;
    for (int i = 0; i < known_count && i < KNOWN_MOST; i++)
        if (known[i].ranks_of_node == attachment->local_size && known[i].several_nodes == several)
            return &known[i];
    return NULL;
}

static struct known look_up(const struct caucus_attachment *attachment) {
    pthread_mutex_lock(&lock);
    const struct known *there = find(attachment);
    struct known found = there ? *there : nothing_of(attachment);
    pthread_mutex_unlock(&lock);
    return found;
}

/* Instead of the oldest, where there is no room. */
static void remember(const struct caucus_attachment *attachment, const struct caucus_model *model) {
    pthread_mutex_lock(&lock);
    struct known *place = find(attachment);
    if (!place)
        place = &known[known_count++ % KNOWN_MOST];
    *place = nothing_of(attachment);
    place->ranks_of_node = attachment->local_size;
    place->model = *model;
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
             "MB/s, a copy in shared memory %.4g MB/s",
             how, 1e6 * trip, 1e6 * model->signal, 1e-6 / model->byte[CAUCUS_WITHIN_NODE],
             1e-6 / model->copy_byte);
    caucus_notice(text);
}

static bool measures_between(const struct caucus_attachment *attachment) {
    return attachment->nodes.count > 1;
}

/* Where ranks take turns at a processor the figures would be those of the turns. */
static bool measures_within(const struct caucus_engine *engine) {
    const struct caucus_attachment *attachment = engine->attachment;
    return attachment->size > attachment->nodes.count && engine->ranks_per_core <= 1;
}

static void tell(const struct caucus_engine *engine, const char *how,
                 const struct caucus_model *model) {
    int64_t verbose = 0;
    if (caucus_setting_integer(CAUCUS_SETTING_VERBOSE, 0, &verbose) || !verbose)
        return;
    if (measures_between(engine->attachment))
        tell_between(how, model);
    if (measures_within(engine))
        tell_within(how, model);
}

/* Rank 0's say, who looks into its file too. */
static int find_known(const struct caucus_engine *engine, struct known *found) {
    const struct caucus_attachment *attachment = engine->attachment;
    *found = look_up(attachment);
    found->measures_within = measures_within(engine);
    if (attachment->rank == 0 && !found->ranks_of_node &&
        caucus_kept_read(attachment, &found->model)) {
        found->ranks_of_node = attachment->local_size;
        tell(engine, "as kept by an earlier run", &found->model);
    }
    return caucus_bcast_all(attachment, found, sizeof *found);
}

/* Five figures within a node. */
static int measure(const struct caucus_engine *engine, bool within, double seconds,
                   struct caucus_model *model) {
    const struct caucus_attachment *attachment = engine->attachment;
    int status = CAUCUS_OK;
    if (within)
        status = caucus_measure_within_nodes(engine, seconds / 50, model);
    if (!status && measures_between(attachment))
        status = caucus_measure_between_nodes(attachment, seconds, model);
    if (!status && attachment->rank == 0) {
        caucus_kept_write(attachment, model);
        tell(engine, "measured now", model);
    }
    return status;
}

int caucus_measure_machine(const struct caucus_engine *engine, double seconds,
                           struct caucus_model *model) {
    const struct caucus_attachment *attachment = engine->attachment;
    struct known found;
    if (attachment->size == 1)
        return CAUCUS_OK;
    int status = find_known(engine, &found);
    if (status)
        return status;
    if (found.ranks_of_node)
        *model = found.model;
    else if (found.measures_within || measures_between(attachment))
        status = measure(engine, found.measures_within, seconds, model);
    if (!status)
        remember(attachment, model);
    return status;
}
