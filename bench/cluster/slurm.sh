#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Measures on four nodes under Slurm:  sbatch bench/cluster/slurm.sh [WHAT...]
# Change the lines for your machine; what is given to sbatch on the command line takes precedence.
#SBATCH --job-name=caucus
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=32
#SBATCH --exclusive
#SBATCH --time=01:00:00

cd "${SLURM_SUBMIT_DIR:-.}" || exit 1
export RANKS=${SLURM_NTASKS:?start it with sbatch}
export PPN=$((RANKS / SLURM_JOB_NUM_NODES))
export LAUNCH=${LAUNCH:-srun --cpu-bind=cores}
export OUTPUT=${OUTPUT:-results/slurm-$SLURM_JOB_ID}
exec bench/cluster/measure.sh "$@"
