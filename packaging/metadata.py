"""Writes the metadata by which Python and pip know an installed package, from pyproject.toml:

metadata.py SOURCE VERSION SITE_DIRECTORY
"""

from __future__ import annotations

import sys
from pathlib import Path


def main(source: str, version: str, site: str) -> None:
    import tomllib  # of Python 3.11, Debian 12's

    project = tomllib.loads((Path(source) / "pyproject.toml").read_text(encoding="utf-8"))[
        "project"
    ]
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {project['name']}",
        f"Version: {version}",
        f"Summary: {project['description']}",
        "License: MIT",
        f"Requires-Python: {project['requires-python']}",
    ]
    lines += [f"Requires-Dist: {each}" for each in project["dependencies"]]
    for extra, needed in project["optional-dependencies"].items():
        lines.append(f"Provides-Extra: {extra}")
        lines += [f"Requires-Dist: {each} ; extra == '{extra}'" for each in needed]
    folder = Path(site) / f"{project['name']}-{version}.dist-info"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "METADATA").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "INSTALLER").write_text("debian\n", encoding="utf-8")
    (folder / "top_level.txt").write_text(project["name"] + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
