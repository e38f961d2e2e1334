#include "codegen/timing/cost.h"

#include "codegen/analysis/narrow_products.h"
#include "codegen/form/building.h"
#include "codegen/timing/activity.h"
#include "codegen/timing/bent_numbers.h"
#include "codegen/timing/launch_times.h"
#include "codegen/timing/loops.h"
#include "codegen/timing/numbers_of_data.h"
#include "codegen/timing/samples.h"
#include "codegen/timing/walks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

namespace tangram::codegen {

using namespace ir;

namespace {

class Walker {
  /// A number for each of the groups that are tried.
  using OfGroups = std::array<double, Samples::groupsTried>;

public:
  Walker(const LoweredPlan &plan, const std::map<const Var *, double> &sizes, bool explains)
      : plan_(plan), explains_(explains), costs_(plan.machine->costs),
        figures_(figuresOf(*plan.machine)), values_(plan, sizes), data_(plan) {
    for (const auto &[level, workers] : plan.workers) {
      if (plan.role(level) != Role::Unroll)
        itemsOfGroup_ *= std::max(1.0, values_(workers).at[Samples::base]);
    }
    if (plan.target->itemsAreLoops)
      itemsOfGroup_ = 1;
    activeItems_ = itemsOfGroup_;
    noteNarrowSums(plan.body);
  }

  Prediction run() {
    begin(1);
    statement(plan_.body);
    end(false);
    return std::move(prediction_);
  }

private:
  /// Neighbours are not neighbours in memory: in the rounds of the innermost loop, or of the one around it.
  struct Uneven {
    bool inner = false;
    bool outer = false;
    /// What holds of a loop with this one in it, which may be `unrolled`, where `others` is what holds of the rest.
    Uneven seenFrom(const Uneven &others, bool unrolled) const {
      return {others.inner || (unrolled ? inner : outer), others.outer || outer};
    }
  };

  /// Sums of narrow products: compilers make vectors along those of packed factors, and widen the factors of others.
  void noteNarrowSums(const StmtPtr &s) {
    if (!s || !plan_.target->itemsAreLoops)
      return;
    if (isNarrowSum(plan_, s)) {
      std::vector<const Expr *> far;
      forEachExpr(s->children[2], [&](const Expr &e) {
        const Buffer *buffer = e.kind == ExprKind::Index ? bufferOf(e) : nullptr;
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

  // ------------------------------------------------------------------------
  // Launches
  // ------------------------------------------------------------------------

  void begin(double groups) {
    launch_ = {};
    launch_.groups = groups;
    launch_.items = itemsOfGroup_;
    accesses_.clear();
    locals_.clear();
    waiting_.fill(0);
    scalar_.fill(0);
    operations_ = 0;
    workAt_.clear();
  }

  /// The launch is over; `started`: by the host, for groups.
  void end(bool started) {
    arrive();
    for (const Buffer *array : locals_)
      launch_.local += values_(array->count).at[Samples::base] *
                       static_cast<double>(byteSize(array->var->type.scalar));
    const Waiting waiting{meanWait(), std::ranges::max(waiting_)};
    takeTimes(launch_, accesses_, waiting, operations_, plan_.target->itemsAreLoops, figures_);
    for (const auto &[location, operations] : workAt_)
      launch_.accountOfWork.push_back({location, operations});
    if (handedOver_) {
      launch_.atomics += launch_.groups * 2 * costs_.memorySeconds;
      // Between the carry and the next one: one group after the other.
      launch_.waiting =
          std::max(launch_.waiting, launch_.groups * inOrder_ / costs_.cyclesPerSecond);
    }
    launch_.start = started && started_ ? costs_.launchSeconds : 0;
    launch_.times = hostRounds_;
    handedOver_ = false;
    // What a host that only launches does is to find sizes.
    const bool nothing = !started && (plan_.target->hostOnlyLaunches || accesses_.empty());
    if (!nothing)
      prediction_.launches.push_back(launch_);
  }

  // ------------------------------------------------------------------------
  // Statements
  // ------------------------------------------------------------------------

  /// The sample of a loop that is entered now.
  std::size_t nextPoint() const {
    std::size_t point = Samples::steps;
    for (const Around &each : nest_)
      point = std::max(point, each.point + 1);
    return point;
  }

  Spread spreadOf(const Samples &s) const {
    return codegen::spreadOf(s, active_, itemDepth_ > 0, inLaunch_);
  }

  /// What follows is done by these.
  class Share {
  public:
    Share(Walker &walker, const Spread &spread) : walker_(walker), before_(walker.active_) {
      walker.active_ = spread.active;
    }
    ~Share() { walker_.active_ = before_; }
    Share(const Share &) = delete;
    Share &operator=(const Share &) = delete;

  private:
    Walker &walker_;
    Activity before_;
  };

  void statement(const StmtPtr &s) {
    if (!s)
      return;
    tried_ += dry_ ? 1 : 0;
    if (explains_ && s->location.valid())
      here_ = s->location;
    switch (s->kind) {
    case StmtKind::Block:
      for (const StmtPtr &child : s->children)
        statement(child);
      return;
    case StmtKind::Decl:
      if (!s->value)
        return;
      expression(s->value);
      notes(s->var.get(), s->value);
      if (const Around *loop = plan_.target->itemsAreLoops ? vectorLoop() : nullptr) {
        if (isInteger(s->var->type.scalar))
          bent_.note(s->var.get(), s->value, *loop);
      }
      data_.assign(s->var.get(), s->value, values_);
      values_.set(s->var.get(), values_(s->value));
      if (isJagged(s->value))
        jagged_.insert(s->var.get());
      if (isOfData(s->value))
        ofData_.insert(s->var.get());
      return;
    case StmtKind::Assign:
      return assignment(*s);
    case StmtKind::Eval:
    case StmtKind::Return:
      if (s->value)
        expression(s->value);
      return;
    case StmtKind::If: {
      if (inLaunch_ && hasLastGroup(plan_, s->children[0]))
        return lastGroup(s->children[0]);
      expression(s->value);
      if (plan_.target->itemsAreLoops && !dry_ && isOfData(s->value) &&
          std::ranges::any_of(s->children,
                              [&](const StmtPtr &each) { return each && scatters(each); }))
        wait(missedCycles * missedShare);
      const Samples holds = inMostRounds(s->value);
      branch(s->children[0], seldom(*s, spreadOf(holds)));
      if (s->children.size() > 1)
        branch(s->children[1], spreadOf(opposite(holds)));
      return;
    }
    case StmtKind::For:
    case StmtKind::While:
    case StmtKind::DoWhile:
      return loop(*s);
    case StmtKind::Parallel:
      return workers(*s);
    default:
      for (const StmtPtr &child : s->children)
        statement(child);
    }
  }

  /// Whether elements are written whose places stand in memory: no compiler makes such a branch a choice of values.
  bool scatters(const StmtPtr &branch) const {
    bool found = false;
    forEach(branch, [&](const Stmt &s) {
      found |= s.kind == StmtKind::Assign && s.target->kind == ExprKind::Index &&
               isOfData(s.target->args[1]);
    });
    return found;
  }

  /// Numbers from memory are seldom equal to what they are compared with: of branches that change elements whose places
  /// stand in memory, too, as searches do. Items that step together take the branch where it holds for one of them.
  Spread seldom(const Stmt &s, Spread spread) const {
    if (plan_.target->itemsAreLoops && s.value->kind == ExprKind::Binary && s.value->op == "==" &&
        isOfData(s.value) && (hasAtomic(s.children[0]) || scatters(s.children[0]))) {
      for (double &each : spread.active.groups)
        each *= equalShare;
    }
    return spread;
  }

  void branch(const StmtPtr &s, Spread spread) {
    if (!s || spread.most <= 0)
      return;
    arrive();
    if (spread.firstGroupAlone) {
      spread.active.groups = {1};
      spread.active.part *= std::min(1.0, Samples::groupsTried / std::max(1.0, launch_.groups));
    }
    const Share part(*this, spread);
    statement(s);
    arrive();
  }

  /// The samples of an expression; of a condition, whether it holds in most rounds.
  Samples mostValue(const ExprPtr &e) const {
    return e->type.scalar == Scalar::Bool ? inMostRounds(e) : values_(e);
  }

  void assignment(const Stmt &s) {
    const Operator combined = s.op.withoutAssignment();
    expression(s.value);
    const bool withProduct =
        combined == "+" && s.value->kind == ExprKind::Binary && s.value->op == "*";
    if (!combined.empty() && !withProduct) // which are one operation
      operations(1);
    if (s.target->kind == ExprKind::Var) {
      if (isFloating(s.target->type.scalar))
        return;
      if (isOfData(s.value))
        ofData_.insert(s.target->var.get());
      if (combined.empty())
        data_.assign(s.target->var.get(), s.value, values_);
      const Samples value = mostValue(s.value);
      values_.set(s.target->var.get(),
                  combined.empty() ? value : values_(binary(combined, s.target, s.value)));
      return;
    }
    if (s.target->kind == ExprKind::Index) {
      const ExprPtr &array = s.target->args[0];
      if (!isFloating(s.target->type.scalar) && array->kind == ExprKind::Var &&
          !plan_.bufferOf(array->var) && combined.empty())
        values_.setElement(array->var.get(), mostValue(s.value));
      keepNumber(*array, s);
      // Groups that count themselves begin in the order of their numbers.
      if (inLaunch_ && s.value->kind == ExprKind::Atomic && s.value->op == "add" && byOne_)
        values_.setElement(array->var.get(), group_);
      if (!combined.empty())
        access(*s.target, false);
      access(*s.target, true);
    }
  }

  /// What the host goes round for is in memory of one element: how many elements are left of those there were, say.
  void keepNumber(const Expr &array, const Stmt &assign) {
    const Buffer *buffer = array.kind == ExprKind::Var ? plan_.bufferOf(array.var) : nullptr;
    const Scalar type = assign.target->type.scalar;
    if (!buffer || !isLiteral(buffer->count, 1) || !isInteger(type) || byteSize(type) < 4 ||
        assign.op != "=" || isOfData(assign.value))
      return;
    const Samples number = values_(assign.value);
    if (number.at[Samples::base] <= SampledValues::unknown)
      return;
    values_.setElement(array.var.get(), number);
    numbers_.insert(array.var.get());
  }

  /// Whether elements say what a number is.
  bool isOfData(const ExprPtr &e) const {
    return contains(e, [&](const Expr &each) {
      return each.kind == ExprKind::Atomic ||
             (each.kind == ExprKind::Index && !numbers_.contains(each.args[0]->var.get())) ||
             (each.kind == ExprKind::Var && ofData_.contains(each.var.get()));
    });
  }

  /// Rounds of the host around launches: those of one round, so many times. Of a counted one it is the
  /// round in the middle.
  void aroundLaunches(const Stmt &s) {
    const bool counts = s.kind == StmtKind::For;
    const StmtPtr body = s.children[counts ? 2 : 0];
    const StmtPtr increment = counts ? s.children[1] : nullptr;
    if (counts)
      statement(s.children[0]);
    double rounds = guessedRounds;
    if (increment && s.value && isCounted(s, carried(body))) {
      if (spreadOf(values_(s.value)).most <= 0)
        return;
      std::map<const Var *, Samples> start = snapshot(carried(increment));
      rounds = roundsFrom(s, [&] { statement(increment); });
      restore(start);
      statement(increment);
      for (auto &[counter, middle] : start) {
        const Samples next = values_.all().at(counter);
        for (std::size_t i = 0; i < middle.at.size(); ++i)
          middle.at[i] += std::floor(rounds / 2) * (next.at[i] - middle.at[i]);
        values_.set(counter, middle);
      }
    }
    end(false);
    begin(1);
    const double before = hostRounds_;
    hostRounds_ *= rounds;
    statement(body);
    end(false);
    begin(1);
    hostRounds_ = before;
  }

  void loop(const Stmt &s) {
    if (!inLaunch_ && hasWorkers(plan_, s.children.back(), Role::Group))
      return aroundLaunches(s);
    const bool counts = s.kind == StmtKind::For;
    StmtPtr body = s.children[counts ? 2 : 0];
    StmtPtr increment = counts ? s.children[1] : nullptr;
    if (counts)
      statement(s.children[0]);
    std::vector<const Var *> changing = carried(body);
    const bool onlyIncrement = increment && changing.empty();
    if (increment) {
      for (const Var *v : carried(increment))
        changing.push_back(v);
    }
    Spread entered =
        s.value && s.kind != StmtKind::DoWhile ? spreadOf(values_(s.value)) : Spread{1, active_};
    if (entered.most <= 0) {
      if (!holdsLater(values_(s.value))) {
        if (isOfData(s.value))
          expression(s.value);
        return;
      }
      entered = {1, active_};
    }
    if (nextPoint() >= Samples::most)
      return;
    arrive();
    // A round without its cost shows where the numbers go.
    const std::map<const Var *, Samples> start = snapshot(changing);
    const bool wasDry = dry_;
    dry_ = true;
    auto advance = [&] {
      if (!onlyIncrement && mayTry())
        inTry(body);
      if (increment)
        statement(increment);
    };
    const double rounds = spins(s) ? 1 : s.value ? roundsFrom(s, advance) : guessedRounds;
    restore(start);
    advance();
    const std::map<const Var *, Samples> next = snapshot(changing);
    dry_ = wasDry;
    restore(start);
    const std::size_t point = nextPoint();
    for (const Var *v : changing) {
      auto from = start.find(v);
      auto to = next.find(v);
      if (from == start.end() || to == next.end())
        continue;
      Samples stepped = from->second;
      stepped.at[point] = to->second.at[Samples::base];
      values_.set(v, stepped);
    }
    const double longerBefore = longer_;
    if (s.value && itemDepth_ > 0 && !plan_.target->itemsAreLoops)
      longer_ *= data_.longest(s.value, values_, nest_, costs_.lanes);
    const bool shortOne = plan_.target->itemsAreLoops && isShort(s);
    const bool jammed = s.unroll >= completely && rounds <= s.unroll;
    const bool inJammed =
        jammed && !plan_.target->itemsAreLoops && !nest_.empty() && nest_.back().jammed;
    // Rounds of a loop around elements in lanes are taken together, so many at a time.
    const double together = s.sideBySide && hasElementsInLanes(body)
                                ? std::min<double>(std::max(s.unroll, 1U), rounds)
                                : 1;
    nest_.push_back({Walk::Kind::Loop, rounds, point, false, 1, shortOne, jammed, together, &s});
    if (s.unroll < 2 && !shortOne)
      turning_.insert(changing.begin(), changing.end());
    const double before = times_;
    const unsigned unrolledBefore = unrolled_;
    const unsigned lanesBefore = lanes_;
    const Share part(*this, entered);
    const bool isKnown =
        s.value && s.value->kind == ExprKind::Binary && s.value->args[1]->kind == ExprKind::Literal;
    if (!dry_ && plan_.target->itemsAreLoops && !isKnown && !jammed && s.lanes <= 1)
      wait(cyclesOfLoops);
    times_ *= rounds;
    const double inFlightRounds =
        hasAtomic(body) ? 1 : rounds; // nothing is loaded before what another round adds to
    const double roundsBefore = std::exchange(rounds_, inFlightRounds);
    const double operationsBefore = std::exchange(roundOperations_, operationsIn(body));
    unrolled_ = static_cast<unsigned>(std::max(1.0, std::min<double>(s.unroll, inFlightRounds))) *
                (inJammed ? unrolledBefore : 1);
    lanes_ = std::max(s.lanes, 1u);
    const auto waitedBefore = waiting_;
    const auto scalarBefore = scalar_;
    const Uneven unevenBefore = std::exchange(uneven_, {});
    const bool isAround = s.sideBySide && hasElementsInLanes(body);
    const bool hiddenBefore = std::exchange(together_, together_ || isAround);
    if (s.value && !shortOne && !jammed)
      operations(1);
    statement(body);
    if (!dry_ && plan_.target->itemsAreLoops)
      wait(dependentDivisions(s) * divisionOperations * costs_.operationCycles);
    arrive();
    if (s.lanes > 1)
      asVectors(waitedBefore);
    else if (!dry_ && s.sideBySide && !isAround)
      asElementsInLanes(rounds, waitedBefore);
    else if (!dry_ && packedSums_.contains(&s))
      asElementsInLanes(rounds, waitedBefore);
    else if (!dry_ && plan_.target->itemsAreLoops && !shortOne)
      asCompiled(s, rounds, waitedBefore, scalarBefore);
    uneven_ = uneven_.seenFrom(unevenBefore, shortOne);
    together_ = hiddenBefore;
    rounds_ = roundsBefore;
    roundOperations_ = operationsBefore;
    unrolled_ = unrolledBefore;
    lanes_ = lanesBefore;
    times_ = before;
    longer_ = longerBefore;
    if (s.unroll < 2 && !shortOne) {
      for (const Var *v : changing)
        turning_.erase(v);
    }
    nest_.pop_back();
    if (!s.value)
      return;
    for (const Var *v : changing) {
      auto from = start.find(v);
      auto to = next.find(v);
      const bool isCompared = contains(s.value, [&](const Expr &e) { return e.var.get() == v; });
      if (isCompared && from != start.end() && to != next.end())
        values_.set(v, afterRounds(from->second, to->second, rounds));
    }
  }

  /// Whether a round of a loop may be walked to see where its numbers go. The loops in it do the same.
  bool mayTry() {
    const bool may = tryDepth_ < deepestTry && tried_ < mostTried;
    prediction_.isCutShort |= !may;
    return may;
  }

  void inTry(const StmtPtr &body) {
    ++tryDepth_;
    statement(body);
    --tryDepth_;
  }

  /// What a number that goes by steps alike has come to, from where another loop may go on.
  static Samples afterRounds(const Samples &start, const Samples &next, double rounds) {
    Samples end = start;
    for (std::size_t i = 0; i < Samples::most; ++i)
      end.at[i] += std::floor(rounds) * (next.at[i] - start.at[i]);
    return end;
  }

  /// Whether compilers leave a loop around `s` as it is, which are the lanes of a CPU.
  bool hasLongLoop(const StmtPtr &s) const {
    bool found = false;
    forEach(s, [&](const Stmt &each) {
      if (each.kind == StmtKind::Parallel)
        found |= values_(each.value).at[Samples::base] > mostUnrolled;
      else
        found |= isLoop(each) && each.unroll < 2 && each.lanes < 2 && !isShort(each);
    });
    return found;
  }

  /// What a worker has done since `before` was done for as many at a time as a vector has lanes.
  void asVectors(const OfGroups &before) {
    for (std::size_t i = 0; !uneven_.inner && !dry_ && i < waiting_.size(); ++i)
      waiting_[i] = before[i] + (waiting_[i] - before[i]) / costs_.lanes;
  }

  /// The same for vectors of `rounds` rounds: what is left of them is done one by one.
  /// `done`: cycles of single rounds.
  void asVectors(double rounds, const OfGroups &before, const OfGroups &done) {
    const double whole = std::floor(rounds / costs_.lanes);
    const double left = rounds - whole * costs_.lanes;
    const double half = costs_.lanes / 2;
    const double pieces = whole + (left >= half ? 1 + (left - half) / 2 : left);
    for (std::size_t i = 0; i < waiting_.size(); ++i)
      waiting_[i] = std::min(waiting_[i], before[i] + done[i] * std::min(1.0, pieces / rounds));
  }

  /// Whether a loop in `s` is over elements that go side by side in lanes: rounds of a marked loop around it are taken
  /// together.
  static bool hasElementsInLanes(const StmtPtr &s) {
    bool found = false;
    forEach(s, [&](const Stmt &each) { found |= each.sideBySide; });
    return found;
  }

  /// The same for elements that each take long, side by side in lanes.
  void asElementsInLanes(double rounds, const OfGroups &before) {
    OfGroups done = waiting_;
    for (std::size_t i = 0; i < done.size(); ++i)
      done[i] -= before[i];
    asVectors(rounds, before, done);
  }

  /// What compilers make of a loop of one worker: vectors, of its rounds or of those of a loop around that they are the
  /// same in; or one round after the other.
  void asCompiled(const Stmt &s, double rounds, const OfGroups &before,
                  const OfGroups &scalarBefore) {
    const Stmt *inner = onlyLoopIn(s);
    OfGroups done = waiting_;
    for (std::size_t i = 0; i < done.size(); ++i)
      done[i] = inner ? scalar_[i] - scalarBefore[i] : waiting_[i] - before[i];
    if (!uneven_.inner && isSimple(s, inner))
      return asVectors(rounds, before, done);
    inChain(s, rounds, before);
  }

  /// The rounds of a loop wait for each other's results, but those of the next loop may begin meanwhile.
  void inChain(const Stmt &loop, double rounds, const OfGroups &before) {
    const double chain = together_ ? 0 : dependentOperations(loop) * costs_.operationCycles;
    for (std::size_t i = 0; chain > 0 && i < waiting_.size(); ++i) {
      const double entered = times_ / rounds * longer_ * active_.groups[i];
      const double cycles = waiting_[i] - before[i];
      if (entered <= 0)
        continue;
      const double loops =
          lookedAhead / std::max(1.0, cycles / entered * costs_.instructionsPerCycle);
      waiting_[i] = before[i] + std::max(cycles, entered * rounds * chain / std::max(1.0, loops));
    }
  }

  /// How far the two numbers that are compared are apart, from where the comparison holds no more.
  Samples gapOf(const Expr &comparison) const {
    const Samples from = values_(comparison.args[0]);
    Samples gap = values_(comparison.args[1]);
    const bool isWhole = isInteger(comparison.args[0]->type.scalar);
    const double past = !isWhole ? 0 : comparison.op == "<=" ? 1 : comparison.op == ">=" ? -1 : 0;
    for (std::size_t i = 0; i < Samples::most; ++i)
      gap.at[i] += past - from.at[i];
    return gap;
  }

  /// Whether two steps of one loop are the same but for how numbers as large as `gap` are rounded: those of a number that
  /// doubles are not, however far it has to go.
  static bool areAlike(double step, double nextStep, double gap) {
    return std::abs(step - nextStep) <
           std::max({1e-6, 1e-3 * std::abs(step), 1e-12 * std::abs(gap)});
  }

  /// Rounds until the loop's condition does not hold, `advance` being one; the mean of those who enter it.
  template <typename F> double roundsFrom(const Stmt &s, F &&advance) {
    const ExprPtr &c = s.value;
    if (c->kind == ExprKind::Binary && c->op == "&&")
      return roundsOfAll(c, advance);
    if (c->kind != ExprKind::Binary || !c->op.isComparison())
      return guessedRounds;
    const Samples entered = values_(c);
    const bool steady = !isJagged(c->args[0]) && !isJagged(c->args[1]);
    const Samples first = gapOf(*c);
    advance();
    const Samples second = gapOf(*c);
    advance();
    const Samples third = gapOf(*c);
    const double step = first.at[Samples::base] - second.at[Samples::base];
    const double nextStep = second.at[Samples::base] - third.at[Samples::base];
    if (areAlike(step, nextStep, first.at[Samples::base]))
      return step == 0 ? guessedRounds : meanRounds(entered, first, second, steady);
    double rounds = 2;
    for (; rounds < mostSimulated && spreadOf(values_(c)).most > 0; ++rounds)
      advance();
    return rounds;
  }

  /// The same where several conditions have to hold, the first of them that does not ending it.
  template <typename F> double roundsOfAll(const ExprPtr &all, F &&advance) {
    std::vector<ExprPtr> parts;
    const std::function<void(const ExprPtr &)> collect = [&](const ExprPtr &e) {
      if (e->kind == ExprKind::Binary && e->op == "&&")
        std::ranges::for_each(e->args, collect);
      else if (e->kind == ExprKind::Binary && e->op.isComparison())
        parts.push_back(e);
    };
    collect(all);
    const auto gaps = [&] {
      std::vector<Samples> found;
      for (const ExprPtr &part : parts)
        found.push_back(gapOf(*part));
      return found;
    };
    const Samples entered = values_(all);
    const std::vector<Samples> first = gaps();
    advance();
    const std::vector<Samples> second = gaps();
    advance();
    if (const std::vector<Samples> third = gaps(); !areProgressions(first, second, third))
      return simulatedRounds(first, gaps, advance);
    Samples rounds;
    for (std::size_t i = 0; i < Samples::most; ++i) {
      rounds.at[i] = entered.at[i] == 0 ? 0 : HUGE_VAL;
      for (std::size_t part = 0; part < parts.size(); ++part) {
        if (first[part].at[i] != second[part].at[i])
          rounds.at[i] = std::min(rounds.at[i], roundsOf(first[part].at[i], second[part].at[i]));
      }
      if (rounds.at[i] == HUGE_VAL)
        rounds.at[i] = guessedRounds;
    }
    return std::max(1.0, meanOf(rounds, active_, itemDepth_ > 0, inLaunch_));
  }

  /// Whether numbers that are compared, in three rounds, go by steps that are alike.
  static bool areProgressions(const std::vector<Samples> &first, const std::vector<Samples> &second,
                              const std::vector<Samples> &third) {
    for (std::size_t part = 0; part < first.size(); ++part) {
      const double from = first[part].at[Samples::base];
      const double next = second[part].at[Samples::base];
      if (!areAlike(from - next, next - third[part].at[Samples::base], from))
        return false;
    }
    return true;
  }

  /// Rounds, of which two are behind, until one of the gaps is on the other side.
  template <typename Gaps, typename F>
  static double simulatedRounds(const std::vector<Samples> &first, Gaps &&gaps, F &&advance) {
    double rounds = 2;
    const auto holds = [&](const Samples &before, const Samples &now) {
      return before.at[Samples::base] * now.at[Samples::base] > 0;
    };
    for (; rounds < mostSimulated && std::ranges::equal(first, gaps(), holds); ++rounds)
      advance();
    return rounds;
  }

  /// `steady`: they grow by as many from round to round of the loops around, if they do.
  double meanRounds(const Samples &entered, const Samples &first, const Samples &second,
                    bool steady) const {
    Samples rounds;
    Samples exact;
    for (std::size_t i = 0; i < Samples::most; ++i) {
      const bool moves = first.at[i] != second.at[i];
      rounds.at[i] = entered.at[i] == 0 ? 0
                     : moves            ? roundsOf(first.at[i], second.at[i])
                                        : guessedRounds;
      exact.at[i] = moves ? first.at[i] / (first.at[i] - second.at[i]) : 0;
    }
    double mean = meanOf(rounds, active_, itemDepth_ > 0, inLaunch_);
    for (const Around &each : nest_) {
      if (steady && isLaterRound(each))
        mean = meanOfProgression(
            mean, (exact.at[each.point] - exact.at[Samples::base]) / each.apart, each.count);
    }
    return std::max(1.0, mean);
  }

  /// Whether `each` has a sample that is a round further along a loop, at the same item and group.
  static bool isLaterRound(const Around &each) {
    return each.kind == Walk::Kind::Loop && each.point >= Samples::steps;
  }

  /// Whether a number goes by divisions, choices and the like from round to round of a loop around, so that two rounds do
  /// not tell how it goes on.
  bool isJagged(const ExprPtr &e) const {
    if (e->kind == ExprKind::Var)
      return jagged_.contains(e->var.get());
    const bool isSum =
        e->kind == ExprKind::Literal || e->kind == ExprKind::Cast ||
        (e->kind == ExprKind::Binary && (e->op == "+" || e->op == "-" || e->op == "*"));
    if (isSum)
      return std::ranges::any_of(e->args, [&](const ExprPtr &arg) { return isJagged(arg); });
    const Samples number = values_(e);
    return std::ranges::any_of(nest_, [&](const Around &each) {
      return isLaterRound(each) && number.at[each.point] != number.at[Samples::base];
    });
  }

  /// Of so many numbers that begin with `first` and grow by `step`, none of them below 0.
  static double meanOfProgression(double first, double step, double count) {
    const double before = step < 0 ? std::min(count, 1 - first / step) : count;
    return (first + step * (before - 1) / 2) * before / count;
  }

  static Samples opposite(Samples condition) {
    for (double &each : condition.at)
      each = each == 0;
    return condition;
  }

  /// Whether a condition holds: of a comparison of integers in the middle of the loops around, whose first rounds may be at
  /// an edge; of another one that is not the same in the first round, in the next.
  Samples inMostRounds(const ExprPtr &e) const {
    const bool isBoth = e->kind == ExprKind::Binary && (e->op == "&&" || e->op == "||");
    if (isBoth) {
      const Samples a = inMostRounds(e->args[0]);
      Samples both = inMostRounds(e->args[1]);
      for (std::size_t i = 0; i < Samples::most; ++i)
        both.at[i] =
            e->op == "&&" ? a.at[i] != 0 && both.at[i] != 0 : a.at[i] != 0 || both.at[i] != 0;
      return both;
    }
    const bool isOrder = e->kind == ExprKind::Binary &&
                         (e->op == "<" || e->op == "<=" || e->op == ">" || e->op == ">=");
    if (isOrder && isInteger(e->args[0]->type.scalar) && !isOfData(e)) {
      // Two rounds do not tell how a number goes on that is found by divisions.
      const bool isSteady = !isJagged(e->args[0]) && !isJagged(e->args[1]);
      return isSteady ? inMiddle(*e) : values_(e);
    }
    if (e->kind == ExprKind::Binary && e->op == "==" && takesTurns(e->args[0]))
      return Samples::all(1);
    const Samples holds = values_(e);
    for (const Around &each : nest_) {
      const bool hasMost = isLaterRound(each) && each.count > 2;
      if (hasMost && (holds.at[each.point] != 0) != (holds.at[Samples::base] != 0))
        return Samples::all(holds.at[each.point]);
    }
    return holds;
  }

  /// Whether a comparison holds in the middle of all loops around.
  Samples inMiddle(const Expr &comparison) const {
    Samples gap = gapOf(comparison);
    double shift = 0;
    for (const Around &each : nest_) {
      if (isLaterRound(each))
        shift += (gap.at[each.point] - gap.at[Samples::base]) / each.apart *
                 std::floor((each.count - 1) / 2);
    }
    const bool isAbove = comparison.op == "<" || comparison.op == "<=";
    for (double &each : gap.at)
      each = isAbove ? each + shift > 0 : each + shift < 0;
    return gap;
  }

  /// Whether a number is the rest of a division of one that changes with loops around: rounds take turns.
  bool takesTurns(const ExprPtr &e) const {
    if (e->kind == ExprKind::Cast)
      return takesTurns(e->args[0]);
    if (e->kind != ExprKind::Binary || e->op != "%")
      return false;
    const Samples number = values_(e->args[0]);
    return std::ranges::any_of(nest_, [&](const Around &each) {
      return isLaterRound(each) && number.at[each.point] != number.at[Samples::base];
    });
  }

  /// Whether a condition that does not hold in the first round of a loop around does in the next one.
  bool holdsLater(const Samples &condition) const {
    return std::ranges::any_of(nest_, [&](const Around &each) {
      return isLaterRound(each) && condition.at[each.point] != 0;
    });
  }

  std::map<const Var *, Samples> snapshot(const std::vector<const Var *> &vars) const {
    std::map<const Var *, Samples> kept;
    for (const Var *v : vars) {
      if (values_.knows(v))
        kept[v] = values_.all().at(v);
    }
    return kept;
  }

  void restore(const std::map<const Var *, Samples> &kept) {
    for (const auto &[var, value] : kept)
      values_.set(var, value);
  }

  void workers(const Stmt &s) {
    const Spread spread = spreadOf(values_(s.value));
    const double count = spread.most;
    if (count < 1 || nextPoint() + 2 >= Samples::most)
      return;
    const Role role = plan_.role(s.level);
    if (s.span == Span::One || role == Role::Host) {
      if (s.var)
        values_.set(s.var.get(), Samples::all(0));
      if (role == Role::Group && !inLaunch_)
        return launched(s, 1);
      const double before = activeItems_;
      const bool wasByOne = byOne_;
      const bool items = role == Role::Item || role == Role::Warp;
      if (items && !plan_.target->itemsAreLoops)
        activeItems_ = std::min(activeItems_, costs_.lanes); // the others of its warp wait
      byOne_ |= items;
      statement(s.children[0]);
      byOne_ = wasByOne;
      activeItems_ = before;
      return;
    }
    const Share part(*this, spread);
    distributed(s, role, count);
  }

  void distributed(const Stmt &s, Role role, double count) {
    switch (role) {
    case Role::Group:
      if (inLaunch_) { // those of a row
        launch_.groups *= count;
        return numbered(s, Walk::Kind::Groups, count, count);
      }
      return launched(s, count);
    case Role::Unroll: {
      // Chains of instructions do not wait for each other, nor do the rounds of the loop around that are
      // unrolled.
      const unsigned before = unrolled_;
      unrolled_ *= static_cast<unsigned>(std::max(count, 1.0));
      numbered(s, Walk::Kind::Loop, count, count, true);
      unrolled_ = before;
      return;
    }
    default: {
      if (plan_.target->itemsAreLoops) // one, over all of them
        return numbered(s, Walk::Kind::Items, count, count);
      const auto known = plan_.workers.find(s.level);
      const double workers =
          known == plan_.workers.end() ? count : values_(known->second).at[Samples::base];
      numbered(s, Walk::Kind::Items, std::min(count, std::max(1.0, workers)), count);
    }
    }
  }

  /// What one group goes on with when all have done their part: like a launch, but nothing starts it.
  void lastGroup(const StmtPtr &s) {
    if (dry_)
      return;
    end(true);
    begin(1);
    const std::vector<Around> nest = std::exchange(nest_, {});
    const Activity active = std::exchange(active_, {});
    statement(s);
    nest_ = nest;
    active_ = active;
    started_ = false;
  }

  /// A Parallel of groups that the host starts.
  void launched(const Stmt &s, double count) {
    end(false);
    begin(count);
    inLaunch_ = true;
    // Where groups are threads, a single one is the caller.
    started_ = s.span != Span::One || !plan_.target->itemsAreLoops;
    const double most =
        plan_.target->itemsAreLoops ? count : static_cast<double>(plan_.machine->code.launch);
    const double started = std::min(count, most); // neighbours are one thread's
    launch_.groups = started;
    if (s.var)
      numbered(s, Walk::Kind::Groups, started, count);
    else
      statement(s.children[0]);
    inLaunch_ = false;
    end(true);
    started_ = true;
    begin(1);
  }

  /// Workers side by side, in rounds where there are more elements than workers.
  void numbered(const Stmt &s, Walk::Kind kind, double workers, double elements,
                bool unrolled = false) {
    const double rounds = std::ceil(elements / workers);
    const bool areItems = kind == Walk::Kind::Items;
    const std::size_t point =
        areItems ? Samples::items + std::min(itemDepth_, Samples::itemDimensions - 1) : nextPoint();
    Samples number = Samples::all(0);
    if (kind == Walk::Kind::Groups) {
      for (std::size_t i = 0; i < Samples::groupsTried; ++i)
        number.at[Samples::groups + i] = Samples::groupTried(i, workers);
    }
    if (areItems) {
      number.at[Samples::middleItem] = std::floor((workers - 1) / 2);
      number.at[Samples::lastItem] = workers - 1;
      for (std::size_t i = 0; i < Samples::betweenTried; ++i)
        number.at[Samples::between + i] = Samples::itemTried(i, workers);
    }
    number.at[point] += 1;
    const std::size_t turns = areItems ? nextPoint() : point + 1;
    // Elements of rows, which items take in turns, lie one round apart as they do on average, not as the first two do.
    const double apart = areItems ? std::max(1.0, std::floor(rounds / 2)) : 1;
    if (rounds > 1)
      number.at[turns] += workers * apart;
    values_.set(s.var.get(), number);
    if (kind == Walk::Kind::Groups) {
      group_ = number;
      values_.setGroups(number, workers, point);
    }
    const bool loops = plan_.target->itemsAreLoops;
    const bool outermost = areItems && itemDepth_ == 0;
    const bool sequential = kind == Walk::Kind::Loop || (areItems && loops);
    nest_.push_back(
        {sequential ? Walk::Kind::Loop : kind, workers, point, outermost, 1, unrolled, false, 1, &s});
    if (rounds > 1)
      nest_.push_back({Walk::Kind::Loop, rounds, turns, false, apart, false, false, 1, &s});
    itemDepth_ += areItems ? 1 : 0;
    const double before = times_;
    arrive();
    times_ *= rounds * (sequential ? workers : 1);
    const double activeBefore = activeItems_;
    if (areItems && !loops) {
      if (outermost)
        wait(costs_.barrierSeconds * costs_.cyclesPerSecond); // before the next piece
      // Rows of items: those of a row count for each of the rows.
      activeItems_ = outermost ? std::max(workers, 1.0) : activeItems_ * workers;
    }
    const auto waitedBefore = waiting_;
    const Uneven unevenBefore = std::exchange(uneven_, {});
    const double operationsBefore = roundOperations_;
    if (sequential && !unrolled)
      roundOperations_ = operationsIn(s.children[0]);
    statement(s.children[0]);
    arrive();
    roundOperations_ = operationsBefore;
    if (areItems && loops && !hasLongLoop(s.children[0]))
      asVectors(waitedBefore);
    uneven_ = uneven_.seenFrom(unevenBefore, unrolled);
    activeItems_ = activeBefore;
    times_ = before;
    itemDepth_ -= areItems ? 1 : 0;
    if (rounds > 1)
      nest_.pop_back();
    nest_.pop_back();
  }

  // ------------------------------------------------------------------------
  // Expressions
  // ------------------------------------------------------------------------

  double meanWait() const {
    return std::accumulate(waiting_.begin(), waiting_.end(), 0.0) /
           static_cast<double>(waiting_.size());
  }

  /// Cycles on the way of a worker through its work.
  void wait(double cycles) {
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
      waiting_[i] += times_ * longer_ * active_.groups[i] * cycles;
      scalar_[i] += times_ * longer_ * active_.groups[i] * cycles;
    }
  }

  void operations(double count) {
    if (dry_)
      return;
    const double cycles = plan_.target->itemsAreLoops ? count / costs_.instructionsPerCycle
                                                      : count * costs_.operationCycles;
    wait(cycles);
    const double ofAll = times_ * longer_ * active_.share() * count * activeItems_ * launch_.groups;
    operations_ += ofAll;
    if (explains_)
      workAt_[here_] += ofAll;
  }

  void expression(const ExprPtr &e) {
    switch (e->kind) {
    case ExprKind::Index:
      access(*e, false);
      return;
    case ExprKind::Atomic:
      return atomic(*e);
    case ExprKind::Binary:
    case ExprKind::Select:
      operations(1);
      break;
    case ExprKind::Call:
      operations(e->callee == "min" || e->callee == "max" ? 1 : callOperations);
      break;
    default:
      break;
    }
    for (const ExprPtr &arg : e->args)
      expression(arg);
  }

  const Buffer *bufferOf(const Expr &element) const {
    const ExprPtr &array = element.args[0];
    return array->kind == ExprKind::Var ? plan_.bufferOf(array->var) : nullptr;
  }

  /// A last item that does not do what is walked says nothing of where it is done: items that follow each
  /// other up to the middle go on like that.
  Samples whereActive(Samples position) const {
    const auto items = std::ranges::find_if(nest_, &Around::items);
    if (items == nest_.end() || active_.items.back() > 0)
      return position;
    const double base = position.at[Samples::base];
    const double near = position.at[items->point] - base;
    if (position.at[Samples::middleItem] == base + near * std::floor((items->count - 1) / 2))
      position.at[Samples::lastItem] = base + near * (items->count - 1);
    return position;
  }

  /// Of a place, what the innermost loop moves: which of two numbers is the smaller or the larger one is asked anew in each
  /// of its rounds. The rest of a place is added up from round to round.
  double operationsOfExtremes(const ExprPtr &place) {
    if (nest_.empty())
      return 0;
    const auto moves = [&](const ExprPtr &argument) {
      return contains(argument, [&](const Expr &each) {
        if (each.kind != ExprKind::Var)
          return false;
        const Samples value = values_(varRef(each.var));
        return value.at[nest_.back().point] != value.at[Samples::base];
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

  /// How often a number is found in a register where it was read once: in loops around that are written out and do not
  /// move its place, which `walks` then have one round of. A vector loop reads it once for each of its vectors.
  double readAgain(const Samples &position, std::vector<Walk> &walks) const {
    double again = 1;
    for (std::size_t i = 0; i < nest_.size() && i < walks.size(); ++i) {
      const Around &around = nest_[nest_.size() - 1 - i];
      if (!around.jammed)
        break;
      if (position.at[around.point] != position.at[Samples::base])
        continue;
      const double lanes = around.statement ? std::max(around.statement->lanes, 1U) : 1;
      again *= plan_.target->itemsAreLoops ? std::max(1.0, around.count / lanes) : around.count;
      walks[walks.size() - 1 - i].count = 1;
    }
    for (const Around &around : nest_) {
      if (around.together > 1 && position.at[around.point] == position.at[Samples::base])
        again *= around.together;
    }
    return again;
  }

  /// Cycles that a core waits for a line which the nearest cache does not have any more when the next neighbour in it is asked
  /// for, or the next row of a tile asks for it again. Where data say what is next, it is in no row.
  double farCycles(const Expr &e, const std::vector<Walk> &walks, bool writes, double again) const {
    const Buffer *buffer = bufferOf(e);
    if (!plan_.target->itemsAreLoops || buffer->space != Space::Global || walks.empty() ||
        !data_.positions(e.args[1], values_).empty())
      return 0;
    const bool inVectors = lanes_ > 1 || together_;
    if (unrolled_ > 1 && !inVectors)
      return 0;
    // Blocks of vectors have all of a line at once: one line a round of the loop around them.
    std::size_t moving = 0;
    while (inVectors && moving + 1 < walks.size() && moving < nest_.size() &&
           nest_[nest_.size() - 1 - moving].jammed)
      ++moving;
    if (!outgrows(walks[walks.size() - 1 - moving], figures_.nearCache, costs_.transactionBytes))
      return 0;
    if (writes)
      return inVectors ? 0 : farStoreCycles;
    double neighbours = 1; // in the line, which rounds that are written out ask for
    for (std::size_t i = 0; i < moving; ++i) {
      const ir::Stmt *loop = nest_[nest_.size() - 1 - i].statement;
      const double stride = std::abs(walks[walks.size() - 1 - i].stride);
      if (loop && loop->lanes <= 1 && stride > 0 && stride < costs_.transactionBytes)
        neighbours *=
            std::min(walks[walks.size() - 1 - i].count, costs_.transactionBytes / stride);
    }
    return farLoadCycles / (again * neighbours);
  }

  /// Returns how many loads one after the other it takes.
  unsigned access(const Expr &e, bool writes) {
    if (dry_)
      return 0;
    unsigned before = 0;
    for (std::size_t i = 1; i < e.args.size(); ++i)
      before = std::max(before, subscript(e.args[i]));
    const Buffer *buffer = bufferOf(e);
    if (!buffer || e.args.size() != 2) {
      if (plan_.target->itemsAreLoops && isTurning(e))
        operations(writes ? 2 : 1); // what is written is read again soon
      return before;                // registers
    }
    if (buffer->space == Space::Local)
      locals_.insert(buffer);
    const auto element =
        static_cast<double>(byteSize(e.type.scalar == Scalar::Index ? Scalar::U64 : e.type.scalar));
    const Samples position = whereActive(values_(e.args[1]));
    std::vector<Walk> walks = walksOf(nest_, position, element, values_);
    double again = writes ? 1 : readAgain(position, walks);
    // Of scalars that are written out, a processor's registers hold few; vectors and packed rows are the passes' tiles.
    if (plan_.target->itemsAreLoops && lanes_ == 1 && !together_ && buffer->space != Space::Local)
      again = 1;
    operations((plan_.target->itemsAreLoops ? 1 : 1 + operationsOfExtremes(e.args[1])) / again);
    if (widened_.contains(&e))
      operations(1);
    if (plan_.target->itemsAreLoops && !walks.empty())
      noteUneven(e, position, element, walks);
    wait(farCycles(e, walks, writes, again));
    if (buffer->space != Space::Global && !writes) {
      localLoads_ = true;
      // What other lanes wrote as a vector is there when that vector is.
      if (plan_.target->itemsAreLoops && itemDepth_ > 0 && isShifted(position))
        wait(costs_.localCycles / 2);
    } else if (writes) {
      if (!plan_.target->itemsAreLoops)
        wait(costs_.localCycles / inFlight);
    } else if (!plan_.target->itemsAreLoops) {
      loads_ += 1 / again;
      inTurn_ = std::max(inTurn_, ++before);
    }
    const double count = buffer->count ? values_(buffer->count).at[Samples::base] : 0;
    if (buffer->space == Space::Global)
      accesses_.push_back(
          {buffer->var.get(), element * joinVectors(walks, element), count * element,
           position.at[Samples::base] * element, active_.share(), writes, std::move(walks),
           roundOperations_,
           explains_ ? std::optional(sourceOf(e, *buffer, position)) : std::nullopt});
    return before;
  }

  /// An access as the source has it, with the loops and workers along which its place is the same.
  AccessSource sourceOf(const Expr &e, const Buffer &buffer, const Samples &position) const {
    AccessSource source{buffer.var->name, e.location.valid() ? e.location : here_};
    for (const Around &each : nest_) {
      if (!each.statement || each.count < 2 ||
          position.at[each.point] != position.at[Samples::base])
        continue;
      const Stmt &s = *each.statement;
      const VarPtr &counter = s.kind == StmtKind::For && s.children[0] ? s.children[0]->var : s.var;
      source.again.push_back({counter ? counter->name : "", each.count,
                              each.kind == Walk::Kind::Loop && s.kind != StmtKind::Parallel});
    }
    return source;
  }

  /// Of vectors, neighbours are neighbours in memory, and their places do not depend on numbers that were divided or cut
  /// off to fewer bits; what is chosen is collected.
  void noteUneven(const Expr &e, const Samples &position, double element,
                  const std::vector<Walk> &walks) {
    const bool looksUp =
        contains(e.args[1], [](const Expr &each) { return each.kind == ExprKind::Index; });
    const auto isNext = [&](double stride) { return stride == 0 || stride == element; };
    const auto strideAlong = [&](const Around &around) {
      return std::abs(position.at[around.point] - position.at[Samples::base]) * element /
             around.apart;
    };
    const Around *loop = vectorLoop();
    const Around *outer = loop ? vectorLoop(loop) : nullptr;
    const double inner =
        !loop || loop == &nest_.back() ? std::abs(walks.back().stride) : strideAlong(*loop);
    const auto isBent = [&](const Around &around, BentNumbers::How of) {
      return bent_.has(e.args[1], around, of);
    };
    uneven_.inner |= looksUp || !isNext(inner) || (loop && isBent(*loop, BentNumbers::How::Cut));
    if (loop && isBent(*loop, BentNumbers::How::Any)) // collected one by one
      operations(bent_.operationsOf(e.args[1], *loop) + costs_.lanes / 2);
    uneven_.outer |= looksUp || !isNext(inner) || !outer || !isNext(strideAlong(*outer)) ||
                     isBent(*outer, BentNumbers::How::Any);
  }

  /// The loop around what is unrolled whose rounds or lanes a vector would be made of; or the next one around `inner`.
  const Around *vectorLoop(const Around *inner = nullptr) const {
    const auto from = inner ? nest_.rbegin() + (&nest_.back() - inner) + 1 : nest_.rbegin();
    const auto found = std::find_if(from, nest_.rend(), [](const Around &each) {
      return !each.unrolled && each.kind == Walk::Kind::Loop;
    });
    return found == nest_.rend() ? nullptr : &*found;
  }

  /// Whether a lane reads what is another one's.
  bool isShifted(const Samples &position) const {
    const auto items = std::ranges::find_if(nest_, &Around::items);
    return items != nest_.end() && position.at[items->point] - position.at[Samples::base] == 1 &&
           position.at[Samples::lastItem] != items->count - 1;
  }

  /// Whether an element of a worker's own array is another one in each round of a loop: registers have no numbers.
  bool isTurning(const Expr &element) const {
    return std::any_of(element.args.begin() + 1, element.args.end(), [&](const ExprPtr &subscript) {
      return contains(subscript, [&](const Expr &each) {
        return each.kind == ExprKind::Var && turning_.contains(each.var.get());
      });
    });
  }

  /// How many neighbours an item of a GPU accesses at once: the innermost loop goes from vector to vector.
  unsigned joinVectors(std::vector<Walk> &walks, double element) const {
    if (lanes_ == 1 || plan_.target->itemsAreLoops || walks.empty() ||
        walks.back().kind != Walk::Kind::Loop || walks.back().stride != element)
      return 1;
    walks.back().stride *= lanes_;
    walks.back().count = std::max(1.0, walks.back().count / lanes_);
    return lanes_;
  }

  /// Subscripts that are read from memory, or follow from what was; as access().
  unsigned subscript(const ExprPtr &e) {
    if (e->kind == ExprKind::Index)
      return access(*e, false);
    unsigned before = e->kind == ExprKind::Var && loaded_.contains(e->var.get()) ? 1 : 0;
    for (const ExprPtr &arg : e->args)
      before = std::max(before, subscript(arg));
    return before;
  }

  /// What has been loaded since the last time is there: all of it at once, but for what one load says of
  /// the next one, and as much as can be under way. What the group's own memory says is there at once, too.
  void arrive() {
    if (dry_)
      return;
    const double flight = std::max<double>(unrolled_, std::min(inFlight, rounds_));
    const double latencies = std::max(inTurn_ / flight, loads_ / plan_.machine->code.loadsInFlight);
    wait(costs_.memorySeconds * costs_.cyclesPerSecond * latencies);
    if (localLoads_ && !plan_.target->itemsAreLoops)
      wait(costs_.localCycles / flight);
    loads_ = 0;
    inTurn_ = 0;
    localLoads_ = false;
    loaded_.clear();
  }

  /// Notes where a number comes from that subscripts may be made of.
  void notes(const Var *var, const ExprPtr &value) {
    const bool reads = contains(value, [&](const Expr &each) {
      return each.kind == ExprKind::Index && bufferOf(each) &&
             bufferOf(each)->space == Space::Global;
    });
    if (!dry_ && reads && isInteger(var->type.scalar))
      loaded_.insert(var);
  }

  void atomic(const Expr &e) {
    if (dry_)
      return;
    for (std::size_t i = 1; i < e.args.size(); ++i)
      expression(e.args[i]);
    if (e.op == "await") {
      handedOver_ = true;
      inOrder_ = -meanWait();
    } else if (e.op == "publish" && handedOver_) {
      inOrder_ += meanWait();
    }
    if (!handedOver_ && (e.op == "load" || e.op == "store"))
      access(*e.args[0], e.op == "store");
    if (e.op == "await" || e.op == "publish" || e.op == "load" || e.op == "store")
      return;
    operations(1);
    if (e.args[0]->kind != ExprKind::Index)
      return;
    const Expr &target = *e.args[0];
    for (std::size_t i = 1; i < target.args.size(); ++i)
      subscript(target.args[i]);
    const Buffer *buffer = bufferOf(target);
    if (!buffer)
      return;
    // What was written arrives where all groups see it, then the number comes from there: twice half as
    // far as memory.
    if (buffer->countsGroups)
      wait(costs_.memorySeconds * costs_.cyclesPerSecond);
    const std::vector<Walk> walks = walksOf(nest_, values_(target.args[1]), 1, values_);
    double all = active_.share();
    double distinct = 1;
    for (const Walk &walk : walks) {
      all *= walk.count;
      distinct *= walk.stride == 0 ? 1 : walk.count;
    }
    const double elements = std::max(1.0, values_(buffer->count).at[Samples::base]);
    distinct = std::max(1.0, std::min(distinct, elements));
    const auto bytes = static_cast<double>(byteSize(target.type.scalar));
    const double lines = std::ceil(distinct * bytes / figures_.line);
    if (plan_.target->itemsAreLoops) {
      if (e.op == "min" || e.op == "max") {
        access(target, false);
        wait(missedCycles * missedShare);
        all = std::min(all, distinct) / 2;
      }
      atomicOfCore(*buffer, target.args[1], all, lines);
    }
    if (buffer->space == Space::Global) {
      launch_.atomics += all * costs_.atomicSeconds / std::min(lines, costs_.atomicsAtOnce);
    } else if (!plan_.target->itemsAreLoops) {
      // Those of a group meet in its memory; the units work side by side.
      const double clash = 1 + costs_.lanes / std::min(distinct, costs_.lanes * costs_.lanes);
      launch_.atomics += all / costs_.lanes * clash * costs_.localAtomicCycles /
                         costs_.cyclesPerSecond / std::min(figures_.units, launch_.groups);
    }
  }

  /// Whether an element's place depends on the number of its group, otherwise than by what stands in memory: then
  /// each has its own.
  bool isOfGroup(const ExprPtr &place) const {
    if (place->kind == ExprKind::Index || !inLaunch_)
      return false;
    if (place->kind == ExprKind::Var) {
      const Samples number = values_(place);
      const auto first = number.at.begin() + Samples::groups;
      return data_.positions(place, values_).empty() &&
             std::any_of(first, first + Samples::groupsTried,
                         [&](double each) { return each != *first; });
    }
    return std::ranges::any_of(place->args, [&](const ExprPtr &arg) { return isOfGroup(arg); });
  }

  /// An atomic operation of a CPU waits until its line is there, and begins nothing else before: where others
  /// have it, or where it is in no cache of the core's. A worker that runs its items as a loop does these one by one.
  /// Extremes look at what is there first; what an element is offered changes it seldom: half of them once, here.
  void atomicOfCore(const Buffer &buffer, const ExprPtr &place, double times, double lines) {
    const double cores = std::min(figures_.units, launch_.groups);
    launch_.atomics += times * costs_.localAtomicCycles / costs_.cyclesPerSecond / cores;
    if (buffer.space != Space::Global)
      return;
    const double others = isOfGroup(place) ? 0 : 1 - 1 / cores;
    const double far = 1 - std::min(1.0, figures_.ownCache / (lines * figures_.line));
    launch_.atomics +=
        times * std::max(others, far) * costs_.memorySeconds / std::min(lines, cores);
  }

  static constexpr unsigned deepestTry = 4; ///< loops that try a round, in each other's tries
  static constexpr std::size_t mostTried = 100000; ///< statements of all tries: a tenth of a second
  static constexpr unsigned completely = 64;       ///< rounds of loops over register tiles
  static constexpr double guessedRounds = 8;       ///< of a loop that nothing is known of
  static constexpr double mostSimulated = 64;      ///< rounds of a loop that is no progression
  static constexpr double farStoreCycles = 16; ///< of a line that the nearest cache does not have
  static constexpr double farLoadCycles = 4;
  static constexpr double cyclesOfLoops =
      6; ///< to begin and end one whose rounds the text does not tell
  static constexpr double missedCycles = 15; ///< of a branch that goes another way than foreseen
  static constexpr double missedShare = 0.5; ///< of branches that data decide
  static constexpr double equalShare = 0.25;
  static constexpr double lookedAhead = 256;  ///< instructions that a core has before it at once
  static constexpr double callOperations = 8; ///< of a function of mathematics
  static constexpr double operationsOfExtreme =
      4; ///< of two numbers of 64 bits: each half is compared and chosen
  static constexpr double divisionOperations = 4; ///< as long as so many, one after the other
  static constexpr double inFlight = 2;           ///< loads under way where no loop is unrolled

  const LoweredPlan &plan_;
  const bool explains_;
  SourceLocation here_; ///< of the statement that is walked, where somebody wants to know
  std::map<SourceLocation, double> workAt_; ///< operations of all workers
  const composer::Costs &costs_;
  MachineFigures figures_;
  SampledValues values_;
  BentNumbers bent_{values_};
  std::set<const Stmt *> packedSums_; ///< loops
  std::set<const Expr *> widened_;    ///< elements
  std::set<const Var *> jagged_;  ///< what isJagged says of
  std::set<const Var *> ofData_;  ///< what isOfData says of
  std::set<const Var *> numbers_; ///< arrays of one element, which is known
  NumbersOfData data_;
  Prediction prediction_;
  PredictedLaunch launch_;
  std::vector<PricedAccess> accesses_;
  std::set<const Buffer *> locals_; ///< local arrays of the launch
  OfGroups waiting_{};    ///< cycles of the worker that takes longest, of groups that are tried
  double operations_ = 0; ///< of all workers of all groups

  std::vector<Around> nest_;
  double times_ = 1;  ///< how often one worker does what is walked
  double longer_ = 1; ///< than so often goes on who waits for others whose data say more
  Activity active_;
  double activeItems_ = 1;
  std::set<const Var *> turning_; ///< numbers of loops around that are not unrolled
  unsigned unrolled_ = 1;
  double rounds_ = 1;            ///< of the innermost loop
  double roundOperations_ = 1;   ///< in each of these
  bool together_ = false;        ///< rounds of a loop around, which hide each other's latencies
  unsigned lanes_ = 1;           ///< rounds of the innermost loop that are one vector
  double loads_ = 0;             ///< of global memory, under way
  unsigned inTurn_ = 0;          ///< of these, each of which says where the next one is
  bool localLoads_ = false;      ///< of the memory of the group
  std::set<const Var *> loaded_; ///< numbers that have been loaded meanwhile
  bool dry_ = false;
  unsigned tryDepth_ = 0;
  std::size_t tried_ = 0; ///< statements
  bool inLaunch_ = false;
  Samples group_ = Samples::all(0); ///< the number of the group
  bool byOne_ = false;              ///< one item does it for its group
  std::size_t itemDepth_ = 0;       ///< dimensions of items around
  Uneven uneven_;
  OfGroups scalar_{};     ///< as waiting_, were no vectors made
  double hostRounds_ = 1; ///< around the launch at hand
  bool handedOver_ = false;
  double inOrder_ = 0;  ///< cycles from where a carry has come to where the next one goes
  bool started_ = true; ///< by the host, unless the last group goes on

  double itemsOfGroup_ = 1;
};

} // namespace

Prediction predict(const LoweredPlan &plan, const std::map<const Var *, double> &sizes,
                   bool explains) {
  return Walker(plan, sizes, explains).run();
}

} // namespace tangram::codegen
