#include "formats/records_headings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "errors/require.hpp"
#include "formats/records_columns.hpp"
#include "text/text.hpp"

namespace shortfall::io {
namespace {

using namespace std::string_view_literals;

/// English, German, French, Spanish, Italian, Portuguese, Dutch; without blanks and punctuation.
constexpr std::array date_words = {"date"sv,  "day"sv,  "datum"sv,  "tag"sv,     "jour"sv,
                                   "fecha"sv, "data"sv, "giorno"sv, "calendar"sv};
constexpr std::array demand_words = {
    "demand"sv,  "requested"sv, "unitsrequested"sv, "bedarf"sv,    "nachfrage"sv, "angefordert"sv,
    "demande"sv, "demanda"sv,   "domanda"sv,        "richiesta"sv, "procura"sv,   "vraag"sv};
constexpr std::array stockout_words = {
    "stockout"sv,         "outofstock"sv, "soldout"sv,  "ausverkauft"sv,   "fehlbestand"sv,
    "rupture"sv,          "agotado"sv,    "rotura"sv,   "roturadestock"sv, "rupturedestock"sv,
    "rupturadeestoque"sv, "esaurito"sv,   "esgotado"sv, "uitverkocht"sv};
constexpr std::array ordered_words = {
    "ordered"sv,  "unitsordered"sv, "bestellt"sv, "bestellung"sv,  "commande"sv,
    "commandé"sv, "pedido"sv,       "ordinato"sv, "encomendado"sv, "besteld"sv};
constexpr std::array wasted_words = {"wasted"sv,    "waste"sv,     "expired"sv, "outdated"sv,
                                     "verfallen"sv, "verworfen"sv, "perdu"sv,   "périmé"sv,
                                     "caducado"sv,  "scaduto"sv,   "vencido"sv, "verlopen"sv};
constexpr std::array received_words = {"received"sv, "erhalten"sv, "geliefert"sv, "reçu"sv,
                                       "recibido"sv, "ricevuto"sv, "recebido"sv,  "ontvangen"sv};
constexpr std::array total_words = {
    "total"sv,  "totals"sv,     "subtotal"sv,     "grandtotal"sv,    "sum"sv,    "average"sv,
    "avg"sv,    "mean"sv,       "count"sv,        "summe"sv,         "gesamt"sv, "gesamtsumme"sv,
    "mittel"sv, "mittelwert"sv, "durchschnitt"sv, "zwischensumme"sv, "somme"sv,  "moyenne"sv,
    "totale"sv, "totaal"sv,     "suma"sv,         "media"sv,         "soma"sv,   "média"sv};

/// Lower case, without blanks and punctuation.
std::string plain(std::string_view text) {
  std::string result;
  for (const char c : lower_case(text)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80 || std::isalnum(byte) != 0) result += c;
  }
  return result;
}

template <std::size_t N>
bool is_among(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

std::size_t column_named(std::string_view name) {
  const auto known = std::ranges::find(record_column::names, lower_case(name));
  return static_cast<std::size_t>(known - record_column::names.begin());
}

/// received_2 for "Received 2" and "geliefert_2".
std::size_t received_meant(std::string_view word) {
  const std::size_t digits = word.find_first_of("0123456789");
  if (digits == std::string_view::npos || !is_among(received_words, word.substr(0, digits))) {
    return record_column::unused;
  }
  return column_named(fmt::format("received_{}", word.substr(digits)));
}

std::size_t column_meant(std::string_view heading) {
  const std::string word = plain(heading);
  if (is_among(date_words, word)) return record_column::date;
  if (is_among(demand_words, word)) return record_column::demand;
  if (is_among(stockout_words, word)) return record_column::stockout;
  if (is_among(ordered_words, word)) return record_column::ordered;
  if (is_among(wasted_words, word)) return record_column::wasted;
  return received_meant(word);
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return result;
}

std::vector<MatchedColumn> match_headings(const std::vector<std::string_view>& headings,
                                          const std::vector<ColumnHeading>& given) {
  std::vector<MatchedColumn> columns(headings.size(), {record_column::unused});
  std::array<bool, record_column::names.size()> found{};
  const auto match = [&](std::size_t i, std::size_t column, Match how) {
    if (column == record_column::unused || columns[i].match != Match::none) return;
    columns[i] = {column, how};
    found.at(column) = true;
  };
  for (std::size_t i = 0; i < headings.size(); ++i) {
    for (const auto& [column, heading] : given) {
      if (lower_case(heading) == lower_case(headings[i])) {
        match(i, column_named(column), Match::given);
      }
    }
  }
  const auto given_columns = found;
  for (std::size_t i = 0; i < headings.size(); ++i) {
    const std::size_t column = column_named(headings[i]);
    if (column < given_columns.size() && given_columns.at(column)) continue;
    match(i, column, Match::name);
  }
  const auto named_columns = found;
  for (std::size_t i = 0; i < headings.size(); ++i) {
    const std::size_t column = column_meant(headings[i]);
    if (column < named_columns.size() && named_columns.at(column)) continue;
    match(i, column, Match::meaning);
  }
  return columns;
}

std::string heading_option(OptionStyle style, std::string_view column, std::string_view heading) {
  return option_words(style, "columns",
                      style == OptionStyle::command_line
                          ? fmt::format("{}={}", column, heading)
                          : fmt::format("{{\"{}\": \"{}\"}}", column, heading));
}

bool is_total_label(std::string_view text) {
  const std::size_t end = text.find_first_of(" :");
  return is_among(total_words, plain(text)) || is_among(total_words, plain(text.substr(0, end)));
}

std::vector<ColumnHeading> parse_headings(const std::string& text) {
  std::vector<ColumnHeading> headings;
  for (const std::string_view part : split(text, ',')) {
    const std::size_t equals = part.find('=');
    const std::string column = lower_case(trimmed(part.substr(0, equals)));
    const std::string_view heading =
        equals == std::string_view::npos ? "" : trimmed(part.substr(equals + 1));
    require(column_named(column) != record_column::unused && !heading.empty(),
            "{} is not COLUMN=HEADING; accepted: pairs separated by commas, such as "
            "demand=Bedarf,date=Datum, with a column date, demand, stockout, ordered, wasted or "
            "received_1 to received_{}",
            quotation(part), inventory::longest_shelf_life);
    for (const ColumnHeading& other : headings) {
      require(other.column != column, "{} is given twice; accepted: one heading for each column",
              column);
    }
    headings.push_back({column, std::string(heading)});
  }
  return headings;
}

}  // namespace shortfall::io
