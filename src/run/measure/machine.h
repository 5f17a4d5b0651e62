/* SPDX-License-Identifier: BSD-3-Clause */
/* The cost model, as measured on the ranks at hand. */
#ifndef CAUCUS_RUN_MEASURE_MACHINE_H
#define CAUCUS_RUN_MEASURE_MACHINE_H

#include "plan/machine/model.h"
#include "run/engine/engine.h"

/* Replaces what the model says of messages between nodes, where there are several, in about the
 * given seconds, and of what is within them, where they have several ranks with a processor each,
 * in a tenth of that. The same on all ranks; collective over the engine's attachment. If rank 0 has
 * measured the same before with as many ranks on its node, and several nodes or one, in this run or
 * in another one (kept.h), nothing is measured again. */
int caucus_measure_machine(struct caucus_engine *engine, double seconds,
                           struct caucus_model *model);

#endif
