#include "mpi/mpi_halo_exchange.hpp"

#include <algorithm>
#include <numeric>

#include "mpi/mpi_communicator.hpp"
#include "mpi/session.hpp"

namespace shortfall::mpi {

void MpiHaloExchange::Side::add(std::size_t rank, std::size_t values_of_rank,
                                std::size_t own_rank) {
  ranks.push_back(static_cast<int>(rank));
  values.push_back(values_of_rank);
  if (rank < own_rank) ++lower;
}

void MpiHaloExchange::Side::plan_calls(std::size_t calls, std::size_t most_per_call) {
  types.assign(neighbours(), MPI_DOUBLE);
  for (std::size_t call = 0; call < calls; ++call) {
    std::size_t at = 0;
    for (std::size_t n = 0; n < neighbours(); ++n) {
      if (n == lower) at = 0;
      const std::size_t first = std::min(values[n], call * most_per_call);
      counts.push_back(static_cast<int>(std::min(most_per_call, values[n] - first)));
      begin.push_back(at + first);
      at += values[n];
    }
  }
  addresses.resize(begin.size());
}

void MpiHaloExchange::Side::set_buffers(const double* of_lower, const double* of_higher) {
  for (std::size_t i = 0; i < begin.size(); ++i) {
    const double* const buffer = i % neighbours() < lower ? of_lower : of_higher;
    check(MPI_Get_address(buffer + begin[i], &addresses[i]), "MPI_Get_address");
  }
}

MpiHaloExchange::MpiHaloExchange(MPI_Comm comm, std::span<const std::size_t> read,
                                 std::span<const std::vector<std::uint32_t>> asked,
                                 std::size_t most_per_call) {
  int rank = 0;
  check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
  const auto own_rank = static_cast<std::size_t>(rank);
  std::uint64_t most = 0;
  for (std::size_t r = 0; r < read.size(); ++r) {
    if (read[r] > 0) from_.add(r, read[r], own_rank);
    if (!asked[r].empty()) to_.add(r, asked[r].size(), own_rank);
    asked_.insert(asked_.end(), asked[r].begin(), asked[r].end());
    most = std::max<std::uint64_t>(most, read[r]);
  }
  sent_ = std::make_unique<double[]>(asked_.size());
  const auto sent_to_lower =
      std::accumulate(to_.values.begin(),
                      to_.values.begin() + static_cast<std::ptrdiff_t>(to_.lower), std::size_t{0});
  check(
      MPI_Dist_graph_create_adjacent(comm, static_cast<int>(from_.neighbours()), from_.ranks.data(),
                                     MPI_UNWEIGHTED, static_cast<int>(to_.neighbours()),
                                     to_.ranks.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph_),
      "MPI_Dist_graph_create_adjacent");
  check(MPI_Comm_set_errhandler(graph_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  // All ranks make the same number of calls.
  check(MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_UINT64_T, MPI_MAX, comm), "MPI_Allreduce");
  const std::size_t calls = (most + most_per_call - 1) / most_per_call;
  from_.plan_calls(calls, most_per_call);
  to_.plan_calls(calls, most_per_call);
  to_.set_buffers(sent_.get(), sent_.get() + sent_to_lower);
  requests_.assign(calls, MPI_REQUEST_NULL);
}

MpiHaloExchange::~MpiHaloExchange() {
  // An exception came in between. Others may have one, too, and never finish the exchange; then
  // MPI may still use its buffers, and the program is about to be aborted.
  if (under_way_ && !are_done_within(grace_period, requests_)) {
    (void)sent_.release();
    return;
  }
  MPI_Comm_free(&graph_);
}

void MpiHaloExchange::start(std::span<const double> own, std::span<double> before,
                            std::span<double> after) {
  std::ranges::transform(asked_, sent_.get(), [&](std::uint32_t index) { return own[index]; });
  from_.set_buffers(before.data(), after.data());
  under_way_ = true;
  for (std::size_t call = 0; call < requests_.size(); ++call) {
    const std::size_t to = call * to_.neighbours();
    const std::size_t from = call * from_.neighbours();
    check(MPI_Ineighbor_alltoallw(MPI_BOTTOM, to_.counts.data() + to, to_.addresses.data() + to,
                                  to_.types.data(), MPI_BOTTOM, from_.counts.data() + from,
                                  from_.addresses.data() + from, from_.types.data(), graph_,
                                  &requests_[call]),
          "MPI_Ineighbor_alltoallw");
  }
}

void MpiHaloExchange::finish() {
  check(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE),
        "MPI_Waitall");
  under_way_ = false;
}

}  // namespace shortfall::mpi
