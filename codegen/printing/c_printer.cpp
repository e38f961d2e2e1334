#include "codegen/printing/c_printer.h"

#include "codegen/form/building.h"
#include "codegen/printing/long_lines.h"
#include "codegen/printing/rounding_functions.h"
#include "codegen/printing/source.h"
#include "escape/escape.h"
#include "ir/swap.h"
#include "ir/unique_name.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

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

constexpr int unaryLevel = 11;

/// Operators whose mixing with others readers get wrong: parenthesize them.
bool wantsParentheses(Operator inner, Operator outer) {
  auto bitwise = [](Operator op) { return op.isBitwise() || op.isShift(); };
  return inner != outer && (bitwise(inner) || bitwise(outer) || (inner == "&&" && outer == "||"));
}

} // namespace

std::string libraryName(const std::string &function, Scalar type) {
  if (type == Scalar::F128)
    return function + "f128";
  return type == Scalar::F32 ? function + "f" : function;
}

std::string absoluteName(Scalar type) { return byteSize(type) > 4 ? "llabs" : "abs"; }

std::set<std::string> calleesOf(const StmtPtr &body) {
  std::set<std::string> callees;
  forEachExpr(body, [&](const Expr &e) {
    if (e.kind == ExprKind::Call)
      callees.insert(e.callee);
  });
  return callees;
}

void CPrinter::setName(const Var *var, const std::string &name) {
  names_[var] = name;
  taken_.insert(name);
}

std::string CPrinter::nameOf(const Var *var) const {
  auto found = names_.find(var);
  return found == names_.end() ? var->name : found->second;
}

void CPrinter::collectAssigned(const StmtPtr &s) {
  forEach(s, [&](const Stmt &each) {
    if (each.kind == StmtKind::Assign)
      assigned_.insert(each.target->kind == ExprKind::Var ? each.target->var.get()
                                                          : each.target->args[0]->var.get());
  });
}

void CPrinter::nameVariables(const StmtPtr &body) {
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
void CPrinter::giveName(const Var *var) {
  if (!var)
    return;
  if (!names_.contains(var)) {
    setName(var, freeName(var->name));
    given_.insert(var);
  } else if (given_.contains(var) && !taken_.insert(names_.at(var)).second && !clashing_) {
    clashing_ = var;
  }
}

std::string CPrinter::freeName(const std::string &wanted) const {
  return uniqueName(wanted, [&](const std::string &name) {
    return taken_.contains(name) || inside_.contains(name);
  });
}

void CPrinter::nameIn(const StmtPtr &s) {
  if (!s)
    return;
  bool scope = s->kind == StmtKind::For || s->kind == StmtKind::While ||
               s->kind == StmtKind::DoWhile || s->kind == StmtKind::If ||
               (s->kind == StmtKind::Parallel && hasBraces(*s));
  std::set<std::string> outside = scope ? taken_ : std::set<std::string>{};
  if (s->kind == StmtKind::Decl || s->kind == StmtKind::Parallel)
    giveName(s->var.get());
  for (const StmtPtr &child : s->children)
    nameIn(child);
  if (scope)
    taken_ = std::move(outside);
}

std::string CPrinter::literal(const Expr &e) const {
  if (e.type.scalar == Scalar::Bool)
    return e.integer != 0 ? "true" : "false";
  if (e.type.scalar == Scalar::F128) { // no suffix of C's gives the double of these digits
    Expr narrow = e;
    narrow.type.scalar = Scalar::F64;
    return "(" + typeName(Scalar::F128) + ")" + literal(narrow);
  }
  if (isFloating(e.type.scalar)) {
    if (std::isnan(e.real))
      return "NAN";
    if (std::isinf(e.real))
      return e.real > 0 ? "INFINITY" : "-INFINITY";
    std::array<char, 40> buffer{};
    int digits = 1;
    do {
      std::snprintf(buffer.data(), buffer.size(), "%.*g", digits++, e.real);
    } while (digits <= 17 && std::strtod(buffer.data(), nullptr) != e.real);
    std::string text = buffer.data();
    if (text.find_first_of(".e") == std::string::npos)
      text += ".0";
    return e.type.scalar == Scalar::F32 ? text + "f" : text;
  }
  std::string text = std::to_string(e.integer);
  if (e.type.scalar == Scalar::I32 && e.integer == INT32_MIN)
    return "(-2147483647 - 1)";
  if (e.type.scalar == Scalar::I64 && e.integer == INT64_MIN)
    return "(-9223372036854775807L - 1)";
  if (e.type.scalar == Scalar::U64)
    return std::to_string(static_cast<std::uint64_t>(e.integer)) + "UL";
  if (e.type.scalar == Scalar::I64)
    return text + "L";
  if (e.type.scalar == Scalar::U32)
    return std::to_string(static_cast<std::uint32_t>(e.integer)) + "U";
  return text;
}

std::string CPrinter::numberFunction(const std::string &function, const Expr &call,
                                     const std::vector<std::string> &args) const {
  const Scalar from = call.kind == ExprKind::Cast ? call.args[0]->type.scalar : call.type.scalar;
  const NumberFunction called{function, call.type.scalar, from};
  numberFunctions_.insert(called);
  std::string text = tangram::codegen::nameOf(called) + "(";
  for (std::size_t i = 0; i < args.size(); ++i)
    text += (i == 0 ? "" : ", ") + args[i];
  return text + ")";
}

std::string CPrinter::roundingText(const Expr &call, const std::vector<std::string> &args) const {
  const Scalar type = call.type.scalar;
  // One definition has the functions for all operations.
  numberFunctions_.insert({roundingName("result", roundedType(call.callee)), type, type});
  return roundingFunction(call.callee, type) + "(" + args[0] + ", " + args[1] + ")";
}

std::string CPrinter::saturated(const Expr &cast, const std::string &operand) const {
  return numberFunction("", cast, {operand});
}

std::string CPrinter::vectorConversion(Scalar type, unsigned lanes,
                                       const std::string &operand) const {
  return "(" + vectorName(type, lanes) + ")" + operand;
}

std::string CPrinter::callText(const Expr &call, const std::vector<std::string> &args) const {
  if (isWrapping(call.callee))
    return numberFunction(call.callee, call, args);
  std::string text = call.callee + "(";
  for (std::size_t i = 0; i < args.size(); ++i)
    text += (i == 0 ? "" : ", ") + args[i];
  return text + ")";
}

std::string CPrinter::atomicName(const Expr &atomic) const { return "atomic_" + atomic.op.text(); }

namespace {

/// Whether C takes what stands there for an `int`: indexes are printed without a suffix.
bool isPrintedAsInt(const Expr &e) {
  if (e.kind == ExprKind::Select)
    return isPrintedAsInt(*e.args[1]) && isPrintedAsInt(*e.args[2]);
  return e.kind == ExprKind::Literal &&
         (e.type.scalar == Scalar::Index || e.type.scalar == Scalar::I32);
}

/// Whether it makes an integer of a number that no integer may be near.
bool isSaturating(const Expr &cast) {
  return isFloating(cast.args[0]->type.scalar) && isInteger(cast.type.scalar) &&
         cast.type.scalar != Scalar::Bool;
}

/// An operation on indexes of which none has a type of its own: 2 - 4 is a large number, and C would say -2.
bool needsIndexType(const Expr &operation) {
  return std::ranges::all_of(operation.args,
                             [](const ExprPtr &arg) { return isPrintedAsInt(*arg); }) &&
         std::ranges::any_of(operation.args,
                             [](const ExprPtr &arg) { return arg->type.scalar == Scalar::Index; });
}

} // namespace

std::string CPrinter::expression(const ExprPtr &e, int context) const {
  int level = unaryLevel + 1;
  std::string text;
  switch (e->kind) {
  case ExprKind::Literal:
    text = literal(*e);
    if (text.front() == '-')
      level = unaryLevel;
    break;
  case ExprKind::Var:
    text = nameOf(e->var.get());
    break;
  case ExprKind::Unary: {
    level = unaryLevel;
    std::string operand = expression(e->args[0], unaryLevel);
    const std::string op = e->op == "!" && isVector(*e) ? "~" : e->op.text();
    text = op + (operand.front() == op.front() ? " " : "") + operand;
    break;
  }
  case ExprKind::Binary: {
    if (const std::string function = operatorFunction(*e); !function.empty()) {
      text = function + "(" + expression(e->args[0]) + ", " + expression(e->args[1]) + ")";
      break;
    }
    level = e->op.precedence();
    auto operand = [&](std::size_t i, int at) {
      std::string inner = expression(e->args[i], at);
      bool binary = e->args[i]->kind == ExprKind::Binary && e->args[i]->op.precedence() >= at;
      return binary && wantsParentheses(e->args[i]->op, e->op) ? "(" + inner + ")" : inner;
    };
    if (isVector(*e) && e->op.isLogic()) { // of masks
      level = (e->op == "&&" ? Operator("&") : Operator("|")).precedence();
      text = "(" + expression(e->args[0]) + ") " + e->op.text()[0] + " (" + expression(e->args[1]) +
             ")";
      break;
    }
    text = (needsIndexType(*e)
                ? "(" + typeName(Scalar::Index) + ")" + expression(e->args[0], unaryLevel)
                : operand(0, level)) +
           " " + e->op.text() + " " + operand(1, level + 1);
    break;
  }
  case ExprKind::Select:
    if (isVector(*e->args[0])) {
      text = selecting(e->type.scalar, lanes_) + "(" + expression(e->args[0], 0) + ", " +
             vectorText(e->args[1]) + ", " + vectorText(e->args[2]) + ")";
      break;
    }
    level = 0;
    if (isVector(*e)) {
      text = expression(e->args[0], 1) + " ? " + vectorText(e->args[1]) + " : " +
             vectorText(e->args[2]);
      break;
    }
    text = expression(e->args[0], 1) + " ? " + expression(e->args[1], 1) + " : " +
           expression(e->args[2], 0);
    break;
  case ExprKind::Cast:
    level = unaryLevel;
    if (isVector(*e))
      text = vectorConversion(e->type.scalar, lanes_, expression(e->args[0], unaryLevel));
    else if (isSaturating(*e))
      text = saturated(*e, expression(e->args[0]));
    else
      text = "(" + typeName(e->type.scalar) + ")" + expression(e->args[0], unaryLevel);
    break;
  case ExprKind::Index:
    text = elementText(*e);
    if (isVector(*e)) {
      level = unaryLevel;
      text = vectorLoad(*e->args[0]->var, text, lanes_);
    }
    break;
  case ExprKind::Atomic:
    text = atomicName(*e) + "(&" + expression(e->args[0], unaryLevel);
    for (std::size_t i = 1; i < e->args.size(); ++i)
      text += ", " + expression(e->args[i], 0);
    text += ")";
    break;
  default: {
    std::vector<std::string> args;
    for (const ExprPtr &arg : e->args)
      args.push_back(expression(arg, 0));
    text = e->kind == ExprKind::Call && isRounding(e->callee) ? roundingText(*e, args)
                                                              : callText(*e, args);
    break;
  }
  }
  return level < context ? "(" + text + ")" : text;
}

std::string CPrinter::below(const std::string &name, const ExprPtr &e) const {
  return name + " < " + expression(e, Operator("<").precedence() + 1);
}

std::string CPrinter::elementText(const Expr &element) const {
  std::string text = expression(element.args[0], unaryLevel + 1);
  for (std::size_t i = 1; i < element.args.size(); ++i)
    text += "[" + expression(element.args[i], 0) + "]";
  return text;
}

std::string CPrinter::vectorLoad(const Var &array, const std::string &first, unsigned lanes) const {
  return "*(" + vectorName(array.type.scalar, lanes) + " *)&" + first;
}

std::string CPrinter::vectorStore(const Var &array, const std::string &first, unsigned lanes,
                                  Operator op, const std::string &value) const {
  return vectorLoad(array, first, lanes) + " " + op.text() + " " + value;
}

std::string CPrinter::extent(const ExprPtr &e) const {
  return expression(rewrite(e, [](const ExprPtr &each) -> ExprPtr {
    const bool isMin = each->kind == ExprKind::Call && each->callee == "min";
    const bool isMax = each->kind == ExprKind::Call && each->callee == "max";
    if (!isMin && !isMax)
      return each;
    const ExprPtr &a = each->args[0];
    const ExprPtr &b = each->args[1];
    return select(binary(isMin ? ir::Operator("<") : ir::Operator(">"), a, b), a, b);
  }));
}

std::string CPrinter::declaration(const Stmt &s) const {
  const Var &v = *s.var;
  const bool isMemory = v.type.isContainer();
  bool constant = s.value && !assigned_.contains(&v) && !isMemory;
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
    return vectorStore(*s->target->args[0]->var, elementText(*s->target), lanes_, s->op,
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

std::string CPrinter::vectorName(Scalar type, unsigned lanes) const {
  std::string name = typeName(type) + std::to_string(lanes);
  std::ranges::replace(name, ' ', '_');
  return name;
}

bool CPrinter::isVector(const Expr &e) const {
  return lanes_ > 1 && std::ranges::any_of(e.args, [&](const ExprPtr &arg) {
           return contains(arg, [&](const Expr &each) { return each.var == lane_; });
         });
}

/// What is the same for all rounds becomes a vector by an operation that C has between the two: x - 0 is x, -0 too.
std::string CPrinter::vectorText(const ExprPtr &e) const {
  if (isVector(*e))
    return expression(e);
  return expression(e, Operator("-").precedence()) + " - (" + vectorName(e->type.scalar, lanes_) +
         "){0}";
}

std::string CPrinter::selecting(Scalar type, unsigned lanes) const {
  return "select_" + vectorName(type, lanes);
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
  if (hint.empty())
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
  giveName(turned.get());
  giveName(number.get());
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
  const std::string held = freeName("held");
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
  taken_.merge(calleesOf(function.body));
  std::string head = qualifiers + typeName(function.result.scalar) + " " + function.name + "(";
  std::vector<std::string> names;
  for (std::size_t i = 0; i < function.params.size(); ++i) {
    const Var &param = *function.params[i];
    giveName(&param);
    head += (i == 0 ? "" : ", ") + typeName(param.type.scalar) + " " + nameOf(&param);
    names.push_back(nameOf(&param));
  }
  nameVariables(function.body);
  ++indent_;
  body(function.body);
  --indent_;
  const std::string inside = take();
  line(head + (function.params.empty() ? "void) {" : ") {"));
  return take() + voidOfUnused(inside, names) + inside + "}\n";
}

std::string CPrinter::take() { return std::exchange(text_, {}); }

} // namespace tangram::codegen
