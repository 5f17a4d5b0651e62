/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/layout/contents.h"

#include "base/memory.h"
#include "base/status.h"
#include "run/support/mpi_status.h"

#include <stdlib.h>

static int make_room(struct caucus_contents *contents) {
    contents->integer = caucus_array(contents->integers, sizeof *contents->integer);
    contents->address = caucus_array(contents->addresses, sizeof *contents->address);
    contents->large = caucus_array(contents->larges, sizeof *contents->large);
    contents->type = caucus_array(contents->types, sizeof *contents->type);
    bool good = contents->integer && contents->address && contents->large && contents->type;
    return good ? CAUCUS_OK : CAUCUS_NO_MEMORY;
}

#ifdef CAUCUS_HAVE_LARGE_TYPES

static int get_envelope(MPI_Datatype type, struct caucus_contents *contents) {
    MPI_Count integers, addresses, larges, types;
    int status = caucus_mpi_status(
        PMPI_Type_get_envelope_c(type, &integers, &addresses, &larges, &types, &contents->combiner),
        "MPI_Type_get_envelope_c");
    if (status)
        return status;
    contents->integers = integers;
    contents->addresses = addresses;
    contents->larges = larges;
    contents->types = types;
    return CAUCUS_OK;
}

static int get_contents(MPI_Datatype type, struct caucus_contents *contents) {
    MPI_Count *large = caucus_array(contents->larges, sizeof *large);
    if (!large)
        return CAUCUS_NO_MEMORY;
    int status = caucus_mpi_status(
        PMPI_Type_get_contents_c(type, contents->integers, contents->addresses, contents->larges,
                                 contents->types, contents->integer, contents->address, large,
                                 contents->type),
        "MPI_Type_get_contents_c");
    for (int64_t i = 0; i < contents->larges; i++)
        contents->large[i] = large[i];
    free(large);
    return status;
}

#else

static int get_envelope(MPI_Datatype type, struct caucus_contents *contents) {
    int integers, addresses, types;
    int status = caucus_mpi_status(
        PMPI_Type_get_envelope(type, &integers, &addresses, &types, &contents->combiner),
        "MPI_Type_get_envelope");
    if (status)
        return status;
    contents->integers = integers;
    contents->addresses = addresses;
    contents->types = types;
    return CAUCUS_OK;
}

static int get_contents(MPI_Datatype type, struct caucus_contents *contents) {
    return caucus_mpi_status(PMPI_Type_get_contents(type, (int)contents->integers,
                                                    (int)contents->addresses, (int)contents->types,
                                                    contents->integer, contents->address,
                                                    contents->type),
                             "MPI_Type_get_contents");
}

#endif

int caucus_contents_get(MPI_Datatype type, struct caucus_contents *contents) {
    *contents = (struct caucus_contents){0};
    int status = get_envelope(type, contents);
    if (status || contents->combiner == MPI_COMBINER_NAMED)
        return status;
    int64_t types = contents->types;
    status = make_room(contents);
    contents->types = 0; /* none to be freed yet */
    if (!status) {
        contents->types = types;
        status = get_contents(type, contents);
        contents->types = status ? 0 : types;
    }
    if (status)
        caucus_contents_free(contents);
    return status;
}

bool caucus_type_is_named(MPI_Datatype type) {
    struct caucus_contents envelope = {0};
    return get_envelope(type, &envelope) == CAUCUS_OK && envelope.combiner == MPI_COMBINER_NAMED;
}

bool caucus_type_committed(MPI_Datatype type, MPI_Comm comm) {
    char nothing = 0;
    int position = 0;
    return PMPI_Pack(&nothing, 0, type, &nothing, 1, &position, comm) == MPI_SUCCESS;
}

bool caucus_type_is_predefined(MPI_Datatype type) {
    struct caucus_contents envelope = {0};
    if (get_envelope(type, &envelope))
        return true;
    switch (envelope.combiner) {
    case MPI_COMBINER_NAMED:
    case MPI_COMBINER_F90_REAL:
    case MPI_COMBINER_F90_COMPLEX:
    case MPI_COMBINER_F90_INTEGER:
        return true;
    default:
        return false;
    }
}

void caucus_contents_free(struct caucus_contents *contents) {
    for (int64_t i = 0; i < contents->types; i++)
        if (!caucus_type_is_predefined(contents->type[i]))
            PMPI_Type_free(&contents->type[i]);
    free(contents->integer);
    free(contents->address);
    free(contents->large);
    free(contents->type);
    *contents = (struct caucus_contents){0};
}
