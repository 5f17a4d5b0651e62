/* SPDX-License-Identifier: BSD-3-Clause */
#include "study/draw/goal_flags.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>

/* Beyond the tags of messages, which count from 0. */
static const int64_t FIRST_TAG = 1 << 30;

/* A raise of a line of a node. Sorted, so that the first that is enough can be looked up. */
struct raise {
    int32_t node, owner;
    int64_t line, value, operation;
};

static int32_t node_of(const struct caucus_scene *scene, int32_t rank) {
    return scene->nodes ? caucus_node_of_rank(scene->nodes, rank) : rank;
}

static int order(int64_t a, int64_t b) {
    return (a > b) - (a < b);
}

static int compare_raises(const void *a, const void *b) {
    const struct raise *x = a, *y = b;
    int by_node = order(x->node, y->node), by_line = order(x->line, y->line);
    return by_node ? by_node : by_line ? by_line : order(x->value, y->value);
}

static int by_owner(const void *a, const void *b) {
    const struct caucus_goal_flag *x = a, *y = b;
    int owner = order(x->owner, y->owner), raised = order(x->raised, y->raised);
    return owner ? owner : raised ? raised : order(x->tag, y->tag);
}

static int by_waiter(const void *a, const void *b) {
    const struct caucus_goal_flag *x = a, *y = b;
    int waiter = order(x->waiter, y->waiter), awaited = order(x->awaited, y->awaited);
    return waiter ? waiter : awaited ? awaited : order(x->tag, y->tag);
}

static void count_kinds(const struct caucus_scene *scene, int64_t *raises, int64_t *looks) {
    *raises = *looks = 0;
    for (int32_t rank = 0; rank < scene->ranks; rank++)
        for (int64_t i = 0; i < scene->schedules[rank].count; i++) {
            const struct caucus_operation *operation = &scene->schedules[rank].operations[i];
            *raises += operation->kind == CAUCUS_OPERATION_SIGNAL;
            *looks += operation->kind == CAUCUS_OPERATION_AWAIT ? operation->peer : 0;
        }
}

static void collect_raises(const struct caucus_scene *scene, struct raise *raises) {
    int64_t count = 0;
    for (int32_t rank = 0; rank < scene->ranks; rank++)
        for (int64_t i = 0; i < scene->schedules[rank].count; i++) {
            const struct caucus_operation *operation = &scene->schedules[rank].operations[i];
            if (operation->kind == CAUCUS_OPERATION_SIGNAL)
                raises[count++] = (struct raise){node_of(scene, rank), rank,
                                                 operation->target_offset, operation->length, i};
        }
    qsort(raises, (size_t)count, sizeof *raises, compare_raises);
}

/* The first raise that is not before the wanted one; it may be of another line. */
static const struct raise *find(const struct raise *raises, int64_t count,
                                const struct raise *wanted) {
    int64_t low = 0;
    for (int64_t high = count; low < high;) {
        int64_t middle = low + (high - low) / 2;
        if (compare_raises(&raises[middle], wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && raises[low].node == wanted->node && raises[low].line == wanted->line
               ? &raises[low]
               : NULL;
}

static int collect_await(struct caucus_goal_flags *flags, const struct caucus_scene *scene,
                         int32_t rank, int64_t index, const struct raise *raises, int64_t count) {
    const struct caucus_operation *operation = &scene->schedules[rank].operations[index];
    for (int64_t i = 0; i < operation->peer; i++) {
        struct raise wanted = {.node = node_of(scene, rank),
                               .line = operation->target_offset + i,
                               .value = operation->length};
        const struct raise *raise = find(raises, count, &wanted);
        if (!raise)
            return caucus_fail(CAUCUS_BAD_ARGUMENT,
                               "rank %d awaits flag %lld to be %lld, but nobody raises it so far",
                               rank, (long long)wanted.line, (long long)wanted.value);
        if (raise->owner != rank)
            flags->by_owner[flags->count++] = (struct caucus_goal_flag){
                raise->owner, rank, raise->operation, index, FIRST_TAG + flags->count};
    }
    return CAUCUS_OK;
}

int caucus_goal_flags_init(struct caucus_goal_flags *flags, const struct caucus_scene *scene) {
    int64_t count, looks;
    count_kinds(scene, &count, &looks);
    struct raise *raises = caucus_array(count, sizeof *raises);
    *flags = (struct caucus_goal_flags){.by_owner = caucus_array(looks, sizeof *flags->by_owner)};
    int status = raises && flags->by_owner ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    if (!status)
        collect_raises(scene, raises);
    for (int32_t rank = 0; !status && rank < scene->ranks; rank++)
        for (int64_t i = 0; !status && i < scene->schedules[rank].count; i++)
            if (scene->schedules[rank].operations[i].kind == CAUCUS_OPERATION_AWAIT)
                status = collect_await(flags, scene, rank, i, raises, count);
    free(raises);
    if (!status) {
        flags->by_waiter =
            caucus_array_copy(flags->by_owner, flags->count, sizeof *flags->by_owner);
        status = flags->by_waiter ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    }
    if (!status) {
        qsort(flags->by_owner, (size_t)flags->count, sizeof *flags->by_owner, by_owner);
        qsort(flags->by_waiter, (size_t)flags->count, sizeof *flags->by_waiter, by_waiter);
    }
    return status;
}

void caucus_goal_flags_free(struct caucus_goal_flags *flags) {
    free(flags->by_owner);
    free(flags->by_waiter);
    *flags = (struct caucus_goal_flags){0};
}

/* The entries that compare equal but for their tags. */
static int64_t range(const struct caucus_goal_flag *list, int64_t count,
                     int (*compare)(const void *, const void *), struct caucus_goal_flag wanted,
                     const struct caucus_goal_flag **first) {
    int64_t bound[2];
    for (int upper = 0; upper < 2; upper++) {
        int64_t low = 0;
        wanted.tag = upper ? INT64_MAX : 0;
        for (int64_t high = count; low < high;) {
            int64_t middle = low + (high - low) / 2;
            if (compare(&list[middle], &wanted) < 0)
                low = middle + 1;
            else
                high = middle;
        }
        bound[upper] = low;
    }
    *first = list + bound[0];
    return bound[1] - bound[0];
}

int64_t caucus_goal_raised(const struct caucus_goal_flags *flags, int32_t rank, int64_t operation,
                           const struct caucus_goal_flag **first) {
    return range(flags->by_owner, flags->count, by_owner,
                 (struct caucus_goal_flag){.owner = rank, .raised = operation}, first);
}

int64_t caucus_goal_awaited(const struct caucus_goal_flags *flags, int32_t rank, int64_t operation,
                            const struct caucus_goal_flag **first) {
    return range(flags->by_waiter, flags->count, by_waiter,
                 (struct caucus_goal_flag){.waiter = rank, .awaited = operation}, first);
}
