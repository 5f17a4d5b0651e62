# SPDX-License-Identifier: BSD-3-Clause
# Whether the MPI of the project is the one that Caucus was built for: one that FindMPI has found,
# before find_package(caucus) or after it, or one that the compiler brings, as mpicc does. Of another
# kind, programs would load two MPIs and be wrong or crash: the project is told so, and not configured.

# The MPI whose mpi.h the project's compiler finds: mpich, intel, openmpi, abi, other; "" for none.
# Without folders of headers that counts only if the compiler brings the library too.
function(caucus_kind_of_mpi includes definitions result)
    set(${result} "" PARENT_SCOPE)
    set(compiler "${CMAKE_C_COMPILER}")
    set(flags "${CMAKE_C_FLAGS}")
    if(NOT compiler)
        set(compiler "${CMAKE_CXX_COMPILER}")
        set(flags "${CMAKE_CXX_FLAGS}")
    endif()
    separate_arguments(flags UNIX_COMMAND "${flags}")
    set(source "${CMAKE_BINARY_DIR}/CMakeFiles/caucus_mpi.c")
    if(NOT includes)
        file(WRITE "${source}" "#include <mpi.h>\nint main(void) { return MPI_Finalize(); }\n")
        execute_process(COMMAND "${compiler}" ${flags} "${source}" -o "${source}.out"
                        RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
        file(REMOVE "${source}.out")
        if(failed)
            return()
        endif()
    endif()
    file(WRITE "${source}" [[
#include <mpi.h>
#if defined(MPI_ABI)
caucus_finds abi
#elif defined(OPEN_MPI)
caucus_finds openmpi
#elif defined(I_MPI_VERSION)
caucus_finds intel
#elif defined(MPICH_VERSION)
caucus_finds mpich
#else
caucus_finds other
#endif
]])
    list(TRANSFORM includes PREPEND "-I")
    list(TRANSFORM definitions PREPEND "-D")
    execute_process(COMMAND "${compiler}" -E ${flags} ${includes} ${definitions} "${source}"
                    OUTPUT_VARIABLE said ERROR_QUIET)
    if(said MATCHES "\ncaucus_finds ([a-z]+)")
        set(${result} "${CMAKE_MATCH_1}" PARENT_SCOPE)
    endif()
endfunction()

# What is wrong with the project's MPI, in a sentence; "" for nothing.
function(caucus_wrong_mpi result)
    set(${result} "" PARENT_SCOPE)
    set(found "${MPI_C_INCLUDE_DIRS}")
    set(definitions "${MPI_C_COMPILE_DEFINITIONS}")
    if(MPI_CXX_FOUND AND NOT MPI_C_FOUND)
        set(found "${MPI_CXX_INCLUDE_DIRS}")
        set(definitions "${MPI_CXX_COMPILE_DEFINITIONS}")
    endif()
    caucus_kind_of_mpi("${found}" "${definitions}" kind)
    get_target_property(built_for caucus::mpi INTERFACE_CAUCUS_MPI_KIND)
    # Intel MPI and MPICH have one binary interface.
    string(REGEX REPLACE "^intel$" "mpich" theirs "${kind}")
    string(REGEX REPLACE "^intel$" "mpich" ours "${built_for}")
    if(NOT kind OR theirs STREQUAL ours)
        return()
    endif()
    if(NOT found)
        set(found "what ${CMAKE_C_COMPILER} finds")
    endif()
    get_target_property(libraries caucus::mpi INTERFACE_LINK_LIBRARIES)
    set(${result} "This Caucus (${CMAKE_CURRENT_FUNCTION_LIST_DIR}) was built for another MPI: for \
${built_for} (${libraries}), and the MPI of this project is ${kind} (${found}). Build Caucus for that \
one and name its prefix in CMAKE_PREFIX_PATH, or have the project use the other: docs/install.md, \
'Another MPI'." PARENT_SCOPE)
endfunction()

# FindMPI may come later: looked at again when the folder that asked for Caucus is done.
function(caucus_check_mpi_again)
    caucus_wrong_mpi(wrong)
    if(wrong)
        message(FATAL_ERROR "${wrong}")
    endif()
endfunction()

if(CMAKE_C_COMPILER OR CMAKE_CXX_COMPILER)
    caucus_wrong_mpi(caucus_wrong)
    if(caucus_wrong)
        set(caucus_FOUND FALSE)
        set(caucus_NOT_FOUND_MESSAGE "${caucus_wrong}")
    elseif(NOT MPI_C_FOUND AND NOT MPI_CXX_FOUND)
        cmake_language(DEFER CALL caucus_check_mpi_again)
    endif()
    unset(caucus_wrong)
endif()
