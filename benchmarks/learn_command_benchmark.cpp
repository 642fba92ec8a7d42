#include <fcntl.h>
#include <fmt/compile.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "benchmarks/child_process.hpp"
#include "benchmarks/side_by_side.hpp"
#include "benchmarks/transition_ring.hpp"
#include "shortfall/formats/transition_stream.hpp"

namespace shortfall::benchmarks {
namespace {

constexpr std::size_t rows_per_block = 10'000;
constexpr std::size_t blocks_wanted = 500;

/// A file that is removed with the object. It is flushed before it is read, so that pending writes
/// do not disturb the timing.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& name)
      : path_((std::filesystem::temp_directory_path() / name).string()),
        descriptor_(open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0600)) {
    if (descriptor_ < 0) throw std::runtime_error(path_ + ": cannot be written");
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    close(descriptor_);
    std::filesystem::remove(path_);
  }

  const std::string& path() const { return path_; }
  void append(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t written = write(descriptor_, bytes.data(), bytes.size());
      if (written < 0) throw std::runtime_error(path_ + ": cannot be written");
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  void flush() { fsync(descriptor_); }

 private:
  std::string path_;
  int descriptor_;
};

std::string header(std::size_t d) {
  std::string line;
  for (const char side : {'x', 'y'}) {
    for (std::size_t i = 1; i <= d; ++i) line += fmt::format("{}{},", side, i);
  }
  return line + "cost\n";
}

/// Numbers with all their 16 or 17 digits.
std::string rows(const TransitionRing& ring) {
  fmt::memory_buffer text;
  const auto add = [&](double x) {
    fmt::format_to(std::back_inserter(text), FMT_COMPILE("{}"), x);
  };
  for (std::size_t t = 0; t < ring.size; ++t) {
    for (const auto side : {ring.phi(t), ring.phi_next(t)}) {
      for (const double x : side) {
        add(x);
        text.push_back(',');
      }
    }
    add(ring.costs[t]);
    text.push_back('\n');
  }
  return {text.data(), text.size()};
}

/// Repeats one block of rows, which is too long for a branch predictor to learn.
std::size_t write_rows(TemporaryFile& file, std::size_t blocks) {
  constexpr std::size_t d = 10;
  pcg64 random(2);
  const std::string block = rows(make_ring(d, rows_per_block, random));
  const std::size_t room = std::filesystem::space(file.path()).available / 2 / block.size();
  const std::size_t count = std::min(blocks, room);
  file.append(header(d));
  for (std::size_t i = 0; i < count; ++i) file.append(block);
  file.flush();
  return count * rows_per_block;
}

void parse_only(const std::string& path) {
  using Next = io::TransitionStream::Next;
  io::TransitionStream in(path);
  double sum = 0.0;
  for (Next next = in.next(); next != Next::end; next = in.next()) {
    if (next == Next::starved) {
      in.fill();
    } else {
      sum += in.transition().cost;
    }
  }
  keep(sum);
}

/// Returns the peak resident memory in bytes.
double learn_from(const std::string& path, std::size_t rows_there) {
  ChildProcess command({SHORTFALL_COMMAND, "learn", "--json", "--algorithm", "td", "--loss",
                        "expectile:0.9", "--gamma", "0.9", "--step", "2,100,0.6667", path});
  ChildProcess::End end = command.finish();
  std::erase(end.output, ' ');
  if (end.status != 0 ||
      end.output.find(fmt::format("\"updates\":{}", rows_there)) == std::string::npos) {
    throw std::runtime_error("shortfall learn did not learn from all rows: " + end.output);
  }
  return end.peak_bytes;
}

}  // namespace

void learn_command_against_parsing() {
  double peak_of_few = 0.0;
  {
    TemporaryFile few(fmt::format("shortfall-few-{}.csv", getpid()));
    peak_of_few = learn_from(few.path(), write_rows(few, 1));
  }
  TemporaryFile file(fmt::format("shortfall-{}.csv", getpid()));
  const std::size_t row_count = write_rows(file, blocks_wanted);
  const double megabytes = static_cast<double>(std::filesystem::file_size(file.path())) / 1e6;
  double peak = 0.0;
  const auto timing =
      side_by_side({{"parse", [&] { parse_only(file.path()); }},
                    {"learn", [&] { peak = std::max(peak, learn_from(file.path(), row_count)); }}},
                   5);
  fmt::print("\n`shortfall learn` on {} rows with 10 features, {:.0f} MB of CSV\n\n", row_count,
             megabytes);
  fmt::print(
      "| | time to learn / time to parse only | parse only, MB/s | resident memory, MB | resident "
      "memory with {} "
      "rows, MB |\n|---|---|---|---|---|\n",
      rows_per_block);
  fmt::print("| TD, d = 10 | {:.2f} | {:.0f} | {:.1f} | {:.1f} |\n", timing[1].ratio,
             megabytes / timing[0].seconds, peak / 1e6, peak_of_few / 1e6);
}

}  // namespace shortfall::benchmarks
