#include <array>

#include "shortfall/learn/detail/vector_kernels.hpp"

namespace shortfall::learn {
namespace {

double dot(const double* a, const double* b, std::size_t d) {
  std::array<double, kernel_lanes> lane{};
  for (std::size_t i = 0; i < d; ++i) lane[i % kernel_lanes] += a[i] * b[i];
  return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

ValuePair values(const double* theta, const double* phi, const double* phi_next, std::size_t d) {
  return {dot(theta, phi, d), dot(theta, phi_next, d)};
}

ValuesAndSquare values_and_square(const double* theta, const double* phi, const double* phi_next,
                                  std::size_t d) {
  const double next = phi_next != nullptr ? dot(theta, phi_next, d) : 0.0;
  return {dot(theta, phi, d), next, dot(phi, phi, d)};
}

void add_scaled(double* theta, double s, const double* phi, std::size_t d) {
  for (std::size_t i = 0; i < d; ++i) theta[i] += s * phi[i];
}

void add_scaled_to_both(double* theta, double s, double* a, double t, const double* phi,
                        std::size_t d) {
  add_scaled(theta, s, phi, d);
  add_scaled(a, t, phi, d);
}

double trace(double* zeta, double kappa, const double* phi, std::size_t d) {
  for (std::size_t i = 0; i < d; ++i) zeta[i] = kappa * zeta[i] + phi[i];
  return dot(zeta, zeta, d);
}

void trace_step(double* zeta, double kappa, const double* phi, double* theta, double s,
                std::size_t d) {
  for (std::size_t i = 0; i < d; ++i) {
    zeta[i] = kappa * zeta[i] + phi[i];
    theta[i] += s * zeta[i];
  }
}

void average_step(double* mean, const double* theta, double w, std::size_t d) {
  for (std::size_t i = 0; i < d; ++i) mean[i] += (theta[i] - mean[i]) * w;
}

void newton_sample(const NewtonSample& sample, std::size_t d) {
  for (std::size_t i = 0; i < d; ++i) {
    const double next = sample.phi_next != nullptr ? sample.phi_next[i] : 0.0;
    sample.x[i] = sample.phi[i];
    sample.z[i] = sample.gamma * next - sample.phi[i];
    sample.weighted_z[i] = sample.left_slope * sample.z[i];
    sample.target_sum[i] += sample.target * sample.phi[i];
    sample.sum[i] += sample.scale * (sample.summed != nullptr ? sample.summed[i] : sample.phi[i]);
    sample.x_squares[i] += sample.x[i] * sample.x[i];
    sample.z_squares[i] += sample.weighted_z[i] * sample.weighted_z[i];
  }
}

void newton_pass(const NewtonPass& pass, std::size_t d) {
  for (std::size_t j = 0; j < d; ++j) pass.mtz[j] = 0.0;
  for (std::size_t i = 0; i < d; ++i) {
    double* const row = pass.matrix + i * padded(d);
    for (std::size_t j = 0; j < d; ++j) {
      row[j] += pass.column[i] * pass.row[j];
      pass.mtz[j] += pass.z[i] * row[j];
    }
    pass.mx[i] = dot(row, pass.x, d);
  }
}

void newton_step(const NewtonStep& step, std::size_t d) {
  for (std::size_t i = 0; i < padded(d); ++i) {
    step.column[i] = step.column_scale * step.mx[i];
    step.root[i] += step.root_scale * step.mx[i];
    step.theta[i] = step.theta_scale * step.theta_sum[i] - step.root[i];
  }
}

void add_products(double* matrix, const double* x, const double* z, std::size_t count,
                  std::size_t d) {
  for (std::size_t n = 0; n < count; ++n) {
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t j = 0; j < d; ++j) {
        matrix[i * padded(d) + j] += x[n * padded(d) + i] * z[n * padded(d) + j];
      }
    }
  }
}

}  // namespace

const VectorKernels& plain_kernels() {
  static constexpr VectorKernels table{
      values,     dot,          values_and_square, add_scaled,  add_scaled_to_both, trace,
      trace_step, average_step, newton_sample,     newton_pass, newton_step,        add_products};
  return table;
}

}  // namespace shortfall::learn
