#include "composer/analysis/partition_check.h"

#include "composer/analysis/partition_check_candidates.h"
#include "composer/analysis/partition_check_evaluate.h"
#include "composer/analysis/small_cases.h"

#include <algorithm>
#include <map>
#include <set>

namespace tangram::composer {

namespace {

constexpr std::uint64_t mostElements = 4096; ///< of a container, and parts, of one case
constexpr std::size_t mostListed = 8;        ///< elements or parts named in a message

struct SequenceValue {
  std::uint64_t start = 0;
  std::uint64_t step = 0;
  std::uint64_t at(std::uint64_t i) const { return start + i * step; }
};

std::optional<SequenceValue> evaluate(const AffineSequence &sequence, const Environment &env) {
  auto start = evaluate(sequence.start, env);
  auto step = evaluate(sequence.step, env);
  if (!start || !step)
    return std::nullopt;
  return SequenceValue{static_cast<std::uint64_t>(*start), static_cast<std::uint64_t>(*step)};
}

using Parts = std::vector<std::vector<std::uint64_t>>;

struct Case {
  std::uint64_t size = 0;
  Parts parts;
  /// Elements each part has beyond the start of the next one, were the container endless; none when
  /// that differs from part to part.
  std::optional<std::int64_t> overlap;
};

/// The parts of one case; none when it is ruled out or cannot be computed.
std::optional<Case> partsOf(const PartitionCandidate &candidate, const Environment &env) {
  for (const ir::ExprPtr &guard : candidate.guards) {
    auto holds = evaluate(guard, env);
    if (!holds || *holds == 0)
      return std::nullopt;
  }
  auto size = evaluate(candidate.size, env);
  auto count = evaluate(candidate.count, env);
  auto start = evaluate(candidate.start, env);
  auto increment = evaluate(candidate.increment, env);
  auto end = evaluate(candidate.end, env);
  if (!size || !count || !start || !increment || !end)
    return std::nullopt;
  Case result{static_cast<std::uint64_t>(*size), {}, {}};
  if (start->step == end->step && increment->start == 1 && increment->step == 0)
    result.overlap = static_cast<std::int64_t>(end->start - start->start - start->step);
  if (result.size > mostElements || static_cast<std::uint64_t>(*count) > mostElements)
    return std::nullopt;
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(*count); ++i) {
    std::vector<std::uint64_t> &part = result.parts.emplace_back();
    std::uint64_t bound = std::min(end->at(i), result.size);
    std::uint64_t step = increment->at(i);
    for (std::uint64_t x = start->at(i); x < bound; x += step) {
      part.push_back(x);
      // A step of 0 would repeat x for ever; a step beyond the end must not wrap.
      if (step == 0)
        part.push_back(x);
      if (step == 0 || step >= result.size)
        break;
    }
  }
  return result;
}

PartitionCounterexample inspect(const Case &each) {
  PartitionCounterexample result;
  std::vector<unsigned> times(each.size, 0);
  for (const auto &part : each.parts) {
    for (std::uint64_t x : part)
      ++times[x];
  }
  for (std::uint64_t x = 0; x < each.size; ++x) {
    if (times[x] == 0)
      result.lost.push_back(x);
    else if (times[x] > 1)
      result.repeated.push_back(x);
  }
  return result;
}

/// Windows, which overlap and leave elements out as they say: of slide, and parts of windows that move by more than
/// one element.
bool isOfWindows(const ir::Expr &partition) {
  return partition.callee == "slide" || partition.callee == "strided";
}

/// What the cases of one partition have in common so far. Parts may reach as far into the next one as another
/// container is long: a filter, say.
class Halo {
public:
  Halo(const PartitionCandidate &candidate, bool possible) : possible(possible) {
    const ir::Expr *own = candidate.partition->args[0].get();
    for (const ir::ExprPtr &bound :
         {candidate.start.start, candidate.start.step, candidate.end.start}) {
      ir::forEach(bound, [&](const ir::Expr &e) {
        if (e.kind == ir::ExprKind::Size && e.args[0]->kind == ir::ExprKind::Var &&
            e.args[0]->var != own->var)
          others_.insert({e.args[0]->var.get(), e.integer});
      });
    }
  }

  /// Whether parts end before the next one begins where one of the others has no elements, so that nothing is needed.
  bool isOfNothing(const std::optional<std::int64_t> &overlap, const Environment &env) const {
    return possible && !others_.empty() && overlap && *overlap < 0 &&
           std::ranges::any_of(lengthsIn(env), [](std::int64_t length) { return length == 0; });
  }

  /// One more case; `overlap`: none where it differs from part to part.
  void meet(const std::optional<std::int64_t> &overlap, const Environment &env) {
    const std::vector<std::int64_t> lengths = lengthsIn(env);
    // Where the other one has an element or none, nothing is reached into.
    const std::int64_t least = others_.empty() ? 1 : 0;
    possible &= overlap && *overlap >= least &&
                overlaps_.emplace(lengths, *overlap).first->second == *overlap;
  }

  bool possible = false;         ///< an input, or windows; the overlaps are one
  std::uint64_t onlyRepeats = 0; ///< cases that are wrong for repeating alone

private:
  /// Of the others; -1: not known.
  std::vector<std::int64_t> lengthsIn(const Environment &env) const {
    std::vector<std::int64_t> lengths;
    for (const auto &other : others_) {
      const auto length = env.sizes.find(other);
      lengths.push_back(length == env.sizes.end() ? -1 : length->second);
    }
    return lengths;
  }

  std::set<std::pair<const ir::Var *, std::int64_t>> others_;
  std::map<std::vector<std::int64_t>, std::int64_t> overlaps_; ///< by the lengths of the others
};

/// Other partitions of one container, which may hold what one leaves out.
using Others = std::vector<const PartitionCandidate *>;

Others othersOf(const PartitionCandidate &candidate, const std::vector<PartitionCandidate> &all) {
  Others others;
  for (const PartitionCandidate &each : all) {
    const bool isOther = each.partition != candidate.partition &&
                         each.partition->integer == candidate.partition->integer &&
                         ir::sameExpr(each.partition->args[0], candidate.partition->args[0]);
    if (isOther)
      others.push_back(&each);
  }
  return others;
}

/// Leaves those of `elements` that no other partition has.
void leaveOut(const Others &others, const Environment &env, std::vector<std::uint64_t> &elements) {
  for (const PartitionCandidate *other : others) {
    const std::optional<Case> each = elements.empty() ? std::nullopt : partsOf(*other, env);
    if (!each)
      continue;
    for (const auto &part : each->parts) {
      const std::set<std::uint64_t> held(part.begin(), part.end());
      std::erase_if(elements, [&](std::uint64_t x) { return held.contains(x); });
    }
  }
}

void tryCase(const PartitionCandidate &candidate, const Others &others, const Environment &env,
             const SmallCases::Values &values, PartitionVerdict &verdict, Halo &halo) {
  std::optional<Case> each = partsOf(candidate, env);
  if (!each || halo.isOfNothing(each->overlap, env))
    return;
  ++verdict.cases;
  PartitionCounterexample found = inspect(*each);
  const bool onlyHalo = each->parts.empty() && each->overlap && halo.possible &&
                        *each->overlap >= static_cast<std::int64_t>(each->size);
  if (onlyHalo || isOfWindows(*candidate.partition))
    found.lost.clear(); // there is no window for what is left
  leaveOut(others, env, found.lost);
  halo.meet(each->overlap, env);
  if (found.lost.empty() && found.repeated.empty())
    return;
  ++verdict.wrong;
  halo.onlyRepeats += found.lost.empty() ? 1U : 0U;
  if (verdict.smallest)
    return;
  found.values = values;
  found.parts = std::move(each->parts);
  verdict.smallest = std::move(found);
}

PartitionVerdict judge(const ir::Codelet &codelet, const PartitionCandidate &candidate,
                       const Others &others, const PartitionTrial &trial) {
  PartitionVerdict verdict;
  verdict.partition = candidate.partition;
  if (candidate.partition->callee == "slice")
    return verdict; // says itself what it leaves out
  std::vector<ir::ExprPtr> expressions = candidate.expressions();
  for (const PartitionCandidate *other : others) {
    const std::vector<ir::ExprPtr> more = other->expressions();
    expressions.insert(expressions.end(), more.begin(), more.end());
  }
  const SmallCases cases(codelet, expressions, candidate.guards, trial);
  verdict.tried = cases.tried();
  const ir::Type &type = candidate.partition->args[0]->type;
  const bool mayOverlap = (type.isConst || isOfWindows(*candidate.partition)) && type.nest == 0;
  Halo halo(candidate, mayOverlap);
  cases.forEach([&](const Environment &env, const SmallCases::Values &values) {
    tryCase(candidate, others, env, values, verdict, halo);
  });
  if (halo.possible && halo.onlyRepeats == verdict.wrong) {
    verdict.wrong = 0;
    verdict.smallest.reset();
  }
  return verdict;
}

/// "6", "6 and 8", "6, 7 and 8", "0, 1, ... and 12 more".
std::string listed(const std::vector<std::uint64_t> &elements) {
  std::size_t shown = std::min(elements.size(), mostListed);
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) {
    bool isLast = i + 1 == elements.size();
    text += (i == 0 ? "" : isLast ? " and " : ", ") + std::to_string(elements[i]);
  }
  if (shown < elements.size())
    text += " and " + std::to_string(elements.size() - shown) + " more";
  return text;
}

std::string partsText(const Parts &parts) {
  std::string text;
  for (std::size_t i = 0; i < std::min(parts.size(), mostListed); ++i) {
    text += i == 0 ? "{" : ", {";
    std::size_t shown = std::min(parts[i].size(), mostListed);
    for (std::size_t j = 0; j < shown; ++j)
      text += (j == 0 ? "" : ", ") + std::to_string(parts[i][j]);
    text += shown < parts[i].size() ? ", ...}" : "}";
  }
  return parts.size() > mostListed ? text + ", ..." : text;
}

ir::Diagnostic warning(const PartitionVerdict &verdict, const PartitionCounterexample &example) {
  std::string values;
  for (const auto &[name, value] : example.values)
    values += (values.empty() ? "" : ", ") + name + " = " + std::to_string(value);
  if (values.empty())
    values = "it"; // every bound is a literal
  bool loses = !example.lost.empty();
  bool repeats = !example.repeated.empty();
  std::string what = loses && repeats ? "loses and repeats" : loses ? "loses" : "repeats";
  std::string text = "partition of '" + ir::toString(verdict.partition->args[0]) + "' " + what +
                     " elements: " + values;
  if (loses)
    text += " loses " + listed(example.lost);
  if (repeats)
    text += std::string(loses ? "," : "") + " repeats " + listed(example.repeated);
  ir::Diagnostic result = ir::warningAt(verdict.partition->location, text);
  std::string parts =
      example.parts.empty() ? "there are no parts" : "the parts are " + partsText(example.parts);
  result.notes.push_back(ir::noteAt({}, parts));
  if (!verdict.tried.empty())
    result.notes.push_back(ir::noteAt({}, "wrong in " + std::to_string(verdict.wrong) + " of the " +
                                              std::to_string(verdict.cases) + " cases tried (" +
                                              verdict.tried + ")"));
  return result;
}

} // namespace

std::vector<PartitionVerdict> checkPartitions(const ir::Codelet &codelet,
                                              const std::vector<ir::ExprPtr> &contracts,
                                              const PartitionTrial &trial) {
  std::vector<PartitionVerdict> verdicts;
  const std::vector<PartitionCandidate> candidates = partitionCandidates(codelet, contracts);
  for (const PartitionCandidate &candidate : candidates) {
    PartitionVerdict alone = judge(codelet, candidate, {}, trial);
    const Others others = othersOf(candidate, candidates);
    const bool loses = alone.smallest && !alone.smallest->lost.empty();
    verdicts.push_back(loses && !others.empty() ? judge(codelet, candidate, others, trial)
                                                : std::move(alone));
  }
  return verdicts;
}

ir::Diagnostics partitionWarnings(const ir::Codelet &codelet,
                                  const std::vector<ir::ExprPtr> &contracts) {
  ir::Diagnostics warnings;
  for (const PartitionVerdict &verdict : checkPartitions(codelet, contracts)) {
    if (verdict.smallest)
      warnings.push_back(warning(verdict, *verdict.smallest));
  }
  return warnings;
}

} // namespace tangram::composer
