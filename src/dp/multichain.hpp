#pragma once

#include <span>

#include "shortfall/dp/bellman.hpp"
#include "shortfall/dp/bounds.hpp"

namespace shortfall::detail {

/// Whether the long-run average is certain to depend on the start, judged by a sweep from V to TV,
/// with its bound. With m the middle of the changes TV - V, it does if
///
///   - some states have changes below m, and a policy never leaves them: from there the average is
///     less than m; and
///   - others have changes above m, and no action ever leaves them: from there it is more than m.
///
/// Both follow from T^n V ≤ V + n u and T^n V ≥ V + n l on sets of states that need no others.
/// Where the average depends on the start, and the sweeps have gone on for long enough, the changes
/// are close to it, and such sets are there for every loss with slopes that are bounded below.
///
/// Entropic risk forgets outcomes that are much better than others. It may be more than m even in
/// states that will be left for good: then those outside count as better by so much that they
/// contribute nothing. "False" says nothing: the sets are looked for in a few passes.
bool depends_on_start(const BellmanOperator& bellman, std::span<const double> values,
                      std::span<const double> backed_up, const TwoSidedBound& bound);

}  // namespace shortfall::detail
