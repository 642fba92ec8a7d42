"""Runs a command with a fault in one of its system calls, and judges what is left."""

import dataclasses
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass

TRANSFERS = {"read", "pread", "readv", "write", "pwrite", "writev"}
# Calls that a signal may interrupt.
INTERRUPTED = TRANSFERS | {"open", "openat", "fsync", "fdatasync", "flock", "ftruncate", "ppoll",
                           "poll", "close", "dup2", "dup3"}
OPENING = {"open", "openat", "creat", "dup", "fcntl"}
# After these the command must succeed as if nothing had happened.
HARMLESS = {"EINTR", "EAGAIN", "short"}
FAULTS = ("EIO", "kill", "ENOSPC", "full", "EINTR", "EAGAIN", "short", "EMFILE")
# Other calls leave every file and name as it is, or add to it.
REMOVING = {"unlink", "unlinkat", "rmdir", "truncate", "chmod", "fchmod", "fchmodat"}
BAD_INPUT = 2
CANNOT_TRACE = 77
KILLED = 128 + 9
# What a clock puts into a document; and the size of a converted file, null if it cannot be told.
CHANGING = re.compile(rb'("[a-z_]*seconds"|"bytes"): ([-+0-9.e]+|null)')
# What a slow machine adds to standard error, and times in its lines.
SLOW = re.compile(r"^progress: .*\n", re.MULTILINE)
TIME = re.compile(r"\b[0-9]+\.[0-9]+ s\b")


def leave_if_tracing_is_forbidden(inject):
    """Ends the program with the exit code of a skipped test."""
    if subprocess.run([inject, "/dev/null", "none", "0", "true"]).returncode == CANNOT_TRACE:
        print("skipped: this system does not allow a process to trace its child")
        raise SystemExit(CANNOT_TRACE)


def applies(fault, call):
    """Whether the system can answer this call so."""
    if fault in ("ENOSPC", "full"):
        return call.adds
    if fault == "EINTR":
        return call.name in INTERRUPTED
    if fault in ("EAGAIN", "short"):
        return call.name in TRANSFERS
    if fault == "EMFILE":
        return call.name in OPENING
    return True


@dataclass(frozen=True)
class Call:
    name: str
    adds: bool
    file: str

    def changes(self):
        """Whether files may be different after this call."""
        return self.adds or self.name in REMOVING

    def __str__(self):
        return f"{self.name} {os.path.basename(self.file)}"


@dataclass(frozen=True)
class Outcome:
    code: int
    out: bytes
    err: str
    files: dict
    calls: tuple = ()


def steady(content):
    return CHANGING.sub(rb"\1: 0", content)


def steady_messages(text):
    return TIME.sub("* s", SLOW.sub("", text))


def read_files(folder):
    return {str(path.relative_to(folder)): steady(path.read_bytes())
            for path in sorted(pathlib.Path(folder).rglob("*")) if path.is_file()}


class Subject:
    """A case, with what it leaves if nothing fails."""

    def __init__(self, case, inject, command):
        self.case, self.inject, self.command = case, inject, command
        self.home = tempfile.TemporaryDirectory(prefix="shortfall-faults-")
        self.old = self.prepare()
        self.start = read_files(self.old)
        folder = self.folder()
        self.clean = self.run(folder)
        if self.clean.code != 0:
            raise SystemExit(f"{case.name} fails without any fault: {self.clean.err}")
        self.progress = set(self.clean.err.splitlines())
        self.names = {os.path.basename(name) for name in (*self.start, *self.clean.files)}
        self.names |= {"standard output", "standard input"}
        self.names |= {pathlib.Path(name).parts[0] for name in self.clean.files}

    def prepare(self):
        old = pathlib.Path(self.home.name) / "old"
        old.mkdir()
        write_files(old, self.case.files)
        for arguments in self.case.before:
            subprocess.run([self.command, *arguments], cwd=old, check=True, capture_output=True)
        write_files(old, self.case.after)
        return old

    def folder(self):
        place = pathlib.Path(tempfile.mkdtemp(dir=self.home.name)) / "run"
        shutil.copytree(self.old, place)
        return place

    def run(self, folder, fault="none", at=0):
        """With a fault in a system call."""
        report = folder.parent / "report"
        outcome = self.execute(folder, (self.inject, report, fault, str(at)))
        lines = report.read_text(errors="replace").splitlines()
        calls = tuple(Call(name, adds == "adds", file)
                      for name, adds, file in (line.split("\t") for line in lines))
        return dataclasses.replace(outcome, calls=calls)

    def execute(self, folder, launcher=(), environment=None, stdout=None):
        """The command, started by `launcher`. Standard output goes to a file unless it is given."""
        above = folder.parent
        stdin = subprocess.DEVNULL
        if self.case.stdin:
            stdin, sender = os.pipe()
            os.write(sender, self.case.files[self.case.stdin])
            os.close(sender)
        with open(above / "out", "wb") as out, open(above / "err", "wb") as err:
            code = subprocess.run([*launcher, self.command, *self.case.arguments], cwd=folder,
                                  env={**os.environ, **(environment or {})}, stdin=stdin,
                                  stdout=stdout or out, stderr=err, timeout=1200).returncode
        if self.case.stdin:
            os.close(stdin)
        return Outcome(code if code >= 0 else 128 - code, steady((above / "out").read_bytes()),
                       steady_messages((above / "err").read_text(errors="replace")),
                       read_files(folder))

    def problems(self, fault, at):
        """What is wrong after this fault; nothing if all is well."""
        folder = self.folder()
        try:
            outcome = self.run(folder, fault, at)
            call = self.clean.calls[at - 1]
            found = [*self.problems_of_end(outcome, fault, call),
                     *self.problems_of_files(
                         outcome, may_leave=fault == "kill" or call.name.startswith("unlink"))]
            found += self.problems_of_next(folder)
            return [f"{self.case.name}: {fault} at call {at}, {call}: {problem}"
                    for problem in found]
        finally:
            shutil.rmtree(folder.parent)

    def problems_of_next(self, folder):
        """The same command, run again after a fault, must end as if there had been none."""
        return [f"run again: {problem}" for problem in self.differences(self.execute(folder))]

    def problems_of_end(self, outcome, fault, call):
        if fault == "kill":
            if outcome.code != KILLED:
                yield f"was not killed: exit code {outcome.code}"
            return
        if outcome.code == 0 or fault in HARMLESS:
            is_lock = call.name == "unlink" and call.file.endswith(".lock")
            yield from self.differences(outcome, may_stay=call.file if is_lock else "")
            if fault in HARMLESS and outcome.err != self.clean.err:
                yield f"says {outcome.err!r}"
            return
        if call.file.endswith("/err"):
            if outcome.code != BAD_INPUT:
                yield f"exit code {outcome.code}"
            return  # there is no place for a message
        yield from self.problems_of_failure(outcome)

    def problems_of_failure(self, outcome):
        """A failure has the exit code of one and says which file it is about."""
        if outcome.code != BAD_INPUT:
            yield f"exit code {outcome.code}"
        messages = [line for line in outcome.err.splitlines() if line not in self.progress]
        if not messages or not all(line.startswith("shortfall: ") for line in messages):
            yield f"says {outcome.err!r}"
        elif not any(name in messages[-1] for name in self.names):
            yield f"says {outcome.err!r}, which names no file"
        if len(messages) > 2:  # a checkpoint that failed, and the end
            yield f"says too much: {outcome.err!r}"

    def problems_of_files(self, outcome, may_leave=False, lock=".."):
        """Files are whole, old or new. Temporary names may stay after a kill; `lock` is the end of
        names that may stay at any rate."""
        for name in self.start:
            if name not in outcome.files:
                yield f"LOST {name}"
        for name, content in outcome.files.items():
            new = self.clean.files.get(name)
            if content in (self.start.get(name), new) or name in self.case.resumes:
                continue
            if name in self.case.grows and new.startswith(content):
                continue
            if new is not None:
                yield f"HALF-WRITTEN {name}: {len(content)} of {len(new)} bytes"
            elif not may_leave and not is_part(name) and not name.endswith(lock):
                yield f"leaves {name}"

    def differences(self, outcome, may_stay=""):
        """From the command without faults; the file `may_stay` is no difference."""
        if outcome.code != 0:
            yield f"exit code {outcome.code}: {outcome.err!r}"
        elif outcome.out != self.clean.out:
            yield "standard output differs"
        for name in sorted({*outcome.files, *self.clean.files}):
            if os.path.basename(name) == os.path.basename(may_stay):
                continue
            if outcome.files.get(name) != self.clean.files.get(name):
                yield f"{name} " + ("is left" if name not in self.clean.files else
                                    "is missing" if name not in outcome.files else "differs")


def write_files(folder, files):
    for name, content in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)


def is_part(name):
    """Of a study that goes on from there."""
    return "/parts/" in name and not name.endswith((".tmp", ".lock"))
