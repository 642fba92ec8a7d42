#include "formats/toml_nesting.hpp"

#include <algorithm>
#include <vector>

namespace shortfall::io {
namespace {

/// Scans TOML just enough to distinguish names, brackets, text and comments.
class NestingScanner {
 public:
  explicit NestingScanner(std::string_view text) : text_(text) {}

  std::optional<std::size_t> line_too_deep() {
    while (at_ < text_.size()) {
      step(text_[at_]);
      if (around_ + names_ > deepest_nesting) return line_;
    }
    return std::nullopt;
  }

 private:
  /// An open list or inline table, and the levels that it adds together with its key.
  struct Open {
    char bracket;
    std::size_t levels;
  };

  void step(char c) {
    if (c == '#') {
      at_ = std::min(text_.find('\n', at_), text_.size());
      return;
    }
    if (c == '"' || c == '\'') {
      skip_string(c);
      return;
    }
    ++at_;
    if (c == '\n') end_line();
    if (c == '.' && in_key_) ++names_;
    if (c == '=') in_key_ = false;
    if (c == ',') begin_entry();
    if (c == '[' || c == '{') open(c);
    if (c == ']' || c == '}') close();
  }

  void end_line() {
    ++line_;
    if (open_.empty()) begin_key();
  }

  void begin_key() {
    in_key_ = true;
    names_ = 1;
  }

  void begin_entry() {
    in_key_ = false;
    names_ = 0;
    if (!open_.empty() && open_.back().bracket == '{') begin_key();
  }

  void open(char bracket) {
    if (in_key_) return;  // the bracket of a table header
    open_.push_back({bracket, names_ + 1});
    around_ += open_.back().levels;
    begin_entry();
  }

  void close() {
    if (open_.empty()) return;
    around_ -= open_.back().levels;
    open_.pop_back();
    in_key_ = false;
    names_ = 0;
  }

  /// Quoted text, over several lines if the quotes are triple.
  void skip_string(char quote) {
    const bool multi_line = text_.substr(at_, 3) == triple(quote);
    at_ += multi_line ? 3 : 1;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n' && !multi_line) return;
      if (c == quote && (!multi_line || text_.substr(at_, 3) == triple(quote))) {
        end_string(quote, multi_line);
        return;
      }
      if (c == '\\' && quote == '"' && at_ + 1 < text_.size()) ++at_;
      if (text_[at_] == '\n') ++line_;
      ++at_;
    }
  }

  void end_string(char quote, bool multi_line) {
    at_ += multi_line ? 3 : 1;
    // The text itself may end with one or two quotes.
    for (int more = 0; multi_line && more < 2 && text_.substr(at_).starts_with(quote); ++more) {
      ++at_;
    }
  }

  static std::string_view triple(char quote) { return quote == '"' ? "\"\"\"" : "'''"; }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::vector<Open> open_;
  std::size_t around_ = 0;  // levels of all open lists and tables
  std::size_t names_ = 1;   // of the current key; 0: an entry of a list
  bool in_key_ = true;
};

}  // namespace

std::optional<std::size_t> line_nested_too_deep(std::string_view text) {
  return NestingScanner(text).line_too_deep();
}

}  // namespace shortfall::io
