/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/interposition/proxies.h"

#include "base/memory.h"
#include "base/status.h"
#include "run/support/mpi_status.h"
#include "run/support/notice.h"
#include "run/support/threads.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 64, SPARES = 64 };

/* Open addressing with linear probing, at most half full; room is a power of two. */
static struct {
    struct caucus_proxy **slot;
    size_t room, used;
    struct caucus_proxy *spare[SPARES]; /* with native requests that wait for their next use */
    int spares;
    atomic_size_t count;  /* as used, to be read without the lock */
    bool asked, threads;  /* whether several threads may come at a time */
    pthread_mutex_t lock; /* of all; taken only where they may, or where asked is not yet true */
} proxies = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void lock(void) {
    if (proxies.threads)
        pthread_mutex_lock(&proxies.lock);
}

static void unlock(void) {
    if (proxies.threads)
        pthread_mutex_unlock(&proxies.lock);
}

/* The first request is made before any is looked for. */
static void ask_for_threads(void) {
    pthread_mutex_lock(&proxies.lock);
    if (!proxies.asked) {
        proxies.threads = caucus_threads_may();
        proxies.asked = true;
    }
    pthread_mutex_unlock(&proxies.lock);
}

static size_t hash(MPI_Request handle) {
    uint64_t bits = 0;
    memcpy(&bits, &handle, sizeof handle);
    bits *= UINT64_C(0x9E3779B97F4A7C15); /* Fibonacci hashing (Knuth, vol. 3) */
    return (size_t)(bits >> 32);
}

/* Where the handle is, or the free slot where it would be. */
static size_t place_of(MPI_Request handle) {
    size_t at = hash(handle) & (proxies.room - 1);
    while (proxies.slot[at] && proxies.slot[at]->handle != handle)
        at = (at + 1) & (proxies.room - 1);
    return at;
}

static int make_room(void) {
    if (2 * (proxies.used + 1) <= proxies.room)
        return CAUCUS_OK;
    struct caucus_proxy **old = proxies.slot;
    size_t old_room = proxies.room, room = old_room ? 2 * old_room : FIRST_ROOM;
    struct caucus_proxy **slot = caucus_array((int64_t)room, sizeof *slot);
    if (!slot)
        return CAUCUS_NO_MEMORY;
    proxies.slot = slot;
    proxies.room = room;
    for (size_t i = 0; i < old_room; i++)
        if (old[i])
            proxies.slot[place_of(old[i]->handle)] = old[i];
    free(old);
    return CAUCUS_OK;
}

/* What MPI calls when somebody got around the drop-in. */
static int refuse(struct caucus_proxy *proxy) {
    char name[CAUCUS_CALL_NAME];
    caucus_call_name(proxy->call, name);
    caucus_fail(CAUCUS_BAD_REQUEST,
                "the request of Caucus that %s gave out has reached MPI around the drop-in "
                "(by PMPI_Wait, for example), which cannot complete it: its data is not there",
                name);
    caucus_notice(caucus_error_text());
    proxy->refused = true;
    PMPI_Comm_call_errhandler(MPI_COMM_SELF, MPI_ERR_REQUEST);
    return MPI_ERR_REQUEST;
}

static int query(void *proxy, MPI_Status *status) {
    status->MPI_SOURCE = MPI_UNDEFINED;
    status->MPI_TAG = MPI_UNDEFINED;
    PMPI_Status_set_elements(status, MPI_BYTE, 0);
    PMPI_Status_set_cancelled(status, 0);
    return refuse(proxy);
}

static void forget(struct caucus_proxy *proxy);

/* MPI may give the handle to another request now. */
static int lost(void *extra) {
    struct caucus_proxy *proxy = extra;
    if (proxy->ends)
        return MPI_SUCCESS;
    forget(proxy);
    return proxy->refused ? MPI_ERR_REQUEST : refuse(proxy);
}

static int cancel(void *proxy, int complete) {
    (void)complete;
    return refuse(proxy);
}

static struct caucus_proxy *make(void) {
    if (proxies.spares > 0)
        return proxies.spare[--proxies.spares];
    struct caucus_proxy *proxy = caucus_array(1, sizeof *proxy);
    if (!proxy)
        return NULL;
    int code = PMPI_Grequest_start(query, lost, cancel, proxy, &proxy->handle);
    if (code == MPI_SUCCESS)
        code = PMPI_Grequest_complete(proxy->handle);
    int status = caucus_mpi_status(code, "MPI_Grequest_start");
    if (!status && proxies.slot[place_of(proxy->handle)])
        status = caucus_fail(CAUCUS_INTERNAL, "MPI has one handle for two requests");
    if (status) {
        free(proxy);
        return NULL;
    }
    return proxy;
}

static void count_changed(void) {
    atomic_store_explicit(&proxies.count, proxies.used, memory_order_release);
}

struct caucus_proxy *caucus_proxy_create(enum caucus_call call) {
    ask_for_threads();
    lock();
    struct caucus_proxy *proxy = make_room() ? NULL : make();
    if (proxy) {
        proxy->request = CAUCUS_REQUEST_NULL;
        proxy->call = call;
        proxy->refused = false;
        proxies.slot[place_of(proxy->handle)] = proxy;
        proxies.used++;
        count_changed();
    }
    unlock();
    return proxy;
}

bool caucus_proxies_exist(void) {
    return atomic_load_explicit(&proxies.count, memory_order_acquire) > 0;
}

struct caucus_proxy *caucus_proxy_find(MPI_Request handle) {
    if (!caucus_proxies_exist() || handle == MPI_REQUEST_NULL)
        return NULL;
    lock();
    struct caucus_proxy *proxy = proxies.slot[place_of(handle)];
    unlock();
    return proxy;
}

bool caucus_proxy_among(int count, const MPI_Request handles[]) {
    for (int i = 0; i < count; i++)
        if (caucus_proxy_find(handles[i]))
            return true;
    return false;
}

/* Closes the gap that it leaves, so that no probe stops too early. Under the lock. */
static void take_out(const struct caucus_proxy *proxy) {
    size_t mask = proxies.room - 1, at = place_of(proxy->handle);
    proxies.slot[at] = NULL;
    for (size_t next = (at + 1) & mask; proxies.slot[next]; next = (next + 1) & mask) {
        struct caucus_proxy *moved = proxies.slot[next];
        proxies.slot[next] = NULL;
        proxies.slot[place_of(moved->handle)] = moved;
    }
    proxies.used--;
    count_changed();
}

/* What is behind it cannot be waited for any more. */
static void forget(struct caucus_proxy *proxy) {
    lock();
    take_out(proxy);
    unlock();
}

static void destroy(struct caucus_proxy *proxy) {
    proxy->ends = true;
    PMPI_Request_free(&proxy->handle);
    free(proxy);
}

void caucus_proxy_release(struct caucus_proxy *proxy) {
    lock();
    take_out(proxy);
    bool kept = proxies.spares < SPARES;
    if (kept)
        proxies.spare[proxies.spares++] = proxy;
    unlock();
    if (!kept)
        destroy(proxy);
}

void caucus_proxy_completed(struct caucus_proxy *proxy, MPI_Request *handle) {
    if (proxy->request != CAUCUS_REQUEST_NULL)
        return;
    caucus_proxy_release(proxy);
    *handle = MPI_REQUEST_NULL;
}

/* A request that its program has not freed goes with MPI, unless it is active. */
void caucus_proxies_end(void) {
    lock();
    while (proxies.spares > 0)
        destroy(proxies.spare[--proxies.spares]);
    for (size_t i = 0; i < proxies.room; i++)
        if (proxies.slot[i])
            destroy(proxies.slot[i]);
    free(proxies.slot);
    proxies.slot = NULL;
    proxies.room = proxies.used = 0;
    count_changed();
    unlock();
}
