# SPDX-License-Identifier: BSD-3-Clause
# Finds the MPI that CAUCUS_MPI names and offers it as the target caucus_mpi.
#   mpich, openmpi, intel   in .mpi/<name> of the source tree
#   abi                     the standard ABI of the MPICH in .mpi/mpich
#   system                  the mpicc on the PATH
#   smpi                    SimGrid's simulated MPI, for benchmarks on machines that are not there
#   none                    no MPI: the plan layer and its tests only

set(CAUCUS_MPI "" CACHE STRING "mpich, openmpi, intel, abi, system, smpi or none")
set_property(CACHE CAUCUS_MPI PROPERTY STRINGS mpich openmpi intel abi system smpi none)

if(CAUCUS_MPI STREQUAL "")
    find_program(CAUCUS_MPICC mpicc)
    if(CAUCUS_MPICC)
        set(CAUCUS_MPI system)
    elseif(EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/.mpi/mpich/include/mpi.h")
        set(CAUCUS_MPI mpich)
    else()
        message(FATAL_ERROR "There is no mpicc on the PATH: run 'make build', which brings an MPI, "
                            "or give -DCAUCUS_MPI=none for the planner alone.")
    endif()
    message(STATUS "CAUCUS_MPI is ${CAUCUS_MPI}")
endif()

# Looks for mpi.h and the library `name` in the prefix `prefix`.
function(caucus_mpi_in prefix name)
    if(NOT EXISTS "${prefix}/include/mpi.h" OR NOT EXISTS "${prefix}/lib/lib${name}.so")
        message(FATAL_ERROR "There is no MPI in ${prefix}: run 'make build MPI=${CAUCUS_MPI}'.")
    endif()
    set(CAUCUS_MPI_INCLUDES "${prefix}/include" PARENT_SCOPE)
    set(CAUCUS_MPI_LIBRARIES "${prefix}/lib/lib${name}.so" PARENT_SCOPE)
endfunction()

set(CAUCUS_MPI_DEFINITIONS "")
if(CAUCUS_MPI MATCHES "^(mpich|openmpi|intel)$")
    caucus_mpi_in("${CMAKE_CURRENT_SOURCE_DIR}/.mpi/${CAUCUS_MPI}" mpi)
elseif(CAUCUS_MPI STREQUAL "abi")
    caucus_mpi_in("${CMAKE_CURRENT_SOURCE_DIR}/.mpi/mpich" mpi_abi)
    set(CAUCUS_MPI_DEFINITIONS MPI_ABI)
elseif(CAUCUS_MPI STREQUAL "system")
    set(MPI_C_SKIP_MPICXX ON)
    find_package(MPI REQUIRED COMPONENTS C)
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
    message(FATAL_ERROR
        "CAUCUS_MPI is '${CAUCUS_MPI}': use mpich, openmpi, intel, abi, system, smpi or none.")
endif()

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
            src/run/channel/open.c src/run/channel/move.c src/run/channel/end.c bench/rootless_loop.c
            PROPERTIES COMPILE_FLAGS
            "-include ${CMAKE_CURRENT_SOURCE_DIR}/bench/simulated/persistent_receive.h")
        set_property(
            SOURCE src/run/channel/carry.c src/run/channel/move.c src/run/channel/wait.c
            bench/rootless_loop.c
            APPEND_STRING PROPERTY COMPILE_FLAGS
            " -include ${CMAKE_CURRENT_SOURCE_DIR}/bench/simulated/patience.h")
    endif()
endif()
