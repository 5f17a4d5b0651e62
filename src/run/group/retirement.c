/* SPDX-License-Identifier: BSD-3-Clause */
/* Managers that others may need while no call of this rank's waits for them.
 *
 * A communicator may be freed while other members have yet to free their groups, in whatever order
 * their programs do so; what they say of them comes to the private communicator. Freed, that would
 * leave its context id to the next one, whose messages these would be then. Nor may MPI_Comm_free
 * wait for them, who may wait for this rank with something else. So it stays until all has been
 * said. */
#include "run/group/manager.h"
#include "run/support/last.h"

#include <sched.h>
#include <stdatomic.h>

static const double QUIET = 1;               /* seconds */
static const double BETWEEN_SERVICES = 5e-5; /* so that what waits for something else is not slowed
                                                down */

static _Atomic int retired;         /* managers */
static _Atomic int64_t heard_of_it; /* messages to them */

static bool awaits_others(const struct caucus_group_manager *manager) {
    return manager->reclaims > 0 || manager->mailbox.first || caucus_alive_owes(manager);
}

static void end_retirement(struct caucus_group_manager *manager) {
    atomic_fetch_sub(&retired, 1);
    caucus_service_owe(-1);
    caucus_attachment_let_go(manager->attachment);
}

/* Whether nothing is left to wait for; what fails is told to who comes for it. */
static bool move_on(struct caucus_group_manager *manager) {
    int64_t before = manager->mailbox.received;
    int status = caucus_group_manager_progress(manager);
    atomic_fetch_add(&heard_of_it, manager->mailbox.received - before);
    return !caucus_group_manager_may_go_on(status) || !awaits_others(manager);
}

/* Somebody else may hold the lock and wait in there for what we hold. */
static void serve(void *context) {
    struct caucus_group_manager *manager = context;
    double now = PMPI_Wtime();
    bool is_over = false;
    if (pthread_mutex_trylock(&manager->lock) != 0)
        return;
    if (now - manager->served > BETWEEN_SERVICES) {
        manager->served = now;
        is_over = move_on(manager) && manager->is_retired;
        manager->is_retired = manager->is_retired && !is_over;
    }
    pthread_mutex_unlock(&manager->lock);
    if (is_over)
        end_retirement(manager);
}

static bool hold(void *context) {
    return caucus_attachment_hold_if_kept(((struct caucus_group_manager *)context)->attachment);
}

static void let_go(void *context) {
    caucus_attachment_let_go(((struct caucus_group_manager *)context)->attachment);
}

void caucus_group_manager_begin_service(struct caucus_group_manager *manager) {
    if (manager->service.serve)
        return;
    manager->service = (struct caucus_service){hold, serve, let_go, manager, NULL};
    caucus_service_add(&manager->service);
}

void caucus_group_manager_end_service(struct caucus_group_manager *manager) {
    if (manager->service.serve)
        caucus_service_remove(&manager->service);
}

/* Those who never free theirs are waited for until nothing has come for a second. */
static void await_others(void) {
    int64_t before = atomic_load(&heard_of_it);
    for (double last = PMPI_Wtime(); atomic_load(&retired) > 0 && PMPI_Wtime() - last < QUIET;) {
        caucus_serve();
        if (atomic_load(&heard_of_it) > before)
            last = PMPI_Wtime();
        before = atomic_load(&heard_of_it);
        sched_yield();
    }
}

static void give_up(struct caucus_group_manager *manager) {
    pthread_mutex_lock(&manager->lock);
    bool was_retired = manager->is_retired;
    manager->is_retired = false;
    manager->has_given_up = manager->has_given_up || was_retired;
    pthread_mutex_unlock(&manager->lock);
    if (was_retired)
        end_retirement(manager);
}

static _Atomic bool comes_at_finalize;

static void end_all(MPI_Comm comm, void *kept) {
    (void)comm, (void)kept;
    comes_at_finalize = false;
    await_others();
    for (struct caucus_group_manager *next, *manager = caucus_group_manager_hold_next(NULL);
         manager; manager = next) {
        give_up(manager);
        next = caucus_group_manager_hold_next(manager);
        caucus_attachment_let_go(manager->attachment);
    }
}

/* Of those that were retired at about the same time more than one may see to it. */
static bool come_at_finalize(void) {
    if (!comes_at_finalize)
        comes_at_finalize = !caucus_last_keep_alone(&retired, end_all);
    return comes_at_finalize;
}

/* Where there is no later: in programs of sessions, and without memory. */
static void wait_now(struct caucus_group_manager *manager) {
    struct caucus_attachment *attachment = manager->attachment;
    caucus_attachment_hold(attachment);
    await_others();
    give_up(manager);
    caucus_attachment_let_go(attachment);
}

bool caucus_group_manager_stay(struct caucus_group_manager *manager) {
    int finalized;
    PMPI_Finalized(&finalized);
    if (finalized || manager->has_given_up || move_on(manager))
        return false;
    caucus_attachment_hold(manager->attachment);
    manager->is_retired = true;
    atomic_fetch_add(&retired, 1);
    caucus_service_owe(1);
    caucus_group_manager_begin_service(manager);
    if (!come_at_finalize())
        wait_now(manager);
    return true;
}
