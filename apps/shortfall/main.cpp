#include "apps/shortfall/program.hpp"

int main(int argc, char** argv) {
  return shortfall::app::run_command_line(argc, argv);
}
