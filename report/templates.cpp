#include "report/templates.hpp"

// The assembler includes the files; their directory is on its command line.
asm(R"(
  .section .rodata
  .global shortfall_report_begin, shortfall_report_end, shortfall_plan_begin, shortfall_plan_end
  .global shortfall_study_begin, shortfall_study_end
shortfall_report_begin:
  .incbin "report.html"
shortfall_report_end:
shortfall_plan_begin:
  .incbin "plan.html"
shortfall_plan_end:
shortfall_study_begin:
  .incbin "study.html"
shortfall_study_end:
  .text
)");

extern "C" {
extern const char shortfall_report_begin[];
extern const char shortfall_report_end[];
extern const char shortfall_plan_begin[];
extern const char shortfall_plan_end[];
extern const char shortfall_study_begin[];
extern const char shortfall_study_end[];
}

namespace shortfall::report {

std::string_view report_template() {
  return {shortfall_report_begin, shortfall_report_end};
}

std::string_view plan_template() {
  return {shortfall_plan_begin, shortfall_plan_end};
}

std::string_view study_template() {
  return {shortfall_study_begin, shortfall_study_end};
}

}  // namespace shortfall::report
