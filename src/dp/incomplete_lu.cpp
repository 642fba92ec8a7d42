#include "dp/incomplete_lu.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

#include "parallel/threads.hpp"

namespace shortfall::detail {

/// Eliminates the rows of one block in turn. The current row is held by column in `value_`; the
/// columns that occur in it are in `left_`, a heap of those still to eliminate, and in `right_`.
class IncompleteLu::Elimination {
 public:
  /// For the states [first, last), whose rows are in `rows` from state `base` on.
  Elimination(const PackedRows& rows, std::size_t base, double gamma, std::size_t first,
              std::size_t last, Block& block)
      : rows_(rows), base_(base), gamma_(gamma), first_(first), size_(last - first), block_(block) {
    value_.assign(size_, 0.0);
    occurs_.assign(size_, false);
    block.first = first - base;
    block.operations = 0;
    block.pivot.resize(size_);
    for (Triangle* triangle : {&block.lower, &block.upper}) {
      triangle->begin.assign(1, 0);
      triangle->column.clear();
      triangle->value.clear();
    }
  }

  bool run(std::size_t most_operations) {
    for (std::uint32_t row = 0; row < size_; ++row) {
      if (block_.operations > most_operations) return false;
      load(row);
      eliminate(row);
      keep(lower_, block_.lower);
      keep(right_, block_.upper);
      block_.pivot[row] = 1.0 / diagonal_;
    }
    return true;
  }

 private:
  using Column = std::uint32_t;

  void add(Column column, Column row, double value) {
    ++block_.operations;
    if (column == row) {
      diagonal_ += value;
    } else if (occurs_[column]) {
      value_[column] += value;
    } else if (std::abs(value) >= least_entry) {
      occurs_[column] = true;
      value_[column] = value;
      if (column < row) {
        left_.push_back(column);
        std::ranges::push_heap(left_, std::greater<>());
      } else {
        right_.push_back(column);
      }
    }
  }

  void load(Column row) {
    const PackedRows::Row given = rows_.row(first_ - base_ + row);
    diagonal_ = 1.0;
    for (std::size_t j = 0; j < given.next.size();) {
      const std::uint32_t next = given.next[j];
      double weight = 0.0;
      for (; j < given.next.size() && given.next[j] == next; ++j) weight += given.weight(j);
      const std::size_t column = next - first_;  // wraps around for states before
      if (column >= size_) continue;
      add(static_cast<Column>(column), row, -gamma_ * weight);
    }
  }

  void eliminate(Column row) {
    while (!left_.empty()) {
      std::ranges::pop_heap(left_, std::greater<>());
      const Column pivot = left_.back();
      left_.pop_back();
      const double factor = value_[pivot] * block_.pivot[pivot];
      value_[pivot] = factor;
      if (std::abs(factor) < least_entry || lower_.size() >= most_entries) {
        occurs_[pivot] = false;
        continue;
      }
      lower_.push_back(pivot);
      const Triangle& upper = block_.upper;
      for (std::uint32_t at = upper.begin[pivot]; at < upper.begin[pivot + 1]; ++at) {
        add(upper.column[at], row, -factor * upper.value[at]);
      }
    }
  }

  /// Moves the largest entries of these columns to the end of a triangle.
  void keep(std::vector<Column>& columns, Triangle& triangle) {
    if (columns.size() > most_entries) {
      const auto end = columns.begin() + most_entries;
      std::nth_element(columns.begin(), end, columns.end(), [&](Column a, Column b) {
        return std::pair(-std::abs(value_[a]), a) < std::pair(-std::abs(value_[b]), b);
      });
      for (auto dropped = end; dropped != columns.end(); ++dropped) {
        occurs_[*dropped] = false;
      }
      columns.erase(end, columns.end());
      std::ranges::sort(columns);
    }
    for (const Column column : columns) {
      triangle.column.push_back(column);
      triangle.value.push_back(value_[column]);
      occurs_[column] = false;
    }
    triangle.begin.push_back(static_cast<std::uint32_t>(triangle.column.size()));
    columns.clear();
  }

  const PackedRows& rows_;
  std::size_t base_;
  double gamma_;
  std::size_t first_;
  std::size_t size_;
  Block& block_;
  double diagonal_ = 1.0;
  std::vector<double> value_;
  std::vector<char> occurs_;
  std::vector<Column> left_;
  std::vector<Column> lower_;
  std::vector<Column> right_;
};

IncompleteLu::Share IncompleteLu::share_of(std::size_t blocks, std::size_t rank,
                                           std::size_t ranks) {
  return {(rank * blocks + ranks - 1) / ranks, ((rank + 1) * blocks + ranks - 1) / ranks};
}

bool IncompleteLu::compute(const Tangent& tangent, std::size_t most_operations) {
  const Partition& partition = tangent.partition();
  Communicator& communicator = partition.communicator();
  const std::size_t states = partition.total();
  const std::size_t count = std::clamp<std::size_t>(states / fewest_states, 1, most_blocks);
  const auto begin_of = [&](std::size_t block) { return block * states / count; };
  begin_.clear();
  for (std::size_t rank = 0; rank < communicator.size(); ++rank) {
    begin_.push_back(begin_of(share_of(count, rank, communicator.size()).first));
  }
  begin_.push_back(states);
  PackedRows collected;
  if (communicator.size() > 1) {
    collected = redistributed(tangent.rows(), partition, begin_);
    if (!to_blocks_) {
      to_blocks_.emplace(communicator, partition.begin(), begin_);
      to_states_.emplace(communicator, begin_, partition.begin());
    }
    b_.resize(to_blocks_->wanted());
    x_.resize(to_blocks_->wanted());
  }
  const PackedRows& rows = communicator.size() > 1 ? collected : tangent.rows();

  const Share share = share_of(count, communicator.rank(), communicator.size());
  blocks_.resize(share.last - share.first);
  std::vector<char> complete(blocks_.size());
  parallel_for(blocks_.size(), [&](std::size_t k) {
    const std::size_t block = share.first + k;
    complete[k] = Elimination(rows, begin_[communicator.rank()], tangent.preconditioner_gamma(),
                              begin_of(block), begin_of(block + 1), blocks_[k])
                      .run(most_operations);
  });
  std::array<std::uint64_t, 3> sums{entries_of(blocks_), 0, 0};
  for (const Block& block : blocks_) sums[1] += block.operations;
  for (const char is : complete) sums[2] += is ? 0u : 1u;
  communicator.sum(sums);
  entries_ = sums[0];
  operations_ = sums[1];
  return sums[2] == 0;
}

bool IncompleteLu::has_no_fill_in(const Tangent& tangent) {
  const Partition& partition = tangent.partition();
  Communicator& communicator = partition.communicator();
  const std::size_t sample = std::min<std::size_t>(1024, partition.total());
  PackedRows collected;
  if (communicator.size() > 1) {
    std::vector<std::size_t> begin(communicator.size() + 1, sample);
    begin[0] = 0;
    collected = redistributed(tangent.rows(), partition, begin);
  }
  const PackedRows& rows = communicator.size() > 1 ? collected : tangent.rows();
  const auto judge = [&] {
    std::size_t given = 0;
    std::size_t inside = 0;
    std::size_t of_matrix = sample;
    for (std::size_t x = 0; x < sample; ++x) {
      std::size_t last = x;
      for (const std::size_t next : rows.row(x).next) {
        ++given;
        if (next >= sample) continue;
        ++inside;
        if (next != x && next != std::exchange(last, next)) ++of_matrix;
      }
    }
    if (2 * inside < given) return false;
    std::vector<Block> part(1);
    Elimination(rows, 0, tangent.preconditioner_gamma(), 0, sample, part[0])
        .run(std::numeric_limits<std::size_t>::max());
    const std::size_t entries = entries_of(part);
    return entries <= of_matrix && 2 * entries >= of_matrix;
  };
  return communicator.any(communicator.rank() == 0 && judge());
}

void IncompleteLu::solve_blocks(const double* b, double* x) const {
  parallel_for(blocks_.size(), [&](std::size_t k) {
    const Block& block = blocks_[k];
    const double* const from = b + block.first;
    double* const to = x + block.first;
    const std::size_t size = block.pivot.size();
    const auto subtract = [to](double rest, const Triangle& triangle, std::size_t i) {
      for (std::uint32_t at = triangle.begin[i]; at < triangle.begin[i + 1]; ++at) {
        rest -= triangle.value[at] * to[triangle.column[at]];
      }
      return rest;
    };
    for (std::size_t i = 0; i < size; ++i) to[i] = subtract(from[i], block.lower, i);
    for (std::size_t i = size; i-- > 0;) to[i] = subtract(to[i], block.upper, i) * block.pivot[i];
  });
}

void IncompleteLu::solve(std::span<const double> b, std::span<double> x) const {
  if (!to_blocks_) return solve_blocks(b.data(), x.data());
  (*to_blocks_)(b, b_);
  solve_blocks(b_.data(), x_.data());
  (*to_states_)(x_, x);
}

std::size_t IncompleteLu::entries_of(const std::vector<Block>& blocks) {
  std::size_t count = 0;
  for (const Block& block : blocks) {
    count += block.pivot.size() + block.lower.value.size() + block.upper.value.size();
  }
  return count;
}

}  // namespace shortfall::detail
