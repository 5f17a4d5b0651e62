/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/graph/partitioners.h"

#include "base/metis.h"
#include "base/scotch.h"

const struct caucus_partitioner caucus_partitioners[] = {
    {"metis", caucus_metis_partition, 2}, {"scotch", caucus_scotch_partition, 1}, {NULL, NULL, 0}};
