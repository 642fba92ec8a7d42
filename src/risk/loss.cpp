#include "shortfall/risk/loss.hpp"

namespace shortfall {

std::string_view to_string(Curvature curvature) {
  switch (curvature) {
    case Curvature::linear:
      return "linear";
    case Curvature::convex:
      return "convex";
    case Curvature::concave:
      return "concave";
    case Curvature::mixed:
      return "mixed";
  }
  return "unknown";
}

}  // namespace shortfall
