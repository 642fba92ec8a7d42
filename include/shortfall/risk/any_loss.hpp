#pragma once

#include <array>
#include <concepts>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "shortfall/risk/entropic.hpp"
#include "shortfall/risk/law.hpp"
#include "shortfall/risk/loss.hpp"
#include "shortfall/risk/piecewise_linear.hpp"
#include "shortfall/risk/shortfall_risk.hpp"

namespace shortfall {

/// A user-defined loss behind one virtual call per law (never one per atom). It runs the
/// plain templates of shortfall_risk.hpp, and so also serves as the reference for the
/// vectorised built-in losses.
class CustomLoss {
 public:
  template <class L>
  requires(!std::same_as<L, CustomLoss> && Loss<L>) explicit CustomLoss(L loss)
      : self_(std::make_shared<const Model<L>>(std::move(loss))) {}

  LossPoint at(double x) const { return self_->at(x); }
  double score(double x) const { return self_->score(x); }
  SlopeBounds slope_bounds() const { return self_->slope_bounds(); }
  HalfLineCurvature curvature() const { return self_->curvature(); }
  LossPoint expected(const Law& law, double m) const { return self_->expected(law, m); }

  /// The loss itself if it is of this type, else null.
  template <Loss L>
  const L* target() const {
    const auto* model = dynamic_cast<const Model<L>*>(self_.get());
    return model != nullptr ? &model->loss : nullptr;
  }

 private:
  struct Interface {
    virtual ~Interface() = default;
    virtual LossPoint at(double x) const = 0;
    virtual double score(double x) const = 0;
    virtual SlopeBounds slope_bounds() const = 0;
    virtual HalfLineCurvature curvature() const = 0;
    virtual LossPoint expected(const Law& law, double m) const = 0;
  };

  template <Loss L>
  struct Model final : Interface {
    explicit Model(L l) : loss(std::move(l)) {}
    LossPoint at(double x) const override { return loss.at(x); }
    double score(double x) const override { return loss.score(x); }
    SlopeBounds slope_bounds() const override { return loss.slope_bounds(); }
    HalfLineCurvature curvature() const override { return loss.curvature(); }
    LossPoint expected(const Law& law, double m) const override {
      return expected_loss(loss, law, m);
    }
    L loss;
  };

  std::shared_ptr<const Interface> self_;
};

template <class L, class Variant>
inline constexpr bool is_alternative = false;
template <class L, class... Losses>
inline constexpr bool is_alternative<L, std::variant<Losses...>> = (std::same_as<L, Losses> || ...);

/// A loss chosen at run time. Solvers take this type and visit it once, outside their loops.
class AnyLoss {
 public:
  using Variant = std::variant<Mean, Expectile, Entropic, TruncatedEntropic, SoftQuantile,
                               Piecewise, CustomLoss>;

  /// Converts any type that satisfies the concept Loss; one that is not built in becomes a
  /// CustomLoss.
  template <class L>
  requires(is_alternative<L, Variant>) AnyLoss(L loss)  // NOLINT(google-explicit-constructor)
      : loss_(std::move(loss)) {}
  template <class L>
  requires(!is_alternative<L, Variant> && !std::same_as<L, AnyLoss> && Loss<L>)
      AnyLoss(L loss)  // NOLINT(google-explicit-constructor)
      : loss_(CustomLoss(std::move(loss))) {}

  /// What `parse` reads, in the order of the variant.
  static constexpr std::array<std::string_view, 6> spellings = {"mean",
                                                                "expectile:TAU",
                                                                "entropic:BETA",
                                                                "truncated-entropic:BETA,BOUND",
                                                                "soft-quantile:MU,KAPPA",
                                                                "piecewise:X1:Y1,X2:Y2,..."};
  static AnyLoss parse(std::string_view spec);

  /// The form that `parse` reads; `custom` for a user-defined loss.
  std::string to_string() const;

  LossPoint at(double x) const {
    return std::visit([x](const auto& loss) { return loss.at(x); }, loss_);
  }
  double score(double x) const {
    return std::visit([x](const auto& loss) { return loss.score(x); }, loss_);
  }
  SlopeBounds slope_bounds() const {
    return std::visit([](const auto& loss) { return loss.slope_bounds(); }, loss_);
  }
  HalfLineCurvature curvature() const {
    return std::visit([](const auto& loss) { return loss.curvature(); }, loss_);
  }

  const Variant& variant() const { return loss_; }

 private:
  Variant loss_;
};

/// E ℓ(X - m) and its slope, vectorised for the built-in losses.
LossPoint expected_loss(const AnyLoss& loss, const Law& law, double m);

/// The shortfall risk, vectorised for the built-in losses: closed form for mean and entropic,
/// safeguarded Newton for the rest.
double shortfall_risk(const AnyLoss& loss, const Law& law, double start = no_start);

/// Whether m is acceptable: E ℓ(X - m) ≤ 0, that is, shortfall_risk ≤ m. One pass, no root finding.
bool is_acceptable(const AnyLoss& loss, const Law& law, double m);

}  // namespace shortfall
