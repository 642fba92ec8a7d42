"""Shared by the tests: running the command line, and property tests with a fixed seed."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any, Callable

import pytest
from hypothesis import settings

# No example database and no deadlines: every run is the same.
EXAMPLES_OF_A_PROPERTY = int(os.environ.get("SHORTFALL_EXAMPLES_OF_A_PROPERTY", "30"))
settings.register_profile(
    "shortfall",
    max_examples=EXAMPLES_OF_A_PROPERTY,
    derandomize=True,
    deadline=None,
    database=None,
)
settings.load_profile("shortfall")

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture(scope="session")
def examples() -> Path:
    return EXAMPLES


@pytest.fixture(scope="session")
def command() -> Callable[..., Any]:
    """Runs the command with --json and returns its JSON document."""
    path = os.environ.get("SHORTFALL_COMMAND")
    if not path:
        pytest.skip("SHORTFALL_COMMAND does not say where the command is")

    def run(*arguments: object) -> Any:
        words = [path, *map(str, arguments), "--json"]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        settled = done.returncode == 0 or '"status": "not-settled"' in done.stdout
        assert settled, done.stderr
        return json.loads(done.stdout)

    return run
