#include "composer/derive/source_text.h"

#include "composer/derive/statements.h"
#include "ir/reserved_names.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <string_view>

namespace tangram::composer {

namespace {

using ir::StmtKind;
using ir::StmtPtr;

std::string realText(const ir::Expr &e) {
  if (std::isnan(e.real))
    return "NAN";
  if (std::isinf(e.real))
    return e.real > 0 ? "INFINITY" : "-INFINITY";
  std::array<char, 48> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.17g", e.real);
  std::string text = buffer.data();
  if (text.find_first_of(".e") == std::string::npos)
    text += ".0";
  return text + (e.type.scalar == ir::Scalar::F32 ? "f" : "");
}

std::string integerText(const ir::Expr &e) {
  const std::string digits = e.integer < 0 && ir::isUnsigned(e.type.scalar)
                                 ? std::to_string(static_cast<std::uint64_t>(e.integer))
                                 : std::to_string(e.integer);
  switch (e.type.scalar) {
  case ir::Scalar::Bool:
    return e.integer != 0 ? "true" : "false";
  case ir::Scalar::U32:
    return digits + "u";
  case ir::Scalar::I64:
    return digits + "l";
  case ir::Scalar::U64:
    return digits + "ul";
  default:
    return digits;
  }
}

/// The name of a helper function in its source: those that C or OpenCL have another use for were given another one.
std::string writtenName(const std::string &callee) {
  constexpr std::string_view suffix = "_function";
  if (!callee.ends_with(suffix))
    return callee;
  const std::string bare = callee.substr(0, callee.size() - suffix.size());
  return ir::isReservedFunction(bare) ? bare : callee;
}

ir::ExprPtr verbatim(const std::string &text, const ir::Type &type) {
  auto name = std::make_shared<ir::Var>();
  name->name = text;
  name->type = type;
  return ir::varRef(name);
}

constexpr std::string_view components = "xyzw";

/// Whether `e` names a container of vectors.
bool hasComponents(const ir::ExprPtr &e) {
  return e->kind == ir::ExprKind::Var && e->type.isContainer() && e->type.lanes > 1;
}

/// `e`, whose literals are spelled, where it is a component or their number; else null.
ir::ExprPtr spelledComponent(const ir::ExprPtr &e) {
  if (e->kind == ir::ExprKind::Call && e->callee.size() == 2 && e->callee[0] == '.')
    return verbatim(ir::toString(e->args[0]) + e->callee, e->type);
  if (e->args.empty() || !hasComponents(e->args[0]))
    return nullptr;
  const ir::Type &type = e->args[0]->type;
  if (e->kind == ir::ExprKind::Size && e->integer == sourceRank(type))
    return verbatim(std::to_string(type.lanes), e->type);
  if (e->kind == ir::ExprKind::Size && sourceRank(type) == 1)
    return verbatim(e->args[0]->var->name + ".size()", e->type);
  if (e->kind != ir::ExprKind::Index || e->args.size() != type.rank + 1)
    return nullptr;
  const std::string last = ir::toString(e->args.back());
  if (last.size() != 1 || last[0] < '0' || last[0] > '3')
    return nullptr;
  const std::vector<ir::ExprPtr> subscripts(e->args.begin() + 1, e->args.end() - 1);
  return verbatim(ir::toString(ir::index(e->args[0], subscripts)) + "." +
                      components[static_cast<std::size_t>(last[0] - '0')],
                  e->type);
}

/// `e` with literals as names of what they are called in source.
ir::ExprPtr spelled(const ir::ExprPtr &e) {
  return ir::rewrite(e, [](const ir::ExprPtr &each) -> ir::ExprPtr {
    if (each->kind == ir::ExprKind::Cast && each->type.scalar == ir::Scalar::Index &&
        ir::isInteger(each->args[0]->type.scalar))
      return each->args[0];
    if (const ir::ExprPtr component = spelledComponent(each))
      return component;
    if (each->kind == ir::ExprKind::Call)
      return ir::call(writtenName(each->callee), each->type, each->args);
    if (each->kind != ir::ExprKind::Literal)
      return each;
    const bool isReal = ir::isFloating(each->type.scalar);
    const std::string text = isReal ? realText(*each) : integerText(*each);
    return verbatim(text[0] == '-' ? "(" + text + ")" : text, each->type);
  });
}

std::string declaration(const ir::Stmt &s) {
  std::string text = s.var->kind == ir::VarKind::Shared ? "__shared " : "";
  text += sourceType(s.var->type) + " " + s.var->name;
  if (s.var->extent)
    text += "[" + sourceOf(s.var->extent) + "]";
  if (s.value)
    text += " = " + sourceOf(s.value);
  return text;
}

std::string inlineText(const StmtPtr &s) {
  if (!s)
    return "";
  switch (s->kind) {
  case StmtKind::Decl:
    return declaration(*s);
  case StmtKind::Assign:
    if (s->op == "+=" && ir::isLiteral(s->value, 1) && ir::isInteger(s->target->type.scalar))
      return "++" + sourceOf(s->target);
    return sourceOf(s->target) + " " + s->op.text() + " " + sourceOf(s->value);
  default:
    return sourceOf(s->value);
  }
}

std::string body(const StmtPtr &s, unsigned indent) {
  if (s && onlyStatement(s)->kind == StmtKind::Block)
    return " {\n" + sourceOf(s, indent + 1) + indentation(indent) + "}\n";
  return "\n" + sourceOf(s, indent + 1);
}

/// In braces wherever an `else` that follows could be taken for that of an `if` in it.
std::string bodyBeforeElse(const StmtPtr &s, unsigned indent) {
  return " {\n" + sourceOf(s, indent + 1) + indentation(indent) + "}\n";
}

} // namespace

std::string indentation(unsigned indent) {
  return std::string(2 * static_cast<std::size_t>(indent), ' ');
}

std::string sourceOf(const ir::ExprPtr &e) { return ir::toString(spelled(e)); }

std::string asFactor(const std::string &text) {
  return text.find(' ') == std::string::npos ? text : "(" + text + ")";
}

unsigned sourceRank(const ir::Type &type) { return type.rank - (type.lanes > 1 ? 1 : 0); }

std::string sourceType(const ir::Type &type) {
  ir::Type written = type;
  written.rank = type.isContainer() ? sourceRank(type) : 0;
  return type.scalar == ir::Scalar::Index && !type.isContainer() ? "unsigned"
                                                                 : ir::spelling(written);
}

/// "__positional unsigned long": the type of a parameter, and its qualifier.
static std::string parameterType(const ir::Type &type) {
  const bool isPositional = type.scalar == ir::Scalar::Index && !type.isContainer();
  return isPositional ? "__positional unsigned long" : sourceType(type);
}

ir::ExprPtr componentOfCall(const ir::ExprPtr &vector, unsigned k) {
  return ir::call("." + std::string(1, components[k]), ir::scalarType(vector->type.scalar),
                  {vector});
}

std::string sourceOf(const StmtPtr &s, unsigned indent) {
  if (!s)
    return "";
  const std::string in = indentation(indent);
  switch (s->kind) {
  case StmtKind::Block: {
    std::string text;
    for (const StmtPtr &child : s->children)
      text += sourceOf(child, indent);
    return text;
  }
  case StmtKind::Decl:
    return in + declaration(*s) + ";\n";
  case StmtKind::Assign:
  case StmtKind::Eval:
    return in + inlineText(s) + ";\n";
  case StmtKind::If: {
    const bool hasElse = s->children.size() > 1;
    std::string text =
        in + "if (" + sourceOf(s->value) + ")" +
        (hasElse ? bodyBeforeElse(s->children[0], indent) : body(s->children[0], indent));
    if (hasElse)
      text += in + "else" + bodyBeforeElse(s->children[1], indent);
    return text;
  }
  case StmtKind::For:
    return in + "for (" + inlineText(s->children[0]) + "; " + sourceOf(s->value) + "; " +
           inlineText(s->children[1]) + ")" + body(s->children[2], indent);
  case StmtKind::While:
    return in + "while (" + sourceOf(s->value) + ")" + body(s->children[0], indent);
  case StmtKind::DoWhile:
    return in + "do" + bodyBeforeElse(s->children[0], indent) + in + "while (" +
           sourceOf(s->value) + ");\n";
  case StmtKind::Break:
    return in + "break;\n";
  case StmtKind::Continue:
    return in + "continue;\n";
  case StmtKind::Return:
    return in + "return" + (s->value ? " " + sourceOf(s->value) : "") + ";\n";
  default:
    return "";
  }
}

std::string argumentsOf(const std::vector<ir::VarPtr> &params) {
  std::string text;
  for (const ir::VarPtr &param : params)
    text += (text.empty() ? "" : ", ") + param->name;
  return text;
}

std::string parametersOf(const std::vector<ir::VarPtr> &params) {
  std::string text;
  for (const ir::VarPtr &param : params)
    text += (text.empty() ? "" : ", ") + parameterType(param->type) + " " + param->name;
  return text;
}

} // namespace tangram::composer
