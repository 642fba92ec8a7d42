#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "parallel/communicator.hpp"

namespace shortfall::mpi {

/// A halo by neighbourhood collectives: a graph communicator knows who reads whose values, and one
/// nonblocking call moves them all. MPI_Ineighbor_alltoallw has places of 64 bits, unlike
/// MPI_Ineighbor_alltoallv, so that they can be addresses; counts that do not fit into an int take
/// several calls.
class MpiHaloExchange final : public detail::HaloExchange {
 public:
  /// This rank reads read[r] values of rank r, and rank r reads this rank's values asked[r].
  MpiHaloExchange(MPI_Comm comm, std::span<const std::size_t> read,
                  std::span<const std::vector<std::uint32_t>> asked, std::size_t most_per_call);
  ~MpiHaloExchange() override;
  MpiHaloExchange(const MpiHaloExchange&) = delete;
  MpiHaloExchange& operator=(const MpiHaloExchange&) = delete;

  void start(std::span<const double> own, std::span<double> before,
             std::span<double> after) override;
  void finish() override;

 private:
  /// One side of the graph. The values of neighbours lie one after the other in two buffers: those
  /// of lower ranks, and those of higher ones.
  struct Side {
    std::vector<int> ranks;
    std::vector<std::size_t> values;  // by neighbour
    std::size_t lower = 0;            // neighbours
    // By call and neighbour:
    std::vector<int> counts;
    std::vector<std::size_t> begin;  // in its buffer
    std::vector<MPI_Aint> addresses;
    std::vector<MPI_Datatype> types;

    void add(std::size_t rank, std::size_t values_of_rank, std::size_t own_rank);
    void plan_calls(std::size_t calls, std::size_t most_per_call);
    void set_buffers(const double* of_lower, const double* of_higher);
    std::size_t neighbours() const { return ranks.size(); }
  };

  MPI_Comm graph_ = MPI_COMM_NULL;
  Side from_;
  Side to_;
  std::vector<std::uint32_t> asked_;  // by neighbour, one after the other
  std::unique_ptr<double[]> sent_;
  std::vector<MPI_Request> requests_;  // one per call
  bool under_way_ = false;
};

}  // namespace shortfall::mpi
