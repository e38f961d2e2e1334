#include "codegen/printing/c_printer.h"

#include "codegen/form/building.h"
#include "codegen/printing/long_lines.h"
#include "codegen/printing/source.h"
#include "escape/escape.h"
#include "ir/swap.h"

#include <algorithm>
#include <utility>

namespace tangram::codegen {

using namespace ir;

std::string absoluteName(Scalar type) { return byteSize(type) > 4 ? "llabs" : "abs"; }

std::string CPrinter::declaration(const Stmt &s) const {
  const Var &v = *s.var;
  const bool isMemory = v.type.isContainer();
  bool constant = s.value && !names_.isAssigned(&v) && !isMemory;
  std::string text =
      (constant ? "const " : "") + typeName(v.type.scalar) + (isMemory ? " *" : " ") + nameOf(&v);
  if (v.extent)
    text += "[" + extent(v.extent) + "]";
  if (s.value)
    text += " = " + expression(s.value);
  return text;
}

/// A statement without its semicolon, as it stands in the head of a for loop.
std::string CPrinter::head(const StmtPtr &s) const {
  if (!s)
    return "";
  if (s->kind == StmtKind::Decl)
    return declaration(*s);
  if (s->target->kind == ExprKind::Index && isVector(*s->target))
    return vectorStore(*s->target->args[0]->var, firstOfVector(s->target), lanes_, s->op,
                       s->op == "=" ? vectorText(s->value) : expression(s->value));
  std::string target = expression(s->target);
  const Scalar added = s->value->type.scalar;
  const bool converts = isSigned(s->target->type.scalar) && added != Scalar::Index &&
                        isUnsigned(added); // as what wraps around
  if ((s->op == "+=" || s->op == "-=") && isLiteral(s->value, 1) &&
      isInteger(s->target->type.scalar) && !converts)
    return (s->op == "+=" ? "++" : "--") + target;
  return target + " " + s->op.text() + " " + expression(s->value);
}

void CPrinter::loop(const Stmt &s) {
  askToUnroll(s);
  if (s.unroll > 1)
    unrolled_.push_back(&s);
  rounds(s);
  if (s.unroll > 1)
    unrolled_.pop_back();
}

/// Where the loops around and inside come to too many copies for some values of macros, the preprocessor decides.
void CPrinter::askToUnroll(const Stmt &s) {
  const std::string hint = s.unroll > 1 ? unrollHint(s.unroll) : "";
  if (hint.empty() || (s.lanes > 1 && isOneVector(s))) // a vector is printed without a loop
    return;
  const ExprPtr condition = conditionToUnroll(unrolled_, s);
  if (condition && literalValue(condition))
    return;
  if (condition)
    line("#if " + expression(condition));
  line(hint);
  if (condition)
    line("#endif");
}

void CPrinter::rounds(const Stmt &s) {
  if (s.lanes > 1)
    return vectorLoop(s);
  if (const std::string hint = s.sideBySide ? sideBySideHint() : ""; !hint.empty())
    line(hint);
  std::string condition = s.value ? question(s) : "";
  switch (s.kind) {
  case StmtKind::For: {
    std::string increment = head(s.children[1]);
    open("for (" + (s.children[0] ? head(s.children[0]) : "") + ";" +
         (condition.empty() ? "" : " " + condition) + ";" +
         (increment.empty() ? "" : " " + increment) + ")");
    body(s.children[2]);
    endOfLoop(s.children[2]);
    close();
    return;
  }
  case StmtKind::While:
    open(whileHead(s));
    body(s.children[0]);
    endOfLoop(s.children[0]);
    close();
    return;
  default:
    open("do");
    body(s.children[0]);
    endOfLoop(s.children[0]);
    close(" while (" + condition + ");");
  }
}

/// So many rounds at a time.
void CPrinter::vectorLoop(const Stmt &s) {
  const VarPtr &number = s.children[0]->var;
  if (isOneVector(s)) {
    lanes_ = s.lanes;
    lane_ = number;
    isOneVector_ = true;
    body(s.children[2]);
    isOneVector_ = false;
    lanes_ = 0;
    lane_ = nullptr;
    return;
  }
  open("for (" + head(s.children[0]) + "; " + expression(s.value) + "; " + nameOf(number.get()) +
       " += " + std::to_string(s.lanes) + ")");
  const std::vector<StmtPtr> inside = withoutBlocks({s.children[2]});
  if (inside.size() == 1 && inside[0]->kind == StmtKind::For && inside[0]->lanes > 1) {
    turnedBlock(s, *inside[0]);
    close();
    return;
  }
  lanes_ = s.lanes;
  lane_ = number;
  body(s.children[2]);
  lanes_ = 0;
  lane_ = nullptr;
  close();
}

/// Whether the loop has one round, of elements that are moved.
bool CPrinter::isOneVector(const Stmt &s) {
  const bool once = isLiteral(s.children[0]->value, 0) && s.value->op == "<" &&
                    isLiteral(s.value->args[1], s.lanes);
  return once && std::ranges::all_of(withoutBlocks({s.children[2]}), [](const StmtPtr &each) {
           return each->kind == StmtKind::Assign && each->target->kind == ExprKind::Index;
         });
}

std::string CPrinter::turning(Scalar type, unsigned lanes) const {
  return "turn_" + vectorName(type, lanes);
}

/// A loop over columns inside of one over rows, both by vectors: a copy that is the source turned. Rows are read
/// into vectors, which are turned and written.
void CPrinter::turnedBlock(const Stmt &rows, const Stmt &columns) {
  const VarPtr row = rows.children[0]->var, column = columns.children[0]->var;
  const Stmt &copying = *withoutBlocks({columns.children[2]})[0];
  const Var &source = *copying.value->args[0]->var, &target = *copying.target->args[0]->var;
  const VarPtr turned = newVariable("block"), number = newVariable("each");
  names_.giveName(turned.get());
  names_.giveName(number.get());
  const std::string each = nameOf(turned.get()) + "[" + nameOf(number.get()) + "]";
  const std::string lanes = std::to_string(rows.lanes);
  const auto forEachVector = [&](const std::string &text) {
    if (const std::string hint = unrollHint(rows.lanes); !hint.empty())
      line(hint);
    open("for (" + typeName(Scalar::Index) + " " + nameOf(number.get()) + " = 0; " +
         nameOf(number.get()) + " < " + lanes + "; ++" + nameOf(number.get()) + ")");
    line(text + ";");
    close();
  };
  const auto elementOf = [&](const ExprPtr &e, const VarPtr &along) {
    return elementText(*substitute(e, {{along.get(), binary("+", varRef(along), varRef(number))}}));
  };
  open("for (" + head(columns.children[0]) + "; " + expression(columns.value) + "; " +
       nameOf(column.get()) + " += " + lanes + ")");
  line(vectorName(source.type.scalar, rows.lanes) + " " + nameOf(turned.get()) + "[" + lanes +
       "];");
  forEachVector(each + " = " + vectorLoad(source, elementOf(copying.value, row), rows.lanes));
  line(turning(source.type.scalar, rows.lanes) + "(" + nameOf(turned.get()) + ");");
  forEachVector(
      vectorStore(target, elementOf(copying.target, column), rows.lanes, Operator("="), each));
  close();
}

void CPrinter::branch(const Stmt &s) {
  open("if (" + expression(s.value) + ")");
  body(s.children[0]);
  endOfBranch(s.children[0]);
  if (s.children.size() > 1) {
    otherwise(s);
    body(s.children[1]);
  }
  close();
}

void CPrinter::otherwise(const Stmt &) {
  --indent_;
  line("} else {");
  ++indent_;
}

void CPrinter::statement(const StmtPtr &s) {
  if (!s)
    return;
  switch (s->kind) {
  case StmtKind::Block:
    body(s);
    return;
  case StmtKind::Decl:
    line(declaration(*s) + ";");
    return;
  case StmtKind::Assign:
    line(head(s) + ";");
    return;
  case StmtKind::If:
    beforeBranch();
    branch(*s);
    behindBraces();
    return;
  case StmtKind::For:
  case StmtKind::While:
  case StmtKind::DoWhile:
    loop(*s);
    behindBraces();
    return;
  case StmtKind::Break:
    line("break;");
    return;
  case StmtKind::Continue:
    line("continue;");
    return;
  case StmtKind::Return:
    line(s->value ? "return " + expression(s->value) + ";" : "return;");
    return;
  case StmtKind::Eval:
    if (isSwap(*s))
      return exchange(*s);
    line(expression(s->value) + ";");
    return;
  case StmtKind::Comment:
    if (!afterHead_)
      blank();
    line("// " + escape::comment(s->text));
    afterHead_ = true;
    return;
  case StmtKind::Parallel:
    parallel(*s);
    return;
  case StmtKind::Window:
  case StmtKind::Allocate:
  case StmtKind::Copy:
    break; // placed and flattened before anything is printed
  case StmtKind::Barrier:
    barrier(*s);
    return;
  case StmtKind::Require:
    return;
  }
}

/// Pointers.
void CPrinter::exchange(const Stmt &swap) {
  const Var *a = swap.value->args[0]->var.get();
  const std::string one = nameOf(a);
  const std::string other = nameOf(swap.value->args[1]->var.get());
  const std::string held = names_.freeName("held");
  open("");
  line(typeName(a->type.scalar) + " *const " + held + " = " + one + ";");
  line(one + " = " + other + ";");
  line(other + " = " + held + ";");
  close();
}

void CPrinter::line(const std::string &text) {
  const std::size_t indent = 2 * static_cast<std::size_t>(indent_);
  text_ += brokenLine(std::string(indent, ' ') + text, indent + 4) + "\n";
  afterHead_ = text.back() == '{';
}

void CPrinter::blank() { text_ += "\n"; }

void CPrinter::open(const std::string &head) {
  line(head.empty() ? "{" : head + " {");
  ++indent_;
}

void CPrinter::close(const std::string &tail) {
  --indent_;
  line("}" + tail);
}

void CPrinter::body(const StmtPtr &s) {
  if (!s)
    return;
  if (s->kind != StmtKind::Block) {
    statement(s);
    return;
  }
  for (std::size_t i = 0; i < s->children.size(); ++i) {
    if (i > 0 && s->children[i - 1]->kind != StmtKind::Comment) {
      const auto next =
          std::find_if(s->children.begin() + static_cast<std::ptrdiff_t>(i), s->children.end(),
                       [](const StmtPtr &each) { return each->kind != StmtKind::Comment; });
      if (next != s->children.end())
        between(s->children[i - 1], *next);
    }
    statement(s->children[i]);
  }
}

std::string CPrinter::functionText(const Function &function, const std::string &qualifiers) {
  names_.reserve(calleesOf(function.body));
  std::string head = qualifiers + typeName(function.result.scalar) + " " + function.name + "(";
  std::vector<std::string> names;
  for (std::size_t i = 0; i < function.params.size(); ++i) {
    const Var &param = *function.params[i];
    names_.giveName(&param);
    head += (i == 0 ? "" : ", ") + typeName(param.type.scalar) + " " + nameOf(&param);
    names.push_back(nameOf(&param));
  }
  names_.nameAll(function.body);
  ++indent_;
  body(function.body);
  --indent_;
  const std::string inside = take();
  line(head + (function.params.empty() ? "void) {" : ") {"));
  return take() + voidOfUnused(inside, names) + inside + "}\n";
}

std::string CPrinter::take() { return std::exchange(text_, {}); }

} // namespace tangram::codegen
