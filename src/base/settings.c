/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/settings.h"

#include "base/refused.h"
#include "base/status.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

static const struct caucus_setting table[CAUCUS_SETTING_COUNT] = {
    [CAUCUS_SETTING_NODES] =
        {"CAUCUS_NODES", "caucus_nodes", "", "4x8 | cyclic:4 | 40*48,15*32 | file:PATH",
         "Which ranks count as one node, in place of what MPI and hwloc report. 4x8: 4 nodes "
         "of 8 consecutive ranks; cyclic:4: 4 nodes, ranks in turn; 40*48,15*32: node sizes in "
         "the order of ranks; file:PATH: a file with one node name for each rank. It applies "
         "to the ranks of one MPI_COMM_WORLD; where processes of several meet, the nodes are "
         "those that MPI reports."},
    [CAUCUS_SETTING_LEVELS] =
        {"CAUCUS_LEVELS", "caucus_levels", "package,cache",
         "none | package | cache | package,cache",
         "Which levels inside a node (package, shared cache) count when ranks are assigned to "
         "the cells of a grid or the roles of a graph."},
    [CAUCUS_SETTING_CART_MAPPER] =
        {"CAUCUS_CART_MAPPER", "caucus_cart_mapper", "best", "best | the name of a mapper",
         "The algorithm that assigns ranks to the cells of a grid. best: all that apply are "
         "tried, and the one with the fewest bytes between nodes is taken."},
    [CAUCUS_SETTING_CART_THRESHOLD] = {"CAUCUS_CART_THRESHOLD", "caucus_cart_threshold", "0.02",
                                       "a number from 0 to 1",
                                       "Ranks are reordered, in grids and graphs, only if that "
                                       "saves at least this fraction of the "
                                       "bytes between nodes."},
    [CAUCUS_SETTING_CART_CENTRAL] =
        {"CAUCUS_CART_CENTRAL", "caucus_cart_central", "131072", "a number of ranks",
         "Up to this number of ranks (with more than 256 offsets in proportion fewer), rank 0 "
         "tries "
         "all mappers on the whole grid and sends out the result. With more, one rank of each node "
         "computes the cells of its node from a "
         "formula; but a mapper other than slabs that is forced is worked out on rank 0."},
    [CAUCUS_SETTING_CART_RANK0] =
        {"CAUCUS_CART_RANK0", "caucus_cart_rank0", "0.1", "a number, at least 0 | always | never",
         "Rank 0 stays rank 0 of a reordered grid, as some programs demand, where that raises the "
         "bytes between nodes, in all and of the busiest node, by this fraction at most. 0: only "
         "where it costs nothing; never: only by chance, as for any other rank."},
    [CAUCUS_SETTING_GRAPH_CENTRAL] =
        {"CAUCUS_GRAPH_CENTRAL", "caucus_graph_central", "1000000", "a number of edges",
         "Graphs of up to this number of edges are gathered on rank 0, which works out where ranks "
         "go. With more, one rank of each node works it out together with those of other nodes, "
         "and none has the whole graph."},
    [CAUCUS_SETTING_METIS] =
        {"CAUCUS_METIS", "caucus_metis", "libmetis.so.5", "a library | none",
         "Where METIS is, whose partitions of graphs compete with those of Caucus itself. It is "
         "loaded when it is first needed, apart from any METIS that the program has. Where it is "
         "not to be had, and with none, Caucus does without."},
    [CAUCUS_SETTING_SCOTCH] = {"CAUCUS_SCOTCH", "caucus_scotch", "libscotch-7.0.so",
                               "a library | none", "The same of Scotch 7."},
    [CAUCUS_SETTING_CHAOS] =
        {"CAUCUS_CHAOS", "caucus_chaos", "", "a whole number, the seed",
         "Permutes the ranks of reordered communicators at random (the value is the seed), to "
         "find programs that use a rank of the old communicator where one of the new is meant. "
         "In grids rank 0 stays rank 0 unless CAUCUS_CART_RANK0=never; in graphs it is permuted "
         "as all are. Graphs above CAUCUS_GRAPH_CENTRAL stay as given."},
    [CAUCUS_SETTING_SHARED_MEMORY] =
        {"CAUCUS_SHARED_MEMORY", "caucus_shared_memory", "1", "0 | 1",
         "Whether the ranks of a node communicate through memory that they share. With 0 all "
         "data goes by MPI's messages."},
    [CAUCUS_SETTING_ONE_COPY] =
        {"CAUCUS_ONE_COPY", "caucus_one_copy", "auto", "auto | never",
         "Whether long messages within a node are one copy, from one user's buffer to another's, "
         "which the kernel makes (process_vm_readv). auto: where all ranks of every node may read "
         "each other's memory, which they try when a communicator is attached; nothing is asked "
         "for that is not allowed anyway. never: they go as MPI sends them. What is within a node "
         "is as for CAUCUS_SHARED_MEMORY, without which nothing goes by one copy."},
    [CAUCUS_SETTING_DEVICE] =
        {"CAUCUS_DEVICE", "caucus_device", "auto", "auto | none",
         "Whether buffers are asked for whether they lie in the memory of a GPU. auto: of every "
         "runtime of GPUs that the process has loaded; what lies there is copied by that runtime. "
         "none: never, and all buffers must be memory that processors may read and write."},
    [CAUCUS_SETTING_TIMEOUT] =
        {"CAUCUS_TIMEOUT", "caucus_timeout", "0", "a number of seconds",
         "The time limit of a wait. A wait that takes longer fails with MPI_ERR_OTHER, and "
         "caucus_error_text() names the ranks that are waited for, but not while a communicator is "
         "attached (MPI's default error handler ends the program, and Caucus prints the text "
         "before); so does a call of a rank that has polled or tested without success for as long. "
         "With a limit, collectives send from copies of the data, because a call that returns an "
         "error gives its buffers back. 0: no limit."},
    [CAUCUS_SETTING_ALGORITHM] =
        {"CAUCUS_ALGORITHM", "caucus_algorithm", "", "allreduce:ring,bcast:binomial",
         "Which algorithms collectives use, by name. The cost model chooses for collectives "
         "that are not named. As an info key, the name of the algorithm is enough."},
    [CAUCUS_SETTING_MODEL] =
        {"CAUCUS_MODEL", "caucus_model", "auto", "auto | default | a path",
         "What communication costs, by which algorithms are chosen. default: built-in figures for "
         "a cluster with cards of 200 Gbit/s. auto: the same, but messages between nodes and, if "
         "ranks have a processor each, messages, flags and copies within them are measured when a "
         "process first attaches a communicator, once (CAUCUS_MODEL_MS), and kept for later runs "
         "(CAUCUS_CACHE). Else a file, as caucus tune writes it: one that is empty, cut off or of "
         "another MPI or version is ignored with a warning, and auto is used."},
    [CAUCUS_SETTING_CACHE] =
        {"CAUCUS_CACHE", "caucus_cache", "", "a folder | none",
         "Where CAUCUS_MODEL=auto and CAUCUS_SELECT keep what they have measured, for later runs "
         "on such nodes. "
         "Not set: caucus in XDG_CACHE_HOME, or .cache/caucus in HOME. none: nothing is kept."},
    [CAUCUS_SETTING_MODEL_MS] =
        {"CAUCUS_MODEL_MS", "caucus_model_ms", "20", "a whole number of milliseconds, at least 1",
         "About how long the messages of CAUCUS_MODEL=auto between nodes take, whatever the number "
         "of nodes; what is measured within them takes about a tenth of that. A "
         "stream of 512 KiB between pairs of nodes is measured in any case, and takes longer on "
         "slow networks."},
    [CAUCUS_SETTING_REPRODUCIBLE] =
        {"CAUCUS_REPRODUCIBLE", "caucus_reproducible", "0", "0 | 1",
         "With 1, what is chosen for a reduction depends on the arguments, the ranks and nodes, "
         "and on CAUCUS_ALGORITHM alone: never on figures that were measured or read from a file. "
         "A program that makes the same calls again gets the same bits of floating-point sums."},
    [CAUCUS_SETTING_SELECT] =
        {"CAUCUS_SELECT", "caucus_select", "auto", "auto | model | measure",
         "How collectives choose an algorithm. model: by what the cost model predicts. measure: in "
         "a persistent init, and at the thirtieth blocking call of a kind and size class on a "
         "communicator, the best candidates are run on data of their own, for blocking calls under "
         "the drop-in also MPI's own, and one that is clearly faster is taken from then on, and in "
         "later runs (CAUCUS_CACHE). auto: the same in persistent inits on several nodes, among "
         "candidates that the model predicts within twice the best; all else by the model. "
         "Reductions of floating-point numbers are measured only by inits, where no call has gone "
         "by the model before, and where the choice is kept. Never measured are operations made by "
         "MPI_Op_create."},
    [CAUCUS_SETTING_SELECT_MS] = {"CAUCUS_SELECT_MS", "caucus_select_ms", "500",
                                  "a whole number of milliseconds, at least 1",
                                  "How long CAUCUS_SELECT runs the candidates for one kind and "
                                  "size class at most: short ones take some 20 ms in all. Where a "
                                  "few runs of each would take longer, nothing is measured."},
    [CAUCUS_SETTING_REQUESTS] =
        {"CAUCUS_REQUESTS", "caucus_requests", "immediate", "immediate | kept",
         "What a persistent collective keeps between starts. immediate: its schedule, and "
         "every start sends new messages. kept: also persistent requests of MPI, which its "
         "init creates."},
    [CAUCUS_SETTING_CHECK] =
        {"CAUCUS_CHECK", "caucus_check", "0", "0 | 1",
         "With 1, blocking and nonblocking collectives first check that the arguments of all "
         "ranks match, so that a mismatch is an error on every rank. Persistent collectives "
         "always check it, in their init. The same value on all ranks."},
    [CAUCUS_SETTING_CREATE_GROUP] =
        {"CAUCUS_CREATE_GROUP", "caucus_create_group", "native",
         "native | recursive_merge | parentless",
         "How caucus_comm_create_group makes the communicator. native: by "
         "MPI_Comm_create_group on a private duplicate of the parent; recursive_merge: by "
         "MPI_Intercomm_create and MPI_Intercomm_merge, two halves at a time; parentless: by "
         "MPI_Comm_create_from_group. The same value on all members."},
    [CAUCUS_SETTING_GROUP_CALLS] =
        {"CAUCUS_GROUP_CALLS", "caucus_group_calls", "64", "a number, at least 0",
         "How many blocking collectives a light group performs by messages alone before it "
         "sets up shared memory on its nodes. The value on rank 0 of the parent communicator "
         "holds."},
    [CAUCUS_SETTING_DISABLE] =
        {"CAUCUS_DISABLE", "caucus_disable", "",
         "a list of all, cart, graph, group, dims, map, persistent, inter, blocking, nonblocking, "
         "progress",
         "What the drop-in leaves to MPI. all: everything; cart: grids; graph: graphs; group: "
         "MPI_Comm_create_group; dims and map: MPI_Dims_create and MPI_Cart_map, where "
         "CAUCUS_ENABLE names them; persistent: persistent collectives; inter: all collectives on "
         "intercommunicators; nonblocking and blocking: these forms of them; blocking also: "
         "blocking collectives beside active persistent ones. With progress, MPI's own calls may "
         "block although collectives of Caucus are active."},
    [CAUCUS_SETTING_ENABLE] =
        {"CAUCUS_ENABLE", "caucus_enable", "",
         "a list of dims, map, nonblocking, blocking, dynamic",
         "What the drop-in takes over besides its usual calls. dims: MPI_Dims_create; map: "
         "MPI_Cart_map, as a call that all ranks of the communicator make alike; nonblocking and "
         "blocking: these forms of collectives on intracommunicators; dynamic: collectives with "
         "processes that were spawned or connected, which must all run under the drop-in."},
    [CAUCUS_SETTING_REPORT] =
        {"CAUCUS_REPORT", "caucus_report", "", "a path",
         "A file into which the drop-in writes, in MPI_Finalize, how often each call was taken "
         "over, what was chosen and how many bytes that moved."},
    [CAUCUS_SETTING_VERBOSE] =
        {"CAUCUS_VERBOSE", "caucus_verbose", "0", "0 | 1",
         "With 1, prints on standard error what was chosen and why, once for each communicator "
         "that is made, what CAUCUS_MODEL=auto has measured, and what CAUCUS_SELECT has measured "
         "and taken."},
    [CAUCUS_SETTING_SIGNAL] =
        {"CAUCUS_SIGNAL", "caucus_signal", "", "HUP | USR1 | USR2 | WINCH",
         "A process that receives this signal prints on standard error what it waits for. A "
         "handler that the program has installed is never replaced. Read when the first "
         "communicator is attached."},
    [CAUCUS_SETTING_WAITS] =
        {"CAUCUS_WAITS", "caucus_waits", "", "a path",
         "A folder that all ranks can see. Once there is a file named tell in it, every rank "
         "writes there what it waits for, into rank-0, rank-1 and so on. caucus run --timeout "
         "uses this."},
};

const struct caucus_setting *caucus_setting_entry(int id) {
    return id >= 0 && id < CAUCUS_SETTING_COUNT ? &table[id] : NULL;
}

const char *caucus_setting_text(enum caucus_setting_id id) {
    const char *value = caucus_setting_is_refused(id) ? NULL : getenv(table[id].environment);
    return value && *value ? value : table[id].default_value;
}

int caucus_setting_integer(enum caucus_setting_id id, int64_t minimum, int64_t *value) {
    const char *text = caucus_setting_text(id);
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    if (end == text || *end || errno || number < minimum) {
        char least[40] = "";
        if (minimum > INT64_MIN)
            snprintf(least, sizeof least, ", at least %lld", (long long)minimum);
        return caucus_setting_blame(id, caucus_fail(CAUCUS_BAD_ARGUMENT,
                                                    "%s is '%.60s': it must be a whole number%s",
                                                    table[id].environment, text, least));
    }
    *value = number;
    return CAUCUS_OK;
}

static const char *next_word(const char **at, const char *between, size_t *length) {
    const char *word = *at + strspn(*at, between);
    *length = strcspn(word, between);
    *at = word + *length;
    return *length > 0 ? word : NULL;
}

static bool names(const char *list, const char *between, const char *word) {
    size_t length, wanted = strlen(word);
    const char *found = next_word(&list, between, &length);
    while (found && (length != wanted || strncmp(found, word, length) != 0))
        found = next_word(&list, between, &length);
    return found != NULL;
}

const char *caucus_setting_next(const char **at, size_t *length) {
    return next_word(at, ", ", length);
}

bool caucus_setting_lists(enum caucus_setting_id id, const char *word) {
    return names(caucus_setting_text(id), ", ", word);
}

bool caucus_setting_has_word(enum caucus_setting_id id, const char *word) {
    static const char list[] = "a list of ";
    const char *words = table[id].syntax;
    if (strncmp(words, list, sizeof list - 1) == 0)
        words += sizeof list - 1;
    return names(words, " |,", word);
}

int caucus_setting_is(enum caucus_setting_id id, const char *word, bool *is) {
    const char *text = caucus_setting_text(id);
    *is = strcmp(text, word) == 0;
    return caucus_setting_has_word(id, text)
               ? CAUCUS_OK
               : caucus_setting_blame(
                     id, caucus_fail(CAUCUS_BAD_ARGUMENT, "%s is '%.60s': it must be %s",
                                     table[id].environment, text, table[id].syntax));
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
