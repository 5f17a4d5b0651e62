/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/grid/mirror.h"

#include "base/status.h"

#include <string.h>

enum { MOST_WORK = 1 << 18 }; /* offsets that are looked at, for all sets of axes together */

static unsigned axes(const struct caucus_grid *grid, bool periodic) {
    unsigned mask = 0;
    for (int axis = 0; axis < grid->ndims; axis++)
        if (grid->periodic[axis] == periodic && grid->dims[axis] > 1)
            mask |= 1u << axis;
    return mask;
}

/* Whether each open axis can be reversed alone, and so all sets of them. */
static int check_each(const struct caucus_grid *grid, const struct caucus_stencil *stencil,
                      bool *each) {
    int status = CAUCUS_OK;
    *each = true;
    for (int axis = 0; axis < grid->ndims && *each && !status; axis++)
        if (axes(grid, false) >> axis & 1)
            status = caucus_stencil_is_mirrored(grid, stencil, 1u << axis, each);
    return status;
}

static void add(struct caucus_mirrors *mirrors, unsigned mask) {
    mirrors->mask[mirrors->count++] = (uint16_t)mask;
}

int caucus_mirrors_init(const struct caucus_grid *grid, const struct caucus_stencil *stencil,
                        struct caucus_mirrors *mirrors) {
    unsigned open = axes(grid, false), periodic = axes(grid, true);
    bool each;
    int status = check_each(grid, stencil, &each);
    mirrors->count = 0;
    add(mirrors, 0);
    int64_t work = 0;
    for (unsigned set = (0 - open) & open; set && !status; set = (set - open) & open) {
        bool found = each;
        unsigned with = 0; /* which periodic axes are reversed besides */
        while (!found && !status && (work += stencil->count) <= MOST_WORK) {
            status = caucus_stencil_is_mirrored(grid, stencil, set | with, &found);
            if (found || with == periodic)
                break;
            with = (with - periodic) & periodic;
        }
        if (found && !status)
            add(mirrors, set | with);
    }
    return status;
}

void caucus_mirror_first(const struct caucus_grid *grid, unsigned mask, int *origin) {
    for (int axis = 0; axis < grid->ndims; axis++)
        origin[axis] = !grid->periodic[axis] && mask >> axis & 1 ? grid->dims[axis] - 1 : 0;
}

bool caucus_mirror_next(const struct caucus_grid *grid, int *origin) {
    for (int axis = grid->ndims - 1; axis >= 0; axis--) {
        if (!grid->periodic[axis])
            continue;
        if (++origin[axis] < grid->dims[axis])
            return true;
        origin[axis] = 0;
    }
    return false;
}

bool caucus_mirror_reaches(const struct caucus_grid *grid, unsigned mask, const int *coordinates) {
    int origin[CAUCUS_GRID_MAX_DIMS];
    caucus_mirror_first(grid, mask, origin);
    for (int axis = 0; axis < grid->ndims; axis++)
        if (!grid->periodic[axis] && coordinates[axis] != origin[axis])
            return false;
    return true;
}

int64_t caucus_mirror_cell(const struct caucus_grid *grid, unsigned mask, const int *origin,
                           const int *coordinates) {
    int at[CAUCUS_GRID_MAX_DIMS];
    for (int axis = 0; axis < grid->ndims; axis++) {
        int64_t step = (int64_t)coordinates[axis] - origin[axis];
        at[axis] = (int)caucus_grid_step(grid, axis, mask >> axis & 1 ? -step : step);
    }
    return caucus_grid_cell(grid, at);
}
