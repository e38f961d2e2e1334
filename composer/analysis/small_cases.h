// Small sizes and tunables, all of them: what the checks of partitions and of windows try.
#pragma once

#include "composer/analysis/partition_check.h"
#include "composer/analysis/partition_check_evaluate.h"

#include <functional>
#include <optional>

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
  /// condition among `guards` relates to another are tried equal, so that there are no more cases for them.
  SmallCases(const ir::Codelet &codelet, const std::vector<ir::ExprPtr> &expressions,
             const std::vector<ir::ExprPtr> &guards, const PartitionTrial &trial = {});

  /// In lexicographic order, sizes first; also those in which guards do not hold, but for equations of
  /// sizes.
  void forEach(const std::function<void(const Environment &, const Values &)> &each) const;
  /// "len < 60, p < 20"
  std::string tried() const;

private:
  void forEachFrom(std::size_t k, std::vector<std::size_t> &chosen, Environment &env,
                   const std::function<void(const Environment &, const Values &)> &each) const;
  void assign(std::size_t k, std::int64_t value, Environment &env) const;
  /// The value of name `k` for which the equation that ties it holds, those before it being assigned;
  /// none where there is none.
  std::optional<std::int64_t> tied(std::size_t k, Environment env) const;

  std::vector<Name> names_;
  std::vector<ir::ExprPtr> equations_; ///< of each name: that of it and names before it, or null
  std::vector<std::size_t>
      equal_; ///< of each name: the first of the sizes tried equal to it, or itself
};

} // namespace tangram::composer
