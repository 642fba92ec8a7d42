// Several ranks divide the model that one process reads.
#include "formats/distributed_model_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "parallel/communicator.hpp"
#include "shortfall/formats/binary_model.hpp"
#include "shortfall/formats/model_file.hpp"
#include "tests/files_for_tests.hpp"
#include "tests/parallel/thread_communicator.hpp"

namespace shortfall::io::distributed_models {
namespace {

using detail::Communicator;
using detail::DistributedModel;
using shortfall::testing::run_ranks;

const std::string header = "idstatefrom,idaction,idstateto,probability,cost\n";

class DistributedModels : public FileTest {};

/// Lines of a model with terminal states, outcomes of probability 0 and repeated ones; each
/// probability needs to be rescaled.
std::vector<std::string> random_lines(std::size_t states, std::uint32_t base) {
  std::mt19937_64 random(3);
  const auto below = [&](std::uint64_t n) { return static_cast<std::size_t>(random() % n); };
  std::vector<std::string> lines;
  for (std::size_t x = 0; x < states; ++x) {
    const std::size_t actions = x == 0 ? 3 : x % 10 == 7 ? 0 : 1 + below(3);
    for (std::size_t a = 0; a < actions; ++a) {
      const std::size_t length = 1 + below(5);
      for (std::size_t k = 0; k < length; ++k) {
        lines.push_back(fmt::format("{},{},{},{},{}\n", x + base, a + base, below(states) + base,
                                    (1.0 + 1e-10) / static_cast<double>(length),
                                    static_cast<double>(below(100)) / 7.0));
      }
      lines.push_back(fmt::format("{},{},{},0,1\n", x + base, a + base, (x + 1) % states + base));
    }
  }
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text = header;
  for (const std::string& line : lines) text += line;
  return text;
}

/// Successors over all states.
std::vector<StateIndex> successors(const DistributedModel& model) {
  std::vector<StateIndex> next = model.rows().outcomes().next;
  for (StateIndex& x : next) x = model.partition().state_of(x);
  return next;
}

void expect_read_alike(const std::string& path) {
  const LoadedModel whole = read_model(path);
  const Mdp& model = whole.model;
  for (const std::size_t ranks : {2u, 3u, 7u}) {
    run_ranks(ranks, [&](Communicator& communicator) {
      const LoadedPart part = read_distributed_model(path, communicator, {.threads = 1});
      const detail::Partition& states = part.model.partition();
      ASSERT_EQ(part.model.states(), model.states());
      EXPECT_EQ(part.sense, whole.sense);
      EXPECT_EQ(part.model.state_base(), model.state_base());
      EXPECT_EQ(part.model.action_base(), model.action_base());
      const Mdp& rows = part.model.rows();
      const std::vector<StateIndex> next = successors(part.model);
      for (std::size_t x = 0; x < rows.states(); ++x) {
        const std::size_t y = states.first() + x;
        ASSERT_EQ(rows.action_count(x), model.action_count(y));
        for (std::size_t k = 0; k < rows.action_count(x); ++k) {
          const std::size_t r = rows.state_begin()[x] + k;
          const std::size_t s = model.state_begin()[y] + k;
          ASSERT_EQ(rows.action_of_row(r), model.action_of_row(s));
          const Outcomes::Row law = rows.law(r);
          const Outcomes::Row expected = model.law(s);
          EXPECT_TRUE(std::ranges::equal(law.probability, expected.probability));
          EXPECT_TRUE(std::ranges::equal(law.cost, expected.cost));
          EXPECT_TRUE(std::ranges::equal(
              std::span(next).subspan(rows.outcomes().row_begin[r], law.next.size()),
              expected.next));
        }
      }
      EXPECT_EQ(communicator.sum(std::uint64_t{rows.outcomes().size()}), model.outcomes().size());
    });
  }
}

TEST_F(DistributedModels, AreReadAlikeFromACsvInAnyOrder) {
  std::vector<std::string> lines = random_lines(300, 0);
  expect_read_alike(file(joined(lines)));
  std::ranges::shuffle(lines, std::mt19937_64(4));
  expect_read_alike(file(joined(lines)));
  expect_read_alike(file(joined(random_lines(150, 1))));
}

TEST_F(DistributedModels, AreReadAlikeWhateverEndsTheFile) {
  const std::string text = joined(random_lines(40, 0));
  expect_read_alike(file(text.substr(0, text.size() - 1)));
  expect_read_alike(file(text + std::string(5000, '\n')));
  std::string crlf;
  for (const char c : text) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  expect_read_alike(file(crlf));
  expect_read_alike(file("\xEF\xBB\xBF" + text));
  expect_read_alike(file(header + "0,0,0,1,2\n"));
}

TEST_F(DistributedModels, AreReadAlikeFromABinaryFile) {
  const LoadedModel whole = read_model(file(joined(random_lines(300, 1))));
  write_binary_model(path("model.bin"), whole.model, Sense::reward);
  expect_read_alike(path("model.bin"));
}

TEST_F(DistributedModels, ThatAreNotSoundAreRejectedWithTheMessageOfOneProcess) {
  std::vector<std::string> lines = random_lines(60, 0);
  const std::vector<std::string> sound = lines;
  std::vector<std::string> paths{path("missing.csv"), file("", "empty.csv"),
                                 file(header, "header.csv"), file("a,b\n1,2\n", "columns.csv")};
  const auto add = [&](std::size_t line, const std::string& text) {
    lines = sound;
    lines[line] = text;
    paths.push_back(file(joined(lines), fmt::format("{}.csv", paths.size())));
  };
  const std::size_t last = lines.size() - 1;
  for (const std::size_t line : {std::size_t{0}, last / 2, last}) {
    add(line, "0,0,0,nonsense,1\n");
    add(line, "\n\n");
    add(line, "0,0,0,0.7,1\n");  // sums to more than one
    add(line, "0,0,100,0,1\n");  // states that no row names
    add(line, "0,9,0,0,1\n");    // actions that no row names
    add(line, "0,0,0,0,inf\n");
    add(line, "0,0,4000000000,0,1\n");
  }
  for (const std::string& name : paths) {
    const std::string expected = failure_of<InvalidInput>([&] { (void)read_model(name); });
    for (const std::size_t ranks : {2u, 5u}) {
      run_ranks(ranks, [&](Communicator& communicator) {
        try {
          (void)read_distributed_model(name, communicator, {.threads = 1});
          EXPECT_EQ(expected, "nothing was thrown") << name;
        } catch (const InvalidInput& error) {
          EXPECT_EQ(error.what(), expected);
          EXPECT_EQ(communicator.rank(), 0);
        } catch (const detail::FailedElsewhere&) {
          EXPECT_NE(communicator.rank(), 0);
        }
      });
    }
  }
}

TEST_F(DistributedModels, ThatDifferFromRankToRankAreRejected) {
  const LoadedModel a = read_model(file(joined(random_lines(300, 0))));
  const LoadedModel b = read_model(file(joined(random_lines(301, 0))));
  write_binary_model(path("0.bin"), a.model, Sense::cost);
  write_binary_model(path("1.bin"), b.model, Sense::cost);
  run_ranks(2, [&](Communicator& communicator) {
    const std::string name = path(fmt::format("{}.bin", communicator.rank()));
    expect_rejected([&] { (void)read_distributed_model(name, communicator, {.threads = 1}); },
                    {"rank 1 has read different contents from rank 0"});
  });
}

}  // namespace
}  // namespace shortfall::io::distributed_models
