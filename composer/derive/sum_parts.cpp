#include "composer/derive/sum_parts.h"

#include "composer/derive/blocks.h"
#include "composer/derive/loop_form.h"
#include "composer/derive/loop_parts.h"
#include "composer/derive/result_sum.h"
#include "composer/derive/source_text.h"
#include "composer/derive/statements.h"
#include "ir/unique_name.h"

#include <algorithm>
#include <set>

namespace tangram::composer {

namespace {

using algebra::Nest;
using algebra::NestLoop;
using ir::ExprKind;
using ir::ExprPtr;
using ir::StmtKind;
using ir::StmtPtr;
using ir::VarPtr;

/// Rounds that a part has at least, so that what it stores is little beside what it reads: where lanes share a sum along
/// rows, and where each worker has a sum of its own.
constexpr std::uint64_t roundsOfLanes = 8192, roundsOfWorker = 256;
/// Loops of one sum that parts are made of.
constexpr std::size_t mostLoops = 2;

/// One result of a part: a variable of an update, or whether a minimum of the last place has been found at all.
struct Result {
  VarPtr variable;
  std::size_t update;
  VarPtr part;      ///< parameter of `f_part`
  VarPtr container; ///< of all parts, in `f_combined` and in the codelet
};

class PartsMaker {
public:
  PartsMaker(const ir::Spectrum &spectrum, const ir::Codelet &codelet, const Nest &nest,
             const std::vector<BlockedLoop> &blocked, ResultSum sum,
             const std::function<bool(const std::string &)> &isTaken)
      : spectrum_(spectrum), codelet_(codelet), nest_(nest), sum_(std::move(sum)),
        isTaken_(isTaken), fresh_(codelet.params, codelet.body) {
    for (const StmtPtr &loop : sum_.loops)
      around_.push_back(*blockedAt(*loop, nest, blocked));
  }

  std::optional<SumParts> make() {
    if (!isUnderstood())
      return std::nullopt;
    makeResults();
    const MadeSpectrum part = partSpectrum();
    made_.combined = combinedSpectrum();
    cut(part);
    if (made_.codelets.empty())
      return std::nullopt;
    return std::move(made_);
  }

private:
  bool isVariable(const ir::Var *var) const {
    return std::ranges::any_of(sum_.updates, [&](const Update &update) {
      return std::ranges::any_of(update.variables(),
                                 [&](const VarPtr &each) { return each.get() == var; });
    });
  }

  /// Whether each loop around goes over all of a dimension of what it writes, and all variables of the sum are declared
  /// before it.
  bool isUnderstood() const {
    for (const BlockedLoop &loop : around_) {
      if (!nest_.loops[static_cast<std::size_t>(loop.loop)].first.isZero() ||
          !isWhole(nest_, loop.loop, loop.written))
        return false;
    }
    for (const Update &update : sum_.updates) {
      for (const VarPtr &var : update.variables()) {
        if (std::ranges::none_of(sum_.before, [&](const StmtPtr &s) { return s->var == var; }))
          return false;
      }
    }
    return around_.size() < 4;
  }

  /// The statements before the loop that declare what these names need, in order.
  std::vector<StmtPtr> neededFor(std::set<const ir::Var *> wanted) const {
    std::vector<StmtPtr> needed;
    for (auto s = sum_.before.rbegin(); s != sum_.before.rend(); ++s) {
      if (!wanted.contains((*s)->var.get()))
        continue;
      needed.insert(needed.begin(), *s);
      wanted.merge(variablesIn(*s));
    }
    return needed;
  }

  static VarPtr container(const std::string &name, ir::Scalar scalar, std::size_t rank,
                          bool isConst) {
    auto made = std::make_shared<ir::Var>();
    made->name = name;
    made->type = {scalar == ir::Scalar::Index ? ir::Scalar::U64 : scalar,
                  static_cast<unsigned>(rank), 0, isConst, 1};
    made->kind = ir::VarKind::Param;
    return made;
  }

  void makeResults() {
    const std::size_t rank = std::max<std::size_t>(1, around_.size());
    const auto add = [&](const VarPtr &var, std::size_t update) {
      results_.push_back(
          {var, update, container(fresh_(var->name + "_part"), var->type.scalar, rank, false),
           container(fresh_(var->name + "_parts"), var->type.scalar, rank + 1, true)});
    };
    for (std::size_t i = 0; i < sum_.updates.size(); ++i) {
      const Update &update = sum_.updates[i];
      for (const VarPtr &var : update.variables())
        add(var, i);
      if (update.places.empty() || !update.isLast)
        continue;
      auto found = std::make_shared<ir::Var>();
      found->name = fresh_(update.variable->name + "_found");
      found->type = ir::scalarType(ir::Scalar::I32);
      add(found, i);
    }
  }

  const VarPtr &counterOf(std::size_t loop) const {
    return nest_.loops[static_cast<std::size_t>(around_[loop].loop)].counter;
  }

  /// The subscripts of a result.
  std::vector<ExprPtr> place() const {
    std::vector<ExprPtr> subscripts;
    for (std::size_t i = 0; i < around_.size(); ++i)
      subscripts.push_back(ir::varRef(counterOf(i)));
    if (subscripts.empty())
      subscripts.push_back(ir::intLiteral(0));
    return subscripts;
  }

  /// `body` in the loops around, whose ends are these.
  StmtPtr inLoops(std::vector<StmtPtr> body, const std::function<ExprPtr(std::size_t)> &end) const {
    StmtPtr made = ir::block(std::move(body));
    for (std::size_t i = around_.size(); i-- > 0;) {
      auto copy = std::make_shared<ir::Stmt>(*sum_.loops[i]);
      copy->value = ir::binary("<", ir::varRef(counterOf(i)), end(i));
      copy->children[2] = made;
      made = ir::block({copy});
    }
    std::vector<StmtPtr> all = sum_.outside;
    all.push_back(made);
    return ir::block(all);
  }

  /// The codelet with more parameters, and with requirements about the sizes of results as `of` rewrites them.
  ir::Codelet withParameters(const std::vector<VarPtr> &more, const std::vector<ExprPtr> &required,
                             const std::function<ExprPtr(const ExprPtr &)> &of) const {
    ir::Codelet made = codelet_;
    made.params.insert(made.params.end(), more.begin(), more.end());
    std::vector<StmtPtr> requirements;
    for (const StmtPtr &s : codelet_.body->children) {
      if (s->kind == StmtKind::Require)
        requirements.push_back(ir::require(ir::rewrite(s->value, of), s->location));
    }
    for (const ExprPtr &each : required)
      requirements.push_back(ir::require(each));
    made.body = ir::block(requirements);
    return made;
  }

  /// The sum over whatever rounds its inputs have, stored for each result.
  MadeSpectrum partSpectrum() {
    std::vector<VarPtr> params;
    std::vector<ExprPtr> required;
    for (const Result &result : results_) {
      params.push_back(result.part);
      for (unsigned d = 0; d < result.part->type.rank && &result != &results_[0]; ++d)
        required.push_back(ir::binary("==", sizeOf(result.part, d), sizeOf(results_[0].part, d)));
    }
    if (around_.empty())
      required.push_back(ir::binary("==", sizeOf(results_[0].part, 0), ir::intLiteral(1)));
    const ir::Codelet from = withParameters(params, required, [&](const ExprPtr &e) -> ExprPtr {
      if (e->kind != ExprKind::Size || e->args[0]->kind != ExprKind::Var)
        return e;
      for (std::size_t i = 0; i < around_.size(); ++i) {
        if (around_[i].written.array == e->args[0]->var &&
            around_[i].written.dimension == e->integer)
          return sizeOf(results_[0].part, static_cast<unsigned>(i));
      }
      return e;
    });
    StmtPtr loop = sum_.loop;
    std::vector<StmtPtr> starts, stores;
    for (const Result &result : results_) {
      const Update &update = sum_.updates[result.update];
      const bool isFirst = result.variable == update.variable;
      starts.push_back(
          ir::declare(result.variable, isFirst ? named(identityOf(update), result.variable->type)
                                               : ir::intLiteral(0, result.variable->type.scalar)));
      stores.push_back(ir::assign(ir::index(ir::varRef(result.part), place()), "=",
                                  ir::varRef(result.variable)));
      if (!isVariable(result.variable.get()))
        loop = ir::withChildren(loop, {loop->children[0], loop->children[1],
                                       withMark(loop->children[2], update, result.variable,
                                                ir::intLiteral(1, ir::Scalar::I32))});
    }
    std::vector<StmtPtr> body;
    for (const StmtPtr &s : neededFor(variablesIn(loop))) {
      if (!isVariable(s->var.get()))
        body.push_back(s);
    }
    body.insert(body.end(), starts.begin(), starts.end());
    body.push_back(loop);
    body.insert(body.end(), stores.begin(), stores.end());
    return spectrumOf(ir::uniqueName(ir::identifierOf(spectrum_.name) + "_part", isTaken_), from,
                      inLoops(body, [&](std::size_t i) {
                        return sizeOf(results_[0].part, static_cast<unsigned>(i));
                      }));
  }

  /// What becomes of the parts of each result.
  MadeSpectrum combinedSpectrum() {
    std::vector<VarPtr> params;
    std::vector<ExprPtr> required;
    for (const Result &result : results_) {
      params.push_back(result.container);
      if (&result != &results_[0])
        required.push_back(
            ir::binary("==", sizeOf(result.container, 0), sizeOf(results_[0].container, 0)));
      for (unsigned d = 1; d < result.container->type.rank; ++d)
        required.push_back(ir::binary("==", sizeOf(result.container, d), extentOf(d - 1)));
    }
    const ir::Codelet from = withParameters(params, required, [](const ExprPtr &e) { return e; });
    auto number = std::make_shared<ir::Var>();
    number->name = fresh_("part");
    number->type = ir::scalarType(ir::Scalar::Index);
    std::vector<StmtPtr> round;
    for (std::size_t i = 0; i < sum_.updates.size(); ++i)
      round.push_back(combiningPart(i, number));
    std::set<const ir::Var *> wanted = variablesIn(ir::block(sum_.after));
    wanted.merge(variablesIn(ir::block(round)));
    std::vector<StmtPtr> body = neededFor(wanted);
    body.push_back(
        ir::forLoop(ir::declare(number, ir::intLiteral(0)),
                    ir::binary("<", ir::varRef(number), sizeOf(results_[0].container, 0)),
                    ir::assign(ir::varRef(number), "+=", ir::intLiteral(1)), ir::block(round)));
    body.insert(body.end(), sum_.after.begin(), sum_.after.end());
    MadeSpectrum made =
        spectrumOf(ir::uniqueName(ir::identifierOf(spectrum_.name) + "_combined", isTaken_), from,
                   inLoops(body, [&](std::size_t i) { return extentOf(i); }));
    made.spectrum.result = spectrum_.result;
    return made;
  }

  /// One part into the variables of an update.
  StmtPtr combiningPart(std::size_t update, const VarPtr &number) const {
    std::vector<ExprPtr> all, part;
    ExprPtr condition;
    for (const Result &result : results_) {
      if (result.update != update)
        continue;
      std::vector<ExprPtr> subscripts = place();
      subscripts.insert(subscripts.begin(), ir::varRef(number));
      const ExprPtr element = ir::index(ir::varRef(result.container), subscripts);
      if (!isVariable(result.variable.get())) {
        condition = ir::binary("!=", element, ir::intLiteral(0, ir::Scalar::I32));
        continue;
      }
      all.push_back(ir::varRef(result.variable));
      part.push_back(element);
    }
    return combining(sum_.updates[update], all, part, condition);
  }

  /// How many results there are along a loop around.
  ExprPtr extentOf(std::size_t loop) const {
    return loop < around_.size() ? roundsOf(around_[loop].written) : ir::intLiteral(1);
  }

  /// Codelets that cut the loops of the sum, and the spectrums of their parts.
  void cut(const MadeSpectrum &part) {
    const auto read = algebra::nestOf(part.codelet);
    const auto *own = std::get_if<Nest>(&read);
    const int first = static_cast<int>(around_.size());
    bool usesPart = false;
    for (int loop = first; own != nullptr && loop < static_cast<int>(own->loops.size()); ++loop) {
      auto each = summedLoop(*own, loop);
      const auto *found = std::get_if<BlockedLoop>(&each);
      if (found == nullptr || made_.codelets.size() == mostLoops ||
          own->loops[static_cast<std::size_t>(loop)].end.literal() ||
          sumsInside(*own, first, loop).why)
        continue;
      const LoopForm form = loopForm(part.spectrum, part.codelet, *own, {*found}, isTaken_);
      if (form.arguments.empty())
        usesPart = true;
      else
        made_.parts.push_back(ofForm(form));
      made_.codelets.push_back(codelet(form, *own, first));
      if (!form.arguments.empty())
        break; // another one would have the same name
    }
    if (usesPart)
      made_.parts.insert(made_.parts.begin(), part);
  }

  /// The spectrum of parts whose windows begin anywhere.
  MadeSpectrum ofForm(const LoopForm &form) const {
    MadeSpectrum made;
    std::vector<StmtPtr> body;
    for (const ExprPtr &condition : form.requirements)
      body.push_back(ir::require(condition));
    flatten(form.body, body);
    made.codelet.body = ir::block(body);
    made.codelet.params = made.spectrum.params = form.params;
    made.codelet.location = made.spectrum.location = codelet_.location;
    made.codelet.spectrum = made.spectrum.name = form.spectrum;
    made.spectrum.result = form.result;
    return made;
  }

  /// Whether neighbours in the rounds of a sum are neighbours in memory.
  static bool goesAlongRows(const Nest &own) {
    const algebra::Atom counter = own.loops.back().atom;
    return std::ranges::all_of(own.accesses, [&](const algebra::NestAccess &access) {
      const auto names = [&](const auto &place) { return place && place->mentions(counter); };
      return std::ranges::none_of(access.place, names) || names(access.place.back());
    });
  }

  DerivedCodelet codelet(const LoopForm &form, const Nest &own, int first) {
    const LoopForm::Loop &cut = form.loops.front();
    const NestLoop &loop = own.loops[static_cast<std::size_t>(cut.blocked.loop)];
    const std::string p = fresh_("p"), w = fresh_("w");
    const std::string rounds = naturalText(own, loop.end - loop.first);
    std::string results = "1", extents;
    for (std::size_t i = 0; i < around_.size(); ++i) {
      results = (i == 0 ? "" : results + " * ") + sourceOf(extentOf(i));
      extents += ", " + sourceOf(extentOf(i));
    }
    const std::string least = std::to_string(goesAlongRows(own) ? roundsOfLanes : roundsOfWorker);
    std::vector<int> summed;
    for (int each = first; each < static_cast<int>(own.loops.size()); ++each)
      summed.push_back(each);
    const std::string total = totalRounds(own, summed);
    std::string most = total + " / " + least;
    if (total != rounds)
      most = "min<unsigned long>(" + rounds + ", " + most + ")";
    const std::string tag = "derived_parts_" + cut.name;
    std::string text = "__codelet __tag(" + tag + ")" +
                       (isProduct(nest_, around_) ? " __env(opencl, cuda)" : "") + "\n" +
                       ir::spelling(spectrum_.result) + " " + spectrum_.name + "(" +
                       parametersOf(codelet_.params) + ") {\n  __tunable unsigned " + w +
                       " = choice(4194304, 1048576, 262144, 65536);\n  unsigned " + p +
                       " = max<unsigned long>(1, min<unsigned long>(" + most + ", " + w +
                       " / (1 + " + results + ")));\n";
    for (const Result &result : results_) {
      const ir::Type type = {result.container->type.scalar, result.container->type.rank, 0, false,
                             1};
      text += "  " + ir::spelling(type) + " " + result.container->name + "(" + p +
              (around_.empty() ? ", 1" : extents) + ");\n";
    }
    const auto resultOf = [&](const VarPtr &param) {
      const auto result = std::ranges::find(results_, param, &Result::part);
      return result == results_.end() ? nullptr : result->container;
    };
    text += "  map(" + form.spectrum + argumentsOfParts(form, own, p, resultOf) + ");\n  " +
            (spectrum_.result.scalar == ir::Scalar::Void ? "" : "return ") +
            made_.combined.spectrum.name + "(" + argumentsOf(made_.combined.codelet.params) +
            ");\n}\n";
    return {
        spectrum_.name,
        tag,
        text,
        {"loop " + cut.name + " is " + nameOf(sum_.updates[0].kind) + ", whose parts are combined",
         sum_.loop->location}};
  }

  const ir::Spectrum &spectrum_;
  const ir::Codelet &codelet_;
  const Nest &nest_;
  ResultSum sum_;
  const std::function<bool(const std::string &)> &isTaken_;
  FreshNames fresh_;
  std::vector<BlockedLoop> around_;
  std::vector<Result> results_;
  SumParts made_;
};

} // namespace

std::optional<SumParts> sumParts(const ir::Spectrum &spectrum, const ir::Codelet &codelet,
                                 const Nest &nest, const std::vector<BlockedLoop> &blocked,
                                 const std::function<bool(const std::string &)> &isTaken) {
  auto sum = resultSumOf(codelet, nest, blocked);
  if (!sum)
    return std::nullopt;
  return PartsMaker(spectrum, codelet, nest, blocked, std::move(*sum), isTaken).make();
}

} // namespace tangram::composer
