"""Makes a wheel that needs nothing but NumPy and the C and C++ runtime: wheel.py SOURCE TREE OUT

The module comes from the CMake build tree TREE. Shared libraries that it needs are copied beside the
package under names of their own, so that another library of the same name in the process is no
matter, with the licences of all that is compiled or copied in. The wheel's tag names the oldest
runtime that has every symbol it needs (PEP 600).
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import elf
import wheel_check

# Debian packages whose code is compiled into the module.
COMPILED_IN = (
    *("libboost-dev", "libdeflate-dev", "libeigen3-dev", "libfast-float-dev"),
    *("libpcg-cpp-dev", "libtomlplusplus-dev", "nlohmann-json3-dev", "pybind11-dev"),
)


def run(*command: object, **options) -> str:
    return subprocess.run(
        [str(word) for word in command], check=True, stdout=subprocess.PIPE, text=True, **options
    ).stdout


def build(source: Path, tree: Path, scratch: Path) -> Path:
    """The contents of the wheel as setuptools makes it, unpacked."""
    environment = dict(os.environ, SHORTFALL_BUILD_TREE=str(tree), SHORTFALL_PORTABLE="1")
    base = scratch / "base"
    base.mkdir()
    setup = [sys.executable, "-B", "setup.py", "-q", "egg_info", "--egg-base", base]
    places = ["--bdist-dir", scratch / "bdist", "--dist-dir", scratch]
    wheel = ["bdist_wheel", *places, "--plat-name", wheel_check.PLATFORM]
    run(*setup, "build", "--build-base", base, *wheel, cwd=source, env=environment)
    (made,) = scratch.glob("*.whl")
    run(sys.executable, "-m", "wheel", "unpack", "--dest", scratch / "unpacked", made)
    (contents,) = (scratch / "unpacked").iterdir()
    return contents


def located(path: Path) -> dict[str, Path]:
    """Where the loader finds what `path` needs, on this machine."""
    pairs = re.findall(r"^\s*(\S+) => (/\S+)", run("ldd", path), re.MULTILINE)
    return {name: Path(place) for name, place in pairs}


def copy_libraries(contents: Path) -> list[Path]:
    """Copies them, and returns where they came from."""
    (module,) = (contents / "shortfall").glob("_core*.so")
    folder = contents / "shortfall.libs"
    places = {
        name: place for name, place in located(module).items() if name not in wheel_check.RUNTIME
    }
    copies = {}
    for name, place in sorted(places.items()):
        digest = hashlib.sha256(place.read_bytes()).hexdigest()[:8]
        stem, _, ending = name.partition(".so")
        copies[name] = f"{stem}-{digest}.so{ending}"
        folder.mkdir(exist_ok=True)
        shutil.copyfile(place.resolve(), folder / copies[name])
    for name, copy in copies.items():
        run("patchelf", "--set-soname", copy, folder / copy)
    for path in [module, *(folder / copy for copy in copies.values())]:
        for name in sorted(set(elf.needed(path)) & set(copies)):  # the order decides on bytes
            run("patchelf", "--replace-needed", name, copies[name], path)
        place = "$ORIGIN/../shortfall.libs" if path == module else "$ORIGIN"
        run("patchelf", "--set-rpath", place, path)
        path.chmod(0o644)
    return list(places.values())


def package_of(library: Path) -> str:
    for path in (library, library.resolve(), Path("/usr") / str(library).lstrip("/")):
        found = subprocess.run(
            ["dpkg-query", "-S", str(path)], check=False, capture_output=True, text=True
        )
        if found.returncode == 0:
            return found.stdout.split(":")[0]
    raise SystemExit(f"wheel: no Debian package has {library}, so that its licence is not known")


def copy_licences(contents: Path, packages: list[str], tree: Path) -> None:
    (information,) = contents.glob("*.dist-info")
    folder = information / "licenses"
    folder.mkdir()
    common = set()
    for package in packages:
        text = Path("/usr/share/doc", package, "copyright").read_bytes()
        (folder / f"{package}.txt").write_bytes(text)
        common |= set(
            re.findall(r"/usr/share/common-licenses/([A-Za-z0-9.-]*[A-Za-z0-9])", text.decode())
        )
    for name in sorted(common):
        shutil.copyfile(Path("/usr/share/common-licenses", name), folder / f"{name}.txt")
    shutil.copyfile(tree / "manual" / "pages-licences.gz", folder / "pages.txt.gz")


def main(source_folder: str, build_tree: str, output: str) -> None:
    source, tree, out = (Path(each).resolve() for each in (source_folder, build_tree, output))
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        contents = build(source, tree, Path(place))
        libraries = copy_libraries(contents)
        packages = sorted({package_of(each) for each in libraries} | set(COMPILED_IN))
        copy_licences(contents, packages, tree)
        run(sys.executable, "-m", "wheel", "pack", "--dest-dir", out, contents)


if __name__ == "__main__":
    main(*sys.argv[1:])
