/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/common/hint.h"

#include "base/number.h"
#include "base/refused.h"
#include "base/status.h"
#include "run/support/mpi_status.h"

int caucus_hint_read(MPI_Info info, enum caucus_setting_id id, char *value) {
    const char *key = caucus_setting_entry(id)->info_key;
    int length, found;
    value[0] = '\0';
    if (info == MPI_INFO_NULL)
        return CAUCUS_OK;
    int status = caucus_mpi_status(PMPI_Info_get_valuelen(info, key, &length, &found),
                                   "MPI_Info_get_valuelen");
    if (status || !found)
        return status;
    if (length >= CAUCUS_INFO_VALUE)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "the info key %s has a value of %d characters", key,
                           length);
    return caucus_mpi_status(PMPI_Info_get(info, key, CAUCUS_INFO_VALUE - 1, value, &found),
                             "MPI_Info_get");
}

const char *caucus_hint_or_setting(const char *hint, enum caucus_setting_id id, const char **name) {
    const struct caucus_setting *entry = caucus_setting_entry(id);
    *name = *hint ? entry->info_key : entry->environment;
    return *hint ? hint : caucus_setting_text(id);
}

int caucus_hint_blame(const char *hint, enum caucus_setting_id id, int status) {
    return *hint || !status ? status : caucus_setting_blame(id, status);
}

int caucus_hint_threshold(const char *hint, double *threshold) {
    char *end;
    const char *name, *text = caucus_hint_or_setting(hint, CAUCUS_SETTING_CART_THRESHOLD, &name);
    *threshold = caucus_number_read(text, &end);
    if (end == text || *end || !(*threshold >= 0 && *threshold <= 1))
        return caucus_hint_blame(hint, CAUCUS_SETTING_CART_THRESHOLD,
                                 caucus_fail(CAUCUS_BAD_ARGUMENT,
                                             "%s is '%.60s': it must be a number from 0 to 1", name,
                                             text));
    return CAUCUS_OK;
}
