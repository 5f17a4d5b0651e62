/* SPDX-License-Identifier: BSD-3-Clause */
/* Weak progress, in runs where the seed says so: as in real MPIs without a thread of their own,
 * messages come in, data of sends that wait for their receive leave, and steps of nonblocking
 * collectives are done only while their process is within a call of MPI. */
#include "collectives.h"

#include <stdlib.h>

static bool weak;
static int rounds; /* so many calls a rank owes to a collective */

void weak_begin(void) {
    weak = draw(2) == 1;
    rounds = 1 + draw(3);
    if (getenv("WORLD_STRONG")) /* for programs that count on it */
        weak = false;
}

bool calls_move(const struct process *process) {
    if (!weak || process->dead || process->ended || process->finalized ||
        (self && self->process == process))
        return true;
    for (const struct fiber *fiber = fibers; fiber && !process->frozen; fiber = fiber->next)
        if (fiber->process == process && fiber->inside && fiber->ready && !fiber->over)
            return true;
    return false;
}

void calls_go_on(struct process *process) {
    if (!weak)
        return;
    process->calls++;
    if (process->calls <= process->owed)
        happened();
    messages_move(process);
}

/* All have come: what is still to be done, each rank does in its next calls. */
void collective_is_owed(struct call_data *last) {
    struct slot *slot = last->slot;
    for (int i = 0; i < slot->size; i++)
        if (!weak || (i != last->index && !collective_needs(last, i)))
            return;
    slot->owed = NEW(slot->size, uint64_t);
    for (int i = 0; i < slot->size; i++) {
        struct process *process = slot->calls[i]->process;
        slot->owed[i] = process->owed = process->calls + (uint64_t)rounds;
    }
}

/* Whether those whom a call needs have done their part. */
bool others_have_moved(const struct call_data *call) {
    const struct slot *slot = call->slot;
    for (int i = 0; slot->owed && i < slot->size; i++) {
        const struct call_data *other = slot->calls[i];
        if (i != call->index && !other->left && collective_needs(call, i) &&
            other->process->calls < slot->owed[i] && !calls_move(other->process))
            return false;
    }
    return true;
}
