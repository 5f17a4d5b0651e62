# SPDX-License-Identifier: BSD-3-Clause
# The three libraries: caucus_plan (no MPI in it: what the command line loads), caucus, and
# caucus_dropin. The sources are found, not listed: a new file in the right room is built.
#
#   caucus_core    objects of src/base and src/plan, which caucus and caucus_plan both have
#   caucus_study   an archive of src/study, which only caucus_plan has
#
# Tests and benchmarks of caucus that study plans link the archive, which takes the core from
# libcaucus.so: with libcaucus_plan.so beside it they would bring all of the core twice.

include(GNUInstallDirs)
find_package(Threads REQUIRED)

# SMPI has a copy of a program's own variables for each rank, but not of a shared library's.
set(caucus_library_kind SHARED)
if(CAUCUS_MPI STREQUAL "smpi")
    set(caucus_library_kind STATIC)
endif()

function(caucus_sources result folders)
    set(patterns ${folders})
    list(TRANSFORM patterns PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/src/")
    list(TRANSFORM patterns APPEND "/*.c")
    file(GLOB sources CONFIGURE_DEPENDS ${patterns})
    set(${result} "${sources}" PARENT_SCOPE)
endfunction()

function(caucus_compiled name)
    target_include_directories(${name}
        PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/src"
        PUBLIC "$<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>"
               "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
    target_link_libraries(${name} PRIVATE $<BUILD_INTERFACE:caucus_flags>)
    set_target_properties(${name} PROPERTIES LINKER_LANGUAGE C)
endfunction()

# What knows no MPI is the same for all: builds for several can share what one has compiled.
# These are named after the sources: what is found there may be left of a source that is gone.
function(caucus_part name kind folders)
    caucus_sources(made "${folders}")
    set(${name}_objects "$<TARGET_OBJECTS:${name}>" PARENT_SCOPE)
    if(CAUCUS_PLAN_OBJECTS)
        list(TRANSFORM made REPLACE "^${CMAKE_CURRENT_SOURCE_DIR}/(.*)$"
             "${CAUCUS_PLAN_OBJECTS}/CMakeFiles/${name}.dir/\\1.o")
        foreach(object IN LISTS made)
            if(NOT EXISTS "${object}")
                message(FATAL_ERROR "${object} is missing: build caucus_plan there first.")
            endif()
        endforeach()
        set(${name}_objects "${made}" PARENT_SCOPE)
    endif()
    if(NOT kind STREQUAL "OBJECT" OR NOT CAUCUS_PLAN_OBJECTS)
        add_library(${name} ${kind} ${made})
        caucus_compiled(${name})
    endif()
endfunction()

# Before 1.0 every minor version may change the interface.
set(CAUCUS_INTERFACE ${PROJECT_VERSION_MAJOR})
if(PROJECT_VERSION_MAJOR EQUAL 0)
    set(CAUCUS_INTERFACE ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
endif()

function(caucus_library name)
    add_library(${name} ${caucus_library_kind} ${ARGN})
    caucus_compiled(${name})
    set(run_path "$ORIGIN")
    if(NOT name STREQUAL "caucus_plan")
        list(APPEND run_path ${CAUCUS_MPI_FOLDERS})
    endif()
    set_target_properties(${name} PROPERTIES INSTALL_RPATH "${run_path}")
    if(NOT SKBUILD) # a wheel has no links
        set_target_properties(${name} PROPERTIES
            SOVERSION ${CAUCUS_INTERFACE} VERSION ${PROJECT_VERSION})
    endif()
    # A library that lacks a symbol must fail here, not in somebody's program.
    if(NOT CAUCUS_SANITIZE)
        target_link_options(${name} PRIVATE -Wl,--no-undefined)
    endif()
endfunction()

caucus_part(caucus_core OBJECT "base;plan/*")
caucus_part(caucus_study STATIC "study/*")
caucus_library(caucus_plan ${caucus_core_objects} ${caucus_study_objects})
target_link_libraries(caucus_plan PRIVATE m ${CMAKE_DL_LIBS} Threads::Threads)

if(NOT CAUCUS_MPI STREQUAL "none")
    caucus_sources(sources "run;run/*;api;api/*")
    caucus_library(caucus ${sources} ${caucus_core_objects})
    if(NOT CAUCUS_MPI STREQUAL "smpi")
        caucus_sources(sources "dropin;dropin/*")
        caucus_library(caucus_dropin ${sources})
    endif()
endif()

if(TARGET caucus)
    target_sources(caucus PRIVATE ${CAUCUS_GENERATED_HEADERS} ${CAUCUS_GENERATED_SOURCES})
    target_include_directories(caucus
        PUBLIC "$<BUILD_INTERFACE:${CMAKE_BINARY_DIR}/include>")
    find_path(HWLOC_INCLUDE_DIR hwloc.h)
    find_path(HWLOC_CONFIG_DIR hwloc/autogen/config.h) # Debian keeps it apart
    find_library(HWLOC_LIBRARY hwloc)
    if(NOT HWLOC_INCLUDE_DIR OR NOT HWLOC_LIBRARY)
        message(FATAL_ERROR "hwloc is missing: install libhwloc-dev, or run 'make build'.")
    endif()
    target_include_directories(caucus SYSTEM PRIVATE "${HWLOC_INCLUDE_DIR}"
        $<$<BOOL:${HWLOC_CONFIG_DIR}>:${HWLOC_CONFIG_DIR}>)
    # MPI-4's functions are probed, whatever version an MPI says it is.
    caucus_begin_probes()
    check_symbol_exists(MPI_Type_get_contents_c "mpi.h" CAUCUS_MPI_HAS_LARGE_TYPES)
    check_symbol_exists(MPI_Iallreduce_c "mpi.h" CAUCUS_MPI_HAS_LARGE_COLLECTIVES)
    check_symbol_exists(MPI_Allreduce_init "mpi.h" CAUCUS_MPI_HAS_PERSISTENT)
    check_symbol_exists(MPI_Comm_create_from_group "mpi.h" CAUCUS_MPI_HAS_COMM_FROM_GROUP)
    # Deaths of processes: the functions, and the attribute that says whether they are on.
    check_include_files("mpi.h;mpi-ext.h" CAUCUS_MPI_HAS_EXTENSIONS_HEADER)
    set(extensions "")
    if(CAUCUS_MPI_HAS_EXTENSIONS_HEADER)
        set(extensions "#include <mpi-ext.h>")
    endif()
    check_c_source_compiles("
        #include <mpi.h>
        ${extensions}
        int main(void) {
            MPI_Group dead;
            int code = PMPIX_Comm_failure_ack(MPI_COMM_WORLD);
            code += PMPIX_Comm_get_failed(MPI_COMM_WORLD, &dead) + MPIX_FT;
            return code + MPIX_ERR_PROC_FAILED + MPIX_ERR_PROC_FAILED_PENDING;
        }" CAUCUS_MPI_HAS_FAILURES)
    caucus_end_probes()
    target_compile_definitions(caucus PRIVATE
        $<$<BOOL:${CAUCUS_MPI_HAS_LARGE_TYPES}>:CAUCUS_HAVE_LARGE_TYPES>
        $<$<BOOL:${CAUCUS_MPI_HAS_LARGE_COLLECTIVES}>:CAUCUS_HAVE_LARGE_COLLECTIVES>
        $<$<BOOL:${CAUCUS_MPI_HAS_COMM_FROM_GROUP}>:CAUCUS_HAVE_COMM_FROM_GROUP>
        $<$<BOOL:${CAUCUS_MPI_HAS_EXTENSIONS_HEADER}>:CAUCUS_HAVE_MPI_EXTENSIONS>
        $<$<BOOL:${CAUCUS_MPI_HAS_FAILURES}>:CAUCUS_HAVE_FAILURES>)
    # Loops over operands: what else does not gain from more than the usual optimisation.
    set_source_files_properties("${CMAKE_CURRENT_SOURCE_DIR}/src/run/execution/kernels.c"
        "${CMAKE_CURRENT_SOURCE_DIR}/src/run/layout/move.c"
        "${CMAKE_CURRENT_SOURCE_DIR}/src/run/layout/pieces.c" PROPERTIES COMPILE_OPTIONS -O3)
    find_library(RT_LIBRARY rt) # shm_open, in a C library that keeps it apart
    target_link_libraries(caucus PRIVATE "${HWLOC_LIBRARY}" m ${CMAKE_DL_LIBS}
        $<$<BOOL:${RT_LIBRARY}>:${RT_LIBRARY}>
        PUBLIC $<BUILD_INTERFACE:caucus_mpi> $<INSTALL_INTERFACE:caucus::mpi>)
endif()

if(TARGET caucus_dropin)
    target_link_libraries(caucus_dropin PRIVATE caucus)
endif()
