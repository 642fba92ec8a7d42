"""A running `shortfall learn`: feeding it, looking at it, and what it says."""

import fcntl
import json
import os
import select
import signal
import subprocess
import time

PATIENCE = 600  # seconds until a process that neither reads nor ends counts as stuck
PIPE_BYTES = 1 << 20


class Problem(Exception):
    """A promise that was not kept."""


class Learner:
    def __init__(self, command, folder, out, piped):
        err, writer = os.pipe()
        os.set_blocking(err, False)
        self.err, self.said, self.folder, self.out = err, b"", folder, out
        with open(out, "wb") as stdout:
            # Signals stay as Python has them: SIGXFSZ ignored, so that a limit is an error of write.
            self.process = subprocess.Popen(
                command, cwd=folder, stdin=subprocess.PIPE if piped else subprocess.DEVNULL,
                stdout=stdout, stderr=writer, bufsize=0, restore_signals=False)
        os.close(writer)
        if piped:
            self.stdin = self.process.stdin.fileno()
            fcntl.fcntl(self.stdin, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
            os.set_blocking(self.stdin, False)
        self.peak = self.own = 0  # KiB of resident memory, and of that without pages of files

    @property
    def pid(self):
        return self.process.pid

    def is_running(self):
        return self.process.poll() is None

    def status(self):
        try:
            with open(f"/proc/{self.pid}/status", encoding="ascii") as file:
                return dict(line.rstrip("\n").split(":\t", 1) for line in file)
        except (FileNotFoundError, ProcessLookupError):
            return {}

    def measure(self):
        """Its memory: the peak until now, and what it has of its own at this moment."""
        status = self.status()
        if "VmHWM" in status:
            self.peak = max(self.peak, int(status["VmHWM"].split()[0]))
            self.own = max(self.own, int(status["RssAnon"].split()[0]))

    def wait_until(self, condition, what):
        """False if the process ends first."""
        deadline = time.monotonic() + PATIENCE
        while self.is_running():
            if condition():
                return True
            if time.monotonic() > deadline:
                raise Problem(f"after {PATIENCE} s: no {what}")
            time.sleep(0.002)
        return False

    def settle(self):
        """Waits until it handles signals, and so holds its locks."""
        bit = 1 << (signal.SIGTERM - 1)
        return self.wait_until(lambda: int(self.status().get("SigCgt", "0"), 16) & bit, "handler")

    def drain(self):
        """Waits until it has taken all that was sent."""
        def is_empty():
            left = bytearray(4)
            fcntl.ioctl(self.stdin, 0x541B, left)  # FIONREAD
            return not any(left) and self.status().get("State", "").startswith("S")
        return self.wait_until(is_empty, "reading")

    def feed(self, content):
        """False if it no longer reads."""
        view = memoryview(content)
        while view:
            try:
                view = view[os.write(self.stdin, view):]
            except BlockingIOError:
                if not select.select([], [self.stdin], [], PATIENCE)[1]:
                    raise Problem(f"does not read for {PATIENCE} s") from None
            except BrokenPipeError:
                return False
        return True

    def notices(self):
        """What it has said until now."""
        while self.err is not None:
            try:
                part = os.read(self.err, 1 << 16)
            except BlockingIOError:
                break
            if not part:
                break
            self.said += part
        return [json.loads(line) for line in self.said.splitlines() if line.startswith(b"{")]

    def has_said(self, event):
        return any(notice["event"] == event for notice in self.notices())

    def send(self, number):
        self.process.send_signal(number)  # nothing if it has ended

    def end(self):
        """Closes its input and waits; the exit code, negative for a signal. Values that have not
        settled are no failure here."""
        self.measure()
        if self.process.stdin:
            self.process.stdin.close()
        deadline = time.monotonic() + PATIENCE
        while self.is_running():
            self.measure()
            try:
                self.process.wait(0.02)
            except subprocess.TimeoutExpired:
                pass
            if time.monotonic() > deadline:
                self.process.kill()
                raise Problem(f"does not end within {PATIENCE} s")
        self.notices()
        os.close(self.err)
        self.err = None
        code = self.process.returncode
        return 0 if code == 1 and b'"status":"not-settled"' in self.said else code
