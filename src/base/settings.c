/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/settings.h"

#include "base/status.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

static const struct caucus_setting table[CAUCUS_SETTING_COUNT] = {
    [CAUCUS_SETTING_NODES] =
        {"CAUCUS_NODES", "caucus_nodes", "", "4x8 | cyclic:4 | 40*48,15*32 | file:PATH",
         "What counts as a node, instead of what MPI and hwloc tell: 4 nodes of 8 ranks by "
         "blocks, 4 nodes round-robin, sizes in a row, or a file with one node name per rank. It "
         "is about the ranks of one MPI_COMM_WORLD: where processes of several meet, the nodes are "
         "what MPI tells."},
    [CAUCUS_SETTING_LEVELS] =
        {"CAUCUS_LEVELS", "caucus_levels", "package,cache",
         "none | package | cache | package,cache",
         "The levels inside a node that the mapping of ranks to cells respects."},
    [CAUCUS_SETTING_CART_MAPPER] =
        {"CAUCUS_CART_MAPPER", "caucus_cart_mapper", "best", "best | the name of a mapper",
         "The grid mapper; best takes the one with the fewest bytes between nodes."},
    [CAUCUS_SETTING_CART_THRESHOLD] = {"CAUCUS_CART_THRESHOLD", "caucus_cart_threshold", "0.02",
                                       "a number from 0 to 1",
                                       "Ranks stay where they are unless reordering saves this "
                                       "part of the traffic between nodes."},
    [CAUCUS_SETTING_CART_CENTRAL] =
        {"CAUCUS_CART_CENTRAL", "caucus_cart_central", "131072", "a number of ranks",
         "Up to so many ranks, one rank tries all mappers on the whole grid; above, every rank "
         "works out its own place in closed form."},
    [CAUCUS_SETTING_CHAOS] = {"CAUCUS_CHAOS", "caucus_chaos", "", "a whole number, the seed",
                              "Permute the ranks of reordered communicators at random, to find "
                              "programs that confuse rank spaces."},
    [CAUCUS_SETTING_SHARED_MEMORY] =
        {"CAUCUS_SHARED_MEMORY", "caucus_shared_memory", "1", "0 | 1",
         "Whether ranks of a node talk through memory that they share; 0 leaves all to MPI's "
         "messages."},
    [CAUCUS_SETTING_TIMEOUT] =
        {"CAUCUS_TIMEOUT", "caucus_timeout", "0", "a number of seconds",
         "A wait that lasts longer fails, and every rank that waits says for whom; so do polls and "
         "tests in vain for so long. 0 waits for ever."},
    [CAUCUS_SETTING_ALGORITHM] =
        {"CAUCUS_ALGORITHM", "caucus_algorithm", "", "allreduce:ring,bcast:binomial",
         "The algorithms of collectives, by name; what is not named is chosen by the cost model. "
         "As an info key, also the name alone."},
    [CAUCUS_SETTING_MODEL] = {"CAUCUS_MODEL", "caucus_model", "", "a path",
                              "The parameters of the cost model, as caucus tune has measured them; "
                              "sane figures for a cluster where it is empty."},
    [CAUCUS_SETTING_REQUESTS] =
        {"CAUCUS_REQUESTS", "caucus_requests", "immediate", "immediate | kept | first | rebuild",
         "What persistent collectives keep: their schedule, but new messages at every start; "
         "requests of MPI's too, made when the operation is made or at its first start; or "
         "nothing, so that the schedule is worked out at every start, for comparison."},
    [CAUCUS_SETTING_CHECK] =
        {"CAUCUS_CHECK", "caucus_check", "0", "0 | 1",
         "Whether blocking and nonblocking collectives agree between ranks before they begin, as "
         "persistent ones do when they are made: wrong arguments are errors everywhere."},
    [CAUCUS_SETTING_CREATE_GROUP] =
        {"CAUCUS_CREATE_GROUP", "caucus_create_group", "native",
         "native | recursive_merge | parentless",
         "How members alone make a communicator: by MPI_Comm_create_group on a private duplicate, "
         "by intercommunicators that merge, or by MPI_Comm_create_from_group, which needs no "
         "communicator. The same on all members."},
    [CAUCUS_SETTING_GROUP_CALLS] =
        {"CAUCUS_GROUP_CALLS", "caucus_group_calls", "64", "a number, at least 0",
         "So many blocking collectives of a light group go by messages alone, which needs no "
         "preparation; a group that lives on gets node memory then. Rank 0's of the parent holds."},
    [CAUCUS_SETTING_DISABLE] =
        {"CAUCUS_DISABLE", "caucus_disable", "",
         "a list: cart,group,persistent,inter,blocking,nonblocking,progress",
         "Calls that the drop-in gives back to MPI: grids, MPI_Comm_create_group, persistent "
         "collectives, all collectives on intercommunicators, blocking ones there and beside "
         "persistent ones, nonblocking ones; "
         "with progress, MPI's own calls may block while collectives of Caucus are active."},
    [CAUCUS_SETTING_ENABLE] =
        {"CAUCUS_ENABLE", "caucus_enable", "", "a list: dims,nonblocking,blocking,dynamic",
         "Calls that the drop-in takes over besides its usual ones: MPI_Dims_create, nonblocking "
         "and blocking collectives on intracommunicators; with dynamic, collectives with processes "
         "that were spawned or connected, which must all run under the drop-in."},
    [CAUCUS_SETTING_REPORT] = {"CAUCUS_REPORT", "caucus_report", "", "a path",
                               "Where the drop-in writes, at finalize, how often each call was "
                               "taken over, what it chose and how many bytes that moved."},
    [CAUCUS_SETTING_VERBOSE] =
        {"CAUCUS_VERBOSE", "caucus_verbose", "0", "0 | 1",
         "Say on standard error what was chosen and why, once for each communicator made."},
    [CAUCUS_SETTING_SIGNAL] =
        {"CAUCUS_SIGNAL", "caucus_signal", "", "HUP | USR1 | USR2 | WINCH",
         "A process that gets this signal says on standard error what it waits for. Never in the "
         "place of a handler that is there. Read when the first communicator is attached."},
    [CAUCUS_SETTING_WAITS] =
        {"CAUCUS_WAITS", "caucus_waits", "", "a path",
         "A folder that all ranks see. Once it has a file named tell, every rank writes there what "
         "it waits for, as rank-0, rank-1 and so on. caucus run --timeout does this."},
};

const struct caucus_setting *caucus_setting_entry(int id) {
    return id >= 0 && id < CAUCUS_SETTING_COUNT ? &table[id] : NULL;
}

const char *caucus_setting_text(enum caucus_setting_id id) {
    const char *value = getenv(table[id].environment);
    return value && *value ? value : table[id].default_value;
}

int caucus_setting_integer(enum caucus_setting_id id, int64_t minimum, int64_t *value) {
    const char *text = caucus_setting_text(id);
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    if (end == text || *end || errno || number < minimum)
        return caucus_fail(CAUCUS_BAD_ARGUMENT,
                           "%s is '%s': it must be a whole number, at least %lld",
                           table[id].environment, text, (long long)minimum);
    *value = number;
    return CAUCUS_OK;
}

bool caucus_setting_lists(enum caucus_setting_id id, const char *word) {
    size_t length = strlen(word);
    for (const char *at = caucus_setting_text(id); *at;) {
        size_t item = strcspn(at, ", ");
        if (item == length && strncmp(at, word, length) == 0)
            return true;
        at += item;
        at += strspn(at, ", ");
    }
    return false;
}

/* The number of single-character edits between two names (Wagner and Fischer, 1974). */
static int edit_distance(const char *a, const char *b) {
    enum { LONGEST = 63 };
    int row[LONGEST + 1];
    int width = (int)strlen(b);
    if (width > LONGEST)
        return LONGEST;
    for (int j = 0; j <= width; j++)
        row[j] = j;
    for (int i = 1; a[i - 1]; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= width; j++) {
            int substitute = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            int insert = row[j - 1] + 1;
            int erase = row[j] + 1;
            row[j] = substitute < insert ? substitute : insert;
            row[j] = row[j] < erase ? row[j] : erase;
        }
    }
    return row[width];
}

static const char *nearest_name(const char *name) {
    int nearest = 0;
    for (int id = 1; id < CAUCUS_SETTING_COUNT; id++)
        if (edit_distance(name, table[id].environment) <
            edit_distance(name, table[nearest].environment))
            nearest = id;
    return table[nearest].environment;
}

int caucus_settings_warn_unknown(void) {
    int unknown = 0;
    for (char **variable = environ; *variable; variable++) {
        if (strncmp(*variable, "CAUCUS_", 7) != 0)
            continue;
        char name[64];
        size_t length = strcspn(*variable, "=");
        if (length >= sizeof name)
            length = sizeof name - 1;
        memcpy(name, *variable, length);
        name[length] = '\0';
        bool known = false;
        for (int id = 0; id < CAUCUS_SETTING_COUNT; id++)
            known = known || strcmp(name, table[id].environment) == 0;
        if (!known) {
            fprintf(stderr, "caucus: warning: %s is no setting of Caucus; did you mean %s?\n", name,
                    nearest_name(name));
            unknown++;
        }
    }
    return unknown;
}
