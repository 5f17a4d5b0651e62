/* SPDX-License-Identifier: BSD-3-Clause */
/* Faults of real MPIs by name. */
#include "world.h"

#include <string.h>

static const struct {
    const char *name;
    int fault;
} table[] = {
    {"any_source_between_nodes", FAULT_ANY_SOURCE_BETWEEN_NODES}, /* MPICH 5.0.2 */
    {"pending_for_ever", FAULT_PENDING_FOR_EVER},                 /* Open MPI 5.0.11 */
    {"context_ids", FAULT_CONTEXT_IDS},                           /* Open MPI 5.0.11 */
    {"leaders_message", FAULT_LEADERS_MESSAGE},                   /* MPICH */
};

/* Names separated by commas; -1 if there is an unknown one. */
int faults_read(const char *names) {
    int faults = 0;
    while (*names) {
        size_t length = strcspn(names, ","), i = 0, count = sizeof table / sizeof *table;
        while (i < count &&
               !(strlen(table[i].name) == length && strncmp(table[i].name, names, length) == 0))
            i++;
        if (i == count)
            return -1;
        faults |= table[i].fault;
        names += length + (names[length] == ',');
    }
    return faults;
}
