"""What the reference and the manual pages say of commands, as sections of text: from
`shortfall --grammar` and from descriptions.md.
"""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Union


@dataclass(frozen=True)
class Entry:
    """An option, an argument or a key, as it is written; its meaning, and what else is known."""

    tag: str
    meaning: str
    facts: str = ""


@dataclass(frozen=True)
class Code:
    lines: list[str]


Section = tuple[str, list[Union[str, Entry, Code]]]  # a title, and paragraphs or others


def read_grammar(binary: str) -> dict:
    answer = subprocess.run([binary, "--grammar"], check=True, stdout=subprocess.PIPE)
    return json.loads(answer.stdout)


def ended(text: str) -> str:
    return " ".join(text.split()).rstrip(".") + "."


def sentence(text: str) -> str:
    return text[:1].upper() + ended(text)[1:]


def _paragraphs(text: str) -> list[str]:
    return [" ".join(part.split()) for part in re.split(r"\n\s*\n", text.strip()) if part.strip()]


def _descriptions() -> dict[str, list[Section]]:
    """By command, group or program."""
    text = Path(__file__).with_name("descriptions.md").read_text(encoding="utf-8")
    sections = {}
    for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        name, *pieces = re.split(r"^(?:### )?(.*)\n\n", part, maxsplit=1)[1:]
        titled = re.split(r"^### (.*)\n", "### Description\n" + pieces[0], flags=re.MULTILINE)[1:]
        sections[name] = [(a, _paragraphs(b)) for a, b in zip(titled[::2], titled[1::2])]
    return sections


@dataclass
class Notes:
    """The end of a help text: paragraphs, the keys of the JSON document, and examples."""

    text: list[str]
    keys: str
    examples: list[str]

    @staticmethod
    def of(footer: str) -> Notes:
        notes = Notes([], "", [])
        for paragraph in _paragraphs(footer):
            label, _, rest = paragraph.partition(": ")
            if label == "JSON":
                notes.keys = rest
            elif label == "Example":
                begins = r"(?<!\|) (?=(?:shortfall|printf|mpirun) )"
                notes.examples = re.split(begins, rest.replace(" \\ ", " "))
            else:
                notes.text.append(paragraph)
        return notes


def _facts(option: dict) -> str:
    """What the grammar knows of an option and its meaning does not say."""
    facts = ["required"] if option["required"] else []
    if option["repeatable"] and not re.search(r"\b(repeat|twice|or more)", option["meaning"]):
        facts.append("may be repeated")
    if isinstance(option["accepted"], list):
        facts.append("one of " + ", ".join(option["accepted"]))
    elif option["accepted"]:
        facts.append(re.sub(r"^\w+ in \[(\S+) - (\S+)\]$", r"from \1 to \2", option["accepted"]))
    if option["default"] is not None:
        facts.append(f"default: {option['default'].removeprefix('[').removesuffix(']')}")
    if option["excludes"]:
        facts.append("not with " + ", ".join(option["excludes"]))
    return sentence("; ".join(facts)) if facts else ""


def entries(options: list[dict]) -> list[Entry]:
    listed = [option for option in options if option["listed"]]
    return [Entry(_tag(each), ended(each["meaning"]), _facts(each)) for each in listed]


def _tag(option: dict) -> str:
    name = option["name"]
    if not name.startswith("-"):
        return name.upper()
    if name == "--help":  # its short form is not in the grammar
        return "-h, --help"
    return name if option["type"] is None else f"{name} {option['type']}"


def key_entries(grammar: dict, table: str = "") -> list[Entry]:
    """The keys of a plan, or of one of its tables, without its name."""
    found = []
    for key in grammar["configuration"]:
        if key["key"].startswith(table):
            absent = key["absent"]
            without = absent if absent.startswith("required") else f"without it: {absent}"
            # TOML's words are written as they are.
            accepted = re.sub("^true or", "either true or", key["accepted"])
            name = key["key"].removeprefix(table)
            facts = sentence(f"{accepted}; {without}")
            found.append(Entry(name, sentence(key["meaning"]), facts))
    return found


def members(grammar: dict, group: str) -> list[dict]:
    """The commands of a group; for an empty name, those of none, and the groups."""
    if group:
        return [c for c in grammar["commands"] if c["name"].startswith(group + " ")]
    return [c for c in grammar["commands"] if " " not in c["name"]] + grammar["groups"]


def synopsis(grammar: dict, command: dict) -> str:
    words = [grammar["program"], command["name"]]
    words += [f"{o['name']} {o['type']}" for o in command["options"] if o["required"]]
    words.append("[OPTION]...")
    for argument in command["arguments"]:
        name = argument["name"].upper()
        dots = "..." if argument["repeatable"] else ""
        words.append((name if argument["required"] else f"[{name}]") + dots)
    return " ".join(words)


def exit_status(grammar: dict) -> Section:
    codes = grammar["exit_codes"]
    return ("Exit status", [Entry(str(each["code"]), ended(each["meaning"])) for each in codes])


def command_sections(grammar: dict, command: dict) -> list[Section]:
    notes = Notes.of(command["notes"])
    described = _descriptions().get(command["name"])
    (_, first), *others = described or [("Description", [sentence(command["purpose"])])]
    sections: list[Section] = [
        ("Synopsis", [Code([synopsis(grammar, command)])]),
        ("Description", [*first, *notes.text]),
        ("Arguments", [*entries(command["arguments"])]),
        ("Options", [*entries(command["options"])]),
    ]
    if notes.keys:
        keys = f"With --json, the document has {notes.keys}"
        sections.append(("JSON document", [sentence(keys)]))
    sections += [*others, exit_status(grammar), ("Examples", [Code(notes.examples)])]
    return [(title, blocks) for title, blocks in sections if blocks]


def group_sections(grammar: dict, group: dict) -> list[Section]:
    """The only group works on plans, whose keys are explained here."""
    program, name = grammar["program"], group["name"]
    help_option = [option for option in grammar["options"] if option["name"] == "--help"]
    return [
        ("Synopsis", [Code([f"{program} {name} COMMAND [OPTION]..."])]),
        *_descriptions()[name],
        ("Commands", _command_entries(grammar, name)),
        ("Options", [*entries(help_option)]),
        ("Keys of a plan", [*key_entries(grammar)]),
        ("Examples", [Code(Notes.of(group["notes"]).examples)]),
    ]


def program_sections(grammar: dict) -> list[Section]:
    program = grammar["program"]
    (_, described), *others = _descriptions()[program]
    purpose = " ".join(grammar["purpose"].split())
    return [
        ("Synopsis", [Code([f"{program} COMMAND [OPTION]..."])]),
        ("Description", [purpose, *described]),
        *others,
        ("Commands", _command_entries(grammar, "")),
        ("Options", [*entries(grammar["options"])]),
        ("Losses", ["A loss acts on costs: larger is worse. Accepted:", Code(grammar["losses"])]),
        exit_status(grammar),
    ]


def _command_entries(grammar: dict, group: str) -> list:
    return [
        Entry(f"{page_name(grammar, each['name'])}(1)", sentence(each["purpose"]))
        for each in members(grammar, group)
    ]


def page_name(grammar: dict, command: str) -> str:
    return "-".join([grammar["program"], *command.split()])
