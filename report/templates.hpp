#pragma once

#include <string_view>

namespace shortfall::report {

/// The pages built by web/build.mjs, with a placeholder for their data.
std::string_view report_template();
std::string_view plan_template();
std::string_view study_template();

}  // namespace shortfall::report
