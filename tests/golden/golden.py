"""Golden corpus: recorded outputs of the shortfall command, compared with what it prints now.

    golden.py BINARY [FILTER]            compares, prints a diff per failing case, exits with 1
    golden.py BINARY --update [FILTER]   records what changed; review it with git diff
    golden.py BINARY --same-as OTHER [FILTER]   compares with what another command prints, exactly
    golden.py BINARY --self-test         checks that planted changes are detected
    golden.py BINARY --chosen SELECTION  compares a selection: sanitized, vectors

FILTER selects the cases whose file, name or commands contain it.

Case files, cases/*.txt:

    == name of a case
    # a comment, or: "# chosen: sanitized, vectors", the selections that the case is part of
    $ shortfall risk --loss mean numbers.csv
      a line of standard output, after two blanks
    ! a line of standard error
    exit 0

"> " continues a command. A command without "exit" has not been recorded yet; --update does it. The
commands of a case run in order, by sh, in one scratch folder with copies of inputs/ and of the
project's examples/. Different cases run in parallel.

Comparison. Times are masked: "seconds" in JSON, "0.012 s" in text, columns headed "s" or "seconds".
Everything else must be equal, line by line, except for the last digits of numbers with a decimal
point or an exponent. Vector instructions and compilers do not change them, which --same-as checks;
another C library may, in extended precision:
  * Values agree to a relative 1e-11: a change in any of the first ten significant digits is
    detected, and in every digit where fewer are printed.
  * Bounds (JSON keys error_bound, gap_error_percent, distance_to_singularity; "within X of",
    ", only X;" and "± X" in text; table cells such as 8.1e-09) agree to 1 % or one unit of the last
    digit; below 1e-9, where they are mostly rounding error, within a factor of 2.
  * residual and gap_percent, differences of nearly equal numbers, agree to a relative 1e-11 or to
    an absolute 1e-13 and 1e-10.
  * Integers (counts, iterations, orders, ids, line numbers) are equal.
"""

from __future__ import annotations

import argparse
import difflib
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from comparison import mask_times, settle
from transcript import SELECTIONS, BadCaseFile, Case, output_lines, read_case_files

Run = Callable[[Case, Path], list[list[str]]]
HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parent.parent / "examples"
TIME_LIMIT = 600.0  # seconds per command: a busy machine must not fail the test


def _prepare(folder: Path, binary: Path) -> dict[str, str]:
    """Fills a scratch folder and returns the environment for its commands."""
    work = folder / "work"
    shutil.copytree(HERE / "inputs", work / "inputs")
    (work / "examples").mkdir()
    for file in EXAMPLES.iterdir():
        if file.suffix in (".csv", ".toml"):
            shutil.copy(file, work / "examples")
    (folder / "bin").mkdir()
    (folder / "bin" / "shortfall").symlink_to(binary)
    (folder / "home").mkdir()
    return {
        "PATH": f"{folder}/bin:/usr/bin:/bin",
        "HOME": f"{folder}/home",
        "TMPDIR": f"{folder}/home",
        "LC_ALL": "C",
        "TZ": "UTC",
        "COLUMNS": "80",
        "TERM": "dumb",
        **{name: value for name, value in os.environ.items() if name.endswith("SAN_OPTIONS")},
    }


def _run(command: str, work: Path, environment: dict[str, str]) -> list[str]:
    with subprocess.Popen(
        ["/bin/sh", "-c", command],
        cwd=work,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        try:
            stdout, stderr = process.communicate(timeout=TIME_LIMIT)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise RuntimeError(f"stopped after {TIME_LIMIT:.0f} seconds: {command}") from None
    if process.returncode < 0 or process.returncode > 128:  # neither to be expected nor recorded
        raise RuntimeError(f"crashed, exit code {process.returncode}: {command}")
    # Whether a command takes long enough to report progress depends on the machine.
    stderr = re.sub(rb"(?m)^progress: .*\n", b"", stderr)
    texts = [mask_times(part.decode("utf-8", "backslashreplace")) for part in (stdout, stderr)]
    return output_lines(texts[0], texts[1], process.returncode)


def outputs_of(case: Case, binary: Path) -> list[list[str]]:
    """What the commands of a case print."""
    with tempfile.TemporaryDirectory(prefix="golden-") as name:
        folder = Path(name)
        environment = _prepare(folder, binary)
        return [_run(block.shell(), folder / "work", environment) for block in case.blocks]


def run_case(case: Case, binary: Path) -> list[list[str]]:
    """The outputs of a case, with the expected digits wherever they agree (see settle)."""
    outputs = outputs_of(case, binary)
    return [settle(block.expected, output) for block, output in zip(case.blocks, outputs)]


def with_outputs(cases: list[Case], run: Run, binary: Path) -> Iterator[tuple[Case, list[list[str]]]]:
    """Each case with its outputs, in order; two run at a time."""
    with ThreadPoolExecutor(max_workers=2) as pool:
        yield from zip(cases, pool.map(lambda case: run(case, binary), cases))


def expect(case: Case, outputs: list[list[str]]) -> None:
    for block, output in zip(case.blocks, outputs):
        block.expected = output


def expect_outputs_of(cases: list[Case], binary: Path) -> None:
    """Expects of these cases what another command prints."""
    for case, outputs in with_outputs(cases, outputs_of, binary):
        expect(case, outputs)


def differences(cases: list[Case], binary: Path) -> list[str]:
    """Where a command prints other bytes than expected."""
    found = [_difference(*each) for each in with_outputs(cases, outputs_of, binary)]
    return [difference for difference in found if difference]


def _difference(case: Case, outputs: list[list[str]]) -> str:
    """The unified diffs of a case; empty if there are none."""
    text = ""
    for block, output in zip(case.blocks, outputs):
        if block.expected == output:
            continue
        lines = difflib.unified_diff(block.expected, output, "expected", "actual", n=2, lineterm="")
        text += "\n".join([""] + block.command + list(lines)) + "\n"
    return f"{case.file}: {case.name}{text}" if text else ""


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("binary", type=Path, help="the shortfall command")
    parser.add_argument("filter", nargs="?", default="", help="part of a file, name or command")
    parser.add_argument("--update", action="store_true", help="record what changed")
    parser.add_argument("--same-as", type=Path, help="a command that must print the same")
    parser.add_argument("--self-test", action="store_true", help="check the runner itself")
    parser.add_argument("--chosen", choices=SELECTIONS, help="only the cases of this selection")
    parser.add_argument("--cases", type=Path, default=HERE / "cases", help="the case files")
    options = parser.parse_intermixed_args(arguments)
    binary = options.binary.resolve()
    if not os.access(binary, os.X_OK):
        parser.error(f"{options.binary} cannot be run")
    if options.self_test:
        import self_test

        return self_test.run(binary)

    try:
        files = read_case_files(options.cases)
    except BadCaseFile as error:
        parser.error(str(error))
    every = [case for file in files for case in file.cases]
    cases = [case for case in every if case.matches(options.filter)
             and (options.chosen is None or options.chosen in case.chosen)]
    if not cases:
        parser.error(f"no case matches '{options.filter}'")
    if options.same_as:
        expect_outputs_of(cases, options.same_as.resolve())
    run = outputs_of if options.same_as else run_case
    failed = 0
    for case, outputs in with_outputs(cases, run, binary):
        difference = _difference(case, outputs)
        failed += bool(difference)
        if difference:
            verdict = "CHANGED" if options.update else "FAILED"
            print(f"\n{verdict} {difference}", end="", flush=True)
        if options.update:
            expect(case, outputs)
    if options.update:
        for file in files:
            file.path.write_text(file.text(), encoding="utf-8")
    commands = sum(len(case.blocks) for case in cases)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(
        f"{len(cases)} cases of {commands} commands, {failed} "
        f"{'updated' if options.update else 'failed'}; "
        f"{used.ru_utime + used.ru_stime:.1f} s of processor time"
    )
    if failed and not options.update and not options.same_as:
        print("If these changes are intended, record them: scripts/golden.sh [FILTER]")
    return 1 if failed and not options.update else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
