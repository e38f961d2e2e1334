#include "codegen/timing/cost.h"

#include "codegen/analysis/tunable_ranges.h"
#include "codegen/form/building.h"
#include "codegen/timing/accesses.h"
#include "codegen/timing/loops.h"
#include "codegen/timing/rounds.h"
#include "codegen/timing/worker_costs.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

// One walk through a kernel, in four parts that share its state (walk_state.h):
//
//   cost.cpp          launches, statements, loops and workers: who comes where how often
//   rounds            how many rounds a loop takes, and which conditions hold in most of them
//   accesses          expressions: which element of which array, and how its address goes along the loops around
//   worker_costs      what a processor's thread does with them (processor_costs), or a device's item (device_costs)
//
// At the end of a launch, launch_times prices its accesses and says which part of the machine takes longest.
namespace tangram::codegen {

using namespace ir;

namespace {

class Walker {
public:
  Walker(const LoweredPlan &plan, const std::map<const Var *, double> &sizes, bool explains)
      : state_(plan, sizes, explains),
        worker_(state_.itemsAreLoops ? processorCosts(state_, plan.body) : deviceCosts(state_)) {
    for (const auto &[level, workers] : plan.workers) {
      if (plan.role(level) != Role::Unroll)
        itemsOfGroup_ *= std::max(1.0, state_.values(workers).at[Samples::base]);
    }
    if (state_.itemsAreLoops)
      itemsOfGroup_ = 1;
    state_.activeItems = itemsOfGroup_;
  }

  Prediction run() {
    begin(1);
    statement(state_.plan.body);
    end(false);
    return std::move(prediction_);
  }

private:
  // ------------------------------------------------------------------------
  // Launches
  // ------------------------------------------------------------------------

  void begin(double groups) {
    state_.launch = {};
    state_.launch.groups = groups;
    state_.launch.items = itemsOfGroup_;
    state_.accesses.clear();
    state_.locals.clear();
    state_.waiting.fill(0);
    state_.scalar.fill(0);
    state_.operations = 0;
    state_.workAt.clear();
  }

  /// The launch is over; `started`: by the host, for groups.
  void end(bool started) {
    worker_->arrive();
    for (const Buffer *array : state_.locals)
      state_.launch.local += state_.values(elementsInGroup(state_.plan, *array)).at[Samples::base] *
                             static_cast<double>(byteSize(array->var->type.scalar));
    const Waiting waiting{state_.meanWait(), std::ranges::max(state_.waiting)};
    takeTimes(state_.launch, state_.accesses, waiting, state_.operations, state_.itemsAreLoops,
              state_.figures);
    for (const auto &[location, operations] : state_.workAt)
      state_.launch.accountOfWork.push_back({location, operations});
    accesses_.endLaunch();
    state_.launch.start = started && started_ ? state_.costs.launchSeconds : 0;
    state_.launch.times = hostRounds_;
    // What a host that only launches does is to find sizes.
    const bool nothing =
        !started && (state_.plan.target->hostOnlyLaunches || state_.accesses.empty());
    if (!nothing)
      prediction_.launches.push_back(state_.launch);
  }

  // ------------------------------------------------------------------------
  // Statements
  // ------------------------------------------------------------------------

  /// A scope that fewer workers are active in.
  class Share {
  public:
    Share(WalkState &state, const Spread &spread) : state_(state), before_(state.active) {
      state.active = spread.active;
    }
    ~Share() { state_.active = before_; }
    Share(const Share &) = delete;
    Share &operator=(const Share &) = delete;

  private:
    WalkState &state_;
    Activity before_;
  };

  void statement(const StmtPtr &s) {
    if (!s)
      return;
    tried_ += state_.dry ? 1 : 0;
    if (state_.explains && s->location.valid())
      state_.here = s->location;
    switch (s->kind) {
    case StmtKind::Block:
      for (const StmtPtr &child : s->children)
        statement(child);
      return;
    case StmtKind::Decl:
      if (!s->value)
        return;
      accesses_.expression(s->value);
      worker_->declare(s->var.get(), s->value);
      state_.data.assign(s->var.get(), s->value, state_.values);
      state_.values.set(s->var.get(), state_.values(s->value));
      if (rounds_.isJagged(s->value))
        state_.jagged.insert(s->var.get());
      if (state_.isOfData(s->value))
        state_.ofData.insert(s->var.get());
      return;
    case StmtKind::Assign:
      return assignment(*s);
    case StmtKind::Eval:
    case StmtKind::Return:
      if (s->value)
        accesses_.expression(s->value);
      return;
    case StmtKind::If: {
      if (state_.inLaunch && hasLastGroup(state_.plan, s->children[0]))
        return lastGroup(s->children[0]);
      accesses_.expression(s->value);
      worker_->branch(*s);
      const Samples holds = rounds_.shareOf(s->value);
      branch(s->children[0], worker_->seldom(*s, state_.spreadOf(holds)));
      if (s->children.size() > 1)
        branch(s->children[1], state_.spreadOf(holds.opposite()));
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

  void branch(const StmtPtr &s, Spread spread) {
    if (!s || spread.most <= 0)
      return;
    worker_->arrive();
    if (spread.firstGroupAlone) {
      spread.active.groups = {1};
      spread.active.part *=
          std::min(1.0, Samples::groupsTried / std::max(1.0, state_.launch.groups));
    }
    for (double &each : spread.active.groups)
      each *= std::min(1.0, spread.most);
    const Share part(state_, spread);
    statement(s);
    worker_->arrive();
  }

  /// The samples of an expression; of a condition, the share of rounds in which it holds.
  Samples valueOrShare(const ExprPtr &e) const {
    return e->type.scalar == Scalar::Bool ? rounds_.shareOf(e) : state_.values(e);
  }

  void assignment(const Stmt &s) {
    const Operator combined = s.op.withoutAssignment();
    accesses_.expression(s.value);
    const bool withProduct =
        combined == "+" && s.value->kind == ExprKind::Binary && s.value->op == "*";
    if (!combined.empty() && !withProduct) // which are one operation
      worker_->work(1);
    if (s.target->kind == ExprKind::Var) {
      if (isFloating(s.target->type.scalar))
        return;
      if (state_.isOfData(s.value))
        state_.ofData.insert(s.target->var.get());
      if (combined.empty())
        state_.data.assign(s.target->var.get(), s.value, state_.values);
      const Samples value = valueOrShare(s.value);
      state_.values.set(s.target->var.get(),
                        combined.empty() ? value
                                         : state_.values(binary(combined, s.target, s.value)));
      return;
    }
    if (s.target->kind == ExprKind::Index) {
      const ExprPtr &array = s.target->args[0];
      if (!isFloating(s.target->type.scalar) && array->kind == ExprKind::Var &&
          !state_.plan.bufferOf(array->var) && combined.empty())
        state_.values.setElement(array->var.get(), valueOrShare(s.value));
      keepNumber(*array, s);
      // Groups that count themselves begin in the order of their numbers.
      if (state_.inLaunch && s.value->kind == ExprKind::Atomic && s.value->op == "add" &&
          state_.byOne)
        state_.values.setElement(array->var.get(), state_.group);
      if (!combined.empty())
        accesses_.access(*s.target, false);
      accesses_.access(*s.target, true);
    }
  }

  /// What the host goes round for is in memory of one element: how many elements are left of those there were, say.
  void keepNumber(const Expr &array, const Stmt &assign) {
    const Buffer *buffer = array.kind == ExprKind::Var ? state_.plan.bufferOf(array.var) : nullptr;
    const Scalar type = assign.target->type.scalar;
    if (!buffer || !isLiteral(buffer->count, 1) || !isInteger(type) || byteSize(type) < 4 ||
        assign.op != "=" || state_.isOfData(assign.value))
      return;
    const Samples number = state_.values(assign.value);
    if (number.at[Samples::base] <= SampledValues::unknown)
      return;
    state_.values.setElement(array.var.get(), number);
    state_.numbers.insert(array.var.get());
  }

  /// Rounds of the host around launches: those of one round, so many times. A counted loop's round is the one in the middle.
  void aroundLaunches(const Stmt &s) {
    const StmtPtr &body = bodyOf(s);
    const StmtPtr increment = s.kind == StmtKind::For ? s.children[1] : nullptr;
    if (s.kind == StmtKind::For)
      statement(s.children[0]);
    double rounds = Rounds::guessed;
    if (increment && s.value && isCounted(s, carried(body))) {
      if (state_.spreadOf(state_.values(s.value)).most <= 0)
        return;
      std::map<const Var *, Samples> start = snapshot(carried(increment));
      rounds = rounds_.of(s, [&] { statement(increment); });
      restore(start);
      statement(increment);
      for (auto &[counter, middle] : start) {
        const Samples next = state_.values.all().at(counter);
        for (std::size_t i = 0; i < middle.at.size(); ++i)
          middle.at[i] += std::floor(rounds / 2) * (next.at[i] - middle.at[i]);
        state_.values.set(counter, middle);
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

  /// Variables of integers that a loop changes: what they are before it, and after a round of it.
  struct Course {
    std::vector<const Var *> changing;
    std::map<const Var *, Samples> start, next;
    double rounds = 1;
  };

  void loop(const Stmt &s) {
    if (!state_.inLaunch && hasWorkers(state_.plan, s.children.back(), Role::Group))
      return aroundLaunches(s);
    if (s.kind == StmtKind::For)
      statement(s.children[0]);
    const std::optional<Spread> entered = entering(s);
    if (!entered || state_.nextPoint() >= Samples::most)
      return;
    worker_->arrive();
    const Course course = courseOf(s);
    const std::size_t point = state_.nextPoint();
    forEachStep(course, [&](const Var *v, const Samples &from, const Samples &to) {
      Samples stepped = from;
      stepped.at[point] = to.at[Samples::base];
      state_.values.set(v, stepped);
    });
    const WalkState::Innermost before = state_.loop;
    walkRound(s, course, *entered, point);
    state_.loop = before;
    if (!s.value)
      return;
    forEachStep(course, [&](const Var *v, const Samples &from, const Samples &to) {
      const bool isCompared = contains(s.value, [&](const Expr &e) { return e.var.get() == v; });
      if (isCompared)
        state_.values.set(v, from.after(course.rounds, to));
    });
  }

  /// Who enters a loop; nothing: nobody does.
  std::optional<Spread> entering(const Stmt &s) {
    const Spread all{1, state_.active};
    if (!s.value || s.kind == StmtKind::DoWhile)
      return all;
    const Samples condition = state_.values(s.value);
    const Spread entered = state_.spreadOf(condition);
    if (entered.most > 0)
      return entered;
    if (rounds_.holdLater(condition))
      return all;
    if (state_.isOfData(s.value))
      accesses_.expression(s.value);
    return std::nullopt;
  }

  static const StmtPtr &bodyOf(const Stmt &loop) {
    return loop.children[loop.kind == StmtKind::For ? 2 : 0];
  }

  /// Rounds without their cost show where the numbers go.
  Course courseOf(const Stmt &s) {
    const StmtPtr &body = bodyOf(s);
    const StmtPtr increment = s.kind == StmtKind::For ? s.children[1] : nullptr;
    Course course;
    course.changing = carried(body);
    const bool onlyIncrement = increment && course.changing.empty();
    if (increment) {
      for (const Var *v : carried(increment))
        course.changing.push_back(v);
    }
    course.start = snapshot(course.changing);
    const bool wasDry = std::exchange(state_.dry, true);
    const auto advance = [&] {
      if (!onlyIncrement && mayTry())
        inTry(body);
      if (increment)
        statement(increment);
    };
    course.rounds = spins(s) ? 1 : s.value ? rounds_.of(s, advance) : Rounds::guessed;
    restore(course.start);
    advance();
    course.next = snapshot(course.changing);
    state_.dry = wasDry;
    restore(course.start);
    return course;
  }

  template <typename F> static void forEachStep(const Course &course, F &&function) {
    for (const Var *v : course.changing) {
      const auto from = course.start.find(v);
      const auto to = course.next.find(v);
      if (from != course.start.end() && to != course.next.end())
        function(v, from->second, to->second);
    }
  }

  /// Walks the body of a loop once, for all of its rounds. `point`: the sample of the next round.
  void walkRound(const Stmt &s, const Course &course, const Spread &entered, std::size_t point) {
    const StmtPtr &body = bodyOf(s);
    const double rounds = course.rounds;
    WalkState::Innermost &inner = state_.loop;
    if (s.value && state_.itemDepth > 0)
      inner.longer *= worker_->longest(s.value);
    const bool isShort = worker_->isUnrolled(s);
    const bool jammed = s.unroll >= completely && rounds <= s.unroll;
    const bool inJammed =
        jammed && !state_.itemsAreLoops && !state_.nest.empty() && state_.nest.back().jammed;
    // Rounds of a loop around elements in lanes are taken together, so many at a time.
    const bool holdsLanes = s.sideBySide && hasElementsInLanes(body);
    const double together = holdsLanes ? takenTogether(std::max(s.unroll, 1U), rounds) : 1;
    state_.nest.push_back(
        {Walk::Kind::Loop, rounds, point, false, 1, isShort, jammed, together, &s});
    const bool turns = s.unroll < 2 && !isShort;
    if (turns)
      state_.turning.insert(course.changing.begin(), course.changing.end());
    const Share part(state_, entered);
    worker_->enter(s, jammed);
    inner.times *= rounds;
    inner.rounds =
        hasAtomic(body) ? 1 : rounds; // nothing is loaded before what another round adds to
    inner.roundOperations = operationsIn(body);
    inner.unrolled =
        static_cast<unsigned>(std::max(1.0, std::min<double>(s.unroll, inner.rounds))) *
        (inJammed ? inner.unrolled : 1);
    inner.lanes = std::max(s.lanes, 1U);
    const WorkerCosts::Before before = worker_->begin();
    inner.together |= holdsLanes;
    if (s.value && !isShort && !jammed)
      worker_->work(1 / state_.rowsTogether());
    statement(body);
    worker_->endRound(s);
    worker_->arrive();
    worker_->end({s, rounds, isShort, holdsLanes}, before);
    if (turns) {
      for (const Var *v : course.changing)
        state_.turning.erase(v);
    }
    state_.nest.pop_back();
  }

  /// The average number of rounds taken together, if full groups of `count` rounds go together and the remaining rounds one by one.
  static double takenTogether(unsigned count, double rounds) {
    const double whole = std::floor(rounds / count);
    return rounds < count ? 1 : rounds / (whole + (rounds - whole * count));
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

  std::map<const Var *, Samples> snapshot(const std::vector<const Var *> &vars) const {
    std::map<const Var *, Samples> kept;
    for (const Var *v : vars) {
      if (state_.values.knows(v))
        kept[v] = state_.values.all().at(v);
    }
    return kept;
  }

  void restore(const std::map<const Var *, Samples> &kept) {
    for (const auto &[var, value] : kept)
      state_.values.set(var, value);
  }

  void workers(const Stmt &s) {
    const Spread spread = state_.spreadOf(state_.values(s.value));
    const double count = spread.most;
    if (count < 1 || state_.nextPoint() + 2 >= Samples::most)
      return;
    const Role role = state_.plan.role(s.level);
    if (s.span == Span::One || role == Role::Host) {
      if (s.var)
        state_.values.set(s.var.get(), Samples::all(0));
      if (role == Role::Group && !state_.inLaunch)
        return launched(s, 1);
      const double before = state_.activeItems;
      const bool wasByOne = state_.byOne;
      const bool items = role == Role::Item || role == Role::Warp;
      if (items && !state_.itemsAreLoops)
        state_.activeItems =
            std::min(state_.activeItems, state_.costs.lanes); // the others of its warp wait
      state_.byOne |= items;
      statement(s.children[0]);
      state_.byOne = wasByOne;
      state_.activeItems = before;
      return;
    }
    const Share part(state_, spread);
    distributed(s, role, count);
  }

  void distributed(const Stmt &s, Role role, double count) {
    switch (role) {
    case Role::Group:
      if (state_.inLaunch) { // those of a row
        state_.launch.groups *= count;
        return numbered(s, Walk::Kind::Groups, count, count);
      }
      return launched(s, count);
    case Role::Unroll: {
      // Chains of instructions do not wait for each other, nor do the rounds of the loop around that are
      // unrolled.
      const WalkState::Innermost before = state_.loop;
      state_.loop.unrolled *= static_cast<unsigned>(std::max(count, 1.0));
      numbered(s, Walk::Kind::Loop, count, count, true);
      state_.loop = before;
      return;
    }
    default: {
      if (state_.itemsAreLoops) // one, over all of them
        return numbered(s, Walk::Kind::Items, count, count);
      const auto known = state_.plan.workers.find(s.level);
      const double workers = known == state_.plan.workers.end()
                                 ? count
                                 : state_.values(known->second).at[Samples::base];
      numbered(s, Walk::Kind::Items, std::min(count, std::max(1.0, workers)), count);
    }
    }
  }

  /// What one group goes on with when all have done their part: like a launch, but nothing starts it.
  void lastGroup(const StmtPtr &s) {
    if (state_.dry)
      return;
    end(true);
    begin(1);
    const std::vector<Around> nest = std::exchange(state_.nest, {});
    const Activity active = std::exchange(state_.active, {});
    statement(s);
    state_.nest = nest;
    state_.active = active;
    started_ = false;
  }

  /// A Parallel of groups that the host starts.
  void launched(const Stmt &s, double count) {
    end(false);
    begin(count);
    state_.inLaunch = true;
    // Where groups are threads, a single one is the caller.
    started_ = s.span != Span::One || !state_.itemsAreLoops;
    const double most =
        state_.itemsAreLoops ? count : static_cast<double>(state_.plan.machine->code.launch);
    const double started = std::min(count, most); // neighbours are one thread's
    state_.launch.groups = started;
    if (s.var)
      numbered(s, Walk::Kind::Groups, started, count);
    else
      statement(s.children[0]);
    state_.inLaunch = false;
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
        areItems ? Samples::items + std::min(state_.itemDepth, Samples::itemDimensions - 1)
                 : state_.nextPoint();
    const std::size_t turns = areItems ? state_.nextPoint() : point + 1;
    // Elements of rows, which items take in turns, lie one round apart as they do on average, not as the first two do.
    const double apart = areItems ? std::max(1.0, std::floor(rounds / 2)) : 1;
    Samples number = kind == Walk::Kind::Groups  ? Samples::numberOfGroups(workers)
                     : kind == Walk::Kind::Items ? Samples::numberOfItems(workers)
                                                 : Samples::all(0);
    number.at[point] += 1;
    if (rounds > 1)
      number.at[turns] += workers * apart;
    state_.values.set(s.var.get(), number);
    if (kind == Walk::Kind::Groups) {
      state_.group = number;
      state_.values.setGroups(number, workers, point);
    }
    const bool outermost = areItems && state_.itemDepth == 0;
    const bool sequential = kind == Walk::Kind::Loop || (areItems && state_.itemsAreLoops);
    state_.nest.push_back({sequential ? Walk::Kind::Loop : kind, workers, point, outermost, 1,
                           unrolled, false, 1, &s});
    if (rounds > 1)
      state_.nest.push_back({Walk::Kind::Loop, rounds, turns, false, apart, false, false, 1, &s});
    state_.itemDepth += areItems ? 1 : 0;
    worker_->arrive();
    const WalkState::Innermost before = state_.loop;
    state_.loop.times *= rounds * (sequential ? workers : 1);
    const double activeBefore = state_.activeItems;
    if (outermost)
      worker_->beginItems();
    if (areItems &&
        !state_.itemsAreLoops) // Rows of items: those of a row count for each of the rows.
      state_.activeItems = outermost ? std::max(workers, 1.0) : state_.activeItems * workers;
    if (sequential && !unrolled)
      state_.loop.roundOperations = operationsIn(s.children[0]);
    const WorkerCosts::Before counted = worker_->begin();
    statement(s.children[0]);
    worker_->arrive();
    worker_->endWorkers(s.children[0], areItems, unrolled, counted);
    state_.activeItems = activeBefore;
    state_.loop = before;
    state_.itemDepth -= areItems ? 1 : 0;
    if (rounds > 1)
      state_.nest.pop_back();
    state_.nest.pop_back();
  }

  static constexpr unsigned deepestTry = 4; ///< loops that try a round, in each other's tries
  static constexpr std::size_t mostTried =
      20000; ///< statements of all tries: some hundredths of a second
  static constexpr unsigned completely = 64; ///< rounds of loops over register tiles

  WalkState state_;
  Rounds rounds_{state_};
  std::unique_ptr<WorkerCosts> worker_;
  AccessCosts accesses_{state_, *worker_};
  Prediction prediction_;
  unsigned tryDepth_ = 0;
  std::size_t tried_ = 0; ///< statements
  double hostRounds_ = 1; ///< around the launch at hand
  bool started_ = true;   ///< by the host, unless the last group goes on
  double itemsOfGroup_ = 1;
};

} // namespace

Prediction predict(const LoweredPlan &plan, const std::map<const Var *, double> &sizes,
                   bool explains) {
  return Walker(plan, sizes, explains).run();
}

} // namespace tangram::codegen
