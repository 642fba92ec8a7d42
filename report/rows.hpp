#pragma once

#include <nlohmann/json.hpp>
#include <string>

/// JSON documents, and their tables as CSV.
namespace shortfall::report {

/// Keys stay in the order in which they were set.
using Json = nlohmann::ordered_json;

/// On one line. Bytes that are not UTF-8, as file names may have, become U+FFFD.
std::string dump(const Json& value);

/// Text as a field of CSV: in quotes if it has commas, quotes or line breaks.
std::string csv_field(const std::string& text);

/// A list of flat objects with the same keys as CSV: a header, then one line per row. Null is an
/// empty field, numbers have enough digits to read them back exactly, and text with commas, quotes
/// or line breaks is quoted. Throws std::logic_error if a row has other keys than the first, or
/// contains a list or an object.
std::string csv_of(const Json& rows);

/// A document as text, with one line per row of its tables.
std::string text_of(const Json& document);

}  // namespace shortfall::report
