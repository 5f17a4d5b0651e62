/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAUCUS_RUN_ATTACHMENT_GATHER_TEXT_H
#define CAUCUS_RUN_ATTACHMENT_GATHER_TEXT_H

#include "run/attachment/attach.h"

#include <stddef.h>

/* On rank 0, the texts of all ranks in their order, separated by ",\n", empty ones left out; to be
 * given to free(). NULL elsewhere. All ranks get the same status. Collective. */
int caucus_gather_text(const struct caucus_attachment *attachment, const char *text, size_t length,
                       char **gathered);

#endif
