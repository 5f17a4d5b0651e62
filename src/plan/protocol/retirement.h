/* SPDX-License-Identifier: BSD-3-Clause */
/* When the number of a group may be used again: when all its members have freed it. Who has freed
 * it, and has heard the same of those below in the tree of alive_tree.h, says so to its parent:
 * n - 1 messages in all, which nobody waits for. The dead have freed everything; who reported to
 * one that died reports again, to whoever stands in for it. If member 0 dies, its numbers are never
 * used again, and nobody need know.
 *
 * Peers are positions. Events: CALL once, when the member frees the group, with none of its
 * operations pending; DEATH. One DECIDE, on member 0. */
#ifndef CAUCUS_PLAN_PROTOCOL_RETIREMENT_H
#define CAUCUS_PLAN_PROTOCOL_RETIREMENT_H

#include "plan/protocol/protocol.h"

struct caucus_retirement_setup {
    int32_t members;
};

extern const struct caucus_protocol caucus_retirement;

#endif
