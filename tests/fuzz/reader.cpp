#include "tests/fuzz/reader.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

namespace shortfall::fuzz {
namespace {

/// CSV and NDJSON have one reader, and a corpus and a dictionary each.
constexpr std::array<Reader, 21> all_readers = {{{"arguments", read_arguments},
                                                 {"binary-model", read_binary_model},
                                                 {"features-csv", read_features_csv},
                                                 {"inventory-toml", read_inventory_toml},
                                                 {"law-csv", read_law_csv},
                                                 {"learn-checkpoint", read_learn_checkpoint},
                                                 {"losses", read_losses},
                                                 {"model-csv", read_model_csv},
                                                 {"names-csv", read_names_csv},
                                                 {"order-policy-csv", read_order_policy_csv},
                                                 {"petsc", read_petsc},
                                                 {"policy-csv", read_policy_csv},
                                                 {"records-csv", read_records_csv},
                                                 {"saved-solution", read_saved_solution},
                                                 {"shown-file", read_shown_file},
                                                 {"steps", read_steps},
                                                 {"study-document", read_study_document},
                                                 {"train-checkpoint", read_train_checkpoint},
                                                 {"transitions-csv", read_transitions},
                                                 {"transitions-ndjson", read_transitions},
                                                 {"words", read_words}}};

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
