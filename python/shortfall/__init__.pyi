from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, Callable, Literal, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import features as features
from . import gym as gym
from . import inventory as inventory
from . import library as library
from . import theory as theory

__version__: str

_Path = str | PathLike[str]
_Doubles = NDArray[np.float64]
_Features = ArrayLike | features.SparseFeatures
_Curvature = Literal["linear", "convex", "concave", "mixed"]
_Step = float | tuple[float, float, float] | str
_Monitor = Callable[[Progress], object] | None
LossLike = Loss | str | Callable[[Any], Any]

# Words, written by python/stubs.py.
_IntervalStatus = Literal["ok", "not-yet", "short-batches"]
_LearnerStatus = Literal["ok", "warming-up", "singular", "diverged", "not-settled"]
_Status = Literal[
    "converged", "iteration-limit", "precision-limit", "overflow", "small-change", "stopped", "multichain"
]
# End of words.

class InvalidInput(ValueError): ...
class OutputError(OSError): ...

class Loss:
    @overload
    def __init__(self, word: str) -> None: ...
    @overload
    def __init__(
        self,
        function: Callable[[Any], Any],
        *,
        slope: Callable[[Any], Any] | None = ...,
        score: Callable[[float], float] | None = ...,
        slope_bounds: tuple[float, float] = ...,
        curvature: tuple[_Curvature, _Curvature] = ...,
    ) -> None: ...
    def __call__(self, x: ArrayLike) -> Any: ...
    def slope(self, x: ArrayLike) -> Any: ...
    def score(self, x: ArrayLike) -> Any: ...
    @property
    def slope_bounds(self) -> tuple[float, float]: ...
    @property
    def curvature(self) -> tuple[_Curvature, _Curvature]: ...
    @property
    def word(self) -> str: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

def mean() -> Loss: ...
def expectile(tau: float) -> Loss: ...
def entropic(beta: float) -> Loss: ...
def truncated_entropic(beta: float, bound: float) -> Loss: ...
def soft_quantile(mu: float, kappa: float) -> Loss: ...
def piecewise(points: Sequence[tuple[float, float]]) -> Loss: ...
def risk(
    values: ArrayLike,
    probabilities: ArrayLike | None,
    loss: LossLike,
    *,
    start: float = ...,
) -> float: ...

class Outcomes:
    @property
    def row_begin(self) -> NDArray[np.uint64]: ...
    @property
    def probability(self) -> _Doubles: ...
    @property
    def cost(self) -> _Doubles: ...
    @property
    def next(self) -> NDArray[np.uint32]: ...
    def __len__(self) -> int: ...

class Mdp:
    def __init__(self, transitions: Any, *, cost: Any = ..., reward: Any = ...) -> None: ...
    @staticmethod
    def from_outcomes(
        state: ArrayLike,
        action: ArrayLike,
        next_state: ArrayLike,
        probability: ArrayLike,
        *,
        cost: ArrayLike | None = ...,
        reward: ArrayLike | None = ...,
    ) -> Mdp: ...
    @staticmethod
    def from_frame(frame: Any) -> Mdp: ...
    @staticmethod
    def from_csv(path: _Path, *, threads: int = ...) -> Mdp: ...
    @staticmethod
    def load(path: _Path, *, threads: int = ...) -> Mdp: ...
    @staticmethod
    def from_gym(
        P: Mapping[int, Mapping[int, Sequence[tuple[float, int, float, bool]]]]
    ) -> Mdp: ...
    def to_csv(self, path: _Path) -> None: ...
    def save(self, path: _Path) -> None: ...
    @property
    def states(self) -> int: ...
    @property
    def sense(self) -> Literal["cost", "reward"]: ...
    @property
    def state_base(self) -> int: ...
    @property
    def action_base(self) -> int: ...
    def actions(self, state: int) -> NDArray[np.int32]: ...
    def is_terminal(self, state: int) -> bool: ...
    @property
    def outcomes(self) -> Outcomes: ...
    def under_policy(
        self,
        policy: ArrayLike | None = ...,
        *,
        induced_cost: Literal["averaged", "mixture"] = ...,
    ) -> Chain: ...

class Chain:
    @property
    def states(self) -> int: ...
    @property
    def has_terminal_states(self) -> bool: ...
    @property
    def outcomes(self) -> Outcomes: ...
    def sample(
        self, steps: int, *, seed: int = ..., start: int = ...
    ) -> tuple[NDArray[np.uint32], _Doubles, NDArray[np.uint32], NDArray[np.bool_]]: ...

class Progress:
    @property
    def activity(self) -> str: ...
    @property
    def done(self) -> int: ...
    @property
    def total(self) -> int: ...
    @property
    def fraction(self) -> float: ...
    @property
    def error_bound(self) -> float: ...

class IterationRecord:
    @property
    def iteration(self) -> int: ...
    @property
    def residual(self) -> float: ...
    @property
    def error_bound(self) -> float: ...

class Solution:
    @property
    def status(self) -> _Status: ...
    @property
    def values(self) -> _Doubles: ...
    @property
    def policy(self) -> NDArray[np.int32]: ...
    @property
    def average_cost(self) -> float | None: ...
    @property
    def error_bound(self) -> float: ...
    @property
    def iterations(self) -> int: ...
    @property
    def trace(self) -> list[IterationRecord]: ...

def solve(
    model: Mdp,
    loss: LossLike,
    gamma: float | None = None,
    *,
    average: bool = ...,
    method: Literal[
        "adaptive",
        "policy-iteration",
        "modified-policy-iteration",
        "value-iteration",
        "gauss-seidel",
    ] = ...,
    tolerance: float | None = None,
    max_iterations: int = ...,
    threads: int = ...,
    start: ArrayLike | None = ...,
    monitor: _Monitor = ...,
) -> Solution: ...
def evaluate(
    model: Mdp,
    policy: ArrayLike | None,
    loss: LossLike,
    gamma: float | None = None,
    *,
    average: bool = ...,
    method: Literal["newton", "sweeps"] = ...,
    induced_cost: Literal["averaged", "mixture"] = ...,
    tolerance: float | None = None,
    max_iterations: int = ...,
    threads: int = ...,
    start: ArrayLike | None = ...,
    monitor: _Monitor = ...,
) -> Solution: ...

class FiniteHorizonSolution:
    @property
    def status(self) -> _Status: ...
    @property
    def values(self) -> _Doubles: ...
    @property
    def policies(self) -> NDArray[np.int32]: ...
    @property
    def error_bound(self) -> float: ...

def solve_finite_horizon(
    model: Mdp,
    loss: LossLike,
    gamma: float,
    *,
    stages: int,
    keep: Literal["all", "last"] = ...,
    discount: Literal["inside", "outside"] = ...,
    terminal_values: ArrayLike | None = ...,
    threads: int = ...,
) -> FiniteHorizonSolution: ...
def evaluate_finite_horizon(
    model: Mdp,
    policy: ArrayLike | None,
    loss: LossLike,
    gamma: float,
    *,
    stages: int,
    induced_cost: Literal["averaged", "mixture"] = ...,
    keep: Literal["all", "last"] = ...,
    discount: Literal["inside", "outside"] = ...,
    terminal_values: ArrayLike | None = ...,
    threads: int = ...,
) -> FiniteHorizonSolution: ...

class Interval:
    @property
    def value(self) -> float: ...
    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...
    @property
    def standard_error(self) -> float: ...
    @property
    def status(self) -> _IntervalStatus: ...
    @property
    def batches(self) -> int: ...
    @property
    def batch_correlation(self) -> float: ...

class Learner:
    def update(
        self, phi: _Features, cost: float, phi_next: _Features, weight: float = ...
    ) -> _LearnerStatus: ...
    def update_terminal(
        self, phi: _Features, cost: float, weight: float = ...
    ) -> _LearnerStatus: ...
    def update_many(
        self,
        phi: _Features,
        cost: ArrayLike,
        phi_next: _Features,
        terminal: ArrayLike | None = ...,
        weight: ArrayLike | None = ...,
    ) -> _LearnerStatus: ...
    def start_episode(self) -> None: ...
    def start_from(self, theta: ArrayLike) -> None: ...
    def value(self, phi: _Features) -> Any: ...
    def interval(
        self,
        phi: ArrayLike,
        level: float = ...,
        method: Literal["batch-means", "random-scaling"] | None = ...,
    ) -> Any: ...
    @property
    def effective_samples(self) -> float: ...
    @property
    def theta(self) -> _Doubles: ...
    @property
    def dimension(self) -> int: ...
    @property
    def updates(self) -> int: ...
    @property
    def status(self) -> _LearnerStatus: ...
    @property
    def movement(self) -> float | None: ...
    @property
    def loss(self) -> Loss: ...
    @property
    def gamma(self) -> float: ...

class Td(Learner):
    def __init__(
        self,
        dimension: int,
        loss: LossLike,
        gamma: float,
        *,
        step: _Step = ...,
        average_from: int | None = ...,
        forget: float | None = ...,
    ) -> None: ...

class TdLambda(Learner):
    def __init__(
        self,
        dimension: int,
        loss: LossLike,
        gamma: float,
        *,
        lambda_: float = ...,
        step: _Step = ...,
        average_from: int | None = ...,
        forget: float | None = ...,
    ) -> None: ...

class Newton(Learner):
    def __init__(
        self,
        dimension: int,
        loss: LossLike,
        gamma: float,
        *,
        warmup: int = ...,
        refactor_every: int = ...,
        as_published: bool = ...,
        forget: float | None = ...,
    ) -> None: ...
    @property
    def warmup(self) -> int: ...
    @property
    def inversions(self) -> int: ...
    @property
    def distance_to_singularity(self) -> float: ...

class AveragerTd(Learner):
    def __init__(
        self,
        dimension: int,
        loss: LossLike,
        gamma: float,
        *,
        step: _Step = ...,
        average_from: int | None = ...,
        forget: float | None = ...,
    ) -> None: ...

class AveragerNewton(Learner):
    def __init__(
        self,
        dimension: int,
        loss: LossLike,
        gamma: float,
        *,
        warmup: int = ...,
        refactor_every: int = ...,
        forget: float | None = ...,
    ) -> None: ...
    @property
    def warmup(self) -> int: ...
    @property
    def inversions(self) -> int: ...
    @property
    def distance_to_singularity(self) -> float: ...

class StreamRun:
    def __init__(
        self,
        path: _Path,
        algorithm: Literal["td", "td-lambda", "newton", "averager-td", "averager-newton"],
        loss: LossLike,
        gamma: float,
        *,
        lambda_: float = ...,
        step: _Step = ...,
        average_from: int | None = ...,
        warmup: int = ...,
        as_published: bool = ...,
        forget: float | None = ...,
        false_alarm_rate: float = ...,
        skip_bad_rows: bool = ...,
        checkpoint: _Path | None = ...,
        checkpoint_every: float = ...,
        resume_at_row: int | None = ...,
        predictions: _Path | None = ...,
        bad_rows: _Path | None = ...,
        max_bad_share: float = ...,
        cost_range: tuple[float, float] | None = ...,
        clip_costs: bool = ...,
    ) -> None: ...
    def learn(self, rows: int | None = ...) -> _LearnerStatus | Literal["outlier"]: ...
    def __iter__(self) -> StreamRun: ...
    def __next__(self) -> tuple[_Doubles, float, _Doubles | None]: ...
    def save(self) -> None: ...
    def reopen(self) -> None: ...
    def close(self) -> None: ...
    def __enter__(self) -> StreamRun: ...
    def __exit__(self, *args: object) -> None: ...
    @property
    def learner(self) -> Learner: ...
    @property
    def theta(self) -> _Doubles: ...
    @property
    def updates(self) -> int: ...
    @property
    def status(self) -> _LearnerStatus | Literal["outlier"]: ...
    @property
    def rows(self) -> int: ...
    @property
    def skipped_rows(self) -> int: ...
    @property
    def clipped_rows(self) -> int: ...
    @property
    def outliers(self) -> int: ...
    @property
    def last_outlier_row(self) -> int | None: ...
    @property
    def ignored(self) -> list[str]: ...
    @property
    def replayed_rows(self) -> int: ...
    @property
    def resumed_rows(self) -> int: ...
    @property
    def alarms(self) -> int: ...
    @property
    def last_alarm_row(self) -> int | None: ...
    @property
    def save_error(self) -> str: ...

class Assumption:
    @property
    def name(self) -> str: ...
    @property
    def holds(self) -> bool: ...
    @property
    def reason(self) -> str: ...

class KnownConvergence:
    @property
    def algorithm(self) -> str: ...
    @property
    def guaranteed(self) -> bool: ...
    @property
    def known(self) -> str: ...
    @property
    def rests_on(self) -> list[str]: ...

class Conditions:
    @property
    def slope_min(self) -> float: ...
    @property
    def slope_max(self) -> float: ...
    @property
    def gamma(self) -> float: ...
    @property
    def gamma_limit(self) -> float: ...
    @property
    def sharp_gamma_limit(self) -> float: ...
    @property
    def guaranteed(self) -> bool: ...
    @property
    def assumptions(self) -> list[Assumption]: ...
    @property
    def loss(self) -> str: ...
    @property
    def not_checked(self) -> str | None: ...
    @property
    def algorithm(self) -> str | None: ...
    @property
    def rests_on(self) -> list[str]: ...
    @property
    def largest_step(self) -> float | None: ...
    @property
    def algorithms(self) -> list[KnownConvergence]: ...

def check(
    loss: LossLike,
    gamma: float,
    model: Mdp | Chain | None = ...,
    policy: ArrayLike | None = ...,
    *,
    features: ArrayLike | None = ...,
    algorithm: Literal["td", "averager-td"] | None = ...,
) -> Conditions: ...

class Curve:
    @property
    def mean(self) -> _Doubles: ...
    @property
    def standard_error(self) -> _Doubles: ...
    @property
    def median(self) -> _Doubles: ...
    def __len__(self) -> int: ...

class Replications:
    @property
    def iterations(self) -> NDArray[np.int64]: ...
    @property
    def to_projected_value(self) -> Curve | None: ...
    @property
    def to_fixed_point(self) -> Curve | None: ...
    @property
    def first_component(self) -> Curve: ...
    @property
    def diverged(self) -> NDArray[np.int64]: ...
    @property
    def singular(self) -> NDArray[np.int64]: ...
    @property
    def theta(self) -> _Doubles: ...

def replicate(
    learner: Learner,
    chain: Chain,
    phi: ArrayLike,
    *,
    q: ArrayLike | None = ...,
    projected_value: ArrayLike | None = ...,
    fixed_point: ArrayLike | None = ...,
    replications: int = ...,
    seed: int = ...,
    start: int | ArrayLike = ...,
    record_at: ArrayLike | None = ...,
    threads: int = ...,
) -> Replications: ...
