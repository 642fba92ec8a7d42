# Sets SHORTFALL_HAS_MPI: whether shortfall-mpi is built.
set(SHORTFALL_HAS_MPI OFF)
if(NOT SHORTFALL_BUILD_APPS OR NOT SHORTFALL_BUILD_MPI)
  return()
endif()
enable_language(C)  # for FindMPI: the C++ interface of MPI was abandoned
find_package(MPI QUIET COMPONENTS C)
if(MPI_C_FOUND)
  set(SHORTFALL_HAS_MPI ON)
elseif(NOT SHORTFALL_BUILD_MPI STREQUAL AUTO)
  message(FATAL_ERROR "shortfall-mpi needs Open MPI. Install it (apt-get install libopenmpi-dev "
    "openmpi-bin), or leave the command out: -DSHORTFALL_BUILD_MPI=OFF")
endif()
