"""What shortfall-mpi prints and writes has the bytes of shortfall."""

import ranks
from models import INVENTORY, LOSSES, METHODS, WEEK, random_model
from ranks import EXAMPLES, RanksTestCase

EVERY = [(count, threads) for count in (1, 2, 3, 4) for threads in (1, 2)]
MIXED = [(1, 2), (2, 1), (3, 2), (4, 1)]
FEW = [(2, 2), (3, 1)]
ALL_LOSSES = ["--sweep", "loss=" + ",".join(f'"{loss}"' for loss in LOSSES)]


class ExplicitModels(RanksTestCase):
    def setUp(self):
        super().setUp()
        self.model = self.write("model.csv", random_model(400))

    def test_every_method_solves_every_loss_to_the_same_bytes(self):
        for method in METHODS:
            with self.subTest(method=method):
                self.expect_same_documents(
                    ["solve", self.model, *ALL_LOSSES, "--gamma", "0.97", "--method", method,
                     "--trace"], EVERY if method == "adaptive" else MIXED)

    def test_policy_files_have_the_same_bytes(self):
        arguments = ["solve", self.model, "--loss", "expectile:0.9", "--gamma", "0.99"]
        self.run_alone([*arguments, "--policy-out", "alone.csv"])
        expected = (self.folder / "alone.csv").read_bytes()
        names = [f"ranks-{count}-{threads}.csv" for count, threads in EVERY]
        runs = self.run_side_by_side(
            [lambda count=count, threads=threads, name=name: self.run_ranks(
                count, [*arguments, "--threads", threads, "--policy-out", name])
             for (count, threads), name in zip(EVERY, names)])
        for run, name in zip(runs, names):
            self.assertEqual(run.code, 0, run.err)
            self.assertEqual((self.folder / name).read_bytes(), expected)
        self.assertEqual(self.files(), sorted(["alone.csv", "model.csv", *names]))

    def test_policies_are_evaluated_to_the_same_bytes(self):
        self.run_alone(["solve", self.model, "--loss", "mean", "--gamma", "0.9", "--policy-out",
                        "policy.csv"])
        for method in ("newton", "sweeps"):
            self.expect_same_documents(
                ["evaluate", self.model, "--policy", "policy.csv", *ALL_LOSSES, "--gamma", "0.97",
                 "--method", method], MIXED)
        # A randomised policy: half of each state's weight to its action, half to action 0.
        rows = (self.folder / "policy.csv").read_text().splitlines()[1:]
        mixed = ["idstate,idaction,probability"]
        for state, action in (row.split(",") for row in rows):
            if action == "-1":
                continue
            weights = {action: 1} if action == "0" else {action: 0.5, "0": 0.5}
            mixed += [f"{state},{a},{weight}" for a, weight in weights.items()]
        self.write("mixed.csv", "\n".join(mixed) + "\n")
        self.expect_same_documents(
            ["evaluate", self.model, "--policy", "mixed.csv", "--loss", "expectile:0.8", "--gamma",
             "0.97", "--induced-cost", "mixture"], FEW)

    def test_finite_horizons_have_the_same_bytes(self):
        horizon = ["--loss", "expectile:0.9", "--gamma", "1", "--horizon", "12"]
        self.expect_same_documents(["solve", self.model, *horizon], MIXED)
        self.run_alone(["solve", self.model, *horizon, "--policy-out", "alone.csv"])
        self.run_ranks(3, ["solve", self.model, *horizon, "--policy-out", "ranks.csv"])
        self.assertEqual((self.folder / "ranks.csv").read_bytes(),
                         (self.folder / "alone.csv").read_bytes())
        self.run_alone(["solve", self.model, "--loss", "mean", "--gamma", "0.9", "--policy-out",
                        "policy.csv"])
        self.expect_same_documents(["evaluate", self.model, "--policy", "policy.csv", *horizon],
                                   FEW)

    def test_a_model_with_fewer_states_than_ranks_is_solved(self):
        self.expect_same_documents(
            ["solve", EXAMPLES / "forest.csv", "--loss", "expectile:0.9", "--gamma", "0.9"],
            [(4, 1)])

    def test_what_people_read_is_the_same(self):
        for arguments in (["solve", self.model, "--loss", "mean", "--gamma", "0.9"],
                          ["inventory", "solve", self.write("stock.toml", INVENTORY)],
                          ["solve", self.model, "--sweep", "tau=0.2,0.8", "--gamma", "0.9"]):
            self.expect_same(self.run_alone(arguments), self.run_ranks(3, arguments), arguments)

    def test_standard_input_reaches_all_ranks(self):
        text = (self.folder / "model.csv").read_text()
        self.expect_same_documents(["solve", "-", "--loss", "mean", "--gamma", "0.9"], FEW, text)
        self.run_alone(["solve", self.model, "--loss", "mean", "--gamma", "0.9", "--policy-out",
                        "policy.csv"])
        policy = (self.folder / "policy.csv").read_text()
        self.expect_same_documents(["evaluate", self.model, "--policy=-", "--loss", "mean",
                                    "--gamma", "0.9"], [(3, 1)], policy)

    def test_mpirun_is_not_needed_for_one_rank(self):
        arguments = ["solve", self.model, "--loss", "mean", "--gamma", "0.9", "--json"]
        run = self.finish(self.start([ranks.SHORTFALL_MPI, *arguments]))
        self.expect_same(self.run_alone(arguments), run, "without mpirun")
        self.assertIn('"ranks": 1,', run.out)

    def test_help_names_this_program(self):
        run = self.run_ranks(2, ["--help"])
        self.assertEqual((run.code, run.out.count("Usage: shortfall-mpi ")), (0, 1), run.out)


class Inventories(RanksTestCase):
    def setUp(self):
        super().setUp()
        self.stock = self.write("stock.toml", INVENTORY)
        self.week = self.write("week.toml", WEEK)

    def test_solutions_have_the_same_bytes_for_every_loss(self):
        losses = ["--sweep", "risk.loss=" + ",".join(f'"{loss}"' for loss in LOSSES)]
        for config in (self.stock, self.week):
            self.expect_same_documents(["inventory", "solve", config, *losses], MIXED)

    def test_stopping_as_published_has_the_same_bytes(self):
        self.expect_same_documents(
            ["inventory", "solve", self.stock, "--stopping", "paper", "--tolerance", "0.01"], FEW)

    def test_files_of_a_solution_have_the_same_bytes(self):
        for config in (self.stock, self.week):
            for name, run in (("alone", self.run_alone),
                              ("ranks", lambda words: self.run_ranks(3, words))):
                outcome = run(["inventory", "solve", config, "--policy-out", f"{name}.csv",
                               "--save", f"{name}.solution"])
                self.assertEqual(outcome.code, 0, outcome.err)
            for end in ("csv", "solution"):
                self.assertEqual((self.folder / f"ranks.{end}").read_bytes(),
                                 (self.folder / f"alone.{end}").read_bytes())

    def test_policies_are_evaluated_to_the_same_bytes(self):
        self.run_alone(["inventory", "solve", self.stock, "--policy-out", "orders.csv"])
        policies = [word for name in ("static", "myopic", "risk-neutral", "optimal",
                                      "base-stock:7", "orders.csv") for word in ("--policy", name)]
        self.expect_same_documents(["inventory", "evaluate", self.stock, *policies], EVERY)
        policies = [word for name in ("static", "myopic", "risk-neutral", "reorder:3,8")
                    for word in ("--policy", name)]
        self.expect_same_documents(
            ["inventory", "evaluate", self.week, *policies, "--sweep", "risk.tau=0.2,0.8"], MIXED)
        self.expect_same_documents(
            ["inventory", "evaluate", self.stock, "--policy", "orders.csv", "--policy", "static",
             "--sweep", "risk.tau=0.1:0.9:0.2"], MIXED)
