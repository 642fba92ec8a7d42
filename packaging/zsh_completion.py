"""Completion for zsh from `shortfall --grammar`."""

from __future__ import annotations

import re

from option_values import Values, values_of

_ENDING = """
_PROGRAM() {
  local context state state_descr line
  typeset -A opt_args
  _arguments -C GENERAL '1: :->command' '*:: :->rest'
  case $state in
    command) _values command COMMANDS ;;
    rest) (( $+functions[_PROGRAM_$line[1]] )) && _PROGRAM_$line[1] ;;
  esac
}

if [[ $funcstack[1] == _PROGRAM ]]; then
  _PROGRAM "$@"
else
  compdef _PROGRAM PROGRAM
fi
"""


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def _described(text: str) -> str:
    """The first clause of a meaning, for a menu."""
    clause = re.split(r"[;:(] ?|, such as", " ".join(text.split()))[0].rstrip(" .")
    return re.sub(r"([\[\]\\])", r"\\\1", clause)


def _action(values: Values) -> str:
    if values.kind == "file":
        return "_files"
    if values.kind == "directory":
        return "_files -/"
    if values.kind == "other":
        return " "
    whole = [word for word in values.words if word[-1] not in ":="]
    begun = [word for word in values.words if word[-1] in ":="]
    parts = ([f"compadd -- {' '.join(whole)}"] if whole else []) + (
        [f"compadd -S \"\" -- {' '.join(begun)}"] if begun else []
    )
    if values.kind == "words-or-file":
        parts.append("_files")
    return "{" + "; ".join(parts).replace(":", "\\:") + "}"


def _specification(option: dict, grammar: dict) -> str:
    star = "*" if option["repeatable"] else ""
    name = option["name"] if option["type"] is None else option["name"] + "="
    text = f"{star}{name}[{_described(option['meaning'])}]"
    if option["type"] is not None:
        text += f":{option['type'].lower()}:{_action(values_of(option, grammar))}"
    return _quoted(text)


def _function(command: dict, grammar: dict) -> list[str]:
    name = "_".join([grammar["program"], *command["name"].split()])
    specifications = [_specification(o, grammar) for o in command["options"] if o["listed"]]
    for place, argument in enumerate(command["arguments"], start=1):
        where = "*" if argument["repeatable"] else str(place)
        action = _action(values_of(argument, grammar))
        specifications.append(_quoted(f"{where}:{argument['name']}:{action}"))
    return (
        [f"_{name}() {{", "  _arguments \\"]
        + [f"    {each} \\" for each in specifications[:-1]]
        + [f"    {specifications[-1]}", "}", ""]
    )


def _choices(commands: list[dict]) -> str:
    return " ".join(
        _quoted(f"{c['name'].split()[-1]}[{_described(c['purpose'])}]") for c in commands
    )


def completion(grammar: dict) -> str:
    program = grammar["program"]
    lines = [f"#compdef {program}", f"# Generated from: {program} --grammar", ""]
    for command in grammar["commands"]:
        lines += _function(command, grammar)
    for group in grammar["groups"]:
        members = [c for c in grammar["commands"] if c["name"].startswith(group["name"] + " ")]
        lines += [
            f"_{program}_{group['name']}() {{",
            "  local context state state_descr line",
            "  _arguments -C '1: :->command' '*:: :->rest'",
            "  case $state in",
            f"    command) _values command {_choices(members)} ;;",
            f"    rest) _{program}_{group['name']}_$line[1] ;;",
            "  esac",
            "}",
            "",
        ]
    alone = [c for c in grammar["commands"] if " " not in c["name"]]
    general = " ".join(_specification(option, grammar) for option in grammar["options"])
    ending = _ENDING.replace("PROGRAM", program).replace("GENERAL", general)
    return "\n".join(lines) + ending.replace("COMMANDS", _choices(alone + grammar["groups"]))
