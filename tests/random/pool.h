/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests that are active on this rank, completed by every kind of wait and test; written anew for
 * each kind of request: POOL(name) names its functions, POOL_REQUEST and POOL_NULL are its type and
 * null, POOL_NAME(name, Name) calls. POOL_WAITS is false where only tests may be used. */

static struct {
    int count;
    POOL_REQUEST request[POOLED];
    struct task *owner[POOLED];
    MPI_Status *told[POOLED]; /* where its status goes, or NULL */
} POOL(pool);

/* Some of the pool, with null requests between them. */
struct POOL(part) {
    int count, chosen;
    POOL_REQUEST request[2 * POOLED];
    int at[2 * POOLED]; /* in the pool, or -1 */
    bool ended[2 * POOLED];
};

static void POOL(add)(POOL_REQUEST request, struct task *owner, MPI_Status *told) {
    if (POOL(pool).count == POOLED)
        wrong(owner->action, "the test has too many requests active");
    POOL(pool).request[POOL(pool).count] = request;
    POOL(pool).told[POOL(pool).count] = told;
    POOL(pool).owner[POOL(pool).count++] = owner;
    owner->left++;
    owner->active = true;
}

/* All of the task's, and a few others. */
static void POOL(choose)(struct POOL(part) * part, const struct task *task, bool others) {
    int order[POOLED];
    memset(part, 0, sizeof *part);
    for (int i = 0; i < POOL(pool).count; i++)
        order[i] = i;
    shuffle(&my.own, order, POOL(pool).count);
    for (int i = 0; i < POOL(pool).count; i++) {
        if (POOL(pool).owner[order[i]] != task && !(others && one_in(&my.own, 2)))
            continue;
        if (one_in(&my.own, 8)) {
            part->at[part->count] = -1;
            part->request[part->count++] = POOL_NULL;
        }
        part->at[part->count] = order[i];
        part->request[part->count++] = POOL(pool).request[order[i]];
        part->chosen++;
    }
}

static void POOL(ended)(struct POOL(part) * part, int index, const MPI_Status *status) {
    if (index < 0 || index >= part->count || part->at[index] < 0 || part->ended[index])
        wrong(my.action, "index %d of %d requests was said to be complete", index, part->count);
    int at = part->at[index];
    part->ended[index] = true;
    POOL(pool).request[at] = part->request[index]; /* who looks there finds no old one */
    if (status && POOL(pool).told[at])
        *POOL(pool).told[at] = *status;
}

/* What has ended leaves the pool; whoever has no more of them is done. */
static void POOL(settle)(const struct POOL(part) * part) {
    struct task *done[2 * POOLED];
    int kept = 0, finished = 0;
    bool gone[POOLED] = {false};
    for (int i = 0; i < part->count; i++)
        if (part->at[i] >= 0 && part->ended[i]) {
            struct task *owner = POOL(pool).owner[part->at[i]];
            gone[part->at[i]] = true;
            if (--owner->left == 0)
                done[finished++] = owner;
        }
    for (int i = 0; i < POOL(pool).count; i++)
        if (!gone[i]) {
            POOL(pool).request[kept] = POOL(pool).request[i];
            POOL(pool).told[kept] = POOL(pool).told[i];
            POOL(pool).owner[kept++] = POOL(pool).owner[i];
        }
    POOL(pool).count = kept;
    for (int i = 0; i < finished; i++)
        done[i]->finish(done[i]);
}

/* After a look at a persistent request MPICH's waits and tests have an empty status, so that of the
 * look counts. */
static void POOL(one)(struct POOL(part) * part, int i, int way) {
    MPI_Status room[2], *statuses = drawn_statuses(room, 2);
    MPI_Status *looked = statuses ? &statuses[0] : MPI_STATUS_IGNORE;
    MPI_Status *status = statuses ? &statuses[1] : MPI_STATUS_IGNORE;
    int flag = 1, looks = 1;
    if (part->at[i] < 0 || part->ended[i])
        return;
    if (way == 1)
        MUST(POOL_NAME(request_get_status, Request_get_status)(part->request[i], &looks, looked));
    if (!looks)
        return;
    if (POOL_WAITS && (way == 0 || (way == 1 && one_in(&my.own, 2))))
        MUST(POOL_NAME(wait, Wait)(&part->request[i], status));
    else
        MUST(POOL_NAME(test, Test)(&part->request[i], &flag, status));
    if (way == 1 && !flag)
        wrong(my.action, "Request_get_status said complete, Test does not");
    if (flag)
        POOL(ended)(part, i, !statuses ? NULL : way == 1 ? looked : status);
}

static void POOL(listed)(struct POOL(part) * part, int count, const int *indices,
                         const MPI_Status *statuses) {
    if (count == MPI_UNDEFINED && part->chosen > 0)
        wrong(my.action, "no request was active, but %d of %d are, the first of action %d (%s)",
              part->chosen, part->count, POOL(pool).owner[part->at[part->count - 1]]->action,
              words_of(&my.script.action[POOL(pool).owner[part->at[part->count - 1]]->action]));
    for (int i = 0; i < count; i++)
        POOL(ended)(part, indices[i], statuses ? &statuses[i] : NULL);
}

/* All have ended. Of null requests the statuses are empty. */
static void POOL(all_ended)(struct POOL(part) * part, const MPI_Status *statuses) {
    for (int i = 0; i < part->count; i++) {
        const MPI_Status *status = statuses ? &statuses[i] : NULL;
        if (part->at[i] >= 0)
            POOL(ended)(part, i, status);
        else if (status && (status->MPI_SOURCE != MPI_ANY_SOURCE || status->MPI_TAG != MPI_ANY_TAG))
            wrong(my.action, "the status of a null request has source %d and tag %d",
                  status->MPI_SOURCE, status->MPI_TAG);
    }
}

/* One call, or one for each of several requests. */
static void POOL(step)(struct POOL(part) * part, int way) {
    int n = part->count, flag = 0, index = MPI_UNDEFINED, count = 0, indices[2 * POOLED];
    MPI_Status room[2 * POOLED], *statuses = drawn_statuses(room, n);
    MPI_Status *one = statuses ? statuses : MPI_STATUS_IGNORE;
    MPI_Status *all = statuses ? statuses : MPI_STATUSES_IGNORE;
    POOL_REQUEST *r = part->request;
    switch (POOL_WAITS || way > 5 ? way : way % 2 + 6) {
    case 2:
        MUST(POOL_NAME(waitall, Waitall)(n, r, all));
        POOL(all_ended)(part, statuses);
        break;
    case 3:
        MUST(POOL_NAME(testall, Testall)(n, r, &flag, all));
        if (flag)
            POOL(all_ended)(part, statuses);
        break;
    case 4:
        MUST(POOL_NAME(waitany, Waitany)(n, r, &index, one));
        POOL(listed)(part, 1, &index, statuses);
        break;
    case 5:
        MUST(POOL_NAME(waitsome, Waitsome)(n, r, &count, indices, all));
        POOL(listed)(part, count, indices, statuses);
        break;
    case 6:
        MUST(POOL_NAME(testany, Testany)(n, r, &index, &flag, one));
        if (flag)
            POOL(listed)(part, 1, &index, statuses);
        break;
    default:
        MUST(POOL_NAME(testsome, Testsome)(n, r, &count, indices, all));
        POOL(listed)(part, count, indices, statuses);
    }
}

static void POOL(once)(struct POOL(part) * part, int way) {
    if (way < 2 || way == 8) /* 8: by a test */
        for (int i = 0; i < part->count; i++)
            POOL(one)(part, i, way);
    else
        POOL(step)(part, way);
}

/* Whether all of a task's have ended. */
static bool POOL(over)(const struct POOL(part) * part, const struct task *task) {
    for (int i = 0; i < part->count; i++)
        if (part->at[i] >= 0 && !part->ended[i] && POOL(pool).owner[part->at[i]] == task)
            return false;
    return true;
}

/* Waits for the task, and maybe for others. A looping test may see the processor taken away. */
static void POOL(complete)(const struct task *task) {
    struct POOL(part) part;
    int way = my.single ? 8 * below(&my.own, 2) : below(&my.own, 8);
    POOL(choose)(&part, task, true);
    while (!POOL(over)(&part, task)) {
        POOL(once)(&part, way);
        if (!POOL(over)(&part, task))
            breathe();
    }
    POOL(settle)(&part);
}

/* Looks once whether anything has ended. */
static void POOL(look)(void) {
    static const int tests[] = {1, 3, 6, 7};
    struct POOL(part) part;
    POOL(choose)(&part, NULL, true);
    int way = my.single ? 8 : tests[below(&my.own, 4)];
    if (part.chosen > 0)
        POOL(once)(&part, way);
    POOL(settle)(&part);
}

#undef POOL
#undef POOL_REQUEST
#undef POOL_NULL
#undef POOL_NAME
#undef POOL_WAITS
