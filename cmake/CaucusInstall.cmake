# SPDX-License-Identifier: BSD-3-Clause
# Headers, libraries, the command line with its completion, manual pages, a modulefile, and what CMake
# and pkg-config need to find them; and how all of it goes away again.

include(CMakePackageConfigHelpers)

# Who clones into the folder that is meant to be the prefix would have both in one.
file(REAL_PATH "${CMAKE_INSTALL_PREFIX}" caucus_prefix)
file(REAL_PATH "${CMAKE_CURRENT_SOURCE_DIR}" caucus_source)
if(caucus_prefix STREQUAL caucus_source)
    message(FATAL_ERROR "CMAKE_INSTALL_PREFIX is the source tree, ${caucus_source}: choose another folder, "
                        "such as -DCMAKE_INSTALL_PREFIX=$ENV{HOME}/.local/caucus")
endif()

# What is installed next goes into these folders.
install(SCRIPT "${CMAKE_CURRENT_SOURCE_DIR}/cmake/CaucusFolders.cmake")
function(caucus_folders)
    foreach(folder IN LISTS ARGN)
        install(CODE "caucus_make_folder(\"${folder}\")")
    endforeach()
endfunction()

# Without MPI those headers that know none of it.
set(caucus_installed_headers "")
file(GLOB headers CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/include/caucus/*.h"
                                    "${CMAKE_CURRENT_SOURCE_DIR}/include/caucus/*.hpp")
foreach(header IN LISTS headers)
    cmake_path(GET header FILENAME name)
    if(TARGET caucus OR name MATCHES "^(error|index_range|plan|schedule|traffic|version)\\.h$")
        list(APPEND caucus_installed_headers "${header}")
    endif()
endforeach()
if(TARGET caucus)
    list(APPEND caucus_installed_headers ${CAUCUS_GENERATED_HEADERS})
endif()
caucus_folders("${CMAKE_INSTALL_INCLUDEDIR}/caucus")
install(FILES ${caucus_installed_headers} DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/caucus")

set(caucus_installed "")
foreach(target caucus_plan caucus caucus_dropin caucus_fortran)
    if(TARGET ${target})
        list(APPEND caucus_installed ${target})
    endif()
endforeach()
caucus_folders("${CMAKE_INSTALL_LIBDIR}")
install(TARGETS ${caucus_installed} EXPORT caucus
        LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
if(TARGET caucus_fortran) # with the sources, as modules are one compiler's own
    caucus_folders("${CAUCUS_FORTRAN_MODULES_DIR}")
    install(DIRECTORY "${CAUCUS_FORTRAN_MODULES}/" DESTINATION "${CAUCUS_FORTRAN_MODULES_DIR}"
            FILES_MATCHING PATTERN "*.mod")
    install(FILES ${CAUCUS_FORTRAN_SOURCES} DESTINATION "${CAUCUS_FORTRAN_MODULES_DIR}")
endif()
set(caucus_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/caucus")
caucus_folders("${caucus_package_dir}")
install(EXPORT caucus NAMESPACE caucus:: FILE caucus-targets.cmake
        DESTINATION "${caucus_package_dir}")

configure_package_config_file(
    "${CMAKE_CURRENT_SOURCE_DIR}/cmake/caucus-config.cmake.in"
    "${CMAKE_BINARY_DIR}/package/caucus-config.cmake" INSTALL_DESTINATION "${caucus_package_dir}")
write_basic_package_version_file("${CMAKE_BINARY_DIR}/package/caucus-config-version.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_SOURCE_DIR}/cmake/caucus-mpi.cmake"
              "${CMAKE_BINARY_DIR}/package/caucus-config.cmake"
              "${CMAKE_BINARY_DIR}/package/caucus-config-version.cmake"
        DESTINATION "${caucus_package_dir}")

# The command line: a package of Python beside the library that it loads, of the same version, so
# that it depends on no Python's folders; and a program that leads to it.
if(CAUCUS_COMMAND_LINE)
    set(caucus_python_dir "${CMAKE_INSTALL_LIBDIR}/caucus/python")
    file(RELATIVE_PATH caucus_python_way "${CMAKE_INSTALL_FULL_BINDIR}"
         "${CMAKE_INSTALL_FULL_LIBDIR}/caucus/python")
    configure_file("${CMAKE_CURRENT_SOURCE_DIR}/cmake/caucus.in"
                   "${CMAKE_BINARY_DIR}/package/caucus" @ONLY)
    caucus_folders("${CMAKE_INSTALL_BINDIR}" "${caucus_python_dir}" "${CMAKE_INSTALL_MANDIR}/man1")
    install(PROGRAMS "${CMAKE_BINARY_DIR}/package/caucus" DESTINATION "${CMAKE_INSTALL_BINDIR}")
    install(DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}/bindings/python/caucus"
            DESTINATION "${caucus_python_dir}" FILES_MATCHING PATTERN "*.py" PATTERN "py.typed"
            PATTERN "__pycache__" EXCLUDE)
    install(FILES "${CMAKE_CURRENT_SOURCE_DIR}/docs/man/caucus.1"
            DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
    set(completion "${CMAKE_CURRENT_SOURCE_DIR}/bindings/completion")
    caucus_folders("${CMAKE_INSTALL_DATADIR}/bash-completion/completions"
                   "${CMAKE_INSTALL_DATADIR}/zsh/site-functions"
                   "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
    install(FILES "${completion}/caucus.bash" RENAME caucus
            DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
    install(FILES "${completion}/_caucus" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
    install(FILES "${completion}/caucus.fish"
            DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
endif()
add_custom_target(caucus_started)
foreach(program IN LISTS CAUCUS_STARTED_PROGRAMS)
    if(NOT TARGET bench_${program})
        continue()
    endif()
    add_dependencies(caucus_started bench_${program})
    set(caucus_programs "${CMAKE_INSTALL_FULL_LIBEXECDIR}/caucus")
    file(RELATIVE_PATH way "${caucus_programs}" "${CMAKE_INSTALL_FULL_LIBDIR}")
    set_target_properties(bench_${program} PROPERTIES
        INSTALL_RPATH "$ORIGIN/${way};${CAUCUS_MPI_FOLDERS}")
    caucus_folders("${CMAKE_INSTALL_LIBEXECDIR}/caucus")
    install(TARGETS bench_${program} DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/caucus")
endforeach()

# Pages of the C interface, and what leads a user's shell to all of it.
if(TARGET caucus_manual AND NOT SKBUILD)
    caucus_folders("${CMAKE_INSTALL_MANDIR}")
    install(DIRECTORY "${CMAKE_BINARY_DIR}/man/man3" "${CMAKE_BINARY_DIR}/man/man7"
            DESTINATION "${CMAKE_INSTALL_MANDIR}")
endif()
if(TARGET caucus AND NOT SKBUILD)
    set(caucus_modules "${CMAKE_INSTALL_DATADIR}/modulefiles/caucus")
    file(RELATIVE_PATH caucus_module_up "${CMAKE_INSTALL_FULL_DATADIR}/modulefiles/caucus"
         "${CMAKE_INSTALL_PREFIX}")
    configure_file("${CMAKE_CURRENT_SOURCE_DIR}/cmake/caucus.modulefile.in"
                   "${CMAKE_BINARY_DIR}/package/modulefile" @ONLY)
    caucus_folders("${caucus_modules}")
    install(FILES "${CMAKE_BINARY_DIR}/package/modulefile" DESTINATION "${caucus_modules}"
            RENAME "${PROJECT_VERSION}")
endif()

# Where it went, for who takes it away again.
install(CODE "file(WRITE \"${CMAKE_BINARY_DIR}/install_prefix.txt\" \"\${CMAKE_INSTALL_PREFIX}\\n\")")
include(CaucusUninstall)

include(CaucusPkgConfig)
