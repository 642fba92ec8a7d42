# Writes the commit that a tree was built from, for the origin of results. Without git it is that of
# the archive that `git archive` made of it; without either it is empty.
#
#   cmake -DROOT=DIR -DOUTPUT=FILE -P cmake/commit.cmake        writes FILE, a C++ source, if it changed
function(run_git result)
  execute_process(COMMAND git -C ${ROOT} ${ARGN} OUTPUT_VARIABLE text RESULT_VARIABLE code
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT code EQUAL 0)
    set(text "")
  endif()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

set(commit "")
run_git(top rev-parse --show-toplevel)
file(REAL_PATH ${ROOT} root)
if(top STREQUAL root)  # not a tree that lies within another one
  run_git(commit rev-parse HEAD)
  run_git(changes status --porcelain --untracked-files=no)
  if(changes)
    string(APPEND commit " with changes")
  endif()
elseif(EXISTS ${ROOT}/cmake/archived_commit.txt)
  file(STRINGS ${ROOT}/cmake/archived_commit.txt commit REGEX "^[0-9a-f]+$")
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT
"#include \"studies/source_hash.hpp\"

namespace shortfall::studies {

std::string_view source_commit() {
  return \"${commit}\";
}

}  // namespace shortfall::studies
")
