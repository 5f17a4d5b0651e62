/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/support/world.h"

#include "base/memory.h"

#include <stdlib.h>

static bool is_there(void) {
    int initialized;
    PMPI_Initialized(&initialized);
    return initialized;
}

const char *caucus_world_name(void) {
    return is_there() ? "MPI_COMM_WORLD" : "mpi://WORLD";
}

static bool translate(MPI_Group world, MPI_Group group, int count, int *ranks) {
    int *own = caucus_array(count, sizeof *own);
    for (int i = 0; own && i < count; i++)
        own[i] = i;
    bool told = own && PMPI_Group_translate_ranks(group, count, own, world, ranks) == MPI_SUCCESS;
    for (int i = 0; told && i < count; i++)
        ranks[i] = ranks[i] == MPI_UNDEFINED ? -1 : ranks[i];
    free(own);
    return told;
}

struct question {
    MPI_Group group; /* whose ranks are wanted; MPI_GROUP_NULL: that of this process */
    int count, *ranks;
};

static bool answer(MPI_Group world, const struct question *question) {
    if (question->group != MPI_GROUP_NULL)
        return translate(world, question->group, question->count, question->ranks);
    return PMPI_Group_rank(world, question->ranks) == MPI_SUCCESS &&
           question->ranks[0] != MPI_UNDEFINED;
}

#ifdef CAUCUS_HAVE_COMM_FROM_GROUP
/* The program's own session is not known here. That groups of two sessions are compared, MPI does
 * not promise; MPICH and Open MPI do it, and nothing but what is told depends on it. */
static bool answer_by_session(const struct question *question) {
    MPI_Session session;
    MPI_Group world;
    if (PMPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session) != MPI_SUCCESS)
        return false;
    bool told = PMPI_Group_from_session_pset(session, "mpi://WORLD", &world) == MPI_SUCCESS;
    if (told) {
        told = answer(world, question);
        PMPI_Group_free(&world);
    }
    PMPI_Session_finalize(&session);
    return told;
}
#else
static bool answer_by_session(const struct question *question) {
    (void)question;
    return false;
}
#endif

static bool ask(const struct question *question) {
    MPI_Group world;
    if (!is_there())
        return answer_by_session(question);
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    bool told = answer(world, question);
    PMPI_Group_free(&world);
    return told;
}

int caucus_world_rank(void) {
    int rank;
    const struct question question = {MPI_GROUP_NULL, 1, &rank};
    return ask(&question) ? rank : -1;
}

int caucus_world_launched_rank(void) {
    static const char *const variables[] = {"PMIX_RANK", "PMI_RANK", "SLURM_PROCID"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        if (getenv(variables[i]))
            return atoi(getenv(variables[i]));
    return 0;
}

bool caucus_world_ranks(MPI_Comm comm, int count, int *ranks) {
    MPI_Group group;
    if (PMPI_Comm_group(comm, &group) != MPI_SUCCESS)
        return false;
    const struct question question = {group, count, ranks};
    bool told = ask(&question);
    PMPI_Group_free(&group);
    return told;
}
