# The wheel in a virtual environment that has NumPy, on a system without the libraries it was built with.
apt-get update -qq
apt-get install -qq --no-install-recommends python3-venv python3-numpy binutils libc-bin
python3 -m venv --system-site-packages env
env/bin/pip install --no-index ./shortfall-*.whl
for library in libtbb12 libnlopt0 libfmt9 libhwy1 libsimdjson14 libdeflate0; do
  if dpkg-query -W "$library"; then
    echo "the root has $library, so that the wheel might need it"
    exit 1
  fi
done
module=$(echo env/lib/python3*/site-packages/shortfall/_core*.so)
ldd "$module"
if ldd "$module" | grep 'not found'; then exit 1; fi
env/bin/python solve.py
