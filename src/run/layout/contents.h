/* SPDX-License-Identifier: BSD-3-Clause */
/* How a datatype was made, in one form for all MPIs. */
#ifndef CAUCUS_RUN_LAYOUT_CONTENTS_H
#define CAUCUS_RUN_LAYOUT_CONTENTS_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* The arguments of the constructor, in its order. Constructors with large counts keep some of them
 * apart: what is an int or an address in the one form is a large count in the other. */
struct caucus_contents {
    int combiner;
    int64_t integers, addresses, larges, types; /* how many */
    int *integer;
    MPI_Aint *address;
    int64_t *large;
    MPI_Datatype *type; /* handles that are not predefined are freed with the contents */
};

/* Predefined types have no contents: the combiner is MPI_COMBINER_NAMED, and the arrays empty. */
int caucus_contents_get(MPI_Datatype type, struct caucus_contents *contents);
void caucus_contents_free(struct caucus_contents *contents);

/* Whether MPI takes a datatype for communication; comm returns errors. Local. MPI cannot be asked,
 * so this packs nothing; an MPI that does not look takes all. */
bool caucus_type_committed(MPI_Datatype type, MPI_Comm comm);

/* A handle that need not be freed and whose bytes are known by its name; false on failure. */
bool caucus_type_is_named(MPI_Datatype type);

/* A handle that need not be freed, those of Fortran's kinds included, and that operations of MPI's
 * take, as they take no duplicate; true on failure. */
bool caucus_type_is_predefined(MPI_Datatype type);

/* The number at a place of the list of those that are ints or, in the large form, large counts; and
 * at a place of those that are addresses: in the large form they stand behind `counts` counts. */
static inline int64_t caucus_contents_count(const struct caucus_contents *contents, int64_t at) {
    return contents->larges > 0 ? contents->large[at] : contents->integer[at];
}

static inline int64_t caucus_contents_address(const struct caucus_contents *contents,
                                              int64_t counts, int64_t at) {
    return contents->larges > 0 ? contents->large[counts + at] : contents->address[at];
}

#endif
