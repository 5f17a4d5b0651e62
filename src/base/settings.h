/* SPDX-License-Identifier: BSD-3-Clause */
/* The one table of settings: environment variable, info key, default and documentation. The
 * command line and the manual page print this table. */
#ifndef CAUCUS_BASE_SETTINGS_H
#define CAUCUS_BASE_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum caucus_setting_id {
    CAUCUS_SETTING_NODES,
    CAUCUS_SETTING_LEVELS,
    CAUCUS_SETTING_CART_MAPPER,
    CAUCUS_SETTING_CART_THRESHOLD,
    CAUCUS_SETTING_CART_CENTRAL,
    CAUCUS_SETTING_CART_RANK0,
    CAUCUS_SETTING_GRAPH_CENTRAL,
    CAUCUS_SETTING_METIS,
    CAUCUS_SETTING_SCOTCH,
    CAUCUS_SETTING_CHAOS,
    CAUCUS_SETTING_SHARED_MEMORY,
    CAUCUS_SETTING_ONE_COPY,
    CAUCUS_SETTING_DEVICE,
    CAUCUS_SETTING_TIMEOUT,
    CAUCUS_SETTING_ALGORITHM,
    CAUCUS_SETTING_MODEL,
    CAUCUS_SETTING_CACHE,
    CAUCUS_SETTING_MODEL_MS,
    CAUCUS_SETTING_REPRODUCIBLE,
    CAUCUS_SETTING_SELECT,
    CAUCUS_SETTING_SELECT_MS,
    CAUCUS_SETTING_REQUESTS,
    CAUCUS_SETTING_CHECK,
    CAUCUS_SETTING_CREATE_GROUP,
    CAUCUS_SETTING_GROUP_CALLS,
    CAUCUS_SETTING_DISABLE,
    CAUCUS_SETTING_ENABLE,
    CAUCUS_SETTING_REPORT,
    CAUCUS_SETTING_VERBOSE,
    CAUCUS_SETTING_SIGNAL,
    CAUCUS_SETTING_WAITS,
    CAUCUS_SETTING_COUNT
};

struct caucus_setting {
    const char *environment;   /* "CAUCUS_NODES" */
    const char *info_key;      /* "caucus_nodes" */
    const char *default_value; /* never NULL */
    const char *syntax;        /* what a value looks like */
    const char *help;          /* what it does, in a sentence or two */
};

/* The table's entry, NULL beyond its end: so a reader can walk it. */
const struct caucus_setting *caucus_setting_entry(int id);

/* The value in force: the environment's, else, or where that was refused, the default. Never NULL;
 * "" is "not set". */
const char *caucus_setting_text(enum caucus_setting_id id);

/* The value as a number. A malformed one fails with a text that names the variable. */
int caucus_setting_integer(enum caucus_setting_id id, int64_t minimum, int64_t *value);

/* Whether the value is the word, of a setting whose syntax is some words; fails for any other. */
int caucus_setting_is(enum caucus_setting_id id, const char *word, bool *is);

/* Whether the syntax, which is some words or a list of some, has this one. */
bool caucus_setting_has_word(enum caucus_setting_id id, const char *word);

/* Goes through a list such as CAUCUS_DISABLE: the next word, length characters, NULL at the end.
 * *at is the text, and afterwards what is left of it. */
const char *caucus_setting_next(const char **at, size_t *length);

/* Whether such a list names the word. */
bool caucus_setting_lists(enum caucus_setting_id id, const char *word);

/* Writes one line to standard error for each CAUCUS_* variable of the environment that no setting
 * has, with the nearest known name. Returns how many there were. */
int caucus_settings_warn_unknown(void);

#endif
