# SPDX-License-Identifier: BSD-3-Clause
# The collectives under MPI's names, and most of the other functions that may wait, are written by a
# script: those that the MPI has, from the tables of all.

if(NOT TARGET caucus_dropin)
    return()
endif()

set(tools "${CMAKE_CURRENT_SOURCE_DIR}/tools")
set(made "${CMAKE_BINARY_DIR}/dropin_entries.c" "${CMAKE_BINARY_DIR}/dropin_calls.c"
         "${CMAKE_BINARY_DIR}/dropin_passages.c")
add_custom_command(
    OUTPUT ${made} "${CMAKE_BINARY_DIR}/dropin_calls.h"
    COMMAND Python3::Interpreter "${tools}/generate_dropin.py" "${CMAKE_BINARY_DIR}"
            ${CAUCUS_MPI_LIBRARIES}
    DEPENDS "${tools}/generate_dropin.py" "${tools}/generate_collectives.py"
            "${tools}/generate_passages.py" "${tools}/mpi_functions.py" VERBATIM)
target_sources(caucus_dropin PRIVATE ${made} ${CAUCUS_GENERATED_HEADERS})
target_include_directories(caucus_dropin PRIVATE "${CMAKE_BINARY_DIR}")
