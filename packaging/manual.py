"""Writes what is installed beside the command and made from its own grammar:

manual.py BINARY CHANGELOG OUT

OUT/man1/*.1.gz, OUT/bash/shortfall and OUT/zsh/_shortfall. The pages have the date of the newest entry
of the Debian changelog, so that the same sources give the same bytes.
"""

from __future__ import annotations

import gzip
import json
import re
import shutil
import subprocess
import sys
from email.utils import parsedate_to_datetime
from pathlib import Path

import bash_completion
import man_pages
import zsh_completion


def newest_date(changelog: str) -> str:
    line = re.search(r"^ -- .*>  (.*)$", changelog, re.MULTILINE)
    if not line:
        raise SystemExit("manual: the changelog has no line ' -- NAME <ADDRESS>  DATE'")
    return parsedate_to_datetime(line.group(1)).date().isoformat()


def compressed(text: str) -> bytes:
    return gzip.compress(text.encode(), 9, mtime=0)


def main(binary: str, changelog: str, output: str) -> None:
    answer = subprocess.run([binary, "--grammar"], check=True, stdout=subprocess.PIPE)
    grammar = json.loads(answer.stdout)
    out = Path(output)
    for folder in ("man1", "bash", "zsh"):
        shutil.rmtree(out / folder, ignore_errors=True)
        (out / folder).mkdir(parents=True)
    date = newest_date(Path(changelog).read_text(encoding="utf-8"))
    for name, text in man_pages.pages(grammar, date).items():
        (out / "man1" / f"{name}.gz").write_bytes(compressed(text))
    program = grammar["program"]
    (out / "bash" / program).write_text(bash_completion.completion(grammar), encoding="utf-8")
    (out / "zsh" / f"_{program}").write_text(zsh_completion.completion(grammar), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
