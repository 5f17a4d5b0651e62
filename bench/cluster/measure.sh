#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The benchmarks that make sense on a cluster, one after the other, in a batch job: slurm.sh and
# pbs.sh start it. docs/cluster.md says which benchmark answers which question.
#
#   LAUNCH="srun" BUILD=build/system RANKS=128 PPN=32 OUTPUT=results bench/cluster/measure.sh [WHAT...]
#
# LAUNCH starts one rank for each task of the job. BUILD is the build for the cluster's MPI, or the
# prefix of an installation, which has the programs of model, halo, persistent, group, groups,
# redistribute and rootless. OUTPUT is a new folder by date if nothing else is said. WHAT is any of the
# words below, and all if nothing is named. DRY_RUN=1 prints the commands and starts none. Ends with
# the number of benchmarks that failed.
set -u

WORDS="model halo sweep persistent blocking onecopy selection group groups light balance rebuild scale \
redistribute rootless"
LAUNCH=${LAUNCH:-srun}
BUILD=${BUILD:-build/system}
RANKS=${RANKS:?how many ranks has the job?}
PPN=${PPN:?how many ranks has a node?}
OUTPUT=${OUTPUT:-results/cluster-$(date +%Y-%m-%d-%H%M%S)}
half=$((RANKS / 2))
nodes=$((RANKS / PPN))
# Whole nodes in each of two groups, where there is more than one.
groups=$((nodes / 2)):$((nodes - nodes / 2))
[ "$nodes" -gt 1 ] || groups=mixed
model=$OUTPUT/machine-model.txt
failed=0
programs=$BUILD/bin
[ ! -d "$BUILD/libexec/caucus" ] || programs=$BUILD/libexec/caucus
if [ -z "${DRY_RUN:-}" ] && [ ! -x "$programs/machine_model" ]; then
    echo "measure.sh: there is no $programs/machine_model: BUILD is to name a build of the source tree" \
        "('make build MPI=system' makes build/system) or the prefix of an installation" >&2
    exit 2
fi

# What is measured, its program and arguments.
measure() {
    local what=$1 program=$2
    shift 2
    local command="$LAUNCH $programs/$program $*"
    if [ -z "${DRY_RUN:-}" ] && [ ! -x "$programs/$program" ]; then
        echo "== $what left out: there is no $programs/$program, a build of the source tree has it"
        return 0
    fi
    echo "== $what: $command"
    [ -z "${DRY_RUN:-}" ] || return 0
    # shellcheck disable=SC2086  # LAUNCH is several words
    if ! $LAUNCH "$programs/$program" "$@" >"$OUTPUT/$what.txt" 2>&1; then
        echo "== $what FAILED: $OUTPUT/$what.txt says why" >&2
        failed=$((failed + 1))
    fi
    # Later ones choose by what this machine's messages cost.
    [ "$what" != model ] || [ ! -s "$model" ] || export CAUCUS_MODEL=$model
}

one() {
    case $1 in
    model) measure model machine_model --output "$model" ;;
    halo) measure halo halo_exchange ;;
    sweep) measure sweep stencil_sweep ;;
    persistent)
        for collective in barrier bcast reduce allreduce alltoall; do
            measure "persistent-$collective" persistent_loop --collective $collective --bytes 4
        done
        measure persistent-allreduce-64K persistent_loop --collective allreduce --bytes 65536
        ;;
    blocking) measure blocking blocking_loop all ;;
    onecopy) measure onecopy one_copy_loop --most 4194304 ;;
    selection) measure selection selection_loop ;;
    group) measure group intergroup_loop --groups "$groups" --cell allgather:regular:65536 ;;
    groups) measure groups create_group_loop ;;
    light) measure light group_collectives_loop ;;
    balance)
        for mode in none collective async; do
            measure "balance-$mode" mcmc $mode
        done
        ;;
    rebuild) measure rebuild attach_loop ;;
    scale) measure scale scale_loop ;;
    redistribute) measure redistribute redistribute_loop --first "$half" ;;
    rootless) measure rootless rootless_loop --sizes 10,1000,10000 --patterns all ;;
    *)
        echo "measure.sh: there is no $1; there are: $WORDS" >&2
        exit 2
        ;;
    esac
}

mkdir -p "$OUTPUT"
{
    date
    echo "$RANKS ranks, $PPN a node; $LAUNCH"
    git rev-parse HEAD 2>/dev/null
    uname -srm
    env | grep '^CAUCUS_'
} >"$OUTPUT/machine.txt"
# shellcheck disable=SC2086  # several words
[ $# -gt 0 ] || set -- $WORDS
for what in "$@"; do
    one "$what"
done
exit $failed
