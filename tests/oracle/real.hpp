#pragma once

#include <gmpxx.h>
#include <mpfr.h>

#include <utility>

namespace oracle {

/// An owning MPFR number. It has the precision that is current at construction; see PrecisionScope.
/// Arithmetic is done by the functions of MPFR, which name their rounding.
class Real {
 public:
  Real() {
    mpfr_init(value_);
    mpfr_set_zero(value_, 1);
  }
  explicit Real(double x) {
    mpfr_init(value_);
    mpfr_set_d(value_, x, MPFR_RNDN);
  }
  Real(const mpq_class& x, mpfr_rnd_t rounding) {
    mpfr_init(value_);
    mpfr_set_q(value_, x.get_mpq_t(), rounding);
  }
  Real(const Real& other) {
    mpfr_init(value_);
    mpfr_set(value_, other.value_, MPFR_RNDN);
  }
  Real(Real&& other) noexcept : value_{*other.value_} { other.value_->_mpfr_d = nullptr; }
  Real& operator=(const Real& other) {
    if (this != &other) mpfr_set(value_, other.value_, MPFR_RNDN);
    return *this;
  }
  Real& operator=(Real&& other) noexcept {
    std::swap(value_[0], other.value_[0]);
    return *this;
  }
  ~Real() {
    if (value_->_mpfr_d != nullptr) mpfr_clear(value_);
  }

  mpfr_ptr get() { return value_; }
  mpfr_srcptr get() const { return value_; }

  /// The value itself, as a rational number; it must be finite.
  mpq_class exact() const {
    mpq_class q;
    mpfr_get_q(q.get_mpq_t(), value_);
    return q;
  }

 private:
  mpfr_t value_;
};

/// Sets the precision of the numbers created in a scope.
class PrecisionScope {
 public:
  explicit PrecisionScope(mpfr_prec_t bits) : before_(mpfr_get_default_prec()) {
    mpfr_set_default_prec(bits);
  }
  ~PrecisionScope() { mpfr_set_default_prec(before_); }
  PrecisionScope(const PrecisionScope&) = delete;
  PrecisionScope& operator=(const PrecisionScope&) = delete;

 private:
  mpfr_prec_t before_;
};

}  // namespace oracle
