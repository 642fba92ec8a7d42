#pragma once

#include <string_view>

namespace shortfall::report {

/// The pages as web/build.mjs made them, with a mark where their data go.
std::string_view report_template();
std::string_view plan_template();

}  // namespace shortfall::report
