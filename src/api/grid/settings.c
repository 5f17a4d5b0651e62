/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/grid/settings.h"

#include "base/settings.h"
#include "base/status.h"
#include "plan/grid/mapper.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int caucus_grid_hints_read(MPI_Info info, struct caucus_grid_hints *hints) {
    memset(hints, 0, sizeof *hints);
    int status = caucus_hint_read(info, CAUCUS_SETTING_CART_MAPPER, hints->mapper);
    return status ? status
                  : caucus_hint_read(info, CAUCUS_SETTING_CART_THRESHOLD, hints->threshold);
}

/* The text in force, and the name it goes by. */
static const char *choose(const char *hint, enum caucus_setting_id id, const char **name) {
    const struct caucus_setting *entry = caucus_setting_entry(id);
    *name = *hint ? entry->info_key : entry->environment;
    return *hint ? hint : caucus_setting_text(id);
}

static int read_mapper(const char *hint, char *mapper) {
    const char *name, *text = choose(hint, CAUCUS_SETTING_CART_MAPPER, &name);
    bool known = strcmp(text, "best") == 0 || caucus_grid_mapper_find(text);
    if (!known || strlen(text) >= CAUCUS_MAPPER_NAME)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "%s is '%.60s': there is no such grid mapper", name,
                           text);
    strcpy(mapper, text);
    return CAUCUS_OK;
}

static int read_threshold(const char *hint, double *threshold) {
    char *end;
    const char *name, *text = choose(hint, CAUCUS_SETTING_CART_THRESHOLD, &name);
    *threshold = strtod(text, &end);
    if (end == text || *end || !(*threshold >= 0 && *threshold <= 1))
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "%s is '%.60s': it must be a number from 0 to 1",
                           name, text);
    return CAUCUS_OK;
}

int caucus_grid_settings_read(const struct caucus_grid_hints *hints,
                              struct caucus_grid_settings *settings) {
    int64_t verbose;
    memset(settings, 0, sizeof *settings);
    int status = read_mapper(hints->mapper, settings->mapper);
    if (!status)
        status = read_threshold(hints->threshold, &settings->threshold);
    if (!status)
        status = caucus_setting_integer(CAUCUS_SETTING_CART_CENTRAL, 0, &settings->central);
    settings->chaos = *caucus_setting_text(CAUCUS_SETTING_CHAOS) != '\0';
    if (!status && settings->chaos)
        status = caucus_setting_integer(CAUCUS_SETTING_CHAOS, INT64_MIN, &settings->seed);
    if (!status)
        status = caucus_setting_integer(CAUCUS_SETTING_VERBOSE, 0, &verbose);
    settings->verbose = !status && verbose > 0;
    return status;
}
