"""Pages of the C++ reference: one per folder of include/shortfall, from the headers themselves."""

from __future__ import annotations

import re
from itertools import groupby
from pathlib import Path

from cpp_header import Declaration, Header, read_header

# In the order of the layers, with what a folder is for.
FOLDERS = {
    "risk": "Losses and the shortfall risk of a law",
    "mdp": "Models and chains",
    "dp": "Exact solutions",
    "theory": "Conditions and limits of learning",
    "features": "Feature maps",
    "learn": "Learners",
    "inventory": "Perishable stock",
    "formats": "Files",
    "checkpoint": "Checkpoints",
    "": "Errors, monitors and names",
}


def _prose(comment: list[str]) -> list[str]:
    """A comment as Markdown: paragraphs, with indented formulas as they are."""
    lines: list[str] = []
    in_formula = False
    for line in comment:
        is_formula = line.startswith("  ") and not re.match(r" +[-*0-9]", line)
        if is_formula != in_formula and lines and (in_formula or is_formula):
            lines.append("```" if in_formula else "")
            if is_formula:
                lines.append("```text")
            in_formula = is_formula
        elif is_formula and not lines:
            lines.append("```text")
            in_formula = True
        lines.append(line if is_formula else re.sub(r"([\\*_<>\[\]|])", r"\\\1", line))
    return lines + ["```"] if in_formula else lines


def _section(name: str, declarations: list[Declaration]) -> list[str]:
    lines = [f"### {name}", ""]
    for declaration in declarations:
        lines += [*_prose(declaration.comment), "", "```cpp", declaration.text, "```", ""]
    return lines


def _header_section(path: Path, header: Header) -> list[str]:
    lines = [f"## {path.name}", "", f"`#include <{path}>`", "", *_prose(header.contract), ""]
    for name, group in groupby(header.declarations, lambda each: each.name):
        lines += _section(name, list(group))
    return lines


def write_pages(include: Path, folder: Path) -> None:
    pages = folder / "cpp"
    pages.mkdir(exist_ok=True)
    rows = ["| headers | contents |", "|---|---|"]
    toc = ["```{toctree}", ":hidden:", ""]
    for name, title in FOLDERS.items():
        page = name or "base"
        lines = [f"# {title}", ""]
        for path in [
            *sorted((include / "shortfall" / name).glob("*.hpp")),
            *sorted((include / "shortfall" / name).glob("library/*.hpp")),
        ]:
            if path.name == "shortfall.hpp":  # includes the others
                continue
            header = read_header(path)
            if not header.declarations:
                raise ValueError(f"{path}: no declarations found")
            lines += _header_section(path.relative_to(include), header)
        (pages / f"{page}.md").write_text("\n".join(lines), encoding="utf-8")
        rows.append(f"| [`shortfall/{name}`](cpp/{page}.md) | {title} |")
        toc.append(f"cpp/{page}")
    index = folder / "cpp.md"
    text = index.read_text(encoding="utf-8")
    text = text.replace("<!-- FOLDERS -->", "\n".join(rows))
    index.write_text(text.replace("<!-- CONTENTS -->", "\n".join([*toc, "```"])), encoding="utf-8")
