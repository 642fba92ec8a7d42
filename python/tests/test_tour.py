"""The Python code in docs/tour.md runs unchanged."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

TOUR = Path(__file__).resolve().parents[2] / "docs" / "tour.md"


def test_the_python_code_in_the_tour_runs(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"```python\n(.*?)```", TOUR.read_text(), re.DOTALL)
    assert len(blocks) == 1
    names: dict[str, object] = {}
    exec(blocks[0], names)  # noqa: S102
    assert "converged" in capsys.readouterr().out
    # The exact value is 3 / (1 - 0.95) = 60, for a cost of 3 per step; TD has not reached it yet.
    values = names["td"].value(np.eye(3))  # type: ignore[attr-defined]
    assert ((0 < values) & (values < 60.0)).all()
