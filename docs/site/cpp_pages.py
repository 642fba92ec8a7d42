"""Pages of the C++ reference: an index of what the headers declare, and for the site the headers
themselves, without bodies of functions and what is private or in a namespace `detail`.

Headers are formatted by clang-format and commented with ///, so declarations begin with a line.
"""

from __future__ import annotations

import re
from pathlib import Path

# Pages in the order of the layers: what they are about, and the folders of their headers.
PAGES = {
    "risk": ("Losses and the shortfall risk of a law", ["risk"]),
    "mdp": ("Models and chains", ["mdp"]),
    "dp": ("Exact solutions", ["dp"]),
    "theory": ("Conditions and limits of learning", ["theory"]),
    "features": ("Feature maps", ["features"]),
    "learn": ("Learners", ["learn"]),
    "inventory": ("Perishable stock", ["inventory"]),
    "formats": ("Files", ["formats"]),
    "checkpoint": ("Checkpoints", ["checkpoint"]),
    "base": ("Errors, monitors and names", ["errors", "memory", "monitor", "names", "numbers", "parallel"]),
}

_HIDDEN = (
    r"^#(?:pragma once|include [^\n]*)\n",
    r"^namespace detail \{\n[^{}]*\}\n",
    r"^namespace detail \{\n.*?^\}  // namespace detail\n",
    r"^( *) (?:private|protected):\n.*?(?=^\1 public:|^\1\};)",
)
_LINE_BODY = r"(\)(?: const| noexcept)*) \{ [^\n{}]*\}(?=$|  //)"
_BODY = (
    r"^( *)(?![/}]|namespace|class|struct|enum|concept|requires)"
    r"(\S[^\n;{}]*(?:\n\1 +[^\n;{}]*)*\)[a-z ]*) \{\n.*?^\1\}(?!;)"
)
_NAME = re.compile(
    r"(?:class|struct|enum class) (?:\[\[\w+\]\] )?(\w+)\b(?!;)"
    r"|(?:concept|using) (\w+) ="
    r"|(?:inline |static )*constexpr [^(=]*?(\w+)(?: =|\{)"
    r"|(?!requires|static_assert|extern|friend|using)[\w\[][^=(]*?\b(operator\S+?|\w+)\("
)


def shown(header: Path) -> str:
    text = header.read_text(encoding="utf-8")
    bodies = [(_BODY, r"\1\2;"), (_LINE_BODY, r"\1;")]
    for pattern, instead in [*((hidden, "") for hidden in _HIDDEN), *bodies]:
        text = re.sub(pattern, instead, text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"\n{2,}( *\};)|\n{3,}", lambda m: "\n" + (m[1] or "\n"), text).strip()


def names_in(text: str) -> list[str]:
    """What it declares for all, each name once."""
    lines = [line for line in text.split("\n") if not line.startswith(("template", "namespace"))]
    found = [match for match in map(_NAME.match, lines) if match]
    return list(dict.fromkeys(next(filter(None, match.groups())) for match in found))


def headers(include: Path) -> dict[str, list[Path]]:
    """Those that users may include, by page."""
    found: dict[str, list[Path]] = {page: [] for page in PAGES}
    page_of = {folder: page for page, (_, folders) in PAGES.items() for folder in folders}
    for path in sorted(include.rglob("*.hpp")):
        name = path.relative_to(include / "shortfall")
        if len(name.parts) == 1 or "detail" in name.parts:  # includes others, or belongs to them
            continue
        if name.parts[0] not in page_of:
            raise SystemExit(f"{path}: no page of docs/site/cpp_pages.py has this folder")
        if not names_in(shown(path)):
            raise SystemExit(f"{path}: no declarations found")
        found[page_of[name.parts[0]]].append(path)
    return found


def index_lines(include: Path) -> list[str]:
    """The headers to begin with, and every other with what it declares, in a list per page."""
    lines = []
    for path in sorted(include.glob("shortfall/*.hpp")):
        link = f"[{path.name}](../../include/shortfall/{path.name})"
        about = re.findall(r"^/// (.*)", shown(path).split("///\n")[0], flags=re.MULTILINE)
        lines.append(f"- {link}: {' '.join(about)}")
    lines.append("")
    for page, listed in headers(include).items():
        lines += [f"## {PAGES[page][0]}", ""]
        for path in listed:
            name = path.relative_to(include)
            declared = ", ".join(f"`{each}`" for each in names_in(shown(path)))
            lines.append(f"- [{name.relative_to('shortfall')}](../../include/{name}): {declared}")
        lines.append("")
    return lines[:-1]


def write_pages(include: Path, folder: Path) -> None:
    """For the site: the headers' own words, to which the index of `folder`/cpp.md leads."""
    index = folder / "cpp.md"
    text = index.read_text(encoding="utf-8")
    (folder / "cpp").mkdir(exist_ok=True)
    for page, listed in headers(include).items():
        lines = [f"# {PAGES[page][0]}", ""]
        for path in listed:
            name = path.relative_to(include)
            title = str(name.relative_to("shortfall"))
            lines += [f"## {title}", "", f"`#include <{name}>`", "", "```cpp", shown(path), "```", ""]
            anchor = re.sub(r"\W", "", title)
            text = text.replace(f"(../../include/{name})", f"(cpp/{page}.md#{anchor})")
        (folder / "cpp" / f"{page}.md").write_text("\n".join(lines), encoding="utf-8")
    index.write_text(text, encoding="utf-8")
