# Hashes the sources on which results of studies depend, by their names and contents, so that the
# hash is the same in any folder and build type.
#
#   include(cmake/source_hash.cmake)                                 sets hashed_sources
#   cmake -DROOT=DIR -DOUTPUT=FILE -P cmake/source_hash.cmake        writes FILE, a C++ source
if(NOT ROOT)
  set(ROOT ${PROJECT_SOURCE_DIR})
  set(configure_depends CONFIGURE_DEPENDS)
endif()
file(GLOB_RECURSE hashed_sources ${configure_depends} LIST_DIRECTORIES false
  ${ROOT}/include/* ${ROOT}/src/* ${ROOT}/published/* ${ROOT}/report/* ${ROOT}/studies/*)
if(NOT OUTPUT)
  return()
endif()

list(SORT hashed_sources)
set(contents "")
foreach(source IN LISTS hashed_sources)
  file(SHA256 ${source} hash)
  file(RELATIVE_PATH name ${ROOT} ${source})
  string(APPEND contents "${name} ${hash}\n")
endforeach()
string(SHA256 hash "${contents}")
string(SUBSTRING ${hash} 0 16 hash)
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT
"#include \"studies/source_hash.hpp\"

namespace shortfall::studies {

std::string_view source_hash() {
  return \"${hash}\";
}

}  // namespace shortfall::studies
")
