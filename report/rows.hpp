#pragma once

#include <nlohmann/json.hpp>
#include <string>

/// What pages and documents are made of.
namespace shortfall::report {

/// Keys stay in the order in which they were set.
using Json = nlohmann::ordered_json;

/// On one line. Bytes that are not UTF-8, as file names may have, become U+FFFD.
std::string dump(const Json& value);

/// A list of flat objects with the same keys as CSV: a header, then a line a row. Null is an empty
/// field, numbers have as many digits as it takes to read them back, and text with commas, quotes
/// or line breaks is quoted. Throws std::logic_error where a row has other keys than the first, or
/// holds a list or an object.
std::string csv_of(const Json& rows);

/// A document as text, with a line for each row of its tables.
std::string text_of(const Json& document);

}  // namespace shortfall::report
