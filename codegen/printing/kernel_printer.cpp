#include "codegen/printing/kernel_printer.h"

#include "codegen/analysis/accesses.h"
#include "codegen/analysis/tunable_ranges.h"
#include "codegen/form/building.h"
#include "codegen/form/identifier.h"
#include "codegen/printing/c_types.h"

#include <algorithm>
#include <utility>

namespace tangram::codegen {

using namespace ir;

namespace {

/// `text` of `e`, as a cast takes it.
std::string operand(const Expr &e, const std::string &text) {
  const bool loose = e.kind == ExprKind::Binary || e.kind == ExprKind::Select;
  return loose ? "(" + text + ")" : text;
}

} // namespace

KernelPrinter::KernelPrinter(const LoweredPlan &plan, const Launch &launch, std::string name)
    : plan_(plan), launch_(launch) {
  kernel_.name = std::move(name);
  kernel_.groups = launch.gridX;
  kernel_.groupsY = launch.gridY;
  kernel_.groupSize = launch.groupX;
  kernel_.groupSizeY = launch.groupY;
  kernel_.arguments = launch.arguments;
  hasBarriers_ = hasBarrier(launch.groups->children[0]);
  if (plan.mostIndex) {
    std::vector<StmtPtr> all = launch.sizes;
    all.push_back(launch.groups->children[0]);
    places_.emplace(plan, block(std::move(all)));
  }
}

std::string KernelPrinter::run(Kernel &kernel) {
  rowItems();
  begin();
  chooseNames();
  print();
  kernel = kernel_;
  return take();
}

std::string KernelPrinter::elementText(const Expr &element) const {
  const auto parts = places_ ? places_->of(element) : std::nullopt;
  if (!parts)
    return CPrinter::elementText(element);
  const std::string place = expression(parts->place);
  return "(" + nameOf(element.args[0]->var.get()) + " + " +
         (parts->place->op == "+" ? "(" + place + ")" : place) + ")[" + expression(parts->offset) +
         "]";
}

/// Whether the text of `e` has its type in C as well: literals and macros are ints.
bool KernelPrinter::hasItsType(const Expr &e) const {
  auto has = [&](std::size_t i) { return hasItsType(*e.args[i]); };
  switch (e.kind) {
  case ExprKind::Literal:
    return false;
  case ExprKind::Var: {
    const Tunable *tunable = plan_.tunableOf(e.var);
    const bool isSize =
        std::ranges::any_of(launch_.sizes, [&](const StmtPtr &size) { return size->var == e.var; });
    return !isSize && !(tunable && tunable->kind == Tunable::Kind::Compile);
  }
  case ExprKind::Unary:
    return has(0);
  case ExprKind::Binary:
    return !e.op.isComparison() && (has(0) || (has(1) && e.op != "<<" && e.op != ">>"));
  case ExprKind::Select: // of two shorts it is an int
    return byteSize(e.type.scalar) >= 4 && (has(1) || has(2));
  default:
    return true;
  }
}

ExprPtr KernelPrinter::inSizes(ExprPtr e) const {
  for (const StmtPtr &size : launch_.sizes)
    e = rewrite(e, [&](const ExprPtr &each) {
      return sameExpr(each, size->value) ? varRef(size->var) : each;
    });
  return e;
}

std::string KernelPrinter::overloaded(const Expr &call, std::vector<std::string> args) const {
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (call.args[i]->type.scalar != call.type.scalar || !hasItsType(*call.args[i]))
      args[i] = "(" + typeName(call.type.scalar) + ")" + operand(*call.args[i], args[i]);
  }
  return CPrinter::callText(call, args);
}

bool KernelPrinter::isGlobal(const Var &array) const {
  return std::ranges::any_of(plan_.buffers, [&](const Buffer &each) {
    return each.var.get() == &array && each.space == Space::Global;
  });
}

void KernelPrinter::barrier(const Stmt &) {
  ++kernel_.barriers;
  line(inWarp_ ? warpBarrierText() : barrierText(launch_.globalBetweenItems));
  keep();
}

bool KernelPrinter::hasBraces(const Stmt &s) const {
  if (plan_.role(s.level) == Role::Group)
    return s.span == Span::Turns;
  if (s.span == Span::One)
    return plan_.role(s.level) == Role::Item && !isLiteral(kernel_.groupSize, 1);
  if (isRowOfItems(plan_, s))
    return s.span == Span::Turns;
  bool item = plan_.role(s.level) == Role::Item;
  bool alone = kernel_.groupSizeY && !rowItems_.contains(&s);
  return alone || !item || s.span == Span::Turns;
}

void KernelPrinter::parallel(const Stmt &s) {
  Role role = plan_.role(s.level);
  if (role == Role::Group) {
    groups(s, 0);
    return;
  }
  if (role == Role::Unroll) {
    if (s.span == Span::One && !s.var) {
      body(s.children[0]);
      return;
    }
    line(unrollText());
    loop(s, "0", "++" + nameOf(s.var.get()));
    return;
  }
  if (role == Role::Warp && s.span == Span::One)
    return oneWarp(s);
  if (s.span == Span::One)
    return one(s);
  if (isRowOfItems(plan_, s)) {
    const bool before = std::exchange(inWarp_, inWarp_ || role == Role::Warp);
    if (s.span == Span::All)
      body(s.children[0]);
    else
      loop(s, row_, nameOf(s.var.get()) + " += " + expression(kernel_.groupSizeY));
    inWarp_ = before;
    return;
  }
  if (kernel_.groupSizeY && !rowItems_.contains(&s)) {
    keep();
    open("if (" + row_ + " == 0)"); // items in one dimension: those of the first row
    items(s);
    close();
    keep();
    return;
  }
  items(s);
}

void KernelPrinter::oneWarp(const Stmt &s) {
  const bool before = std::exchange(inWarp_, true);
  if (kernel_.groupSizeY) {
    keep();
    open("if (" + row_ + " == 0)");
  }
  body(s.children[0]);
  if (kernel_.groupSizeY) {
    close();
    keep();
  }
  inWarp_ = before;
}

void KernelPrinter::one(const Stmt &s) {
  if (isLiteral(kernel_.groupSize, 1))
    return body(s.children[0]);
  keep();
  open("if (" + item_ + " == 0" +
       (kernel_.groupSizeY && !rowItems_.contains(&s) ? " && " + row_ + " == 0)" : ")"));
  body(s.children[0]);
  close();
  keep();
}

void KernelPrinter::items(const Stmt &s) {
  if (s.span == Span::All) {
    body(s.children[0]);
    return;
  }
  if (s.unroll > 1)
    line(unrollHint(s.unroll));
  loop(s, item_, nameOf(s.var.get()) + " += " + expression(kernel_.groupSize));
}

/// The groups of one dimension, which take turns where there may be more of them than started.
void KernelPrinter::groups(const Stmt &s, unsigned dimension) {
  if (s.span == Span::Turns) {
    const std::string name = nameOf(s.var.get());
    open("for (" + indexName() + " " + name + " = " + groupNumber(dimension) + "; " +
         below(name, s.value) + "; " + name + " += " + groupCount(dimension) + ")");
    body(s.children[0]);
    endOfLoop(s.children[0]);
    close();
    return;
  }
  if (s.var && mentions(s.children[0], s.var.get()))
    line("const " + indexName() + " " + nameOf(s.var.get()) + " = " + groupNumber(dimension) + ";");
  body(s.children[0]);
}

void KernelPrinter::loop(const Stmt &s, const std::string &from, const std::string &step) {
  std::string name = nameOf(s.var.get());
  open("for (" + indexName() + " " + name + " = " + from + "; " + below(name, s.value) + "; " +
       step + ")");
  body(s.children[0]);
  endOfLoop(s.children[0]);
  close();
  keep();
}

/// Which Parallels of items stand in rows of them.
void KernelPrinter::rowItems() {
  forEach(launch_.groups->children[0], [&](const Stmt &s) {
    if (s.kind != StmtKind::Parallel || !isRowOfItems(plan_, s))
      return;
    forEach(s.children[0], [&](const Stmt &inner) {
      if (inner.kind == StmtKind::Parallel && plan_.role(inner.level) == Role::Item)
        rowItems_.insert(&inner);
    });
  });
}

std::string KernelPrinter::titleOf(int level) const {
  return identifier(plan_.machine->levels[static_cast<std::size_t>(level)].title);
}

void KernelPrinter::chooseNames() {
  std::vector<StmtPtr> all = launch_.sizes;
  all.insert(all.end(), launch_.constants.begin(), launch_.constants.end());
  all.push_back(launch_.groups);
  given_ = calleesOf(block(all));
  for (const Tunable &t : plan_.tunables) {
    setName(t.var.get(), t.var->name);
    if (t.kind == Tunable::Kind::Compile)
      given_.insert(t.var->name);
  }
  for (const KernelArgument &a : kernel_.arguments)
    unique(a.var.get());
  if (launch_.groups->span == Span::All)
    unique(launch_.groups->value->var.get());
  for (const VarPtr &local : launch_.locals) {
    unique(local.get());
    kernel_.locals.push_back(
        {nameOf(local.get()), local->type.scalar, elementsInGroup(plan_, *plan_.bufferOf(local))});
  }
  if (launch_.itemLevel >= 0) {
    item_ = freeName(titleOf(launch_.itemLevel));
    reserve(item_);
    if (kernel_.groupSizeY) {
      row_ = freeName(titleOf(launch_.rowLevel));
      reserve(row_);
    }
  }
  forEach(launch_.groups->children[0], [&](const Stmt &s) {
    const bool isRow = s.kind == StmtKind::Parallel && isRowOfItems(plan_, s);
    if (s.kind != StmtKind::Parallel || !s.var || s.span == Span::Turns ||
        (!isRow && plan_.role(s.level) != Role::Item))
      return;
    setName(s.var.get(), isRow ? row_ : item_);
  });
  nameVariables(block(all));
}

void KernelPrinter::unique(const Var *var) { setName(var, claimName(var->name, given_)); }

void KernelPrinter::print() {
  parameters();
  ++indent_;
  for (const StmtPtr &size : launch_.sizes)
    line(sizeText(nameOf(size->var.get()), extent(size->value)));
  locals();
  if (!item_.empty() && (launch_.indexesItems || !isLiteral(kernel_.groupSize, 1)))
    line("const " + indexName() + " " + item_ + " = " + itemNumber(0) + ";");
  if (kernel_.groupSizeY)
    line("const " + indexName() + " " + row_ + " = " + itemNumber(1) + ";");
  localsOfWarps();
  for (const std::string &text : launch_.comments)
    statement(comment(text));
  if (launch_.count)
    line("const " + indexName() + " " + nameOf(launch_.count.get()) + " = " +
         groupCount(launch_.gridY ? 1 : 0) + ";");
  for (const StmtPtr &constant : launch_.constants)
    statement(constant);
  groups(*launch_.groups, launch_.gridY ? 1 : 0);
  --indent_;
  line("}");
}

void KernelPrinter::parameters() {
  const bool shares = handsOver(launch_.groups) || hasLastGroup(plan_, launch_.groups);
  const std::string head = signature() + "(";
  const std::string pad(head.size(), ' ');
  for (std::size_t i = 0; i < kernel_.arguments.size(); ++i) {
    const KernelArgument &a = kernel_.arguments[i];
    const bool isWritten = launch_.written.contains(a.var.get());
    const Scalar type = a.var->type.scalar; // a number that a kernel is handed may be no bool
    const std::string text =
        a.kind == KernelArgument::Kind::Buffer
            // What other groups may write while this one runs is not this one's alone.
            ? pointer(*a.var, isWritten, !(isWritten && shares))
            : typeName(type == Scalar::Bool ? Scalar::U8 : type) + " " + nameOf(a.var.get());
    const bool last = i + 1 == kernel_.arguments.size();
    line((i == 0 ? head : pad) + text + (last ? ") {" : ","));
  }
  if (kernel_.arguments.empty())
    line(head + ") {");
}

} // namespace tangram::codegen
