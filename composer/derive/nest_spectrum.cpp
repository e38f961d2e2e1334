#include "composer/derive/nest_spectrum.h"

#include "composer/derive/container_parts.h"
#include "composer/derive/loop_form.h"
#include "composer/derive/source_text.h"
#include "composer/derive/statements.h"
#include "composer/derive/windows.h"
#include "ir/unique_name.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace tangram::composer {

namespace {

using algebra::Nest;
using algebra::Polynomial;
using ir::ExprKind;
using ir::ExprPtr;
using ir::Stmt;
using ir::StmtKind;
using ir::StmtPtr;
using ir::VarPtr;

class Maker {
public:
  Maker(const ir::Codelet &codelet, const Nest &nest, const NestStatement &of)
      : codelet_(codelet), nest_(nest), of_(of), used_(variablesIn(of.statement)),
        written_(writtenIn(of.statement)) {
    for (const VarPtr &param : codelet.params)
      taken_.insert(param->name);
    ir::forEach(codelet.body, [&](const Stmt &s) {
      if (s.var)
        taken_.insert(s.var->name);
      if (s.kind == StmtKind::Decl)
        locals_.push_back(s.var);
    });
    ir::forEach(of.statement, [&](const Stmt &s) {
      if (s.kind == StmtKind::Decl)
        own_.insert(s.var.get());
    });
  }

  std::optional<NestSpectrum> make(const std::string &name) {
    findParts();
    findShifts();
    findLengths();
    const StmtPtr body = own(of_.statement);
    std::vector<StmtPtr> statements = requirements();
    if (of_.sum != nullptr) {
      auto identity = std::make_shared<ir::Var>();
      identity->name = identityOf(*of_.sum);
      identity->type = of_.sum->variable->type;
      statements.push_back(ir::declare(of_.sum->variable, ir::varRef(identity)));
    }
    statements.push_back(body);
    if (of_.sum != nullptr)
      statements.push_back(ir::returns(ir::varRef(of_.sum->variable)));
    if (failed_)
      return std::nullopt;
    NestSpectrum made;
    made.hasParts = !parts_.empty();
    made.call = name + "(" + addParameters(made.made.codelet.params) + ")";
    made.made.codelet.body = ir::block(statements);
    made.made.codelet.spectrum = made.made.spectrum.name = name;
    made.made.codelet.location = made.made.spectrum.location = codelet_.location;
    made.made.spectrum.result = ir::scalarType(of_.result);
    made.made.spectrum.params = made.made.codelet.params;
    return made;
  }

private:
  struct Number {
    VarPtr param;
    std::string argument;
  };

  /// A counter of the spectrum is that of the codelet less `by`.
  struct Shift {
    const algebra::NestLoop *loop;
    Polynomial by;
  };

  /// A size of a part, known in the codelet.
  struct Length {
    ExprPtr size;
    Polynomial length;
    const algebra::NestLoop *along;
  };

  /// The containers whose elements the statement writes.
  static std::set<const ir::Var *> writtenIn(const StmtPtr &s) {
    std::set<const ir::Var *> written;
    ir::forEach(s, [&](const Stmt &each) {
      if (const ExprPtr target = targetOf(each); target && target->kind == ExprKind::Index)
        written.insert(target->args[0]->var.get());
    });
    return written;
  }

  bool isTaken(const std::string &name) const { return taken_.contains(name); }

  void findParts() {
    for (const VarPtr &param : codelet_.params) {
      if (!param->type.isContainer() || !written_.contains(param.get()))
        continue;
      for (ContainerPart &part :
           containerParts(nest_, of_.statement, of_.around, param,
                          [&](const std::string &each) { return isTaken(each); })) {
        taken_.insert(part.param->name);
        parts_.push_back(std::move(part));
      }
    }
  }

  bool isSplit(const ir::Var *array) const {
    return std::ranges::any_of(
        parts_, [&](const ContainerPart &part) { return part.array.get() == array; });
  }

  /// Counters of a nest that is given parts begin at 0, or at what other counters of it say: the parts do.
  void findShifts() {
    for (std::size_t at = 0; !parts_.empty() && at < nest_.loops.size(); ++at) {
      const algebra::NestLoop &loop = nest_.loops[at];
      if (!own_.contains(loop.counter.get()) || !loop.isCounted || loop.countsDown)
        continue;
      if (const auto first = leastIn(nest_, loop.first, static_cast<int>(at), of_.around))
        shifts_.push_back({&loop, *first});
    }
  }

  /// The sizes of parts, those of written ones first.
  void findLengths() {
    for (const bool written : {true, false}) {
      for (const ContainerPart &part : parts_) {
        for (unsigned d = 0; d < part.ranges.size() && part.isWritten == written; ++d) {
          if (part.isSized[d])
            lengths_.push_back({sizeOf(part.param, d), part.length(d), loopAlong(part, d)});
        }
      }
    }
  }

  /// The loop of the statement whose counter moves along a dimension of a part; null where none does.
  const algebra::NestLoop *loopAlong(const ContainerPart &part, unsigned d) const {
    for (const algebra::NestAccess &access : nest_.accesses) {
      if (!part.accesses.contains(access.expr) || !access.place[d])
        continue;
      for (const algebra::NestLoop &loop : nest_.loops) {
        if (own_.contains(loop.counter.get()) && access.place[d]->mentions(loop.atom))
          return &loop;
      }
    }
    return nullptr;
  }

  /// The size of a part that is `length`, of those along `loop` if there is one; null where no part has it.
  ExprPtr sizeOfLength(const Polynomial &length, const algebra::NestLoop *loop) const {
    const Length *found = nullptr;
    for (const Length &each : lengths_) {
      const bool isNearer = found == nullptr || (found->along != loop && each.along == loop);
      if (!length.literal() && each.length == length && isNearer)
        found = &each;
    }
    return found == nullptr ? nullptr : found->size;
  }

  /// A value by the counters of the spectrum.
  Polynomial shifted(Polynomial p) const {
    for (const Shift &shift : shifts_)
      p = p.with(shift.loop->atom, Polynomial::of(shift.loop->atom) + shift.by);
    return p;
  }

  const Shift *shiftOf(const ir::Var *counter) const {
    const auto found = std::ranges::find_if(
        shifts_, [&](const Shift &shift) { return shift.loop->counter.get() == counter; });
    return found == shifts_.end() ? nullptr : &*found;
  }

  StmtPtr own(const StmtPtr &s) {
    if (!s)
      return s;
    const Shift *shift = s->kind == StmtKind::For && s->children[0] && s->children[0]->var
                             ? shiftOf(s->children[0]->var.get())
                             : nullptr;
    if (shift != nullptr) {
      const algebra::NestLoop &loop = *shift->loop;
      return ir::forLoop(ir::declare(loop.counter, own(loop.first - shift->by)),
                         condition(loop, loop.end - shift->by), s->children[1], own(s->children[2]),
                         s->location);
    }
    auto copy = std::make_shared<Stmt>(*s);
    for (StmtPtr &child : copy->children)
      child = own(child);
    copy->value = own(s->value);
    copy->target = own(s->target);
    return copy;
  }

  /// counter < end, with nothing taken away from a number that could be less.
  ExprPtr condition(const algebra::NestLoop &loop, const Polynomial &end) {
    const ExprPtr counter = ir::varRef(loop.counter);
    if (const ExprPtr size = sizeOfLength(shifted(end), &loop))
      return ir::binary("<", counter, size);
    Polynomial added, taken;
    for (const auto &[monomial, coefficient] : end.terms())
      (coefficient > 0 ? added : taken)
          .addTerm(monomial, coefficient > 0 ? coefficient : -coefficient);
    return ir::binary("<", taken.isZero() ? counter : ir::binary("+", counter, own(taken)),
                      own(added));
  }

  bool isPartedSize(const ir::Expr &e) const {
    return e.kind == ExprKind::Size && isSplit(e.args[0]->var.get());
  }

  bool isNumber(const std::string &argument) const {
    return std::ranges::find(numbers_, argument, &Number::argument) != numbers_.end();
  }

  /// The expression with the spectrum's own parameters.
  ExprPtr own(const ExprPtr &e) {
    if (!e)
      return e;
    if (isPartedSize(*e))
      return ir::varRef(
          number(e, e->args[0]->var->name + "_size" + std::to_string(e->integer), sourceOf(e)));
    if (e->kind == ExprKind::Index) {
      for (const ContainerPart &part : parts_) {
        if (part.accesses.contains(e.get()))
          return element(e, part);
      }
    }
    if (e->kind == ExprKind::Var)
      return variable(e);
    std::vector<ExprPtr> args;
    for (const ExprPtr &arg : e->args)
      args.push_back(own(arg));
    return ir::withArgs(e, std::move(args));
  }

  /// A value by the counters of the codelet: the size of a part, where it is that.
  ExprPtr own(const Polynomial &p) {
    const Polynomial value = shifted(p);
    if (const ExprPtr size = sizeOfLength(value, nullptr))
      return size;
    const bool was = std::exchange(isShifted_, true);
    const ExprPtr e = own(nest_.facts.expression(value));
    isShifted_ = was;
    return e;
  }

  ExprPtr element(const ExprPtr &e, const ContainerPart &part) {
    const auto access = std::ranges::find(nest_.accesses, e.get(), &algebra::NestAccess::expr);
    std::vector<ExprPtr> args{ir::varRef(part.param)};
    for (std::size_t d = 0; d < part.ranges.size(); ++d) {
      const auto &place = access->place[d];
      args.push_back(place ? own(*place - part.ranges[d].first) : own(e->args[d + 1]));
    }
    return ir::withArgs(e, std::move(args));
  }

  ExprPtr variable(const ExprPtr &e) {
    const VarPtr &var = e->var;
    if (var->kind == ir::VarKind::Param && e->type.isContainer())
      return ir::varRef(container(var), e->location);
    if (const Shift *shift = isShifted_ ? nullptr : shiftOf(var.get()))
      return ir::cast(e->type.scalar, own(Polynomial::of(shift->loop->atom)));
    if (own_.contains(var.get()) || var->kind == ir::VarKind::Param ||
        (of_.sum != nullptr && var == of_.sum->variable) ||
        std::ranges::find(locals_, var) == locals_.end())
      return e;
    if (var->extent) {
      failed_ = true;
      return e;
    }
    if (const ExprPtr value = valueOfName(e))
      return ir::cast(e->type.scalar, own(value));
    return ir::varRef(number(e, var->name, var->name), e->location);
  }

  /// The value of a name that is made of sizes of containers that the statement uses; null for others.
  ExprPtr valueOfName(const ExprPtr &e) const {
    const bool isName =
        std::ranges::any_of(nest_.names, [&](const Stmt *name) { return name->var == e->var; });
    const Polynomial value = isName ? nest_.valueOf(e) : Polynomial();
    if (!isName || nest_.mentionsCounter(value))
      return nullptr;
    const ExprPtr expression = nest_.facts.expression(value);
    const bool isUsed = expression && !ir::contains(expression, [&](const ir::Expr &each) {
                          return each.kind == ExprKind::Var && !used_.contains(each.var.get());
                        });
    return isUsed ? expression : nullptr;
  }

  /// A container as the statement has it: one that it reads alone is an input, so that parts of it may overlap.
  VarPtr container(const VarPtr &param) {
    if (param->type.isConst || written_.contains(param.get()))
      return param;
    VarPtr &input = inputs_[param.get()];
    if (!input) {
      auto made = std::make_shared<ir::Var>(*param);
      made->type.isConst = true;
      input = made;
    }
    return input;
  }

  /// The parameter that is this number of the codelet, which is called so, and given as `argument`.
  VarPtr number(const ExprPtr &e, const std::string &name, const std::string &argument) {
    for (const Number &each : numbers_) {
      if (each.argument == argument)
        return each.param;
    }
    auto param = std::make_shared<ir::Var>();
    param->name =
        e->kind == ExprKind::Var
            ? name
            : ir::uniqueName(name, [&](const std::string &each) { return isTaken(each); });
    taken_.insert(param->name);
    param->type = ir::scalarType(e->type.scalar);
    if (e->kind == ExprKind::Var && e->type.scalar != ir::Scalar::Index)
      param->type = e->type;
    param->kind = ir::VarKind::Param;
    numbers_.push_back({param, argument});
    return param;
  }

  /// What the codelet requires of what the statement uses, and the sizes of parts. No number is a parameter for that
  /// alone.
  std::vector<StmtPtr> requirements() {
    std::vector<StmtPtr> all;
    for (const StmtPtr &s : codelet_.body->children) {
      if (s->kind == StmtKind::Require && !ir::contains(s->value, [&](const ir::Expr &e) {
            return (e.kind == ExprKind::Var && !used_.contains(e.var.get())) ||
                   (isPartedSize(e) && !isNumber(sourceOf(std::make_shared<ir::Expr>(e))));
          }))
        require(s, all);
    }
    for (const Length &each : lengths_) {
      const ExprPtr size = knownSize(each);
      if (!ir::sameExpr(size, each.size))
        all.push_back(ir::require(ir::binary("==", each.size, size), codelet_.location));
    }
    return all;
  }

  /// Adds a requirement of the codelet; what it says of the elements of a container it says of those of each part.
  void require(const StmtPtr &s, std::vector<StmtPtr> &all) {
    const StmtPtr made = ir::mapExprs(s, [&](const ExprPtr &e) { return own(e); });
    bool isOfParts = false;
    for (const ContainerPart &part : parts_) {
      const auto isArray = [&](const ir::Expr &e) {
        return e.kind == ExprKind::Var && e.var == part.array;
      };
      if (!ir::contains(made->value, isArray))
        continue;
      isOfParts = true;
      all.push_back(ir::mapExprs(made, [&](const ExprPtr &e) {
        return ir::rewrite(
            e, [&](const ExprPtr &each) { return isArray(*each) ? ir::varRef(part.param) : each; });
      }));
    }
    if (!isOfParts)
      all.push_back(made);
  }

  /// What a size of a part is equal to: what is made of sizes of other containers, or the first one of this length
  /// along the same loop. Others of this length are left alone: blocks of the one loop change them, of the other not.
  ExprPtr knownSize(const Length &of) {
    const ExprPtr value = nest_.facts.expression(of.length);
    const bool isKnown =
        value && !ir::contains(value, [&](const ir::Expr &e) {
          return e.kind == ExprKind::Var &&
                 (!used_.contains(e.var.get()) || isSplit(e.var.get()) || !e.type.isContainer());
        });
    if (isKnown)
      return own(value);
    const auto first = std::ranges::find_if(lengths_, [&](const Length &each) {
      return each.length == of.length && each.along == of.along;
    });
    return first->size;
  }

  /// The parameters, numbers of the codelet's locals first; their arguments.
  std::string addParameters(std::vector<VarPtr> &params) {
    std::string arguments;
    const auto add = [&](const VarPtr &param, const std::string &argument) {
      params.push_back(param);
      arguments += (arguments.empty() ? "" : ", ") + argument;
    };
    for (const Number &each : numbers_)
      add(each.param, each.argument);
    for (const VarPtr &param : codelet_.params) {
      if (!used_.contains(param.get()))
        continue;
      if (!isSplit(param.get())) {
        add(param->type.isContainer() ? container(param) : param, param->name);
        continue;
      }
      for (const ContainerPart &part : parts_) {
        if (part.array == param)
          add(part.param, sliceOf(part));
      }
    }
    return arguments;
  }

  /// The part as a view of the container.
  std::string sliceOf(const ContainerPart &part) const {
    std::string text = part.array->name;
    for (unsigned d = 0; d < part.ranges.size(); ++d) {
      const ContainerPart::Range &range = part.ranges[d];
      if (part.isWhole[d])
        continue;
      text = "slice(" + text + ", " + sourceOf(nest_.facts.expression(range.first)) + ", " +
             sourceOf(nest_.facts.expression(range.end)) + (d > 0 ? ", " + std::to_string(d) : "") +
             ")";
    }
    return text;
  }

  const ir::Codelet &codelet_;
  const Nest &nest_;
  const NestStatement &of_;
  std::set<const ir::Var *> used_, written_, own_;
  std::vector<VarPtr> locals_;
  std::set<std::string> taken_;
  std::vector<ContainerPart> parts_;
  std::vector<Shift> shifts_;
  std::vector<Length> lengths_;
  bool isShifted_ = false; ///< expressions have the counters of the spectrum
  std::map<const ir::Var *, VarPtr> inputs_;
  std::vector<Number> numbers_;
  bool failed_ = false;
};

} // namespace

std::optional<NestSpectrum> nestSpectrum(const std::string &name, const ir::Codelet &codelet,
                                         const Nest &nest, const NestStatement &statement) {
  return Maker(codelet, nest, statement).make(name);
}

} // namespace tangram::composer
