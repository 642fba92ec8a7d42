#include "formats/inventory_keys.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <regex>
#include <string>

#include "shortfall/errors/error.hpp"
#include "shortfall/formats/inventory_toml.hpp"
#include "tests/formats/inventory_for_tests.hpp"

// What the reference says of each key is what the reader does.
namespace shortfall::io {
namespace key_reference {

/// Configurations that together have every key.
const std::vector<std::string> configurations = {
    with_line(small_inventory, "[cost]",
              "fresh = false\n[cost]\nplaceholders = [\"order\"]\nunit = 0.5"),
    with_line(with_line(with_line(small_inventory, "c0", "shares = [0.2, 0.3, 0.5]"), "c1", ""),
              "loss", "tau = 0.7"),
    with_line(with_line(with_line(with_line(small_inventory, "distribution",
                                            "distribution = \"empirical\"\nprobabilities = [0.4, "
                                            "0.6]"),
                                  "n =", ""),
                        "mean", ""),
              "max =", ""),
};

/// For bounds: no other key depends on the shelf life or the capacity.
const std::string plain = with_line(
    with_line(with_line(with_line(with_line(small_inventory, "c0", "fresh = true"), "c1", ""),
                        "distribution", "distribution = \"poisson\""),
              "n =", ""),
    "max_order", "");

std::string name_of(const InventoryKey& key) {
  return std::string(key.name.substr(key.name.find('.') + 1)) + " =";
}

/// The table must be the right one, too: names such as `max` occur once.
bool has(const std::string& text, const InventoryKey& key) {
  return ("\n" + text).find("\n" + name_of(key)) != std::string::npos;
}

bool is_accepted(const std::string& text) {
  try {
    (void)InventoryToml(std::string_view(text), "in.toml").configuration();
    return true;
  } catch (const InvalidInput&) {
    return false;
  }
}

TEST(InventoryKeys, AKeyCanBeLeftOutExactlyIfTheReferenceSaysSo) {
  for (const std::string& text : configurations) ASSERT_TRUE(is_accepted(text)) << text;
  for (const InventoryKey& key : inventory_keys()) {
    bool occurs = false;
    for (const std::string& text : configurations) {
      if (!has(text, key)) continue;
      occurs = true;
      EXPECT_EQ(is_accepted(with_line(text, name_of(key), "")), !key.absent.starts_with("required"))
          << key.name << " in\n"
          << text;
    }
    EXPECT_TRUE(occurs) << key.name;
  }
}

TEST(InventoryKeys, BoundsInTheReferenceAreThoseOfTheReader) {
  ASSERT_TRUE(is_accepted(plain));
  const std::regex range("(integer|number) from (\\S+) to ([0-9.e]+).*");
  int ranges = 0;
  for (const InventoryKey& key : inventory_keys()) {
    std::smatch found;
    const std::string accepted(key.accepted);
    if (!std::regex_match(accepted, found, range)) continue;
    ++ranges;
    const auto with = [&](const std::string& value) {
      const std::string line = fmt::format("{} {}", name_of(key), value);
      const std::string table = fmt::format("[{}]", key.name.substr(0, key.name.find('.')));
      return has(plain, key) ? with_line(plain, name_of(key), line)
                             : with_line(plain, table, table + "\n" + line);
    };
    const double low = std::strtod(found[2].str().c_str(), nullptr);
    const double high = std::strtod(found[3].str().c_str(), nullptr);
    EXPECT_TRUE(is_accepted(with(found[2]))) << key.name;
    EXPECT_TRUE(is_accepted(with(found[3]))) << key.name;
    EXPECT_FALSE(is_accepted(with(fmt::format("{}", low - 1)))) << key.name;
    EXPECT_FALSE(is_accepted(with(fmt::format("{}", high < 1e6 ? high + 1 : 10 * high))))
        << key.name;
  }
  EXPECT_EQ(ranges, 10);
}

TEST(InventoryKeys, EachHasAMeaning) {
  for (const InventoryKey& key : inventory_keys()) {
    EXPECT_FALSE(key.meaning.empty() || key.accepted.empty() || key.absent.empty()) << key.name;
    EXPECT_FALSE(key.meaning.ends_with('.')) << key.name;
  }
}

}  // namespace key_reference
}  // namespace shortfall::io
