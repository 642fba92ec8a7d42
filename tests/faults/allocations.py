"""Runs a command again and again, each time with another allocation that fails, alone or with all later
ones:

    allocations.py INJECT LIBRARY SHORTFALL [--full] [CASE...]

After each, files must be whole, and the exit code 1 with the message "out of memory"; or the command
did without. Reading the arguments makes thousands of allocations that are the same for all commands:
without --full, only some of these are made to fail."""

import argparse
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from cases import cases
from injection import Subject, leave_if_tracing_is_forbidden

NO_ANSWER = 1
QUICK = ("solve", "learn-new")
STEP = 61  # of the allocations for arguments that fail without --full


def count_of(library, command, folder):
    """The allocations of a command that was run with this environment."""
    report = pathlib.Path(folder) / "allocations"
    subprocess.run([command, "--version"], check=True, capture_output=True,
                   env={**os.environ, "LD_PRELOAD": library, "SHORTFALL_ALLOCATIONS": str(report)})
    return int(report.read_text())


class Allocations:
    def __init__(self, subject, library):
        self.subject, self.library = subject, library
        folder = subject.folder()
        report = folder.parent / "allocations"
        subject.execute(folder, environment={"LD_PRELOAD": library,
                                             "SHORTFALL_ALLOCATIONS": str(report)})
        self.count = int(report.read_text())

    def problems(self, at):
        """What is wrong after the failure `at`, such as "7" or "7+"."""
        subject, folder = self.subject, self.subject.folder()
        try:
            outcome = subject.execute(
                folder, environment={"LD_PRELOAD": self.library, "SHORTFALL_FAIL_AT": at})
            # Where no exception may leave a function, the program ends without unlocking.
            found = list(subject.problems_of_files(outcome, lock=".lock"))
            if outcome.code == 0:
                found += subject.differences(outcome)
            elif outcome.code != NO_ANSWER or "out of memory" not in outcome.err:
                found.append(f"exit code {outcome.code}: {outcome.err!r}")
            elif outcome.files != subject.start:
                found += subject.problems_of_next(folder)
            return [f"{subject.case.name}: allocation {at} of {self.count}: {problem}"
                    for problem in found]
        finally:
            shutil.rmtree(folder.parent)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("inject")
    parser.add_argument("library")
    parser.add_argument("shortfall")
    parser.add_argument("names", nargs="*", metavar="CASE")
    parser.add_argument("--full", action="store_true", help="all commands and all allocations")
    arguments = parser.parse_intermixed_args()
    inject, library, command = map(os.path.abspath,
                                   (arguments.inject, arguments.library, arguments.shortfall))
    leave_if_tracing_is_forbidden(inject)
    names = arguments.names or (None if arguments.full else QUICK)
    begin, failures, problems = time.monotonic(), 0, []
    with tempfile.TemporaryDirectory() as folder:
        for_arguments = count_of(library, command, folder)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for case in cases():
            if names is not None and case.name not in names:
                continue
            allocations = Allocations(Subject(case, inject, command), library)
            step = 1 if arguments.full else STEP
            places = [*range(1, min(for_arguments, allocations.count), step),
                      *range(for_arguments, allocations.count + 1)]
            found = [problem for problems_here in pool.map(
                allocations.problems, [f"{k}{further}" for k in places for further in ("", "+")])
                for problem in problems_here]
            failures += 2 * len(places)
            print(f"{case.name}: {allocations.count} allocations, {2 * len(places)} failures, "
                  f"{len(found)} problems", flush=True)
            for problem in found:
                print("  " + problem, flush=True)
            problems += found
    print(f"{failures} failures of allocations, {len(problems)} problems, "
          f"{time.monotonic() - begin:.0f} s")
    return 1 if problems or failures == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
