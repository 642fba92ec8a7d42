#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "files/checksum.hpp"
#include "shortfall/mdp/mdp.hpp"

namespace shortfall::io::binary_models {

/// States with 0 to 3 actions, and rows of 1 to `longest` outcomes; the first state has an action.
inline Mdp random_model(std::uint64_t seed, StateIndex states, int longest) {
  std::mt19937_64 random(seed);
  TransitionTable table;
  table.state_base = static_cast<StateIndex>(random() % 2);
  table.action_base = static_cast<ActionIndex>(random() % 2);
  const auto unit = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  for (const ActionIndex a : {0, 1, 2}) table.add(0, a, states - 1, Probability(1.0), unit());
  for (StateIndex x = 0; x < states; ++x) {
    if (x > 0) table.add(0, 0, x, Probability(0.0), 0.0);  // so that every state is named
    for (const ActionIndex a : {0, 1, 2}) {
      if (x == 0 || random() % 3 == 0) continue;
      const auto count = 1 + random() % static_cast<unsigned>(longest);
      std::vector<double> weights(count);
      double sum = 0.0;
      for (double& w : weights) sum += w = 0.001 + unit();
      for (const double w : weights) {
        table.add(x, a, static_cast<StateIndex>(random() % states), Probability(w / sum),
                  10.0 * unit() - 5.0);
      }
    }
  }
  return Mdp::build(table);
}

inline std::vector<std::uint64_t> bits(const std::vector<double>& numbers) {
  std::vector<std::uint64_t> result;
  for (const double x : numbers) result.push_back(std::bit_cast<std::uint64_t>(x));
  return result;
}

inline void expect_same_bits(const Mdp& a, const Mdp& b) {
  EXPECT_EQ(a.state_begin(), b.state_begin());
  EXPECT_EQ(a.actions_of_rows(), b.actions_of_rows());
  EXPECT_EQ(a.outcomes().row_begin, b.outcomes().row_begin);
  EXPECT_EQ(bits(a.outcomes().probability), bits(b.outcomes().probability));
  EXPECT_EQ(bits(a.outcomes().cost), bits(b.outcomes().cost));
  EXPECT_EQ(a.outcomes().next, b.outcomes().next);
  EXPECT_EQ(a.outcomes().cost_error, b.outcomes().cost_error);
  EXPECT_EQ(a.outcomes().probability_error, b.outcomes().probability_error);
  EXPECT_EQ(a.has_terminal_states(), b.has_terminal_states());
  EXPECT_EQ(a.state_base(), b.state_base());
  EXPECT_EQ(a.action_base(), b.action_base());
}

template <class T>
T number_at(const std::string& bytes, std::size_t offset) {
  T number{};
  std::memcpy(&number, bytes.data() + offset, sizeof number);
  return number;
}

template <class T>
void set_number(std::string& bytes, std::size_t offset, T number) {
  std::memcpy(bytes.data() + offset, &number, sizeof number);
}

/// Where a section begins, by the table in binary_model.hpp.
inline std::size_t section_offset(const std::string& bytes, std::size_t section) {
  return static_cast<std::size_t>(number_at<std::uint64_t>(bytes, 112 + 16 * section));
}

/// Checksums that fit the bytes, as someone who means harm would have them. For sections of up to
/// one block each.
inline std::string resealed(std::string bytes) {
  for (std::size_t s = 0; s < 6; ++s) {
    const std::size_t size = number_at<std::uint64_t>(bytes, 112 + 16 * s + 8);
    const std::string_view section = std::string_view(bytes).substr(section_offset(bytes, s), size);
    set_number(bytes, 224 + 4 * s, checksum(section));
  }
  set_number(bytes, 216, checksum(std::string_view(bytes).substr(224, 24)));
  set_number(bytes, 220, checksum(std::string_view(bytes).substr(0, 220)));
  return bytes;
}

}  // namespace shortfall::io::binary_models
