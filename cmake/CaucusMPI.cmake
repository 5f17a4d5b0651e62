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
