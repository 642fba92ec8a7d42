#include "tests/fuzz/commands.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/shortfall/file_contents.hpp"
#include "studies/saved_document.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/reader.hpp"
#include "tests/fuzz/seals.hpp"
#include "text/text.hpp"

namespace shortfall::fuzz {
namespace {

/// Help and documents go nowhere, from the first call on.
void silence_standard_output() {
  static const bool silent = [] {
    const io::FileDescriptor nowhere(::open("/dev/null", O_WRONLY | O_CLOEXEC));
    return ::dup2(nowhere.get(), STDOUT_FILENO) >= 0;
  }();
  expect(silent, "standard output can be redirected");
}

void show(const std::string& bytes) {
  const MemoryFile file(bytes);
  const std::string path = file.path();
  nlohmann::json contents;
  if (!is_accepted(path, [&] { contents = app::file_contents(path); })) return;
  const std::string text = contents.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  expect(nlohmann::json::accept(text), "what is shown as JSON is JSON", text);
  (void)command_of({"show", path})();
  (void)command_of({"show", path, "--json"})();
}

void load(const std::string& text) {
  const MemoryFile file(text);
  const studies::Json identity = {{"study", "s"}, {"seed", 1}};
  std::optional<studies::Json> document = studies::load_document(file.path(), identity);
  if (!document) return;
  expect((*document)["study"] == "s", "a document is of the run that asked for it");
  const studies::Json saved = studies::save_document(scratch_path(), *document);
  expect(studies::load_document(scratch_path(), identity) == saved,
         "a document that is written reads back", content_of(scratch_path()));
}

}  // namespace

app::Command command_of(std::vector<std::string> arguments) {
  silence_standard_output();
  arguments.insert(arguments.begin(), "shortfall");
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  return app::parse_arguments(static_cast<int>(arguments.size()), pointers.data());
}

/// One argument per line.
void read_arguments(std::string_view bytes) {
  const std::string text(bytes.substr(0, bytes.find('\0')));
  std::vector<std::string> arguments;
  for (const std::string_view word : io::split(text, '\n')) arguments.emplace_back(word);
  is_accepted("", [&] { (void)command_of(arguments); });
}

/// With runs of zeros as with_zeros() reads them.
void read_shown_file(std::string_view bytes) {
  const std::string file = with_zeros(bytes);
  show(file);
  show(resealed(file));
  show(resealed_model(file));
}

void read_study_document(std::string_view bytes) {
  load(std::string(bytes));
  load(resealed_document(bytes));
}

}  // namespace shortfall::fuzz
