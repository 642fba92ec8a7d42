#include "formats/table_memory.hpp"

#include <functional>
#include <initializer_list>

#include "memory/zeroed_array.hpp"
#include "parallel/threads.hpp"

namespace shortfall::io {

void reserve(TransitionTable& table, std::size_t rows) {
  detail::reserve(table.probability, rows);
  detail::reserve(table.cost, rows);
  detail::reserve(table.from, rows);
  detail::reserve(table.action, rows);
  detail::reserve(table.to, rows);
}

void resize(TransitionTable& table, std::size_t rows) {
  constexpr std::size_t few = 10000;
  const std::initializer_list<std::function<void()>> columns = {
      [&] { table.probability.resize(rows); }, [&] { table.cost.resize(rows); },
      [&] { table.from.resize(rows); }, [&] { table.action.resize(rows); },
      [&] { table.to.resize(rows); }};
  if (rows - table.rows() < few) {
    for (const auto& resize_column : columns) resize_column();
  } else {
    detail::parallel_invoke(columns);
  }
}

}  // namespace shortfall::io
