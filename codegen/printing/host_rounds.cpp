#include "codegen/printing/host_rounds.h"

#include "codegen/form/building.h"
#include "codegen/form/manifest_expression.h"
#include "ir/swap.h"

#include "algebra/size_expression.h"

#include <string_view>

namespace tangram::codegen {

using namespace ir;

namespace {

/// C as the host has it: what stands in manifests, whose conversions are spelled as calls there.
std::string inC(const ExprPtr &e) {
  const auto parsed = algebra::SizeExpression::parse(manifestText(e));
  return std::get<algebra::SizeExpression>(parsed).inC(
      [](const std::string &name) { return name; });
}

/// The same beside `<`: in parentheses where an operator in it binds no tighter.
std::string operandInC(const ExprPtr &e) {
  const std::string text = inC(e);
  int depth = 0;
  bool isLoose = false;
  for (const char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    isLoose |= depth == 0 && std::string_view("?&|^=<>").find(c) != std::string_view::npos;
  }
  return isLoose ? "(" + text + ")" : text;
}

class RoundsWriter {
public:
  explicit RoundsWriter(const RoundSpelling &says) : says_(says) {}

  std::string text(const StmtPtr &s) {
    switch (s->kind) {
    case StmtKind::Block: {
      std::string all;
      for (const StmtPtr &child : s->children)
        all += text(child);
      return all;
    }
    case StmtKind::Parallel:
      return indented(says_.launch(kernel_++));
    case StmtKind::For:
      return counted(*s);
    case StmtKind::While:
      return line("while (" + asked(s->value) + ") {") + inside(s->children[0]) + line("}");
    case StmtKind::DoWhile:
      return line("do {") + inside(s->children[0]) + line("} while (" + asked(s->value) + ");");
    case StmtKind::If: {
      std::string all = line("if (" + asked(s->value) + ") {") + inside(s->children[0]);
      if (s->children.size() > 1 && s->children[1])
        all += line("} else {") + inside(s->children[1]);
      return all + line("}");
    }
    default:
      return isSwap(*s) ? exchanged(*s) : "";
    }
  }

private:
  std::string line(const std::string &text) const {
    return std::string(2 * (depth_ + 1), ' ') + text + "\n";
  }

  std::string inside(const StmtPtr &body) {
    ++depth_;
    std::string all = text(body);
    --depth_;
    return all;
  }

  std::string counted(const Stmt &s) {
    const Stmt &init = *s.children[0];
    const std::string t = init.var->name;
    const std::string by = inC(s.children[1]->value);
    const ExprPtr &below = s.value->args[1];
    // Such a counter is never below 0 (codegen/lowering/instantiate_rounds.cpp).
    const bool mixed = isSigned(init.var->type.scalar) && !isSigned(below->type.scalar);
    const std::string next = scaledLoop(s) ? t + " *= " + by
                             : by == "1"   ? "++" + t
                                           : t + " += " + by;
    return line("for (" + says_.type(init.var->type.scalar) + " " + t + " = " + inC(init.value) +
                "; " + says_.status + " == " + says_.success + " && " +
                (mixed ? "(" + says_.type(below->type.scalar) + ")" : "") + t + " < " +
                operandInC(below) + "; " + next + ") {") +
           inside(s.children[2]) + line("}");
  }

  std::string asked(const ExprPtr &element) const { return says_.asks(*element->args[0]->var); }

  std::string exchanged(const Stmt &swap) const {
    const std::string a = swap.value->args[0]->var->name;
    const std::string b = swap.value->args[1]->var->name;
    return line("{") +
           line("  " + says_.pointer(*swap.value->args[0]->var) + says_.held + " = " + a + ";") +
           line("  " + a + " = " + b + ";") + line("  " + b + " = " + says_.held + ";") + line("}");
  }

  std::string indented(const std::string &text) const {
    const std::string more(2 * depth_, ' ');
    std::string all;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      all += more + text.substr(at, end - at) + "\n";
      at = end + 1;
    }
    return all;
  }

  const RoundSpelling &says_;
  std::size_t kernel_ = 0;
  std::size_t depth_ = 0;
};

/// Outside of kernels.
void forEachOfHost(const StmtPtr &s, const std::function<void(const Stmt &)> &f) {
  if (!s || s->kind == StmtKind::Parallel)
    return;
  f(*s);
  for (const StmtPtr &child : s->children)
    forEachOfHost(child, f);
}

} // namespace

std::string roundsText(const LoweredPlan &plan, const RoundSpelling &spelling) {
  return RoundsWriter(spelling).text(plan.body);
}

bool asksKernels(const LoweredPlan &plan) {
  bool asks = false;
  forEachOfHost(plan.body, [&](const Stmt &s) {
    asks |= s.kind == StmtKind::While || s.kind == StmtKind::DoWhile || s.kind == StmtKind::If;
  });
  return asks;
}

std::vector<VarPtr> countersOf(const LoweredPlan &plan) {
  std::vector<VarPtr> found;
  forEachOfHost(plan.body, [&](const Stmt &s) {
    if (s.kind == StmtKind::For)
      found.push_back(s.children[0]->var);
  });
  return found;
}

std::set<const Var *> swappedArrays(const LoweredPlan &plan) {
  std::set<const Var *> found;
  forEachOfHost(plan.body, [&](const Stmt &s) {
    if (isSwap(s))
      found.insert({s.value->args[0]->var.get(), s.value->args[1]->var.get()});
  });
  return found;
}

} // namespace tangram::codegen
