/* SPDX-License-Identifier: BSD-3-Clause */
/* Choices: the n-th is a hash of the seed and n. Shrinking takes choices away: those outside of the
 * ranges to keep are 0, which always is the plainest thing to do. */
#include "world.h"

#include <stdlib.h>

enum { MOST_RANGES = 4096 };

static uint64_t key, number, digest;
static struct {
    uint64_t first, last;
} kept[MOST_RANGES];
static int ranges;
static bool keeps_all = true;

static uint64_t mixed(uint64_t word) {
    word = (word ^ (word >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    word = (word ^ (word >> 27)) * UINT64_C(0x94d049bb133111eb);
    return word ^ (word >> 31);
}

/* Mixed, as else the choices of the next seed were these from the second one on. */
void draw_begin(uint64_t seed) {
    key = mixed(seed * UINT64_C(0x9e3779b97f4a7c15) + UINT64_C(0x632be59bd9b4e019));
    number = digest = 0;
}

bool draw_keep(const char *text) {
    keeps_all = false;
    while (*text) {
        char *end;
        if (ranges == MOST_RANGES)
            return false;
        kept[ranges].first = strtoull(text, &end, 10);
        if (*end != '-')
            return false;
        kept[ranges++].last = strtoull(end + 1, &end, 10);
        text = *end == ',' ? end + 1 : end;
        if (*end && *end != ',')
            return false;
    }
    return true;
}

static bool is_kept(uint64_t at) {
    int low = 0, high = ranges;
    while (low < high) {
        int middle = (low + high) / 2;
        if (at > kept[middle].last)
            low = middle + 1;
        else
            high = middle;
    }
    return low < ranges && at >= kept[low].first;
}

int draw(int count) {
    uint64_t at = number++;
    if (count <= 1 || (!keeps_all && !is_kept(at)))
        return 0;
    uint64_t word = mixed(key + at * UINT64_C(0x9e3779b97f4a7c15));
    int chosen = (int)(word % (uint64_t)count);
    digest = (digest ^ (uint64_t)chosen ^ (uint64_t)count << 32) * UINT64_C(0x9e3779b97f4a7c15);
    return chosen;
}

bool draw_chance(int one_in) {
    return draw(one_in) == one_in - 1 && one_in > 1;
}

/* Of all choices: two runs that have the same are the same. */
uint64_t draw_digest(void) {
    return digest ^ number;
}

uint64_t draw_number(void) {
    return number;
}
