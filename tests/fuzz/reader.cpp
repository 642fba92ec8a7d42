#include "tests/fuzz/reader.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

namespace shortfall::fuzz {
namespace {

/// CSV and NDJSON have one reader, and a corpus and a dictionary each.
constexpr std::array<Reader, 20> all_readers = {
    {{"arguments", read_arguments, 250},
     {"binary-model", read_binary_model, 25'000},
     {"features-csv", read_features_csv, 30'000},
     {"inventory-toml", read_inventory_toml, 15'000},
     {"law-csv", read_law_csv, 15'000},
     {"learn-checkpoint", read_learn_checkpoint, 10'000},
     {"losses", read_losses, 30'000},
     {"model-csv", read_model_csv, 12'000},
     {"names-csv", read_names_csv, 30'000},
     {"order-policy-csv", read_order_policy_csv, 40'000},
     {"policy-csv", read_policy_csv, 30'000},
     {"records-csv", read_records_csv, 5'000},
     {"saved-solution", read_saved_solution, 20'000},
     {"shown-file", read_shown_file, 2'500},
     {"steps", read_steps, 40'000},
     {"study-document", read_study_document, 15'000},
     {"train-checkpoint", read_train_checkpoint, 20'000},
     {"transitions-csv", read_transitions, 2'500},
     {"transitions-ndjson", read_transitions, 2'000},
     {"words", read_words, 15'000}}};

int length(std::string_view text) {
  return static_cast<int>(text.size());
}

}  // namespace

std::span<const Reader> readers() {
  return all_readers;
}

const Reader* find_reader(std::string_view name) {
  const auto found = std::ranges::find(all_readers, name, &Reader::name);
  return found == all_readers.end() ? nullptr : &*found;
}

void expect(bool holds, std::string_view promise, std::string_view found) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %.*s\n%.*s\n", length(promise), promise.data(),
               length(found), found.data());
  std::abort();
}

void expect_helpful(std::string_view message, std::string_view name) {
  expect(message.starts_with(name), "a message begins with the name of its input", message);
  expect(message.find("; accepted: ") != std::string_view::npos, "a message says what is accepted",
         message);
}

}  // namespace shortfall::fuzz
