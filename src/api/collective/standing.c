/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/collective/standing.h"

#include "api/collective/key.h"
#include "api/collective/predefined.h"
#include "api/collective/shape.h"
#include "base/memory.h"
#include "base/status.h"
#include "run/agree.h"

#include <stdlib.h>
#include <string.h>

/* Places: of blocking calls, of small ones among them, of nonblocking ones, of staged ones. */
enum { BLOCKING, SMALL, NONBLOCKING, ARENAS = 8, STAGED = 2 };

enum {
    SMALL_PARTS = 16,            /* of an arena: so many more of them may be under way */
    ENTRIES = 16,                /* kept for an arena */
    LINES_OF_A_RANK = 16,        /* of an arena, for each rank of the node */
    BYTES_OF_A_RANK = 32 * 1024, /* of node memory, but in all: */
    LEAST_NODE_BYTES = 256 * 1024,
    MOST_NODE_BYTES = 4 * 1024 * 1024
};

struct caucus_standing {
    struct caucus_engine *engine;
    int32_t lines;
    int64_t node_bytes;
    int arenas;
    bool splits; /* small calls have an arena: one node is all there is, and has memory */
    _Atomic uint64_t calls;
    uint64_t next, next_staged; /* nonblocking ones so far, the same on all ranks */
    struct caucus_collective_call last_call;
    struct caucus_entry *last; /* the entry of last_call, or NULL */
    struct {
        struct caucus_arena *arena;
        struct caucus_entry *entry[ENTRIES];
    } place[ARENAS + STAGED];
};

int caucus_standing_create(struct caucus_engine *engine, struct caucus_standing **made) {
    struct caucus_standing *standing = caucus_array(1, sizeof *standing);
    const struct caucus_peers *peers = &engine->attachment->peers;
    struct caucus_arena *arenas[ARENAS + STAGED];
    int status = caucus_agree(peers, standing ? CAUCUS_OK : CAUCUS_NO_MEMORY, 0, NULL);
    if (status) {
        free(standing);
        return status;
    }
    standing->engine = engine;
    if (engine->shares_memory) {
        int32_t node = engine->nodes.node_of_rank[engine->attachment->rank];
        standing->lines = LINES_OF_A_RANK * (1 + caucus_node_size(&engine->nodes, node));
        int64_t bytes = (int64_t)BYTES_OF_A_RANK * engine->nodes.largest;
        bytes = bytes < LEAST_NODE_BYTES ? LEAST_NODE_BYTES : bytes;
        standing->node_bytes = bytes > MOST_NODE_BYTES ? MOST_NODE_BYTES : bytes;
    }
    bool shares = engine->memory != NULL;
    standing->splits = shares && engine->nodes.largest == engine->attachment->size;
    standing->arenas = engine->attachment->first_group ? ARENAS + STAGED : ARENAS;
    status = caucus_arenas_create(engine, shares ? standing->lines : 0,
                                  shares ? standing->node_bytes : 0, standing->arenas, arenas);
    for (int i = 0; i < standing->arenas; i++)
        standing->place[i].arena = arenas[i];
    if (standing->splits && !status)
        caucus_arena_divide(arenas[SMALL], SMALL_PARTS);
    if (status)
        caucus_standing_free(standing);
    else
        *made = standing;
    return status;
}

static void free_entry(struct caucus_entry *entry) {
    if (!entry)
        return;
    caucus_prepared_free(&entry->prepared);
    free(entry->row);
    free(entry->key);
    free(entry);
}

void caucus_standing_free(struct caucus_standing *standing) {
    if (!standing)
        return;
    for (int i = 0; i < standing->arenas; i++) {
        for (int j = 0; j < ENTRIES; j++)
            free_entry(standing->place[i].entry[j]);
        if (standing->place[i].arena)
            caucus_arena_free(standing->engine, standing->place[i].arena);
    }
    free(standing);
}

/* Where a new entry goes: an empty place, or that of the oldest which is not in use; -1 if all are.
 */
static int choose_place(struct caucus_entry *const *entries) {
    int chosen = -1;
    for (int i = 0; i < ENTRIES; i++) {
        if (!entries[i])
            return i;
        if (!entries[i]->busy && (chosen < 0 || entries[i]->used < entries[chosen]->used))
            chosen = i;
    }
    return chosen;
}

/* Blocks that came before the collective began are the entry's own from now on. */
static int take_row(const struct caucus_work *work, struct caucus_entry *entry,
                    struct caucus_layout *in, struct caucus_layout *out) {
    if (!caucus_prepared_reads_row(&entry->prepared))
        return CAUCUS_OK;
    caucus_layout_free(in);
    if (!entry->row)
        entry->row = caucus_array(work->row_bytes, 1);
    int status = entry->row ? caucus_layout_elements(in, entry->row, work->row_bytes, MPI_BYTE)
                            : CAUCUS_NO_MEMORY;
    if (status)
        caucus_layout_free(out);
    else
        memcpy(entry->row, work->row, (size_t)work->row_bytes);
    return status;
}

static int rebind(struct caucus_work *work, struct caucus_entry *entry) {
    struct caucus_layout in, out;
    int status = caucus_work_layouts(work, &in, &out);
    if (!status)
        status = take_row(work, entry, &in, &out);
    if (!status)
        caucus_execution_rebind(entry->prepared.execution, in, out);
    return status;
}

/* The schedules of all ranks of a node reserve the same. */
static struct caucus_arena *choose_arena(const struct caucus_standing *standing, int at,
                                         const struct caucus_schedule *schedule) {
    const struct caucus_arena *small = standing->place[SMALL].arena;
    bool fits = schedule->lines <= small->lines && schedule->node_bytes <= small->bytes;
    return standing->place[at == BLOCKING && standing->splits && fits ? SMALL : at].arena;
}

static int make_entry(struct caucus_standing *standing, struct caucus_work *work,
                      const struct caucus_team *team, int at, struct caucus_entry **made) {
    struct caucus_entry *entry = caucus_array(1, sizeof *entry);
    struct caucus_binding binding;
    if (!entry)
        return CAUCUS_NO_MEMORY;
    int status = caucus_prepared_plan(&entry->prepared, work, team, "", false);
    if (!status)
        status = caucus_prepared_describe(&entry->prepared, work, &team->settings, &binding);
    if (!status)
        status = take_row(work, entry, &binding.in, &binding.out);
    if (!status)
        status = caucus_execution_create(standing->engine,
                                         choose_arena(standing, at, &entry->prepared.schedule),
                                         &binding, &entry->prepared.execution);
    if (status)
        free_entry(entry);
    else
        *made = entry;
    return status;
}

static struct caucus_entry *find(struct caucus_entry *const *entries, const void *key,
                                 size_t bytes) {
    for (int i = 0; i < ENTRIES; i++)
        if (entries[i] && !entries[i]->busy && entries[i]->key_bytes == bytes &&
            memcmp(entries[i]->key, key, bytes) == 0)
            return entries[i];
    return NULL;
}

/* Whether what the handles in a call mean can never change: MPI's own, and no arrays. */
static bool is_memorable(const struct caucus_collective_call *call) {
    const struct caucus_shape *shape = &caucus_shapes[call->collective];
    bool sends = shape->send.kind != CAUCUS_SIDE_ABSENT;
    bool receives = shape->receive.kind != CAUCUS_SIDE_ABSENT;
    return call->form == CAUCUS_FORM_BLOCKING && !shape->send.counted && !shape->receive.counted &&
           (!sends || caucus_datatype_name(call->send.type)) &&
           (!receives || caucus_datatype_name(call->receive.type)) &&
           (!shape->reduces || caucus_operation_name(call->op));
}

static bool is_same_side(const struct caucus_side *a, const struct caucus_side *b) {
    return a->buffer == b->buffer && a->count == b->count && a->type == b->type;
}

struct caucus_entry *caucus_standing_recall(struct caucus_standing *standing,
                                            const struct caucus_collective_call *call) {
    const struct caucus_collective_call *last = &standing->last_call;
    struct caucus_entry *entry = standing->last;
    if (!entry || call->collective != last->collective || call->root != last->root ||
        call->op != last->op || !is_same_side(&call->send, &last->send) ||
        !is_same_side(&call->receive, &last->receive))
        return NULL;
    entry->used = ++standing->calls;
    entry->busy = true;
    return entry;
}

/* Where calls of this kind are counted; NULL for blocking ones, which take no turns. */
static uint64_t *turn_of(struct caucus_standing *standing, bool blocking, bool staged) {
    if (blocking)
        return NULL;
    return staged ? &standing->next_staged : &standing->next;
}

static void put(struct caucus_standing *standing, struct caucus_entry **entries,
                struct caucus_entry *entry) {
    int place = choose_place(entries);
    if (place < 0)
        return;
    if (standing->last && standing->last == entries[place])
        standing->last = NULL;
    free_entry(entries[place]);
    entries[place] = entry;
    entry->kept = true;
}

/* One that is there, bound to other buffers, or a new one. */
static int find_or_make(struct caucus_standing *standing, struct caucus_work *work,
                        const struct caucus_team *team, int at, struct caucus_entry **found) {
    struct caucus_entry **entries = standing->place[at].entry, *entry = NULL;
    size_t bytes;
    void *key = caucus_key_create(work, &bytes);
    if (!key)
        return CAUCUS_NO_MEMORY;
    if (caucus_key_holds(work))
        entry = find(entries, key, bytes);
    int status = entry ? rebind(work, entry) : make_entry(standing, work, team, at, &entry);
    if (status || entry->key) {
        free(key);
    } else {
        entry->key = key;
        entry->key_bytes = bytes;
        if (caucus_key_holds(work))
            put(standing, entries, entry);
    }
    *found = entry;
    return status;
}

int caucus_standing_take(struct caucus_standing *standing, struct caucus_work *work,
                         const struct caucus_team *team, bool staged, struct caucus_entry **taken) {
    bool blocking = work->call->form == CAUCUS_FORM_BLOCKING;
    uint64_t *turn = turn_of(standing, blocking, staged);
    struct caucus_entry *entry;
    int at = !turn    ? BLOCKING
             : staged ? ARENAS + (int)(*turn % STAGED)
                      : NONBLOCKING + (int)(*turn % (ARENAS - NONBLOCKING));
    work->task.node_limit = standing->node_bytes;
    int status = find_or_make(standing, work, team, at, &entry);
    if (status)
        return status;
    if (turn)
        ++*turn; /* not where it failed: whoever has nothing to do may not have */
    else
        standing->last = entry->kept && is_memorable(work->call) ? entry : NULL;
    if (!turn && standing->last)
        standing->last_call = *work->call;
    entry->used = ++standing->calls;
    entry->busy = true;
    *taken = entry;
    return CAUCUS_OK;
}

void caucus_standing_give_back(struct caucus_entry *entry) {
    if (entry->kept)
        entry->busy = false;
    else
        free_entry(entry);
}
