# SPDX-License-Identifier: BSD-3-Clause
# The programs with MPI as tests of CTest: one for each line at the head of a program and each number
# of ranks in it, which tools/testing/cases.py reads for "make test" too. Labels: mpi; dropin, for
# those that run under it; slow. Sanitizers want settings for each MPI, which "make test" has.

if(NOT CAUCUS_TESTS OR NOT TARGET caucus OR CAUCUS_MPI STREQUAL "smpi" OR CAUCUS_SANITIZE)
    return()
endif()
find_program(CAUCUS_ENV env) # sets what is for the ranks alone, whoever starts them
if(NOT MPIEXEC_EXECUTABLE OR NOT CAUCUS_ENV)
    message(STATUS "Without tests that use MPI: there is no mpiexec (MPIEXEC_EXECUTABLE)")
    return()
endif()

# Under another MPI's mpiexec every rank would be a world of its own.
set(starts_mpich "HYDRA|Intel")
set(starts_intel "HYDRA|Intel")
set(starts_openmpi "Open MPI|OpenRTE|PRRTE")
execute_process(COMMAND "${MPIEXEC_EXECUTABLE}" --version TIMEOUT 30
                OUTPUT_VARIABLE said ERROR_VARIABLE said_too RESULT_VARIABLE ignored)
string(APPEND said "${said_too}")
if(said MATCHES "HYDRA|Intel|Open MPI|OpenRTE|PRRTE" AND DEFINED starts_${CAUCUS_MPI_KIND}
   AND NOT said MATCHES "${starts_${CAUCUS_MPI_KIND}}")
    message(WARNING "Without tests that use MPI: ${MPIEXEC_EXECUTABLE} starts programs of another "
            "MPI than ${CAUCUS_MPI_LIBRARIES}. Name the right one by -DMPIEXEC_EXECUTABLE=...")
    return()
endif()

set(mpi_cases "${CMAKE_BINARY_DIR}/mpi_cases.cmake")
file(GLOB mpi_case_sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/tests/mpi/*.c"
                                             "${CMAKE_CURRENT_SOURCE_DIR}/tests/dropin/*.c")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${mpi_case_sources}
    "${CMAKE_CURRENT_SOURCE_DIR}/tools/testing/cases.py"
    "${CMAKE_CURRENT_SOURCE_DIR}/tools/testing/for_ctest.py")

function(caucus_mpi_case name program ranks)
    cmake_parse_arguments(PARSE_ARGV 3 case "" "" "LABELS;JUDGE;FLAGS;SETTINGS;ARGUMENTS")
    set(target mpi_test_${program})
    if(NOT TARGET ${target})
        set(target dropin_test_${program})
    endif()
    set(limit 600)
    if("slow" IN_LIST case_LABELS)
        set(limit 3600)
    endif()
    if("dropin" IN_LIST case_LABELS)
        list(APPEND case_SETTINGS "LD_PRELOAD=$<TARGET_FILE:caucus_dropin>")
    endif()
    add_test(NAME "${name}" WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}/tools"
        COMMAND "${Python3_EXECUTABLE}" -B -m testing.run_case --limit ${limit} ${case_JUDGE} --
                "${MPIEXEC_EXECUTABLE}" ${MPIEXEC_NUMPROC_FLAG} ${ranks} ${MPIEXEC_PREFLAGS}
                ${CAUCUS_MPIEXEC_FLAGS} ${case_FLAGS}
                "${CAUCUS_ENV}" ${caucus_rank_settings} ${case_SETTINGS}
                "$<TARGET_FILE:${target}>" ${MPIEXEC_POSTFLAGS} ${case_ARGUMENTS})
    math(EXPR longest "${limit} + 60")
    set_tests_properties("${name}" PROPERTIES LABELS "${case_LABELS}" PROCESSORS ${ranks}
        SKIP_RETURN_CODE 77 TIMEOUT ${longest})
endfunction()

execute_process(
    COMMAND "${Python3_EXECUTABLE}" -B -m testing.for_ctest "${CAUCUS_MPI_KIND}" "${MPIEXEC_EXECUTABLE}"
    WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}/tools" OUTPUT_FILE "${mpi_cases}"
    COMMAND_ERROR_IS_FATAL ANY)
include("${mpi_cases}")
