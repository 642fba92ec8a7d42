# Build type, warnings and sanitizers, as interface targets that targets here link.
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

add_library(shortfall_compiler INTERFACE)
target_compile_options(shortfall_compiler INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor
  -Wold-style-cast -Woverloaded-virtual -Wimplicit-fallthrough
  $<$<BOOL:${SHORTFALL_WARNINGS_AS_ERRORS}>:-Werror>)

# What is shipped, the library and the command, is compiled a second time with sanitizers. Tests are
# compiled once and linked with either: it is the library that they watch, and half of the compile
# time is theirs.
add_library(shortfall_sanitizers INTERFACE)
if(SHORTFALL_SANITIZE)
  # These checks are a third of the compile time. What they find, the address sanitizer or the
  # compiler's warnings find too; misaligned reads our processors tolerate, except in aligned vector
  # loads, which trap.
  set(spared null alignment object-size vptr return pointer-overflow nonnull-attribute
             returns-nonnull-attribute)
  list(JOIN spared "," spared)
  # Under sanitizers GCC 12 takes correct inlined library code for reads of uninitialised memory.
  target_compile_options(shortfall_sanitizers INTERFACE
    -fsanitize=${SHORTFALL_SANITIZE} -fno-sanitize=${spared} -fno-sanitize-recover=all
    -fno-omit-frame-pointer -O1 -g1 -Wno-maybe-uninitialized)
  target_link_options(shortfall_sanitizers INTERFACE -fsanitize=${SHORTFALL_SANITIZE})
  # Eigen would allocate in another way where it sees the address sanitizer; tests must agree.
  target_compile_definitions(shortfall_sanitizers INTERFACE EIGEN_MALLOC_ALREADY_ALIGNED=1)
endif()
