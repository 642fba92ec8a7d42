"""Perishable stock: Ctrl-C stops long computations."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import pytest

from inventory_for_tests import EXAMPLES

PLATELETS8 = "Inventory.from_toml(examples + 'platelets8.toml', set={'risk.tau': 0.9})"
LONG = {
    "solve": f"solve({PLATELETS8})",
    "train": "train(Inventory.from_toml(examples + 'platelets.toml'), iterations=100000)",
    "a callable loss": "solve(stock.replace(loss=lambda x: 2 * x), tolerance=1e-14)",
    "simulate": "simulate(stock, static_orders(stock), replications=10**6, periods=3650)",
    "myopic": f"myopic_orders({PLATELETS8})",
    "train at once": f"train({PLATELETS8})",
    "report": f"report({PLATELETS8}, '/dev/null')",
}


@pytest.mark.parametrize("what", LONG)
def test_ctrl_c_stops_a_long_computation(what: str) -> None:
    program = f"""
import sys, time
from shortfall.inventory import *
examples = {str(EXAMPLES)!r} + "/"
stock = Inventory.from_toml(examples + "platelets.toml")
print("ready", flush=True)
try:
    {LONG[what]}
    print("finished")
except KeyboardInterrupt:
    print("stopped", flush=True)
"""
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(1.5)
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "stopped\n"
        assert process.wait() == 0
