"""What manual pages say beyond the help: descriptions, and sections of their own.

A description is for a command whose help ends without one; docs/ has the facts at length.
"""

from __future__ import annotations

DOCUMENTS = "/usr/share/doc/shortfall"  # where packages have the folder examples

# By command, group, or "" for the program: paragraphs.
DESCRIPTIONS: dict[str, list[str]] = {
    "": [
        "A file - is standard input. Results are text for people or, with --json, one JSON "
        "document, and with learn --report-every one per line. Notices, warnings and progress go "
        "to standard error.",
        "The same input, options and seed give the same output for any number of threads, except "
        "for running times. Output files are written under a temporary name and renamed, so that "
        "there is never half a file; only learn --predictions grows with the stream.",
    ],
    "risk": [
        "The risk is the fixed cost that is as bad as the uncertain ones. Equally likely costs are "
        "given one per line, others with their probabilities. The mean and the number of costs are "
        "printed beside it.",
    ],
    "solve": [
        "Finds the action for every state that is best when bad outcomes count as the loss says, "
        "in this step and in all later ones. Each value comes with a certified bound on its "
        "distance from the exact one.",
        "Rewards are maximised and costs minimised, whichever column the model has.",
    ],
    "evaluate": [
        "Computes what every state is worth if actions are chosen by the policy, which may be "
        "randomised, with a certified bound on the error. Policies are written by solve "
        "--policy-out.",
    ],
    "check": [
        "Tests the conditions of the convergence theorems one by one: slopes and curvature of the "
        "loss, the discount factor, the chain of the policy, and the features. Each is met, not "
        "met, or unknown because an option such as --policy or --features is missing.",
    ],
    "learn": [
        "Each row is one step: features of the state, features of the next state, and the cost. "
        "The value of a state is the product of its features with the weights theta, which every "
        "row improves. A stream may be a file or an endless pipe.",
        "An alarm is raised when the stream no longer behaves as before. Reports, predictions and "
        "checkpoints make it possible to follow a run, and shortfall-show(1) to ask for its state "
        "from another process.",
    ],
    "show": [
        "Says what wrote the file, with which options, and how far it has come; for a stream also "
        "the weights and the place from which it will be resumed. No lock is needed: files are "
        "replaced as a whole.",
    ],
    "inventory": [
        "Units expire after some periods, and may be old on arrival. A plan is a file in TOML that "
        "states shelf life, demand, arrivals, costs and the attitude to risk. Fit makes one from "
        "records, solve finds the best orders, order says what to order today, and the others say "
        "what orders cost and how they turn out.",
    ],
    "inventory fit": [
        "Fits the demand, for each weekday if that is better supported, and the ages of units on "
        "arrival; --out writes the plan, which the other commands read. A day on which the "
        "stock ran out counts as a demand of at least what was recorded. Warnings tell of "
        "trends, shifts and records that do not agree.",
    ],
    "inventory solve": [
        "Finds the order for every stock that is best when bad outcomes count as the plan says. "
        "The cost from an empty stock is printed with a certified bound on its error; --policy-out "
        "has the order for every stock.",
    ],
    "inventory order": [
        "Says what to order, what the neighbouring orders would cost more, and how likely it is to "
        "run short. A solution that inventory solve has saved makes the answer immediate.",
    ],
    "inventory evaluate": [
        "Computes the risk-adjusted cost of rules and of tables of orders, from an empty stock, "
        "with a certified bound on the error. Several policies are compared with the first.",
    ],
    "inventory simulate": [
        "Draws demand and deliveries at random and reports what happens: the distribution of "
        "discounted costs, demand met, units short and expired, and the stock by age. All policies "
        "meet the same demand and deliveries.",
    ],
}

# By command: titles and paragraphs.
SECTIONS: dict[str, list[tuple[str, list[str]]]] = {
    "learn": [
        (
            "SIGNALS",
            [
                "On SIGINT or SIGTERM the run learns the rows that it has read, saves the "
                "checkpoint, prints its result, which says what stopped it (stopped_by in JSON), "
                "and ends with exit status 0.",
                "SIGHUP and SIGKILL end it at once, without a result. The last checkpoint stays "
                "usable; rows that were read after it are not part of it.",
                "A reader of the reports that closes the pipe makes the run save its checkpoint "
                "and end with exit status 2.",
            ],
        ),
        (
            "CHECKPOINTS AND RESTARTS",
            [
                "With --checkpoint the learner, its place in the stream and the length of the "
                "predictions are saved together every --checkpoint-every seconds and at the end, "
                "by writing a new file and renaming it. The same command, started again, goes on "
                "from there. It is refused with exit status 2 if options differ on which learning "
                "depends, or while another run uses the checkpoint.",
                "A file is read on from its place. A pipe must deliver what followed the "
                "checkpoint: rows that were read after it must be sent again. Predictions are cut "
                "to what the checkpoint covers and continued, and reports after it are printed a "
                "second time. The result then has the same bytes as that of one pass.",
                "A pipe that also sends older rows needs their numbers in a column or key seq, by "
                "which rows that were seen are passed over, or --resume-at-row. Otherwise it is "
                "assumed to continue with the next row, and a warning says so unless "
                "--accept-replay is given.",
            ],
        ),
    ],
}
