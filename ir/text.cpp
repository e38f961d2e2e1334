// Text of expressions and statements: C-like, minimal parentheses.
#include "ir/large_literal.h"
#include "ir/stmt.h"

#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>

namespace tangram::ir {

namespace {

constexpr int selectPrecedence = 0;
constexpr int unaryPrecedence = 11;

std::string text(const ExprPtr &e, int context);

std::string list(const std::vector<ExprPtr> &args, std::size_t from = 0) {
  std::string result;
  for (std::size_t i = from; i < args.size(); ++i)
    result += (i == from ? "" : ", ") + text(args[i], selectPrecedence);
  return result;
}

std::string literal(const Expr &e) {
  if (e.type.scalar == Scalar::Bool)
    return e.integer != 0 ? "true" : "false";
  if (!isFloating(e.type.scalar))
    return isAboveSigned(e) ? std::to_string(static_cast<std::uint64_t>(e.integer)) + "u"
                            : std::to_string(e.integer);
  std::array<char, 40> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.17g", e.real);
  return buffer.data();
}

/// As the language writes it: "atomicAdd", "atomicCAS".
std::string atomicName(Operator op) {
  if (op == "cas")
    return "atomicCAS";
  const std::string name = op.text();
  return "atomic" + std::string(1, static_cast<char>(std::toupper(name[0]))) + name.substr(1);
}

std::string bare(const Expr &e, int &precedence) {
  precedence = unaryPrecedence + 1;
  switch (e.kind) {
  case ExprKind::Literal:
    return literal(e);
  case ExprKind::Var:
    return e.var->name;
  case ExprKind::Unary:
    precedence = unaryPrecedence;
    return e.op.text() + text(e.args[0], unaryPrecedence);
  case ExprKind::Binary:
    precedence = e.op.precedence();
    return text(e.args[0], precedence) + " " + e.op.text() + " " + text(e.args[1], precedence + 1);
  case ExprKind::Select:
    precedence = selectPrecedence;
    return text(e.args[0], 1) + " ? " + text(e.args[1], 1) + " : " + text(e.args[2], 0);
  case ExprKind::Cast:
    precedence = unaryPrecedence;
    return "(" + spelling(e.type) + ")" + text(e.args[0], unaryPrecedence);
  case ExprKind::Index: {
    std::string result = text(e.args[0], unaryPrecedence + 1);
    for (std::size_t i = 1; i < e.args.size(); ++i)
      result += "[" + text(e.args[i], selectPrecedence) + "]";
    return result;
  }
  case ExprKind::Size:
    return text(e.args[0], unaryPrecedence + 1) + ".size(" +
           (e.integer != 0 || e.args[0]->type.rank > 1 ? std::to_string(e.integer) : "") + ")";
  case ExprKind::CoopIdx:
    return "coopIdx()";
  case ExprKind::CoopDim:
    return "coopDim()";
  case ExprKind::Call:
  case ExprKind::SpectrumCall:
    return e.callee + "(" + list(e.args) + ")";
  case ExprKind::Map:
    return (e.op.empty() ? "map" : e.op.text()) + "(" + e.callee + ", " + list(e.args) + ")";
  case ExprKind::All:
    return "all(" + list(e.args) + ")";
  case ExprKind::Partition:
    return "partition(" + list(e.args) + ")";
  case ExprKind::Transpose:
    return "transpose(" + list(e.args) + ")";
  case ExprKind::Pad: {
    const std::string boundary =
        e.callee == "constant" ? "constant(" + text(e.args[3], 0) + ")" : e.callee;
    return "pad(" + list({e.args[0], e.args[1], e.args[2]}) + ", " + boundary +
           (e.integer != 0 ? ", " + std::to_string(e.integer) : "") + ")";
  }
  case ExprKind::Allocate:
    return spelling(e.type) + "(" + list(e.args) + ")";
  case ExprKind::Atomic:
    return atomicName(e.op) + "(" + list(e.args) + ")";
  case ExprKind::Sequence:
    return "sequence(" + list(e.args) + ")";
  }
  return "?";
}

std::string text(const ExprPtr &e, int context) {
  if (!e)
    return "";
  int precedence = 0;
  std::string result = bare(*e, precedence);
  return precedence < context ? "(" + result + ")" : result;
}

std::string pad(unsigned indent) { return std::string(2 * static_cast<std::size_t>(indent), ' '); }

std::string declaration(const Stmt &s) {
  std::string result;
  if (s.var->kind == VarKind::Tunable)
    result += "__tunable ";
  if (s.var->kind == VarKind::Shared)
    result += "__shared ";
  result += spelling(s.var->type) + " " + s.var->name;
  if (s.var->extent)
    result += "[" + toString(s.var->extent) + "]";
  if (s.value)
    result += " = " + toString(s.value);
  return result;
}

/// A statement on one line without its semicolon, for the head of a for loop.
std::string inlineText(const StmtPtr &s) {
  if (!s)
    return "";
  if (s->kind == StmtKind::Decl)
    return declaration(*s);
  if (s->kind == StmtKind::Assign)
    return toString(s->target) + " " + s->op.text() + " " + toString(s->value);
  return toString(s->value);
}

std::string body(const StmtPtr &s, unsigned indent) {
  if (s && s->kind == StmtKind::Block)
    return " {\n" + toString(s, indent + 1) + pad(indent) + "}\n";
  return "\n" + toString(s, indent + 1);
}

} // namespace

std::string toString(const ExprPtr &e) { return text(e, selectPrecedence); }

std::string asWritten(const ExprPtr &e) {
  return toString(rewrite(e, [](const ExprPtr &each) {
    const bool widens = each->kind == ExprKind::Cast && each->type.scalar == Scalar::Index &&
                        isInteger(each->args[0]->type.scalar);
    return widens ? each->args[0] : each;
  }));
}

namespace {

std::string text(const Window &window) {
  std::string result = window.array->name;
  for (const ExprPtr &origin : window.origin)
    result += "[" + toString(origin) + "...]";
  for (const WindowDimension &d : window.dims)
    result += (&d == window.dims.data() ? ", " : " x ") + toString(d.extent) +
              (isLiteral(d.step, 1) ? "" : " every " + toString(d.step)) +
              (window.origin.size() > 1 ? " along " + std::to_string(d.of) : "") +
              (d.bound ? " (<= " + toString(d.bound) + ")" : "");
  return result;
}

std::string allocation(const Stmt &s) {
  std::string result = "allocate level " + std::to_string(s.array->owner) + " " + s.var->name;
  for (const ExprPtr &extent : s.array->extents)
    result += "[" + toString(extent) + "]";
  return result;
}

/// A Copy: target = value, row < extent (<= bound), ...
std::string copied(const Stmt &s) {
  std::string result = "copy level " + std::to_string(s.level) + " " + toString(s.target) + " = " +
                       toString(s.value);
  for (std::size_t d = 0; d < s.copy->counters.size(); ++d)
    result += ", " + s.copy->counters[d]->name + " < " + toString(s.window->dims[d].extent) +
              " (<= " + toString(s.window->dims[d].bound) + ")";
  if (const auto &by = s.copy->vectors)
    result += ", or by " + std::to_string(by->lanes) + " below " + toString(by->width) + " where " +
              toString(by->condition) + ": " + toString(by->target) + " = " + toString(by->value);
  return result;
}

} // namespace

std::string toString(const StmtPtr &s, unsigned indent) {
  if (!s)
    return "";
  std::string in = pad(indent);
  switch (s->kind) {
  case StmtKind::Block: {
    std::string result;
    for (const StmtPtr &child : s->children)
      result += toString(child, indent);
    return result;
  }
  case StmtKind::Decl:
    return in + declaration(*s) + ";\n";
  case StmtKind::Assign:
    return in + inlineText(s) + ";\n";
  case StmtKind::If: {
    std::string result = in + "if (" + toString(s->value) + ")" + body(s->children[0], indent);
    if (s->children.size() > 1)
      result += in + "else" + body(s->children[1], indent);
    return result;
  }
  case StmtKind::For:
    return in + (s->sideBySide ? "side by side " : "") + "for (" + inlineText(s->children[0]) +
           "; " + toString(s->value) + "; " + inlineText(s->children[1]) + ")" +
           body(s->children[2], indent);
  case StmtKind::While:
    return in + "while (" + toString(s->value) + ")" + body(s->children[0], indent);
  case StmtKind::DoWhile:
    return in + "do" + body(s->children[0], indent) + in + "while (" + toString(s->value) + ");\n";
  case StmtKind::Break:
    return in + "break;\n";
  case StmtKind::Continue:
    return in + "continue;\n";
  case StmtKind::Return:
    return in + "return" + (s->value ? " " + toString(s->value) : "") + ";\n";
  case StmtKind::Eval:
    return in + toString(s->value) + ";\n";
  case StmtKind::Require:
    return in + "require(" + toString(s->value) + ");\n";
  case StmtKind::Parallel:
    return in + "parallel level " + std::to_string(s->level) +
           (s->var ? " " + s->var->name : std::string()) + " < " + toString(s->value) +
           body(s->children[0], indent);
  case StmtKind::Window:
    return in + s->var->name + " = " + text(*s->window) + ";\n" + toString(s->children[0], indent);
  case StmtKind::Copy:
    return in + copied(*s) + ";\n";
  case StmtKind::Allocate:
    return in + allocation(*s) + ";\n";
  case StmtKind::Barrier:
    return in + "barrier level " + std::to_string(s->level) + ";\n";
  case StmtKind::Comment:
    return in + "// " + s->text + "\n";
  }
  return "";
}

} // namespace tangram::ir
