#include "composer/analysis/window_check.h"

#include "composer/analysis/partition_check_candidates.h"
#include "composer/analysis/partition_check_evaluate.h"
#include "composer/analysis/small_cases.h"

#include <algorithm>
#include <optional>

namespace tangram::composer {

namespace {

constexpr std::uint64_t mostElements = 512; ///< of a map, in one case

using Numbers = std::vector<std::uint64_t>;

struct CutValue {
  unsigned dimension = 0;
  std::uint64_t count = 0;
  std::uint64_t start = 0, step = 0; ///< of parts
  std::uint64_t increment = 0, end = 0, endStep = 0;
  bool isStrided = false; ///< parts of windows that move by more than one element
};

/// An argument of a map, in one case.
struct ArgumentValue {
  bool isShared = false;
  Numbers extents;
  std::vector<CutValue> cuts;

  bool hasElements() const { return !isShared && !extents.empty(); }

  std::uint64_t count() const {
    if (cuts.empty())
      return extents.front();
    std::uint64_t product = 1;
    for (const CutValue &cut : cuts)
      product *= cut.count;
    return product;
  }

  /// Whether parts overlap, or have a step, so that they need not be next to each other.
  bool isOfWindows() const {
    return std::ranges::any_of(
        cuts, [](const CutValue &cut) { return cut.isStrided || cut.end > cut.start + cut.step; });
  }

  /// Extents of element number `i`.
  Numbers element(std::uint64_t i) const {
    if (isShared || extents.empty())
      return extents;
    if (cuts.empty())
      return {extents.begin() + 1, extents.end()};
    Numbers result = extents;
    for (auto cut = cuts.rbegin(); cut != cuts.rend(); ++cut) {
      const std::uint64_t number = i % cut->count;
      i /= cut->count;
      const std::uint64_t first = cut->start + number * cut->step;
      const std::uint64_t end = std::min(cut->end + number * cut->endStep, extents[cut->dimension]);
      result[cut->dimension] =
          end > first ? (end - first + cut->increment - 1) / cut->increment : 0;
    }
    return result;
  }
};

std::optional<ArgumentValue> valueOf(const MapArgument &argument, const Environment &env) {
  ArgumentValue result{argument.isShared, {}, {}};
  bool known = true;
  auto number = [&](const ir::ExprPtr &e) {
    const auto value = evaluate(e, env);
    known &= value && *value >= 0;
    return static_cast<std::uint64_t>(value.value_or(0));
  };
  for (const ir::ExprPtr &extent : argument.extents)
    result.extents.push_back(number(extent));
  for (const MapArgument::Cut &cut : argument.cuts) {
    result.cuts.push_back({cut.dimension, number(cut.count), number(cut.start.start),
                           number(cut.start.step), number(cut.increment.start),
                           number(cut.end.start), number(cut.end.step), cut.isStrided});
    known &= number(cut.increment.step) == 0 && result.cuts.back().increment > 0;
  }
  return known ? std::optional(result) : std::nullopt;
}

std::string nameOf(const ir::Expr &argument) {
  const ir::Expr *base = &argument;
  while (base->kind != ir::ExprKind::Var && !base->args.empty())
    base = base->args[0].get();
  return base->kind == ir::ExprKind::Var ? base->var->name : ir::toString(argument.args[0]);
}

/// What is wrong with a map over windows.
class Fit {
public:
  Fit(const ir::Program &program, const MapCandidate &map) : map_(map) {
    spectrum_ = program.spectrum(map.map->callee);
    if (spectrum_ && !spectrum_->codelets.empty())
      contracts_ = sizeContracts(*spectrum_, spectrum_->codelets.front());
  }

  /// Empty when nothing is, nothing when the case is ruled out or not over windows.
  std::optional<std::string> wrongIn(const Environment &env) const {
    for (const ir::ExprPtr &guard : map_.guards) {
      if (evaluate(guard, env) != 1)
        return std::nullopt;
    }
    std::vector<ArgumentValue> args;
    bool isOfWindows = false;
    for (const MapArgument &each : map_.args) {
      const auto value = valueOf(each, env);
      if (!value)
        return std::nullopt;
      args.push_back(*value);
      isOfWindows |= value->isOfWindows();
    }
    if (!isOfWindows || !spectrum_)
      return std::nullopt;
    std::string wrong = wrongIn(args);
    const auto results = map_.results ? evaluate(map_.results, env) : std::nullopt;
    if (wrong.empty() && results && static_cast<std::uint64_t>(*results) != countOf(args))
      wrong =
          std::to_string(countOf(args)) + " results for " + std::to_string(*results) + " elements";
    return wrong;
  }

private:
  std::string wrongIn(const std::vector<ArgumentValue> &args) const {
    std::optional<std::size_t> first;
    for (std::size_t k = 0; k < args.size(); ++k) {
      if (!args[k].hasElements())
        continue;
      if (first && args[k].count() != args[*first].count())
        return parts(args, *first) + ", and " + parts(args, k);
      first = first.value_or(k);
    }
    for (std::uint64_t i = 0; i < std::min(countOf(args), mostElements); ++i) {
      if (std::string wrong = wrongWith(args, i); !wrong.empty())
        return wrong;
    }
    return {};
  }

  /// Of elements of the map.
  static std::uint64_t countOf(const std::vector<ArgumentValue> &args) {
    const auto first = std::ranges::find_if(args, &ArgumentValue::hasElements);
    return first == args.end() ? 0 : first->count();
  }

  std::string parts(const std::vector<ArgumentValue> &args, std::size_t k) const {
    const std::uint64_t count = args[k].count();
    return std::to_string(count) + " part" + (count == 1 ? "" : "s") + " of '" +
           nameOf(*map_.map->args[k]) + "'";
  }

  std::string wrongWith(const std::vector<ArgumentValue> &args, std::uint64_t i) const {
    const ir::Codelet &callee = spectrum_->codelets.front();
    Environment env;
    bool writes = spectrum_->result.scalar != ir::Scalar::Void;
    for (std::size_t k = 0; k < args.size(); ++k) {
      const Numbers extents = args[k].element(i);
      for (std::size_t d = 0; d < extents.size(); ++d)
        env.sizes[{callee.params[k].get(), static_cast<std::int64_t>(d)}] =
            static_cast<std::int64_t>(extents[d]);
      writes |= callee.params[k]->type.isContainer() && !callee.params[k]->type.isConst &&
                std::ranges::find(extents, 0U) == extents.end();
    }
    for (const ir::ExprPtr &contract : contracts_) {
      if (writes && evaluate(contract, env) == 0)
        return "part " + std::to_string(i) + " has " + sizesIn(contract, env) + ", where '" +
               spectrum_->name + "' requires " + ir::toString(contract);
    }
    return {};
  }

  /// "in.size() = 3 and out.size() = 2"
  static std::string sizesIn(const ir::ExprPtr &contract, const Environment &env) {
    std::string text;
    ir::forEach(contract, [&](const ir::Expr &e) {
      if (e.kind != ir::ExprKind::Size)
        return;
      const auto found = env.sizes.find({e.args[0]->var.get(), e.integer});
      if (found != env.sizes.end())
        text += (text.empty() ? "" : " and ") + ir::toString(std::make_shared<const ir::Expr>(e)) +
                " = " + std::to_string(found->second);
    });
    return text;
  }

  const MapCandidate &map_;
  const ir::Spectrum *spectrum_ = nullptr;
  std::vector<ir::ExprPtr> contracts_;
};

} // namespace

ir::Diagnostics windowWarnings(const ir::Program &program, const ir::Codelet &codelet,
                               const std::vector<ir::ExprPtr> &contracts) {
  ir::Diagnostics warnings;
  for (const MapCandidate &map : mapCandidates(codelet, contracts)) {
    const Fit fit(program, map);
    const SmallCases cases(codelet, map.expressions(), map.guards);
    std::uint64_t tried = 0;
    std::uint64_t wrong = 0;
    std::string smallest;
    cases.forEach([&](const Environment &env, const SmallCases::Values &values) {
      const std::optional<std::string> found = fit.wrongIn(env);
      tried += found ? 1U : 0U;
      wrong += found && !found->empty() ? 1U : 0U;
      if (!found || found->empty() || !smallest.empty())
        return;
      for (const auto &[name, value] : values)
        smallest += (smallest.empty() ? "" : ", ") + name + " = " + std::to_string(value);
      smallest += (smallest.empty() ? "" : ": ") + *found;
    });
    if (wrong == 0)
      continue;
    warnings.push_back(ir::warningAt(map.map->location,
                                     "windows do not fit '" + map.map->callee + "': " + smallest));
    warnings.back().notes.push_back(ir::noteAt({}, "wrong in " + std::to_string(wrong) +
                                                       " of the " + std::to_string(tried) +
                                                       " cases tried (" + cases.tried() + ")"));
  }
  return warnings;
}

} // namespace tangram::composer
