# SPDX-License-Identifier: BSD-3-Clause
# The module caucus for programs in Fortran that use mpi_f08, in the library caucus_fortran. Its
# functions, and what they lead to in C, are written by a script from the public headers.

set(CAUCUS_FORTRAN AUTO CACHE STRING
    "The Fortran module: ON, OFF, or AUTO where there are a compiler and MPI's module mpi_f08")
set_property(CACHE CAUCUS_FORTRAN PROPERTY STRINGS AUTO ON OFF)
set(CAUCUS_FORTRAN_MPI_INCLUDES "" CACHE STRING
    "Folders of MPI's modules for Fortran; empty: what FindMPI finds")
set(CAUCUS_FORTRAN_MPI_LIBRARIES "" CACHE STRING
    "MPI's libraries for Fortran; empty: what FindMPI finds")
set(CAUCUS_FORTRAN_MODULES_DIR "${CMAKE_INSTALL_INCLUDEDIR}/caucus/fortran" CACHE STRING
    "Where the module is installed")
if(NOT CAUCUS_FORTRAN OR NOT TARGET caucus OR CAUCUS_MPI STREQUAL "smpi" OR CAUCUS_SANITIZE)
    return()
endif()

# Why there is no module; an error if it was asked for.
macro(caucus_no_fortran why)
    if(CAUCUS_FORTRAN STREQUAL "AUTO")
        message(STATUS "No Fortran module: ${why}")
        return()
    endif()
    message(FATAL_ERROR "CAUCUS_FORTRAN is ${CAUCUS_FORTRAN}, but ${why}")
endmacro()

include(CheckLanguage)
check_language(Fortran)
if(NOT CMAKE_Fortran_COMPILER)
    caucus_no_fortran("there is no Fortran compiler: install one, or name it by FC")
endif()
enable_language(Fortran)

if(NOT CAUCUS_FORTRAN_MPI_LIBRARIES)
    # Beside mpicc.mpich there is an mpif90.mpich; that on the PATH may be another MPI's.
    if(MPI_C_COMPILER MATCHES "^(.*/mpi)cc([^/]*)$")
        find_program(MPI_Fortran_COMPILER NAMES "${CMAKE_MATCH_1}fort${CMAKE_MATCH_2}"
                     "${CMAKE_MATCH_1}f90${CMAKE_MATCH_2}")
    endif()
    find_package(MPI QUIET COMPONENTS Fortran)
    set(CAUCUS_FORTRAN_MPI_INCLUDES ${MPI_Fortran_INCLUDE_DIRS})
    set(CAUCUS_FORTRAN_MPI_LIBRARIES ${MPI_Fortran_LIBRARIES})
endif()

# Fortran's library must lead to the MPI that everything else is built with.
set(same FALSE)
foreach(library IN LISTS CAUCUS_MPI_LIBRARIES)
    file(REAL_PATH "${library}" wanted)
    foreach(other IN LISTS CAUCUS_FORTRAN_MPI_LIBRARIES)
        file(REAL_PATH "${other}" found)
        if(found STREQUAL wanted)
            set(same TRUE)
        endif()
    endforeach()
endforeach()
if(NOT same)
    caucus_no_fortran("${CAUCUS_MPI_LIBRARIES} has no libraries for ${CMAKE_Fortran_COMPILER}")
endif()

caucus_begin_probes()
check_c_source_compiles("
    #include <mpi.h>
    _Static_assert(sizeof(MPI_Fint) == sizeof(int), \"\");
    int main(void) { return 0; }" CAUCUS_MPI_HAS_INTEGERS_OF_C)
caucus_end_probes()
if(NOT CAUCUS_MPI_HAS_INTEGERS_OF_C)
    caucus_no_fortran("this MPI's integers of Fortran are longer than those of C")
endif()

include(CheckSourceCompiles)
set(CMAKE_REQUIRED_INCLUDES ${CAUCUS_FORTRAN_MPI_INCLUDES})
set(CMAKE_REQUIRED_LIBRARIES ${CAUCUS_FORTRAN_MPI_LIBRARIES})
check_source_compiles(Fortran "
    program probe
        use mpi_f08
        type(MPI_Comm) :: comm
        comm = MPI_COMM_WORLD
        call MPI_Barrier(comm)
    end program" CAUCUS_MPI_HAS_F08 SRC_EXT f90)
unset(CMAKE_REQUIRED_INCLUDES)
unset(CMAKE_REQUIRED_LIBRARIES)
if(NOT CAUCUS_MPI_HAS_F08)
    caucus_no_fortran("this MPI has no module mpi_f08 for ${CMAKE_Fortran_COMPILER}")
endif()

# What describes arrays is the compiler's own: that header alone, as C may have another compiler.
set(hints "")
foreach(asked IN ITEMS "-print-file-name=include" "-print-prog-name=f951")
    execute_process(COMMAND "${CMAKE_Fortran_COMPILER}" ${asked}
                    OUTPUT_VARIABLE said OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    cmake_path(GET said PARENT_PATH folder)
    list(APPEND hints "${said}" "${folder}/include")
endforeach()
cmake_path(GET CMAKE_Fortran_COMPILER PARENT_PATH bin)
cmake_path(GET bin PARENT_PATH above)
find_path(CAUCUS_FORTRAN_BINDING ISO_Fortran_binding.h
          HINTS ${hints} "${above}/include" "${above}/opt/compiler/include")
if(NOT CAUCUS_FORTRAN_BINDING)
    caucus_no_fortran("${CMAKE_Fortran_COMPILER} has no ISO_Fortran_binding.h")
endif()
set(binding "${CMAKE_BINARY_DIR}/fortran/binding")
configure_file("${CAUCUS_FORTRAN_BINDING}/ISO_Fortran_binding.h"
               "${binding}/ISO_Fortran_binding.h" COPYONLY)

set(generator "${CMAKE_CURRENT_SOURCE_DIR}/tools/generate_fortran.py")
set(made "${CMAKE_BINARY_DIR}/fortran/caucus_functions.f90"
         "${CMAKE_BINARY_DIR}/fortran/caucus_fortran.c")
add_custom_command(
    OUTPUT ${made}
    COMMAND Python3::Interpreter "${generator}" "${CMAKE_BINARY_DIR}/fortran" "${caucus_headers}"
    DEPENDS ${public_headers} "${generator}" "${CMAKE_CURRENT_SOURCE_DIR}/tools/public_headers.py"
    VERBATIM)
caucus_sources(sources "fortran")
file(GLOB modules CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/bindings/fortran/*.f90")
add_library(caucus_fortran SHARED ${sources} ${modules} ${made})
set(CAUCUS_FORTRAN_MODULES "${CMAKE_BINARY_DIR}/include/caucus/fortran")
# An installation has caucus::mpi_fortran with the same contents: see caucus-config.cmake.in.
add_library(caucus_mpi_fortran INTERFACE)
set(CAUCUS_FORTRAN_INCLUDES "${CAUCUS_FORTRAN_MPI_INCLUDES}")
set(CAUCUS_FORTRAN_LIBRARIES "${CAUCUS_FORTRAN_MPI_LIBRARIES}")
target_include_directories(caucus_mpi_fortran SYSTEM INTERFACE ${CAUCUS_FORTRAN_INCLUDES})
target_link_libraries(caucus_mpi_fortran INTERFACE ${CAUCUS_FORTRAN_LIBRARIES})
target_include_directories(caucus_fortran
    PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/src" "${binding}"
    PUBLIC "$<BUILD_INTERFACE:${CAUCUS_FORTRAN_MODULES}>"
           "$<INSTALL_INTERFACE:${CAUCUS_FORTRAN_MODULES_DIR}>")
target_link_libraries(caucus_fortran PRIVATE $<BUILD_INTERFACE:caucus_flags> PUBLIC caucus
    $<BUILD_INTERFACE:caucus_mpi_fortran> $<INSTALL_INTERFACE:caucus::mpi_fortran>)
if(CMAKE_Fortran_COMPILER_ID STREQUAL "GNU") # MPI's kinds are those of C, under other names
    target_compile_options(caucus_fortran PRIVATE
        $<$<COMPILE_LANGUAGE:Fortran>:-Wno-c-binding-type>)
endif()
set_target_properties(caucus_fortran PROPERTIES
    EXPORT_NAME fortran Fortran_MODULE_DIRECTORY "${CAUCUS_FORTRAN_MODULES}"
    LINKER_LANGUAGE Fortran SOVERSION ${CAUCUS_INTERFACE} VERSION ${PROJECT_VERSION}
    INSTALL_RPATH "$ORIGIN;${CAUCUS_MPI_FOLDERS}")
add_library(caucus::fortran ALIAS caucus_fortran)
set(CAUCUS_FORTRAN_SOURCES ${modules} "${CMAKE_BINARY_DIR}/fortran/caucus_functions.f90")
message(STATUS "Fortran module: by ${CMAKE_Fortran_COMPILER}")

if(CAUCUS_EXAMPLES)
    file(GLOB examples CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/examples/fortran/*.f90")
    foreach(source IN LISTS examples)
        cmake_path(GET source STEM name)
        set(linked caucus_fortran)
        if(name STREQUAL "sweep") # knows nothing of Caucus
            set(linked caucus_mpi_fortran)
        endif()
        add_executable(fortran_${name} "${source}")
        target_link_libraries(fortran_${name} PRIVATE caucus_flags ${linked})
        set_target_properties(fortran_${name} PROPERTIES BUILD_RPATH "$ORIGIN/../lib")
    endforeach()
endif()
