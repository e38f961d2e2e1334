// Small sizes and tunables, all of them: what the checks of partitions and of windows try.
#pragma once

#include "composer/analysis/partition_check.h"
#include "composer/analysis/partition_check_evaluate.h"

#include <functional>

namespace tangram::composer {

class SmallCases {
public:
  /// A size or tunable, and the values to try.
  struct Name {
    std::string name;
    ir::ExprPtr expr;
    std::vector<std::int64_t> values;
    std::string tried;
  };
  using Values = std::vector<std::pair<std::string, std::int64_t>>;

  /// Of what `expressions` are over, which is sizes of parameters and tunables. Sizes that no
  /// condition among `guards` relates are tried equal.
  SmallCases(const ir::Codelet &codelet, const std::vector<ir::ExprPtr> &expressions,
             const std::vector<ir::ExprPtr> &guards, const PartitionTrial &trial = {});

  /// In lexicographic order, sizes first; also those in which guards do not hold.
  void forEach(const std::function<void(const Environment &, const Values &)> &each) const;
  /// "len < 60, p < 20"
  std::string tried() const;

private:
  std::vector<Name> names_;
  bool related_ = false;
};

} // namespace tangram::composer
