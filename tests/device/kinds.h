/* SPDX-License-Identifier: BSD-3-Clause */
/* What a stand-in of a device offers to tests, besides the functions of its runtime. */
#ifndef TESTS_DEVICE_KINDS_H
#define TESTS_DEVICE_KINDS_H

#include <stddef.h>
#include <stdint.h>

enum standin_kind {
    STANDIN_DEVICE,
    STANDIN_POOL,    /* of a device, and of no context */
    STANDIN_APART,   /* managed, on a device that lets processors touch nothing while it works */
    STANDIN_MANAGED, /* for both */
    STANDIN_PINNED,  /* of the host, known to the runtime */
    STANDIN_PLAIN,   /* of the host, unknown to it */
    STANDIN_KINDS
};

/* Addresses are as programs have them; the window on it is where a test may look. */
void *standin_allocate(size_t bytes, enum standin_kind kind);
void standin_free(void *address);
void *standin_window(void *address);
void *standin_address(void *seen);
long standin_copies(void); /* how many there were */
long standin_asked(void);  /* and questions about addresses */
int standin_errors(void);  /* the last error that a program would be told, or 0 */

#endif
