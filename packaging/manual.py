"""Writes what is installed beside the command and made from its own grammar:

manual.py BINARY CHANGELOG OUT

OUT/man1/*.1.gz (one page for the program, and for each command and group), OUT/bash/shortfall and
OUT/zsh/_shortfall. The pages have the date of the newest entry of the Debian changelog, so that the
same sources give the same bytes.
"""

from __future__ import annotations

import gzip
import re
import shutil
import sys
from email.utils import parsedate_to_datetime
from pathlib import Path

import completions

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "docs" / "site"))
from command_text import (  # noqa: E402
    Code,
    Entry,
    Section,
    command_sections,
    group_sections,
    members,
    page_name,
    program_sections,
    read_grammar,
)

DOCUMENTS = "/usr/share/doc/shortfall"  # where packages have the folder examples


def roff(text: str) -> str:
    """Words as roff shows them: a hyphen can be copied, and no line is taken for a request."""
    text = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def installed(text: str) -> str:
    """Names of examples as a reader finds them, whatever the current folder."""
    return re.sub(r"(?<![\w/])examples/", DOCUMENTS + "/examples/", text)


def tag(text: str) -> str:
    name, _, value = text.partition(" ")
    if name.endswith("(1)"):
        return f".BR {roff(name[:-3])} (1)"
    if value and name.startswith("--"):
        return f'.BI {roff(name)} " {value}"'
    return f"{'.I' if text.isupper() else '.B'} {roff(text)}"


def section_lines(title: str, blocks: list) -> list[str]:
    lines = [f".SH {roff(title.upper())}"]
    for number, block in enumerate(blocks):
        if isinstance(block, Entry):
            lines += [".TP", tag(block.tag), roff(installed(block.meaning))]
            lines += [roff(block.facts)] if block.facts else []
        elif title == "Synopsis":
            words = block.lines[0].split(" ")
            bold = [word for word in words if re.fullmatch(r"[a-z]+", word)]
            rest = roff(" ".join(words[len(bold) :]))
            lines.append(f'.BI "{" ".join(bold)} " "{rest}"')
        elif isinstance(block, Code):
            if any("examples/" in line for line in block.lines):
                lines += [roff(f"The folder examples is in {DOCUMENTS}."), ".PP"]
            lines += [".nf", *map(roff, block.lines), ".fi"]
        else:
            lines += ([".PP"] if number else []) + [roff(block)]
    return lines


def page(grammar: dict, name: str, purpose: str, date: str, sections: list[Section]) -> str:
    version = f"{grammar['program']} {grammar['version']}"
    title = page_name(grammar, name)
    short = " ".join(purpose.split()).rstrip(".")
    lines = [f'.TH {roff(title.upper())} 1 "{date}" "{version}" "User Commands"', ".SH NAME"]
    lines.append(f"{roff(title)} \\- {roff(short[:1].lower() + short[1:])}")
    for section in sections:
        lines += section_lines(*section)
    above = [" ".join(name.split()[:count]) for count in range(len(name.split()))]
    others = above or [each["name"] for each in members(grammar, "")]
    related = [f".BR {roff(page_name(grammar, other))} (1)" for other in others]
    lines += [".SH SEE ALSO", *(each + " ," for each in related[:-1]), related[-1]]
    return "\n".join(lines) + "\n"


def pages(grammar: dict, date: str) -> dict[str, str]:
    """By file name."""
    short = grammar["purpose"].split(":")[0]
    made = {"": page(grammar, "", short, date, program_sections(grammar))}
    for makes, parts in ((group_sections, "groups"), (command_sections, "commands")):
        for part in grammar[parts]:
            name = part["name"]
            made[name] = page(grammar, name, part["purpose"], date, makes(grammar, part))
    return {f"{page_name(grammar, name)}.1": text for name, text in made.items()}


def newest_date(changelog: str) -> str:
    line = re.search(r"^ -- .*>  (.*)$", changelog, re.MULTILINE)
    if not line:
        raise SystemExit("manual: the changelog has no line ' -- NAME <ADDRESS>  DATE'")
    return parsedate_to_datetime(line.group(1)).date().isoformat()


def main(binary: str, changelog: str, output: str) -> None:
    grammar = read_grammar(binary)
    out = Path(output)
    for folder in ("man1", "bash", "zsh"):
        shutil.rmtree(out / folder, ignore_errors=True)
        (out / folder).mkdir(parents=True)
    date = newest_date(Path(changelog).read_text(encoding="utf-8"))
    for name, text in pages(grammar, date).items():
        (out / "man1" / f"{name}.gz").write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    program = grammar["program"]
    (out / "bash" / program).write_text(completions.bash(grammar), encoding="utf-8")
    (out / "zsh" / f"_{program}").write_text(completions.zsh(grammar), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
