from collections.abc import Callable, Mapping, Sequence
from datetime import date
from os import PathLike
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import IterationRecord, Loss, Mdp, Progress

_AnyLoss = Loss | str | Callable[[float], float]
_Path = str | PathLike[str]
_Setting = bool | int | float | str | Loss | Sequence[object] | NDArray[np.float64]
_Stock = Sequence[int] | NDArray[np.integer[Any]]
_Stopping = Literal["certified", "paper"]
_Dates = Literal["auto", "ymd", "dmy", "mdy"]
_Algorithm = Literal["td", "newton", "averager-td", "averager-newton"]
_Evaluation = Literal["restarted", "published"]
_Normalisation = Literal["orthonormal", "largest", "standard", "none"]
_Paths = Literal["restarted", "separate", "divided"]
_Start = Literal["delivery", "empty", "uniform"]
_FirstWeights = Literal["non-perishable", "zero"]
_NextWeights = Literal["carried", "first"]
_Draws = Literal["stratified", "per-state", "per-order"]
_Orders = NDArray[np.int32]
_Status = Literal["converged", "iteration-limit", "precision-limit", "overflow", "small-change"]

class Inventory:
    def __init__(
        self,
        *,
        shelf_life: int,
        capacity: int,
        max_order: int | Sequence[int] | NDArray[np.integer[Any]] | None = None,
        demand: ArrayLike | Sequence[ArrayLike],
        shares: ArrayLike | Sequence[ArrayLike] | None = None,
        arrival: tuple[ArrayLike, ArrayLike] | None = None,
        cost: Mapping[str, float | Sequence[float] | NDArray[np.float64]],
        loss: _AnyLoss,
        gamma: float,
    ) -> None: ...
    @staticmethod
    def from_toml(path: _Path, *, set: Mapping[str, _Setting] = {}) -> Inventory: ...
    def replace(
        self, *, loss: _AnyLoss | None = None, gamma: float | None = None
    ) -> Inventory: ...
    def index(self, stock: _Stock, day: int = 0) -> int: ...
    def arrival(self, order: int, day: int = 0) -> NDArray[np.float64]: ...
    def order(
        self,
        stock: _Stock,
        *,
        day: str | int | None = None,
        compare: Sequence[str] = [],
        solution: InventorySolution | None = None,
        tolerance: float = 1e-6,
        threads: int = 0,
    ) -> dict[str, Any]: ...
    def backtest(
        self,
        records: _Path,
        *,
        compare: Sequence[str] = [],
        refit: int | None = None,
        stock: _Stock | None = None,
        solution: InventorySolution | None = None,
        dates: _Dates = "auto",
        seed: int = 1,
        tolerance: float = 1e-6,
        threads: int = 0,
    ) -> dict[str, Any]: ...
    def report(
        self,
        path: _Path,
        *,
        levels: Sequence[float] | None = None,
        policy: Sequence[str] = [],
        records: _Path | None = None,
        dates: _Dates = "auto",
        title: str = "",
        currency: str = "",
        date: str = "",
        periods: int = 365,
        replications: int = 10000,
        tolerance: float = 1e-6,
        max_iterations: int = 1000000,
        seed: int = 1,
        threads: int = 0,
        csv: _Path | None = None,
    ) -> dict[str, Any]: ...
    @property
    def shelf_life(self) -> int: ...
    @property
    def capacity(self) -> int: ...
    @property
    def max_order(self) -> int | tuple[int, ...]: ...
    @property
    def days(self) -> int: ...
    @property
    def states(self) -> int: ...
    @property
    def loss(self) -> Loss: ...
    @property
    def gamma(self) -> float: ...
    @property
    def cost(self) -> dict[str, float | tuple[float, ...]]: ...
    @property
    def demand(self) -> tuple[NDArray[np.float64], ...]: ...
    @property
    def stocks(self) -> NDArray[np.uint8]: ...
    @property
    def memory_needed(self) -> float: ...

class FittedPlan:
    @property
    def inventory(self) -> Inventory: ...
    @property
    def toml(self) -> str: ...
    @property
    def summary(self) -> dict[str, Any]: ...
    @property
    def warnings(self) -> list[str]: ...

def read_records(
    path: _Path, *, dates: Literal["auto", "ymd", "dmy", "mdy"] = "auto"
) -> dict[str, list[Any]]: ...
def fit_records(
    path: _Path,
    *,
    shelf_life: int,
    distribution: Literal["auto", "poisson", "negative-binomial", "empirical"] = "auto",
    by_weekday: Literal["auto", "yes", "no"] = "auto",
    since: date | str | None = None,
    last: int = 0,
    dates: Literal["auto", "ymd", "dmy", "mdy"] = "auto",
    capacity: int | None = None,
    max_order: int | None = None,
    set: Mapping[str, _Setting] = {},
    out: _Path | None = None,
) -> FittedPlan: ...

class InventorySolution:
    @property
    def inventory(self) -> Inventory: ...
    @property
    def status(self) -> _Status: ...
    @property
    def values(self) -> NDArray[np.float64]: ...
    @property
    def policy(self) -> _Orders: ...
    @property
    def error_bound(self) -> float: ...
    @property
    def iterations(self) -> int: ...
    @property
    def trace(self) -> list[IterationRecord]: ...
    def value(self, stock: _Stock, day: int = 0) -> float: ...
    def order(self, stock: _Stock, day: int = 0) -> int: ...
    def save(self, path: _Path) -> None: ...

class NonPerishable:
    @property
    def order(self) -> _Orders: ...
    @property
    def value(self) -> NDArray[np.float64]: ...
    @property
    def shape(self) -> list[tuple[int, int] | None]: ...
    @property
    def error_bound(self) -> float: ...

class Simulation:
    @property
    def discounted_cost(self) -> NDArray[np.float64]: ...
    @property
    def mean(self) -> float: ...
    @property
    def standard_error(self) -> float: ...
    @property
    def cost_per_period(self) -> float: ...
    @property
    def order_cost_per_period(self) -> float: ...
    @property
    def unit_cost_per_period(self) -> float: ...
    @property
    def holding_cost_per_period(self) -> float: ...
    @property
    def shortage_cost_per_period(self) -> float: ...
    @property
    def wastage_cost_per_period(self) -> float: ...
    @property
    def service_level(self) -> float: ...
    @property
    def periods_short(self) -> float: ...
    @property
    def shortage_rate(self) -> float: ...
    @property
    def wastage_rate(self) -> float: ...
    @property
    def wasted_fraction(self) -> float: ...
    @property
    def order_frequency(self) -> float: ...
    @property
    def mean_order(self) -> float: ...
    @property
    def mean_stock(self) -> float: ...
    @property
    def stock_by_age(self) -> NDArray[np.float64]: ...
    def quantile(self, q: float) -> float: ...

class TrainingRecord:
    @property
    def iteration(self) -> int: ...
    @property
    def estimated_at_empty(self) -> float: ...
    @property
    def change(self) -> float: ...
    @property
    def used(self) -> int: ...
    @property
    def singular(self) -> int: ...
    @property
    def diverged(self) -> int: ...
    @property
    def value_at_empty(self) -> float: ...
    @property
    def error_bound(self) -> float: ...
    @property
    def status(self) -> _Status: ...

class Training:
    @property
    def status(self) -> _Status | Literal["nothing-learned"]: ...
    @property
    def policy(self) -> _Orders: ...
    @property
    def values(self) -> NDArray[np.float64]: ...
    @property
    def error_bound(self) -> float: ...
    @property
    def best(self) -> TrainingRecord: ...
    @property
    def trace(self) -> list[TrainingRecord]: ...
    @property
    def last_policy(self) -> _Orders: ...
    @property
    def theta(self) -> NDArray[np.float64]: ...

class Estimate:
    @property
    def value_at_empty(self) -> float: ...
    @property
    def theta(self) -> NDArray[np.float64]: ...
    @property
    def change(self) -> float: ...
    @property
    def used(self) -> int: ...
    @property
    def singular(self) -> int: ...
    @property
    def diverged(self) -> int: ...

def negative_binomial_demand(n: float, mean: float, max: int) -> NDArray[np.float64]: ...
def poisson_demand(mean: float, max: int) -> NDArray[np.float64]: ...
def empirical_demand(probabilities: ArrayLike) -> NDArray[np.float64]: ...
def solve(
    inventory: Inventory,
    *,
    tolerance: float = 1e-6,
    max_iterations: int = 1000000,
    threads: int = 0,
    start: ArrayLike | None = None,
    stopping: _Stopping = "certified",
    monitor: Callable[[Progress], object] | None = None,
) -> InventorySolution: ...
def evaluate(
    inventory: Inventory,
    orders: ArrayLike,
    *,
    tolerance: float = 1e-6,
    max_iterations: int = 1000000,
    threads: int = 0,
    start: ArrayLike | None = None,
    stopping: _Stopping = "certified",
    monitor: Callable[[Progress], object] | None = None,
) -> InventorySolution: ...
def non_perishable(inventory: Inventory) -> NonPerishable: ...
def static_orders(inventory: Inventory) -> _Orders: ...
def myopic_orders(inventory: Inventory, *, threads: int = 0) -> _Orders: ...
def risk_neutral_orders(
    inventory: Inventory, *, tolerance: float = 1e-6, threads: int = 0
) -> _Orders: ...
def base_stock_orders(inventory: Inventory, level: int) -> _Orders: ...
def reorder_orders(inventory: Inventory, reorder_at: int, order_up_to: int) -> _Orders: ...
def simulate(
    inventory: Inventory,
    orders: ArrayLike,
    *,
    periods: int = 365,
    replications: int = 10000,
    seed: int = 1,
    threads: int = 0,
) -> Simulation: ...
def train(
    inventory: Inventory,
    *,
    algorithm: _Algorithm = "newton",
    iterations: int = 20,
    samples: int = 60000,
    trajectories: int = 20,
    warmup: int = 1000,
    improvement: str = "exact",
    tolerance: float = 1e-6,
    max_iterations: int = 1000000,
    seed: int = 1,
    threads: int = 0,
    resume: Training | None = None,
    on_iteration: Callable[[TrainingRecord], object] | None = None,
    monitor: Callable[[Progress], object] | None = None,
    evaluation: _Evaluation = "restarted",
    normalisation: _Normalisation | None = None,
    step: str | None = None,
    paths: _Paths | None = None,
    start: _Start | None = None,
    first_weights: _FirstWeights | None = None,
    next_weights: _NextWeights | None = None,
    draws: _Draws | None = None,
    features: str | None = None,
) -> Training: ...
def estimate(
    inventory: Inventory,
    orders: ArrayLike,
    *,
    algorithm: _Algorithm = "newton",
    samples: int = 60000,
    trajectories: int = 20,
    warmup: int = 1000,
    seed: int = 1,
    threads: int = 0,
    evaluation: _Evaluation = "restarted",
    normalisation: _Normalisation | None = None,
    step: str | None = None,
    paths: _Paths | None = None,
    start: _Start | None = None,
    first_weights: _FirstWeights | None = None,
    features: str | None = None,
) -> Estimate: ...
def sample_path(
    inventory: Inventory,
    orders: ArrayLike,
    *,
    periods: int = 60000,
    restart: float = 0.0,
    seed: int = 1,
) -> tuple[NDArray[np.uint32], NDArray[np.float64], NDArray[np.uint32]]: ...
def greedy_orders(inventory: Inventory, values: ArrayLike, *, threads: int = 0) -> _Orders: ...
def stock_features(
    inventory: Inventory, *, features: str = "polynomial", states: ArrayLike | None = None
) -> NDArray[np.float64]: ...
def order(
    inventory: Inventory,
    stock: _Stock,
    *,
    day: str | int | None = None,
    compare: Sequence[str] = [],
    solution: InventorySolution | None = None,
    tolerance: float = 1e-6,
    threads: int = 0,
) -> dict[str, Any]: ...
def backtest(
    inventory: Inventory,
    records: _Path,
    *,
    compare: Sequence[str] = [],
    refit: int | None = None,
    stock: _Stock | None = None,
    solution: InventorySolution | None = None,
    dates: _Dates = "auto",
    seed: int = 1,
    tolerance: float = 1e-6,
    threads: int = 0,
) -> dict[str, Any]: ...
def load_solution(path: _Path, inventory: Inventory) -> InventorySolution: ...
def report(
    inventory: Inventory,
    path: _Path,
    *,
    levels: Sequence[float] | None = None,
    policy: Sequence[str] = [],
    records: _Path | None = None,
    dates: _Dates = "auto",
    title: str = "",
    currency: str = "",
    date: str = "",
    periods: int = 365,
    replications: int = 10000,
    tolerance: float = 1e-6,
    max_iterations: int = 1000000,
    seed: int = 1,
    threads: int = 0,
    csv: _Path | None = None,
) -> dict[str, Any]: ...
def explicit_mdp(inventory: Inventory) -> Mdp: ...
def read_orders(path: _Path, inventory: Inventory) -> _Orders: ...
def write_orders(path: _Path, inventory: Inventory, orders: ArrayLike) -> None: ...
