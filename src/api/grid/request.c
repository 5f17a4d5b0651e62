/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/grid/request.h"

#include "api/common/hint.h"
#include "base/settings.h"
#include "base/status.h"
#include "plan/grid/mapper.h"
#include "plan/grid/rank0.h"
#include "run/attachment/exchange.h"
#include "run/peers/agree.h"

#include <stdlib.h>
#include <string.h>

bool caucus_grid_request_is_native(const struct caucus_grid_request *request) {
    return !request->reorder && request->ndims > CAUCUS_GRID_MAX_DIMS && request->is_star &&
           !request->weights;
}

/* What an info object says, "" where it says nothing. */
struct hints {
    char mapper[CAUCUS_INFO_VALUE], threshold[CAUCUS_INFO_VALUE], rank0[CAUCUS_INFO_VALUE];
};

static int read_hints(MPI_Info info, struct hints *hints) {
    memset(hints, 0, sizeof *hints);
    int status = caucus_hint_read(info, CAUCUS_SETTING_CART_MAPPER, hints->mapper);
    if (!status)
        status = caucus_hint_read(info, CAUCUS_SETTING_CART_THRESHOLD, hints->threshold);
    return status ? status : caucus_hint_read(info, CAUCUS_SETTING_CART_RANK0, hints->rank0);
}

static int read_mapper(const char *hint, char *mapper) {
    const char *name, *text = caucus_hint_or_setting(hint, CAUCUS_SETTING_CART_MAPPER, &name);
    bool known = strcmp(text, "best") == 0 || caucus_grid_mapper_find(text);
    if (!known || strlen(text) >= CAUCUS_MAPPER_NAME)
        return caucus_hint_blame(
            hint, CAUCUS_SETTING_CART_MAPPER,
            caucus_fail(CAUCUS_BAD_ARGUMENT,
                        "%s is '%.60s': there is no such grid mapper, it must be best or one that "
                        "caucus info lists",
                        name, text));
    strcpy(mapper, text);
    return CAUCUS_OK;
}

static int read_rank0(const char *hint, double *most) {
    const char *name, *text = caucus_hint_or_setting(hint, CAUCUS_SETTING_CART_RANK0, &name);
    int status = caucus_rank0_parse(name, text, most);
    return caucus_hint_blame(hint, CAUCUS_SETTING_CART_RANK0, status);
}

/* From this process's environment, hints first. */
static int read_settings(const struct hints *hints, struct caucus_grid_settings *settings) {
    memset(settings, 0, sizeof *settings);
    int status = read_mapper(hints->mapper, settings->mapper);
    if (!status)
        status = caucus_hint_threshold(hints->threshold, &settings->threshold);
    if (!status)
        status = read_rank0(hints->rank0, &settings->rank0);
    if (!status)
        status = caucus_setting_integer(CAUCUS_SETTING_CART_CENTRAL, 0, &settings->central);
    settings->chaos = *caucus_setting_text(CAUCUS_SETTING_CHAOS) != '\0';
    if (!status && settings->chaos)
        status = caucus_setting_integer(CAUCUS_SETTING_CHAOS, INT64_MIN, &settings->seed);
    return status ? status : caucus_setting_is(CAUCUS_SETTING_VERBOSE, "1", &settings->verbose);
}

int caucus_grid_check_settings(void) {
    const struct hints hints = {"", "", ""};
    struct caucus_grid_settings settings;
    return read_settings(&hints, &settings);
}

static int check_grid(struct caucus_grid_request *request, int ranks) {
    if (!request->result)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "the result's address is a null pointer");
    if (request->ndims > 0 && !request->dims)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "dims is a null pointer: %d dimensions are needed",
                           request->ndims);
    if (request->ndims > 0 && !request->periods)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "periods is a null pointer: %d flags are needed",
                           request->ndims);
    if (caucus_grid_request_is_native(request))
        return CAUCUS_OK;
    int status = caucus_grid_init(&request->grid, request->ndims, request->dims, request->periods);
    if (!status && request->grid.size > ranks)
        status = caucus_fail(CAUCUS_BAD_DIMS, "the grid has %lld cells, the communicator %d ranks",
                             (long long)request->grid.size, ranks);
    return status;
}

static int check_weights(const struct caucus_grid_request *request) {
    int count = request->is_star ? request->ndims : request->noffsets;
    bool all_zero = request->weights && count > 0;
    for (int i = 0; i < count && all_zero; i++)
        all_zero = request->weights[i] == 0;
    return all_zero ? caucus_fail(CAUCUS_BAD_ARGUMENT, "all weights are zero") : CAUCUS_OK;
}

static int check(struct caucus_grid_request *request, int ranks) {
    int status = check_grid(request, ranks);
    if (status || caucus_grid_request_is_native(request))
        return status;
    if (request->is_star)
        status = caucus_stencil_init_star(&request->stencil, request->ndims, request->weights);
    else
        status = caucus_stencil_init(&request->stencil, request->ndims, request->noffsets,
                                     request->offsets, request->weights);
    return status ? status : check_weights(request);
}

static int agree(struct caucus_grid_request *request, const struct caucus_attachment *attachment,
                 const struct hints *hints, int status) {
    int ndims = request->grid.ndims, reorder = request->reorder, noffsets = request->noffsets;
    int periods[CAUCUS_GRID_MAX_DIMS];
    for (int axis = 0; axis < ndims; axis++)
        periods[axis] = request->grid.periodic[axis];
    int64_t weights = request->is_star ? ndims : noffsets;
    struct caucus_item items[] = {
        {"the function called", CAUCUS_ITEM_TEXT, request->function, 0},
        {"ndims", CAUCUS_ITEM_INTEGERS, &request->ndims, 1},
        {"dims", CAUCUS_ITEM_INTEGERS, request->grid.dims, ndims},
        {"periods", CAUCUS_ITEM_INTEGERS, periods, ndims},
        {"reorder", CAUCUS_ITEM_INTEGERS, &reorder, 1},
        {"noffsets", CAUCUS_ITEM_INTEGERS, &noffsets, 1},
        {"offsets", CAUCUS_ITEM_INTEGERS, request->offsets, (int64_t)noffsets * ndims},
        {"weights", CAUCUS_ITEM_REALS, request->weights, weights},
        {"the info key caucus_cart_mapper", CAUCUS_ITEM_TEXT, hints->mapper, 0},
        {"the info key caucus_cart_threshold", CAUCUS_ITEM_TEXT, hints->threshold, 0},
        {"the info key caucus_cart_rank0", CAUCUS_ITEM_TEXT, hints->rank0, 0},
    };
    return caucus_agree(&attachment->peers, status, sizeof items / sizeof *items, items);
}

int caucus_grid_request_agree(struct caucus_grid_request *request,
                              const struct caucus_attachment *attachment, int status) {
    struct hints hints = {"", "", ""};
    if (!status)
        status = check(request, attachment->size);
    if (!status)
        status = read_hints(request->info, &hints);
    if (!status)
        status = read_settings(&hints, &request->settings);
    status = agree(request, attachment, &hints, status);
    if (!status)
        status = caucus_bcast_all(attachment, &request->settings, sizeof request->settings);
    return status;
}

void caucus_grid_request_free(struct caucus_grid_request *request) {
    caucus_stencil_free(&request->stencil);
}
