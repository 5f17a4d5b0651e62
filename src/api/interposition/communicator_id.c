/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/interposition/communicator_id.h"

#include "base/memory.h"
#include "run/peers/agree.h"
#include "run/support/keyval.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

struct id {
    int64_t number, derived; /* derived: calls so far, one at a time as MPI has it */
    _Atomic bool asked;
    struct id *next; /* of those that are gone */
};

static struct id *_Atomic gone;

/* Within MPI, which may hold a lock of its own: no lock is waited for. */
static void drop(MPI_Comm comm, void *value) {
    struct id *id = value;
    (void)comm;
    if (!id->asked) {
        free(id);
        return;
    }
    id->next = gone;
    while (!atomic_compare_exchange_weak(&gone, &id->next, id))
        ;
}

static struct caucus_keyval kept = CAUCUS_KEYVAL_DROPPED(drop);

/* One in advance, for when there is no memory: a rank without a number would not meet the others.
 */
static struct id *_Atomic spare;

static struct id *make_id(void) {
    struct id *made = caucus_array(1, sizeof *made);
    if (!made)
        return atomic_exchange(&spare, NULL);
    if (!spare)
        free(atomic_exchange(&spare, caucus_array(1, sizeof *made)));
    return made;
}

static void keep(MPI_Comm comm, int64_t number) {
    struct id *id = make_id();
    if (!id)
        return;
    id->number = number;
    if (caucus_keyval_set(&kept, comm, id))
        free(id);
}

void caucus_communicator_id_begin(void) {
    keep(MPI_COMM_WORLD, 1);
}

void caucus_communicator_id_derive(MPI_Comm parent, MPI_Comm made) {
    int inter = 0;
    struct id *id = caucus_keyval_get(&kept, parent);
    if (!id ||
        (made != MPI_COMM_NULL && (PMPI_Comm_test_inter(made, &inter) != MPI_SUCCESS || inter)))
        return;
    const int64_t path[] = {id->number, id->derived++};
    const struct caucus_item item = {"the communicator", CAUCUS_ITEM_LONGS, path, 2};
    int64_t number = (int64_t)caucus_agree_digest(1, &item);
    if (made != MPI_COMM_NULL)
        keep(made, number ? number : 1);
}

uint64_t caucus_communicator_id(MPI_Comm comm) {
    struct id *id = caucus_keyval_get(&kept, comm);
    if (id)
        id->asked = true;
    return id ? (uint64_t)id->number : 0;
}

void caucus_communicator_id_tell_gone(void (*tell)(struct caucus_attachment *world,
                                                   uint64_t number),
                                      struct caucus_attachment *world) {
    for (struct id *id = atomic_exchange(&gone, NULL), *next; id; id = next) {
        next = id->next;
        tell(world, (uint64_t)id->number);
        free(id);
    }
}
