"""Ctrl-C stops long computations and leaves the interpreter and the objects in a valid state."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import pytest

START = """
import numpy as np, shortfall as sf, sys
random = np.random.default_rng(1)
def ready(*_):
    global told
    if not told:
        told = True
        print("ready", flush=True)
told = False
"""

SOLVE = """
model = sf.Mdp(random.dirichlet(np.ones(300), (3, 300)), cost=random.random((3, 300, 300)))
try:
    sf.solve(model, "expectile:0.9", 1 - 1e-9, method="gauss-seidel", monitor=ready)
except KeyboardInterrupt:
    print("stopped", sf.solve(model, "mean", 0.5).status)
"""

SOLVE_WITH_A_FUNCTION = SOLVE.replace('"expectile:0.9"', "lambda x: np.where(x > 0, 2 * x, x)")

BATCH = """
phi, cost = random.normal(size=(200_001, 50)), random.random(200_000)
newton = sf.Newton(50, "expectile:0.9", 0.9)
newton.update_many(phi[:1000], cost[:1000], phi[1:1001])
try:
    ready()
    while True:
        newton.update_many(phi[:-1], cost, phi[1:])
except KeyboardInterrupt:
    again = newton.update(phi[0], 0.0, phi[1])
    print("stopped", "converged" if newton.updates > 1000 and again == "ok" else again)
"""

SAMPLE = """
chain = sf.Mdp([np.full((3, 3), 1 / 3)], cost=[1, 2, 3]).under_policy()
try:
    ready()
    while True:
        chain.sample(20_000_000)
except KeyboardInterrupt:
    print("stopped", "converged")
"""


@pytest.mark.parametrize(
    "script",
    [SOLVE, SOLVE_WITH_A_FUNCTION, BATCH, SAMPLE],
    ids=["solve", "solve with a function", "batch", "sample"],
)
def test_ctrl_c_stops(script: str) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", START + script], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.2)  # so that it computes, if the machine is not too busy
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate()
    assert output == "stopped converged\n"


LEARN = """
phi, cost = random.normal(size=(200_001, 50)), random.random(200_000)
newton = sf.Newton(50, "expectile:0.9", 0.9)
def work():
    while True:
        newton.update_many(phi[:-1], cost, phi[1:])
"""

SOLVE_FOR_EVER = """
model = sf.Mdp(random.dirichlet(np.ones(300), (3, 300)), cost=random.random((3, 300, 300)))
def work():
    while True:
        sf.solve(model, lambda x: np.where(x > 0, 2 * x, x), 1 - 1e-9, method="gauss-seidel")
"""


@pytest.mark.parametrize("script", [LEARN, SOLVE_FOR_EVER], ids=["batch", "solve"])
def test_the_interpreter_can_exit_while_a_daemon_thread_computes(script: str) -> None:
    start = "import threading, time\nthreading.Thread(target=work, daemon=True).start()\n"
    program = START + script + start + "time.sleep(0.5)\nprint('leaving')\n"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "leaving\n"), done.stderr
