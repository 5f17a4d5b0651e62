/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/machine/machine_file.h"

#include "base/lines.h"
#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

/* The parts of one level, by the part above and the name: a hash table with open addressing, at
 * most half full. A name belongs to its part above, so that every part lies within one. */
struct entry {
    const char *name; /* NULL: free */
    int32_t above, number;
};

struct names {
    struct entry *entry;
    uint64_t slots; /* a power of two, 0 at first */
    int32_t count;
};

static uint64_t hash(int32_t above, const char *name) { /* FNV-1a */
    uint64_t value = 14695981039346656037u ^ (uint64_t)above;
    for (value *= 1099511628211u; *name; name++)
        value = (value ^ (unsigned char)*name) * 1099511628211u;
    return value ^ value >> 29;
}

static struct entry *look_up(const struct names *names, int32_t above, const char *name) {
    uint64_t slot = hash(above, name) & (names->slots - 1);
    for (;; slot = (slot + 1) & (names->slots - 1)) {
        struct entry *entry = &names->entry[slot];
        if (!entry->name || (entry->above == above && strcmp(entry->name, name) == 0))
            return entry;
    }
}

static int grow(struct names *names) {
    struct names larger = {.slots = names->slots ? 2 * names->slots : 64, .count = names->count};
    larger.entry = caucus_array((int64_t)larger.slots, sizeof *larger.entry);
    if (!larger.entry)
        return CAUCUS_NO_MEMORY;
    for (uint64_t slot = 0; slot < names->slots; slot++)
        if (names->entry[slot].name)
            *look_up(&larger, names->entry[slot].above, names->entry[slot].name) =
                names->entry[slot];
    free(names->entry);
    *names = larger;
    return CAUCUS_OK;
}

/* The number of a part, a new one for a name not seen before. */
static int number_of(struct names *names, int32_t above, const char *name, int32_t *number) {
    if (2 * (uint64_t)names->count >= names->slots && grow(names))
        return CAUCUS_NO_MEMORY;
    struct entry *entry = look_up(names, above, name);
    if (!entry->name)
        *entry = (struct entry){name, above, names->count++};
    *number = entry->number;
    return CAUCUS_OK;
}

static int make_room(struct caucus_machine *machine, int64_t *room) {
    *room = *room ? 2 * *room : 1024;
    for (int level = 0; level < machine->levels; level++) {
        int32_t *larger = realloc(machine->part_of_rank[level], (size_t)*room * sizeof *larger);
        if (!larger)
            return caucus_fail(CAUCUS_NO_MEMORY, "out of memory: %lld ranks", (long long)*room);
        machine->part_of_rank[level] = larger;
    }
    return CAUCUS_OK;
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

static int read_ranks(struct caucus_machine *machine, struct caucus_lines *lines, int64_t ranks,
                      struct names *names) {
    char *word[CAUCUS_LEVELS];
    int64_t room = 0;
    for (int words; (words = caucus_lines_next(lines, CAUCUS_LEVELS, word)) > 0; machine->ranks++) {
        int status = check_line(machine, lines, word, words, ranks);
        machine->levels = status ? machine->levels : words;
        if (!status && machine->ranks == room)
            status = make_room(machine, &room);
        for (int level = 0, above = 0; level < words && !status; level++) {
            status = number_of(&names[level], above, word[level], &above);
            machine->part_of_rank[level][machine->ranks] = above;
            machine->parts[level] = names[level].count;
        }
        if (status)
            return status;
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

static int keep_names(struct caucus_machine *machine, const struct names *names) {
    machine->node_name = caucus_array(names->count, sizeof *machine->node_name);
    if (!machine->node_name)
        return CAUCUS_NO_MEMORY;
    for (uint64_t slot = 0; slot < names->slots; slot++) {
        const struct entry *entry = &names->entry[slot];
        if (!entry->name)
            continue;
        char *name = caucus_array_copy(entry->name, (int64_t)strlen(entry->name) + 1, 1);
        if (!name)
            return CAUCUS_NO_MEMORY;
        machine->node_name[entry->number] = name;
    }
    return CAUCUS_OK;
}

int caucus_machine_read(struct caucus_machine *machine, const char *path, int64_t ranks) {
    memset(machine, 0, sizeof *machine);
    struct caucus_lines lines;
    int status = caucus_lines_open(&lines, path);
    if (status)
        return status;
    struct names names[CAUCUS_LEVELS] = {0};
    status = read_ranks(machine, &lines, ranks, names);
    if (!status)
        status = keep_names(machine, &names[CAUCUS_LEVEL_NODE]);
    for (int level = 0; level < CAUCUS_LEVELS; level++)
        free(names[level].entry);
    caucus_lines_close(&lines);
    if (status)
        caucus_machine_free(machine);
    return status;
}
