"""Manual pages from `shortfall --grammar`: shortfall(1), and one for each command and group."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from man_text import DESCRIPTIONS, DOCUMENTS, SECTIONS

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "docs" / "site"))
from help_notes import parts_of  # noqa: E402


def roff(text: str) -> str:
    """Words as roff shows them: a hyphen can be copied, and no line is taken for a request."""
    text = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def sentence(text: str) -> str:
    return roff(text.strip().rstrip(".") + ".")


def capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def installed(text: str) -> str:
    """Names of examples as a reader finds them, whatever the current folder."""
    return re.sub(r"(?<![\w/])examples/", DOCUMENTS + "/examples/", text)


def page_name(program: str, command: str) -> str:
    return "-".join([program, *command.split()])


class Page:
    def __init__(self, grammar: dict, command: str, purpose: str, date: str) -> None:
        name = page_name(grammar["program"], command)
        version = f"{grammar['program']} {grammar['version']}"
        self.lines = [f'.TH {roff(name.upper())} 1 "{date}" "{version}" "User Commands"']
        purpose = " ".join(purpose.split()).rstrip(".")
        self.section("NAME")
        self.lines.append(f"{roff(name)} \\- {roff(purpose[:1].lower() + purpose[1:])}")

    def section(self, title: str) -> None:
        self.lines.append(f".SH {roff(title)}")

    def paragraphs(self, texts: list[str]) -> None:
        for i, text in enumerate(texts):
            self.lines += ([".PP"] if i else []) + [roff(text)]

    def entry(self, tag: str, text: str) -> None:
        self.lines += [".TP", tag, text]

    def see_also(self, names: list[str]) -> None:
        self.section("SEE ALSO")
        pages = [f".BR {roff(name)} (1)" for name in names]
        self.lines += [page + " ," for page in pages[:-1]] + pages[-1:]

    def text(self) -> str:
        return "\n".join(self.lines) + "\n"


def accepted_by(option: dict) -> str:
    if isinstance(option["accepted"], list):
        return "one of " + ", ".join(option["accepted"])
    bounds = re.fullmatch(r"\w+ in \[(\S+) - (\S+)\]", option["accepted"] or "")
    return f"from {bounds.group(1)} to {bounds.group(2)}" if bounds else option["accepted"] or ""


def facts_of(option: dict) -> str:
    """What the grammar knows of an option and its meaning does not say."""
    facts = []
    if option["required"]:
        facts.append("required")
    if option["repeatable"] and not re.search(r"\b(repeat|twice|or more)", option["meaning"]):
        facts.append("may be repeated")
    if option["accepted"]:
        facts.append(accepted_by(option))
    if option["default"] is not None:
        facts.append(f"default: {option['default'].removeprefix('[').removesuffix(']')}")
    if option["excludes"]:
        facts.append("not with " + ", ".join(option["excludes"]))
    return sentence(capitalised("; ".join(facts))) if facts else ""


def add_options(page: Page, options: list[dict]) -> None:
    for option in options:
        if not option["listed"]:
            continue
        name = option["name"]
        if name == "--help":  # its short form is not in the grammar
            tag = f".B {roff('-h, --help')}"
        elif not name.startswith("-"):
            tag = f".I {roff(name.upper())}"
        elif option["type"] is None:
            tag = f".B {roff(name)}"
        else:
            tag = f'.BI {roff(name)} " {option["type"]}"'
        meaning = sentence(installed(option["meaning"]))
        page.entry(tag, "\n".join(filter(None, [meaning, facts_of(option)])))


def add_exit_status(page: Page, grammar: dict) -> None:
    page.section("EXIT STATUS")
    for each in grammar["exit_codes"]:
        page.entry(f".B {each['code']}", sentence(each["meaning"]))


def add_examples(page: Page, examples: list[str]) -> None:
    if examples:
        page.section("EXAMPLES")
        if any("examples/" in example for example in examples):
            page.paragraphs([f"The folder examples is in {DOCUMENTS}."])
            page.lines.append(".PP")
        page.lines += [".nf", *(roff(example) for example in examples), ".fi"]


def command_page(grammar: dict, command: dict, date: str) -> str:
    program = grammar["program"]
    text, keys, examples = parts_of(command["notes"])
    page = Page(grammar, command["name"], command["purpose"], date)
    page.section("SYNOPSIS")
    page.lines.append(f".B {program} {command['name']}")
    for option in command["options"]:
        if option["required"]:
            page.lines.append(f'.BI {roff(option["name"])} " {option["type"]}"')
    page.lines.append(".RI [ OPTION ]...")
    for argument in command["arguments"]:
        dots = "..." if argument["repeatable"] else ""
        name = argument["name"].upper()
        page.lines.append(f".I {name}{dots}" if argument["required"] else f".RI [ {name} ]{dots}")
    page.section("DESCRIPTION")
    page.paragraphs(DESCRIPTIONS.get(command["name"], [command["purpose"] + "."]) + text)
    if command["arguments"]:
        page.section("ARGUMENTS")
        add_options(page, command["arguments"])
    page.section("OPTIONS")
    add_options(page, command["options"])
    if keys:
        page.section("JSON DOCUMENT")
        page.lines.append(sentence(f"With --json, the document has {keys}"))
    for title, paragraphs in SECTIONS.get(command["name"], []):
        page.section(title)
        page.paragraphs(paragraphs)
    add_exit_status(page, grammar)
    add_examples(page, examples)
    group = command["name"].split()[:-1]
    page.see_also([program, *([page_name(program, group[0])] if group else [])])
    return page.text()


def add_commands(page: Page, program: str, commands: list[dict]) -> None:
    page.section("COMMANDS")
    for command in commands:
        page.entry(
            f".BR {roff(page_name(program, command['name']))} (1)", sentence(command["purpose"])
        )


def group_page(grammar: dict, group: dict, date: str) -> str:
    """The commands of a group. The only one works on plans, whose keys are explained here."""
    program = grammar["program"]
    members = [c for c in grammar["commands"] if c["name"].startswith(group["name"] + " ")]
    page = Page(grammar, group["name"], group["purpose"], date)
    page.section("SYNOPSIS")
    page.lines += [f".B {program} {group['name']}", ".I COMMAND", ".RI [ OPTION ]..."]
    page.section("DESCRIPTION")
    page.paragraphs(DESCRIPTIONS[group["name"]])
    add_commands(page, program, members)
    page.section("OPTIONS")
    add_options(page, [option for option in grammar["options"] if option["name"] == "--help"])
    page.section("KEYS OF A PLAN")
    for key in grammar["configuration"]:
        absent = key["absent"]
        without = absent if absent.startswith("required") else f"without it: {absent}"
        # TOML's words are written as they are.
        accepted = re.sub("^true or", "either true or", key["accepted"])
        page.entry(
            f".B {roff(key['key'])}",
            sentence(key["meaning"]) + "\n" + sentence(capitalised(f"{accepted}; {without}")),
        )
    add_examples(page, parts_of(group["notes"])[2])
    page.see_also([program])
    return page.text()


def program_page(grammar: dict, date: str) -> str:
    program = grammar["program"]
    short = grammar["purpose"].split(":")[0]
    page = Page(grammar, "", short, date)
    page.section("SYNOPSIS")
    page.lines += [f".B {program}", ".I COMMAND", ".RI [ OPTION ]..."]
    page.section("DESCRIPTION")
    page.paragraphs([grammar["purpose"], *DESCRIPTIONS[""]])
    alone = [c for c in grammar["commands"] if " " not in c["name"]]
    add_commands(page, program, alone + grammar["groups"])
    page.section("OPTIONS")
    add_options(page, grammar["options"])
    page.section("LOSSES")
    page.lines.append(roff("A loss acts on costs: larger is worse. It is written as one of:"))
    for loss in grammar["losses"]:
        page.lines += [".br", f".B {roff(loss)}"]
    add_exit_status(page, grammar)
    page.see_also([page_name(program, each["name"]) for each in alone + grammar["groups"]])
    return page.text()


def pages(grammar: dict, date: str) -> dict[str, str]:
    """By file name."""
    program = grammar["program"]
    texts = {program: program_page(grammar, date)}
    for group in grammar["groups"]:
        texts[page_name(program, group["name"])] = group_page(grammar, group, date)
    for command in grammar["commands"]:
        texts[page_name(program, command["name"])] = command_page(grammar, command, date)
    return {f"{name}.1": text for name, text in texts.items()}
