/* SPDX-License-Identifier: BSD-3-Clause */
/* Races in node memory: a range remembers who wrote it and who has read it since. Every further
 * access must know, by the clocks, of those that it conflicts with. */
#include "study/verify/state.h"

#include "base/status.h"

#include <stdlib.h>

static bool knows(const struct caucus_verify_rank *rank, struct caucus_verify_moment moment) {
    if (moment.time == 0 || moment.local == rank->local)
        return true;
    return rank->clock && rank->clock->seen[moment.local] > moment.time;
}

static int race(const struct caucus_verify *verify, int32_t rank, int64_t i, int64_t offset,
                const char *what, struct caucus_verify_moment moment) {
    return caucus_verify_fail(
        verify, rank, i,
        "it races at byte %lld with local rank %d, which %s it in step %u: no signal or message "
        "puts one before the other",
        (long long)offset, moment.local, what, moment.time - 1);
}

static int check_write(const struct caucus_verify *verify, int32_t r, int64_t i, int64_t offset,
                       uint32_t access) {
    struct caucus_verify_moment write = verify->access[access].write;
    return knows(&verify->rank[r], write) ? CAUCUS_OK : race(verify, r, i, offset, "writes", write);
}

static int check_reads(const struct caucus_verify *verify, int32_t r, int64_t i, int64_t offset,
                       uint32_t access) {
    for (uint32_t at = verify->access[access].reads; at; at = verify->read[at].next)
        if (!knows(&verify->rank[r], verify->read[at].moment))
            return race(verify, r, i, offset, "reads", verify->read[at].moment);
    return CAUCUS_OK;
}

static bool wider(void **array, uint32_t *room, size_t size) {
    uint32_t more = *room ? 2 * *room : 256;
    void *grown = more > *room ? realloc(*array, more * size) : NULL;
    if (!grown) {
        caucus_fail(CAUCUS_NO_MEMORY, "no memory to verify a schedule");
        return false;
    }
    *array = grown;
    *room = more;
    return true;
}

/* 0 without memory: access 0 is that of what nobody has touched. */
static uint32_t new_access(struct caucus_verify *verify, struct caucus_verify_moment write,
                           int64_t begin, int64_t end) {
    if (verify->accesses + 1 >= verify->access_room) {
        void *array = verify->access;
        if (!wider(&array, &verify->access_room, sizeof *verify->access))
            return 0;
        verify->access = array;
        verify->access[0] = (struct caucus_verify_access){0};
    }
    verify->access[++verify->accesses] = (struct caucus_verify_access){begin, end, write, 0};
    return verify->accesses;
}

static int add_read(struct caucus_verify *verify, uint32_t access,
                    struct caucus_verify_moment moment) {
    if (verify->reads + 1 >= verify->read_room) {
        void *array = verify->read;
        if (!wider(&array, &verify->read_room, sizeof *verify->read))
            return CAUCUS_NO_MEMORY;
        verify->read = array;
    }
    verify->read[++verify->reads] =
        (struct caucus_verify_read){moment, verify->access[access].reads};
    verify->access[access].reads = verify->reads;
    return CAUCUS_OK;
}

/* A later read of the rank that read last stands for both. */
static int note(struct caucus_verify *verify, uint32_t access, struct caucus_verify_moment moment) {
    uint32_t last = verify->access[access].reads;
    if (last && verify->read[last].moment.local == moment.local) {
        verify->read[last].moment.time = moment.time;
        return CAUCUS_OK;
    }
    return add_read(verify, access, moment);
}

/* What is known of a part of a range becomes the part's own. */
static int copy_access(struct caucus_verify *verify, uint32_t access, int64_t begin, int64_t end,
                       uint32_t *copy) {
    *copy = new_access(verify, verify->access[access].write, begin, end);
    int status = *copy ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    for (uint32_t at = verify->access[access].reads; at && !status; at = verify->read[at].next)
        status = add_read(verify, *copy, verify->read[at].moment);
    return status;
}

int caucus_verify_note_read(struct caucus_verify *verify, int32_t r, int64_t i,
                            struct caucus_map *map, int64_t begin, int64_t end) {
    const struct caucus_verify_rank *rank = &verify->rank[r];
    struct caucus_verify_moment moment = {rank->local, rank->time};
    while (begin < end) {
        struct caucus_map_cursor at = caucus_map_find(map, begin);
        struct caucus_value value = caucus_map_at(map, at)->value;
        int64_t stop = caucus_map_end(map, at);
        if (value.symbol == CAUCUS_SYMBOL_NOTHING && value.access == 0)
            return CAUCUS_OK; /* the reader of the map says so */
        int status = check_write(verify, r, i, begin, value.access);
        stop = stop < end ? stop : end;
        const struct caucus_verify_access *access = &verify->access[value.access];
        if (!status && (access->begin != begin || access->end != stop)) {
            status = copy_access(verify, value.access, begin, stop, &value.access);
            if (!status)
                status = caucus_map_set(map, begin, stop, value);
        }
        if (!status)
            status = note(verify, value.access, moment);
        if (status)
            return status;
        begin = stop;
    }
    return CAUCUS_OK;
}

int caucus_verify_note_write(struct caucus_verify *verify, int32_t r, int64_t i,
                             struct caucus_map *map, int64_t begin, int64_t end, uint32_t *access) {
    const struct caucus_verify_rank *rank = &verify->rank[r];
    struct caucus_map_cursor at = caucus_map_find(map, begin);
    int64_t offset = begin;
    for (;;) {
        uint32_t touched = caucus_map_at(map, at)->value.access;
        int status = touched ? check_write(verify, r, i, offset, touched) : CAUCUS_OK;
        if (!status && touched)
            status = check_reads(verify, r, i, offset, touched);
        if (status)
            return status;
        offset = caucus_map_end(map, at);
        if (offset >= end)
            break;
        at = caucus_map_next(map, at);
    }
    struct caucus_verify_moment moment = {rank->local, rank->time};
    *access = new_access(verify, moment, begin, end);
    return *access ? CAUCUS_OK : CAUCUS_NO_MEMORY;
}
