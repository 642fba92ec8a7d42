"""The keys of JSON documents, from reference/documents.toml: the one source of what they mean.

A document has `keys`, paths with their meaning: "trace[].iteration" is a key of every entry of the
list `trace`, and "policies.*.cost" of every entry of the object `policies`. `include` adds the keys of
groups. `again` names places where the document's own keys occur again, such as "sweep[]".
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


def read_documents(path: Path) -> dict[str, Document]:
    source = tomllib.loads(path.read_text(encoding="utf-8"))
    groups = source["group"]
    documents = {}
    for name, entry in source["document"].items():
        keys: dict[str, str] = dict(entry.get("keys", {}))
        for group in entry.get("include", []):
            keys.update(groups[group])
        documents[name] = Document(entry["purpose"], keys, entry.get("again", []))
    return documents


def key_lines(document: Document) -> list[str]:
    lines = [f"{document.purpose}", "", "| key | meaning |", "|---|---|"]
    for key, meaning in document.keys.items():
        lines.append(f"| `{key}` | {meaning} |")
    return lines


def write_page(documents: dict[str, Document], page: Path) -> None:
    lines = [page.read_text(encoding="utf-8")]
    for name, document in documents.items():
        command = name.replace(" ", "_")
        lines += [f"## {name}", "", f"[shortfall {name}](commands/{command}.md)", ""]
        lines += [*key_lines(document), ""]
    page.write_text("\n".join(lines), encoding="utf-8")
