#include "shortfall/formats/model_file.hpp"

#include "shortfall/formats/binary_model.hpp"

namespace shortfall::io {

LoadedModel read_model(const std::string& path, const ReadOptions& options) {
  return is_binary_model(path) ? read_binary_model(path, options) : read_model_csv(path, options);
}

void write_model(const std::string& path, const LoadedModel& model, ModelFormat format) {
  if (format == ModelFormat::binary) {
    write_binary_model(path, model.model, model.sense);
  } else {
    write_model_csv(path, model.model, model.sense);
  }
}

}  // namespace shortfall::io
