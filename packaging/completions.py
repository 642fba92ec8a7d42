"""Completions for bash and zsh from `shortfall --grammar`: completion.bash and completion.zsh, with
what the grammar says in place of the words in capitals.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "docs" / "site"))
from command_text import members  # noqa: E402


def _filled(template: str, program: str, **parts: str) -> str:
    text = (HERE / template).read_text(encoding="utf-8")
    for marker, part in parts.items():
        text = text.replace(marker, part)
    return text.replace("PROGRAM", program)


def bash(grammar: dict) -> str:
    offer = '_PROGRAM_offer "$current"'
    values: dict[str, list[str]] = {}
    general = " ".join(each["name"] for each in members(grammar, "") + grammar["options"])
    commands = [f"    '') {offer} '{general}'; return ;;"]
    for group in grammar["groups"]:
        names = " ".join(each["name"].split()[1] for each in members(grammar, group["name"]))
        commands.append(f"    {group['name']}) {offer} '{names} --help'; return ;;")
    for command in grammar["commands"]:
        listed = " ".join(each["name"] for each in command["options"] if each["listed"])
        commands.append(f"    '{command['name']}') options='{listed}' ;;")
        places = {f"{command['name']} {option['name']}": option for option in command["options"]}
        places |= {command["name"]: argument for argument in command["arguments"][:1]}
        for place, option in places.items():
            if option["type"] is not None:
                value = " ".join([option["paths"], *option["words"]])
                values.setdefault(value, []).append(f"'{place}'")
    groups = [
        f"    {group['name']}) [[ ${{#words[@]}} -lt 3 ]] || command+=\" ${{words[2]}}\" ;;"
        for group in grammar["groups"]
    ]
    return _filled(
        "completion.bash",
        grammar["program"],
        VALUES="\n".join(f"    {' | '.join(at)}) echo '{key}' ;;" for key, at in values.items()),
        GROUPS="\n".join(groups),
        COMMANDS="\n".join(commands),
    )


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def _described(text: str) -> str:
    """The first clause of a meaning, for a menu."""
    clause = re.split(r"[;:(] ?|, such as", " ".join(text.split()))[0].rstrip(" .")
    return re.sub(r"([\[\]\\])", r"\\\1", clause)


def _action(option: dict) -> str:
    files = {"none": [], "files": ["_files"], "directories": ["_files -/"]}[option["paths"]]
    if not option["words"]:
        return files[0] if files else " "
    whole = [word for word in option["words"] if word[-1] not in ":="]
    begun = [word for word in option["words"] if word[-1] in ":="]
    parts = [f"compadd -- {' '.join(whole)}"] if whole else []
    parts += [f"compadd -S \"\" -- {' '.join(begun)}"] if begun else []
    return "{" + "; ".join(parts + files).replace(":", "\\:") + "}"


def _specification(option: dict) -> str:
    star = "*" if option["repeatable"] else ""
    text = f"[{_described(option['meaning'])}]"
    if option["type"] is None:
        return _quoted(star + option["name"] + text)
    return _quoted(f"{star}{option['name']}={text}:{option['type'].lower()}:{_action(option)}")


def _choices(commands: list[dict]) -> str:
    return " ".join(
        _quoted(f"{each['name'].split()[-1]}[{_described(each['purpose'])}]") for each in commands
    )


def _command_function(command: dict) -> str:
    lines = [f"_PROGRAM_{command['name'].replace(' ', '_')}() {{", "  _arguments"]
    lines += [f"    {_specification(option)}" for option in command["options"] if option["listed"]]
    for place, argument in enumerate(command["arguments"], start=1):
        where = "*" if argument["repeatable"] else place
        lines.append("    " + _quoted(f"{where}:{argument['name']}:{_action(argument)}"))
    return " \\\n".join(lines).replace("() { \\", "() {") + "\n}\n"


def _group_function(group: dict, grammar: dict) -> str:
    return f"""_PROGRAM_{group['name']}() {{
  local context state state_descr line
  _arguments -C '1: :->command' '*:: :->rest'
  case $state in
    command) _values command {_choices(members(grammar, group['name']))} ;;
    rest) _PROGRAM_{group['name']}_$line[1] ;;
  esac
}}
"""


def zsh(grammar: dict) -> str:
    functions = [_command_function(command) for command in grammar["commands"]]
    functions += [_group_function(group, grammar) for group in grammar["groups"]]
    return _filled(
        "completion.zsh",
        grammar["program"],
        FUNCTIONS="\n".join(functions),
        OPTIONS=" ".join(map(_specification, grammar["options"])),
        COMMANDS=_choices(members(grammar, "")),
    )
