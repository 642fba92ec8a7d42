"""What programs and libraries need of others, as readelf prints it."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path


def _readelf(option: str, path: Path) -> str:
    return subprocess.run(
        ["readelf", "--wide", option, str(path)], check=True, stdout=subprocess.PIPE, text=True
    ).stdout


def is_elf(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def needed(path: Path) -> list[str]:
    return re.findall(r"\(NEEDED\).*\[(.*)\]", _readelf("--dynamic", path))


def search_path(path: Path) -> str:
    found = re.search(r"\((?:RUNPATH|RPATH)\).*\[(.*)\]", _readelf("--dynamic", path))
    return found.group(1) if found else ""


def symbol_versions(path: Path) -> dict[str, tuple[int, ...]]:
    """The largest version of each of GLIBC, GLIBCXX, CXXABI and GCC that the file needs."""
    largest: dict[str, tuple[int, ...]] = {}
    needs = _readelf("--version-info", path).partition("Version needs section")[2]
    for name, numbers in re.findall(r"Name: (GLIBC|GLIBCXX|CXXABI|GCC)_([0-9.]+)", needs):
        version = tuple(int(number) for number in numbers.split("."))
        largest[name] = max(largest.get(name, ()), version)
    return largest
