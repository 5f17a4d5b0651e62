/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/refused.h"

#include "base/status.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { SENTENCE = 700 };

static _Thread_local int blamed = CAUCUS_SETTING_COUNT; /* none */
static atomic_bool forgives;
static atomic_bool refused[CAUCUS_SETTING_COUNT];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char untold[CAUCUS_SETTING_COUNT][SENTENCE]; /* "": nothing is to be told */

int caucus_setting_blame(enum caucus_setting_id id, int status) {
    if (status != CAUCUS_NO_MEMORY)
        blamed = (int)id;
    return status;
}

void caucus_settings_forgive_all(void) {
    forgives = true;
}

bool caucus_settings_are_forgiven(void) {
    return forgives;
}

bool caucus_setting_refuse(enum caucus_setting_id id) {
    const char *instead = caucus_setting_entry(id)->default_value;
    pthread_mutex_lock(&lock);
    bool anew = !atomic_exchange(&refused[id], true);
    if (anew)
        snprintf(untold[id], SENTENCE, "%.500s; %s%s", caucus_failure_text(),
                 *instead ? instead : "it counts as not set", *instead ? " is used instead" : "");
    pthread_mutex_unlock(&lock);
    return anew;
}

bool caucus_settings_forgive(void) {
    int id = blamed;
    blamed = CAUCUS_SETTING_COUNT;
    return forgives && id != CAUCUS_SETTING_COUNT &&
           caucus_setting_refuse((enum caucus_setting_id)id);
}

bool caucus_setting_is_refused(enum caucus_setting_id id) {
    return atomic_load_explicit(&refused[id], memory_order_relaxed);
}

bool caucus_settings_refused(void) {
    for (int id = 0; id < CAUCUS_SETTING_COUNT; id++)
        if (caucus_setting_is_refused((enum caucus_setting_id)id))
            return true;
    return false;
}

void caucus_settings_tell_refused(void) {
    pthread_mutex_lock(&lock);
    for (int id = 0; id < CAUCUS_SETTING_COUNT; id++) {
        if (*untold[id])
            fprintf(stderr, "caucus: warning: %s\n", untold[id]);
        untold[id][0] = '\0';
    }
    pthread_mutex_unlock(&lock);
}
