/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/grid/permutation.h"

static void swap(int *a, int *b) {
    int kept = *a;
    *a = *b;
    *b = kept;
}

bool caucus_permutation_next(int count, int *order) {
    int pivot = count - 2, larger = count - 1;
    while (pivot >= 0 && order[pivot] >= order[pivot + 1])
        pivot--;
    if (pivot < 0)
        return false;
    while (order[larger] <= order[pivot])
        larger--;
    swap(&order[pivot], &order[larger]);
    for (int low = pivot + 1, high = count - 1; low < high; low++, high--)
        swap(&order[low], &order[high]);
    return true;
}
