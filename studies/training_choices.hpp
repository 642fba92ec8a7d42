#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "shortfall/inventory/train/train.hpp"
#include "studies/study.hpp"

/// Training as published and ours. The paper leaves some of its training open, so a statement about
/// trained policies is judged under several choices.
namespace shortfall::studies {

/// One way to train.
struct TrainingChoice {
  std::string name;
  inventory::EvaluationMethod method = {};
  std::uint64_t seed = 0;  ///< added to that of the study
};

/// Names of the two columns.
inline constexpr std::string_view published_column = "as published";
inline constexpr std::string_view our_column = "ours";

/// The choice that differs in the first weights alone.
inline constexpr std::string_view non_perishable_choice =
    "first weights of the non-perishable value";

enum class Improvement { exact, sampled };

/// How many of the choices are taken.
enum class Taken {
  first,    ///< `published_column`, with everything open at its default
  closest,  ///< also the one under which sampled improvements came closest to the printed gaps
  alone,    ///< the first, those that differ from it in one thing each, and one pair
  jointly   ///< also other seeds, and several things at once
};

/// `published_column` first. Only choices that act on the algorithm: Newton has no steps and does
/// not depend on the scale of features; an exact improvement has no draws.
std::vector<TrainingChoice> published_choices(learn::Algorithm algorithm, Improvement improvement,
                                              Taken taken = Taken::alone);
TrainingChoice our_choice();

/// These, and ours.
std::vector<TrainingChoice> choices_and_ours(learn::Algorithm algorithm, Improvement improvement,
                                             Taken taken);

/// Note for readers of results on trained policies.
extern const std::string two_trainings;

/// A statement about trained policies.
struct Statement {
  std::string claim;
  std::string published;
  std::string figure;  ///< name of what varies over choices: "worst gap"
  Origin origin = Origin::paper;
};

/// A statement tested under one choice.
struct Tested {
  Verdict verdict;
  std::string found;       ///< in words
  double figure = 0.0;     ///< what varies over choices
  std::string scope = {};  ///< "in 9 of 35 settings"; empty: in all that the first choice has
};

/// `published_column`, then the others of these names, each once; without `our_column`.
std::vector<std::string> published_names(const std::vector<std::string>& choices);

/// A finding, and the verdict that our training alone would give.
struct JudgedFinding : Finding {
  Verdict by_ours = Verdict::open;
};

/// Tests a statement under all choices, of which `published_column` is the first, and with our
/// training, which is no part of the verdict. The verdict is the one that all choices have in
/// common; otherwise the statement depends on what is left open: `found` says so and names the
/// choices with another verdict, and the verdict is open. A statement of the paper that holds under
/// none of them is not reproduced: the paper may have made a choice that is not among them.
JudgedFinding judged(const Statement& statement, const std::vector<std::string>& choices,
                     const std::function<Tested(std::string_view choice)>& test);

/// The statements on which training as published and ours disagree: rows of the table
/// `changed_sides` with `claim`, `ours` and `as_published`.
Json changed_sides(const std::vector<JudgedFinding>& findings);

}  // namespace shortfall::studies
