#pragma once

/// JSON keys and examples at the end of the help of the inventory commands.
namespace shortfall::app {

inline constexpr const char* solve_footer =
    "JSON: states, value_at_empty, order_at_empty, error_bound, status, iterations, seconds,\n"
    "      loss, gamma, shelf_life, capacity, days, memory_bytes, non_perishable (by day:\n"
    "      reorder_at, order_up_to, or null); with --sweep a list of these, each with set\n\n"
    "Example: shortfall inventory solve examples/platelets.toml --sweep risk.tau=0.1:0.9:0.2";

inline constexpr const char* evaluate_footer =
    "JSON: policy, value_at_empty, order_at_empty, error_bound, status, iterations, seconds,\n"
    "      and the instance as in solve; with several policies, a list policies\n\n"
    "Example: shortfall inventory evaluate examples/platelets.toml --policy static\n"
    "         --policy reorder:6,14";

inline constexpr const char* train_footer =
    "The orders of each iteration are evaluated exactly, and the best ones, including the myopic\n"
    "start, are kept. With sampled:S only the improvement is sampled: the choice of the best uses\n"
    "exact values, and last_gap_percent is the result without that knowledge.\n\n"
    "JSON: value_at_empty, error_bound, gap_percent, gap_error_percent, order_at_empty of the\n"
    "      best orders, and best_iteration (0: the myopic start); optimal_at_empty,\n"
    "      last_gap_percent, start (value and gap of the myopic start), trace (one entry per\n"
    "      iteration: the same, and estimated_at_empty, weights_change, used, singular,\n"
    "      diverged), status, seconds (of this run), and the instance as in solve\n\n"
    "Example: shortfall inventory train examples/platelets.toml --algorithm td\n"
    "         --improvement sampled:50";

inline constexpr const char* simulate_footer =
    "JSON: mean, standard_error and quantiles (by level) of the discounted cost; per period\n"
    "      cost_per_period and its four parts, shortage_rate, wastage_rate, periods_short,\n"
    "      order_frequency, mean_stock, stock_by_age; service_level, wasted_fraction,\n"
    "      mean_order; difference (mean, standard_error) from the first policy, on identical\n"
    "      random demand and deliveries; with several policies, a list policies\n\n"
    "Example: shortfall inventory simulate examples/platelets.toml --policy optimal\n"
    "         --policy static --periods 1000";

inline constexpr const char* report_footer =
    "The report opens from disk in any browser, without a network.\n\n"
    "JSON: the data of the report (web/README.md), and file, seconds\n\n"
    "Example: shortfall inventory report examples/platelets.toml --out platelets.html";

}  // namespace shortfall::app
