// A device's item: many of them run together, wait for memory while others run, and what they load is under way at once.
#include "codegen/form/building.h"
#include "codegen/timing/worker_costs.h"

#include <algorithm>
#include <set>

namespace tangram::codegen {

using namespace ir;

namespace {

class DeviceCosts final : public WorkerCosts {
public:
  explicit DeviceCosts(WalkState &state) : WorkerCosts(state) {}

  /// Subscripts may be made of numbers that have been loaded.
  void declare(const Var *var, const ExprPtr &value) override {
    const bool reads = contains(value, [&](const Expr &each) {
      return each.kind == ExprKind::Index && state_.bufferOf(each) &&
             state_.bufferOf(each)->space == Space::Global;
    });
    if (!state_.dry && reads && isInteger(var->type.scalar))
      loaded_.insert(var);
  }

  double longest(const ExprPtr &condition) const override {
    return state_.data.longest(condition, state_.values, state_.nest, state_.costs.lanes);
  }

  void beginItems() override {
    state_.wait(state_.costs.barrierSeconds * state_.costs.cyclesPerSecond);
  }

  unsigned access(const WalkedAccess &access, unsigned chain) override {
    work((1 + operationsOfExtremes(access.element.args[1])) / access.again);
    if (access.writes) {
      state_.wait(state_.costs.localCycles / inFlight);
      return chain;
    }
    if (access.buffer.space != Space::Global) {
      localLoads_ = true;
      return chain;
    }
    loads_ += 1 / access.again;
    inTurn_ = std::max(inTurn_, ++chain);
    return chain;
  }

  bool isLoaded(const Var *var) const override { return loaded_.contains(var); }

  /// The innermost loop goes from vector to vector.
  unsigned joinVectors(std::vector<Walk> &walks, double bytes) const override {
    if (state_.loop.lanes == 1 || walks.empty() || walks.back().kind != Walk::Kind::Loop ||
        walks.back().stride != bytes)
      return 1;
    walks.back().stride *= state_.loop.lanes;
    walks.back().count = std::max(1.0, walks.back().count / state_.loop.lanes);
    return state_.loop.lanes;
  }

  /// All loads arrive at once, but for those of which one says where the next one is, and as many as can be under way.
  /// Those from the group's own memory arrive at once, too.
  void arrive() override {
    if (state_.dry)
      return;
    const double flight =
        std::max<double>(state_.loop.unrolled, std::min(inFlight, state_.loop.rounds));
    const double latencies =
        std::max(inTurn_ / flight, loads_ / state_.plan.machine->code.loadsInFlight);
    state_.wait(state_.costs.memorySeconds * state_.costs.cyclesPerSecond * latencies);
    if (localLoads_)
      state_.wait(state_.costs.localCycles / flight);
    loads_ = 0;
    inTurn_ = 0;
    localLoads_ = false;
    loaded_.clear();
  }

  void update(const Expr & /*atomic*/, const Buffer &buffer, double times, double distinct,
              double lines) override {
    if (buffer.space == Space::Global)
      return updateMemory(times, lines);
    // Those of a group meet in its memory; the units work side by side.
    const double lanes = state_.costs.lanes;
    const double clash = 1 + lanes / std::min(distinct, lanes * lanes);
    state_.launch.atomics += times / lanes * clash * state_.costs.localAtomicCycles /
                             state_.costs.cyclesPerSecond /
                             std::min(state_.figures.units, state_.launch.groups);
  }

private:
  double cyclesOf(double operations) const override {
    return operations * state_.costs.operationCycles;
  }

  /// Operations that find a place anew in each round of the innermost loop: minima and maxima of numbers that the loop
  /// moves. The rest of a place is added up from round to round.
  double operationsOfExtremes(const ExprPtr &place) {
    if (state_.nest.empty())
      return 0;
    const auto moves = [&](const ExprPtr &argument) {
      return contains(argument, [&](const Expr &each) {
        if (each.kind != ExprKind::Var)
          return false;
        const Samples value = state_.values(varRef(each.var));
        return value.at[state_.nest.back().point] != value.at[Samples::base];
      });
    };
    double count = 0;
    forEach(place, [&](const Expr &e) {
      const bool isExtreme = e.kind == ExprKind::Call && (e.callee == "min" || e.callee == "max");
      if (isExtreme && std::ranges::any_of(e.args, moves))
        count += operationsOfExtreme;
    });
    return count;
  }

  static constexpr double operationsOfExtreme =
      4; ///< of two numbers of 64 bits: each half is compared and chosen
  static constexpr double inFlight = 2; ///< loads under way where no loop is unrolled

  double loads_ = 0;             ///< of global memory, under way
  unsigned inTurn_ = 0;          ///< of these, each of which says where the next one is
  bool localLoads_ = false;      ///< of the memory of the group
  std::set<const Var *> loaded_; ///< numbers that have been loaded meanwhile
};

} // namespace

std::unique_ptr<WorkerCosts> deviceCosts(WalkState &state) {
  return std::make_unique<DeviceCosts>(state);
}

} // namespace tangram::codegen
