#include "shortfall/formats/model_file.hpp"

#include "shortfall/formats/binary_model.hpp"
#include "shortfall/formats/petsc_model.hpp"
#include "text/place.hpp"

namespace shortfall::io {

ModelFormat format_of(const std::string& path) {
  return is_binary_model(path) ? ModelFormat::binary : ModelFormat::csv;
}

LoadedModel read_model(const std::string& path, const ReadOptions& options) {
  if (is_petsc_matrix(path)) {
    reject({.file = path}, "this is a matrix of PETSc, not a whole model",
           "a model as CSV or binary, which shortfall convert --petsc-costs makes of two matrices");
  }
  return format_of(path) == ModelFormat::binary ? read_binary_model(path, options)
                                                : read_model_csv(path, options);
}

void write_model(const std::string& path, const LoadedModel& model, ModelFormat format) {
  if (format == ModelFormat::binary) {
    write_binary_model(path, model.model, model.sense);
  } else {
    write_model_csv(path, model.model, model.sense);
  }
}

}  // namespace shortfall::io
