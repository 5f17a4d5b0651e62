/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/graph/heap.h"

#include <stdbool.h>

static bool before(const struct caucus_heap *heap, int32_t a, int32_t b) {
    int64_t difference = heap->gain[a] - heap->gain[b];
    return difference > 0 || (difference == 0 && a < b);
}

static void put(struct caucus_heap *heap, int32_t place, int32_t vertex) {
    heap->vertex[place] = vertex;
    heap->place[vertex] = place;
}

static void rise(struct caucus_heap *heap, int32_t place, int32_t vertex) {
    for (; place > 0 && before(heap, vertex, heap->vertex[(place - 1) / 2]);
         place = (place - 1) / 2)
        put(heap, place, heap->vertex[(place - 1) / 2]);
    put(heap, place, vertex);
}

static void sink(struct caucus_heap *heap, int32_t place, int32_t vertex) {
    for (int32_t child; (child = 2 * place + 1) < heap->count; place = child) {
        const int32_t *pair = heap->vertex + child;
        child += child + 1 < heap->count && before(heap, pair[1], pair[0]);
        if (!before(heap, heap->vertex[child], vertex))
            break;
        put(heap, place, heap->vertex[child]);
    }
    put(heap, place, vertex);
}

void caucus_heap_set(struct caucus_heap *heap, int32_t vertex) {
    int32_t place = heap->place[vertex];
    rise(heap, place < 0 ? heap->count++ : place, vertex);
    sink(heap, heap->place[vertex], vertex);
}

int32_t caucus_heap_pop(struct caucus_heap *heap) {
    int32_t top = heap->vertex[0], last = heap->vertex[--heap->count];
    if (heap->count > 0)
        sink(heap, 0, last);
    heap->place[top] = -1;
    return top;
}

void caucus_heap_empty(struct caucus_heap *heap) {
    while (heap->count > 0)
        heap->place[heap->vertex[--heap->count]] = -1;
}
