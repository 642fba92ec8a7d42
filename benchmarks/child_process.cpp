#include "benchmarks/child_process.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <sstream>
#include <stdexcept>

namespace shortfall::benchmarks {

ChildProcess::ChildProcess(const std::vector<std::string>& command) : name_(command.at(0)) {
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& argument : command) {
    arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments.push_back(nullptr);
  std::signal(SIGPIPE, SIG_IGN);  // send() reports a child that has exited
  int to_child[2];
  int from_child[2];
  if (pipe(to_child) != 0 || pipe(from_child) != 0)
    throw std::runtime_error("cannot create a pipe");
  id_ = fork();
  if (id_ < 0) throw std::runtime_error(fmt::format("{}: cannot fork", name_));
  if (id_ == 0) {
    std::signal(SIGPIPE, SIG_DFL);
    dup2(to_child[0], STDIN_FILENO);
    dup2(from_child[1], STDOUT_FILENO);
    for (const int end : {to_child[0], to_child[1], from_child[0], from_child[1]}) close(end);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  close(to_child[0]);
  close(from_child[1]);
  input_ = fdopen(to_child[1], "wb");
  output_ = fdopen(from_child[0], "rb");
}

ChildProcess::~ChildProcess() {
  if (id_ > 0) (void)finish();
}

void ChildProcess::send(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), input_) != bytes.size() ||
      std::fflush(input_) != 0) {
    throw std::runtime_error(fmt::format("{}: no longer accepts input", name_));
  }
}

std::string ChildProcess::read_line() {
  std::string line;
  for (int byte; (byte = std::fgetc(output_)) != '\n';) {
    if (byte == EOF) throw std::runtime_error(fmt::format("{}: exited without an answer", name_));
    line.push_back(static_cast<char>(byte));
  }
  return line;
}

ChildProcess::End ChildProcess::finish() {
  std::fclose(input_);
  End end{};
  for (int byte; (byte = std::fgetc(output_)) != EOF;) {
    end.output.push_back(static_cast<char>(byte));
  }
  std::fclose(output_);
  rusage usage{};
  wait4(id_, &end.status, 0, &usage);
  id_ = 0;
  end.peak_bytes = 1024.0 * static_cast<double>(usage.ru_maxrss);
  return end;
}

PythonLearners::PythonLearners() : process_({SHORTFALL_PYTHON, SHORTFALL_NUMPY_LEARNERS}) {}

void PythonLearners::take(const TransitionRing& ring, std::size_t warmup) {
  process_.send(fmt::format("ring {} {} {}\n", ring.dimension, ring.size, warmup));
  process_.send(bytes_of(ring.features));
  process_.send(bytes_of(ring.costs));
}

std::vector<double> PythonLearners::learn(const std::string& algorithm, const std::string& library,
                                          std::size_t updates) {
  process_.send(fmt::format("learn {} {} {}\n", algorithm, library, updates));
  std::istringstream answer(process_.read_line());
  std::vector<double> theta;
  for (double x; answer >> x;) theta.push_back(x);
  return theta;
}

Contestant PythonLearners::contestant(const std::string& algorithm, const std::string& library,
                                      std::size_t updates) {
  return {.name = library, .run = {}, .seconds = [=, this] {
            process_.send(fmt::format("time {} {} 0.05\n", algorithm, library));
            return static_cast<double>(updates) * std::stod(process_.read_line());
          }};
}

}  // namespace shortfall::benchmarks
