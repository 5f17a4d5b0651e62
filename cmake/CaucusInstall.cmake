# SPDX-License-Identifier: BSD-3-Clause
# Headers, libraries, and what CMake and pkg-config need to find them.

include(CMakePackageConfigHelpers)

install(DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}/include/caucus"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h")

install(FILES "${CMAKE_CURRENT_SOURCE_DIR}/docs/man/caucus.1"
        DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")

set(caucus_installed "")
foreach(target caucus_plan caucus caucus_dropin)
    if(TARGET ${target})
        list(APPEND caucus_installed ${target})
    endif()
endforeach()
if(NOT caucus_installed)
    return()
endif()

install(TARGETS ${caucus_installed} EXPORT caucus
        LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
set(caucus_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/caucus")
install(EXPORT caucus NAMESPACE caucus:: FILE caucus-targets.cmake
        DESTINATION "${caucus_package_dir}")

configure_package_config_file(
    "${CMAKE_CURRENT_SOURCE_DIR}/cmake/caucus-config.cmake.in"
    "${CMAKE_BINARY_DIR}/package/caucus-config.cmake" INSTALL_DESTINATION "${caucus_package_dir}")
write_basic_package_version_file("${CMAKE_BINARY_DIR}/package/caucus-config-version.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_BINARY_DIR}/package/caucus-config.cmake"
              "${CMAKE_BINARY_DIR}/package/caucus-config-version.cmake"
        DESTINATION "${caucus_package_dir}")

if(TARGET caucus)
    install(FILES ${CAUCUS_GENERATED_HEADERS} DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/caucus")
    set(pc_cflags "-I\${includedir}")
    foreach(folder IN LISTS CAUCUS_MPI_INCLUDES)
        string(APPEND pc_cflags " -I${folder}")
    endforeach()
    foreach(definition IN LISTS CAUCUS_MPI_DEFINITIONS)
        string(APPEND pc_cflags " -D${definition}")
    endforeach()
    # The way from lib/pkgconfig up to the prefix, so that an installation can be moved.
    file(RELATIVE_PATH pc_up "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
    string(REGEX REPLACE "/$" "" pc_up "${pc_up}")
    list(JOIN CAUCUS_MPI_LIBRARIES " " pc_libs)
    foreach(library IN LISTS CAUCUS_MPI_LIBRARIES)
        cmake_path(GET library PARENT_PATH folder)
        if(folder AND NOT folder IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES)
            string(APPEND pc_libs " -Wl,-rpath,${folder}")
        endif()
    endforeach()
    configure_file("${CMAKE_CURRENT_SOURCE_DIR}/cmake/caucus.pc.in"
                   "${CMAKE_BINARY_DIR}/package/caucus.pc" @ONLY)
    install(FILES "${CMAKE_BINARY_DIR}/package/caucus.pc"
            DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endif()

# What caucus tune starts.
if(TARGET bench_machine_model)
    install(TARGETS bench_machine_model DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/caucus")
endif()
