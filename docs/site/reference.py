"""Makes the pages of docs/reference from the command's grammar, the headers and the Python package.

    reference.py BINARY PACKAGE            writes them
    reference.py BINARY PACKAGE --check    compares them with the files, exits with 1 if one differs

Some pages are made as a whole; in others, what is between <!-- NAME --> and <!-- /NAME --> is.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import command_text
import cpp_pages
import documents
import python_pages
from command_text import Code, Entry

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = ROOT / "docs" / "reference"
MADE = ("commands", "python")  # folders that have no other pages


def escaped(text: str) -> str:
    """Words of a help text as Markdown: options and patterns as code."""
    text = re.sub(r"([\\*<>_\[\]])", r"\\\1", " ".join(text.split()))
    return re.sub(r"(?<![\w`])(--[a-z][a-z-]*)", r"`\1`", text)


def block_lines(block: object) -> list[str]:
    if isinstance(block, Code):
        return ["```sh", *block.lines, "```", ""]
    if isinstance(block, Entry):
        if block.tag == "-h, --help":  # every command has it
            return []
        facts = [f"  *{escaped(block.facts)}*"] if block.facts else []
        return [f"- `{block.tag}`\\", f"  {escaped(block.meaning)}", *facts]
    return [escaped(str(block)), ""]


def section_lines(title: str, blocks: list) -> list[str]:
    heading = [] if title in ("Synopsis", "Description") else [f"## {title}", ""]
    lines = [line for block in blocks for line in block_lines(block)]
    return [*heading, *lines, *([""] if lines[-1] else [])]


def command_page(grammar: dict, command: dict, keys: list[str]) -> str:
    lines = [f"# {grammar['program']} {command['name']}", "", f"{command['purpose']}.", ""]
    for title, blocks in command_text.command_sections(grammar, command):
        if title not in ("Exit status", "JSON document" if keys else ""):  # the same for all
            lines += section_lines(title, blocks)
    return "\n".join([*lines, "## JSON document", "", *keys] if keys else lines)


def command_rows(grammar: dict) -> list[str]:
    rows = ["| command | purpose |", "|---|---|"]
    for command in grammar["commands"]:
        link = f"[`{command['name']}`](commands/{command['name'].replace(' ', '_')}.md)"
        rows.append(f"| {link} | {command['purpose']} |")
    return rows


def plan_lines(grammar: dict) -> list[str]:
    tables = dict.fromkeys(key["key"].split(".")[0] for key in grammar["configuration"])
    lines = []
    for table in tables:
        lines += section_lines(f"[{table}]", command_text.key_entries(grammar, f"{table}."))
    return lines


def loss_lines(losses: list[dict]) -> list[str]:
    lines = []
    for loss in losses:
        least, most = loss["slope_min"], loss["slope_max"]
        largest = "∞" if most is None else f"{most:g}"
        slopes = f"slope {least:g}" if least == most else f"slopes {least:g} to {largest}"
        lines += [
            f"- `{loss['spelling']}`: ℓ(x) = {escaped(loss['formula'])}\\",
            f"  *For example `{loss['example']}`: {slopes}; {loss['curvature_negative']} below 0, "
            f"{loss['curvature_positive']} above.*",
        ]
    return lines


def filled(page: str, **parts: list[str]) -> str:
    """A page with these lines between its comments."""
    text = (REFERENCE / page).read_text(encoding="utf-8")
    for name, lines in parts.items():
        opening, closing = f"<!-- {name} -->\n", f"\n<!-- /{name} -->"
        before, _, rest = text.partition(opening)
        if closing not in rest:
            raise SystemExit(f"{page}: no {opening.strip()} with {closing.strip()}")
        text = before + opening + "\n".join(["", *lines, ""]) + closing + rest.partition(closing)[2]
    return text


def pages(binary: str, package: str) -> dict[str, str]:
    """By name within docs/reference."""
    grammar = command_text.read_grammar(binary)
    losses = subprocess.run([binary, "losses", "--json"], check=True, stdout=subprocess.PIPE)
    sections = documents.read_documents(REFERENCE / "documents.toml", grammar)
    keys = {name: documents.key_lines(document) for name, document in sections.items()}
    modules, module_rows = python_pages.pages(ROOT / "python" / "shortfall", package)
    made = {
        f"commands/{command['name'].replace(' ', '_')}.md": command_page(
            grammar, command, keys.get(command["name"], [])
        )
        for command in grammar["commands"]
    }
    made |= {f"python/{name}.md": text for name, text in modules.items()}
    codes = [f"| {each['code']} | {escaped(each['meaning'])} |" for each in grammar["exit_codes"]]
    codes = ["| exit code | meaning |", "|---|---|", *codes]
    made["commands.md"] = filled("commands.md", COMMANDS=command_rows(grammar), CODES=codes)
    made["configuration.md"] = filled("configuration.md", KEYS=plan_lines(grammar))
    losses_of_command = json.loads(losses.stdout)["losses"]
    made["losses.md"] = filled("losses.md", LOSSES=loss_lines(losses_of_command))
    made["documents.md"] = filled("documents.md", KEYS=documents.page_lines(sections))
    made["python.md"] = filled("python.md", MODULES=module_rows)
    made["cpp.md"] = filled("cpp.md", HEADERS=cpp_pages.index_lines(ROOT / "include"))
    return {name: re.sub(r"\n{3,}", "\n\n", text).rstrip() + "\n" for name, text in made.items()}


def main(binary: str, package: str, *options: str) -> int:
    made = pages(binary, package)
    stored = {f"{folder}/{path.name}" for folder in MADE for path in (REFERENCE / folder).glob("*")}
    stale = sorted(stored - set(made))
    for name, text in made.items():
        path = REFERENCE / name
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(name)
        if "--check" not in options:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
    if "--check" in options:
        for name in stale:
            print(f"docs/reference/{name} is not current; run scripts/docs.sh --reference")
        print(f"{len(made)} pages, {len(stale)} to be made again")
        return 1 if stale else 0
    for name in stored - set(made):
        (REFERENCE / name).unlink()
    print(f"{len(made)} pages, {len(stale)} changed")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
