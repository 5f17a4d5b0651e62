# SPDX-License-Identifier: BSD-3-Clause
# Made by: caucus info --completion bash

_caucus() {
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local path="" words="" files="" word i
    COMPREPLY=()
    if [[ $current == "=" ]]; then # bash parts --report=FILE there
        current=""
    elif [[ $before == "=" ]]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    current=${current#[\"\']} # names as they are, which bash quotes again
    current=${current//\\/}
    for ((i = 1; i < COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if [[ $word == -- ]]; then # a program and its arguments
            [[ $((i + 1)) == "$COMP_CWORD" ]] && words=-c
            mapfile -t COMPREPLY < <(compgen -f $words -- "$current" | sort -u)
            compopt -o filenames 2> /dev/null
            return
        fi
        case "${path:+$path }$word" in
        "map"|"dims"|"run"|"report"|"schedule"|"schedule list"|"schedule explain"|"schedule simulate"|"schedule draw"|"schedule export"|"schedule verify"|"tune"|"bench"|"check"|"info") path="${path:+$path }$word" ;;
        esac
    done
    case "$path" in
    "")
        case $before in
        *) words="map dims run report schedule tune bench check info -h --help --version" ;;
        esac ;;
    "map")
        case $before in
        --periodic) words="" ;;
        --stencil) words="" ;;
        --weights) words="" ;;
        --graph) words="" files=1 ;;
        --format) words="edges metis matrix-market" ;;
        --nodes) words="" files=1 ;;
        --ppn) words="" ;;
        --placement) words="blocks cyclic" ;;
        --ranks) words="" ;;
        --mapper) words="" ;;
        --svg) words="" files=1 ;;
        --write) words="cray-rank-order lammps mpich-hostfile mpich-rankmap openmpi-rankfile" ;;
        --output) words="" files=1 ;;
        --hosts) words="" ;;
        *) words="-h --help --periodic --stencil --weights --graph --format --nodes --ppn --placement --ranks --mapper --json --svg --write --output --hosts" ;;
        esac ;;
    "dims")
        case $before in
        --ndims) words="" ;;
        --extents) words="" ;;
        --fixed) words="" ;;
        --periodic) words="" ;;
        --nodes) words="" files=1 ;;
        --ppn) words="" ;;
        --placement) words="blocks cyclic" ;;
        *) words="-h --help --ndims --extents --fixed --periodic --nodes --ppn --placement --json" ;;
        esac ;;
    "run")
        case $before in
        --mpi) words="mpich openmpi intel abi system" ;;
        -n|--ranks) words="" ;;
        --launcher) words="" ;;
        --hostfile) words="" files=1 ;;
        --mpiexec-args) words="" ;;
        --nodes) words="" files=1 ;;
        --chaos) words="" ;;
        --report) words="" files=1 ;;
        --compare) words="" ;;
        --env) words="" ;;
        --timeout) words="" ;;
        --svg) words="" files=1 ;;
        *) words="-h --help --mpi -n --ranks --launcher --hostfile --mpiexec-args --nodes --chaos --report --compare --env --timeout --svg" ;;
        esac ;;
    "report")
        case $before in
        --html) words="" ;;
        *) words="-h --help --html --json" files=1 ;;
        esac ;;
    "schedule")
        case $before in
        *) words="list explain simulate draw export verify -h --help" ;;
        esac ;;
    "schedule list")
        case $before in
        *) words="-h --help --groups --json" ;;
        esac ;;
    "schedule explain")
        case $before in
        --algorithm) words="" ;;
        --bytes) words="" ;;
        --element) words="" ;;
        --root) words="" ;;
        --segment) words="" ;;
        --irregular) words="" ;;
        --grid) words="" ;;
        --periodic) words="" ;;
        --degree) words="" ;;
        --counts) words="" ;;
        --nodes) words="" files=1 ;;
        --ppn) words="" ;;
        --placement) words="blocks cyclic" ;;
        --ranks) words="" ;;
        --groups) words="" ;;
        --model) words="" files=1 ;;
        *) words="-h --help --algorithm --bytes --element --root --in-place --non-commutative --segment --irregular --not-persistent --grid --periodic --degree --counts --nodes --ppn --placement --ranks --groups --model --json" ;;
        esac ;;
    "schedule simulate")
        case $before in
        --algorithm) words="" ;;
        --bytes) words="" ;;
        --element) words="" ;;
        --root) words="" ;;
        --segment) words="" ;;
        --irregular) words="" ;;
        --grid) words="" ;;
        --periodic) words="" ;;
        --degree) words="" ;;
        --counts) words="" ;;
        --nodes) words="" files=1 ;;
        --ppn) words="" ;;
        --placement) words="blocks cyclic" ;;
        --ranks) words="" ;;
        --groups) words="" ;;
        --model) words="" files=1 ;;
        *) words="-h --help --algorithm --bytes --element --root --in-place --non-commutative --segment --irregular --not-persistent --grid --periodic --degree --counts --nodes --ppn --placement --ranks --groups --model --all --json" ;;
        esac ;;
    "schedule draw")
        case $before in
        --algorithm) words="" ;;
        --bytes) words="" ;;
        --element) words="" ;;
        --root) words="" ;;
        --segment) words="" ;;
        --irregular) words="" ;;
        --grid) words="" ;;
        --periodic) words="" ;;
        --degree) words="" ;;
        --counts) words="" ;;
        --nodes) words="" files=1 ;;
        --ppn) words="" ;;
        --placement) words="blocks cyclic" ;;
        --ranks) words="" ;;
        --groups) words="" ;;
        --model) words="" files=1 ;;
        --svg) words="" files=1 ;;
        *) words="-h --help --algorithm --bytes --element --root --in-place --non-commutative --segment --irregular --not-persistent --grid --periodic --degree --counts --nodes --ppn --placement --ranks --groups --model --svg --json" ;;
        esac ;;
    "schedule export")
        case $before in
        --algorithm) words="" ;;
        --bytes) words="" ;;
        --element) words="" ;;
        --root) words="" ;;
        --segment) words="" ;;
        --irregular) words="" ;;
        --grid) words="" ;;
        --periodic) words="" ;;
        --degree) words="" ;;
        --counts) words="" ;;
        --nodes) words="" files=1 ;;
        --ppn) words="" ;;
        --placement) words="blocks cyclic" ;;
        --ranks) words="" ;;
        --groups) words="" ;;
        --model) words="" files=1 ;;
        --output) words="" files=1 ;;
        *) words="-h --help --algorithm --bytes --element --root --in-place --non-commutative --segment --irregular --not-persistent --grid --periodic --degree --counts --nodes --ppn --placement --ranks --groups --model --output --json" ;;
        esac ;;
    "schedule verify")
        case $before in
        --algorithm) words="" ;;
        --ranks) words="" ;;
        --groups) words="" ;;
        *) words="-h --help --all --algorithm --ranks --groups --json" ;;
        esac ;;
    "tune")
        case $before in
        --mpi) words="mpich openmpi intel abi system" ;;
        -n|--ranks) words="" ;;
        --launcher) words="" ;;
        --nodes) words="" files=1 ;;
        --output) words="" files=1 ;;
        *) words="-h --help --mpi -n --ranks --launcher --nodes --output --json" ;;
        esac ;;
    "bench")
        case $before in
        *) words="-h --help" ;;
        esac ;;
    "check")
        case $before in
        --mpi) words="mpich openmpi intel abi system" ;;
        -n|--ranks) words="" ;;
        --launcher) words="" ;;
        *) words="-h --help --mpi -n --ranks --launcher --json" ;;
        esac ;;
    "info")
        case $before in
        --completion) words="bash zsh fish" ;;
        *) words="-h --help --json --markdown --man --completion" ;;
        esac ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    if [[ $files ]]; then
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$current")
        compopt -o filenames 2> /dev/null
    fi
}
complete -F _caucus caucus
