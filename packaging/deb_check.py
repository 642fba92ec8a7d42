"""Checks what the Debian packages contain and need, and prints their sizes: deb_check.py FOLDER"""

from __future__ import annotations

import gzip
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import elf

ROOT = Path(__file__).resolve().parents[1]
EVERYWHERE = ["copyright", "changelog.gz", "changelog.Debian.gz"]
# Files that must be there, and packages that it must depend on.
EXPECTED = {
    "shortfall": (
        [
            "usr/bin/shortfall",
            "usr/share/man/man1/shortfall.1.gz",
            "usr/share/man/man1/shortfall-inventory-solve.1.gz",
            "usr/share/bash-completion/completions/shortfall",
            "usr/share/zsh/vendor-completions/_shortfall",
            "usr/share/doc/shortfall/examples/platelets.toml",
            "usr/share/doc/shortfall/pages-licences.gz",
        ],
        ["libc6", "libstdc++6", "libtbb12", "libfmt9", "libnlopt0", "libdeflate0", "libsimdjson14"],
    ),
    "libshortfall-dev": (
        [
            "usr/lib/libshortfall.a",
            "usr/include/shortfall/shortfall.hpp",
            "usr/lib/cmake/shortfall/shortfall-config.cmake",
        ],
        ["libeigen3-dev", "libtbb-dev", "libfmt-dev", "libpcg-cpp-dev"],
    ),
    "python3-shortfall": (
        [
            "usr/lib/python3/dist-packages/shortfall/py.typed",
            *(
                f"usr/lib/python3/dist-packages/{module.relative_to(ROOT / 'python')}"
                for module in sorted((ROOT / "python" / "shortfall").rglob("*.py"))
            ),
        ],
        ["python3", "python3-numpy", "libc6", "libtbb12"],
    ),
}
# What only some of its options need.
SUGGESTED = {"python3-shortfall": ["python3-matplotlib"]}
# A package has files only in these folders.
FOLDERS = {
    "shortfall": r"usr/bin/shortfall$|usr/share/(man/man1|bash-completion|zsh|doc/shortfall)/",
    "libshortfall-dev": r"usr/include/shortfall/|usr/lib/(libshortfall\.a$|cmake/shortfall/)"
    r"|usr/share/doc/libshortfall-dev/",
    "python3-shortfall": r"usr/lib/python3/dist-packages/shortfall"
    r"|usr/share/doc/python3-shortfall/",
}


def field(package: Path, name: str) -> str:
    return subprocess.run(
        ["dpkg-deb", "--field", str(package), name], check=True, stdout=subprocess.PIPE, text=True
    ).stdout.strip()


def faults_of_contents(name: str, root: Path, version: str) -> list[str]:
    faults = []
    wanted = EXPECTED[name][0] + [f"usr/share/doc/{name}/{each}" for each in EVERYWHERE]
    faults += [f"{path} is missing" for path in wanted if not (root / path).is_file()]
    for path in sorted(each for each in root.rglob("*") if each.is_file()):
        place = str(path.relative_to(root))
        if not re.match(FOLDERS[name], place):
            faults.append(f"{place} is in an unexpected folder")
        if str(ROOT).encode() in path.read_bytes():
            faults.append(f"{place} contains the path of the build")
        if path.suffix != ".a" and elf.is_elf(path) and elf.search_path(path):
            faults.append(f"{place} looks for libraries in {elf.search_path(path)}")
    changelog = root / "usr/share/doc" / name / "changelog.Debian.gz"
    if changelog.is_file():
        first = gzip.decompress(changelog.read_bytes()).decode().splitlines()[0]
        if f"({version})" not in first:
            faults.append(f"version {version}, but packaging/changelog begins with: {first}")
    return faults


def faults_of_description(text: str) -> list[str]:
    """The first line is for lists of packages; the text below it begins a sentence of its own."""
    first, _, rest = text.partition("\n")
    subject = first.split(":")[0].lower()
    if not rest:
        return ["the description is one line"]
    return ["the description repeats its first line"] if subject in rest.lower() else []


def names_in(package: Path, relation: str) -> set[str]:
    listed = field(package, relation).replace("|", ",").split(",")
    return {each.split()[0] for each in listed if each.strip()}


def faults_of(package: Path, name: str) -> list[str]:
    depends, suggests = names_in(package, "Depends"), names_in(package, "Suggests")
    faults = [f"does not depend on {each}" for each in EXPECTED[name][1] if each not in depends]
    faults += [
        f"does not suggest {each}" for each in SUGGESTED.get(name, []) if each not in suggests
    ]
    description = field(package, "Description")
    faults += faults_of_description(description)
    if not faults_of_description(description.replace("\n", "\n " + description + "\n", 1)):
        faults.append("a repeated description was not noticed")
    with tempfile.TemporaryDirectory() as place:
        root = Path(place)
        subprocess.run(["dpkg-deb", "--extract", str(package), place], check=True)
        faults += faults_of_contents(name, root, field(package, "Version"))
        # The checks can fail: with a file too few, another version and a path of the build.
        (root / EXPECTED[name][0][0]).write_text(str(ROOT))
        (root / "usr/share/doc" / name / "copyright").unlink(missing_ok=True)
        if len(faults_of_contents(name, root, "0")) < len(faults) + 3:
            faults.append("spoiled contents were not noticed")
    return faults


def main(folder: str) -> int:
    packages = {field(path, "Package"): path for path in sorted(Path(folder).glob("*.deb"))}
    faults = [f"there is no package {name}" for name in EXPECTED if name not in packages]
    for name, path in packages.items():
        faults += [f"{path.name}: {fault}" for fault in faults_of(path, name)]
    for path in sorted(Path(folder).iterdir()):
        print(f"{path.stat().st_size / 1024:8.0f} KiB  {path.name}")
    print("\n".join(faults) or f"{len(packages)} Debian packages have and need what they should")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
