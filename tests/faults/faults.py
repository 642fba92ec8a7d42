"""Runs each command that reads or writes files again and again, each time with another system call that
fails:

    faults.py INJECT SHORTFALL [--full] [--faults EIO,kill] [CASE...]

After each fault, files must be whole, old or new; the exit code 2, with a message that names the
file; and the same command, run again, must end as if nothing had happened. Faults that a program
must overcome, such as an interrupted call or a short transfer, must not be seen at all.

Without --full, a selection of commands is run, with the faults that their cases name, and kills are
left out where a kill at the call before finds the same files."""

import argparse
import collections
import concurrent.futures
import os
import sys
import time

from cases import USUAL, Case, cases
from injection import FAULTS, Subject, applies, leave_if_tracing_is_forbidden


def check_that_losses_are_found(inject):
    """A command that writes a file in two steps, silently, must not pass."""
    script = "echo first >file; echo second >>file"
    planted = Subject(Case("planted", ("-c", script), {"file": b"old\n"}), inject, "/bin/sh")
    found = [problem for fault, at in injections(planted, ("kill", "ENOSPC"), every_kill=False)
             for problem in planted.problems(fault, at)]
    for sign in ("HALF-WRITTEN file", "file differs", "says "):
        if not any(sign in problem for problem in found):
            raise SystemExit(f"a planted fault was not found: {sign!r} is not among {found}")


def injections(subject, faults, every_kill=True):
    """A kill before a call that changes no file leaves the files of a kill before the next one."""
    calls = subject.clean.calls
    for fault in faults:
        for at, call in enumerate(calls, start=1):
            needless = fault == "kill" and not (every_kill or call.changes() or at == len(calls))
            if applies(fault, call) and not needless:
                yield fault, at


def examine(subject, chosen, pool, counts):
    found = []
    pending = {pool.submit(subject.problems, fault, at): fault for fault, at in chosen}
    for task in concurrent.futures.as_completed(pending):
        counts[pending[task]] += 1
        found += task.result()
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("inject")
    parser.add_argument("shortfall")
    parser.add_argument("names", nargs="*", metavar="CASE")
    parser.add_argument("--full", action="store_true", help="all cases and all faults")
    parser.add_argument("--faults", help=f"of {','.join(FAULTS)}; default: those of the case")
    arguments = parser.parse_intermixed_args()
    inject, command = map(os.path.abspath, (arguments.inject, arguments.shortfall))
    leave_if_tracing_is_forbidden(inject)
    check_that_losses_are_found(inject)
    begin = time.monotonic()
    counts, problems, examined = collections.Counter(), [], 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for case in cases():
            if case.name not in arguments.names if arguments.names else \
                    not (case.quick or arguments.full):
                continue
            before = counts.total()
            subject = Subject(case, inject, command)
            faults = arguments.faults.split(",") if arguments.faults else \
                FAULTS if arguments.full else case.quick or USUAL
            found = examine(subject, injections(subject, faults, arguments.full), pool, counts)
            examined += 1
            print(f"{case.name}: {len(subject.clean.calls)} calls, {counts.total() - before} "
                  f"faults, {len(found)} problems", flush=True)
            for problem in sorted(found):
                print("  " + problem, flush=True)
            problems += found
    lost = sum("LOST" in problem or "HALF-WRITTEN" in problem for problem in problems)
    print(f"{examined} commands, {counts.total()} faults "
          f"({', '.join(f'{fault} {count}' for fault, count in counts.items())}), {lost} files lost, "
          f"{len(problems)} problems, {time.monotonic() - begin:.0f} s")
    return 1 if problems or examined == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
