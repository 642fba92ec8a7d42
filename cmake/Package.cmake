# Debian packages by cpack: shortfall (the command), libshortfall-dev and python3-shortfall.
# scripts/package.sh makes them, the same bytes each time.
set(CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS  # whatever the umask
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

# What only packages have.
set(CPACK_COMPONENTS_ALL command development)
file(GLOB examples ${PROJECT_SOURCE_DIR}/examples/*.csv ${PROJECT_SOURCE_DIR}/examples/*.toml)
install(FILES ${examples} DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/shortfall/examples
  COMPONENT command EXCLUDE_FROM_ALL)
install(FILES ${PROJECT_SOURCE_DIR}/examples/own_loss.cpp
              ${PROJECT_SOURCE_DIR}/examples/risk_attitudes.cpp COMPONENT development
  DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libshortfall-dev/examples EXCLUDE_FROM_ALL)
if(TARGET shortfall_python)
  list(APPEND CPACK_COMPONENTS_ALL python)
  set(site lib/python3/dist-packages)  # of Debian's Python, whatever its version
  install(DIRECTORY ${PROJECT_BINARY_DIR}/python/shortfall DESTINATION ${site}
    COMPONENT python EXCLUDE_FROM_ALL PATTERN __pycache__ EXCLUDE PATTERN "*.so" EXCLUDE)
  install(TARGETS shortfall_python_core LIBRARY DESTINATION ${site}/shortfall
    COMPONENT python EXCLUDE_FROM_ALL)  # stripped
  install(CODE "execute_process(COMMAND ${Python3_EXECUTABLE} -B
      ${PROJECT_SOURCE_DIR}/packaging/metadata.py ${PROJECT_SOURCE_DIR} ${PROJECT_VERSION}
      \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${site} COMMAND_ERROR_IS_FATAL ANY)"
    COMPONENT python EXCLUDE_FROM_ALL)
endif()
function(shortfall_install_documents package component)
  install(FILES ${PROJECT_SOURCE_DIR}/packaging/copyright ${SHORTFALL_MANUAL}/changelog.gz
                ${SHORTFALL_MANUAL}/changelog.Debian.gz ${ARGN}
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component} EXCLUDE_FROM_ALL)
endfunction()
shortfall_install_documents(shortfall command ${SHORTFALL_MANUAL}/pages-licences.gz)
shortfall_install_documents(libshortfall-dev development)
shortfall_install_documents(python3-shortfall python ${SHORTFALL_MANUAL}/pages-licences.gz)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME shortfall)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each package has its own, the first line of its text
set(CPACK_PACKAGE_VENDOR "The shortfall authors")
set(CPACK_PACKAGE_CONTACT "The shortfall authors <authors@shortfall.invalid>")  # there is no address
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)

set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME shortfall)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SECTION math)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SUGGESTS "python3-shortfall, libshortfall-dev")
set(CPACK_COMPONENT_COMMAND_DESCRIPTION "decisions under risk: the shortfall command
Solves Markov decision processes in which bad outcomes count more than good
ones, by dynamic utility-based shortfall risk (expectiles, the entropic risk
measure, soft quantiles): exactly, with certified error bounds, or online from
a stream of transitions. It also plans orders of perishable goods from records.")

# The library is static: programs link what it was built with.
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libshortfall-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
set(depends "")
foreach(package libdeflate-dev libeigen3-dev libfmt-dev libhwy-dev libnlopt-dev libpcg-cpp-dev
                libsimdjson-dev libtbb-dev libtomlplusplus-dev)
  execute_process(COMMAND dpkg-query -W -f \${source:Upstream-Version} ${package}
    OUTPUT_VARIABLE version ERROR_QUIET RESULT_VARIABLE unknown)
  if(unknown)
    list(APPEND depends ${package})
    continue()
  endif()
  list(APPEND depends "${package} (>= ${version})")
  if(package MATCHES "fmt|simdjson")  # their namespaces have the version
    string(REGEX MATCH "^[0-9]+" major ${version})
    math(EXPR next "${major} + 1")
    list(APPEND depends "${package} (<< ${next})")
  endif()
endforeach()
list(JOIN depends ", " CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "decisions under risk: C++ library and headers
Static library, headers and CMake package (shortfall::shortfall) to solve
Markov decision processes with dynamic utility-based shortfall risk, to learn
the value of policies online, and to plan orders of perishable goods, in C++20.")

if(TARGET shortfall_python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-shortfall)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
  math(EXPR next "${Python3_VERSION_MINOR} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
    "python3 (>= 3.${Python3_VERSION_MINOR}~), python3 (<< 3.${next}), python3-numpy (>= 1:1.22)")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS python3-matplotlib)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA
    "${PROJECT_SOURCE_DIR}/packaging/python/postinst;${PROJECT_SOURCE_DIR}/packaging/python/prerm")
  set(CPACK_COMPONENT_PYTHON_DESCRIPTION "decisions under risk: Python package
Markov decision processes with dynamic utility-based shortfall risk for Python:
losses and risk, exact solutions with certified error bounds, online learners,
convergence conditions, and orders of perishable goods, on NumPy arrays.")
endif()
include(CPack)
