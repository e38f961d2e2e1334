#include "ir/stmt.h"

#include <algorithm>
#include <utility>

namespace tangram::ir {

namespace {

std::shared_ptr<Stmt> make(StmtKind kind, std::vector<StmtPtr> children, SourceLocation at) {
  auto s = std::make_shared<Stmt>();
  s->kind = kind;
  s->children = std::move(children);
  s->location = std::move(at);
  return s;
}

} // namespace

StmtPtr block(std::vector<StmtPtr> children, SourceLocation at) {
  return make(StmtKind::Block, std::move(children), std::move(at));
}

StmtPtr declare(const VarPtr &var, ExprPtr init, SourceLocation at) {
  auto s = make(StmtKind::Decl, {}, std::move(at));
  s->var = var;
  s->value = std::move(init);
  return s;
}

StmtPtr assign(ExprPtr target, Operator op, ExprPtr value, SourceLocation at) {
  auto s = make(StmtKind::Assign, {}, std::move(at));
  s->target = std::move(target);
  s->op = op;
  s->value = std::move(value);
  return s;
}

StmtPtr ifThen(ExprPtr condition, StmtPtr then, StmtPtr otherwise, SourceLocation at) {
  std::vector<StmtPtr> children{std::move(then)};
  if (otherwise)
    children.push_back(std::move(otherwise));
  auto s = make(StmtKind::If, std::move(children), std::move(at));
  s->value = std::move(condition);
  return s;
}

StmtPtr forLoop(StmtPtr init, ExprPtr condition, StmtPtr increment, StmtPtr body,
                SourceLocation at) {
  auto s =
      make(StmtKind::For, {std::move(init), std::move(increment), std::move(body)}, std::move(at));
  s->value = std::move(condition);
  return s;
}

StmtPtr whileLoop(ExprPtr condition, StmtPtr body, SourceLocation at) {
  auto s = make(StmtKind::While, {std::move(body)}, std::move(at));
  s->value = std::move(condition);
  return s;
}

StmtPtr doWhile(StmtPtr body, ExprPtr condition, SourceLocation at) {
  auto s = make(StmtKind::DoWhile, {std::move(body)}, std::move(at));
  s->value = std::move(condition);
  return s;
}

StmtPtr jump(StmtKind breakOrContinue, SourceLocation at) {
  return make(breakOrContinue, {}, std::move(at));
}

StmtPtr returns(ExprPtr value, SourceLocation at) {
  auto s = make(StmtKind::Return, {}, std::move(at));
  s->value = std::move(value);
  return s;
}

StmtPtr eval(ExprPtr call, SourceLocation at) {
  auto s = make(StmtKind::Eval, {}, std::move(at));
  s->value = std::move(call);
  return s;
}

StmtPtr require(ExprPtr condition, SourceLocation at) {
  auto s = make(StmtKind::Require, {}, std::move(at));
  s->value = std::move(condition);
  return s;
}

StmtPtr parallel(int level, Span span, const VarPtr &worker, ExprPtr count, StmtPtr body,
                 SourceLocation at) {
  auto s = make(StmtKind::Parallel, {std::move(body)}, std::move(at));
  s->level = level;
  s->span = span;
  s->var = worker;
  s->value = std::move(count);
  return s;
}

StmtPtr oneOf(int level, StmtPtr body) {
  return parallel(level, Span::One, nullptr, intLiteral(1), std::move(body));
}

StmtPtr bindWindow(const VarPtr &var, Window window, int level, StmtPtr body, SourceLocation at) {
  auto s = make(StmtKind::Window, {std::move(body)}, std::move(at));
  s->var = var;
  s->level = level;
  s->window = std::make_shared<const Window>(std::move(window));
  return s;
}

StmtPtr allocate(const VarPtr &var, Array array, SourceLocation at) {
  auto s = make(StmtKind::Allocate, {}, std::move(at));
  s->var = var;
  s->array = std::make_shared<const Array>(std::move(array));
  return s;
}

StmtPtr copyWindow(int level, Window window, ExprPtr target, ExprPtr value, Copy copy,
                   SourceLocation at) {
  auto s = make(StmtKind::Copy, {}, std::move(at));
  s->level = level;
  s->window = std::make_shared<const Window>(std::move(window));
  s->target = std::move(target);
  s->value = std::move(value);
  s->copy = std::make_shared<const Copy>(std::move(copy));
  return s;
}

StmtPtr vectorized(const StmtPtr &copy, Copy::Vectors vectors) {
  auto s = std::make_shared<Stmt>(*copy);
  auto how = std::make_shared<Copy>(*copy->copy);
  how->vectors = std::move(vectors);
  s->copy = std::move(how);
  return s;
}

StmtPtr barrier(int level) {
  auto s = make(StmtKind::Barrier, {}, {});
  s->level = level;
  return s;
}

StmtPtr comment(std::string text) {
  auto s = make(StmtKind::Comment, {}, {});
  s->text = std::move(text);
  return s;
}

bool isLoop(const Stmt &s) {
  return s.kind == StmtKind::For || s.kind == StmtKind::While || s.kind == StmtKind::DoWhile;
}

bool leavesBlock(const StmtPtr &s) {
  if (!s)
    return false;
  switch (s->kind) {
  case StmtKind::Break:
  case StmtKind::Continue:
  case StmtKind::Return:
    return true;
  case StmtKind::Block:
    return std::ranges::any_of(s->children, leavesBlock);
  case StmtKind::If:
    return s->children.size() > 1 && leavesBlock(s->children[0]) && leavesBlock(s->children[1]);
  default:
    return false;
  }
}

void forEachOwnExpr(const Stmt &s, const std::function<void(const ExprPtr &)> &f) {
  if (s.kind == StmtKind::Decl && s.var->extent)
    f(s.var->extent);
  if (s.window) {
    for (const ExprPtr &origin : s.window->origin)
      f(origin);
    for (const WindowDimension &d : s.window->dims) {
      for (const ExprPtr *e : {&d.step, &d.extent, &d.bound}) {
        if (*e)
          f(*e);
      }
    }
  }
  if (s.array) {
    for (const std::vector<ExprPtr> *list : {&s.array->extents, &s.array->bounds}) {
      for (const ExprPtr &e : *list)
        f(e);
    }
  }
  if (s.copy && s.copy->vectors) {
    for (const ExprPtr *e : {&s.copy->vectors->condition, &s.copy->vectors->width,
                             &s.copy->vectors->target, &s.copy->vectors->value})
      f(*e);
  }
  if (s.target)
    f(s.target);
  if (s.value)
    f(s.value);
}

void forEach(const StmtPtr &s, const std::function<void(const Stmt &)> &f) {
  if (!s)
    return;
  f(*s);
  for (const StmtPtr &child : s->children)
    forEach(child, f);
}

void forEachExpr(const StmtPtr &s, const std::function<void(const Expr &)> &f) {
  forEach(
      s, [&](const Stmt &each) { forEachOwnExpr(each, [&](const ExprPtr &e) { forEach(e, f); }); });
}

StmtPtr withChildren(const StmtPtr &s, std::vector<StmtPtr> children) {
  if (children == s->children)
    return s;
  auto copy = std::make_shared<Stmt>(*s);
  copy->children = std::move(children);
  return copy;
}

namespace {

using Change = std::function<ExprPtr(const ExprPtr &)>;

std::vector<ExprPtr> mapped(std::vector<ExprPtr> list, const Change &f) {
  for (ExprPtr &e : list)
    e = e ? f(e) : e;
  return list;
}

Window mapped(Window window, const Change &f) {
  window.origin = mapped(std::move(window.origin), f);
  for (WindowDimension &d : window.dims) {
    for (ExprPtr *e : {&d.step, &d.extent, &d.bound})
      *e = *e ? f(*e) : *e;
  }
  return window;
}

std::optional<Copy::Vectors> mapped(std::optional<Copy::Vectors> vectors, const Change &f) {
  if (vectors) {
    for (ExprPtr *e : {&vectors->condition, &vectors->width, &vectors->target, &vectors->value})
      *e = f(*e);
  }
  return vectors;
}

} // namespace

StmtPtr mapExprs(const StmtPtr &s, const std::function<ExprPtr(const ExprPtr &)> &f) {
  return rewrite(s, [&](const StmtPtr &each) -> StmtPtr {
    if (each->window) {
      bool changes = false;
      const Change change = [&](const ExprPtr &e) {
        ExprPtr other = f(e);
        changes |= other != e;
        return other;
      };
      Window window = mapped(*each->window, change);
      ExprPtr target = each->target ? change(each->target) : nullptr;
      ExprPtr value = each->value ? change(each->value) : nullptr;
      auto vectors = each->copy ? mapped(each->copy->vectors, change) : std::nullopt;
      if (!changes)
        return each;
      auto copy = std::make_shared<Stmt>(*each);
      copy->window = std::make_shared<const Window>(std::move(window));
      copy->target = std::move(target);
      copy->value = std::move(value);
      return vectors ? vectorized(copy, *std::move(vectors)) : copy;
    }
    if (each->array)
      return allocate(
          each->var,
          {each->array->owner, mapped(each->array->extents, f), mapped(each->array->bounds, f)},
          each->location);
    ExprPtr value = each->value ? f(each->value) : nullptr;
    ExprPtr target = each->target ? f(each->target) : nullptr;
    if (value == each->value && target == each->target)
      return each;
    auto copy = std::make_shared<Stmt>(*each);
    copy->value = std::move(value);
    copy->target = std::move(target);
    if (copy->kind == StmtKind::Parallel && isLiteral(copy->value, 1))
      copy->span = Span::One;
    return copy;
  });
}

StmtPtr rewrite(const StmtPtr &s, const std::function<StmtPtr(const StmtPtr &)> &f) {
  if (!s)
    return s;
  std::vector<StmtPtr> children; // where one of them changes
  bool changes = false;
  for (std::size_t i = 0; i < s->children.size(); ++i) {
    StmtPtr child = rewrite(s->children[i], f);
    const bool stays = child || s->kind != StmtKind::Block;
    if (!changes && stays && child == s->children[i])
      continue;
    if (!changes) {
      children.reserve(s->children.size());
      children.assign(s->children.begin(), s->children.begin() + static_cast<std::ptrdiff_t>(i));
      changes = true;
    }
    if (stays)
      children.push_back(std::move(child));
  }
  return f(changes ? withChildren(s, std::move(children)) : s);
}

} // namespace tangram::ir
