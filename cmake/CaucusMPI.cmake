# SPDX-License-Identifier: BSD-3-Clause
# Finds MPI and offers it as the target caucus_mpi. CAUCUS_MPI, or MPI for short, is
#   system   what CMake's own FindMPI finds: the mpicc on the PATH, or what its variables name
#   smpi     SimGrid's simulated MPI, for benchmarks on machines that are not there
#   none     no MPI: the planner and its tests only
#   auto     system if there are an MPI and hwloc, else none: for pip, which asks nobody
#
# CAUCUS_MPI_KIND becomes mpich, openmpi, intel, abi (the standard ABI), smpi, other or none.

set(caucus_mpi_default system)
if(DEFINED MPI)
    set(caucus_mpi_default "${MPI}")
endif()
set(CAUCUS_MPI "${caucus_mpi_default}" CACHE STRING "system, smpi, none or auto")
set_property(CACHE CAUCUS_MPI PROPERTY STRINGS system smpi none auto)
if(DEFINED MPI AND NOT MPI STREQUAL CAUCUS_MPI) # the later word, in a build that is there already
    set_property(CACHE CAUCUS_MPI PROPERTY VALUE "${MPI}")
endif()
unset(MPI CACHE)

set(CAUCUS_MPI_INCLUDES "")
set(CAUCUS_MPI_LIBRARIES "")
set(CAUCUS_MPI_DEFINITIONS "")
set(MPI_C_SKIP_MPICXX ON)

# A compiler that is named brings its mpiexec: beside mpicc.mpich there is an mpiexec.mpich, and that
# on the PATH may be another MPI's.
if(MPI_C_COMPILER AND NOT MPIEXEC_EXECUTABLE)
    find_program(caucus_named_compiler "${MPI_C_COMPILER}" NO_CACHE)
    if(caucus_named_compiler MATCHES "^(.*)/mpicc([^/]*)$")
        find_program(MPIEXEC_EXECUTABLE NAMES "mpiexec${CMAKE_MATCH_2}" "mpirun${CMAKE_MATCH_2}"
                     HINTS "${CMAKE_MATCH_1}" NO_DEFAULT_PATH DOC "Starts programs with MPI")
    endif()
endif()

# An mpicc without headers, as of Debian's mpich or openmpi-bin alone, on which FindMPI ends with
# messages of its own. Its path, or nothing.
function(caucus_mpicc_without_headers result)
    set(${result} "" PARENT_SCOPE)
    if(MPI_SKIP_COMPILER_WRAPPER OR CMAKE_C_COMPILER MATCHES "mpi[^/]*$")
        return()
    endif()
    find_program(mpicc NAMES "${MPI_C_COMPILER}" mpicc HINTS "${MPI_HOME}" ENV MPI_HOME
                 PATH_SUFFIXES bin NO_CACHE)
    if(NOT mpicc)
        return()
    endif()
    file(WRITE "${CMAKE_BINARY_DIR}/mpi_probe.c" "#include <mpi.h>\n")
    execute_process(COMMAND "${mpicc}" -E "${CMAKE_BINARY_DIR}/mpi_probe.c"
                    RESULT_VARIABLE failed OUTPUT_QUIET ERROR_VARIABLE said)
    if(failed AND said MATCHES "mpi\\.h")
        set(${result} "${mpicc}" PARENT_SCOPE)
    endif()
endfunction()

set(caucus_without_headers "")
if(CAUCUS_MPI MATCHES "^(auto|system)$")
    caucus_mpicc_without_headers(caucus_without_headers)
endif()
if(caucus_without_headers)
    set(words "${caucus_without_headers} finds no mpi.h: install libmpich-dev or libopenmpi-dev "
              "(Debian, Ubuntu), mpich-devel or openmpi-devel (Fedora, openSUSE)")
    list(JOIN words "" words)
    if(CAUCUS_MPI STREQUAL "system")
        message(FATAL_ERROR "${words}, name a prefix by -DMPI_HOME=... or a compiler by "
                            "-DMPI_C_COMPILER=..., or give -DMPI=none for the planner alone.")
    endif()
    message(STATUS "Without MPI, the planner and the command line alone: ${words}")
    set(CAUCUS_MPI none)
endif()
if(CAUCUS_MPI STREQUAL "auto")
    find_package(MPI QUIET COMPONENTS C)
    find_path(HWLOC_INCLUDE_DIR hwloc.h)
    set(CAUCUS_MPI system)
    if(NOT MPI_C_FOUND OR NOT HWLOC_INCLUDE_DIR)
        message(STATUS "Without MPI or hwloc: the planner and the command line alone")
        set(CAUCUS_MPI none)
    endif()
endif()
if(CAUCUS_MPI STREQUAL "system")
    find_package(MPI QUIET COMPONENTS C)
    if(NOT MPI_C_FOUND)
        message(FATAL_ERROR
            "There is no MPI to build with: install one with its headers (Debian and Ubuntu: "
            "libmpich-dev or libopenmpi-dev; Fedora: mpich-devel or openmpi-devel) and have its mpicc "
            "on the PATH, name a prefix by -DMPI_HOME=... or a compiler by -DMPI_C_COMPILER=..., or "
            "give -DMPI=none for the planner alone. 'make build' brings an MPI into the tree.")
    endif()
    message(STATUS "MPI: ${MPI_C_LIBRARIES}")
    set(CAUCUS_MPI_INCLUDES ${MPI_C_INCLUDE_DIRS})
    set(CAUCUS_MPI_LIBRARIES ${MPI_C_LIBRARIES})
    set(CAUCUS_MPI_DEFINITIONS ${MPI_C_COMPILE_DEFINITIONS})
elseif(CAUCUS_MPI STREQUAL "smpi")
    find_path(SMPI_INCLUDE_DIR smpi/mpi.h)
    find_library(SIMGRID_LIBRARY simgrid)
    if(NOT SMPI_INCLUDE_DIR OR NOT SIMGRID_LIBRARY)
        message(FATAL_ERROR "SimGrid is missing: install libsimgrid-dev.")
    endif()
    set(CAUCUS_MPI_INCLUDES "${SMPI_INCLUDE_DIR}/smpi")
    set(CAUCUS_MPI_LIBRARIES "${SIMGRID_LIBRARY}")
elseif(NOT CAUCUS_MPI STREQUAL "none")
    message(FATAL_ERROR "CAUCUS_MPI is '${CAUCUS_MPI}': use system, smpi, none or auto. "
                        "Which MPI the system's is, the PATH or -DMPI_HOME=... says.")
endif()

# Where the loader finds it by a path that is built in; CMake itself leaves out what lies in the tree.
set(CAUCUS_MPI_FOLDERS "")
foreach(library IN LISTS CAUCUS_MPI_LIBRARIES)
    cmake_path(GET library PARENT_PATH folder)
    if(folder AND NOT folder IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES)
        list(APPEND CAUCUS_MPI_FOLDERS "${folder}")
    endif()
endforeach()
list(REMOVE_DUPLICATES CAUCUS_MPI_FOLDERS)

# For probes of what an MPI has, between these two.
macro(caucus_begin_probes)
    include(CheckCSourceCompiles)
    include(CheckIncludeFiles)
    include(CheckSymbolExists)
    set(CMAKE_REQUIRED_INCLUDES ${CAUCUS_MPI_INCLUDES})
    set(CMAKE_REQUIRED_LIBRARIES ${CAUCUS_MPI_LIBRARIES})
    list(TRANSFORM CAUCUS_MPI_DEFINITIONS PREPEND "-D" OUTPUT_VARIABLE CMAKE_REQUIRED_DEFINITIONS)
endmacro()
macro(caucus_end_probes)
    unset(CMAKE_REQUIRED_INCLUDES)
    unset(CMAKE_REQUIRED_LIBRARIES)
    unset(CMAKE_REQUIRED_DEFINITIONS)
endmacro()

set(CAUCUS_MPI_KIND "${CAUCUS_MPI}")
if(CAUCUS_MPI STREQUAL "system")
    set(CAUCUS_MPI_KIND other)
    caucus_begin_probes()
    # In this order: Intel's header has MPICH's name, too.
    foreach(sign IN ITEMS MPICH_VERSION=mpich I_MPI_VERSION=intel OPEN_MPI=openmpi)
        string(REPLACE "=" ";" sign "${sign}")
        list(POP_FRONT sign macro kind)
        check_symbol_exists(${macro} "mpi.h" CAUCUS_MPI_IS_${kind})
        if(CAUCUS_MPI_IS_${kind})
            set(CAUCUS_MPI_KIND ${kind})
        endif()
    endforeach()
    caucus_end_probes()
    if("MPI_ABI" IN_LIST CAUCUS_MPI_DEFINITIONS)
        set(CAUCUS_MPI_KIND abi)
    endif()
endif()
message(STATUS "CAUCUS_MPI is ${CAUCUS_MPI} (${CAUCUS_MPI_KIND})")

if(NOT CAUCUS_MPI STREQUAL "none")
    # An installation has caucus::mpi with the same contents: see caucus-config.cmake.in.
    add_library(caucus_mpi INTERFACE)
    target_include_directories(caucus_mpi SYSTEM INTERFACE ${CAUCUS_MPI_INCLUDES})
    target_compile_definitions(caucus_mpi INTERFACE ${CAUCUS_MPI_DEFINITIONS})
    target_link_libraries(caucus_mpi INTERFACE ${CAUCUS_MPI_LIBRARIES})
    if(CAUCUS_MPI STREQUAL "smpi")
        # What it has for time, sleep and main, where all ranks are in one process; what it lacks.
        target_compile_options(caucus_mpi INTERFACE
            "SHELL:-include ${CAUCUS_MPI_INCLUDES}/smpi_helpers.h"
            "SHELL:-include ${CMAKE_CURRENT_SOURCE_DIR}/bench/simulated/matched_probe.h")
        set_source_files_properties(
            src/run/channel/open.c src/run/channel/progress.c src/run/channel/end.c bench/rootless_loop.c
            PROPERTIES COMPILE_FLAGS
            "-include ${CMAKE_CURRENT_SOURCE_DIR}/bench/simulated/persistent_receive.h")
        set_property(
            SOURCE src/run/channel/send.c src/run/channel/progress.c src/run/channel/wait.c
            bench/rootless_loop.c
            APPEND_STRING PROPERTY COMPILE_FLAGS
            " -include ${CMAKE_CURRENT_SOURCE_DIR}/bench/simulated/patience.h")
    endif()
endif()

# Some headers tell GCC what MPI_Testall writes into (MPICH 4.0). GCC 12 then warns of
# MPI_STATUSES_IGNORE, which is the address 1 there: it takes small addresses for offsets of NULL,
# unless the first page is said to be usable, too.
if(CAUCUS_MPI STREQUAL "system" AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
    include(CheckCCompilerFlag)
    caucus_begin_probes()
    set(CMAKE_REQUIRED_FLAGS "-O2 -Werror=stringop-overflow")
    check_c_source_compiles("#include <mpi.h>
        int main(int n, char **requests) {
            return MPI_Testall(n, (MPI_Request *)requests, &n, MPI_STATUSES_IGNORE);
        }" CAUCUS_MPI_STATUSES_PASS)
    unset(CMAKE_REQUIRED_FLAGS)
    caucus_end_probes()
    check_c_compiler_flag(--param=min-pagesize=0 CAUCUS_HAS_MIN_PAGESIZE)
    if(NOT CAUCUS_MPI_STATUSES_PASS AND CAUCUS_HAS_MIN_PAGESIZE)
        target_compile_options(caucus_flags INTERFACE $<$<COMPILE_LANGUAGE:C>:--param=min-pagesize=0>)
    endif()
endif()
