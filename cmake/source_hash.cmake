# Hashes the sources on which results of studies depend, by their names and contents, so that the
# hash is the same in any folder and build type.
#
#   include(cmake/source_hash.cmake)                                 sets hashed_sources
#   cmake -DROOT=DIR -DOUTPUT=FILE -P cmake/source_hash.cmake        writes FILE, a C++ source
#   cmake -DROOT=DIR -DPAGE=FILE -P cmake/source_hash.cmake          fails unless FILE, written by
#                                      `shortfall reproduce all`, is of these sources
if(NOT ROOT)
  set(ROOT ${PROJECT_SOURCE_DIR})
  set(configure_depends CONFIGURE_DEPENDS)
endif()
file(GLOB_RECURSE hashed_sources ${configure_depends} LIST_DIRECTORIES false
  ${ROOT}/include/* ${ROOT}/src/* ${ROOT}/published/* ${ROOT}/report/* ${ROOT}/studies/*)
if(NOT OUTPUT AND NOT PAGE)
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
if(PAGE)
  file(STRINGS ${PAGE} line REGEX "^Hash of the sources: ")
  string(REPLACE "Hash of the sources: " "" found "${line}")
  if(NOT found STREQUAL hash)
    message(FATAL_ERROR "${PAGE} is of other sources: its hash is '${found}', that of this tree is "
      "${hash}; accepted: the reproduction.md of shortfall reproduce all, built from this tree, at "
      "full scale (up to 45 minutes on two quiet cores)")
  endif()
  file(STRINGS ${PAGE} line REGEX "scale full")
  if(NOT line)
    message(FATAL_ERROR "${PAGE} is not of full scale; accepted: the reproduction.md of "
      "shortfall reproduce all without --quick")
  endif()
  return()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT
"#include \"studies/source_hash.hpp\"

namespace shortfall::studies {

std::string_view source_hash() {
  return \"${hash}\";
}

}  // namespace shortfall::studies
")
