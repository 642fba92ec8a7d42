#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "shortfall/inventory/fit/records.hpp"
#include "shortfall/inventory/fit/warning.hpp"
#include "shortfall/names/names.hpp"

/// From records to a model: the law of demand and the age of units on arrival, by maximum
/// likelihood, with what speaks against them.
///
/// Demand. D_t is known, or D_t ≥ d_t where the stock ran out, and the likelihood of such a day is
/// P(D ≥ d_t). Candidates are the Poisson law, the negative binomial law with one n or one per
/// weekday, and the empirical law (where days are censored, the product-limit estimate of Kaplan
/// and Meier), each with one mean for all days or one per weekday. The one with the smallest
///
///   BIC = -2 log likelihood + parameters · log(days)
///
/// is chosen. The parameters of the empirical law by weekday are those of one common set of values
/// for each weekday: counting a value only where it was seen would make weekdays free of charge
/// where each value is rare. The negative binomial law is left out where it has no finite mean,
/// as where most days ran out of stock. This criterion asks for more evidence than Akaike's, which
/// takes a week of seven equal days for different in one of sixteen cases: a plan by weekday has
/// seven times as many states, and must explain itself to those who order.
namespace shortfall::inventory {

struct Interval {
  double low;
  double high;
};

enum class DemandLaw { poisson, negative_binomial, empirical };
inline constexpr Names<DemandLaw, 3> demand_law_names = {
    {{"poisson", DemandLaw::poisson},
     {"negative-binomial", DemandLaw::negative_binomial},
     {"empirical", DemandLaw::empirical}}};

enum class ByWeekday { automatic, yes, no };
inline constexpr Names<ByWeekday, 3> by_weekday_names = {
    {{"auto", ByWeekday::automatic}, {"yes", ByWeekday::yes}, {"no", ByWeekday::no}}};

/// What a stock-out of the records says. A day is marked because the stock ran out: its demand was
/// at least what the row says, D ≥ d. Or it is marked only if a request was not met: D > d, and on
/// the other days D = d even where they ended without stock. Taking the second for the first
/// underestimates demand: for Poisson demand and a stock of twice its mean or less, by up to a
/// quarter of a mean of 1.
///
/// Automatic: where deliveries let the stock be followed, days that end without stock and are not
/// marked show that only unmet requests are. They must be three, and a tenth of the marked days. If
/// there are none among twenty marked days or more whose stock was known, the first is what is
/// meant, and otherwise it is assumed.
enum class StockoutMeaning { automatic, at_least, more_than };
inline constexpr Names<StockoutMeaning, 3> stockout_meaning_names = {
    {{"auto", StockoutMeaning::automatic},
     {"at-least", StockoutMeaning::at_least},
     {"more-than", StockoutMeaning::more_than}}};

enum class StockoutSource { none, option, records, assumed };
inline constexpr Names<StockoutSource, 4> stockout_source_names = {
    {{"none", StockoutSource::none},  // no stock-out
     {"option", StockoutSource::option},
     {"records", StockoutSource::records},
     {"assumed", StockoutSource::assumed}}};

struct FitOptions {
  std::size_t shelf_life = 1;                   ///< m, in days
  std::optional<DemandLaw> distribution = {};   ///< none: by BIC
  ByWeekday by_weekday = ByWeekday::automatic;  ///< of demand; automatic: by BIC
  StockoutMeaning stockout = StockoutMeaning::automatic;
};

/// The law of demand of all days, or of one weekday. Intervals are at 95 %, by profile likelihood;
/// those of an empirical mean are mean ± t · standard error (Greenwood's, where days are censored).
/// None has width 0: without any demand it is [0, 3.0 / days], because a larger mean would show
/// with probability 0.95, and where all days have the same demand, a share of 3.0 / days may
/// differ.
struct DemandOfDay {
  double mean = 0.0;
  Interval mean_interval = {};
  double n = 0.0;  ///< infinite for Poisson; of no meaning for the empirical law
  Interval n_interval = {};
  std::vector<double> probabilities = {};  ///< empirical only: of 0, 1, ..
  std::size_t days = 0;
  std::size_t stockouts = 0;
  bool closed = false;  ///< no row on this weekday: no demand
};

/// One law with its means, compared with others.
struct DemandCandidate {
  DemandLaw law;
  bool by_weekday;
  bool n_by_weekday;
  double log_likelihood;
  std::size_t parameters;
  double bic;
};

/// Whether the days look like draws from the law. Let h_k(t) = P(D_t = k | D_t ≥ k), and let a day
/// be at risk at k if its record does not rule out demand k given what lies below. The differences
/// between days with demand k and Σ h_k over days at risk are uncorrelated over k, with variance
/// Σ h_k (1 - h_k), whatever the censoring. Summed over bins of k they are a vector Z; with
/// estimated parameters its covariance is S = V - C I⁻¹ C', C the derivatives of expected sums and
/// I the information, and Z' S⁻¹ Z is χ² with rank S degrees of freedom (Nikulin; Rao and Robson,
/// Comm. Statist. 3, 1974; for censored data Akritas, J. Amer. Statist. Assoc. 83, 1988).
struct GoodnessOfFit {
  double statistic = 0.0;
  std::size_t degrees = 0;
  double p = 1.0;
};

/// Mean demand times exp(slope · t), by likelihood ratio: χ² with one degree of freedom.
struct Trend {
  double change_per_year = 0.0;  ///< 0.1: demand grows by 10 % per year
  double p = 1.0;
  double ratio = 0.0;  ///< twice the logarithm of the likelihood ratio
};

/// Another level from a date on. The test is the largest likelihood ratio over dates in the middle
/// 90 % of the days, because at the ends chance alone makes it large. Its date
/// is then the most likely one of all that have ten days with known demand on either side. The law
/// of the largest ratio is that of the largest squared standardised Brownian bridge; p is the
/// approximation P(sup > c) ≈ (c/2)^½ e^(-c/2) / Γ(½) · ((1 - 1/c) log λ + 2/c), λ = (0.95/0.05)²
/// (Andrews, Econometrica 61, 1993; Estrella, Econom. Theory 19, 2003). Check: for the
/// middle 70 %, λ = (0.85/0.15)², Andrews' 5 % point, 8.85, gives 0.047.
struct LevelShift {
  std::chrono::sys_days date = {};  ///< the first day of the new level
  bool or_later = false;            ///< no later date was compared
  double change = 0.0;              ///< -0.2: demand fell by 20 %
  double p = 1.0;
  double ratio = 0.0;  ///< twice the logarithm of the likelihood ratio at that date
};

struct DemandFit {
  DemandLaw law = DemandLaw::poisson;
  bool by_weekday = false;        ///< the means differ; not only because days are closed
  std::vector<DemandOfDay> days;  ///< one, or seven for Monday to Sunday
  double log_likelihood = 0.0;
  std::vector<DemandCandidate> candidates;  ///< by increasing BIC, of those that were compared
  std::optional<GoodnessOfFit> goodness;    ///< none for the empirical law, and for few days
  std::optional<Trend> trend;               ///< none for less than 60 days
  std::optional<LevelShift> shift;          ///< also none if no date is likelier than none
  double autocorrelation = 0.0;             ///< of successive days
  std::size_t largest_recorded = 0;         ///< demand on any day
};

enum class ArrivalLaw { unknown, fresh, shares, logit };
inline constexpr Names<ArrivalLaw, 4> arrival_law_names = {{{"unknown", ArrivalLaw::unknown},
                                                            {"fresh", ArrivalLaw::fresh},
                                                            {"shares", ArrivalLaw::shares},
                                                            {"logit", ArrivalLaw::logit}}};

/// A share of units with its 95 % interval (Wilson's).
struct Share {
  double value = 0.0;
  Interval interval = {};
};

/// A coefficient with its 95 % interval.
struct Coefficient {
  double value = 0.0;
  Interval interval = {};
};

/// The age of units on arrival. Shares by weekday are chosen if their BIC is smaller; the logit
/// p_i(z) ∝ exp(c0_i + c1_i z) if the likelihood ratio against shares is significant at 1 %, and
/// its BIC is the smallest.
///
/// Units that arrive together are often of one age. The dispersion φ is how many times as large
/// that makes the variance of a share. With n_j units in delivery j, N in all, and χ²_j its
/// Pearson statistic under the richer law, it is Σ n_j χ²_j / ((m - 1) (N - Σ n_j² / N)), by
/// weekday if that law is: a large delivery moves a share by as many units as it has. Check:
/// deliveries of one age each give Σ n_j² / N. All likelihood ratios are divided by φ, if that is
/// above one. That of the logit is compared with the law of F, because φ is estimated; that of
/// shares by weekday with a gamma law that has the mean and variance of 200 permutations of the
/// deliveries' weekdays. Intervals are as for N / φ units.
struct ArrivalFit {
  ArrivalLaw law = ArrivalLaw::unknown;
  std::vector<std::vector<Share>> shares;  ///< one list or seven, by periods left 1..m
  std::vector<Coefficient> c0;             ///< logit only: for 2..m periods left
  std::vector<Coefficient> c1;
  std::size_t deliveries = 0;
  std::size_t units = 0;
  double dispersion = 1.0;
  double log_likelihood = 0.0;
  double weekday_p = 1.0;  ///< of the likelihood ratio for shares by weekday
  double order_p = 1.0;    ///< of the likelihood ratio for the logit
};

struct Fit {
  std::size_t shelf_life = 1;
  std::size_t days = 0;  ///< rows that are fitted
  std::chrono::sys_days first = {};
  std::chrono::sys_days last = {};
  std::size_t holidays = 0;  ///< days without a row, on weekdays that have some
  /// Weekdays without a row, or with so few beside the others that these are exceptions: at most a
  /// quarter of them, which chance would hardly explain. Their rows are left out.
  std::array<bool, 7> closed = {};
  std::array<bool, 7> without_orders = {};  ///< also those on which nothing is ever ordered
  StockoutMeaning stockout = StockoutMeaning::at_least;
  StockoutSource stockout_source = StockoutSource::none;
  DemandFit demand;
  ArrivalFit arrival;
  std::vector<Warning> warnings;  ///< what speaks against it
};

/// Throws InvalidInput: records that check_records() refuses, no day with known demand, received
/// ages that are not as many as the shelf life, or a choice that the records do not allow.
Fit fit_records(const Records& records, const FitOptions& options);

}  // namespace shortfall::inventory
