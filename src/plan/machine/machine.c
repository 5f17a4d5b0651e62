/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/machine/machine.h"

#include "base/lines.h"
#include "base/memory.h"
#include "base/status.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Renumbers labels (0 .. highest) in place by first appearance; *parts is how many differ. */
static int renumber(int64_t ranks, int32_t highest, int32_t *label, int32_t *parts) {
    int32_t *number = caucus_array((int64_t)highest + 1, sizeof *number);
    if (!number)
        return CAUCUS_NO_MEMORY;
    *parts = 0;
    for (int64_t rank = 0; rank < ranks; rank++) {
        if (number[label[rank]] == 0)
            number[label[rank]] = ++*parts;
        label[rank] = number[label[rank]] - 1;
    }
    free(number);
    return CAUCUS_OK;
}

int caucus_machine_init(struct caucus_machine *machine, int64_t ranks,
                        const int32_t *node_of_rank) {
    memset(machine, 0, sizeof *machine);
    if (ranks < 1)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "%lld ranks: at least one is needed",
                           (long long)ranks);
    int32_t highest = 0;
    for (int64_t rank = 0; rank < ranks; rank++) {
        if (node_of_rank[rank] < 0)
            return caucus_fail(CAUCUS_BAD_ARGUMENT,
                               "rank %lld has node %d: node numbers start at 0", (long long)rank,
                               node_of_rank[rank]);
        highest = node_of_rank[rank] > highest ? node_of_rank[rank] : highest;
    }
    int32_t *label = caucus_array_copy(node_of_rank, ranks, sizeof *label);
    if (!label)
        return CAUCUS_NO_MEMORY;
    machine->ranks = ranks;
    machine->levels = 1;
    machine->part_of_rank[CAUCUS_LEVEL_NODE] = label;
    int status = renumber(ranks, highest, label, &machine->parts[CAUCUS_LEVEL_NODE]);
    if (status)
        caucus_machine_free(machine);
    return status;
}

int caucus_machine_nodes(const struct caucus_machine *machine, struct caucus_nodes *nodes) {
    int32_t count = machine->parts[CAUCUS_LEVEL_NODE];
    int32_t *size = caucus_array(count, sizeof *size);
    if (!size)
        return CAUCUS_NO_MEMORY;
    for (int64_t rank = 0; rank < machine->ranks; rank++)
        size[machine->part_of_rank[CAUCUS_LEVEL_NODE][rank]]++;
    int status = caucus_nodes_init(nodes, count, size);
    free(size);
    return status;
}

void caucus_machine_free(struct caucus_machine *machine) {
    for (int level = 0; level < CAUCUS_LEVELS; level++)
        free(machine->part_of_rank[level]);
    if (machine->node_name)
        for (int32_t node = 0; node < machine->parts[CAUCUS_LEVEL_NODE]; node++)
            free(machine->node_name[node]);
    free(machine->node_name);
    memset(machine, 0, sizeof *machine);
}

/* The words of a rank's line, as many as there are levels. */
struct rank_words {
    char *level[CAUCUS_LEVELS];
};

/* A rank's word of one level. It belongs to its part above, so that every part lies within one. */
struct named {
    const char *name;
    int32_t above, rank;
};

static int compare_names(const struct named *a, const struct named *b) {
    return a->above != b->above ? (a->above > b->above) - (a->above < b->above)
                                : strcmp(a->name, b->name);
}

static int by_name_and_rank(const void *left, const void *right) {
    const struct named *a = left, *b = right;
    int order = compare_names(a, b);
    return order ? order : (a->rank > b->rank) - (a->rank < b->rank);
}

/* Ranks of one name are a part. */
static int number_parts(struct caucus_machine *machine, const struct rank_words *words, int level) {
    int64_t ranks = machine->ranks;
    struct named *named = caucus_array(ranks, sizeof *named);
    int32_t *part = machine->part_of_rank[level] = caucus_array(ranks, sizeof *part);
    if (!named || !part) {
        free(named);
        return CAUCUS_NO_MEMORY;
    }
    for (int32_t rank = 0; rank < ranks; rank++)
        named[rank] = (struct named){words[rank].level[level],
                                     level ? machine->part_of_rank[level - 1][rank] : 0, rank};
    qsort(named, (size_t)ranks, sizeof *named, by_name_and_rank);
    for (int64_t i = 0; i < ranks; i++) /* the lowest rank of its part */
        part[named[i].rank] = i > 0 && compare_names(&named[i - 1], &named[i]) == 0
                                  ? part[named[i - 1].rank]
                                  : named[i].rank;
    free(named);
    return renumber(ranks, (int32_t)ranks - 1, part, &machine->parts[level]);
}

static int check_line(const struct caucus_machine *machine, const struct caucus_lines *lines,
                      char *const *word, int words, int64_t ranks) {
    const char *path = lines->path;
    long long line = lines->number;
    if (words > CAUCUS_LEVELS)
        return caucus_fail(CAUCUS_BAD_FILE,
                           "%s:%lld: the line of '%.60s' has %d words: node, package "
                           "and cache are all there can be",
                           path, line, word[0], words);
    if (machine->levels && words != machine->levels)
        return caucus_fail(CAUCUS_BAD_FILE,
                           "%s:%lld: the line of '%.60s' has %d of the words node, "
                           "package, cache, the lines before it have %d",
                           path, line, word[0], words, machine->levels);
    if (machine->ranks == (ranks ? ranks : INT32_MAX))
        return caucus_fail(CAUCUS_BAD_FILE, "%s:%lld: '%.60s' is one rank too many: there are %lld",
                           path, line, word[0], (long long)machine->ranks);
    return CAUCUS_OK;
}

/* words are to be freed. */
static int read_ranks(struct caucus_machine *machine, struct caucus_lines *lines, int64_t ranks,
                      struct rank_words **words) {
    char *word[CAUCUS_LEVELS] = {0};
    int64_t room = 0;
    for (int count; (count = caucus_lines_next(lines, CAUCUS_LEVELS, word)) > 0;) {
        int status = check_line(machine, lines, word, count, ranks);
        if (status)
            return status;
        void *wider = caucus_array_grow(*words, machine->ranks, &room, sizeof **words);
        if (!wider)
            return CAUCUS_NO_MEMORY;
        *words = wider;
        machine->levels = count;
        memcpy((*words)[machine->ranks++].level, word, sizeof word);
    }
    if (machine->ranks == 0)
        return caucus_fail(CAUCUS_BAD_FILE,
                           "%s: the file names no rank: one line per rank is needed", lines->path);
    if (ranks && machine->ranks != ranks)
        return caucus_fail(
            CAUCUS_BAD_FILE, "%s:%lld: the file ends after %lld ranks, but there are %lld",
            lines->path, (long long)lines->number, (long long)machine->ranks, (long long)ranks);
    return CAUCUS_OK;
}

static int keep_names(struct caucus_machine *machine, const struct rank_words *words) {
    machine->node_name =
        caucus_array(machine->parts[CAUCUS_LEVEL_NODE], sizeof *machine->node_name);
    for (int64_t rank = 0; rank < machine->ranks && machine->node_name; rank++) {
        const char *word = words[rank].level[CAUCUS_LEVEL_NODE];
        char **name = &machine->node_name[machine->part_of_rank[CAUCUS_LEVEL_NODE][rank]];
        if (!*name && !(*name = caucus_array_copy(word, (int64_t)strlen(word) + 1, 1)))
            return CAUCUS_NO_MEMORY;
    }
    return machine->node_name ? CAUCUS_OK : CAUCUS_NO_MEMORY;
}

/* A file of one line per rank, node [package [cache]], as many words on every line. */
static int read_file(struct caucus_machine *machine, const char *path, int64_t ranks) {
    struct caucus_lines lines;
    struct rank_words *words = NULL;
    int status = caucus_lines_open(&lines, path);
    if (status)
        return status;
    status = read_ranks(machine, &lines, ranks, &words);
    for (int level = 0; level < machine->levels && !status; level++)
        status = number_parts(machine, words, level);
    if (!status)
        status = keep_names(machine, words);
    free(words);
    caucus_lines_close(&lines);
    if (status)
        caucus_machine_free(machine);
    return status;
}

static const char known_forms[] = "4x8, cyclic:4, 40*48,15*32, ppn:16 and file:PATH";

/* Reads a whole number of 1 to INT32_MAX at *at and moves on; 0 where there is none. */
static int64_t read_count(const char **at) {
    int64_t value = 0;
    for (; **at >= '0' && **at <= '9' && value <= INT32_MAX; ++*at)
        value = 10 * value + (**at - '0');
    return value <= INT32_MAX ? value : 0;
}

static int bad_word(const char *text, const char *word, const char *wanted) {
    size_t length = strcspn(word, ",");
    return caucus_fail(CAUCUS_BAD_ARGUMENT,
                       "'%.200s' describes no nodes: '%.*s' is not %s (known forms: %s)", text,
                       (int)(length < 60 ? length : 60), word, wanted, known_forms);
}

/* Walks through a list of SIZE, COUNT*SIZE or COUNTxSIZE. Adds up the ranks, stopping beyond
 * INT32_MAX, and fills in node_of_rank where it is not NULL. */
static int walk_list(const char *text, int64_t *total, int32_t *node_of_rank) {
    int32_t node = 0;
    *total = 0;
    for (const char *at = text; *total <= INT32_MAX; at++) {
        const char *word = at;
        int64_t count = 1, size = read_count(&at);
        if (size && (*at == '*' || *at == 'x')) {
            at++;
            count = size;
            size = read_count(&at);
        }
        if (!size || (*at && *at != ','))
            return bad_word(text, word, "SIZE or COUNT*SIZE, numbers from 1 to 2147483647");
        for (int64_t rank = 0; node_of_rank && rank < count * size; rank++)
            node_of_rank[*total + rank] = node + (int32_t)(rank / size);
        node += node_of_rank ? (int32_t)count : 0;
        *total += count * size;
        if (!*at)
            break;
    }
    return CAUCUS_OK;
}

static int parse_list(struct caucus_machine *machine, const char *text, int64_t ranks) {
    int64_t total;
    int status = walk_list(text, &total, NULL);
    if (status)
        return status;
    if (total > INT32_MAX)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "'%.200s' describes more than %d ranks", text,
                           INT32_MAX);
    if (ranks && total != ranks)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "'%.200s' describes %lld ranks, but there are %lld",
                           text, (long long)total, (long long)ranks);
    int32_t *node_of_rank = caucus_array(total, sizeof *node_of_rank);
    if (!node_of_rank)
        return CAUCUS_NO_MEMORY;
    walk_list(text, &total, node_of_rank);
    status = caucus_machine_init(machine, total, node_of_rank);
    free(node_of_rank);
    return status;
}

/* "cyclic:COUNT" deals the ranks out to so many nodes, "ppn:SIZE" makes blocks of so many. */
static int parse_rule(struct caucus_machine *machine, const char *text, int64_t ranks,
                      bool cyclic) {
    const char *number = strchr(text, ':') + 1, *at = number;
    int64_t count = read_count(&at);
    if (!count || *at)
        return bad_word(text, number, "a number from 1 to 2147483647");
    if (!ranks)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "'%s' does not say how many ranks there are", text);
    if (cyclic && count > ranks)
        return caucus_fail(CAUCUS_BAD_ARGUMENT,
                           "'%s' describes %lld nodes, but there are only %lld ranks", text,
                           (long long)count, (long long)ranks);
    int32_t *node_of_rank = caucus_array(ranks, sizeof *node_of_rank);
    if (!node_of_rank)
        return CAUCUS_NO_MEMORY;
    for (int64_t rank = 0; rank < ranks; rank++)
        node_of_rank[rank] = (int32_t)(cyclic ? rank % count : rank / count);
    int status = caucus_machine_init(machine, ranks, node_of_rank);
    free(node_of_rank);
    return status;
}

static bool begins_with(const char *text, const char *word) {
    return strncmp(text, word, strlen(word)) == 0;
}

int caucus_machine_parse(struct caucus_machine *machine, const char *text, int64_t ranks) {
    memset(machine, 0, sizeof *machine);
    if (!text)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "the description of the nodes is a null pointer");
    if (ranks < 0 || ranks > INT32_MAX)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "%lld ranks: there must be 0 (not known) to %d",
                           (long long)ranks, INT32_MAX);
    if (begins_with(text, "file:"))
        return read_file(machine, text + strlen("file:"), ranks);
    if (begins_with(text, "cyclic:"))
        return parse_rule(machine, text, ranks, true);
    if (begins_with(text, "ppn:"))
        return parse_rule(machine, text, ranks, false);
    return parse_list(machine, text, ranks);
}
