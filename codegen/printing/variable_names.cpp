#include "codegen/printing/variable_names.h"

#include "codegen/form/building.h"
#include "ir/unique_name.h"

#include <algorithm>
#include <array>
#include <vector>

namespace tangram::codegen {

using namespace ir;

namespace {

constexpr std::array<const char *, 60> reservedWords{
    "auto",     "break",   "case",   "char",     "const",    "continue",  "default",  "do",
    "double",   "else",    "enum",   "extern",   "float",    "for",       "goto",     "if",
    "inline",   "int",     "long",   "register", "restrict", "return",    "short",    "signed",
    "sizeof",   "static",  "struct", "switch",   "typedef",  "union",     "unsigned", "void",
    "volatile", "while",   "bool",   "true",     "false",    "kernel",    "global",   "local",
    "constant", "private", "half",   "uint",     "ulong",    "uchar",     "ushort",   "size_t",
    "min",      "max",     "abs",    "vector",   "event",    "image2d_t", "main",     "malloc",
    "free",     "result",  "omp",    "NULL"};

} // namespace

std::string libraryName(const std::string &function, Scalar type) {
  if (type == Scalar::F128)
    return function + "f128";
  return type == Scalar::F32 ? function + "f" : function;
}

std::set<std::string> calleesOf(const StmtPtr &body) {
  std::set<std::string> callees;
  forEachExpr(body, [&](const Expr &e) {
    if (e.kind == ExprKind::Call)
      callees.insert(e.callee);
  });
  return callees;
}

void VariableNames::setName(const Var *var, const std::string &name) {
  names_[var] = name;
  taken_.insert(name);
}

std::string VariableNames::nameOf(const Var *var) const {
  auto found = names_.find(var);
  return found == names_.end() ? var->name : found->second;
}

void VariableNames::collectAssigned(const StmtPtr &s) {
  forEach(s, [&](const Stmt &each) {
    if (each.kind == StmtKind::Assign)
      assigned_.insert(each.target->kind == ExprKind::Var ? each.target->var.get()
                                                          : each.target->args[0]->var.get());
  });
}

void VariableNames::nameAll(const StmtPtr &body) {
  for (const char *word : reservedWords)
    taken_.insert(word);
  for (const std::string &callee : calleesOf(body))
    taken_.insert({callee, libraryName(callee, Scalar::F32)});
  collectAssigned(body);
  const std::map<const Var *, std::string> names = names_;
  const std::set<std::string> taken = taken_;
  inside_.clear();
  for (std::vector<const Var *> apart;;) {
    given_.clear();
    clashing_ = nullptr;
    nameIn(body);
    if (!clashing_ || std::ranges::count(apart, clashing_) != 0)
      break;
    apart.push_back(clashing_);
    names_ = names;
    taken_ = taken;
    for (const Var *var : apart)
      setName(var, freeName(var->name));
  }
  for (const Var *var : given_)
    inside_.insert(names_.at(var));
}

/// A variable that is declared in several places has one name in all of them. Where another variable has that name
/// already it would be the other one that the code inside means.
void VariableNames::giveName(const Var *var) {
  if (!var)
    return;
  if (!names_.contains(var)) {
    setName(var, freeName(var->name));
    given_.insert(var);
  } else if (given_.contains(var) && !taken_.insert(names_.at(var)).second && !clashing_) {
    clashing_ = var;
  }
}

std::string VariableNames::freeName(const std::string &wanted) const {
  return uniqueName(wanted, [&](const std::string &name) {
    return taken_.contains(name) || inside_.contains(name);
  });
}

void VariableNames::nameIn(const StmtPtr &s) {
  if (!s)
    return;
  bool scope = s->kind == StmtKind::For || s->kind == StmtKind::While ||
               s->kind == StmtKind::DoWhile || s->kind == StmtKind::If ||
               (s->kind == StmtKind::Parallel && hasBraces_(*s));
  std::set<std::string> outside = scope ? taken_ : std::set<std::string>{};
  if (s->kind == StmtKind::Decl || s->kind == StmtKind::Parallel)
    giveName(s->var.get());
  for (const StmtPtr &child : s->children)
    nameIn(child);
  if (scope)
    taken_ = std::move(outside);
}

} // namespace tangram::codegen
