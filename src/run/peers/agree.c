/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/peers/agree.h"

#include "base/status.h"
#include "run/support/rank_text.h"

#include <stdio.h>
#include <string.h>

enum { TEXT_SIZE = 1024 };
static const uint64_t START = 0xcbf29ce484222325u;

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) /* FNV-1a of 64 bits */
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
    return hash;
}

static uint64_t hash_item(const struct caucus_item *item) {
    uint64_t hash = START;
    if (!item->data)
        return 0;
    if (item->kind == CAUCUS_ITEM_TEXT)
        return hash_bytes(hash, item->data, strlen(item->data));
    hash = hash_bytes(hash, &item->count, sizeof item->count);
    if (item->kind == CAUCUS_ITEM_INTEGERS)
        return hash_bytes(hash, item->data, (size_t)item->count * sizeof(int));
    if (item->kind == CAUCUS_ITEM_LONGS)
        return hash_bytes(hash, item->data, (size_t)item->count * sizeof(int64_t));
    for (int64_t i = 0; i < item->count; i++) {
        double real = ((const double *)item->data)[i] + 0.0; /* -0 is 0 */
        hash = hash_bytes(hash, &real, sizeof real);
    }
    return hash;
}

uint64_t caucus_agree_digest(int count, const struct caucus_item *items) {
    uint64_t digest = START;
    for (int i = 0; i < count; i++) {
        uint64_t hash = hash_item(&items[i]);
        digest = hash_bytes(digest, &hash, sizeof hash);
    }
    return digest;
}

static void write_item(const struct caucus_item *item, char *text, size_t size) {
    size_t at = 0;
    text[0] = '\0';
    if (!item->data)
        snprintf(text, size, "a null pointer");
    else if (item->kind == CAUCUS_ITEM_TEXT)
        snprintf(text, size, "'%s'", (const char *)item->data);
    for (int64_t i = 0; item->data && item->kind != CAUCUS_ITEM_TEXT && i < item->count; i++) {
        const char *comma = i ? ", " : "";
        if (at + 40 > size) {
            snprintf(text + at, size - at, ", ...");
            break;
        }
        if (item->kind == CAUCUS_ITEM_INTEGERS)
            at +=
                (size_t)snprintf(text + at, size - at, "%s%d", comma, ((const int *)item->data)[i]);
        else if (item->kind == CAUCUS_ITEM_LONGS)
            at += (size_t)snprintf(text + at, size - at, "%s%lld", comma,
                                   (long long)((const int64_t *)item->data)[i]);
        else
            at += (size_t)snprintf(text + at, size - at, "%s%.10g", comma,
                                   ((const double *)item->data)[i]);
    }
}

static int share_text(const struct caucus_peers *peers, int root, char *text) {
    return caucus_peers_bcast(peers, text, TEXT_SIZE, MPI_CHAR, root);
}

/* Whether a text names a rank already: all agreed on that before, and do so once more. */
static bool is_named(const char *text) {
    int rank, length = 0;
    sscanf(text, CAUCUS_RANK ": %n", &rank, &length);
    return length > 0;
}

static int share_failure(const struct caucus_peers *peers, int root, int status) {
    char text[TEXT_SIZE];
    snprintf(text, sizeof text, "%s", caucus_error_text());
    int failed = caucus_peers_bcast(peers, &status, 1, MPI_INT, root);
    if (!failed)
        failed = share_text(peers, root, text);
    if (failed || peers->unnamed || is_named(text))
        return failed ? failed : caucus_fail(status, "%s", text);
    return caucus_fail(status, CAUCUS_RANK ": %s", root, text);
}

/* Names the lowest ranks that have the highest and the lowest hash of the item. */
static int share_difference(const struct caucus_peers *peers, const struct caucus_item *item,
                            uint64_t highest, uint64_t lowest) {
    int rank = peers->rank, witness[2];
    char text[2][TEXT_SIZE];
    uint64_t hash = hash_item(item);
    int own[2] = {hash == highest ? rank : INT32_MAX, hash == lowest ? rank : INT32_MAX};
    int status = caucus_peers_allreduce(peers, own, witness, 2, MPI_INT, MPI_MIN);
    for (int i = 0; i < 2 && !status; i++) {
        write_item(item, text[i], sizeof text[i]);
        status = share_text(peers, witness[i], text[i]);
    }
    if (status)
        return status;
    int first = witness[0] < witness[1] ? 0 : 1;
    return caucus_fail(CAUCUS_BAD_ARGUMENT,
                       "%s differs between ranks: " CAUCUS_RANK " has %.400s, " CAUCUS_RANK
                       " has %.400s",
                       item->name, witness[first], text[first], witness[!first], text[!first]);
}

int caucus_agree(const struct caucus_peers *peers, int status, int count,
                 const struct caucus_item *items) {
    /* Highest values of: how early a rank fails, every item's hash, and its complement. */
    uint64_t own[1 + 2 * CAUCUS_AGREE_ITEMS] = {0}, highest[1 + 2 * CAUCUS_AGREE_ITEMS];
    own[0] = status ? UINT64_C(1) << 32 | (uint32_t)(INT32_MAX - peers->rank) : 0;
    for (int i = 0; i < count && !status; i++) { /* a bad item may not even be readable */
        own[1 + 2 * i] = hash_item(&items[i]);
        own[2 + 2 * i] = ~own[1 + 2 * i];
    }
    int length = count ? 1 + 2 * CAUCUS_AGREE_ITEMS : 1;
    int failed = caucus_peers_allreduce(peers, own, highest, length, MPI_UINT64_T, MPI_MAX);
    if (failed)
        return failed;
    if (highest[0])
        return share_failure(peers, INT32_MAX - (int)(uint32_t)highest[0], status);
    for (int i = 0; i < count; i++)
        if (highest[1 + 2 * i] != ~highest[2 + 2 * i])
            return share_difference(peers, &items[i], highest[1 + 2 * i], ~highest[2 + 2 * i]);
    return CAUCUS_OK;
}

int caucus_agree_root(const struct caucus_peers *peers, int root, int status) {
    return caucus_agree_root_data(peers, root, status, NULL, 0);
}

int caucus_agree_root_data(const struct caucus_peers *peers, int root, int status, void *data,
                           size_t bytes) {
    struct {
        int status;
        char data[CAUCUS_AGREE_BYTES];
    } outcome = {.status = status};
    if (bytes > sizeof outcome.data)
        return caucus_fail(CAUCUS_INTERNAL, "%zu bytes are more than an agreement takes", bytes);
    if (bytes && peers->rank == root)
        memcpy(outcome.data, data, bytes);
    int failed =
        caucus_peers_bcast(peers, &outcome, (int)(sizeof outcome.status + bytes), MPI_BYTE, root);
    if (failed)
        return failed;
    if (outcome.status)
        return share_failure(peers, root, status);
    if (bytes && peers->rank != root)
        memcpy(data, outcome.data, bytes);
    return CAUCUS_OK;
}
