/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of caucus/request.h: for many requests. */
#include "api/collective/request.h"
#include "api/common/raise.h"
#include "base/status.h"
#include "run/progress/waiting.h"

#include <sched.h>
#include <stdio.h>

static int check_list(int count, const caucus_request *requests, const char *name) {
    if (count < 0)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "%s is %d: it must not be negative", name, count);
    if (count > 0 && !requests)
        return caucus_fail(CAUCUS_BAD_REQUEST, "requests is a null pointer");
    return CAUCUS_OK;
}

int caucus_startall(int count, caucus_request requests[]) {
    int status = check_list(count, requests, "count"), i;
    if (status)
        return caucus_request_raise(NULL, __func__, status);
    for (i = 0; i < count && !status; i++)
        status = caucus_request_check_start(requests[i]);
    if (!status)
        for (i = 0; i < count && !status; i++)
            status = caucus_request_begin(requests[i]);
    if (!status)
        return MPI_SUCCESS;
    caucus_fail_in(status, "requests[%d]", i - 1);
    return caucus_request_raise(requests[i - 1], __func__, status);
}

static MPI_Status *status_at(MPI_Status *statuses, int i) {
    return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : statuses + i;
}

/* How requests of a list ended: the first failure is raised once all are through. */
struct outcome {
    struct caucus_context *context; /* held, of the first that failed */
    int status;
    char text[512];
};

static void finish(caucus_request *request, MPI_Status *status, struct outcome *outcome) {
    struct caucus_context *context = (*request)->context;
    caucus_context_hold(context);
    int failed = caucus_request_finish(request);
    caucus_status_clear(status);
    if (failed && status != MPI_STATUS_IGNORE)
        status->MPI_ERROR = caucus_error_class(failed);
    if (failed && !outcome->context) {
        outcome->context = context;
        outcome->status = failed;
        snprintf(outcome->text, sizeof outcome->text, "%s", caucus_error_text());
    } else {
        caucus_context_let_go(context);
    }
}

/* MPI_ERR_IN_STATUS where several could fail, else the failure's own class. */
static int conclude(struct outcome *outcome, const char *function, bool several) {
    if (!outcome->context)
        return MPI_SUCCESS;
    caucus_fail(outcome->status, "%s", outcome->text);
    int code = caucus_context_raise(outcome->context, false, function,
                                    several ? CAUCUS_IN_STATUS : outcome->status);
    caucus_context_let_go(outcome->context);
    return code;
}

int caucus_waitall(int count, caucus_request requests[], MPI_Status *statuses) {
    struct outcome outcome = {0};
    int bad = check_list(count, requests, "count");
    if (bad)
        return caucus_request_raise(NULL, __func__, bad);
    for (int i = 0; i < count; i++) {
        if (!caucus_request_is_active(requests[i])) {
            caucus_status_clear(status_at(statuses, i));
            continue;
        }
        caucus_request_await(requests[i]);
        finish(&requests[i], status_at(statuses, i), &outcome);
    }
    return conclude(&outcome, __func__, true);
}

int caucus_testall(int count, caucus_request requests[], int *flag, MPI_Status *statuses) {
    struct outcome outcome = {0};
    int bad = check_list(count, requests, "count");
    if (!bad)
        bad = caucus_check_pointer(flag, "flag");
    if (bad)
        return caucus_request_raise(NULL, __func__, bad);
    *flag = 1;
    bool moved = false;
    for (int i = 0; i < count; i++)
        if (caucus_request_is_active(requests[i])) {
            caucus_request_advance_among(requests[i], &moved);
            *flag = *flag && requests[i]->complete;
        }
    for (int i = 0; i < count && *flag; i++) {
        if (caucus_request_is_active(requests[i]))
            finish(&requests[i], status_at(statuses, i), &outcome);
        else
            caucus_status_clear(status_at(statuses, i));
    }
    return conclude(&outcome, __func__, true);
}

/* Moves the active ones on. Returns how many are active; *first is the first that is complete, or
 * MPI_UNDEFINED, *only an active one. */
static int sweep(int count, caucus_request *requests, int *first, int *only) {
    int active = 0;
    bool moved = false;
    *first = MPI_UNDEFINED;
    for (int i = 0; i < count; i++) {
        if (!caucus_request_is_active(requests[i]))
            continue;
        active++;
        *only = i;
        caucus_request_advance_among(requests[i], &moved);
        if (requests[i]->complete && *first == MPI_UNDEFINED)
            *first = i;
    }
    return active;
}

/* Until one is complete, if any is active: its number, or MPI_UNDEFINED. */
static int await_any(int count, caucus_request *requests) {
    int first, only = 0, active;
    double begin = 0;
    for (int64_t round = 0; (active = sweep(count, requests, &first, &only)) > 0; round++) {
        if (first != MPI_UNDEFINED)
            break;
        if (active == 1) { /* it knows best how to wait */
            caucus_request_await(requests[only]);
            continue;
        }
        for (int i = 0; i < count && round % CAUCUS_ROUNDS_PER_CLOCK == 0; i++)
            if (caucus_request_is_active(requests[i]))
                caucus_request_limit(requests[i], &begin);
        sched_yield();
    }
    return first;
}

static int end_any(caucus_request *requests, int index, MPI_Status *status, const char *function) {
    struct outcome outcome = {0};
    if (index == MPI_UNDEFINED)
        caucus_status_clear(status);
    else
        finish(&requests[index], status, &outcome);
    return conclude(&outcome, function, false);
}

int caucus_waitany(int count, caucus_request requests[], int *index, MPI_Status *status) {
    int bad = check_list(count, requests, "count");
    if (!bad)
        bad = caucus_check_pointer(index, "index");
    if (bad)
        return caucus_request_raise(NULL, __func__, bad);
    *index = await_any(count, requests);
    return end_any(requests, *index, status, __func__);
}

int caucus_testany(int count, caucus_request requests[], int *index, int *flag,
                   MPI_Status *status) {
    int only, bad = check_list(count, requests, "count");
    if (!bad)
        bad = caucus_check_pointer(index, "index");
    if (!bad)
        bad = caucus_check_pointer(flag, "flag");
    if (bad)
        return caucus_request_raise(NULL, __func__, bad);
    int active = sweep(count, requests, index, &only);
    *flag = active == 0 || *index != MPI_UNDEFINED;
    return *flag ? end_any(requests, *index, status, __func__) : MPI_SUCCESS;
}

static int check_some(int count, const caucus_request *requests, const int *outcount,
                      const int *indices) {
    int bad = check_list(count, requests, "incount");
    if (!bad)
        bad = caucus_check_pointer(outcount, "outcount");
    return bad || count == 0 ? bad : caucus_check_pointer(indices, "indices");
}

/* Ends all that are complete; MPI_UNDEFINED where none was active. */
static int end_some(int count, caucus_request *requests, int active, int *outcount, int *indices,
                    MPI_Status *statuses, const char *function) {
    struct outcome outcome = {0};
    *outcount = active ? 0 : MPI_UNDEFINED;
    for (int i = 0; i < count; i++) {
        if (!caucus_request_is_active(requests[i]) || !requests[i]->complete)
            continue;
        finish(&requests[i], status_at(statuses, *outcount), &outcome);
        indices[(*outcount)++] = i;
    }
    return conclude(&outcome, function, true);
}

int caucus_waitsome(int incount, caucus_request requests[], int *outcount, int indices[],
                    MPI_Status *statuses) {
    int bad = check_some(incount, requests, outcount, indices);
    if (bad)
        return caucus_request_raise(NULL, __func__, bad);
    int first = await_any(incount, requests);
    return end_some(incount, requests, first != MPI_UNDEFINED, outcount, indices, statuses,
                    __func__);
}

int caucus_testsome(int incount, caucus_request requests[], int *outcount, int indices[],
                    MPI_Status *statuses) {
    int first, only, bad = check_some(incount, requests, outcount, indices);
    if (bad)
        return caucus_request_raise(NULL, __func__, bad);
    int active = sweep(incount, requests, &first, &only);
    return end_some(incount, requests, active, outcount, indices, statuses, __func__);
}
