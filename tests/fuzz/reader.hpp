#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "shortfall/errors/error.hpp"

/// Readers as functions of arbitrary bytes, for fuzzing. Such a function returns if its reader
/// refuses the bytes with a message, or accepts them and what it promises about them holds.
/// Anything else ends the process: a broken promise, an exception that is not InvalidInput, and
/// whatever a sanitizer reports.
namespace shortfall::fuzz {

struct Reader {
  std::string_view name;  ///< that of its file in tests/fuzz/corpus
  void (*read)(std::string_view bytes);
  /// How many changed inputs the test reads: about three seconds of them, with sanitizers.
  std::size_t changes = 0;
};

/// All of them, in alphabetical order.
std::span<const Reader> readers();

/// The reader of this name; null if there is none.
const Reader* find_reader(std::string_view name);

/// Ends the process with a message unless the promise holds.
void expect(bool holds, std::string_view promise, std::string_view found = {});

/// Checks a message: it begins with the name of what was read, and says what is accepted.
void expect_helpful(std::string_view message, std::string_view name);

/// Whether `read` accepts its input, whose name is `name`.
template <class Read>
bool is_accepted(std::string_view name, const Read& read) {
  try {
    read();
    return true;
  } catch (const InvalidInput& error) {
    expect_helpful(error.what(), name);
    return false;
  }
}

void read_arguments(std::string_view bytes);
void read_binary_model(std::string_view bytes);
void read_features_csv(std::string_view bytes);
void read_inventory_toml(std::string_view bytes);
void read_law_csv(std::string_view bytes);
void read_learn_checkpoint(std::string_view bytes);
void read_losses(std::string_view bytes);
void read_model_csv(std::string_view bytes);
void read_names_csv(std::string_view bytes);
void read_order_policy_csv(std::string_view bytes);
void read_policy_csv(std::string_view bytes);
void read_records_csv(std::string_view bytes);
void read_saved_solution(std::string_view bytes);
void read_shown_file(std::string_view bytes);
void read_steps(std::string_view bytes);
void read_study_document(std::string_view bytes);
void read_train_checkpoint(std::string_view bytes);
void read_transitions(std::string_view bytes);
void read_words(std::string_view bytes);

}  // namespace shortfall::fuzz
