// How many plans of a list a command goes through.
#pragma once

#include <algorithm>
#include <cstddef>

namespace tangram::driver {

/// Plans that the target can express count for `--limit`. Those it cannot express do not; of them as many are
/// tried, but at least some, so that a list without end has one.
class PlanLimit {
public:
  /// So many plans are tried in vain, whatever the limit is.
  static constexpr std::size_t leastRefused = 64;

  explicit PlanLimit(std::size_t limit) : limit_(limit) {}

  void count(bool isRefused) { ++(isRefused ? refused_ : made_); }
  bool isReached() const { return made_ >= limit_ || refused_ >= mostRefused(limit_); }

  static constexpr std::size_t mostRefused(std::size_t limit) {
    return std::max(limit, leastRefused);
  }

private:
  std::size_t limit_;
  std::size_t made_ = 0;
  std::size_t refused_ = 0;
};

} // namespace tangram::driver
