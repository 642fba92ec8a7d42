#pragma once

#include <span>
#include <string_view>

#include "shortfall/mdp/mdp.hpp"
#include "shortfall/names/names.hpp"

namespace shortfall::benchmarks {

enum class ModelSize { small, medium, large };  ///< about 10⁵, 10⁶ and up to 10⁷ outcomes
inline constexpr Names<ModelSize, 3> model_size_names{
    {{"small", ModelSize::small}, {"medium", ModelSize::medium}, {"large", ModelSize::large}}};
constexpr std::string_view to_string(ModelSize size) {
  return name_of(size, model_size_names);
}

/// A model that exists in three sizes. The same name and size give the same model.
struct PeerModel {
  std::string_view name;
  std::string_view about;  ///< its structure, in a few words
  Mdp (*build)(ModelSize size);
};

/// The models on which our solver is compared with other programs. In the first four the successors
/// are drawn from all states or from those nearby, a hundred or eight per row. The other eight are
/// structures that favour one method or another.
std::span<const PeerModel> peer_models();

/// Throws InvalidInput, with the accepted names.
const PeerModel& find_peer_model(std::string_view name);

}  // namespace shortfall::benchmarks
