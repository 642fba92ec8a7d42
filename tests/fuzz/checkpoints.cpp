#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "apps/shortfall/training_run.hpp"
#include "files/file_descriptor.hpp"
#include "files/fingerprint.hpp"
#include "formats/stream_checkpoint.hpp"
#include "shortfall/checkpoint/checkpoint.hpp"
#include "shortfall/formats/transition_stream.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/models.hpp"
#include "tests/fuzz/reader.hpp"
#include "tests/fuzz/seals.hpp"
#include "text/text.hpp"

namespace shortfall::fuzz {
namespace {

using Next = io::TransitionStream::Next;

constexpr std::string_view stream_csv =
    "x1,x2,y1,y2,cost\n1,0,0,1,3\n0,1,1,0,-2.5\n\nbad\n1,1,0,0,1\n0.5,0.5,1,0,2\n";
constexpr std::string_view stream_with_seq =
    "x1,y1,cost,seq\n1,0.5,3,0\n0.5,1,2,1\nbad\n1,1,1,5\n0.5,1,2,6\n";

/// The content of a checkpoint of one command, as far as `take` reads it.
template <class Take>
void read_content(const std::string& path, std::string_view kind, const Take& take) {
  const io::Checkpoint checkpoint = io::load_checkpoint(path).value();
  io::StateReader state(path, checkpoint.bytes, checkpoint.version);
  std::string found;
  state(found);
  if (found != kind) io::reject({.file = path}, "another kind", kind);
  take(state);
  state.finish();
}

/// Reads a stream from a forged position to its end.
void resume(const std::string& path, io::StreamPosition position) {
  const io::FileDescriptor file = io::open_input(path);
  if (position.source == io::StreamPosition::Source::file) {
    is_accepted("", [&] {  // as someone would who forges it
      position.fingerprint = io::fingerprint_before(position.bytes, file.get(), path);
    });
  }
  is_accepted(path, [&] {
    io::TransitionStream stream(path, io::BadRow::skip, position);
    for (Next next = stream.next(); next != Next::end; next = stream.next()) {
      if (next == Next::starved) stream.fill();
      if (next != Next::row) continue;
      expect(stream.transition().phi.size() == stream.dimension() &&
                 stream.transition().phi_next.size() == stream.dimension(),
             "a row has d features");
    }
    (void)stream.position();
  });
}

/// A learner that is accepted can learn.
void learn_on(learn::SavedStream& saved) {
  const std::size_t d = saved.learner.dimension();
  std::vector<double> phi(d, 0.0);
  std::vector<double> phi_next(d, 1.0 / static_cast<double>(d));
  for (std::size_t i = 0; i < 20; ++i) {
    std::ranges::fill(phi, 0.0);
    phi[i % d] = 1.0;
    if (saved.learner.status() == learn::LearnerStatus::diverged) return;
    (void)(i % 7 == 6 ? saved.learner.update_terminal(phi, 1.0)
                      : saved.learner.update(phi, -0.5, phi_next));
    (void)saved.drift.alarm.add(saved.learner.last_loss());
  }
  (void)saved.learner.value(phi);
}

/// Whether its content was read.
bool read_as_learn_checkpoint(const std::string& bytes) {
  const MemoryFile file(bytes);
  const std::string path = file.path();
  learn::StreamCheckpoint checkpoint;
  std::string learner;
  const auto read = [&](io::StateReader& state) {
    checkpoint.archive(state);
    state(learner);
  };
  constexpr auto kind = learn::stream_checkpoint_kind;
  if (!is_accepted(path, [&] { read_content(path, kind, read); })) return false;
  io::StateWriter again;
  again(std::string(kind));
  checkpoint.archive(again);
  again(learner);
  const io::Checkpoint before = io::load_checkpoint(path).value();
  expect(before.version < io::checkpoint_version || again.bytes() == before.bytes,
         "a checkpoint that is written has the same bytes");
  for (const std::string_view text : {stream_csv, stream_with_seq}) {
    resume(MemoryFile(text).path(), checkpoint.position);
    resume(FullPipe(text).path(), checkpoint.position);
  }
  std::optional<learn::SavedStream> saved;
  const auto make = [&](io::StateReader& state) { saved.emplace(learn::read_saved_stream(state)); };
  if (!is_accepted("", [&] { read_content(path, kind, make); })) return true;
  io::StateWriter written;
  saved->drift.archive(written);
  saved->learner.archive(written);
  expect(before.version < io::checkpoint_version || written.bytes() == learner,
         "a learner that is written has the same bytes");
  learn_on(*saved);
  return true;
}

bool read_as_train_checkpoint(const std::string& bytes) {
  const MemoryFile file(bytes);
  const std::string path = file.path();
  std::string identity;
  io::RecordedOptions recorded;
  app::TrainingRun::Optimum optimum;
  inventory::TrainingState training;
  const auto read = [&](io::StateReader& state) {
    state(identity);
    archive(state, recorded);
    optimum.archive(state);
    training.archive(state);
  };
  if (!is_accepted(path, [&] { read_content(path, app::training_checkpoint_kind, read); })) {
    return false;
  }
  const inventory::TrainingOptions options{
      .samples = 200, .trajectories = 2, .warmup = 20, .max_iterations = 1000};
  const auto& [model, criterion] = small_inventory();
  is_accepted("", [&, &model = model, &criterion = criterion] {
    inventory::Training resumed(model, criterion, options, std::move(training), {.threads = 1});
    expect(resumed.iterate(), "a training that is resumed goes on");
    model.check_orders(resumed.state().orders);
  });
  return true;
}

/// As it is, which only its own checksum makes acceptable, and as someone would who forges it.
void read_both(bool (*read)(const std::string& bytes), const std::string& file) {
  const std::string forged = resealed(file);
  expect(!read(file) || file == forged, "a file that was changed is refused");
  read(forged);
}

}  // namespace

/// With runs of zeros as with_zeros() reads them.
void read_learn_checkpoint(std::string_view bytes) {
  read_both(read_as_learn_checkpoint, with_zeros(bytes));
}

void read_train_checkpoint(std::string_view bytes) {
  read_both(read_as_train_checkpoint, std::string(bytes));
}

}  // namespace shortfall::fuzz
