#pragma once

#include <string>
#include <string_view>

/// Checks that several commands make. Each throws InvalidInput that names the option and what is
/// accepted.
namespace shortfall::app {

void require_gamma(bool condition, double gamma, const char* accepted,
                   std::string_view option = "--gamma");

/// For a percentage where a number from 0 to 1 is expected: ", did you mean 0.9?".
std::string percent_hint(double value);

/// --tolerance and --max-iterations.
void check_stopping(double tolerance, int max_iterations);

/// Standard output is for the results.
void check_is_file(std::string_view option, const std::string& path);
void check_is_directory(std::string_view option, const std::string& path);

/// An output file must differ from inputs and other outputs.
void check_different(const std::string& name, const std::string& path,
                     const std::string& other_name, const std::string& other);

}  // namespace shortfall::app
