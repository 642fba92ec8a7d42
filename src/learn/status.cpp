#include "shortfall/learn/status.hpp"

namespace shortfall::learn {

std::string_view to_string(Status status) {
  switch (status) {
    case Status::ok:
      return "ok";
    case Status::warming_up:
      return "warming-up";
    case Status::singular:
      return "singular";
    case Status::diverged:
      return "diverged";
  }
  return "";
}

}  // namespace shortfall::learn
