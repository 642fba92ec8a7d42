"""The end of a command's help, taken apart, for the site and the manual pages."""

from __future__ import annotations

import re

# How the end of a help text names its parts.
_JSON, _EXAMPLE = "JSON: ", "Example: "


def parts_of(notes: str) -> tuple[list[str], str, list[str]]:
    """Paragraphs of text, the keys of the document, and the examples of a help text."""
    text, keys, examples = [], "", []
    for paragraph in re.split(r"\n\s*\n", notes.strip()):
        if paragraph.startswith(_EXAMPLE):
            lines = [
                line[len(_EXAMPLE) - 1 :] if i else line[len(_EXAMPLE) :]
                for i, line in enumerate(paragraph.split("\n"))
            ]
            for line in lines:
                stripped = line.strip()
                starts = bool(re.match(r"(shortfall|printf|mpirun) ?", stripped))
                if starts or not examples:
                    examples.append(stripped)
                else:
                    examples[-1] = examples[-1].rstrip("\\").rstrip() + " " + stripped
        elif paragraph.startswith(_JSON):
            keys = " ".join(paragraph[len(_JSON) :].split())
        elif paragraph:
            text.append(" ".join(paragraph.split()))
    return text, keys, examples
