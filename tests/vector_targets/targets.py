"""Runs the command with each of the machine's vector instruction sets in turn:

    targets.py TARGETS LIBRARY SHORTFALL GOLDEN

TARGETS lists them, and LIBRARY, preloaded, allows only some. Learners promise the same bytes with
any of them, checkpoints included. Solvers promise what their error bound says, and the recorded
outputs, whose last digits may differ (see tests/golden/golden.py)."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

TARGETS, LIBRARY, SHORTFALL, GOLDEN = (os.path.abspath(path) for path in sys.argv[1:5])
INPUTS = pathlib.Path(GOLDEN).parent / "inputs"
# Those of the recorded outputs that reach every kernel.
FILTERS = ("shortfall risk", "shortfall solve", "shortfall evaluate", "inventory solve",
           "shortfall learn")
ALGORITHMS = ("td", "td-lambda", "newton")


def targets():
    lines = subprocess.run([TARGETS], check=True, capture_output=True, text=True).stdout
    return dict(line.split() for line in lines.splitlines())


def environment(mask):
    return {**os.environ, "LD_PRELOAD": LIBRARY, "SHORTFALL_VECTOR_TARGETS": mask}


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


def learned(mask, arguments, rows):
    """What a learner prints and saves."""
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "rows.csv").write_text(rows)
        out = subprocess.run(
            [SHORTFALL, "learn", "--json", "--gamma", "0.5", *arguments, "--checkpoint", "state",
             "--predictions", "predictions.csv", "rows.csv"], check=True, cwd=folder,
            env=environment(mask), capture_output=True).stdout
        return (out, *((pathlib.Path(folder) / name).read_bytes()
                       for name in ("state", "predictions.csv")))


class VectorTargets(unittest.TestCase):
    def test_there_is_more_than_one(self):
        """Otherwise there is nothing to compare; and each of them is in effect."""
        if len(targets()) == 1:
            self.skipTest("this machine has one target")
        # Sums of other widths, or fused: last digits of a solution show which was used.
        solutions = set()
        for mask in targets().values():
            out = subprocess.run(
                [SHORTFALL, "solve", INPUTS / "boyan.csv", "--loss", "entropic:0.1", "--gamma",
                 "0.9", "--json", "--threads", "1"], check=True, env=environment(mask),
                capture_output=True, text=True).stdout
            solutions.add(re.sub(r'"seconds": .*', "", out))
        if not {"AVX2", "SSE4"} <= set(targets()):
            self.skipTest("this machine has no fused multiplication, or nothing else")
        self.assertGreater(len(solutions), 1)

    def test_learners_give_the_same_bytes(self):
        # Features that fill vectors of no width, of some, and of all.
        for features, loss in ((1, "mean"), (3, "expectile:0.9"), (5, "entropic:0.1"),
                               (8, "soft-quantile:0.3,4"), (14, "expectile:0.2")):
            for algorithm in ALGORITHMS:
                arguments = ["--loss", loss, "--algorithm", algorithm]
                arguments += ["--lambda", "0.6"] if algorithm == "td-lambda" else []
                arguments += ["--warmup", "20"] if algorithm == "newton" else []
                with self.subTest(features=features, arguments=arguments):
                    results = {name: learned(mask, arguments, stream(features))
                               for name, mask in targets().items()}
                    self.assertEqual(len(set(results.values())), 1, results)

    def test_recorded_outputs_agree(self):
        for name, mask in targets().items():
            with tempfile.TemporaryDirectory() as folder, self.subTest(name):
                command = pathlib.Path(folder) / "shortfall"
                command.write_text(f"#!/bin/sh\nLD_PRELOAD='{LIBRARY}' "
                                   f"SHORTFALL_VECTOR_TARGETS={mask} exec '{SHORTFALL}' \"$@\"\n")
                command.chmod(0o755)
                for which in FILTERS:
                    run = subprocess.run([sys.executable, "-B", GOLDEN, command, which],
                                         capture_output=True, text=True)
                    self.assertEqual(run.returncode, 0, run.stdout + run.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[5:]])
