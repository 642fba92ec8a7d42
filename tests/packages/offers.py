"""What completion offers is what the command accepts: offers.py BINARY MANUAL

The words of the grammar are held against the message that refuses another word and lists those that
are accepted; and the completion for bash has all words of the grammar, each once.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

WRONG = "no-such-word"
FEWEST = 45  # options and arguments whose message lists words
VALUES = {"FLOAT": "0.5", "INT": "1", "UINT": "3", "TEXT": "absent"}


def command_line(command: dict, place: dict) -> list[str]:
    """With a wrong word at one place, and something for all that is required."""
    words = command["name"].split()
    for each in command["arguments"] + command["options"]:
        if each is not place and not each["required"]:
            continue
        words += [each["name"]] if each["name"].startswith("-") else []
        words.append(WRONG if each is place else [*each["words"], VALUES[each["type"]]][0])
    return words


def accepted_in(message: str) -> set[str]:
    """The words that a message lists, as the grammar has them: without parameters."""
    found = re.search(r"not in \{(.*?)\}", message) or re.search(r"accepted: (.*)", message)
    if WRONG not in message or not found:
        return set()
    words = re.split(r"[,;]? or |[,;] |(?<=[a-z]),(?=[a-z])", found.group(1).strip())
    return {re.sub(r"^([a-z-]+[:=]).*", r"\1", word) for word in words}


def lists_only_words(accepted: set[str]) -> bool:
    return all(re.fullmatch(r"[a-z-]+[:=]?", word) for word in accepted)


def faults_of(command: dict, place: dict, message: str) -> list[str]:
    accepted = accepted_in(message)
    where = f"{command['name']} {place['name']}"
    faults = [
        f"{where}: {word} is offered, but not in: {message}"
        for word in place["words"]
        if not all(part in message for part in re.split("(?=:)", word))  # td and :averaged
    ]
    if lists_only_words(accepted):
        more = sorted(accepted - set(place["words"]))
        faults += [f"{where}: {word} is accepted, but not offered" for word in more]
    return faults


def offered_by_bash(script: Path, places: list[str]) -> dict[str, list[str]]:
    program = 'source "$0"; for place; do _shortfall_value "$place"; done'
    told = subprocess.run(
        ["bash", "-c", program, str(script), *places], check=True, capture_output=True, text=True
    )
    return {place: line.split()[1:] for place, line in zip(places, told.stdout.splitlines())}


def main(binary: str, manual: str) -> int:
    answer = subprocess.run([binary, "--grammar"], check=True, stdout=subprocess.PIPE)
    faults, told, words_at = [], [], {}
    for command in json.loads(answer.stdout)["commands"]:
        for place in command["options"] + command["arguments"][:1]:
            if place["type"] is None:
                continue
            is_option = place["name"].startswith("-")
            at = f"{command['name']} {place['name']}" if is_option else command["name"]
            words_at[at] = place["words"]
            if not place["words"]:
                continue
            line = [binary, *command_line(command, place)]
            message = subprocess.run(line, check=False, capture_output=True, text=True).stderr
            if accepted_in(message) and "=" not in place["words"][0]:
                told.append((command, place, message))
                faults += faults_of(command, place, message)
    if len(told) < FEWEST:
        faults.append(f"only {len(told)} messages list words; expected at least {FEWEST}")
    offers = offered_by_bash(Path(manual).resolve() / "bash" / "shortfall", list(words_at))
    for at, words in words_at.items():
        if offers.get(at) != words or len(set(words)) < len(words):
            faults.append(f"bash offers {offers.get(at)} at {at}; expected {words}, each once")
    # The checks can fail: with a word too few, and with one that is not accepted.
    for command, place, message in told:
        for words in (place["words"][1:], [*place["words"], "planted"]):
            can_be_found = "planted" in words or lists_only_words(accepted_in(message))
            if can_be_found and not faults_of(command, dict(place, words=words), message):
                faults.append(f"{command['name']} {place['name']}: {words} was not noticed")
    print("\n".join(faults) or f"{len(told)} options and arguments offer what they accept")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
