// The state of a walk through a kernel: the values of variables, the loops and workers around the current statement, and
// what has been counted of the launch. The parts of a prediction share it (cost.cpp has their picture).
#pragma once

#include "codegen/timing/activity.h"
#include "codegen/timing/launch_times.h"
#include "codegen/timing/numbers_of_data.h"
#include "codegen/timing/samples.h"
#include "codegen/timing/walks.h"

#include <array>
#include <functional>
#include <map>
#include <set>
#include <vector>

namespace tangram::codegen {

struct WalkState {
  /// A number for each of the groups that are tried.
  using OfGroups = std::array<double, Samples::groupsTried>;

  /// What the loops around come to for the statements of the innermost one.
  struct Innermost {
    double times = 1;  ///< how often one worker runs the current statement
    double longer = 1; ///< times as long for a worker that waits for others, which have more data
    unsigned unrolled = 1;
    unsigned lanes = 1;         ///< rounds that are one vector
    double rounds = 1;          ///< that may be under way together
    double roundOperations = 1; ///< in each of these
    bool together = false;      ///< rounds of a loop around, which hide each other's latencies
  };

  WalkState(const LoweredPlan &kernel, const std::map<const ir::Var *, double> &sizes,
            bool explain);
  WalkState(const WalkState &) = delete;
  WalkState &operator=(const WalkState &) = delete;

  /// The sample of a loop that is entered now.
  std::size_t nextPoint() const;
  Spread spreadOf(const Samples &s) const;
  /// Null: an array of a worker's own.
  const Buffer *bufferOf(const ir::Expr &element) const;
  /// Whether elements say what a number is.
  bool isOfData(const ir::ExprPtr &e) const;
  /// The loop around what is unrolled whose rounds or lanes a vector would be made of; or the next one around `inner`.
  const Around *vectorLoop(const Around *inner = nullptr) const;
  /// The number of rows that are taken together: the product over the loops around, or those of which `shares` holds.
  double rowsTogether(const std::function<bool(const Around &)> &shares = nullptr) const;
  double meanWait() const;
  /// Adds cycles to the way of a worker through its work.
  void wait(double cycles);

  const LoweredPlan &plan;
  const composer::Costs &costs;
  const MachineFigures figures;
  const bool itemsAreLoops; ///< TargetTraits::itemsAreLoops
  const bool explains;      ///< the launch says where its times come from

  SampledValues values;
  NumbersOfData data;
  std::set<const ir::Var *> jagged;  ///< Rounds::isJagged holds of them
  std::set<const ir::Var *> ofData;  ///< isOfData holds of them
  std::set<const ir::Var *> numbers; ///< arrays of one element, which is known

  std::vector<Around> nest;
  Innermost loop;
  Activity active;
  double activeItems = 1;
  bool dry = false; ///< nothing is counted
  bool inLaunch = false;
  bool byOne = false;                ///< one item does it for its group
  Samples group = Samples::all(0);   ///< the number of the group
  std::size_t itemDepth = 0;         ///< dimensions of items around
  std::set<const ir::Var *> turning; ///< counters of loops around that are not unrolled

  PredictedLaunch launch;
  std::vector<PricedAccess> accesses;
  std::set<const Buffer *> locals; ///< local arrays of the launch
  OfGroups waiting{};      ///< cycles of the worker that takes longest, of groups that are tried
  OfGroups scalar{};       ///< the same if no vectors were made
  double operations = 0;   ///< of all workers of all groups
  ir::SourceLocation here; ///< of the current statement, where `explains`
  std::map<ir::SourceLocation, double> workAt; ///< operations of all workers
};

} // namespace tangram::codegen
