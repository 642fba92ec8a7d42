#pragma once

#include <string>

#include "shortfall/formats/model_csv.hpp"
#include "shortfall/formats/read_options.hpp"
#include "shortfall/names/names.hpp"

/// Models in any format that this project has. Readers go by what a file contains, not by its name.
namespace shortfall::io {

enum class ModelFormat {
  csv,    ///< model_csv.hpp
  binary  ///< binary_model.hpp
};
inline constexpr Names<ModelFormat, 2> model_format_names = {
    {{"csv", ModelFormat::csv}, {"binary", ModelFormat::binary}}};

/// What does not begin like a binary model is read as CSV. Throws InvalidInput, as the reader of
/// the format does.
LoadedModel read_model(const std::string& path, const ReadOptions& options = {});

/// Throws OutputError.
void write_model(const std::string& path, const LoadedModel& model, ModelFormat format);

}  // namespace shortfall::io
