#include "composer/derive/lane_scan.h"

#include "composer/derive/loop_form.h"
#include "composer/derive/source_text.h"

#include <map>

namespace tangram::composer {

namespace {

using ir::ExprKind;
using ir::ExprPtr;

/// Neighbours that a lane has at a time: an odd number, so that lanes find theirs in different banks.
constexpr unsigned neighbours = 7;

std::string times(const std::string &a, const std::string &b) { return a + " * " + b; }

} // namespace

std::vector<std::string> LaneScan::arraysOf(const Scan &scan) {
  std::map<ir::Scalar, std::size_t> used;
  std::vector<std::string> names;
  for (const Update &update : scan.updates) {
    std::vector<std::string> &arrays = arrays_[update.variable->type.scalar];
    const std::size_t number = used[update.variable->type.scalar]++;
    if (arrays.size() <= number)
      arrays.push_back(fresh_("held"));
    names.push_back(arrays[number]);
  }
  return names;
}

std::string LaneScan::declarations() const {
  std::string text;
  for (const auto &[type, names] : arrays_) {
    for (const std::string &name : names)
      text += "  __shared " + ir::spelling(ir::scalarType(type)) + " " + name + "[" +
              std::to_string(neighbours) + " * coopDim()];\n";
  }
  return text;
}

/// `body` for one round of the loop, if there is such a round, with other variables in the place of those of the scan.
std::string LaneScan::round(int loop, const ir::StmtPtr &body,
                            const std::vector<std::string> &variables, const Scan &scan,
                            unsigned indent) {
  const algebra::NestLoop &of = nest_.loops[static_cast<std::size_t>(loop)];
  std::map<const ir::Var *, ExprPtr> own;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const ir::VarPtr &var = scan.updates[i].variable;
    own[var.get()] = named(variables[i], var->type);
  }
  const ir::StmtPtr made = ir::mapExprs(body, [&](const ExprPtr &e) {
    return ir::rewrite(e, [&](const ExprPtr &each) {
      const auto found = each->kind == ExprKind::Var ? own.find(each->var.get()) : own.end();
      return found == own.end() ? each : found->second;
    });
  });
  const std::string first = sourceOf(nest_.facts.expression(of.first));
  const std::string counter = of.countsDown
                                  ? sourceOf(nest_.facts.expression(of.end)) + " - 1 - " + round_
                              : of.first.isZero() ? round_
                                                  : first + " + " + round_;
  return indentation(indent) + "if (" + round_ + " < " + all_ + ") {\n" + indentation(indent + 1) +
         sourceType(of.counter->type) + " " + of.counter->name + " = " + counter + ";\n" +
         sourceOf(made, indent + 1) + indentation(indent) + "}\n";
}

/// What each round starts from, from what each adds.
std::string LaneScan::fromNeighbours(const Update &update, const std::string &array,
                                     unsigned indent) {
  const std::string in = indentation(indent);
  const std::string type = sourceType(update.variable->type);
  const std::string turns = in + "for (unsigned " + turn_ + " = 0; " + turn_ + " < " +
                            std::to_string(neighbours) + "; ++" + turn_ + ")";
  const std::string mine =
      array + "[" + times(std::to_string(neighbours), tree_.id()) + " + " + turn_ + "]";
  const std::string part = fresh_(update.variable->name + "_part");
  const std::string before = fresh_(update.variable->name + "_before");
  const std::string one = fresh_(update.variable->name + "_one");
  const std::string &s = update.variable->name;
  std::string text = in + type + " " + part + " = " + identityOf(update) + ";\n" + turns + "\n" +
                     in + "  " + part + " = " + combined(update, part, mine) + ";\n";
  text += tree_.tree(update, {{part}, {}}, indent);
  text += in + type + " " + before + " = " + s + ";\n" + in + "if (" + tree_.id() + " > 0)\n" + in +
          "  " + before + " = " +
          combined(update, before, tree_.resultOf(update, tree_.id() + " - 1")) + ";\n";
  text += in + s + " = " + combined(update, s, tree_.result(update)) + ";\n";
  text += turns + " {\n" + in + "  " + type + " " + one + " = " + mine + ";\n" + in + "  " + mine +
          " = " + before + ";\n" + in + "  " + before + " = " + combined(update, before, one) +
          ";\n" + in + "}\n";
  return text;
}

std::string LaneScan::text(int loop, const Scan &scan, unsigned indent) {
  const algebra::NestLoop &of = nest_.loops[static_cast<std::size_t>(loop)];
  from_ = fresh_("from");
  turn_ = fresh_("turn");
  round_ = fresh_("round");
  place_ = fresh_("place");
  all_ = fresh_("rounds_all");
  const std::vector<std::string> arrays = arraysOf(scan);
  const std::string in = indentation(indent);
  const std::string number = std::to_string(neighbours);
  const std::string turns = in + "  for (unsigned " + turn_ + " = 0; " + turn_ + " < " + number +
                            "; ++" + turn_ + ") {\n" + in + "    unsigned " + place_ + " = " +
                            turn_ + " * coopDim() + " + tree_.id() + ";\n" + in + "    unsigned " +
                            round_ + " = " + from_ + " + " + place_ + ";\n";
  std::string text = in + "unsigned " + all_ + " = " + naturalText(nest_, of.end - of.first) +
                     ";\n" + in + "for (unsigned " + from_ + " = 0; " + from_ + " < " + all_ +
                     "; " + from_ + " += " + number + " * coopDim()) {\n" + turns;
  std::vector<std::string> own, here;
  for (const Update &update : scan.updates) {
    own.push_back(fresh_(update.variable->name + "_own"));
    here.push_back(fresh_(update.variable->name + "_here"));
    text += in + "    " + sourceType(update.variable->type) + " " + own.back() + " = " +
            identityOf(update) + ";\n";
  }
  text += round(loop, scan.adds, own, scan, indent + 2);
  for (std::size_t i = 0; i < arrays.size(); ++i)
    text += in + "    " + arrays[i] + "[" + place_ + "] = " + own[i] + ";\n";
  text += in + "  }\n";
  for (std::size_t i = 0; i < arrays.size(); ++i)
    text += fromNeighbours(scan.updates[i], arrays[i], indent + 1);
  text += turns;
  for (std::size_t i = 0; i < arrays.size(); ++i)
    text += in + "    " + sourceType(scan.updates[i].variable->type) + " " + here[i] + " = " +
            arrays[i] + "[" + place_ + "];\n";
  text += round(loop, of.statement->children[2], here, scan, indent + 2);
  return text + in + "  }\n" + in + "}\n";
}

} // namespace tangram::composer
