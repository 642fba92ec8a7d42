"""The keys of JSON documents, from reference/documents.toml and from the results of `shortfall
--grammar`, for the reference.

A document has `keys`, paths with their meaning: "trace[].iteration" is a key of every entry of the
list `trace`, and "policies.*.cost" of every entry of the object `policies`. `include` adds the keys of
results and groups, and `parts` those of a result at a place such as "trace[]". `again` names places
where the document's own keys occur again, such as "sweep[]". {Status} stands for the words of that list
of `shortfall --grammar`.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Document:
    purpose: str
    keys: dict[str, str]
    again: list[str]

    def key_of(self, path: str) -> str | None:
        """The key that describes a path of a document."""
        for place in self.again:
            prefix = re.match(_pattern(place) + r"\.", path)
            if prefix and (key := self.key_of(path[prefix.end() :])):
                return key
        matching = [key for key in self.keys if re.fullmatch(_pattern(key), path)]
        return max(matching, key=len, default=None)


def _pattern(key: str) -> str:
    return re.escape(key).replace(r"\*", ".+?")


def keys_of_result(results: dict[str, dict], name: str, place: str = "") -> dict[str, str]:
    """The keys of a result at a place of a document, and those of the results in it."""
    keys: dict[str, str] = {}
    for field in results[name]["fields"]:
        if field["in_documents"] == "never":
            continue
        key = f"{place}.{field['key']}" if place else field["key"]
        keys[key] = field["meaning"]
        inner = re.fullmatch(r"(list\[|dict\[str, |)(\w+)\]?( \| None)?", field["type"])
        if inner is None or inner.group(2) not in results:
            continue
        key += {"list[": "[]", "dict[str, ": ".*", "": ""}[inner.group(1)]
        if key.endswith("*"):
            keys[key] = "one of them"
        keys.update(keys_of_result(results, inner.group(2), key))
    return keys


def _with_words(text: str, words: dict[str, list[str]]) -> str:
    def listed(match: re.Match[str]) -> str:
        *first, last = [f"`{word}`" for word in words[match.group(1)]]
        return ", ".join(first) + " or " + last

    return re.sub(r"\{(\w+)\}", listed, text)


def read_documents(path: Path, grammar: dict) -> dict[str, Document]:
    source = tomllib.loads(_with_words(path.read_text(encoding="utf-8"), grammar["words"]))
    results = {result["name"]: result for result in grammar["results"]}
    documents = {}
    for name, entry in source["document"].items():
        keys: dict[str, str] = {}
        for part in entry.get("include", []):
            keys |= keys_of_result(results, part) if part in results else source["group"][part]
        keys |= entry.get("keys", {})
        for place, part in entry.get("parts", {}).items():
            keys |= keys_of_result(results, part, place)
        documents[name] = Document(entry["purpose"], keys, entry.get("again", []))
    return documents


def key_lines(document: Document) -> list[str]:
    lines = [f"{document.purpose}", "", "| key | meaning |", "|---|---|"]
    for key, meaning in document.keys.items():
        lines.append(f"| `{key}` | {meaning} |")
    return lines


def page_lines(documents: dict[str, Document]) -> list[str]:
    lines = []
    for name, document in documents.items():
        command = name.replace(" ", "_")
        lines += [f"## {name}", "", f"[shortfall {name}](commands/{command}.md)", ""]
        lines += [*key_lines(document), ""]
    return lines[:-1]
