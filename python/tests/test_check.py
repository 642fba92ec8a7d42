"""`check` agrees with the command line."""

import math
import os
import subprocess

import numpy as np
import pytest

import shortfall as sf

LOSSES = [
    "mean",
    "expectile:0.4",
    "expectile:0.9",
    "soft-quantile:0.8,1.5",
    "truncated-entropic:0.1,5",
    "entropic:0.5",
    "piecewise:-1:-2,0:0,1:5",
]


def as_document(found):
    """The JSON output of the command, except `not_checked`, which names options there."""
    extra = {"algorithm": found.algorithm} if found.algorithm else {}
    extra |= {"rests_on": found.rests_on} if found.rests_on else {}
    extra |= {"largest_step": found.largest_step} if found.largest_step is not None else {}
    return extra | {
        "slope_min": found.slope_min,
        "slope_max": found.slope_max if math.isfinite(found.slope_max) else None,
        "gamma_limit": found.gamma_limit,
        "sharp_gamma_limit": found.sharp_gamma_limit,
        "guaranteed": found.guaranteed,
        "loss": found.loss,
        "gamma": found.gamma,
        "assumptions": [
            {"name": each.name, "holds": each.holds, "reason": each.reason}
            for each in found.assumptions
        ],
        "algorithms": [
            {
                "algorithm": each.algorithm,
                "guaranteed": each.guaranteed,
                "known": each.known,
                "rests_on": each.rests_on,
            }
            for each in found.algorithms
        ],
    }


@pytest.mark.parametrize("gamma", [0.05, 0.6, 0.99])
@pytest.mark.parametrize("loss", LOSSES)
def test_check_agrees_with_the_command_line(loss, gamma, command, tmp_path):
    model = sf.library.forest(4)
    path = tmp_path / "forest.csv"
    model.to_csv(str(path))
    options = [path, "--loss", loss, "--gamma", gamma]
    document = command("check", *options)
    assert "depends on the policy" in document.pop("not_checked")
    found = sf.check(loss, gamma, model)
    assert as_document(found) == document
    assert "depends on the policy" in found.not_checked

    actions = [0, 0, 1, 0]  # the last age is not reached
    policy = tmp_path / "policy.csv"
    rows = "".join(f"{x},{a}\n" for x, a in enumerate(actions))
    policy.write_text("idstate,idaction\n" + rows)
    options += ["--policy", policy]
    found = sf.check(loss, gamma, model, actions)
    assert as_document(found) == command("check", *options)
    assert found.not_checked is None
    words = [os.environ["SHORTFALL_COMMAND"], "check", *map(str, options)]
    printed = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    assert str(found) == printed


def test_states_are_numbered_as_in_the_file(command, tmp_path):
    path = tmp_path / "model.csv"
    path.write_text("idstatefrom,idaction,idstateto,probability,cost\n"
                    "1,1,2,1.0,1.0\n2,1,2,1.0,1.0\n")
    found = sf.check("mean", 0.5, sf.Mdp.from_csv(str(path)))
    assert as_document(found) == command("check", path, "--loss", "mean", "--gamma", 0.5)
    assert "state 2" in found.assumptions[-1].reason


def test_without_a_model_the_chain_is_not_checked():
    found = sf.check("expectile:0.4", 0.6)
    assert found.guaranteed
    assert [each.name for each in found.assumptions] == ["bounded slopes", "curvature", "discount"]
    assert "needs a model" in found.not_checked
    assert repr(found) == ("Conditions(expectile:0.4 with gamma 0.6: convergence guaranteed where "
                           "the chain is ergodic)")
    assert repr(found.assumptions[0]).startswith("Assumption(bounded slopes: holds, slopes lie in")


def test_the_discount_must_be_strictly_below_its_limit():
    limit = sf.check("expectile:0.8", 0.1).sharp_gamma_limit
    assert not sf.check("expectile:0.8", limit).guaranteed
    assert sf.check("expectile:0.8", np.nextafter(limit, 0.0)).guaranteed


def test_the_model_may_be_a_chain():
    model = sf.library.counterexample(0.5).model
    for each in (model, model.under_policy()):
        found = sf.check("expectile:0.4", 0.6, each)
        assert found.guaranteed and found.not_checked is None
        assert found.assumptions[-1].name == "ergodic chain"
    swapping = sf.library.counterexample(1.0).model
    found = sf.check("expectile:0.4", 0.6, swapping)
    assert not found.guaranteed
    assert "multiples of 2" in found.assumptions[-1].reason
    assert repr(found).endswith("convergence not guaranteed)")


def test_the_policy_may_be_randomised():
    weights = np.full((3, 2), 0.5)
    found = sf.check("mean", 0.5, sf.library.forest(), weights)
    assert found.guaranteed and found.not_checked is None


def test_a_loss_may_be_a_function_with_slope_bounds_and_curvature():
    def loss(x):
        return 2 * x + np.sqrt(1 + x * x) - 1

    assert not sf.check(loss, 0.1).guaranteed
    known = sf.Loss(loss, slope_bounds=(1, 3), curvature=("convex", "convex"))
    assert sf.check(known, 0.86).guaranteed  # below √3 / 2
    assert not sf.check(known, 0.87).guaranteed


@pytest.mark.parametrize("algorithm", [None, "td", "averager-td"])
@pytest.mark.parametrize("features", [[[1, 0], [0, 1]], [[0.5, 0.5], [0, 1]]])
@pytest.mark.parametrize("loss", LOSSES)
def test_check_of_features_agrees_with_the_command_line(
        loss, features, algorithm, command, tmp_path):
    model = sf.library.counterexample(0.95).model
    model.to_csv(str(tmp_path / "model.csv"))
    rows = "".join(",".join(map(str, row)) + "\n" for row in features)
    (tmp_path / "features.csv").write_text("x1,x2\n" + rows)
    options = [tmp_path / "model.csv", "--loss", loss, "--gamma", 0.99,
               "--features", tmp_path / "features.csv"]
    options += ["--algorithm", algorithm] if algorithm else []
    found = sf.check(loss, 0.99, model, features=features, algorithm=algorithm)
    assert as_document(found) == command("check", *options)
    is_averager = algorithm == "averager-td" or features[0] == [1, 0]
    assert found.guaranteed == (is_averager or loss == "mean")


def test_check_rejects_features_that_do_not_fit():
    chain = sf.library.counterexample(0.95).model.under_policy()
    averager = {"algorithm": "averager-td"}
    with pytest.raises(sf.InvalidInput, match="state 1: x1 = -1; accepted: a number >= 0"):
        sf.check("mean", 0.5, chain, features=[[1.0], [-1.0]], **averager)
    with pytest.raises(sf.InvalidInput, match="state 0: the features sum to 1.5; accepted: at mo"):
        sf.check("mean", 0.5, chain, features=[[0.5, 1.0], [0, 0]], **averager)
    with pytest.raises(sf.InvalidInput, match="1 rows; accepted: one for each of 2 states"):
        sf.check("mean", 0.5, chain, features=[[1.0]])
    with pytest.raises(sf.InvalidInput, match="algorithm 'newton'; accepted: td, averager-td"):
        sf.check("mean", 0.5, chain, features=[[1.0], [1.0]], algorithm="newton")
    with pytest.raises(sf.InvalidInput, match="an algorithm without features"):
        sf.check("mean", 0.5, chain, algorithm="td")
    with pytest.raises(sf.InvalidInput, match="features without a model"):
        sf.check("mean", 0.5, features=[[1.0]])
    with pytest.raises(sf.InvalidInput, match="features need the chain"):
        sf.check("mean", 0.5, sf.library.forest(), features=[[1.0]] * 3)


def test_check_rejects_invalid_arguments():
    with pytest.raises(sf.InvalidInput, match=r"gamma = 2; accepted: a number in \[0, 1\]"):
        sf.check("mean", 2.0)
    with pytest.raises(sf.InvalidInput, match="a policy without a model; accepted: both"):
        sf.check("mean", 0.5, policy=[0])
    with pytest.raises(sf.InvalidInput, match="a policy for a chain"):
        sf.check("mean", 0.5, sf.library.boyan_chain().under_policy(), [0])
    with pytest.raises(sf.InvalidInput, match="accepted"):
        sf.check("median", 0.5)
    with pytest.raises(TypeError, match="a model must be an Mdp or a Chain"):
        sf.check("mean", 0.5, [[1.0]])
