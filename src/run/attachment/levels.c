/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/attachment/locate.h"

#include "base/memory.h"
#include "base/refused.h"
#include "base/settings.h"
#include "base/status.h"
#include "run/support/mpi_status.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[CAUCUS_INNER_LEVELS] = {"package", "cache"};

static int read_wanted(bool wanted[CAUCUS_INNER_LEVELS]) {
    const char *text = caucus_setting_text(CAUCUS_SETTING_LEVELS);
    bool none = strcmp(text, "none") == 0;
    size_t named = none ? strlen(text) : 0;
    for (int level = 0; level < CAUCUS_INNER_LEVELS; level++) {
        wanted[level] = !none && caucus_setting_lists(CAUCUS_SETTING_LEVELS, names[level]);
        named += wanted[level] ? strlen(names[level]) + (named ? 1 : 0) : 0;
    }
    if (named != strlen(text)) /* something else is in it, or something twice */
        return caucus_setting_blame(
            CAUCUS_SETTING_LEVELS,
            caucus_fail(CAUCUS_BAD_ARGUMENT, "CAUCUS_LEVELS is '%.60s': it must be %s", text,
                        caucus_setting_entry(CAUCUS_SETTING_LEVELS)->syntax));
    return CAUCUS_OK;
}

int caucus_levels_check_setting(void) {
    bool wanted[CAUCUS_INNER_LEVELS];
    return read_wanted(wanted);
}

/* Renumbers count labels by first appearance into part; returns how many differ, 0 if one is
 * unknown. label has a stride of CAUCUS_INNER_LEVELS. */
static int32_t number_parts(int count, const int32_t *label, int32_t *part) {
    int32_t parts = 0;
    for (int i = 0; i < count; i++) {
        int same = 0;
        if (label[i * CAUCUS_INNER_LEVELS] < 0)
            return 0;
        while (label[same * CAUCUS_INNER_LEVELS] != label[i * CAUCUS_INNER_LEVELS])
            same++;
        part[i] = same < i ? part[same] : parts++;
    }
    return parts;
}

/* Whether a level of so many parts tells ranks apart and groups some of them; and lies within the
 * level above, which the mapping relies on. */
static bool is_useful(const struct caucus_attachment *attachment, int32_t parts,
                      const int32_t *part) {
    int count = attachment->local_size;
    if (parts <= 1 || parts >= count)
        return false;
    for (int i = 0; attachment->levels > 0 && i < count; i++)
        for (int j = 0; j < i; j++)
            if (part[i] == part[j] &&
                attachment->part_of_local[0][i] != attachment->part_of_local[0][j])
                return false;
    return true;
}

static int number_levels(struct caucus_attachment *attachment, const int32_t *labels) {
    for (int level = 0; level < CAUCUS_INNER_LEVELS; level++) {
        int32_t *part = caucus_array(attachment->local_size, sizeof *part);
        if (!part)
            return CAUCUS_NO_MEMORY;
        int32_t parts = number_parts(attachment->local_size, labels + level, part);
        if (is_useful(attachment, parts, part))
            attachment->part_of_local[attachment->levels++] = part;
        else
            free(part);
    }
    return CAUCUS_OK;
}

static int gather(struct caucus_attachment *attachment, const int32_t *label, int32_t *labels) {
    return caucus_mpi_status(PMPI_Gather(label, CAUCUS_INNER_LEVELS, MPI_INT32_T, labels,
                                         CAUCUS_INNER_LEVELS, MPI_INT32_T, 0, attachment->node),
                             "MPI_Gather");
}

int caucus_levels_begin(const struct caucus_attachment *attachment, struct caucus_levels *levels) {
    int64_t entries = (int64_t)attachment->local_size * CAUCUS_INNER_LEVELS;
    levels->labels = NULL;
    int status = read_wanted(levels->wanted);
    if (!status && attachment->local_rank == 0) {
        levels->labels = caucus_array(entries, sizeof *levels->labels);
        status = levels->labels ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    }
    return status;
}

void caucus_levels_free(struct caucus_levels *levels) {
    free(levels->labels);
}

int caucus_levels_find(struct caucus_attachment *attachment, struct caucus_levels *levels) {
    const bool *wanted = levels->wanted;
    int32_t own[CAUCUS_INNER_LEVELS];
    memcpy(own, attachment->origin.label + 1, sizeof own);
    if (!attachment->described && attachment->local_size > 1 && (wanted[0] || wanted[1]))
        caucus_hardware_labels(own);
    for (int level = 0; level < CAUCUS_INNER_LEVELS; level++)
        own[level] = wanted[level] ? own[level] : -1;
    int status = gather(attachment, own, levels->labels);
    if (!status && attachment->local_rank == 0)
        status = number_levels(attachment, levels->labels);
    return status;
}
