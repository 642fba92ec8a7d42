# A program of one's own, against the installed library.
apt-get update -qq
apt-get install -qq --no-install-recommends ./libshortfall-dev_*.deb cmake g++ make
mkdir program
cd program
cp /usr/share/doc/libshortfall-dev/examples/risk_attitudes.cpp ../CMakeLists.txt .
cmake -S . -B build -DCMAKE_BUILD_TYPE=Release
cmake --build build
build/risk_attitudes
build/risk_attitudes | grep '^expectile 0.9: '
apt-get purge -qq libshortfall-dev
test ! -e /usr/include/shortfall
echo "library: compiled, linked and run"
