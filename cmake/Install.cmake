# Installs the library with its headers and the command, and exports shortfall::shortfall. Components:
# development, command, mpi, and python, which is only in packages (elsewhere pip installs it).
include(CMakePackageConfigHelpers)

set(package_directory ${CMAKE_INSTALL_LIBDIR}/cmake/shortfall)

install(TARGETS shortfall EXPORT shortfall-targets COMPONENT development)
install(DIRECTORY include/shortfall DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
if(SHORTFALL_BUILD_APPS)
  install(TARGETS shortfall_app COMPONENT command)
endif()
if(SHORTFALL_HAS_MPI)
  install(TARGETS shortfall_mpi_app COMPONENT mpi)
endif()
install(EXPORT shortfall-targets NAMESPACE shortfall:: DESTINATION ${package_directory}
  COMPONENT development)

configure_package_config_file(cmake/shortfall-config.cmake.in shortfall-config.cmake
  INSTALL_DESTINATION ${package_directory})
write_basic_package_version_file(shortfall-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/shortfall-config.cmake
              ${PROJECT_BINARY_DIR}/shortfall-config-version.cmake
        DESTINATION ${package_directory} COMPONENT development)

if(NOT TARGET shortfall_manual)
  return()
endif()
install(DIRECTORY ${SHORTFALL_MANUAL}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT command)
install(FILES ${SHORTFALL_MANUAL}/bash/shortfall COMPONENT command
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${SHORTFALL_MANUAL}/zsh/_shortfall COMPONENT command
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
if(SHORTFALL_DOCUMENTS)
  include(cmake/Package.cmake)
endif()
