# Tests that depend on optimisation, run on the build that users install: kernels and the plain code
# that they must equal to the bit, roundings, counts of allocations, published numbers, and limits of
# memory, which sanitizers exceed; and what takes many runs, of which sanitizers do fewer: every test
# that asks is_sanitized() must be here.
set(sources
  counted_allocations.cpp
  apps/command_runner.cpp
  apps/inventory_report_test.cpp
  apps/learn_checkpoint_test.cpp
  apps/memory_test.cpp
  apps/overwriting_test.cpp
  dp/adaptive_test.cpp
  dp/average_test.cpp
  dp/bounds_test.cpp
  dp/cross_test.cpp
  dp/discount_test.cpp
  dp/ranks_test.cpp
  dp/sweep_test.cpp
  dp/tangent_test.cpp
  learn/feature_allocation_test.cpp
  inventory/kernel/backup_kernel_test.cpp
  inventory/kernel/coarse_passes_test.cpp
  inventory/model/demand_test.cpp
  inventory/kernel/greedy_orders_test.cpp
  inventory/kernel/memory_test.cpp
  inventory/kernel/on_ranks_test.cpp
  inventory/plan/order_test.cpp
  inventory/simulate/random_draws_test.cpp
  inventory/kernel/solve_test.cpp
  inventory/train/stock_hats_test.cpp
  inventory/train/stock_sampler_test.cpp
  inventory/train/train_test.cpp
  learn/allocation_test.cpp
  learn/averager_newton_test.cpp
  learn/averager_td_test.cpp
  learn/drift_alarm_test.cpp
  learn/inverse_test.cpp
  learn/newton_test.cpp
  learn/stochastic_value_iteration_test.cpp
  learn/td_test.cpp
  learn/update_many_test.cpp
  learn/vector_kernels_test.cpp
  risk/certain_digits_test.cpp
  risk/portable_math_test.cpp
  risk/properties_test.cpp
  risk/rounding_test.cpp
  risk/shortfall_risk_test.cpp
  studies/policy_table_test.cpp
  studies/result_defaults_test.cpp)
# These compute many numbers and compare them with published or exact ones, or count how often
# intervals hold. They are left out under sanitizers: other tests call the same code with less work.
set(only_optimised
  dp/known_answers_test.cpp
  dp/published_models.cpp
  dp/published_worlds.cpp
  dp/random_models_test.cpp
  inventory/kernel/published_test.cpp
  learn/averager_limit_test.cpp
  learn/coverage_test.cpp
  learn/scaled_steps_test.cpp)
list(APPEND sources ${only_optimised})
