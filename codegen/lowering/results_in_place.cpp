#include "codegen/lowering/results_in_place.h"

#include "codegen/analysis/accesses.h"
#include "codegen/form/building.h"
#include "composer/analysis/sites.h"
#include "ir/casts.h"
#include "ir/swap.h"

#include <algorithm>
#include <map>
#include <set>

namespace tangram::codegen {

using namespace ir;

namespace {

const Stmt &withoutBlock(const StmtPtr &s) {
  const Stmt *inner = s.get();
  while (inner->kind == StmtKind::Block && inner->children.size() == 1)
    inner = inner->children[0].get();
  return *inner;
}

/// An element of a container that has a name, and its subscripts.
struct Element {
  VarPtr container;
  std::vector<const Expr *> subscripts;
};

std::optional<Element> elementOfVariable(const Expr &e) {
  if (e.kind != ExprKind::Index)
    return std::nullopt;
  Element element;
  if (e.args[0]->kind == ExprKind::Var) {
    element.container = e.args[0]->var;
  } else {
    std::optional<Element> row = elementOfVariable(*e.args[0]);
    if (!row)
      return std::nullopt;
    element = *row;
  }
  if (!element.container->type.isContainer())
    return std::nullopt;
  for (std::size_t i = 1; i < e.args.size(); ++i)
    element.subscripts.push_back(&withoutCasts(*e.args[i]));
  return element;
}

struct NamedCopy {
  VarPtr from, to;
};

/// for (i < size) for (j < size) to[i][j] = from[i][j], the loops in any order.
std::optional<NamedCopy> copyingLoop(const Stmt &outermost) {
  std::map<const Var *, const Expr *> bounds;
  const Stmt *s = &outermost;
  while (s->kind == StmtKind::For) {
    const std::optional<CountedLoop> loop = loopToTheEnd(*s);
    if (!loop || !loop->isPlain())
      return std::nullopt;
    bounds[loop->i.get()] = &withoutCasts(*loop->bound);
    s = &withoutBlock(loop->body);
  }
  if (s->kind != StmtKind::Assign || !(s->op == "="))
    return std::nullopt;
  const std::optional<Element> to = elementOfVariable(*s->target);
  const std::optional<Element> from = elementOfVariable(*s->value);
  const std::size_t rank = bounds.size();
  if (!to || !from || to->container == from->container || rank == 0 ||
      to->container->type.scalar != from->container->type.scalar ||
      to->container->type.rank != rank || from->container->type.rank != rank ||
      to->subscripts.size() != rank || from->subscripts.size() != rank)
    return std::nullopt;
  std::set<const Var *> used;
  for (std::size_t d = 0; d < rank; ++d) {
    const Expr &i = *to->subscripts[d];
    if (i.kind != ExprKind::Var || from->subscripts[d]->kind != ExprKind::Var ||
        from->subscripts[d]->var != i.var || !bounds.contains(i.var.get()) ||
        !used.insert(i.var.get()).second)
      return std::nullopt;
    const Expr &bound = *bounds.at(i.var.get());
    const bool isExtent =
        bound.kind == ExprKind::Size && bound.integer == static_cast<int>(d) &&
        bound.args[0]->kind == ExprKind::Var &&
        (bound.args[0]->var == to->container || bound.args[0]->var == from->container);
    if (!isExtent)
      return std::nullopt;
  }
  return NamedCopy{from->container, to->container};
}

/// Whether two containers need to have as many elements, and no more is said.
bool requiresSameExtents(const Stmt &s) {
  if (s.kind != StmtKind::Require || s.value->kind != ExprKind::Binary || !(s.value->op == "=="))
    return false;
  const Expr &a = withoutCasts(*s.value->args[0]);
  const Expr &b = withoutCasts(*s.value->args[1]);
  return a.kind == ExprKind::Size && b.kind == ExprKind::Size && a.integer == b.integer;
}

/// Which parameters of a spectrum it copies from and to, where that is all it means.
struct CopyingSpectrum {
  std::size_t from, to;
};

std::optional<CopyingSpectrum> copyingSpectrum(const Spectrum &spectrum) {
  const std::optional<unsigned> meaning = composer::meaningOf(spectrum);
  if (!meaning || spectrum.params.size() != 2 || spectrum.result.scalar != Scalar::Void)
    return std::nullopt;
  const Codelet &codelet = spectrum.codelets[*meaning];
  std::vector<StmtPtr> rest;
  std::ranges::copy_if(codelet.body->children, std::back_inserter(rest),
                       [](const StmtPtr &s) { return !requiresSameExtents(*s); });
  if (rest.size() != 1)
    return std::nullopt;
  const std::optional<NamedCopy> copy = copyingLoop(withoutBlock(rest[0]));
  if (!copy)
    return std::nullopt;
  const std::size_t from = codelet.params[0] == copy->from ? 0 : 1;
  if (codelet.params[from] != copy->from || codelet.params[1 - from] != copy->to)
    return std::nullopt;
  return CopyingSpectrum{from, 1 - from};
}

/// Whether what comes behind `s` may not run after it.
bool mayLeave(const StmtPtr &s) {
  bool leaves = false;
  forEach(s, [&](const Stmt &each) {
    leaves |= each.kind == StmtKind::Return || each.kind == StmtKind::Break ||
              each.kind == StmtKind::Continue;
  });
  return leaves;
}

bool mentionsAny(const StmtPtr &s, const std::set<const Var *> &variables) {
  return std::ranges::any_of(variables, [&](const Var *each) { return mentions(s, each); });
}

bool exchanges(const StmtPtr &s, const std::set<const Var *> &containers) {
  bool found = false;
  forEach(s, [&](const Stmt &each) {
    found |= isSwap(each) && mentionsAny(std::make_shared<Stmt>(each), containers);
  });
  return found;
}

bool isAllocation(const Stmt &s) {
  return s.kind == StmtKind::Decl && s.value && s.value->kind == ExprKind::Allocate;
}

/// The containers that the last statement of each round exchanges, where it is the one that exchanges them.
std::optional<std::pair<VarPtr, VarPtr>> exchangedByRounds(const Stmt &loop) {
  if (loop.kind != StmtKind::For || loop.children[2]->kind != StmtKind::Block ||
      loop.children[2]->children.empty())
    return std::nullopt;
  const std::vector<StmtPtr> &body = loop.children[2]->children;
  const Stmt &last = *body.back();
  if (!isSwap(last) || last.value->args[0]->kind != ExprKind::Var ||
      last.value->args[1]->kind != ExprKind::Var)
    return std::nullopt;
  std::pair both{last.value->args[0]->var, last.value->args[1]->var};
  for (std::size_t i = 0; i + 1 < body.size(); ++i) {
    if (exchanges(body[i], {both.first.get(), both.second.get()}))
      return std::nullopt;
  }
  return both;
}

/// Whether what `e` is made of stays as it is from statement `first` to statement `end`.
bool staysSame(const ExprPtr &e, const std::vector<StmtPtr> &statements, std::size_t first,
               std::size_t end) {
  bool changes = false;
  forEach(e, [&](const Expr &each) {
    if (each.kind != ExprKind::Var)
      return;
    for (std::size_t i = first; i < end; ++i) {
      changes |=
          assigns(statements[i], each.var.get()) || exchanges(statements[i], {each.var.get()});
      forEach(statements[i],
              [&](const Stmt &s) { changes |= s.kind == StmtKind::Decl && s.var == each.var; });
    }
  });
  return !changes;
}

/// The containers that `s` declares as views of these, among these from then on.
void addViews(const StmtPtr &s, std::set<const Var *> &containers) {
  forEach(s, [&](const Stmt &each) {
    if (each.kind == StmtKind::Decl && each.value && each.value->kind != ExprKind::Map &&
        each.value->kind != ExprKind::Allocate &&
        (each.var->type.isContainer() || each.value->kind == ExprKind::Partition) &&
        std::ranges::any_of(containers, [&](const Var *of) { return mentions(each.value, of); }))
      containers.insert(each.var.get());
  });
}

} // namespace

bool namesPart(const ExprPtr &e) {
  bool plain = e->type.isContainer();
  forEach(e, [&](const Expr &each) {
    switch (each.kind) {
    case ExprKind::Index:
      plain &= each.type.isContainer();
      return;
    case ExprKind::Partition:
      plain &= each.callee == "slice";
      return;
    case ExprKind::Var:
    case ExprKind::Size:
    case ExprKind::Sequence:
    case ExprKind::Literal:
    case ExprKind::Unary:
    case ExprKind::Binary:
    case ExprKind::Select:
    case ExprKind::Cast:
      return;
    default:
      plain = false;
    }
  });
  return plain;
}

bool namesView(const Stmt &s) {
  return s.kind == StmtKind::Decl && s.value && s.var->type.isContainer() && namesPart(s.value);
}

std::optional<ContainerCopy> copyOf(const Program &program, const Stmt &s) {
  if (s.kind == StmtKind::Eval && s.value->kind == ExprKind::SpectrumCall) {
    const Spectrum *callee = program.spectrum(s.value->callee);
    const auto copying = callee ? copyingSpectrum(*callee) : std::nullopt;
    if (!copying)
      return std::nullopt;
    return ContainerCopy{s.value->args[copying->from], s.value->args[copying->to]};
  }
  const std::optional<NamedCopy> copy = copyingLoop(s);
  if (!copy)
    return std::nullopt;
  return ContainerCopy{varRef(copy->from), varRef(copy->to)};
}

std::optional<PlaceOfResult> placeOfResult(const Program &program,
                                           const std::vector<StmtPtr> &statements,
                                           std::size_t declared) {
  const Stmt &declaration = *statements[declared];
  if (!isAllocation(declaration))
    return std::nullopt;
  const Var *container = declaration.var.get();
  std::set<const Var *> names{container};
  PlaceOfResult place;
  for (std::size_t i = declared + 1; i < statements.size(); ++i) {
    const StmtPtr &s = statements[i];
    if (place.destination) {
      // Nobody asks for it after the copy.
      if (mentionsAny(s, names))
        return std::nullopt;
      continue;
    }
    if (!mentionsAny(s, names)) {
      if (place.firstUse > 0 && mayLeave(s))
        return std::nullopt;
      continue;
    }
    const std::optional<ContainerCopy> copy = copyOf(program, *s);
    if (copy && copy->from->kind == ExprKind::Var && copy->from->var.get() == container &&
        !mentions(copy->to, container)) {
      if (place.firstUse == 0 || !namesPart(copy->to))
        return std::nullopt;
      place.copy = i;
      place.destination = copy->to;
      // A name that is given to the part in between.
      for (std::size_t k = place.firstUse; k < i; ++k) {
        if (namesView(*statements[k]) && copy->to->var == statements[k]->var)
          place.destination = statements[k]->value;
      }
      continue;
    }
    if (exchanges(s, names) || mayLeave(s))
      return std::nullopt;
    if (place.firstUse == 0)
      place.firstUse = i;
    addViews(s, names);
  }
  if (!place.destination)
    return std::nullopt;
  // The destination is the same before the first use.
  return staysSame(place.destination, statements, place.firstUse, place.copy) ? std::optional(place)
                                                                              : std::nullopt;
}

std::optional<ExchangedResult> placeOfExchanged(const Program &program,
                                                const std::vector<StmtPtr> &statements,
                                                std::size_t declared) {
  if (!isAllocation(*statements[declared]))
    return std::nullopt;
  const VarPtr &container = statements[declared]->var;
  ExchangedResult result;
  VarPtr other;
  for (std::size_t i = declared + 1; i < statements.size(); ++i) {
    const StmtPtr &s = statements[i];
    if (result.place.destination) {
      if (mentions(s, container.get()))
        return std::nullopt;
      continue;
    }
    const std::optional<ContainerCopy> copy = copyOf(program, *s);
    if (copy && copy->from->kind == ExprKind::Var && copy->from->var == container) {
      if (result.rounds.empty() || copy->to->kind != ExprKind::Var)
        return std::nullopt;
      result.place.copy = i;
      result.place.destination = copy->to;
      continue;
    }
    if (mayLeave(s) && !result.rounds.empty())
      return std::nullopt;
    const auto both = exchangedByRounds(*s);
    if (both && (both->first == container || both->second == container)) {
      const VarPtr &with = both->first == container ? both->second : both->first;
      if (with == container || (other && other != with) || mayLeave(s))
        return std::nullopt;
      other = with;
      result.rounds.push_back(s);
    } else if (exchanges(s, {container.get()})) {
      return std::nullopt;
    }
  }
  if (!result.place.destination)
    return std::nullopt;
  const auto isOther = [&](const StmtPtr &s) { return isAllocation(*s) && s->var == other; };
  const auto found = std::ranges::find_if(statements, isOther);
  if (found == statements.end())
    return std::nullopt;
  result.other = static_cast<std::size_t>(found - statements.begin());
  const std::size_t begin = std::min(declared, result.other);
  for (std::size_t i = begin; i <= result.place.copy; ++i) {
    const StmtPtr &s = statements[i];
    const bool isUse = i != declared && i != result.other &&
                       (mentions(s, container.get()) || mentions(s, other.get()));
    if (isUse && result.place.firstUse == 0)
      result.place.firstUse = i;
    // Each exchange counts.
    const bool goesRound = std::ranges::find(result.rounds, s) != result.rounds.end();
    if (!goesRound && exchanges(s, {other.get()}))
      return std::nullopt;
  }
  if (result.place.firstUse < std::max(declared, result.other))
    return std::nullopt;
  return staysSame(result.place.destination, statements, result.place.firstUse, result.place.copy)
             ? std::optional(result)
             : std::nullopt;
}

} // namespace tangram::codegen
