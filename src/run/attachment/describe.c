/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/attachment/locate.h"

#include "base/memory.h"
#include "base/refused.h"
#include "base/settings.h"
#include "base/status.h"
#include "run/peers/agree.h"
#include "run/support/mpi_status.h"
#include "run/support/world.h"

#include <stdlib.h>

/* The description's number of every rank; returns how many ranks it must describe, or 0 where they
 * are of several worlds, none of which it could be about. */
static int number_ranks(const struct caucus_attachment *attachment, int *numbers) {
    int initialized, size = attachment->size;
    PMPI_Initialized(&initialized);
    for (int i = 0; i < size && !initialized; i++) /* a program of sessions */
        numbers[i] = i;
    if (!initialized)
        return size;
    bool all = caucus_world_ranks(attachment->comm, size, numbers);
    for (int i = 0; i < size && all; i++)
        all = numbers[i] >= 0;
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    return all ? size : 0;
}

static void copy_labels(const struct caucus_machine *machine, int size, const int *numbers,
                        int32_t *labels) {
    for (int i = 0; i < size; i++)
        for (int level = 0; level < CAUCUS_LEVELS; level++)
            labels[i * CAUCUS_LEVELS + level] =
                level < machine->levels ? machine->part_of_rank[level][numbers[i]] : -1;
}

static int parse_machine(struct caucus_machine *machine, const char *text, int described) {
    int status = caucus_machine_parse(machine, text, described);
    return status
               ? caucus_setting_blame(CAUCUS_SETTING_NODES, caucus_fail_in(status, "CAUCUS_NODES"))
               : CAUCUS_OK;
}

/* The labels of ranks that have these numbers among all that are described. */
static int parse(const char *text, int described, int size, const int *numbers, int32_t **labels) {
    struct caucus_machine machine;
    int status = parse_machine(&machine, text, described);
    if (status)
        return status;
    *labels = caucus_array((int64_t)size * CAUCUS_LEVELS, sizeof **labels);
    if (*labels)
        copy_labels(&machine, size, numbers, *labels);
    else
        status = CAUCUS_NO_MEMORY;
    caucus_machine_free(&machine);
    return status;
}

/* On rank 0: the labels of all ranks, to be given to free(); NULL if they are not described. */
static int read_labels(const struct caucus_attachment *attachment, const char *text,
                       int32_t **labels) {
    int status = CAUCUS_NO_MEMORY;
    int *numbers = caucus_array(attachment->size, sizeof *numbers);
    *labels = NULL;
    if (numbers) {
        int described = number_ranks(attachment, numbers);
        status = described ? parse(text, described, attachment->size, numbers, labels) : CAUCUS_OK;
    }
    free(numbers);
    return status;
}

int caucus_describe_check_setting(void) {
    const char *text = caucus_setting_text(CAUCUS_SETTING_NODES);
    struct caucus_machine machine;
    int initialized, size;
    PMPI_Initialized(&initialized);
    if (!*text || !initialized)
        return CAUCUS_OK;
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    int status = parse_machine(&machine, text, size);
    if (!status)
        caucus_machine_free(&machine);
    return status;
}

static int scatter(struct caucus_attachment *attachment, const int32_t *labels) {
    return caucus_mpi_status(PMPI_Scatter(labels, CAUCUS_LEVELS, MPI_INT32_T,
                                          attachment->origin.label, CAUCUS_LEVELS, MPI_INT32_T, 0,
                                          attachment->comm),
                             "MPI_Scatter");
}

static int read_description(struct caucus_attachment *attachment) {
    const char *text = caucus_setting_text(CAUCUS_SETTING_NODES);
    int32_t *labels = NULL;
    int status = CAUCUS_OK;
    if (attachment->rank == 0 && *text)
        status = read_labels(attachment, text, &labels);
    if (status && caucus_settings_forgive()) { /* in a program of sessions, which has no world */
        caucus_settings_tell_refused();
        status = CAUCUS_OK;
    }
    int described = labels != NULL;
    status = caucus_agree_root_data(&attachment->peers, 0, status, &described, sizeof described);
    attachment->described = described;
    if (!status && described)
        status = scatter(attachment, labels);
    free(labels);
    return status;
}

int caucus_describe(MPI_Comm comm, struct caucus_attachment *attachment) {
    const struct caucus_origin *origin = caucus_origin_of(comm);
    if (origin) {
        attachment->described = true;
        attachment->origin = *origin;
        return CAUCUS_OK;
    }
    for (int level = 0; level < CAUCUS_LEVELS; level++)
        attachment->origin.label[level] = -1;
    return read_description(attachment);
}
