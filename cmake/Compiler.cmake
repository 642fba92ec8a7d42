# Build type, warnings and sanitizers, as one interface target that every target here links.
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

add_library(shortfall_compiler INTERFACE)
target_compile_options(shortfall_compiler INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor
  -Wold-style-cast -Woverloaded-virtual -Wimplicit-fallthrough
  $<$<BOOL:${SHORTFALL_WARNINGS_AS_ERRORS}>:-Werror>)

if(SHORTFALL_SANITIZE)
  # Under sanitizers GCC 12 takes correct inlined library code for reads of uninitialised memory.
  target_compile_options(shortfall_compiler INTERFACE -Wno-maybe-uninitialized)
  add_compile_options(-fsanitize=${SHORTFALL_SANITIZE} -fno-sanitize-recover=all
    -fno-omit-frame-pointer -O1 -g1)
  add_link_options(-fsanitize=${SHORTFALL_SANITIZE})
endif()
