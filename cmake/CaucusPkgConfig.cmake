# SPDX-License-Identifier: BSD-3-Clause
# The .pc files. A dependency that has one itself is named (Requires), with its flags in it; what has
# none is written out.

# The way from lib/pkgconfig up to the prefix, so that an installation can be moved.
set(pc_dir "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig")
file(RELATIVE_PATH pc_up "${pc_dir}" "${CMAKE_INSTALL_PREFIX}")
string(REGEX REPLACE "/$" "" pc_up "${pc_up}")
foreach(kind IN ITEMS lib include)
    string(TOUPPER "CMAKE_INSTALL_${kind}DIR" variable)
    set(pc_${kind}dir "${${variable}}")
    if(NOT IS_ABSOLUTE "${pc_${kind}dir}")
        string(PREPEND pc_${kind}dir "\${prefix}/")
    endif()
endforeach()

# The loader finds what lies in the system's folders; a packager may want no other path built in.
function(caucus_rpath_of folder result)
    set(${result} "" PARENT_SCOPE)
    if(folder AND NOT CMAKE_SKIP_RPATH AND NOT CMAKE_SKIP_INSTALL_RPATH
       AND NOT folder IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES)
        set(${result} " -Wl,-rpath,${folder}" PARENT_SCOPE)
    endif()
endfunction()
caucus_rpath_of("${CMAKE_INSTALL_FULL_LIBDIR}" pc_rpath)
if(pc_rpath)
    set(pc_rpath " -Wl,-rpath,\${libdir}")
endif()

# The first of the modules whose library lies where `library` was found; else nothing.
function(caucus_module_of library result)
    set(${result} "" PARENT_SCOPE)
    if(NOT PKG_CONFIG_FOUND OR NOT library)
        return()
    endif()
    cmake_path(GET library PARENT_PATH found)
    file(REAL_PATH "${found}" found)
    foreach(module IN LISTS ARGN)
        pkg_get_variable(folder_${module} ${module} libdir)
        if(folder_${module} AND IS_DIRECTORY "${folder_${module}}")
            file(REAL_PATH "${folder_${module}}" folder)
            if(folder STREQUAL found)
                set(${result} ${module} PARENT_SCOPE)
                return()
            endif()
        endif()
    endforeach()
endfunction()

function(caucus_pkg_config name)
    configure_file("${CMAKE_CURRENT_SOURCE_DIR}/cmake/${name}.pc.in"
                   "${CMAKE_BINARY_DIR}/package/${name}.pc" @ONLY)
    install(FILES "${CMAKE_BINARY_DIR}/package/${name}.pc"
            DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endfunction()

find_package(PkgConfig QUIET)
caucus_pkg_config(caucus_plan)
if(NOT TARGET caucus)
    return()
endif()

# Programs include mpi.h and call MPI, so that it is a dependency in public.
set(pc_mpi_cflags "")
set(pc_mpi_libs "")
list(GET CAUCUS_MPI_LIBRARIES 0 pc_mpi_library)
set(pc_modules_mpich mpich)
set(pc_modules_openmpi ompi-c ompi)
caucus_module_of("${pc_mpi_library}" pc_requires ${pc_modules_${CAUCUS_MPI_KIND}})
if(NOT pc_requires)
    foreach(folder IN LISTS CAUCUS_MPI_INCLUDES)
        string(APPEND pc_mpi_cflags " -I${folder}")
    endforeach()
    foreach(definition IN LISTS CAUCUS_MPI_DEFINITIONS)
        string(APPEND pc_mpi_cflags " -D${definition}")
    endforeach()
    foreach(library IN LISTS CAUCUS_MPI_LIBRARIES)
        cmake_path(GET library PARENT_PATH folder)
        caucus_rpath_of("${folder}" rpath)
        string(APPEND pc_mpi_libs " ${library}${rpath}")
    endforeach()
endif()

# hwloc is the library's own affair: who links it statically needs it too.
set(pc_libs_private "-lm")
if(RT_LIBRARY)
    string(APPEND pc_libs_private " -lrt")
endif()
caucus_module_of("${HWLOC_LIBRARY}" pc_requires_private hwloc)
if(NOT pc_requires_private)
    string(APPEND pc_libs_private " ${HWLOC_LIBRARY}")
endif()
caucus_pkg_config(caucus)
