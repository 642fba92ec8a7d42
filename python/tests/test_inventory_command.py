"""Results are identical to those of the command line for the same configuration and seed."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from shortfall import inventory
from shortfall.inventory import Inventory

COMMAND = os.environ.get("SHORTFALL_COMMAND")
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

pytestmark = pytest.mark.skipif(
    COMMAND is None, reason="SHORTFALL_COMMAND does not say where the command is"
)

# Changes to platelets3.toml: the published instance, a risk-averse one, a week, another loss.
SETTINGS = [
    {},
    {"risk.tau": 0.9, "cost.order": 80},
    {"demand.mean": [6, 7, 5, 4, 3, 2, 1.5], "inventory.capacity": 12, "risk.loss": "mean"},
    {"risk.loss": "soft-quantile:0.8,0.1", "risk.gamma": 0.9, "arrival.fresh": True},
]


def text_of(value):
    """A value as written after --set KEY=."""
    return json.dumps(value) if isinstance(value, (list, bool)) else str(value)


def run(command, settings, *arguments, exits=0):
    assert COMMAND is not None
    line = [COMMAND, "inventory", command, str(EXAMPLES / "platelets3.toml"), "--json", *arguments]
    for key, value in settings.items():
        line += ["--set", f"{key}={text_of(value)}"]
    done = subprocess.run(line, capture_output=True, text=True)
    assert done.returncode == exits, done.stderr
    return json.loads(done.stdout)


def read(settings):
    return Inventory.from_toml(EXAMPLES / "platelets3.toml", set=settings)


def assert_same_solution(solution, document):
    assert solution.values[0] == document["value_at_empty"]
    assert solution.policy[0] == document["order_at_empty"]
    assert solution.error_bound == document["error_bound"]
    assert solution.iterations == document["iterations"]
    assert solution.status == document["status"]


@pytest.mark.parametrize("settings", SETTINGS)
def test_the_instance_is_the_same(settings):
    stock, document = read(settings), run("solve", settings)
    assert stock.states == document["states"]
    assert stock.shelf_life == document["shelf_life"]
    assert stock.capacity == document["capacity"]
    assert stock.days == document["days"]
    assert stock.gamma == document["gamma"]
    assert repr(stock.loss) == f"Loss('{document['loss']}')"
    assert int(stock.memory_needed) == document["memory_bytes"]


@pytest.mark.parametrize("settings", SETTINGS)
def test_solve_has_the_same_bits(settings):
    document = run("solve", settings)
    assert_same_solution(inventory.solve(read(settings)), document)
    levels = [
        day and (day["reorder_at"], day["order_up_to"]) for day in document["non_perishable"]
    ]
    assert inventory.non_perishable(read(settings)).shape == levels


def test_the_published_stopping_rule_has_the_same_bits():
    document = run("solve", SETTINGS[1], "--stopping", "paper", "--tolerance", "1e-4")
    solution = inventory.solve(read(SETTINGS[1]), stopping="paper", tolerance=1e-4)
    assert_same_solution(solution, document)
    document = run("evaluate", {}, "--stopping", "paper", "--policy", "myopic")
    stock = read({})
    orders = inventory.myopic_orders(stock)
    assert_same_solution(inventory.evaluate(stock, orders, stopping="paper"), document)


def test_the_iteration_limit_gives_the_same_status():
    document = run("solve", SETTINGS[1], "--max-iterations", "1", exits=1)
    solution = inventory.solve(read(SETTINGS[1]), max_iterations=1)
    assert solution.status == "iteration-limit"
    assert_same_solution(solution, document)


BASELINES = {
    "optimal": lambda stock: inventory.solve(stock).policy,
    "static": inventory.static_orders,
    "myopic": inventory.myopic_orders,
    "risk-neutral": inventory.risk_neutral_orders,
    "base-stock:9": lambda stock: inventory.base_stock_orders(stock, 9),
    "reorder:4,11": lambda stock: inventory.reorder_orders(stock, 4, 11),
}


@pytest.mark.parametrize("settings", SETTINGS)
def test_all_baselines_have_the_same_bits(settings):
    words = [part for word in BASELINES for part in ("--policy", word)]
    stock = read(settings)
    for document in run("evaluate", settings, *words)["policies"]:
        orders = BASELINES[document["policy"]](stock)
        assert_same_solution(inventory.evaluate(stock, orders), document)


def test_orders_written_by_one_are_read_by_the_other(tmp_path):
    stock = read(SETTINGS[1])
    solution = inventory.solve(stock)
    ours, theirs = tmp_path / "ours.csv", tmp_path / "theirs.csv"
    run("solve", SETTINGS[1], "--policy-out", str(theirs))
    inventory.write_orders(ours, stock, solution.policy)
    assert ours.read_bytes() == theirs.read_bytes()
    assert (inventory.read_orders(theirs, stock) == solution.policy).all()
    document = run("evaluate", SETTINGS[1], "--policy", str(ours))
    assert_same_solution(inventory.evaluate(stock, solution.policy), document)


RATES = (
    "mean standard_error cost_per_period order_cost_per_period holding_cost_per_period "
    "shortage_cost_per_period wastage_cost_per_period service_level periods_short shortage_rate "
    "wastage_rate wasted_fraction order_frequency mean_order mean_stock"
).split()


@pytest.mark.parametrize("settings", SETTINGS[:3])
def test_simulations_have_the_same_bits(settings):
    stock = read(settings)
    options = ["--replications", "300", "--seed", "7", "--policy", "myopic"]
    document = run("simulate", settings, *options)
    result = inventory.simulate(stock, inventory.myopic_orders(stock), replications=300, seed=7)
    for name in RATES:
        assert getattr(result, name) == document[name], name
    assert result.stock_by_age.tolist() == document["stock_by_age"]
    for level, cost in document["quantiles"].items():
        assert result.quantile(float(level)) == cost


@pytest.mark.parametrize(
    "options",
    [
        {"algorithm": "newton"},
        {"algorithm": "td", "improvement": "sampled:20", "seed": 5},
        {"algorithm": "newton", "improvement": "sampled:50", "warmup": 200, "threads": 1},
    ],
)
@pytest.mark.parametrize("settings", SETTINGS[1:3])
def test_training_has_the_same_bits(settings, options):
    options = {"iterations": 4, "samples": 20000, "trajectories": 10, **options}
    arguments = [text for key, value in options.items() for text in (f"--{key}", str(value))]
    document = run("train", settings, *arguments)
    training = inventory.train(read(settings), **options)
    assert training.best.iteration == document["best_iteration"]
    assert training.values[0] == document["value_at_empty"]
    assert training.error_bound == document["error_bound"]
    assert training.policy[0] == document["order_at_empty"]
    assert training.status == document["status"]
    assert training.trace[0].value_at_empty == document["start"]["value_at_empty"]
    assert len(training.trace) == 1 + len(document["trace"])
    for record, entry in zip(training.trace[1:], document["trace"]):
        assert record.iteration == entry["iteration"]
        assert record.estimated_at_empty == entry["estimated_at_empty"]
        assert record.weights_change == entry["weights_change"]
        assert record.value_at_empty == entry["value_at_empty"]
        assert record.error_bound == entry["error_bound"]
        assert [record.used, record.singular, record.diverged] == [
            entry[name] for name in ("used", "singular", "diverged")
        ]


@pytest.mark.parametrize("settings", SETTINGS)
def test_report(settings, tmp_path):
    theirs, ours = tmp_path / "command.html", tmp_path / "python.html"
    size = ["--periods", "20", "--replications", "50"]
    document = run("report", settings, "--out", str(theirs), *size)
    assert document.pop("file") == str(theirs)
    assert document.pop("seconds") > 0
    assert read(settings).report(ours, periods=20, replications=50).to_dict() == document
    assert ours.read_bytes() == theirs.read_bytes()
