#include "formats/petsc_matrix.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <limits>
#include <span>

#include "files/file_descriptor.hpp"
#include "files/input_file.hpp"
#include "files/open_input.hpp"
#include "files/read_at.hpp"
#include "parallel/threads.hpp"
#include "shortfall/memory.hpp"
#include "text/place.hpp"

namespace shortfall::io {
namespace {

constexpr std::size_t entries_per_task = 65536;
constexpr std::int64_t dense_matrix = -1;
constexpr std::uint64_t most_columns = std::numeric_limits<StateIndex>::max();

/// A number whose bytes are stored from the most significant on.
std::uint32_t from_big_endian(std::uint32_t bits) {
  return std::endian::native == std::endian::big ? bits : __builtin_bswap32(bits);
}
std::uint64_t from_big_endian(std::uint64_t bits) {
  return std::endian::native == std::endian::big ? bits : __builtin_bswap64(bits);
}

enum class IntegerWidth : std::uint64_t { four = 4, eight = 8 };

/// An open file of PETSc, read from its beginning to its end.
class PetscReader {
 public:
  explicit PetscReader(const std::string& path)
      : name_(input_name(path)), file_(open_input(path, accepted_petsc_matrix)) {
    struct stat status {};
    if (::fstat(file_.get(), &status) != 0) reject_input(name_, errno);
    if (!S_ISREG(status.st_mode)) fail("this is not a regular file");
    size_ = static_cast<std::uint64_t>(status.st_size);
  }

  const std::string& name() const { return name_; }
  std::uint64_t bytes_left() const { return size_ - at_; }
  std::uint64_t integer_bytes() const { return static_cast<std::uint64_t>(width_); }

  [[noreturn]] void fail(const std::string& problem) const {
    reject({.file = name_}, problem, accepted_petsc_matrix);
  }

  /// The identifier, which shows the width of integers: PETSc uses one width for all of them.
  std::int64_t identifier() {
    const std::int64_t id = integer();
    if (id != 0) return id;
    at_ = 0;
    width_ = IntegerWidth::eight;
    return integer();
  }

  std::int64_t integer() { return integers(1).front(); }

  /// Signed, whatever their width.
  std::vector<std::int64_t> integers(std::uint64_t count) {
    std::vector<std::int64_t> result(static_cast<std::size_t>(count));
    const auto take = [&]<class Bits, class Signed>(Bits, Signed) {
      const std::vector<Bits> bits = numbers<Bits>(count);
      std::ranges::transform(bits, result.begin(),
                             [](Bits b) { return std::int64_t{std::bit_cast<Signed>(b)}; });
    };
    if (width_ == IntegerWidth::four) {
      take(std::uint32_t{}, std::int32_t{});
    } else {
      take(std::uint64_t{}, std::int64_t{});
    }
    return result;
  }

  std::vector<double> values(std::uint64_t count) {
    const std::vector<std::uint64_t> bits = numbers<std::uint64_t>(count);
    std::vector<double> result(bits.size());
    detail::parallel_for_blocks(bits.size(), entries_per_task,
                                [&](std::size_t first, std::size_t last) {
                                  for (std::size_t i = first; i < last; ++i) {
                                    result[i] = std::bit_cast<double>(bits[i]);
                                  }
                                });
    return result;
  }

  /// Columns as indices of states, of which there are `columns`.
  std::vector<StateIndex> columns_of_entries(std::uint64_t count, std::uint64_t columns) {
    std::vector<StateIndex> result;
    if (width_ == IntegerWidth::four) {
      result = numbers<std::uint32_t>(count);  // negative ones become too large
    } else {
      const std::vector<std::uint64_t> wide = numbers<std::uint64_t>(count);
      result.reserve(wide.size());
      for (const std::uint64_t c : wide) {
        result.push_back(static_cast<StateIndex>(std::min(c, most_columns)));
      }
    }
    const auto wrong = std::ranges::find_if(result, [&](StateIndex c) { return c >= columns; });
    if (wrong != result.end()) {
      fail(fmt::format("entry {} is in column {} of {}", wrong - result.begin(),
                       static_cast<std::int32_t>(*wrong), columns));
    }
    return result;
  }

 private:
  template <class Bits>
  std::vector<Bits> numbers(std::uint64_t count) {
    if (count > bytes_left() / sizeof(Bits)) {
      fail(fmt::format("it has {} bytes, too few for what its header says", size_));
    }
    std::vector<Bits> bits(static_cast<std::size_t>(count));
    const std::span<char> bytes(reinterpret_cast<char*>(bits.data()), bits.size() * sizeof(Bits));
    if (!read_blocks_at(at_, bytes, file_.get(), name_)) reject_cut_short(name_, size_);
    at_ += bytes.size();
    detail::parallel_for_blocks(bits.size(), entries_per_task,
                                [&](std::size_t first, std::size_t last) {
                                  for (std::size_t i = first; i < last; ++i)
                                    bits[i] = from_big_endian(bits[i]);
                                });
    return bits;
  }

  std::string name_;
  FileDescriptor file_;
  IntegerWidth width_ = IntegerWidth::four;
  std::uint64_t size_ = 0;
  std::uint64_t at_ = 0;
};

/// Called before memory is used for what the header says.
[[noreturn]] void reject_length(const PetscReader& reader, std::uint64_t rows,
                                std::int64_t entries) {
  reader.fail(fmt::format(
      "{} bytes follow its header, too few or too many for {} rows with {}", reader.bytes_left(),
      rows, entries == dense_matrix ? "all entries" : fmt::format("{} entries", entries)));
}

std::uint64_t positive(PetscReader& reader, const char* what) {
  const std::int64_t size = reader.integer();
  if (size < 1 || size > (std::int64_t{1} << 48)) {
    reader.fail(fmt::format("its number of {} is {}", what, size));
  }
  return static_cast<std::uint64_t>(size);
}

void read_dense(PetscReader& reader, std::uint64_t rows, PetscMatrix& matrix) {
  const std::uint64_t numbers = reader.bytes_left() / sizeof(double);
  if (rows > numbers / matrix.columns ||
      rows * matrix.columns * sizeof(double) != reader.bytes_left()) {
    reject_length(reader, rows, dense_matrix);
  }
  const std::vector<double> all = reader.values(rows * matrix.columns);
  matrix.row_begin.reserve(static_cast<std::size_t>(rows) + 1);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] != 0.0) {  // NaN included
      matrix.column.push_back(static_cast<StateIndex>(i % matrix.columns));
      matrix.value.push_back(all[i]);
    }
    if ((i + 1) % matrix.columns == 0) matrix.row_begin.push_back(matrix.value.size());
  }
}

void read_sparse(PetscReader& reader, std::uint64_t rows, std::int64_t entries,
                 PetscMatrix& matrix) {
  if (entries < 0) reader.fail(fmt::format("its number of entries is {}", entries));
  const auto count = static_cast<std::uint64_t>(entries);
  const std::uint64_t bytes = reader.integer_bytes();
  if (std::max(rows, count) > reader.bytes_left() ||
      rows * bytes + count * (bytes + sizeof(double)) != reader.bytes_left()) {
    reject_length(reader, rows, entries);
  }
  matrix.row_begin.reserve(static_cast<std::size_t>(rows) + 1);
  std::uint64_t end = 0;
  for (const std::int64_t length : reader.integers(rows)) {
    if (length < 0 || static_cast<std::uint64_t>(length) > count - end) {
      reader.fail(fmt::format("row {} has {} entries, but {} are left", matrix.rows(), length,
                              count - end));
    }
    end += static_cast<std::uint64_t>(length);
    matrix.row_begin.push_back(static_cast<std::size_t>(end));
  }
  if (end != count) {
    reader.fail(fmt::format("its rows have {} entries, but its header says {}", end, count));
  }
  matrix.column = reader.columns_of_entries(count, matrix.columns);
  matrix.value = reader.values(count);
}

}  // namespace

PetscMatrix read_petsc_matrix(const std::string& path) {
  PetscReader reader(path);
  const std::int64_t id = reader.identifier();
  PetscMatrix matrix;
  matrix.file = reader.name();
  matrix.is_vector = id == petsc_vector_id;
  if (id != petsc_matrix_id && !matrix.is_vector) {
    reader.fail("this is neither a matrix nor a vector of PETSc");
  }
  check_memory(2.0 * static_cast<double>(reader.bytes_left()), matrix.file + ": to read it",
               "a smaller matrix");
  const std::uint64_t rows = positive(reader, "rows");
  if (matrix.is_vector) {
    matrix.columns = 1;
    read_dense(reader, rows, matrix);
    return matrix;
  }
  matrix.columns = positive(reader, "columns");
  if (matrix.columns > most_columns) reader.fail(fmt::format("it has {} columns", matrix.columns));
  const std::int64_t entries = reader.integer();
  if (entries == dense_matrix) {
    read_dense(reader, rows, matrix);
  } else {
    read_sparse(reader, rows, entries, matrix);
  }
  return matrix;
}

}  // namespace shortfall::io
