#include "report/page.hpp"

#include <stdexcept>
#include <string_view>

#include "report/templates.hpp"

namespace shortfall::report {
namespace {

constexpr std::string_view data_placeholder = "<!--DATA-->";

/// Within a script element, only "<" could end it or start a comment.
std::string script_of(const Json& data) {
  std::string script = R"(<script type="application/json" id="data">)";
  for (const char c : dump(data)) {
    if (c == '<') {
      script += "\\u003c";
    } else {
      script += c;
    }
  }
  return script + "</script>";
}

std::string_view template_of(Page page) {
  switch (page) {
    case Page::report:
      return report_template();
    case Page::plan:
      return plan_template();
    case Page::study:
      break;
  }
  return study_template();
}

}  // namespace

std::string html_of(Page page, const Json& data) {
  std::string html(template_of(page));
  const std::size_t place = html.find(data_placeholder);
  if (place == std::string::npos)
    throw std::logic_error("the page has no placeholder for its data");
  return html.replace(place, data_placeholder.size(), script_of(data));
}

}  // namespace shortfall::report
