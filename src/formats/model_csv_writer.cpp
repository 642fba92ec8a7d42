#include <fmt/compile.h>
#include <fmt/format.h>

#include <cstddef>
#include <iterator>
#include <vector>

#include "files/atomic_file.hpp"
#include "shortfall/formats/model_csv.hpp"

namespace shortfall::io {
namespace {

class RowWriter {
 public:
  RowWriter(const std::string& path, Sense sense) : file_(path), sense_(sense) {
    file_.write(sense == Sense::cost ? "idstatefrom,idaction,idstateto,probability,cost\n"
                                     : "idstatefrom,idaction,idstateto,probability,reward\n");
  }

  void write(StateIndex x, ActionIndex a, StateIndex x_next, double p, double cost) {
    line_.clear();
    fmt::format_to(std::back_inserter(line_), FMT_COMPILE("{},{},{},{},{}\n"), x, a, x_next, p,
                   in_sense(cost, sense_));
    file_.write({line_.data(), line_.size()});
  }

  void commit() { file_.commit(); }

 private:
  AtomicFile file_;
  Sense sense_;
  fmt::memory_buffer line_;
};

}  // namespace

void write_table_csv(const std::string& path, const TransitionTable& table, Sense sense) {
  RowWriter writer(path, sense);
  for (std::size_t i = 0; i < table.rows(); ++i) {
    writer.write(table.from[i] + table.state_base, table.action[i] + table.action_base,
                 table.to[i] + table.state_base, table.probability[i], table.cost[i]);
  }
  writer.commit();
}

void write_model_csv(const std::string& path, const Mdp& model, Sense sense) {
  RowWriter writer(path, sense);
  const auto write = [&](std::size_t x, std::size_t r, StateIndex x_next, double p, double cost) {
    writer.write(static_cast<StateIndex>(x) + model.state_base(),
                 model.action_of_row(r) + model.action_base(), x_next + model.state_base(), p,
                 cost);
  };
  std::vector<bool> named(model.states());
  std::size_t first_x = 0;
  while (first_x < model.states() && model.is_terminal(first_x)) ++first_x;
  for (std::size_t x = first_x; x < model.states(); ++x) {
    for (std::size_t r = model.state_begin()[x]; r < model.state_begin()[x + 1]; ++r) {
      const Outcomes::Row law = model.law(r);
      for (std::size_t i = 0; i < law.next.size(); ++i) {
        write(x, r, law.next[i], law.probability[i], law.cost[i]);
        named[law.next[i]] = true;
      }
    }
  }
  // A state exists only if the file names it, so terminal states that nothing leads to get a row of
  // probability 0.
  for (std::size_t x = 0; x < model.states(); ++x) {
    if (model.is_terminal(x) && !named[x]) write(first_x, 0, static_cast<StateIndex>(x), 0.0, 0.0);
  }
  writer.commit();
}

}  // namespace shortfall::io
