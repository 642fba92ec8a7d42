# A program of one's own, against the installed library.
apt-get update -qq
apt-get install -qq --no-install-recommends ./libshortfall-dev_*.deb cmake g++ make
mkdir program
cd program
cp /usr/share/doc/libshortfall-dev/examples/risk_attitudes.cpp .
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(program LANGUAGES CXX)
find_package(shortfall REQUIRED)
add_executable(risk_attitudes risk_attitudes.cpp)
target_link_libraries(risk_attitudes PRIVATE shortfall::shortfall fmt::fmt)
END
cmake -S . -B build -DCMAKE_BUILD_TYPE=Release
cmake --build build
build/risk_attitudes
build/risk_attitudes | grep '^expectile 0.9: '
apt-get purge -qq libshortfall-dev
test ! -e /usr/include/shortfall
echo "library: compiled, linked and run"
