#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Measures on four nodes under PBS:  qsub bench/cluster/pbs.sh
# Change the lines for your machine. What is to be measured: qsub -v "WHAT=halo persistent" ...
#PBS -N caucus
#PBS -l select=4:ncpus=32:mpiprocs=32
#PBS -l place=scatter:excl
#PBS -l walltime=01:00:00

cd "${PBS_O_WORKDIR:-.}" || exit 1
export RANKS PPN
RANKS=$(wc -l <"${PBS_NODEFILE:?start it with qsub}")
PPN=$((RANKS / $(sort -u "$PBS_NODEFILE" | wc -l)))
export LAUNCH=${LAUNCH:-mpiexec -n $RANKS}
export OUTPUT=${OUTPUT:-results/pbs-$PBS_JOBID}
# shellcheck disable=SC2086  # several words
exec bench/cluster/measure.sh ${WHAT:-}
