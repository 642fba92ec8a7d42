# Installs BUILD into an empty prefix, then configures, builds and runs CONSUMER against it.
set(prefix ${BUILD}/installed_package/prefix)
set(consumer_build ${BUILD}/installed_package/build)
file(REMOVE_RECURSE ${BUILD}/installed_package)

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
run(${CMAKE_COMMAND} -G Ninja -S ${CONSUMER} -B ${consumer_build} -DCMAKE_PREFIX_PATH=${prefix}
    -DCMAKE_BUILD_TYPE=Release)
run(${CMAKE_COMMAND} --build ${consumer_build})
run(${consumer_build}/consumer)
run(${prefix}/bin/shortfall --version)
