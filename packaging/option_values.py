"""What a shell can offer as the value of an option or argument of `shortfall --grammar`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

# Names of ordering rules; all are accepted wherever a rule is.
RULES = (
    *("optimal", "static", "myopic", "risk-neutral"),
    *("base-stock:", "reorder:", "fixed:"),
)
# Words that options accept beside other values, which the grammar does not list then. An option
# offers those that its own text mentions.
WORDS = {
    "--algorithm": (
        *("td", "td:averaged", "td-lambda", "td-lambda:", "newton", "newton:as-published"),
        *("averager-td", "averager-newton"),
    ),
    "--day": ("mon", "tue", "wed", "thu", "fri", "sat", "sun"),
    "--draws": ("stratified", "per-state", "per-order"),
    "--features": ("one-per-state", "polynomial", "relu:", "fourier:", "hats"),
    "--first-weights": ("non-perishable", "zero"),
    "--improvement": ("exact", "sampled:"),
    "--interval-method": ("batch-means", "random-scaling"),
    "--next-weights": ("carried", "first"),
    "--normalisation": ("orthonormal", "largest", "standard", "none"),
    "--paths": ("restarted", "separate", "divided"),
    "--policy": ("optimal", "uniform"),
    "--start": ("delivery", "empty", "uniform"),
    "--step": ("fitted",),
    "--to": ("csv", "binary"),
}


@dataclass(frozen=True)
class Values:
    """`kind` is words (those of `words`; one that ends with : or = is only a beginning), file,
    words-or-file, directory, or other: nothing that could be offered."""

    kind: str
    words: tuple[str, ...] = field(default=())


def losses_of(grammar: dict) -> tuple[str, ...]:
    """mean, expectile:, ..: what precedes the parameters, which only the user knows."""
    return tuple(re.sub(r":.*", ":", spelling) for spelling in grammar["losses"])


def _mentions(text: str, word: str) -> bool:
    end = r"(?=\w)" if word.endswith(":") else r"(?![\w-])"
    return re.search(rf"(?<![\w:-]){re.escape(word)}{end}", text) is not None


def _words_of(option: dict, meaning: str, grammar: dict) -> tuple[str, ...]:
    if meaning.startswith("Loss function"):
        return losses_of(grammar)
    if option["name"] == "--set" or "risk.tau=" in meaning:
        keys = (f"{key['key']}=" for key in grammar["configuration"])
        only_these = ("cost.", "risk.") if meaning.startswith("A cost or the attitude") else ""
        return tuple(key for key in keys if key.startswith(only_these))
    if option["name"] == "--sweep":
        return tuple(dict.fromkeys(re.findall(r"\b[a-z]+=", meaning)))
    studies = re.match(r"all, or one or more of (.*)", meaning)
    if studies:
        return ("all", *studies.group(1).split(", "))
    models = re.search(r"or a model of the library: (.*)", meaning)
    if models:
        return tuple(models.group(1).split(", "))
    if "base-stock:" in meaning:
        return RULES
    return tuple(word for word in WORDS.get(option["name"], ()) if _mentions(meaning, word))


def values_of(option: dict, grammar: dict) -> Values:
    meaning = " ".join(option["meaning"].split())
    if isinstance(option["accepted"], list):
        return Values("words", tuple(option["accepted"]))
    if option["type"] != "TEXT":
        return Values("other")
    words = _words_of(option, meaning, grammar)
    # An option that is "the same" for something else follows one that takes a file.
    names_a_file = re.search(r"\b([Ff]ile|CSV|TOML|binary format)\b|^The same ", meaning)
    if words:
        return Values("words-or-file" if names_a_file else "words", words)
    if re.search(r"\b[Dd]irectory\b", meaning):
        return Values("directory")
    if names_a_file or not option["name"].startswith("-"):
        return Values("file")
    return Values("other")
