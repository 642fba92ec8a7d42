"""What a shell can offer as the value of an option or argument of `shortfall --grammar`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Values:
    """`kind` is words (those of `words`; one that ends with : or = is only a beginning), file,
    directory, or other: nothing that could be offered."""

    kind: str
    words: tuple[str, ...] = field(default=())


def losses_of(grammar: dict) -> tuple[str, ...]:
    """mean, expectile:, ..: what precedes the parameters, which only the user knows."""
    return tuple(re.sub(r":.*", ":", spelling) for spelling in grammar["losses"])


def values_of(option: dict, grammar: dict) -> Values:
    meaning = " ".join(option["meaning"].split())
    if isinstance(option["accepted"], list):
        return Values("words", tuple(option["accepted"]))
    if option["type"] != "TEXT":
        return Values("other")
    if meaning.startswith("Loss function"):
        return Values("words", losses_of(grammar))
    if option["name"] == "--set" or "risk.tau=" in meaning:
        return Values(
            "words", ("risk.tau=", *(f"{key['key']}=" for key in grammar["configuration"]))
        )
    if option["name"] == "--sweep":
        return Values("words", tuple(dict.fromkeys(re.findall(r"\b[a-z]+=", meaning))))
    listed = re.match(r"all, or one or more of (.*)", meaning)
    if listed:
        return Values("words", ("all", *listed.group(1).split(", ")))
    if re.search(r"\b[Dd]irectory\b", meaning):
        return Values("directory")
    # An option that is "the same" for something else follows one that takes a file.
    names_a_file = r"\b([Ff]ile|CSV|TOML|binary format)\b|^The same "
    if not option["name"].startswith("-") or re.search(names_a_file, meaning):
        return Values("file")
    return Values("other")
