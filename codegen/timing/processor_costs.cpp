// A processor's thread: it runs the items of a group as a loop that a compiler makes vectors of, waits for lines that its
// nearest cache does not have, and foresees branches.
#include "codegen/analysis/narrow_products.h"
#include "codegen/form/building.h"
#include "codegen/timing/bent_numbers.h"
#include "codegen/timing/loops.h"
#include "codegen/timing/worker_costs.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace tangram::codegen {

using namespace ir;

namespace {

class ProcessorCosts final : public WorkerCosts {
public:
  ProcessorCosts(WalkState &state, const StmtPtr &body) : WorkerCosts(state), bent_(state.values) {
    noteNarrowSums(body);
  }

  void declare(const Var *var, const ExprPtr &value) override {
    const Around *loop = state_.vectorLoop();
    if (loop && isInteger(var->type.scalar))
      bent_.note(var, value, *loop);
  }

  void branch(const Stmt &s) override {
    if (!state_.dry && state_.isOfData(s.value) &&
        std::ranges::any_of(s.children,
                            [&](const StmtPtr &each) { return each && scatters(each); }))
      state_.wait(missedCycles * missedShare);
  }

  /// Numbers from memory are seldom equal to what they are compared with, so that branches are seldom taken which change
  /// elements whose places stand in memory, too, as searches do.
  Spread seldom(const Stmt &s, Spread spread) const override {
    if (s.value->kind == ExprKind::Binary && s.value->op == "==" && state_.isOfData(s.value) &&
        (hasAtomic(s.children[0]) || scatters(s.children[0]))) {
      for (double &each : spread.active.groups)
        each *= equalShare;
    }
    return spread;
  }

  bool isUnrolled(const Stmt &loop) const override { return isShort(loop); }

  void enter(const Stmt &loop, bool jammed) override {
    const bool isKnown = loop.value && loop.value->kind == ExprKind::Binary &&
                         loop.value->args[1]->kind == ExprKind::Literal;
    if (!state_.dry && !isKnown && !jammed && loop.lanes <= 1)
      state_.wait(cyclesOfLoops);
  }

  void endRound(const Stmt &loop) override {
    if (!state_.dry)
      state_.wait(dependentDivisions(loop) * divisionOperations * state_.costs.operationCycles);
  }

  void accessOwn(const Expr &element, bool writes) override {
    if (isTurning(element))
      work(writes ? 2 : 1); // what is written is read again soon
  }

  unsigned access(const WalkedAccess &access, unsigned chain) override {
    work(1 / access.again);
    if (widened_.contains(&access.element))
      work(1);
    if (!access.walks.empty())
      noteUneven(access);
    state_.wait(farCycles(access));
    // What other lanes wrote as a vector is there when that vector is.
    if (access.buffer.space != Space::Global && !access.writes && state_.itemDepth > 0 &&
        isShifted(access.position))
      state_.wait(state_.costs.localCycles / 2);
    return chain;
  }

  /// Extremes look at what is there first; what an element is offered changes it seldom: half of them once, here.
  void update(const Expr &atomic, const Buffer &buffer, double times, double distinct,
              double lines) override {
    if (atomic.op == "min" || atomic.op == "max") {
      state_.wait(missedCycles * missedShare);
      times = std::min(times, distinct) / 2;
    }
    updateOneByOne(buffer, atomic.args[0]->args[1], times, lines);
    if (buffer.space == Space::Global)
      updateMemory(times, lines);
  }

private:
  double cyclesOf(double operations) const override {
    return operations / state_.costs.instructionsPerCycle;
  }

  bool areVectors(const StmtPtr &body) const override { return !hasLongLoop(body); }

  /// What compilers make of a loop of one worker: vectors, of its rounds or of those of a loop around that they are the
  /// same in; or one round after the other.
  void compile(const Ended &ended, const Before &before) override {
    if (state_.dry)
      return;
    if (packedSums_.contains(&ended.loop))
      return asElementsInLanes(ended.rounds, before);
    if (ended.isShort)
      return;
    const Stmt *inner = onlyLoopIn(ended.loop);
    WalkState::OfGroups done = state_.waiting;
    for (std::size_t i = 0; i < done.size(); ++i)
      done[i] = inner ? state_.scalar[i] - before.scalar[i] : state_.waiting[i] - before.waiting[i];
    if (!uneven_.inner && isSimple(ended.loop, inner))
      return asVectors(ended.rounds, before, done);
    inChain(ended.loop, ended.rounds, before.waiting);
  }

  /// The rounds of a loop wait for each other's results, but those of the next loop may begin meanwhile.
  void inChain(const Stmt &loop, double rounds, const WalkState::OfGroups &before) {
    const double chain =
        state_.loop.together ? 0 : dependentOperations(loop) * state_.costs.operationCycles;
    for (std::size_t i = 0; chain > 0 && i < state_.waiting.size(); ++i) {
      const double entered =
          state_.loop.times / rounds * state_.loop.longer * state_.active.groups[i];
      const double cycles = state_.waiting[i] - before[i];
      if (entered <= 0)
        continue;
      const double loops =
          lookedAhead / std::max(1.0, cycles / entered * state_.costs.instructionsPerCycle);
      state_.waiting[i] =
          before[i] + std::max(cycles, entered * rounds * chain / std::max(1.0, loops));
    }
  }

  /// Whether `s` has a loop for which compilers leave the one around it, over the lanes, as it is.
  bool hasLongLoop(const StmtPtr &s) const {
    bool found = false;
    forEach(s, [&](const Stmt &each) {
      if (each.kind == StmtKind::Parallel)
        found |= state_.values(each.value).at[Samples::base] > mostUnrolled;
      else
        found |= isLoop(each) && each.unroll < 2 && each.lanes < 2 && !isShort(each);
    });
    return found;
  }

  /// Sums of narrow products: compilers make vectors along those of packed factors, and widen the factors of others.
  void noteNarrowSums(const StmtPtr &s) {
    if (!s)
      return;
    if (isNarrowSum(state_.plan, s)) {
      std::vector<const Expr *> far;
      forEachExpr(s->children[2], [&](const Expr &e) {
        const Buffer *buffer = e.kind == ExprKind::Index ? state_.bufferOf(e) : nullptr;
        if (buffer && buffer->space != Space::Local)
          far.push_back(&e);
      });
      if (far.empty())
        packedSums_.insert(s.get());
      widened_.insert(far.begin(), far.end());
    }
    for (const StmtPtr &child : s->children)
      noteNarrowSums(child);
  }

  /// Whether elements are written whose places stand in memory: no compiler makes such a branch a choice of values.
  bool scatters(const StmtPtr &branch) const {
    bool found = false;
    forEach(branch, [&](const Stmt &s) {
      found |= s.kind == StmtKind::Assign && s.target->kind == ExprKind::Index &&
               state_.isOfData(s.target->args[1]);
    });
    return found;
  }

  /// Cycles that a core waits for a line which the nearest cache does not have any more when the next neighbour in it is asked
  /// for, or the next row of a tile asks for it again. Elements whose places data say are in no row.
  double farCycles(const WalkedAccess &access) const {
    const std::vector<Walk> &walks = access.walks;
    if (access.buffer.space != Space::Global || walks.empty() ||
        !state_.data.positions(access.element.args[1], state_.values).empty())
      return 0;
    const bool inVectors = state_.loop.lanes > 1 || state_.loop.together;
    if (state_.loop.unrolled > 1 && !inVectors)
      return 0;
    // Blocks of vectors have all of a line at once: one line a round of the loop around them.
    std::size_t moving = 0;
    while (inVectors && moving + 1 < walks.size() && moving < state_.nest.size() &&
           state_.nest[state_.nest.size() - 1 - moving].jammed)
      ++moving;
    if (!outgrows(walks[walks.size() - 1 - moving], state_.figures.nearCache,
                  state_.costs.transactionBytes))
      return 0;
    if (access.writes)
      return inVectors ? 0 : farStoreCycles;
    double neighbours = 1; // in the line, which rounds that are written out ask for
    for (std::size_t i = 0; i < moving; ++i) {
      const ir::Stmt *loop = state_.nest[state_.nest.size() - 1 - i].statement;
      const double stride = std::abs(walks[walks.size() - 1 - i].stride);
      if (loop && loop->lanes <= 1 && stride > 0 && stride < state_.costs.transactionBytes)
        neighbours *=
            std::min(walks[walks.size() - 1 - i].count, state_.costs.transactionBytes / stride);
    }
    return farLoadCycles / (access.again * neighbours);
  }

  /// Notes an access that is none to neighbours from round to round, as vectors need them: their places do not depend on
  /// numbers that were divided or cut off to fewer bits. What is chosen is collected.
  void noteUneven(const WalkedAccess &access) {
    const ExprPtr &place = access.element.args[1];
    const Samples &position = access.position;
    const bool looksUp =
        contains(place, [](const Expr &each) { return each.kind == ExprKind::Index; });
    const auto isNext = [&](double stride) { return stride == 0 || stride == access.bytes; };
    const auto strideAlong = [&](const Around &around) {
      return std::abs(position.at[around.point] - position.at[Samples::base]) * access.bytes /
             around.apart;
    };
    const Around *loop = state_.vectorLoop();
    const Around *outer = loop ? state_.vectorLoop(loop) : nullptr;
    const double inner = !loop || loop == &state_.nest.back() ? std::abs(access.walks.back().stride)
                                                              : strideAlong(*loop);
    const auto isBent = [&](const Around &around, BentNumbers::How of) {
      return bent_.has(place, around, of);
    };
    uneven_.inner |= looksUp || !isNext(inner) || (loop && isBent(*loop, BentNumbers::How::Cut));
    if (loop && isBent(*loop, BentNumbers::How::Any)) // collected one by one
      work(bent_.operationsOf(place, *loop) + state_.costs.lanes / 2);
    uneven_.outer |= looksUp || !isNext(inner) || !outer || !isNext(strideAlong(*outer)) ||
                     isBent(*outer, BentNumbers::How::Any);
  }

  /// Whether a lane reads what is another one's.
  bool isShifted(const Samples &position) const {
    const auto items = std::ranges::find_if(state_.nest, &Around::items);
    return items != state_.nest.end() &&
           position.at[items->point] - position.at[Samples::base] == 1 &&
           position.at[Samples::lastItem] != items->count - 1;
  }

  /// Whether an element of a worker's own array is another one in each round of a loop: registers have no numbers.
  bool isTurning(const Expr &element) const {
    return std::any_of(element.args.begin() + 1, element.args.end(), [&](const ExprPtr &subscript) {
      return contains(subscript, [&](const Expr &each) {
        return each.kind == ExprKind::Var && state_.turning.contains(each.var.get());
      });
    });
  }

  /// Whether an element's place depends on the number of its group, otherwise than by what stands in memory: then each group
  /// has its own.
  bool isOfGroup(const ExprPtr &place) const {
    if (place->kind == ExprKind::Index || !state_.inLaunch)
      return false;
    if (place->kind == ExprKind::Var) {
      const Samples number = state_.values(place);
      const auto first = number.at.begin() + Samples::groups;
      return state_.data.positions(place, state_.values).empty() &&
             std::any_of(first, first + Samples::groupsTried,
                         [&](double each) { return each != *first; });
    }
    return std::ranges::any_of(place->args, [&](const ExprPtr &arg) { return isOfGroup(arg); });
  }

  /// An atomic operation waits until its line is there, and begins nothing else before: where other cores have it, or where
  /// it is in no cache of the core's. A worker does those of its items one by one.
  void updateOneByOne(const Buffer &buffer, const ExprPtr &place, double times, double lines) {
    const double cores = std::min(state_.figures.units, state_.launch.groups);
    state_.launch.atomics +=
        times * state_.costs.localAtomicCycles / state_.costs.cyclesPerSecond / cores;
    if (buffer.space != Space::Global)
      return;
    const double others = isOfGroup(place) ? 0 : 1 - 1 / cores;
    const double far = 1 - std::min(1.0, state_.figures.ownCache / (lines * state_.figures.line));
    state_.launch.atomics +=
        times * std::max(others, far) * state_.costs.memorySeconds / std::min(lines, cores);
  }

  static constexpr double farStoreCycles = 16; ///< of a line that the nearest cache does not have
  static constexpr double farLoadCycles = 4;
  static constexpr double cyclesOfLoops = 6; ///< of one whose rounds the text does not tell
  static constexpr double missedCycles = 15; ///< of a branch that goes another way than foreseen
  static constexpr double missedShare = 0.5; ///< of branches that data decide
  static constexpr double equalShare = 0.25;
  static constexpr double lookedAhead = 256; ///< instructions that a core has before it at once
  static constexpr double divisionOperations = 4; ///< as long as so many, one after the other

  BentNumbers bent_;
  std::set<const Stmt *> packedSums_; ///< loops
  std::set<const Expr *> widened_;    ///< elements
};

} // namespace

std::unique_ptr<WorkerCosts> processorCosts(WalkState &state, const StmtPtr &body) {
  return std::make_unique<ProcessorCosts>(state, body);
}

} // namespace tangram::codegen
