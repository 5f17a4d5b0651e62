/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls between objects, led elsewhere: by the place where the loader has put the address of what
 * is called, or will put it at the first call. */
#ifndef CAUCUS_DROPIN_REDIRECT_H
#define CAUCUS_DROPIN_REDIRECT_H

#include <link.h>
#include <stdbool.h>

/* Whether calls through the place, which a relocation of the object's fills with the address
 * `from`, come to `to` from now on. Any thread. */
bool caucus_redirect(const struct dl_phdr_info *object, void *place, const void *from, void *to);

#endif
