/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/attachment/attach.h"

#include "base/memory.h"
#include "base/settings.h"
#include "base/status.h"
#include "run/attachment/locate.h"
#include "run/peers/agree.h"
#include "run/support/alone.h"
#include "run/support/keyval.h"
#include "run/support/last.h"
#include "run/support/mpi_status.h"
#include "run/support/private.h"
#include "run/support/waits.h"

#include <stdatomic.h>
#include <stdlib.h>

static void release(struct caucus_attachment *attachment) {
    int finalized;
    if (attachment->manager)
        attachment->free_manager(attachment->manager);
    if (attachment->creation)
        attachment->free_creation(attachment->creation);
    if (attachment->engine)
        attachment->free_engine(attachment->engine);
    PMPI_Finalized(&finalized);
    if (attachment->parent) {
        free((void *)attachment->peers.rank_of);
        caucus_attachment_let_go(attachment->parent);
    } else if (!finalized) {
        caucus_private_free(&attachment->unused);
        caucus_private_free(&attachment->leaders);
        caucus_private_free(&attachment->node);
        caucus_private_free(&attachment->comm);
    }
    for (int level = 0; level < CAUCUS_INNER_LEVELS; level++)
        free(attachment->part_of_local[level]);
    caucus_nodes_free(&attachment->nodes);
}

void caucus_attachment_hold(struct caucus_attachment *attachment) {
    attachment->references++;
}

bool caucus_attachment_hold_if_kept(struct caucus_attachment *attachment) {
    int references = attachment->references;
    while (references > 0)
        if (atomic_compare_exchange_weak(&attachment->references, &references, references + 1))
            return true;
    return false;
}

void caucus_attachment_let_go(struct caucus_attachment *attachment) {
    if (--attachment->references > 0)
        return;
    if (attachment->manager && attachment->stay(attachment->manager))
        return;
    release(attachment);
    free(attachment);
}

static void on_delete(MPI_Comm comm, void *value) {
    (void)comm;
    caucus_last_forget(value);
    caucus_attachment_let_go(value);
}

static struct caucus_keyval kept = CAUCUS_KEYVAL_DROPPED(on_delete);

static void delete_from(MPI_Comm comm, void *value) {
    (void)value;
    caucus_keyval_delete(&kept, comm);
}

/* All ranks alike, but for *own. */
static int fill(MPI_Comm comm, struct caucus_attachment *attachment, int *own) {
    int status = caucus_private_make(comm, &attachment->comm, &attachment->first_group);
    if (status)
        return status;
    attachment->peers = caucus_peers_all(attachment->comm);
    attachment->rank = attachment->peers.rank;
    attachment->size = attachment->peers.size;
    return caucus_locate(comm, attachment, own);
}

int caucus_attach_members(struct caucus_attachment *parent, int *rank_of, int size, int rank,
                          struct caucus_attachment **attachment) {
    struct caucus_attachment *made = caucus_array(1, sizeof *made);
    if (!made)
        return CAUCUS_NO_MEMORY;
    caucus_attachment_hold(parent);
    made->parent = parent;
    made->comm = parent->comm;
    made->node = made->leaders = made->unused = MPI_COMM_NULL;
    made->peers =
        (struct caucus_peers){.comm = made->comm, .rank = rank, .size = size, .rank_of = rank_of};
    made->rank = rank;
    made->size = size;
    made->references = 1;
    *attachment = made;
    return CAUCUS_OK;
}

int caucus_attachment_stand_apart(struct caucus_attachment *attachment) {
    MPI_Comm own;
    if (!caucus_is_alone(attachment->comm))
        return CAUCUS_OK;
    int status = caucus_mpi_status(PMPI_Comm_split(attachment->comm, 0, 0, &own), "MPI_Comm_split");
    if (status)
        return status;
    PMPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
    attachment->comm = attachment->peers.comm = own;
    return CAUCUS_OK;
}

struct caucus_attachment *caucus_attached(MPI_Comm comm) {
    return caucus_keyval_get(&kept, comm);
}

/* Of settings that there are not: a misspelt one would be missed in silence. */
static void warn_once(const struct caucus_attachment *attachment) {
    static atomic_flag warned = ATOMIC_FLAG_INIT;
    if (!atomic_flag_test_and_set(&warned) && attachment->rank == 0)
        caucus_settings_warn_unknown();
}

/* All that a rank may fail in by itself, before all agree; own: of this rank, of what came before.
 */
static int prepare(MPI_Comm comm, const struct caucus_attachment *made, int own,
                   struct caucus_attachment **copy) {
    if (!own)
        own = caucus_waits_begin();
    if (own)
        return own;
    *copy = caucus_array_copy(made, 1, sizeof *made);
    return *copy ? caucus_last_keep(comm, *copy, delete_from) : CAUCUS_NO_MEMORY;
}

int caucus_attach(MPI_Comm comm, struct caucus_attachment **attachment) {
    *attachment = caucus_attached(comm);
    if (*attachment)
        return CAUCUS_OK;
    struct caucus_attachment made = {.comm = MPI_COMM_NULL,
                                     .node = MPI_COMM_NULL,
                                     .leaders = MPI_COMM_NULL,
                                     .unused = MPI_COMM_NULL,
                                     .references = 1};
    struct caucus_attachment *copy = NULL;
    int own, status = fill(comm, &made, &own);
    if (!status) {
        own = prepare(comm, &made, own, &copy);
        status = caucus_agree(&made.peers, own, 0, NULL);
    }
    if (!status)
        status = caucus_keyval_set(&kept, comm, copy);
    if (status && copy)
        caucus_last_forget(copy);
    if (status) {
        caucus_rank_text_settle(caucus_attachment_reader(&made));
        release(&made);
        free(copy);
    } else {
        *attachment = copy;
        warn_once(copy);
    }
    return status;
}
