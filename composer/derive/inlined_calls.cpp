#include "composer/derive/inlined_calls.h"

#include "composer/analysis/sites.h"
#include "composer/derive/own_names.h"
#include "composer/derive/statements.h"
#include "composer/derive/windows.h"
#include "ir/casts.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace tangram::composer {

namespace {

using ir::Expr;
using ir::ExprKind;
using ir::ExprPtr;
using ir::Stmt;
using ir::StmtKind;
using ir::StmtPtr;
using ir::VarPtr;

using Statements = std::vector<StmtPtr>;

/// A container as a parameter of what is called names it.
struct View {
  unsigned rank = 0;
  std::function<ExprPtr(const std::vector<ExprPtr> &)> at; ///< an element by as many subscripts
  std::function<ExprPtr(unsigned)> size;
};

View viewOf(const VarPtr &container) {
  return {container->type.rank,
          [container](const std::vector<ExprPtr> &place) {
            return ir::index(ir::varRef(container), place);
          },
          [container](unsigned d) { return sizeOf(container, d); }};
}

/// The same of a container that is made with these extents.
View viewOf(const VarPtr &container, const std::vector<ExprPtr> &extents) {
  View view = viewOf(container);
  view.size = [extents](unsigned d) { return ir::cast(ir::Scalar::Index, extents[d]); };
  return view;
}

/// Element, or row, `i` of the outermost dimension; one element where `rank`
/// stays.
View partOf(const View &of, const std::vector<ExprPtr> &first, unsigned rank) {
  const bool isElement = of.rank == 1 && rank == 1;
  return {rank,
          [of, first, isElement](const std::vector<ExprPtr> &rest) {
            std::vector<ExprPtr> place = first;
            if (!isElement)
              place.insert(place.end(), rest.begin(), rest.end());
            return of.at(place);
          },
          [of, first, isElement](unsigned d) {
            return isElement ? ir::intLiteral(1) : of.size(d + static_cast<unsigned>(first.size()));
          }};
}

View transposedOf(const View &of) {
  return {of.rank,
          [of](std::vector<ExprPtr> place) {
            std::swap(place[0], place[1]);
            return of.at(place);
          },
          [of](unsigned d) { return of.size(d < 2 ? 1 - d : d); }};
}

/// The codelet that loops are made of: an autonomous one, or one that calls
/// such.
const ir::Codelet *meaningIn(const ir::Program &program, const std::string &spectrum) {
  const ir::Spectrum *of = program.spectrum(spectrum);
  if (of == nullptr)
    return nullptr;
  if (const auto number = meaningOf(*of))
    return &of->codelets[*number];
  const auto found =
      std::ranges::find_if(of->codelets, [](const ir::Codelet &each) { return !each.cooperative; });
  return found == of->codelets.end() ? nullptr : &*found;
}

/// The container that a partition cuts into single elements, as a map does for parameters that are
/// references; null: it is another one.
ExprPtr cutIntoElements(const Expr &e) {
  const auto is = [](const ExprPtr &sequence, std::initializer_list<int> values) {
    if (sequence->kind != ExprKind::Sequence || sequence->args.size() < values.size())
      return false;
    std::size_t i = 0;
    return std::ranges::all_of(values, [&](int value) {
      return ir::isLiteral(ir::withoutCasts(sequence->args[i++]), value);
    });
  };
  const bool isIt = e.kind == ExprKind::Partition && e.args.size() == 5 && e.callee.empty() &&
                    is(e.args[2], {0, 1}) && is(e.args[3], {1}) && is(e.args[4], {1, 1});
  return isIt ? e.args[0] : nullptr;
}

/// Walks a codelet and puts the statements of what it calls in the place of the calls. A statement
/// or expression that cannot be inlined fails the whole codelet: the walk goes on without calls,
/// and nothing that it makes is used.
class Inliner {
public:
  explicit Inliner(const ir::Program &program) : program_(program) {}

  /// The codelet with its calls inlined, and the requirements of the spectrum; nothing where that
  /// fails.
  std::optional<ir::Codelet> inlined(const ir::Spectrum &spectrum, const ir::Codelet &codelet) {
    ir::Codelet made = codelet;
    for (const VarPtr &param : codelet.params) {
      if (param->type.isContainer())
        views_.insert_or_assign(param.get(), viewOf(param));
    }
    Statements body;
    if (const auto number = meaningOf(spectrum)) {
      const ir::Codelet &meaning = spectrum.codelets[*number];
      std::map<const ir::Var *, VarPtr> params;
      for (std::size_t i = 0; i < codelet.params.size(); ++i)
        params[meaning.params[i].get()] = codelet.params[i];
      for (const StmtPtr &s : meaning.body->children) {
        if (s->kind == StmtKind::Require)
          statement(withVariables(s, params), body);
      }
    }
    for (const StmtPtr &s : bodyOf(codelet.body, nullptr)) {
      if (s->kind == StmtKind::Require)
        require(s->value, s->location, body);
      else
        body.push_back(s);
    }
    made.body = ir::block(body);
    return failed_ ? std::nullopt : std::optional(made);
  }

private:
  /// The walk fails at an expression, or at a view, and goes on with something in its place.
  ExprPtr failedAt(const ExprPtr &e) {
    failed_ = true;
    return e;
  }
  View failedView(unsigned rank) {
    failed_ = true;
    return {rank, [](const std::vector<ExprPtr> &) { return ir::intLiteral(0); },
            [](unsigned) { return ir::intLiteral(0); }};
  }

  /// The statements of a body. `result`: the variable that its value goes to;
  /// null: it stays a returned value.
  Statements bodyOf(const StmtPtr &body, const VarPtr &result) {
    Statements given, made;
    flatten(body, given);
    for (std::size_t i = 0; i < given.size(); ++i) {
      const bool isLast = i + 1 == given.size();
      const StmtPtr &s = given[i];
      failed_ |= s->kind == StmtKind::Return && !isLast;
      if (s->kind == StmtKind::Return && result)
        made.push_back(ir::assign(ir::varRef(result), "=", value(s->value, made), s->location));
      else if (s->kind == StmtKind::Return)
        made.push_back(ir::returns(s->value ? value(s->value, made) : nullptr, s->location));
      else
        statement(s, made);
    }
    return made;
  }

  void statement(const StmtPtr &s, Statements &into) {
    switch (s->kind) {
    case StmtKind::Block:
      for (const StmtPtr &child : s->children)
        statement(child, into);
      return;
    case StmtKind::Require:
      if (inside_ == 0 && isOfSizes(s->value))
        require(value(s->value, into), s->location, into);
      return;
    case StmtKind::Decl:
      return declaration(s, into);
    case StmtKind::Assign:
      return assignment(s, into);
    case StmtKind::Eval:
      return call(s->value, nullptr, into);
    case StmtKind::For:
    case StmtKind::If:
      return compound(s, into);
    default:
      failed_ = true;
    }
  }

  void declaration(const StmtPtr &s, Statements &into) {
    if (s->var->kind == ir::VarKind::Tunable || s->var->kind == ir::VarKind::Shared) {
      failed_ = true;
      return;
    }
    if (!s->var->type.isContainer()) {
      auto copy = std::make_shared<Stmt>(*s);
      copy->value = s->value ? value(s->value, into) : nullptr;
      into.push_back(copy);
      return;
    }
    if (s->value->kind == ExprKind::Map) {
      views_.insert_or_assign(s->var.get(), results(s->value, s->var, into));
      return;
    }
    if (s->value->kind != ExprKind::Allocate || depth_ > 0) {
      views_.insert_or_assign(s->var.get(), view(s->value, into));
      return;
    }
    std::vector<ExprPtr> extents;
    for (const ExprPtr &extent : s->value->args)
      extents.push_back(value(extent, into));
    into.push_back(ir::declare(s->var, ir::withArgs(s->value, extents), s->location));
    views_.insert_or_assign(s->var.get(), viewOf(s->var, extents));
  }

  void assignment(const StmtPtr &s, Statements &into) {
    if (s->target->type.isContainer()) {
      if (s->value->kind != ExprKind::Map) {
        failed_ = true;
        return;
      }
      const View results = view(s->target, into);
      return map(*s->value, &results, into);
    }
    const ExprPtr given = value(s->value, into);
    into.push_back(ir::assign(value(s->target, into), s->op, given, s->location));
  }

  /// A loop or branch with what stands in it.
  void compound(const StmtPtr &s, Statements &into) {
    auto copy = std::make_shared<Stmt>(*s);
    failed_ |= s->value && isCalling(s->value);
    copy->value = s->value ? value(s->value, into) : nullptr;
    for (std::size_t i = 0; i < s->children.size(); ++i) {
      if (!s->children[i])
        continue;
      Statements inner;
      ++inside_;
      statement(s->children[i], inner);
      --inside_;
      const bool isHead = s->kind == StmtKind::For && i < 2;
      const bool isSingle = inner.size() == 1;
      failed_ |= isHead && !isSingle;
      copy->children[i] = isHead && isSingle ? inner[0] : ir::block(inner);
    }
    into.push_back(copy);
  }

  /// Adds a requirement that is not there yet.
  static void require(const ExprPtr &condition, const ir::SourceLocation &at, Statements &into) {
    const bool isKnown = std::ranges::any_of(into, [&](const StmtPtr &s) {
      return s->kind == StmtKind::Require && ir::sameExpr(s->value, condition);
    });
    const bool saysNothing = condition->kind == ExprKind::Binary && condition->op == "==" &&
                             ir::sameExpr(condition->args[0], condition->args[1]);
    if (!isKnown && !saysNothing)
      into.push_back(ir::require(condition, at));
  }

  /// Whether a requirement says nothing of elements.
  static bool isOfSizes(const ExprPtr &e) {
    return !ir::contains(e, [](const Expr &each) {
      return each.kind == ExprKind::Call || each.kind == ExprKind::Index;
    });
  }

  static bool isCalling(const ExprPtr &e) {
    return ir::contains(e, [](const Expr &each) { return ir::callsSpectrum(each); });
  }

  /// The expression over containers of the codelet, what it calls being done
  /// before.
  ExprPtr value(const ExprPtr &e, Statements &into) {
    switch (e->kind) {
    case ExprKind::Var: {
      const auto found = values_.find(e->var.get());
      if (found != values_.end())
        return found->second;
      failed_ |= e->type.isContainer();
      return e;
    }
    case ExprKind::Size:
      return view(e->args[0], into).size(static_cast<unsigned>(e->integer));
    case ExprKind::Index:
      if (e->args[0]->kind == ExprKind::Var && !views_.contains(e->args[0]->var.get()))
        break; // an array of constant size
      return element(e, into);
    case ExprKind::SpectrumCall:
      return resultOf(e, into);
    case ExprKind::Atomic:
    case ExprKind::Map:
    case ExprKind::CoopIdx:
    case ExprKind::CoopDim:
      return failedAt(e);
    default:
      break;
    }
    const bool chooses =
        e->kind == ExprKind::Select || (e->kind == ExprKind::Binary && e->op.isLogic());
    failed_ |= chooses && isCalling(e);
    std::vector<ExprPtr> args;
    for (std::size_t i = 0; i < e->args.size(); ++i) {
      const bool isArray = e->kind == ExprKind::Index && i == 0;
      args.push_back(isArray ? e->args[i] : value(e->args[i], into));
    }
    return ir::withArgs(e, std::move(args));
  }

  ExprPtr element(const ExprPtr &e, Statements &into) {
    std::vector<ExprPtr> place;
    for (std::size_t i = 1; i < e->args.size(); ++i)
      place.push_back(value(e->args[i], into));
    const View of = view(e->args[0], into);
    return place.size() == of.rank ? of.at(place) : failedAt(e);
  }

  View view(const ExprPtr &e, Statements &into) {
    if (e->kind == ExprKind::Var) {
      const auto found = views_.find(e->var.get());
      return found == views_.end() ? failedView(e->type.rank) : found->second;
    }
    if (e->kind == ExprKind::All)
      return view(e->args[0], into);
    if (e->kind == ExprKind::Transpose)
      return transposedOf(view(e->args[0], into));
    if (e->kind == ExprKind::Map)
      return results(e, nullptr, into);
    if (const ExprPtr container = cutIntoElements(*e))
      return view(container, into);
    if (e->kind != ExprKind::Index)
      return failedView(e->type.rank);
    const View of = view(e->args[0], into);
    std::vector<ExprPtr> first;
    for (std::size_t i = 1; i < e->args.size(); ++i)
      first.push_back(value(e->args[i], into));
    return partOf(of, first, of.rank - static_cast<unsigned>(first.size()));
  }

  VarPtr local(const std::string &name, const ir::Type &type) const {
    auto made = std::make_shared<ir::Var>();
    made->name = name;
    made->type = type;
    return made;
  }

  /// The results of a map, in a container that is made for them.
  View results(const ExprPtr &map, const VarPtr &named, Statements &into) {
    const ir::Spectrum *of = program_.spectrum(map->callee);
    if (of == nullptr || inside_ > 0) // a container for each round
      return failedView(1);
    const VarPtr container =
        local(named ? named->name : "results", {of->result.scalar, 1, 0, false, 1});
    const ExprPtr count = countOf(*map, into);
    into.push_back(ir::declare(
        container, ir::node(ExprKind::Allocate, container->type, {count}, map->location),
        map->location));
    const View made = viewOf(container, {count});
    this->map(*map, &made, into);
    return made;
  }

  /// The size of the first container that a map goes over.
  ExprPtr countOf(const Expr &map, Statements &into) {
    for (const ExprPtr &arg : map.args) {
      if (arg->kind != ExprKind::All && arg->type.isContainer())
        return view(arg, into).size(0);
    }
    return failedAt(ir::intLiteral(0));
  }

  void map(const Expr &map, const View *results, Statements &into) {
    const ir::Codelet *callee = meaningIn(program_, map.callee);
    if (callee == nullptr || !map.op.empty()) { // in order
      failed_ = true;
      return;
    }
    const VarPtr counter = local("i", ir::scalarType(ir::Scalar::Index));
    const ExprPtr at = ir::varRef(counter);
    const ExprPtr count = countOf(map, into);
    std::vector<Argument> arguments;
    for (std::size_t i = 0; i < map.args.size(); ++i) {
      const ExprPtr &arg = map.args[i];
      if (!arg->type.isContainer()) {
        arguments.push_back({{}, value(arg, into)});
        continue;
      }
      const View of = view(arg, into);
      const ir::Type &param = callee->params[i]->type;
      if (arg->kind == ExprKind::All)
        arguments.push_back({of, nullptr});
      else if (param.isContainer())
        arguments.push_back({partOf(of, {at}, param.rank), nullptr});
      else
        arguments.push_back({{}, of.rank == 1 ? of.at({at}) : failedAt(at)});
    }
    Statements body;
    ++inside_;
    const VarPtr result = inlineCall(*callee, resultType(map.callee), arguments, body);
    --inside_;
    if (results != nullptr && result)
      body.push_back(ir::assign(results->at({at}), "=", ir::varRef(result)));
    into.push_back(ir::forLoop(ir::declare(counter, ir::intLiteral(0)), ir::binary("<", at, count),
                               ir::assign(at, "+=", ir::intLiteral(1)), ir::block(body),
                               map.location));
  }

  struct Argument {
    View view;
    ExprPtr value; ///< of a number
  };

  ir::Type resultType(const std::string &spectrum) const {
    return program_.spectrum(spectrum)->result;
  }

  void call(const ExprPtr &e, VarPtr *result, Statements &into) {
    if (e->kind == ExprKind::Map)
      return map(*e, nullptr, into);
    const ir::Codelet *callee =
        e->kind == ExprKind::SpectrumCall ? meaningIn(program_, e->callee) : nullptr;
    if (callee == nullptr) {
      failed_ = true;
      return;
    }
    std::vector<Argument> arguments;
    for (const ExprPtr &arg : e->args) {
      if (arg->type.isContainer())
        arguments.push_back({view(arg, into), nullptr});
      else
        arguments.push_back({{}, value(arg, into)});
    }
    const VarPtr made = inlineCall(*callee, resultType(e->callee), arguments, into);
    if (result != nullptr)
      *result = made;
  }

  ExprPtr resultOf(const ExprPtr &e, Statements &into) {
    VarPtr result;
    call(e, &result, into);
    return result ? ir::varRef(result) : failedAt(e);
  }

  /// The statements of a codelet with these arguments, and the variable that
  /// has its result; null: there is none.
  VarPtr inlineCall(const ir::Codelet &callee, const ir::Type &type,
                    const std::vector<Argument> &arguments, Statements &into) {
    failed_ |= depth_ == 8 || callee.cooperative || type.lanes != 1;
    if (failed_) // spectrums that call themselves would go on
      return nullptr;
    const StmtPtr body = withOwnLocals(callee.body);
    std::set<const ir::Var *> assigned;
    ir::forEach(body, [&](const Stmt &s) {
      if (s.kind == StmtKind::Assign && s.target->kind == ExprKind::Var)
        assigned.insert(s.target->var.get());
    });
    const auto views = views_;
    const auto values = values_;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const VarPtr &param = callee.params[i];
      const Argument &given = arguments[i];
      if (!given.value) {
        views_.insert_or_assign(param.get(), given.view);
        continue;
      }
      const bool isPlain =
          given.value->kind == ExprKind::Literal ||
          (given.value->kind == ExprKind::Var && given.value->var->kind == ir::VarKind::Param);
      if (isPlain && !assigned.contains(param.get())) {
        values_.insert_or_assign(param.get(), ir::cast(param->type.scalar, given.value));
        continue;
      }
      ir::Type own = param->type;
      own.isConst = false;
      const VarPtr copy = local(param->name, own);
      into.push_back(ir::declare(copy, ir::cast(own.scalar, given.value)));
      values_.insert_or_assign(param.get(), ir::varRef(copy));
    }
    VarPtr result;
    ++depth_;
    Statements own;
    if (type.scalar != ir::Scalar::Void)
      result = local(callee.spectrum.substr(0, callee.spectrum.find('<')) + "_result", type);
    own = bodyOf(body, result);
    --depth_;
    views_ = views;
    values_ = values;
    if (result) {
      // The last statement gives it its value.
      const StmtPtr last = own.empty() ? nullptr : own.back();
      if (!last || last->kind != StmtKind::Assign || last->target->kind != ExprKind::Var ||
          last->target->var != result) {
        failed_ = true;
        return nullptr;
      }
      own.back() = ir::declare(result, ir::cast(type.scalar, last->value), last->location);
    }
    into.insert(into.end(), own.begin(), own.end());
    return result;
  }

  const ir::Program &program_;
  std::map<const ir::Var *, View> views_;
  std::map<const ir::Var *, ExprPtr> values_; ///< of parameters that are numbers
  unsigned depth_ = 0;                        ///< calls in calls
  unsigned inside_ = 0;                       ///< loops and branches around
  bool failed_ = false;                       ///< something cannot be inlined
};

} // namespace

bool isCutByHand(const ir::Codelet &codelet) {
  bool cuts = codelet.cooperative;
  ir::forEach(codelet.body, [&](const Stmt &s) {
    cuts |= s.kind == StmtKind::Decl && s.var->kind == ir::VarKind::Tunable;
  });
  ir::forEachExpr(codelet.body, [&](const Expr &e) {
    cuts |= e.kind == ExprKind::Partition && !cutIntoElements(e);
  });
  return cuts;
}

std::optional<ir::Codelet> withInlinedCalls(const ir::Program &program,
                                            const ir::Spectrum &spectrum,
                                            const ir::Codelet &codelet) {
  return Inliner(program).inlined(spectrum, codelet);
}

} // namespace tangram::composer
