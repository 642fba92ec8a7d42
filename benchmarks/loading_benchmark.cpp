#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "benchmarks/side_by_side.hpp"
#include "benchmarks/sparse_model.hpp"
#include "files/file_descriptor.hpp"
#include "memory/huge_pages.hpp"
#include "parallel/threads.hpp"
#include "shortfall/formats/binary_model.hpp"
#include "shortfall/formats/model_csv.hpp"

namespace shortfall::benchmarks {
namespace {

/// A file that is removed in the end.
struct ModelFile {
  explicit ModelFile(const char* ending)
      : path((std::filesystem::temp_directory_path() /
              fmt::format("shortfall-{}{}", getpid(), ending))
                 .string()) {}
  ~ModelFile() { std::filesystem::remove(path); }
  ModelFile(const ModelFile&) = delete;
  ModelFile& operator=(const ModelFile&) = delete;

  double megabytes() const { return static_cast<double>(std::filesystem::file_size(path)) / 1e6; }

  std::string path;
};

/// What `cat FILE > /dev/null` does.
void read_through(const std::string& path) {
  static std::vector<char> buffer(std::size_t{128} << 10);
  const io::FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  while (::read(file.get(), buffer.data(), buffer.size()) > 0) {
  }
}

/// The bytes of the file in new memory, without looking at them: no loader can do less. On all
/// cores, in blocks like those of the loader.
void copy_into_memory(const std::string& path) {
  const io::FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const std::size_t size = std::filesystem::file_size(path);
  const auto memory = std::make_unique_for_overwrite<char[]>(size);
  detail::prefer_huge_pages(memory.get(), size);
  detail::parallel_for_blocks(
      size, std::size_t{256} << 10, [&](std::size_t first, std::size_t last) {
        const auto count = static_cast<ssize_t>(last - first);
        if (::pread(file.get(), memory.get() + first, last - first, static_cast<off_t>(first)) !=
            count) {
          throw std::runtime_error("cannot read " + path);
        }
      });
  keep(memory[size / 2]);
}

void count_lines(const std::string& path) {
  static std::vector<char> buffer(std::size_t{64} << 10);
  const io::FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::int64_t lines = 0;
  for (ssize_t n; (n = ::read(file.get(), buffer.data(), buffer.size())) > 0;) {
    lines += std::count(buffer.begin(), buffer.begin() + n, '\n');
  }
  keep(static_cast<double>(lines));
}

}  // namespace

void loading_against_reading() {
  const Mdp model = sparse_model();
  const ModelFile csv(".csv");
  const ModelFile binary(".bin");
  io::write_model_csv(csv.path, model, io::Sense::cost);
  io::write_binary_model(binary.path, model, io::Sense::cost);
  const auto half = [&] {
    const io::BinaryModelFile file(binary.path);
    (void)file.read_slice(0, file.facts().states / 2);
  };
  const std::vector<Contestant> contestants = {
      {"binary", [&] { (void)io::read_binary_model(binary.path); }},
      {"binary, one thread", [&] { (void)io::read_binary_model(binary.path, {.threads = 1}); }},
      {"half of the binary model, as one of two processes would", half},
      {"the binary file copied into new memory", [&] { copy_into_memory(binary.path); }},
      {"the binary file read through (`cat`), one core", [&] { read_through(binary.path); }},
      {"CSV", [&] { (void)io::read_model_csv(csv.path); }},
      {"the lines of the CSV counted, one core", [&] { count_lines(csv.path); }}};
  const std::vector<Timing> timings = side_by_side(contestants);
  fmt::print(
      "\nLoading a model of {} outcomes, {:.0f} MB as CSV and {:.0f} MB as binary, from the page\n"
      "cache, with all checks\n\n| | time | time / binary |\n|---|---|---|\n",
      model.outcomes().size(), csv.megabytes(), binary.megabytes());
  for (std::size_t i = 0; i < timings.size(); ++i) {
    fmt::print("| {} | {:.1f} ms | {:.2f} |\n", contestants[i].name, 1e3 * timings[i].seconds,
               timings[i].ratio);
  }
}

}  // namespace shortfall::benchmarks
