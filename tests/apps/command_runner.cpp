#include "tests/apps/command_runner.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <stdexcept>
#include <thread>

#include "installation.hpp"
#include "tests/apps/process.hpp"

namespace shortfall::testing {

namespace fs = std::filesystem;

std::string command_path() {
  return SHORTFALL_BINARY;
}

Workplace::Workplace() {
  std::string pattern = (fs::temp_directory_path() / "shortfall-test-XXXXXX").string();
  if (!mkdtemp(pattern.data())) throw std::runtime_error("no temporary directory");
  directory_ = pattern;
}

Workplace::~Workplace() {
  fs::remove_all(directory_);
}

Outcome Workplace::run(const std::string& arguments, std::string_view input) const {
  const Workplace streams;
  Outcome outcome = execute(arguments, input, streams.path("out"));
  outcome.out = streams.read("out");
  return outcome;
}

Outcome Workplace::run_into(const std::string& output, const std::string& arguments) const {
  return execute(arguments, {}, output);
}

Outcome Workplace::execute(const std::string& arguments, std::string_view input,
                           const std::string& output) const {
  const Workplace streams;
  streams.write("in", input);
  const int status =
      std::system(fmt::format("cd '{}' && '{}' {} <'{}' >'{}' 2>'{}'", directory_, command_path(),
                              arguments, streams.path("in"), output, streams.path("err"))
                      .c_str());
  // Whether a command takes long enough to report progress depends on the machine.
  const std::string err = std::regex_replace(streams.read("err"), std::regex("progress: .*\n"), "");
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, {}, err};
}

int Workplace::run_script(const std::string& script) const {
  const int status = std::system(
      fmt::format("cd '{}' && shortfall='{}' && {}", directory_, command_path(), script).c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string Workplace::write(const std::string& name, std::string_view content) const {
  std::ofstream(path(name), std::ios::binary) << content;
  return path(name);
}

std::string Workplace::read(const std::string& name) const {
  std::ifstream file(path(name), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::size_t Workplace::file_count() const {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(directory_), fs::directory_iterator()));
}

Process::Process(const std::vector<std::string>& arguments, Input input, const std::string& out,
                 const std::string& err) {
  int ends[2] = {-1, -1};
  if (input == Input::pipe && pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  std::string command = command_path();
  std::vector<char*> argv{command.data()};
  for (const auto& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  process_ = fork();
  if (process_ < 0) throw std::runtime_error("no process");
  if (process_ == 0) {
    dup2(input == Input::pipe ? ends[0] : open("/dev/null", O_RDONLY), STDIN_FILENO);
    dup2(open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
    dup2(open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // does not outlive a test that was killed
    std::signal(SIGINT, SIG_DFL);      // shells ignore it in what they run in the background
    execv(command.c_str(), argv.data());
    _exit(127);
  }
  if (input == Input::pipe) {
    close(ends[0]);
    input_ = ends[1];
  }
}

Process::~Process() {
  end_input();
  if (process_ < 0) return;
  signal(SIGKILL);
  wait();
}

void Process::feed(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t count = write(input_, bytes.data(), bytes.size());
    if (count < 0) throw std::runtime_error("the command does not read");
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void Process::end_input() {
  if (input_ >= 0) close(input_);
  input_ = -1;
}

Process::State Process::state() const {
  State state;
  std::ifstream status("/proc/" + std::to_string(process_) + "/status");
  for (std::string line; std::getline(status, line);) {
    state.sleeps |= line.starts_with("State:\tS");
    state.has_ended |= line.starts_with("State:\tZ");
    if (!line.starts_with("SigCgt:\t")) continue;
    state.catches_signals = (std::stoull(line.substr(8), nullptr, 16) >> (SIGTERM - 1) & 1) != 0;
  }
  return state;
}

void Process::wait_until_idle() const {
  for (;; std::this_thread::sleep_for(std::chrono::milliseconds(5))) {
    int unread = 0;
    if (state().has_ended) return;
    if (input_ >= 0 && (ioctl(input_, FIONREAD, &unread) != 0 || unread > 0)) continue;
    const State now = state();
    if (now.sleeps && now.catches_signals) return;
  }
}

void Process::wait_until_it_catches_signals() const {
  while (!state().catches_signals && !state().has_ended)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

void Process::signal(int number) const {
  kill(process_, number);
}

int Process::wait() {
  int status = 0;
  rusage usage{};
  wait4(process_, &status, 0, &usage);
  process_ = -1;
  peak_kilobytes_ = usage.ru_maxrss;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

}  // namespace shortfall::testing
