#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "shortfall/inventory/train.hpp"
#include "studies/study.hpp"

/// Training as published and ours. The paper leaves some of its training open, so a statement about
/// trained policies is judged under several choices.
namespace shortfall::studies {

/// One way to train.
struct TrainingChoice {
  std::string name;
  inventory::EvaluationMethod method = {};
};

/// Names of the two columns.
inline constexpr std::string_view published_column = "as published";
inline constexpr std::string_view our_column = "ours";

/// The choice that differs in the first weights alone.
inline constexpr std::string_view non_perishable_choice =
    "first weights of the non-perishable value";

enum class Improvement { exact, sampled };

/// `published_column` first, with everything open at its default; then others that differ from it
/// in one thing each. Newton has no steps and does not depend on the scale of features; an exact
/// improvement has no draws.
std::vector<TrainingChoice> published_choices(learn::Algorithm algorithm, Improvement improvement);
TrainingChoice our_choice();

/// Note for readers of results on trained policies.
extern const std::string two_trainings;

/// A statement under one choice.
struct JudgedChoice {
  std::string choice;
  Verdict verdict;
  std::string found;    ///< in words
  double figure = 0.0;  ///< what varies over choices
};

struct Judgement {
  std::string claim;
  std::string published;
  std::string figure;                 ///< name of what varies: "worst gap"
  std::vector<JudgedChoice> choices;  ///< `published_column` first
  JudgedChoice ours;                  ///< with our training; no part of the verdict
};

/// A finding, and the verdict that our training alone would give.
struct JudgedFinding : Finding {
  Verdict by_ours = Verdict::open;
};

/// The verdict that all choices have in common; otherwise the statement depends on what is left
/// open: `found` says so and names the choices with another verdict, and the verdict is open.
JudgedFinding judged(const Judgement& judgement);

/// The statements on which training as published and ours disagree: rows of the table
/// `changed_sides` with `claim`, `ours` and `as_published`.
Json changed_sides(const std::vector<JudgedFinding>& findings);

}  // namespace shortfall::studies
