"""Of a binary model, each of two ranks holds about half of what one alone does."""

import random
import re
import sys

from ranks import EXAMPLES, RanksTestCase

# Starts the words that follow, and says how many KiB they had in memory at most.
PEAK = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:]).returncode
sys.stderr.write(f"peak {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss}\\n")
sys.exit(code)
"""
# Half, and what ranks exchange, more of it where one waits for the other. With the actions of all states on each rank it would be 0.7.
LIMIT = 0.67
CRITERION = ("--loss", "mean", "--gamma", "0.9")


def band(states):
    """Two actions with five outcomes nearby."""
    draw = random.Random(7)
    rows = ["idstatefrom,idaction,idstateto,probability,cost"]
    for x in range(states):
        cost = draw.random()
        rows += [f"{x},{a},{(x + k) % states},0.2,{cost + a * k}"
                 for a in (0, 1) for k in (0, 1, 2, 3, 4)]
    return "\n".join(rows) + "\n"


class Memory(RanksTestCase):
    def peak(self, count, arguments):
        """Of the rank that needs most, in MiB."""
        run = self.run_different(*[([sys.executable, "-c", PEAK], [*arguments, "--threads", "1"])]
                                 * count)
        self.assertEqual(run.code, 0, run.err)
        peaks = [int(number) for number in re.findall(r"^peak (\d+)$", run.err, re.MULTILINE)]
        self.assertEqual(len(peaks), count, run.err)
        return max(peaks) / 1024

    def test_two_ranks_divide_the_memory_of_one(self):
        states = 150000
        self.write("band.csv", band(states))
        self.run_alone(["convert", "band.csv", "band.bin"])
        self.write("policy.csv", "idstate,idaction\n"
                   + "".join(f"{x},{x % 2}\n" for x in range(states)))
        small = ["solve", EXAMPLES / "forest.csv", *CRITERION]
        base = {count: self.peak(count, small) for count in (1, 2)}
        for arguments in (["solve", "band.bin", *CRITERION],
                          ["solve", "band.bin", *CRITERION, "--policy-out", "out.csv"],
                          ["evaluate", "band.bin", "--policy", "policy.csv", *CRITERION]):
            with self.subTest(arguments=arguments):
                one, two = (self.peak(count, arguments) - base[count] for count in (1, 2))
                # 20 bytes per outcome and more: otherwise nothing was measured.
                self.assertGreater(one, 20 * 10 * states / 2**20)
                self.assertLess(two, LIMIT * one, f"of {one:.1f} MiB")
