#pragma once

#include <string>

#include "shortfall/formats/model_csv.hpp"
#include "shortfall/formats/read_options.hpp"
#include "shortfall/names.hpp"

/// Models in any format that this project has. Readers go by what a file contains, not by its name.
namespace shortfall::io {

enum class ModelFormat {
  csv,    ///< model_csv.hpp
  binary  ///< binary_model.hpp
};
inline constexpr Names<ModelFormat, 2> model_format_names = {
    {{"csv", ModelFormat::csv}, {"binary", ModelFormat::binary}}};

/// The format that a file begins like. What is not binary is taken for CSV, also what cannot be
/// read, and standard input.
ModelFormat format_of(const std::string& path);

/// Throws InvalidInput, as the reader of the format does.
LoadedModel read_model(const std::string& path, const ReadOptions& options = {});

/// Throws OutputError.
void write_model(const std::string& path, const LoadedModel& model, ModelFormat format);

}  // namespace shortfall::io
