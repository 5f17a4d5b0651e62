/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/collective/forced.h"

#include "base/status.h"
#include "plan/intergroup/intergroup.h"

#include <stdio.h>
#include <string.h>

struct item {
    char collective[CAUCUS_ALGORITHM_NAME], name[CAUCUS_ALGORITHM_NAME];
};

/* Reads an item and goes on to the next; false at the end of the list. */
static bool next(const char **list, struct item *item) {
    *list += strspn(*list, ", ");
    size_t length = strcspn(*list, ", "), colon = strcspn(*list, ":, ");
    if (length == 0)
        return false;
    bool named = colon < length;
    snprintf(item->collective, sizeof item->collective, "%.*s", named ? (int)colon : 0, *list);
    snprintf(item->name, sizeof item->name, "%.*s", (int)(named ? length - colon - 1 : length),
             *list + (named ? colon + 1 : 0));
    *list += length;
    return true;
}

static bool exists(enum caucus_collective collective, bool between, const char *name) {
    return between ? caucus_intergroup_algorithm_find(collective, name) != NULL
                   : caucus_algorithm_find(collective, name) != NULL;
}

int caucus_forced_check(const char *list) {
    struct item item;
    while (next(&list, &item)) {
        int collective = caucus_collective_find(item.collective);
        if (collective < 0)
            return caucus_fail(CAUCUS_BAD_ARGUMENT,
                               "CAUCUS_ALGORITHM names '%s:%s': there is no collective '%s'",
                               item.collective, item.name, item.collective);
        if (!exists((enum caucus_collective)collective, false, item.name) &&
            !exists((enum caucus_collective)collective, true, item.name))
            return caucus_fail(CAUCUS_BAD_ARGUMENT,
                               "CAUCUS_ALGORITHM names '%s:%s': there is no such algorithm",
                               item.collective, item.name);
    }
    return CAUCUS_OK;
}

void caucus_forced_find(const char *list, enum caucus_collective collective, bool between,
                        char *name) {
    struct item item;
    name[0] = '\0';
    while (next(&list, &item)) {
        bool elsewhere =
            !exists(collective, between, item.name) && exists(collective, !between, item.name);
        if (!elsewhere &&
            (!*item.collective || strcmp(item.collective, caucus_collective_name(collective)) == 0))
            strcpy(name, item.name);
    }
}
