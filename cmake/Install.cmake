# Installs the library with its headers and the command, and exports shortfall::shortfall.
include(CMakePackageConfigHelpers)

set(package_directory ${CMAKE_INSTALL_LIBDIR}/cmake/shortfall)

install(TARGETS shortfall EXPORT shortfall-targets)
install(DIRECTORY include/shortfall DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(SHORTFALL_BUILD_APPS)
  install(TARGETS shortfall_app)
endif()
if(SHORTFALL_HAS_MPI)
  install(TARGETS shortfall_mpi_app)
endif()
install(EXPORT shortfall-targets NAMESPACE shortfall:: DESTINATION ${package_directory})

configure_package_config_file(cmake/shortfall-config.cmake.in shortfall-config.cmake
  INSTALL_DESTINATION ${package_directory})
write_basic_package_version_file(shortfall-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/shortfall-config.cmake
              ${PROJECT_BINARY_DIR}/shortfall-config-version.cmake
        DESTINATION ${package_directory})
