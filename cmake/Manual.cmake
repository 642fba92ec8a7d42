# Manual pages and completions, which the finished command's own grammar is made into, and the
# changelogs and licences that are installed with it. Their bytes depend on the sources alone.
if(NOT DEFINED Python3_EXECUTABLE AND EXISTS /usr/bin/python3)
  set(Python3_EXECUTABLE /usr/bin/python3)
endif()
find_package(Python3 3.9 COMPONENTS Interpreter)
if(NOT Python3_Interpreter_FOUND)
  message(WARNING "No manual pages and completions: Python 3 was not found")
  return()
endif()
set(SHORTFALL_MANUAL ${PROJECT_BINARY_DIR}/manual)
set(packaging ${PROJECT_SOURCE_DIR}/packaging)
set(python ${Python3_EXECUTABLE} -B)

set(sources changelog completion.bash completion.zsh completions.py manual.py)
list(TRANSFORM sources PREPEND ${packaging}/)
list(APPEND sources ${PROJECT_SOURCE_DIR}/docs/site/command_text.py
  ${PROJECT_SOURCE_DIR}/docs/site/descriptions.md)
add_custom_command(OUTPUT ${SHORTFALL_MANUAL}/zsh/_shortfall
  COMMAND ${python} ${packaging}/manual.py $<TARGET_FILE:shortfall_app> ${packaging}/changelog
          ${SHORTFALL_MANUAL}
  DEPENDS shortfall_app ${sources}
  COMMENT "Writing manual pages and completions" VERBATIM)
set(SHORTFALL_DOCUMENTS "")
if(TARGET shortfall_pages OR EXISTS ${SHORTFALL_PAGES}/../node_modules)  # has the pages' licences
  set(SHORTFALL_DOCUMENTS ${SHORTFALL_MANUAL}/changelog.gz ${SHORTFALL_MANUAL}/changelog.Debian.gz
                          ${SHORTFALL_MANUAL}/pages-licences.gz)
  set(pages_target "")
  if(TARGET shortfall_pages)
    set(pages_target shortfall_pages)
  endif()
  add_custom_command(OUTPUT ${SHORTFALL_DOCUMENTS}
    COMMAND ${python} ${packaging}/documents.py ${PROJECT_SOURCE_DIR}/CHANGELOG.md
            ${packaging}/changelog ${SHORTFALL_PAGES}/../node_modules ${SHORTFALL_MANUAL}
    DEPENDS ${packaging}/documents.py ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${packaging}/changelog
            ${pages_target}
    COMMENT "Writing changelogs and licences" VERBATIM)
endif()
add_custom_target(shortfall_manual ALL
  DEPENDS ${SHORTFALL_MANUAL}/zsh/_shortfall ${SHORTFALL_DOCUMENTS})
