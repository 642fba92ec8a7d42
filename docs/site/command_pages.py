"""Pages of the reference that are made from `shortfall --grammar`: one per command, the keys of a
plan, losses and exit codes.
"""

from __future__ import annotations

import re
from pathlib import Path

from help_notes import parts_of


def file_name(command: str) -> str:
    return command.replace(" ", "_")


def _escaped(text: str) -> str:
    """Words of a help text as Markdown: options and patterns as code."""
    text = re.sub(r"([\\*<>_\[\]])", r"\\\1", " ".join(text.split()))
    return re.sub(r"(?<![\w`])(--[a-z][a-z-]*)", r"`\1`", text)


def _option(option: dict) -> list[str]:
    is_argument = not option["name"].startswith("-")
    name = option["name"].upper() if is_argument else option["name"]
    value = "" if is_argument or option["type"] is None else f" {option['type']}"
    facts = []
    if option["required"]:
        facts.append("required")
    if option["repeatable"] and not re.search("repeat", option["meaning"]):
        facts.append("may be repeated")
    if isinstance(option["accepted"], list):
        facts.append("one of " + ", ".join(f"`{word}`" for word in option["accepted"]))
    elif option["accepted"]:
        facts.append(f"{option['accepted']}")
    if option["default"] is not None:
        facts.append(f"default `{option['default']}`")
    if option["excludes"]:
        facts.append("not with " + ", ".join(f"`{other}`" for other in option["excludes"]))
    lines = [f"`{name}{value}`", f": {_escaped(option['meaning'])}."]
    if facts:
        lines += ["", f"  *{'; '.join(facts)}*"]
    return lines + [""]


def _synopsis(program: str, command: dict) -> str:
    words = [program, command["name"]]
    words += [f"{o['name']} {o['type']}" for o in command["options"] if o["required"]]
    for argument in command["arguments"]:
        name = argument["name"].upper() + ("..." if argument["repeatable"] else "")
        words.append(name if argument["required"] else f"[{name}]")
    return " ".join(words) + " [OPTIONS]"


def command_page(program: str, command: dict, keys: list[str]) -> str:
    text, short_keys, examples = parts_of(command["notes"])
    lines = [f"# {program} {command['name']}", "", f"{command['purpose']}.", ""]
    lines += ["```sh", _synopsis(program, command), "```", ""]
    for paragraph in text:
        lines += [_escaped(paragraph), ""]
    if examples:
        lines += ["## Examples", "", "```sh", *examples, "```", ""]
    if command["arguments"]:
        lines += ["## Arguments", ""]
        for argument in command["arguments"]:
            lines += _option(argument)
    lines += ["## Options", ""]
    for option in command["options"]:
        if option["listed"] and option["name"] != "--help":
            lines += _option(option)
    if keys:
        lines += ["## Keys of the JSON document", "", *keys, ""]
    elif short_keys:
        lines += ["## Keys of the JSON document", "", _escaped(short_keys) + ".", ""]
    return "\n".join(lines)


def configuration_page(grammar: dict, opening: str) -> str:
    lines = [opening]
    table = ""
    for entry in grammar["configuration"]:
        section, name = entry["key"].split(".")
        if section != table:
            lines += [f"## [{section}]", ""]
            table = section
        lines += [f"`{name}`", f": {_escaped(entry['meaning'])}.", ""]
        absent = entry["absent"]
        lines += [
            f"  *{_escaped(entry['accepted'])}; "
            f"{absent if absent.startswith('required') else 'without it: ' + absent}*",
            "",
        ]
    return "\n".join(lines)


def write_pages(grammar: dict, folder: Path, keys_of: dict[str, list[str]]) -> None:
    program = grammar["program"]
    commands = folder / "commands"
    commands.mkdir(exist_ok=True)
    rows = ["| command | purpose |", "|---|---|"]
    for command in grammar["commands"]:
        page = command_page(program, command, keys_of.get(command["name"], []))
        name = file_name(command["name"])
        (commands / f"{name}.md").write_text(page, encoding="utf-8")
        rows.append(f"| [`{command['name']}`](commands/{name}.md) | {command['purpose']} |")
    codes = ["| exit code | meaning |", "|---|---|"]
    codes += [f"| {each['code']} | {_escaped(each['meaning'])} |" for each in grammar["exit_codes"]]
    toc = ["```{toctree}", ":hidden:", ""]
    toc += [f"commands/{file_name(command['name'])}" for command in grammar["commands"]] + ["```"]
    page = folder / "commands.md"
    text = page.read_text(encoding="utf-8")
    for marker, lines in (("COMMANDS", rows), ("EXIT-CODES", codes), ("CONTENTS", toc)):
        text = text.replace(f"<!-- {marker} -->", "\n".join(lines))
    page.write_text(text, encoding="utf-8")
    page = folder / "configuration.md"
    page.write_text(configuration_page(grammar, page.read_text(encoding="utf-8")), encoding="utf-8")


def write_losses(document: dict, page: Path) -> None:
    lines = []
    for loss in document["losses"]:
        least, most = loss["slope_min"], loss["slope_max"]
        slopes = (
            f"slope {least:g}"
            if least == most
            else f"slopes {least:g} to {'∞' if most is None else format(most, 'g')}"
        )
        lines += [
            f"`{loss['spelling']}`",
            f": ℓ(x) = {_escaped(loss['formula'])}",
            "",
            f"  *for example `{loss['example']}`: {slopes}; {loss['curvature_negative']} "
            f"below 0, {loss['curvature_positive']} above*",
            "",
        ]
    text = page.read_text(encoding="utf-8").replace("<!-- LOSSES -->", "\n".join(lines))
    page.write_text(text, encoding="utf-8")
