#pragma once

#include <string>

#include "apps/shortfall/model_names.hpp"
#include "apps/shortfall/study_model.hpp"
#include "report/rows.hpp"
#include "studies/model_study_rows.hpp"

namespace shortfall::app {

/// The document of a study: what was asked for, and the tables of model_study_rows.hpp, with values
/// in the sense of the model's file and ids of states as in it.
report::Json study_document(const StudyArguments& options, const StudyModel& model,
                            const ModelNames& names, const studies::ModelStudyTables& tables);

/// Two tables for a terminal, what diverged, and why convergence is not guaranteed.
std::string study_text(const StudyArguments& options, const StudyModel& model,
                       const studies::ModelStudyTables& tables);

}  // namespace shortfall::app
