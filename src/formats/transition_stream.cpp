#include "shortfall/formats/transition_stream.hpp"

#include "formats/transition_reader.hpp"

namespace shortfall::io {

TransitionStream::TransitionStream(const std::string& path, BadRow bad_row,
                                   const StreamPosition& resume, FeatureRule rule)
    : TransitionStream(path, RowRules{.bad_row = bad_row, .features = rule}, resume) {}
TransitionStream::TransitionStream(const std::string& path, const RowRules& rules,
                                   const StreamPosition& resume)
    : reader_(std::make_unique<Reader>(path, rules, resume)) {}
TransitionStream::TransitionStream(TransitionStream&&) noexcept = default;
TransitionStream& TransitionStream::operator=(TransitionStream&&) noexcept = default;
TransitionStream::~TransitionStream() = default;

void TransitionStream::begin_with_row(std::uint64_t row) {
  reader_->begin_with_row(row);
}

TransitionStream::Next TransitionStream::next() {
  return reader_->next();
}

bool TransitionStream::advance() {
  Next found = reader_->next();
  for (; found == Next::starved; found = reader_->next()) reader_->fill();
  return found == Next::row;
}

const Transition& TransitionStream::transition() const {
  return reader_->transition();
}

bool TransitionStream::fill() {
  return reader_->fill();
}

int TransitionStream::descriptor() const {
  return reader_->descriptor();
}

bool TransitionStream::is_regular_file() const {
  return reader_->is_regular_file();
}

std::size_t TransitionStream::dimension() const {
  return reader_->dimension();
}

StreamPosition TransitionStream::position() const {
  return reader_->position();
}

std::uint64_t TransitionStream::rows() const {
  return reader_->rows();
}

std::uint64_t TransitionStream::skipped_rows() const {
  return reader_->skipped_rows();
}

std::uint64_t TransitionStream::clipped_rows() const {
  return reader_->clipped_rows();
}

const std::vector<std::string>& TransitionStream::ignored() const {
  return reader_->ignored();
}

std::uint64_t TransitionStream::replayed_rows() const {
  return reader_->replayed_rows();
}

std::size_t TransitionStream::buffer_bytes() const {
  return reader_->buffer_bytes();
}

const std::string& TransitionStream::name() const {
  return reader_->name();
}

}  // namespace shortfall::io
