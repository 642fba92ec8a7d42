"""Runs the command with each of the machine's vector instruction sets in turn:

    targets.py TARGETS LIBRARY SHORTFALL GOLDEN [--all]

TARGETS lists them, and LIBRARY, preloaded, allows only some. Learners, laws and models with extreme
numbers, fits, and recorded commands: those that are chosen for vectors, or with --all every one. All of them give the same bytes, and so
do the functions that the C library has for processors without fused multiplication."""

import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

TARGETS, LIBRARY, SHORTFALL = (os.path.abspath(path) for path in sys.argv[1:4])
GOLDEN = pathlib.Path(sys.argv[4]).absolute()
ALL = "--all" in sys.argv[5:]
sys.path.insert(0, str(GOLDEN))
import golden  # noqa: E402
from transcript import read_case_files  # noqa: E402

import extremes  # noqa: E402

# As if the processor were older than 2013.
OTHER_FUNCTIONS = "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX2_Usable,-FMA_Usable"
OLD = ("SSE4", "SSSE3", "SCALAR")
ALGORITHMS = ("td", "td-lambda", "newton")
EXTREMES = 80  # laws, and as many models


def targets():
    lines = subprocess.run([TARGETS], check=True, capture_output=True, text=True).stdout
    return dict(line.split() for line in lines.splitlines())


def environment(name, mask):
    functions = {"GLIBC_TUNABLES": OTHER_FUNCTIONS} if name in OLD else {}
    return {**functions, "LD_PRELOAD": LIBRARY, "SHORTFALL_VECTOR_TARGETS": mask}


def stream(features, rows=150):
    """Transitions from a multiplicative generator."""
    state, lines = 20261116, [",".join([f"x{i + 1}" for i in range(features)] +
                                       [f"y{i + 1}" for i in range(features)] + ["cost"])]
    for _ in range(rows):
        numbers = []
        for _ in range(2 * features + 1):
            state = state * 48271 % 2147483647
            numbers.append(f"{state % 2001 / 1000 - 1:.3f}")
        lines.append(",".join(numbers))
    return "\n".join(lines) + "\n"


def learned(target, arguments, rows):
    """What a learner prints and saves."""
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "rows.csv").write_text(rows)
        out = subprocess.run(
            [SHORTFALL, "learn", "--json", "--gamma", "0.5", *arguments, "--checkpoint", "state",
             "--predictions", "predictions.csv", "rows.csv"], check=True, cwd=folder,
            env={**os.environ, **environment(*target)}, capture_output=True).stdout
        return (out, *((pathlib.Path(folder) / name).read_bytes()
                       for name in ("state", "predictions.csv")))


def answer(target, arguments, given):
    """What a command prints, without times, and without the values of a document that reports an
    overflow, which are not promised."""
    run = subprocess.run([SHORTFALL, *arguments], input=given, text=True, capture_output=True,
                         env={**os.environ, **environment(*target)})
    document = json.loads(run.stdout) if run.stdout else {}
    unpromised = {"seconds"} | ({"values", "policy", "iterations", "residual"}
                                if document.get("status") == "overflow" else set())
    document = {key: value for key, value in document.items() if key not in unpromised}
    return run.returncode, json.dumps(document), run.stderr


class VectorTargets(unittest.TestCase):
    def test_each_is_in_effect(self):
        for name, mask in targets().items():
            out = subprocess.run([TARGETS], check=True, capture_output=True, text=True,
                                 env={**os.environ, **environment(name, mask)}).stdout
            self.assertEqual(out, f"{name} {mask}\n")

    def test_learners_give_the_same_bytes(self):
        # Features that fill vectors of no width, of some, and of all.
        for features, loss in ((1, "mean"), (3, "expectile:0.9"), (5, "entropic:0.1"),
                               (8, "soft-quantile:0.3,4"), (14, "expectile:0.2")):
            for algorithm in ALGORITHMS:
                arguments = ["--loss", loss, "--algorithm", algorithm]
                arguments += ["--lambda", "0.6"] if algorithm == "td-lambda" else []
                arguments += ["--warmup", "20"] if algorithm == "newton" else []
                with self.subTest(features=features, arguments=arguments):
                    results = {target: learned(target, arguments, stream(features))
                               for target in targets().items()}
                    self.assertEqual(len(set(results.values())), 1, results)

    def test_extreme_laws_and_models_give_the_same_bytes(self):
        numbers, statuses = random.Random(2026), set()
        for n in range(EXTREMES):
            for make in (extremes.risk, extremes.solve):
                arguments, given = make(numbers)
                with self.subTest(n=n, arguments=arguments):
                    results = {name: answer((name, mask), arguments, given)
                               for name, mask in targets().items()}
                    self.assertEqual(len(set(results.values())), 1, (given, results))
                    statuses.add(next(iter(results.values()))[0])
        self.assertEqual(statuses, {0, 1})  # with and without an answer

    def test_fits_give_the_same_bytes(self):
        records = str(GOLDEN.parent.parent / "examples" / "records.csv")
        for more in (["auto", "--by-weekday", "no"], ["poisson"], ["negative-binomial"]):
            arguments = ["inventory", "fit", records, "--shelf-life", "5", "--json",
                         "--distribution", *more]
            with self.subTest(more):
                results = {name: answer((name, mask), arguments, "")
                           for name, mask in targets().items()}
                self.assertEqual(len(set(results.values())), 1, results)

    def test_commands_print_the_same_bytes(self):
        """Recorded commands, compared with those of the best target."""
        cases = [case for file in read_case_files(GOLDEN / "cases") for case in file.cases
                 if ALL or "vectors" in case.chosen]
        self.assertGreaterEqual(sum(len(case.blocks) for case in cases), 60)
        with tempfile.TemporaryDirectory() as folder:
            commands = {name: self.command(folder, name, mask) for name, mask in targets().items()}
            best = next(iter(commands))
            golden.expect_outputs_of(cases, commands.pop(best))
            for name, command in commands.items():
                with self.subTest(name):
                    self.assertEqual(golden.differences(cases, command), [])

    def command(self, folder, name, mask):
        """The command with one target, as a program."""
        path = pathlib.Path(folder) / name
        variables = " ".join(f"{key}='{value}'" for key, value in environment(name, mask).items())
        path.write_text(f"#!/bin/sh\n{variables} exec '{SHORTFALL}' \"$@\"\n")
        path.chmod(0o755)
        return path


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *(word for word in sys.argv[5:] if word != "--all")])
