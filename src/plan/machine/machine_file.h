/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAUCUS_PLAN_MACHINE_MACHINE_FILE_H
#define CAUCUS_PLAN_MACHINE_MACHINE_FILE_H

#include "plan/machine/machine.h"

/* Reads a file of one line per rank, node [package [cache]], as many words on every line. ranks:
 * how many there must be, 0 for any. What follows "file:" in caucus_machine_parse. */
int caucus_machine_read(struct caucus_machine *machine, const char *path, int64_t ranks);

#endif
