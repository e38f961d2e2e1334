#include "codegen/targets/openmp/openmp_statements.h"

#include "codegen/analysis/accesses.h"
#include "codegen/analysis/atomics.h"
#include "codegen/analysis/dealt_parts.h"
#include "codegen/analysis/plan_facts.h"
#include "codegen/analysis/windows.h"
#include "codegen/form/building.h"
#include "codegen/printing/atomic_functions.h"
#include "codegen/printing/c_types.h"
#include "codegen/printing/unroll_budget.h"
#include "codegen/printing/wrap_around.h"
#include "codegen/targets/openmp/openmp.h"
#include "codegen/targets/openmp/vector_functions.h"
#include "codegen/targets/openmp/worker_parts.h"

#include <algorithm>

namespace tangram::codegen {

using namespace ir;

namespace {

/// The type of the elements of a comparison of vectors, which are as wide as those that are
/// compared.
Scalar maskOf(Scalar type) {
  switch (byteSize(type)) {
  case 1:
    return Scalar::I8;
  case 2:
    return Scalar::I16;
  case 4:
    return Scalar::I32;
  default:
    return Scalar::I64;
  }
}

/// Whether lanes are filled inside.
bool hasVectors(const StmtPtr &s) {
  bool found = false;
  forEach(s, [&](const Stmt &each) { found |= each.lanes > 1 || each.sideBySide; });
  return found;
}

} // namespace

OpenmpStatements::OpenmpStatements(const LoweredPlan &plan)
    : plan_(plan), hasThreads_(hasThreads(*plan.target)), constants_(constantsOf(plan.body)) {
  for (const Buffer &b : plan_.buffers) {
    if (b.space == Space::Global && b.access.empty())
      temporaries_.push_back(&b);
  }
}

void OpenmpStatements::addHelpersOf(const OpenmpStatements &other) {
  numberFunctions_.insert(other.numberFunctions_.begin(), other.numberFunctions_.end());
  called_.insert(other.called_.begin(), other.called_.end());
  takesAbsolutes_ |= other.takesAbsolutes_;
}

std::string OpenmpStatements::helper(Function function) {
  function.body = withWrapAround(function.body, Dialect::C);
  return functionText(function, "static inline ") + "\n";
}

std::string OpenmpStatements::vectorTypes() const {
  std::string text;
  for (const auto &[type, lanes] : vectors_)
    text += "// " + std::to_string(lanes) + " side by side, at any address\ntypedef " +
            cName(type) + " " + vectorName(type, lanes) + " __attribute__((vector_size(" +
            std::to_string(lanes * byteSize(type)) + "), aligned(" +
            std::to_string(byteSize(type)) + "), may_alias));\n\n";
  return text;
}

std::string OpenmpStatements::turningFunctions() const {
  std::string text;
  for (const auto &[type, lanes] : turned_)
    text += turningFunction(CPrinter::turning(type, lanes), vectorName(type, lanes), lanes);
  return text;
}

std::string OpenmpStatements::selectingMacros() const {
  std::string text;
  for (const auto &[type, lanes] : selected_)
    text += selectingMacro(CPrinter::selecting(type, lanes), vectorName(type, lanes),
                           vectorName(maskOf(type), lanes));
  return text;
}

std::string OpenmpStatements::numberFunctions() const {
  return definitionsOf(numberFunctions_, cName);
}

std::string OpenmpStatements::vectorName(Scalar type, unsigned lanes) const {
  vectors_.insert({type, lanes});
  return CPrinter::vectorName(type, lanes);
}

std::string OpenmpStatements::turning(Scalar type, unsigned lanes) const {
  turned_.insert({type, lanes});
  return CPrinter::turning(type, lanes);
}

std::string OpenmpStatements::selecting(Scalar type, unsigned lanes) const {
  selected_.insert({type, lanes});
  vectorName(maskOf(type), lanes);
  return CPrinter::selecting(type, lanes);
}

std::string OpenmpStatements::callText(const Expr &call,
                                       const std::vector<std::string> &args) const {
  Expr renamed = call;
  const bool chooses = call.callee == "min" || call.callee == "max" ||
                       ((call.callee == "fmin" || call.callee == "fmax") && !isHelper(call.callee));
  if (chooses) {
    return numberFunction(call.callee, call, args);
  } else if (isFloating(call.type.scalar) && !isHelper(call.callee)) {
    renamed.callee = libraryName(call.callee, call.type.scalar);
    called_.emplace(call.callee, call.type.scalar);
  } else if (call.callee == "abs" && !isHelper("abs")) {
    renamed.callee = absoluteName(call.type.scalar);
    takesAbsolutes_ = true;
  }
  return CPrinter::callText(renamed, args);
}

bool OpenmpStatements::isHelper(const std::string &function) const {
  return std::any_of(plan_.functions.begin(), plan_.functions.end(),
                     [&](const Function *each) { return each->name == function; });
}

std::string OpenmpStatements::atomicName(const Expr &atomic) const {
  return cAtomicName({atomic.op, atomic.args[0]->type.scalar, Space::Global});
}

ExprPtr OpenmpStatements::conditionToUnroll(const std::vector<const Stmt *> &around,
                                            const Stmt &loop) const {
  return unrollCondition(plan_, around, loop);
}

std::string OpenmpStatements::unrollHint(unsigned times) const {
  return hasThreads_ ? "#pragma GCC unroll " + std::to_string(times) : "";
}

bool OpenmpStatements::hasBraces(const Stmt &s) const {
  return s.span != Span::One || (plan_.role(s.level) == Role::Group && hasLocal(s));
}

void OpenmpStatements::parallel(const Stmt &s) {
  Role role = plan_.role(s.level);
  bool one = s.span == Span::One;
  if (role == Role::Group) {
    if (one) {
      groupBody(s, true);
      return;
    }
    bool inRow = inGroup_; // the rows share the threads already
    if (!inRow)
      line("#pragma omp parallel for schedule(" + schedule(s) + ")");
    head(s);
    inGroup_ = true;
    groupBody(s, false);
    inGroup_ = inRow;
    close();
    return;
  }
  if (one) {
    body(s.children[0]);
    return;
  }
  bool plain = !atomicUses(plan_, s.children[0]).empty() ||
               hasWorkers(plan_, s.children[0], Role::Item) || hasVectors(s.children[0]) ||
               hasLargeArrays(s.children[0]);
  if (hasThreads_ && role == Role::Item && !plain)
    line("#pragma omp simd");
  else if (hasThreads_ && role == Role::Unroll && !hasNestOfLoops(s.children[0]))
    line(unrollHint(mostChains(s.level)));
  head(s);
  body(s.children[0]);
  close();
}

std::string OpenmpStatements::schedule(const Stmt &s) const {
  // Elements go to threads in turns, each thread's ascending: the one that all others wait for
  // never waits itself.
  if (handsOver(s.children[0]))
    return "static, 1";
  const bool isTiles = contains(withConstants(s.value), [&](const Expr &e) {
    const Tunable *tunable = e.kind == ExprKind::Var ? plan_.tunableOf(e.var) : nullptr;
    return tunable && tunable->kind == Tunable::Kind::Compile;
  });
  if (isTiles)
    return "dynamic";
  return dealtParts(plan_, s) ? "dynamic" : "static";
}

ExprPtr OpenmpStatements::withConstants(const ExprPtr &e) const {
  return rewrite(e, [&](const ExprPtr &each) -> ExprPtr {
    const auto value =
        each->kind == ExprKind::Var ? constants_.find(each->var.get()) : constants_.end();
    return value == constants_.end() ? each : withConstants(value->second);
  });
}

unsigned OpenmpStatements::mostChains(int level) const {
  const auto &workers = plan_.machine->levels[static_cast<std::size_t>(level)].workers;
  return static_cast<unsigned>(std::min<std::uint64_t>(workers.max, 65534));
}

bool OpenmpStatements::hasLargeArrays(const StmtPtr &s) const {
  constexpr std::int64_t few = 256;
  bool found = false;
  forEach(s, [&](const Stmt &each) {
    if (each.kind != StmtKind::Decl || !each.var->extent)
      return;
    found |= valueAtMost(plan_, each.var->extent, few).value_or(few + 1) > few;
  });
  return found;
}

bool OpenmpStatements::hasLocal(const Stmt &s) const {
  return std::any_of(plan_.buffers.begin(), plan_.buffers.end(), [&](const Buffer &b) {
    return b.space == Space::Local && mentions(s.children[0], b.var.get());
  });
}

void OpenmpStatements::head(const Stmt &s) {
  std::string name = nameOf(s.var.get());
  open("for (size_t " + name + " = 0; " + below(name, s.value) + "; ++" + name + ")");
}

void OpenmpStatements::groupBody(const Stmt &s, bool scope) {
  std::vector<const Buffer *> local;
  const bool rows = hasWorkers(plan_, s.children[0], Role::Group); // whose threads have them
  for (const Buffer &b : plan_.buffers) {
    if (!rows && b.space == Space::Local && mentions(s.children[0], b.var.get()))
      local.push_back(&b);
  }
  scope = scope && !local.empty();
  if (scope)
    open("");
  for (const Buffer *b : local)
    line(cName(b->var->type.scalar) + " " + nameOf(b->var.get()) + "[" + extent(b->count) + "];");
  const std::map<const Var *, Slice> before = slices_;
  if (!rows && s.span != Span::One)
    beginSlices(s);
  body(s.children[0]);
  slices_ = before;
  if (scope)
    close();
}

void OpenmpStatements::beginSlices(const Stmt &s) {
  for (const Buffer *b : temporaries_) {
    const ExprPtr begin = beginOfPart(s, *b->var);
    if (!begin)
      continue;
    const std::string name = freeName(nameOf(b->var.get()) + "_of_" + nameOf(s.var.get()));
    reserve(name);
    line(cName(b->var->type.scalar) + " *" + name + " = " + nameOf(b->var.get()) + " + " +
         expression(begin) + ";");
    slices_[b->var.get()] = {name, begin};
  }
}

std::string OpenmpStatements::elementText(const Expr &element) const {
  const auto slice = slices_.find(element.args[0]->var.get());
  const ExprPtr rest =
      slice == slices_.end() ? nullptr : difference(element.args[1], slice->second.begin);
  return rest ? slice->second.name + "[" + expression(rest) + "]" : CPrinter::elementText(element);
}

} // namespace tangram::codegen
