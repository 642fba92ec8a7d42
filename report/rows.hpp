#pragma once

#include <nlohmann/json.hpp>

#include <span>
#include <string>

/// JSON documents, and their tables as CSV.
namespace shortfall::report {

/// Keys stay in the order in which they were set.
using Json = nlohmann::ordered_json;

/// On one line. Bytes that are not UTF-8, as file names may have, become U+FFFD.
std::string dump(const Json& value);

/// A list of flat objects with the same keys as CSV: a header, then one line per row. Null is an
/// empty field, numbers have enough digits to read them back exactly, and text with commas, quotes
/// or line breaks is quoted. Throws std::logic_error if a row has other keys than the first, or
/// contains a list or an object.
std::string csv_of(const Json& rows);

/// A document as text, with one line per row of its tables.
std::string text_of(const Json& document);

/// The largest number of states whose values a page contains: five megabytes.
inline constexpr std::size_t most_values_in_a_page = std::size_t{1} << 20;

/// Numbers in few characters: v = lowest + step · k, with k from 0 to 2³⁰ - 1 in five digits of
/// base 64 (A-Z, a-z, 0-9, +, /), the highest first. Keys: lowest, step, digits. Each is within
/// step / 2. Check: 0 and 1 are "AAAAA" and "/////".
Json digits_of_values(std::span<const double> values);

}  // namespace shortfall::report
