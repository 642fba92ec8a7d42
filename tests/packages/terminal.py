"""A shell in a terminal: what is on the line after keys were pressed."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import time

# Prints the words of a line that has been completed, instead of running it.
_ECHO = "shortfall() { printf '<<'; printf '[%s]' \"$@\"; printf '>>\\n'; }\n"
_SECONDS = 20.0


class Shell:
    """bash or zsh without the user's settings. A line is typed, completed by its TAB or ESC-* keys,
    and entered."""

    def __init__(self, command: list[str], setup: str, folder: str) -> None:
        ours, theirs = pty.openpty()
        environment = {
            "PATH": "/usr/bin:/bin",
            "TERM": "dumb",
            "LC_ALL": "C.UTF-8",
            "HOME": folder,
            "ZDOTDIR": folder,
            "COLUMNS": "400",
        }
        self._process = subprocess.Popen(
            command,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=folder,
            env=environment,
            start_new_session=True,
        )
        os.close(theirs)
        self._terminal = ours
        os.write(ours, (setup + _ECHO + "echo re''ady\n").encode())
        self._until(r"ready\r?\n")

    def _until(self, pattern: str) -> re.Match[str]:
        text, end = "", time.monotonic() + _SECONDS
        while time.monotonic() < end:
            if select.select([self._terminal], [], [], 0.1)[0]:
                text += os.read(self._terminal, 65536).decode(errors="replace")
            found = re.search(pattern, text)
            if found:
                return found
        raise TimeoutError(f"no {pattern} within {_SECONDS} s, but: {text!r}")

    def words_of(self, keys: str) -> list[str]:
        """The arguments of the command that the line became."""
        os.write(self._terminal, (keys + "\n").encode())
        found = self._until(r"<<((?:\[[^\]\r\n]*\])*)>>\r?\n")
        return re.findall(r"\[([^\]]*)\]", found.group(1))

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._terminal)
