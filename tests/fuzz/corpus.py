"""The stored inputs of a reader, one file, as the folder that libFuzzer wants, and back:

    corpus.py unpack FILE FOLDER
    corpus.py pack FOLDER FILE

A line of FILE is an input in quotes, in which \\\\, \\" and \\xHH stand for a backslash, a quote, and bytes
that are not printable ASCII, as in dictionaries of libFuzzer. Lines are sorted, and none is there twice."""

import hashlib
import pathlib
import re
import sys


def quoted(content: bytes) -> str:
    return '"' + "".join(
        "\\" + chr(byte) if byte in b'\\"' else chr(byte) if 32 <= byte < 127 else f"\\x{byte:02x}"
        for byte in content) + '"'


def unquoted(line: str) -> bytes:
    if not re.fullmatch(r'"([^"\\]|\\["\\]|\\x[0-9a-f]{2})*"', line):
        raise SystemExit(f"corpus: not an input in quotes: {line[:60]}")
    return re.sub(r"\\(x(..)|.)", lambda m: chr(int(m[2], 16)) if m[2] else m[1],
                  line[1:-1]).encode("latin-1")


def unpack(file: pathlib.Path, folder: pathlib.Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for line in file.read_text("ascii").splitlines():
        content = unquoted(line)
        (folder / hashlib.sha1(content).hexdigest()).write_bytes(content)  # libFuzzer's own names


def pack(folder: pathlib.Path, file: pathlib.Path) -> None:
    lines = sorted({quoted(path.read_bytes()) for path in folder.iterdir()})
    file.write_text("".join(line + "\n" for line in lines), "ascii")


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] not in ("pack", "unpack"):
        raise SystemExit(__doc__)
    {"pack": pack, "unpack": unpack}[sys.argv[1]](*map(pathlib.Path, sys.argv[2:]))
