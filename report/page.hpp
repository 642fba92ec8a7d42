#pragma once

#include <string>

#include "report/rows.hpp"

namespace shortfall::report {

/// A page of web/, as one self-contained file.
enum class Page {
  report,  ///< all studies of the paper
  plan,    ///< orders for a perishable stock
  study    ///< learners on a model
};

/// The page with its data, described in web/README.md.
std::string html_of(Page page, const Json& data);

}  // namespace shortfall::report
