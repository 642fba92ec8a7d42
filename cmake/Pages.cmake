# Builds the pages of web/ in the build tree, where npm may put its packages; or takes them from
# another tree, if SHORTFALL_PAGES names their folder.
set(SHORTFALL_PAGES "" CACHE PATH "Folder with the pages of another tree (default: built here)")
if(SHORTFALL_PAGES)
  if(NOT EXISTS ${SHORTFALL_PAGES}/study.html)
    message(FATAL_ERROR "No pages in ${SHORTFALL_PAGES}; first run: "
      "scripts/build.sh release shortfall_pages")
  endif()
  return()
endif()
find_program(NPM npm)
find_program(NODE node)
if(NOT NPM OR NOT NODE)
  message(FATAL_ERROR "The HTML pages need npm and Node 18 or later. Install them (scripts/setup.sh, "
    "or: apt-get install nodejs npm), or set SHORTFALL_PAGES to a folder with pages that were built "
    "elsewhere. The library alone needs neither: -DSHORTFALL_BUILD_APPS=OFF -DSHORTFALL_BUILD_PYTHON=OFF")
endif()
set(SHORTFALL_WEB ${PROJECT_BINARY_DIR}/web)
set(SHORTFALL_PAGES ${SHORTFALL_WEB}/pages)

set(web ${PROJECT_SOURCE_DIR}/web)
set(npm_files ${web}/package.json ${web}/package-lock.json ${web}/.npmrc)
set(npm_done ${SHORTFALL_WEB}/node_modules/.package-lock.json)
add_custom_command(OUTPUT ${npm_done}
  COMMAND ${CMAKE_COMMAND} -E copy ${npm_files} ${SHORTFALL_WEB}
  COMMAND ${NPM} ci --loglevel=error --prefer-offline
  COMMAND ${CMAKE_COMMAND} -E touch ${npm_done}
  DEPENDS ${npm_files}
  WORKING_DIRECTORY ${SHORTFALL_WEB}
  COMMENT "Installing the pages' npm packages" VERBATIM)

file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE ${web}
  ${web}/build.mjs ${web}/draw.mjs ${web}/headless/* ${web}/src/* ${web}/tests/*)
set(copies)
foreach(source IN LISTS sources)
  add_custom_command(OUTPUT ${SHORTFALL_WEB}/${source}
    COMMAND ${CMAKE_COMMAND} -E copy ${web}/${source} ${SHORTFALL_WEB}/${source}
    DEPENDS ${web}/${source} VERBATIM)
  list(APPEND copies ${SHORTFALL_WEB}/${source})
endforeach()
set(pages ${SHORTFALL_PAGES}/report.html ${SHORTFALL_PAGES}/plan.html ${SHORTFALL_PAGES}/study.html)
add_custom_command(OUTPUT ${pages}
  COMMAND ${NODE} build.mjs ${SHORTFALL_PAGES}
  DEPENDS ${npm_done} ${copies}
  WORKING_DIRECTORY ${SHORTFALL_WEB}
  COMMENT "Bundling the pages" VERBATIM)
add_custom_target(shortfall_pages DEPENDS ${pages} ${copies})
