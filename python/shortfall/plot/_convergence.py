"""Convergence of learners."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection

from .. import InvalidInput
from ._given import by_name, subject
from ._style import axes, finite, line

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .. import Replications

_REFERENCES = {
    "projected_value": "distance to the projected value\n" r"$\Vert\Phi\theta_n - \Pi V\Vert_q$",
    "fixed_point": "distance to the fixed point\n" r"$\Vert\Phi\theta_n - \Phi\theta_*\Vert_q$",
}


def convergence(
    runs: Replications | Mapping[str, Replications],
    *,
    reference: Literal["projected_value", "fixed_point"] = "projected_value",
    ax: Axes | None = None,
) -> Axes:
    """Distance of learners from their reference by iteration, on logarithmic axes.

    A line is the mean of the replications, with a band of two standard errors on each side. If a
    replication diverges, the mean becomes infinite: from there on a thin line shows the median, and
    the legend gives the number of diverged replications. Iteration 0 is not shown.

    Examples
    --------
    >>> from shortfall import plot
    >>> drawn = sf.library.random_mdp(features=4, seed=1)
    >>> chain = drawn.model.under_policy(drawn.policy)
    >>> q = sf.theory.stationary_law(chain).probability
    >>> field = sf.theory.MeanField(chain, "mean", 0.5, drawn.features, q)
    >>> goal = drawn.features @ sf.theory.projected_fixed_point(field).theta
    >>> runs = {learner.__name__: sf.replicate(
    ...     learner(4, "mean", 0.5), chain, drawn.features, fixed_point=goal, replications=5,
    ...     record_at=[1, 10, 100, 1000]) for learner in (sf.Td, sf.Newton)}
    >>> ax = plot.convergence(runs, reference="fixed_point")
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['Td', 'Newton']
    """
    if reference not in _REFERENCES:
        raise InvalidInput(f"reference '{reference}'; accepted: {', '.join(_REFERENCES)}")
    named: dict[str, Replications] = by_name(runs, "Replications", "iterations")
    distances = {name: _distances(name, run, reference) for name, run in named.items()}
    ax = axes(ax)
    ax.set_xscale("log")
    ax.set_yscale("log")
    for k, (name, run) in enumerate(named.items()):
        _draw_replications(ax, k, _replications_label(name, run), run, distances[name])
    ax.set_xlabel("iteration $n$")
    ax.set_ylabel(_REFERENCES[reference])
    ax.legend(title="mean ± 2 standard errors", fontsize="small", title_fontsize="small")
    return ax


def _distances(name: str, run: Replications, reference: str) -> Any:
    found = getattr(run, f"to_{reference}")
    if found is None:
        raise InvalidInput(f"{subject('run', name)} has not measured the distance to "
                           f"{reference}; accepted: runs of replicate(..., {reference}=...)")
    return found


def _replications_label(name: str, run: Replications) -> str:
    replications, diverged = len(run.theta), int(run.diverged[-1])
    label = name or f"{replications} replications"
    if diverged == 0:
        return label
    return f"{label} ({diverged} of {replications} diverged; thin: median)"


def _draw_replications(ax: Axes, k: int, label: str, run: Replications, distances: Any) -> None:
    on_axis = np.asarray(run.iterations) > 0
    n = np.asarray(run.iterations)[on_axis]
    mean, error, median = (
        finite(np.asarray(part)[on_axis])
        for part in (distances.mean, distances.standard_error, distances.median)
    )
    style = line(k, len(n))
    ax.plot(n, mean, label=label, **style)
    _draw_band(ax, n, mean, 2.0 * error, style["color"])
    thin = np.where(np.isnan(mean), median, np.nan)
    if np.isfinite(thin).any():
        ax.plot(n, thin, color=style["color"], linestyle=style["linestyle"], linewidth=0.8)


def _draw_band(
    ax: Axes, n: NDArray[Any], mean: NDArray[np.float64], width: NDArray[np.float64], colour: str
) -> None:
    known = np.isfinite(width)
    if not known.any():
        return
    n, lower, upper = n[known], (mean - width)[known], (mean + width)[known]
    outline = np.r_[np.c_[n, upper], np.c_[n, lower][::-1]]
    ax.add_collection(PolyCollection([outline], color=colour, alpha=0.2, linewidth=0.0),
                      autolim=False)
    # A band may reach zero or below: the axis follows it for one decade below the line.
    ax.update_datalim(np.c_[n, upper])
    ax.update_datalim(np.c_[n, np.fmax(lower, np.nanmin(mean) / 10.0)])
    ax.autoscale_view()
