# What optimisation may break or make true, tested as users get it: kernels and the plain code that
# they must equal to the bit, roundings, counts of allocations, published numbers, and limits of
# memory, which sanitizers exceed.
set(sources
  counted_allocations.cpp
  apps/command_runner.cpp
  apps/inventory_report_test.cpp
  apps/learn_checkpoint_test.cpp
  apps/memory_test.cpp
  apps/process.cpp
  dp/bounds_test.cpp
  dp/cross_test.cpp
  dp/known_answers_test.cpp
  dp/published_models.cpp
  dp/published_tables.cpp
  dp/published_worlds.cpp
  features/allocation_test.cpp
  inventory/backup_kernel_test.cpp
  inventory/greedy_orders_test.cpp
  inventory/published_test.cpp
  inventory/random_draws_test.cpp
  inventory/solve_test.cpp
  inventory/stock_sampler_test.cpp
  inventory/train_test.cpp
  learn/allocation_test.cpp
  learn/newton_test.cpp
  learn/td_test.cpp
  learn/update_many_test.cpp
  learn/vector_kernels_test.cpp
  risk/allocation_test.cpp
  risk/compensated_sum_test.cpp
  risk/exact_root_test.cpp
  risk/rounding_test.cpp
  risk/shortfall_risk_test.cpp
  studies/policy_table_test.cpp)
