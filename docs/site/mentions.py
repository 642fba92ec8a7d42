"""Commands and options that pages mention exist: `--option` and `shortfall command --option`, in text
and in blocks.

    mentions.py BINARY PAGE...    prints what does not exist, exits with 1 if there is anything
    mentions.py --self-test       checks that planted mentions are found
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

# Options of other programs, which pages mention by themselves.
_OTHERS = {"--bind-to", "--map-by", "--signal", "--install", "--update", "--all", "--fix", "--try",
           "--unreleased"}
_COMMAND = re.compile(
    r"(?<![\w/.-])(?<!import )shortfall(?:-mpi)? +((?:inventory )?[a-z]+)\b([^\n|;&)]*)"
)
_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")


def options_by_command(grammar: dict) -> dict[str, set[str]]:
    return {
        command["name"]: {option["name"] for option in command["options"]}
        for command in grammar["commands"]
    }


def _joined(text: str) -> str:
    """Commands that continue on the next line, in one line."""
    return re.sub(r" *\\\n[> ]*", " ", text)


def faults_of(text: str, known: dict[str, set[str]]) -> list[str]:
    """Text in backquotes and in blocks counts; ordinary words do not."""
    every = set().union(*known.values()) | _OTHERS | {"--help", "--version", "--grammar"}
    faults = []
    code = re.findall(r"```(?:sh|console)\n(.*?)```", _joined(text), re.DOTALL)
    spans = re.findall(r"(?<!`)`([^`\n]+)`(?!`)", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    for part in code + spans:
        for name, rest in _COMMAND.findall(part):
            if name not in known and name.split()[0] not in known and name != "inventory":
                faults.append(f"no command '{name}'")
            for option in _OPTION.findall(rest):
                if option not in known.get(name, known.get(name.split()[0], set())) | {"--help"}:
                    faults.append(f"'{name}' has no option {option}")
    for span in spans:
        if (
            span.startswith("--")
            and (option := _OPTION.match(span))
            and option.group() not in every
        ):
            faults.append(f"no command has the option {option.group()}")
    return faults


def self_test() -> int:
    known = {"solve": {"--gamma"}, "inventory order": {"--stock"}}
    good = "Use `--gamma` with `shortfall solve`.\n```sh\nshortfall inventory order \\\n  --stock 1\n```\n"
    planted = [
        "`--gama`",
        "`shortfall sove x`",
        "`shortfall solve --stock 1`",
        "```console\n$ shortfall inventory order x --gamma 1\n```\n",
    ]
    for text, count in [(good, 0), *[(good + each, 1) for each in planted]]:
        found = faults_of(text, known)
        if len(found) != count:
            print(f"{text}: found {found}")
            return 1
    print(f"ok: {len(planted)} planted mentions")
    return 0


def main(binary: str, *pages: str) -> int:
    result = subprocess.run([binary, "--grammar"], check=True, stdout=subprocess.PIPE, text=True)
    known = options_by_command(json.loads(result.stdout))
    status = 0
    for page in pages:
        for fault in faults_of(Path(page).read_text(encoding="utf-8"), known):
            print(f"{page}: {fault}")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(self_test() if sys.argv[1:] == ["--self-test"] else main(*sys.argv[1:]))
