/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/describe.h"

#include "base/memory.h"
#include "base/settings.h"
#include "base/status.h"
#include "run/agree.h"
#include "run/mpi_status.h"

#include <stdlib.h>

/* Writes the rank in MPI_COMM_WORLD of every rank of comm; false where that can't be. */
static bool translate(MPI_Comm comm, int size, const int *ranks, int *world_ranks) {
    MPI_Group group, world;
    PMPI_Comm_group(comm, &group);
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    bool all = PMPI_Group_translate_ranks(group, size, ranks, world, world_ranks) == MPI_SUCCESS;
    for (int i = 0; i < size && all; i++)
        all = world_ranks[i] != MPI_UNDEFINED;
    PMPI_Group_free(&group);
    PMPI_Group_free(&world);
    return all;
}

/* The description's number of every rank; returns how many ranks it must describe, or 0 where they
 * are of several worlds, none of which it could be about. */
static int number_ranks(const struct caucus_attachment *attachment, int *ranks, int *numbers) {
    int initialized, size;
    for (int i = 0; i < attachment->size; i++)
        ranks[i] = numbers[i] = i;
    PMPI_Initialized(&initialized);
    if (!initialized) /* a program of sessions */
        return attachment->size;
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    return translate(attachment->comm, attachment->size, ranks, numbers) ? size : 0;
}

static void copy_labels(const struct caucus_machine *machine, int size, const int *numbers,
                        int32_t *labels) {
    for (int i = 0; i < size; i++)
        for (int level = 0; level < CAUCUS_LEVELS; level++)
            labels[i * CAUCUS_LEVELS + level] =
                level < machine->levels ? machine->part_of_rank[level][numbers[i]] : -1;
}

/* The labels of ranks that have these numbers among all that are described. */
static int parse(const char *text, int described, int size, const int *numbers, int32_t **labels) {
    struct caucus_machine machine;
    int status = caucus_machine_parse(&machine, text, described);
    if (status)
        return caucus_fail_in(status, "CAUCUS_NODES");
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
    int *ranks = caucus_array(attachment->size, sizeof *ranks);
    int *numbers = caucus_array(attachment->size, sizeof *numbers);
    *labels = NULL;
    if (ranks && numbers) {
        int described = number_ranks(attachment, ranks, numbers);
        status = described ? parse(text, described, attachment->size, numbers, labels) : CAUCUS_OK;
    }
    free(ranks);
    free(numbers);
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
    int described = labels != NULL;
    status = caucus_agree_root(&attachment->peers, 0, status);
    if (!status)
        status =
            caucus_mpi_status(PMPI_Bcast(&described, 1, MPI_INT, 0, attachment->comm), "MPI_Bcast");
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
