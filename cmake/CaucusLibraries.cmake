# SPDX-License-Identifier: BSD-3-Clause
# The three libraries: caucus_plan (no MPI in it), caucus, and caucus_dropin. The sources are
# found, not listed: a new file in the right room is built.

include(GNUInstallDirs)

# SMPI has a copy of a program's own variables for each rank, but not of a shared library's.
set(caucus_library_kind SHARED)
if(CAUCUS_MPI STREQUAL "smpi")
    set(caucus_library_kind STATIC)
endif()

# Further arguments are objects that are made already, instead of the sources.
function(caucus_library name folders)
    set(patterns ${folders})
    list(TRANSFORM patterns PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/src/")
    list(TRANSFORM patterns APPEND "/*.c")
    file(GLOB sources CONFIGURE_DEPENDS ${patterns})
    if(NOT sources)
        return()
    endif()
    if(ARGN)
        add_library(${name} ${caucus_library_kind} ${ARGN})
        set_target_properties(${name} PROPERTIES LINKER_LANGUAGE C)
    else()
        add_library(${name} ${caucus_library_kind} ${sources})
    endif()
    target_include_directories(${name}
        PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/src"
        PUBLIC "$<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>"
               "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
    target_link_libraries(${name} PRIVATE $<BUILD_INTERFACE:caucus_flags>)
    set_target_properties(${name} PROPERTIES
        SOVERSION ${PROJECT_VERSION_MAJOR} VERSION ${PROJECT_VERSION} INSTALL_RPATH "$ORIGIN")
    # A library that lacks a symbol must fail here, not in somebody's program.
    if(NOT CAUCUS_SANITIZE)
        target_link_options(${name} PRIVATE -Wl,--no-undefined)
    endif()
endfunction()

# The planner knows no MPI: builds for several of them can share what one of them has compiled.
set(plan_objects "")
if(CAUCUS_PLAN_OBJECTS)
    file(GLOB_RECURSE plan_objects CONFIGURE_DEPENDS
         "${CAUCUS_PLAN_OBJECTS}/CMakeFiles/caucus_plan.dir/*.o")
    if(NOT plan_objects)
        message(FATAL_ERROR "${CAUCUS_PLAN_OBJECTS} has no objects of caucus_plan: build it first.")
    endif()
endif()
caucus_library(caucus_plan "base;plan;plan/*" ${plan_objects})
if(TARGET caucus_plan)
    target_link_libraries(caucus_plan PRIVATE m)
endif()

if(NOT CAUCUS_MPI STREQUAL "none")
    caucus_library(caucus "run;run/*;api;api/*")
    if(NOT CAUCUS_MPI STREQUAL "smpi")
        caucus_library(caucus_dropin "dropin;dropin/*")
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
    include(CheckSymbolExists)
    set(CMAKE_REQUIRED_INCLUDES ${CAUCUS_MPI_INCLUDES})
    set(CMAKE_REQUIRED_LIBRARIES ${CAUCUS_MPI_LIBRARIES})
    list(TRANSFORM CAUCUS_MPI_DEFINITIONS PREPEND "-D" OUTPUT_VARIABLE CMAKE_REQUIRED_DEFINITIONS)
    check_symbol_exists(MPI_Type_get_contents_c "mpi.h" CAUCUS_MPI_HAS_LARGE_TYPES)
    check_symbol_exists(MPI_Allreduce_init "mpi.h" CAUCUS_MPI_HAS_PERSISTENT)
    check_symbol_exists(MPI_Comm_create_from_group "mpi.h" CAUCUS_MPI_HAS_COMM_FROM_GROUP)
    # Deaths of processes: the functions, and the attribute that says whether they are on.
    include(CheckIncludeFiles)
    include(CheckCSourceCompiles)
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
    unset(CMAKE_REQUIRED_INCLUDES)
    unset(CMAKE_REQUIRED_LIBRARIES)
    unset(CMAKE_REQUIRED_DEFINITIONS)
    target_compile_definitions(caucus PRIVATE
        $<$<BOOL:${CAUCUS_MPI_HAS_LARGE_TYPES}>:CAUCUS_HAVE_LARGE_TYPES>
        $<$<BOOL:${CAUCUS_MPI_HAS_COMM_FROM_GROUP}>:CAUCUS_HAVE_COMM_FROM_GROUP>
        $<$<BOOL:${CAUCUS_MPI_HAS_EXTENSIONS_HEADER}>:CAUCUS_HAVE_MPI_EXTENSIONS>
        $<$<BOOL:${CAUCUS_MPI_HAS_FAILURES}>:CAUCUS_HAVE_FAILURES>)
    # Loops over operands: what else does not gain from more than the usual optimisation.
    set_source_files_properties("${CMAKE_CURRENT_SOURCE_DIR}/src/run/execution/kernels.c"
        "${CMAKE_CURRENT_SOURCE_DIR}/src/run/layout/move.c"
        "${CMAKE_CURRENT_SOURCE_DIR}/src/run/layout/pieces.c" PROPERTIES COMPILE_OPTIONS -O3)
    find_library(RT_LIBRARY rt) # shm_open, in a C library that keeps it apart
    # The planner is public too: caucus_error_text and caucus/plan.h are in it.
    target_link_libraries(caucus PRIVATE "${HWLOC_LIBRARY}" m
        $<$<BOOL:${RT_LIBRARY}>:${RT_LIBRARY}>
        PUBLIC caucus_plan $<BUILD_INTERFACE:caucus_mpi> $<INSTALL_INTERFACE:caucus::mpi>)
endif()

if(TARGET caucus_dropin)
    target_link_libraries(caucus_dropin PRIVATE caucus)
endif()
