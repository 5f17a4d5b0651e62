/* SPDX-License-Identifier: BSD-3-Clause */
/* Attributes of communicators. */
#include "world.h"

#include <stdlib.h>

struct keyval {
    MPI_Comm_copy_attr_function *copy;
    MPI_Comm_delete_attr_function *delete;
    void *extra;
};
enum { FIRST_KEY = 1000, MOST_KEYS = 4096 };
static struct keyval keys[MOST_KEYS];
static int key_count;

struct attribute {
    int key;
    void *value;
    struct attribute *next;
};

int world_Comm_create_keyval(MPI_Comm_copy_attr_function *copy,
                             MPI_Comm_delete_attr_function *delete, int *key, void *extra) {
    if (key_count == MOST_KEYS)
        finish(BROKEN, 1, "more than %d keys", MOST_KEYS);
    keys[key_count] = (struct keyval){copy, delete, extra};
    *key = FIRST_KEY + key_count++;
    return MPI_SUCCESS;
}

int world_Comm_free_keyval(int *key) {
    *key = MPI_KEYVAL_INVALID;
    return MPI_SUCCESS;
}

static struct attribute **find_attribute(struct comm *comm, int key) {
    struct attribute **place = &comm->attributes;
    while (*place && (*place)->key != key)
        place = &(*place)->next;
    return place;
}

int world_Comm_get_attr(MPI_Comm handle, int key, void *value, int *flag) {
    static int universe, failures, own_code = MPI_ERR_LASTCODE;
    COMM_OR_ERROR(comm, handle);
    universe = settings.ranks;
    failures = settings.ends_anyhow || settings.deaths > 0;
    *flag = 1;
    if (key == MPI_TAG_UB)
        *(void **)value = &tag_bound;
    else if (key == MPI_UNIVERSE_SIZE)
        *(void **)value = &universe;
    else if (key == MPIX_FT)
        *(void **)value = &failures;
    else if (key == MPI_LASTUSEDCODE)
        *(void **)value = &own_code;
    else if (key < FIRST_KEY) {
        *flag = 0;
    } else {
        struct attribute *found = *find_attribute(comm, key);
        *flag = found != NULL;
        if (found)
            *(void **)value = found->value;
    }
    return MPI_SUCCESS;
}

static int delete_attribute(struct comm *comm, struct attribute **place) {
    struct attribute *gone = *place;
    struct keyval *keyval = &keys[gone->key - FIRST_KEY];
    *place = gone->next;
    int code = MPI_SUCCESS;
    if (keyval->delete && keyval->delete != MPI_COMM_NULL_DELETE_FN)
        code = keyval->delete(comm_handle(comm), gone->key, gone->value, keyval->extra);
    free(gone);
    return code;
}

static void add(struct attribute **list, int key, void *value) {
    struct attribute *made = NEW(1, struct attribute);
    *made = (struct attribute){key, value, *list};
    *list = made;
}

int world_Comm_delete_attr(MPI_Comm handle, int key) {
    COMM_OR_ERROR(comm, handle);
    struct attribute **place = find_attribute(comm, key);
    return comm_error(comm, *place ? delete_attribute(comm, place) : MPI_ERR_KEYVAL);
}

int world_Comm_set_attr(MPI_Comm handle, int key, void *value) {
    COMM_OR_ERROR(comm, handle);
    struct attribute **place = find_attribute(comm, key);
    int code = *place ? delete_attribute(comm, place) : MPI_SUCCESS;
    if (code)
        return comm_error(comm, code);
    add(&comm->attributes, key, value);
    return MPI_SUCCESS;
}

/* Until a deletion fails. */
int comm_delete_attributes(struct comm *comm) {
    int code = MPI_SUCCESS;
    while (comm->attributes && !code)
        code = delete_attribute(comm, &comm->attributes);
    return code;
}

/* Those that a duplicate has. */
int comm_copy_attributes(struct comm *from, struct attribute **copies) {
    for (struct attribute *one = from->attributes; one; one = one->next) {
        struct keyval *keyval = &keys[one->key - FIRST_KEY];
        void *value = one->value;
        int flag = 0, code = MPI_SUCCESS;
        if (keyval->copy == MPI_COMM_DUP_FN)
            flag = 1;
        else if (keyval->copy && keyval->copy != MPI_COMM_NULL_COPY_FN)
            code =
                keyval->copy(comm_handle(from), one->key, keyval->extra, one->value, &value, &flag);
        if (code)
            return code;
        if (flag)
            add(copies, one->key, value);
    }
    return MPI_SUCCESS;
}
