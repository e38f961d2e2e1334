#include "composer/derive/nests_in_order.h"

#include "composer/derive/source_text.h"
#include "composer/derive/statements.h"
#include "composer/derive/updates.h"
#include "ir/unique_name.h"

#include <algorithm>
#include <map>
#include <set>

namespace tangram::composer {

namespace {

using algebra::Nest;
using ir::ExprKind;
using ir::ExprPtr;
using ir::Stmt;
using ir::StmtKind;
using ir::StmtPtr;
using ir::VarPtr;

/// Whether `s` and what is in it jumps out, declares arrays or is otherwise no statement of a compound codelet.
bool isPlain(const StmtPtr &s) {
  bool plain = true;
  ir::forEach(s, [&](const Stmt &each) {
    plain = plain && each.kind != StmtKind::Return && each.kind != StmtKind::Break &&
            each.kind != StmtKind::Continue && each.kind != StmtKind::Eval;
  });
  return plain;
}

class Splitter {
public:
  Splitter(const ir::Spectrum &spectrum, const ir::Codelet &codelet, const Nest &nest,
           const std::function<bool(const std::string &)> &isTaken)
      : spectrum_(spectrum), codelet_(codelet), nest_(nest), isTaken_(isTaken) {}

  std::optional<NestsInOrder> split() {
    result_.body = statements(codelet_.body, 1);
    return failed_ || (result_.spectrums.size() < 2 && !goesRound_) ? std::nullopt
                                                                    : std::optional(result_);
  }

private:
  std::string statements(const StmtPtr &s, unsigned indent) {
    if (!s || failed_)
      return "";
    switch (s->kind) {
    case StmtKind::Block: {
      std::string all;
      for (const StmtPtr &child : s->children)
        all += statements(child, indent);
      return all;
    }
    case StmtKind::Require:
      return "";
    case StmtKind::For:
      return loop(s, indent);
    case StmtKind::Decl:
      if (s->value && !s->var->extent && namesElements(s))
        return element(s, indent);
      break;
    case StmtKind::Assign:
      if (s->target->kind == ExprKind::Index)
        return nest(s, -1, indent);
      break;
    case StmtKind::Return:
      break;
    default:
      failed_ = true;
    }
    failed_ = failed_ || namesElements(s) || (s->var && s->var->extent);
    return failed_ ? "" : sourceOf(s, indent);
  }

  /// A number that is made of elements: what a spectrum returns.
  std::string element(const StmtPtr &s, unsigned indent) {
    MadeSpectrum made = spectrumOf(ir::returns(s->value, s->location), nullptr);
    made.spectrum.result = ir::scalarType(s->var->type.scalar);
    const std::string call = callOf(made);
    result_.spectrums.push_back(std::move(made));
    return indentation(indent) + sourceType(s->var->type) + " " + s->var->name + " = " + call +
           ";\n";
  }

  std::string loop(const StmtPtr &s, unsigned indent) {
    const int number = nest_.loopOf(*s);
    if (number < 0) {
      failed_ = true;
      return "";
    }
    if (isParallel(number) || !loopSums(nest_, number).why || !hasNests(s))
      return nest(s, number, indent);
    const std::size_t before = result_.spectrums.size();
    const std::string body = statements(s->children[2], indent + 1);
    if (failed_) { // it stays one nest
      failed_ = false;
      result_.spectrums.erase(result_.spectrums.begin() + static_cast<std::ptrdiff_t>(before),
                              result_.spectrums.end());
      return nest(s, number, indent);
    }
    goesRound_ = true;
    const std::string whole =
        sourceOf(ir::forLoop(s->children[0], s->value, s->children[1], ir::block({})), 0);
    return indentation(indent) + whole.substr(0, whole.find(" {\n}")) + " {\n" + body +
           indentation(indent) + "}\n";
  }

  /// Whether workers may share the rounds of the loop, which write containers.
  bool isParallel(int loop) const {
    return !algebra::whyNotApart(nest_, loop, true) &&
           std::ranges::any_of(nest_.accesses, [&](const algebra::NestAccess &access) {
             return access.writes && nest_.isIn(access.loop, loop);
           });
  }

  /// Whether a loop in `s` may be cut, so that it is worth to go round it.
  bool hasNests(const StmtPtr &s) const {
    bool found = false;
    ir::forEach(s->children[2], [&](const Stmt &each) {
      const int loop = each.kind == StmtKind::For ? nest_.loopOf(each) : -1;
      found |= loop >= 0 && isParallel(loop);
    });
    return found && isPlain(s->children[2]);
  }

  /// The call of a spectrum made of the nest.
  std::string nest(const StmtPtr &s, int number, unsigned indent) {
    std::vector<VarPtr> changed; // scalars of the codelet
    for (const algebra::NestChange &change : nest_.changes) {
      if (number >= 0 && nest_.isIn(change.loop, number) &&
          !nest_.isIn(change.declaredIn, number) &&
          std::ranges::find(changed, change.variable) == changed.end())
        changed.push_back(change.variable);
    }
    const LoopSums sums = number < 0 ? LoopSums{} : loopSums(nest_, number);
    if (!changed.empty() && (changed.size() > 1 || sums.why || !sums.single())) {
      failed_ = true;
      return "";
    }
    MadeSpectrum made = spectrumOf(s, changed.empty() ? nullptr : &sums.updates[0]);
    std::string call = callOf(made);
    result_.spectrums.push_back(std::move(made));
    if (!changed.empty())
      call = changed[0]->name + " = " + combined(sums.updates[0], changed[0]->name, call);
    return indentation(indent) + call + ";\n";
  }

  static std::string callOf(const MadeSpectrum &made) {
    return made.spectrum.name + "(" + argumentsOf(made.codelet.params) + ")";
  }

  /// `sum`: what the nest adds up and returns, or null.
  MadeSpectrum spectrumOf(const StmtPtr &s, const Update *sum) {
    std::set<const ir::Var *> declared;
    ir::forEach(s, [&](const Stmt &each) {
      if (each.kind == StmtKind::Decl)
        declared.insert(each.var.get());
    });
    const std::set<const ir::Var *> used = variablesIn(s);
    MadeSpectrum made;
    const std::string name = ir::uniqueName(spectrum_.name + "_nest", [&](const std::string &each) {
      return isTaken_(each) ||
             std::ranges::any_of(result_.spectrums, [&](const MadeSpectrum &other) {
               return other.spectrum.name == each;
             });
    });
    made.codelet.spectrum = made.spectrum.name = name;
    made.codelet.location = made.spectrum.location = codelet_.location;
    made.spectrum.result =
        ir::scalarType(sum != nullptr ? sum->variable->type.scalar : ir::Scalar::Void);
    std::map<const ir::Var *, VarPtr> params; // of locals around the nest
    addLocals(used, declared, sum, made, params);
    addParameters(used, writtenIn(s), made, params);
    const auto own = [&](const ExprPtr &e) {
      return ir::rewrite(e, [&](const ExprPtr &each) {
        const auto found =
            each->kind == ExprKind::Var ? params.find(each->var.get()) : params.end();
        return found == params.end() ? each : ir::varRef(found->second);
      });
    };
    std::vector<StmtPtr> body;
    for (const StmtPtr &requirement : requirementsOn(used))
      body.push_back(ir::mapExprs(requirement, own));
    if (sum != nullptr) {
      auto identity = std::make_shared<ir::Var>();
      identity->name = identityOf(*sum);
      identity->type = sum->variable->type;
      body.push_back(ir::declare(sum->variable, ir::varRef(identity)));
    }
    body.push_back(ir::mapExprs(s, own));
    if (sum != nullptr)
      body.push_back(ir::returns(ir::varRef(sum->variable)));
    made.codelet.body = ir::block(body);
    made.spectrum.params = made.codelet.params;
    return made;
  }

  /// The containers whose elements the nest writes.
  static std::set<const ir::Var *> writtenIn(const StmtPtr &s) {
    std::set<const ir::Var *> written;
    ir::forEach(s, [&](const Stmt &each) {
      if (each.kind == StmtKind::Assign && each.target->kind == ExprKind::Index)
        written.insert(each.target->args[0]->var.get());
    });
    return written;
  }

  /// Parameters of the codelet that the nest uses. A container that it reads alone is an input of it, so that parts of
  /// it may overlap.
  void addParameters(const std::set<const ir::Var *> &used,
                     const std::set<const ir::Var *> &written, MadeSpectrum &made,
                     std::map<const ir::Var *, VarPtr> &params) const {
    for (const VarPtr &param : codelet_.params) {
      if (!used.contains(param.get()))
        continue;
      made.codelet.params.push_back(param);
      if (!param->type.isContainer() || param->type.isConst || written.contains(param.get()))
        continue;
      auto input = std::make_shared<ir::Var>(*param);
      input->type.isConst = true;
      made.codelet.params.back() = params[param.get()] = input;
    }
  }

  /// Locals of the codelet that the nest reads are numbers that it is given.
  void addLocals(const std::set<const ir::Var *> &used, const std::set<const ir::Var *> &declared,
                 const Update *sum, MadeSpectrum &made, std::map<const ir::Var *, VarPtr> &params) {
    const auto add = [&](const VarPtr &var) {
      if (!used.contains(var.get()) || declared.contains(var.get()) || params.contains(var.get()) ||
          var->kind == ir::VarKind::Param || (sum != nullptr && var == sum->variable))
        return;
      if (var->extent) {
        failed_ = true;
        return;
      }
      auto param = std::make_shared<ir::Var>(*var);
      param->kind = ir::VarKind::Param;
      if (param->type.scalar == ir::Scalar::Index)
        param->type.scalar = ir::Scalar::U64;
      params[var.get()] = param;
      made.codelet.params.push_back(param);
    };
    ir::forEach(codelet_.body, [&](const Stmt &each) {
      if (each.kind == StmtKind::Decl)
        add(each.var);
    });
  }

  std::vector<StmtPtr> requirementsOn(const std::set<const ir::Var *> &used) const {
    std::vector<StmtPtr> all;
    for (const StmtPtr &s : codelet_.body->children) {
      if (s->kind == StmtKind::Require && !ir::contains(s->value, [&](const ir::Expr &e) {
            return e.kind == ExprKind::Var && !used.contains(e.var.get());
          }))
        all.push_back(s);
    }
    return all;
  }

  const ir::Spectrum &spectrum_;
  const ir::Codelet &codelet_;
  const Nest &nest_;
  const std::function<bool(const std::string &)> &isTaken_;
  NestsInOrder result_;
  bool goesRound_ = false;
  bool failed_ = false;
};

} // namespace

std::optional<NestsInOrder> nestsInOrder(const ir::Spectrum &spectrum, const ir::Codelet &codelet,
                                         const Nest &nest,
                                         const std::function<bool(const std::string &)> &isTaken) {
  return Splitter(spectrum, codelet, nest, isTaken).split();
}

} // namespace tangram::composer
