"""Checks that a wheel needs what its tag promises and no more: wheel_check.py WHEEL

Every library that a file of it needs is in the wheel, where the file looks for it, or in the C and
C++ runtime; no symbol is newer than the platform of the tag; nothing is looked for in other places;
every copied library has its licence; and every module of python/shortfall is there.
"""

from __future__ import annotations

import sys
import tempfile
import zipfile
from pathlib import Path

import elf

PLATFORM = "manylinux_2_36_x86_64"  # Debian 12
# What that platform has, and every system with Python.
RUNTIME = {
    *("libc.so.6", "libm.so.6", "libstdc++.so.6", "libgcc_s.so.1"),
    *("ld-linux-x86-64.so.2", "libpthread.so.0", "libdl.so.2", "librt.so.1"),
}
NEWEST = {"GLIBC": (2, 36), "GLIBCXX": (3, 4, 30), "CXXABI": (1, 3, 13), "GCC": (12, 0, 0)}


def faults_of_file(path: Path, root: Path, newest: dict[str, tuple[int, ...]]) -> list[str]:
    faults = []
    name = path.relative_to(root)
    places = [
        place.replace("$ORIGIN", str(path.parent))
        for place in elf.search_path(path).split(":")
        if place
    ]
    for place in places:
        if not Path(place).resolve().is_relative_to(root.resolve()):
            faults.append(f"{name} looks for libraries in {place}")
    for library in elf.needed(path):
        if library not in RUNTIME and not any(Path(place, library).exists() for place in places):
            faults.append(f"{name} needs {library}, which is not in the wheel")
    for symbols, version in elf.symbol_versions(path).items():
        if version > newest[symbols]:
            numbers = ".".join(map(str, version))
            faults.append(f"{name} needs {symbols}_{numbers}, which {PLATFORM} does not promise")
    return faults


def faults_of(root: Path, newest: dict[str, tuple[int, ...]]) -> tuple[list[str], int]:
    files = [path for path in sorted(root.rglob("*")) if path.is_file() and elf.is_elf(path)]
    faults = [fault for path in files for fault in faults_of_file(path, root, newest)]
    if not files:
        faults.append("the wheel has no compiled module")
    libraries = list((root / "shortfall.libs").glob("*"))
    licences = list(root.glob("*.dist-info/licenses/lib*.txt"))
    if len(licences) < len(libraries):
        faults.append(f"{len(libraries)} libraries, but {len(licences)} licences")
    source = Path(__file__).resolve().parents[1] / "python"
    for module in sorted((source / "shortfall").rglob("*.py*")):
        if module.suffix in (".py", ".pyi") and not (root / module.relative_to(source)).exists():
            faults.append(f"{module.relative_to(source)} is not in the wheel's modules")
    return faults, len(files)


def main(wheel: str) -> int:
    with tempfile.TemporaryDirectory() as place, zipfile.ZipFile(wheel) as archive:
        archive.extractall(place)
        root = Path(place)
        faults, files = faults_of(root, NEWEST)
        if not wheel.endswith(f"-{PLATFORM}.whl"):
            faults.append(f"{wheel} is not tagged {PLATFORM}")
        # The checks can fail: with an older platform, and without a library.
        if not faults_of(root, dict(NEWEST, GLIBC=(2, 2)))[0]:
            faults.append("a symbol that is too new was not noticed")
        next((root / "shortfall.libs").iterdir()).unlink()
        if not any("not in the wheel" in fault for fault in faults_of(root, NEWEST)[0]):
            faults.append("a missing library was not noticed")
    print(
        "\n".join(faults)
        or f"{Path(wheel).name}: {files} compiled files need only the C and C++ runtime"
    )
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
