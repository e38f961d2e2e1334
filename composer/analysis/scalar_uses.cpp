#include "composer/analysis/scalar_uses.h"

#include <map>
#include <set>

namespace tangram::composer {

namespace {

using namespace ir;

using Parameters = std::vector<bool>;

class Uses {
public:
  explicit Uses(const Program &program) {
    for (bool more = true; more;) {
      more = false;
      for (const Function &each : program.functions)
        more |= add(each.name, each.params, each.body);
      for (const Spectrum &spectrum : program.spectrums) {
        for (const Codelet &codelet : spectrum.codelets)
          more |= add(spectrum.name, codelet.params, codelet.body);
      }
    }
  }

  Parameters of(const Spectrum &spectrum) const {
    const auto found = known_.find(spectrum.name);
    return found == known_.end() ? Parameters(spectrum.params.size()) : found->second;
  }

private:
  /// True when something new is known of the parameters of `callable`.
  bool add(const std::string &callable, const std::vector<VarPtr> &params, const StmtPtr &body) {
    deciding_.clear();
    if (!body)
      return false;
    forEach(body, [&](const Stmt &s) { addStatement(s); });
    forEachExpr(body, [&](const Expr &e) { addExpression(e); });
    for (std::size_t before = 0; before != deciding_.size();) {
      before = deciding_.size();
      forEach(body, [&](const Stmt &s) { followBack(s); });
    }
    Parameters &known = known_[callable];
    known.resize(params.size());
    const Parameters before = known;
    for (std::size_t i = 0; i < params.size(); ++i)
      known[i] = known[i] || deciding_.contains(params[i].get());
    return known != before;
  }

  void addStatement(const Stmt &s) {
    if (isLoop(s)) {
      decides(s.value);
      // A loop without a condition ends by a jump.
      if (!s.value || literalValue(s.value)) {
        for (const StmtPtr &child : s.children)
          forEach(child, [&](const Stmt &inner) {
            if (inner.kind == StmtKind::If)
              decides(inner.value);
          });
      }
    }
    if (s.kind == StmtKind::Decl)
      decides(s.var->extent);
  }

  void addExpression(const Expr &e) {
    switch (e.kind) {
    case ExprKind::Index:
      for (std::size_t i = 1; i < e.args.size(); ++i)
        decides(e.args[i]);
      break;
    case ExprKind::Binary:
      if (isInteger(e.type.scalar) && (e.op == "/" || e.op == "%" || e.op == "<<" || e.op == ">>"))
        decides(e.args[1]);
      break;
    case ExprKind::Allocate:
      for (const ExprPtr &arg : e.args)
        decides(arg);
      break;
    case ExprKind::Partition:
    case ExprKind::Sequence:
    case ExprKind::Pad:
      for (const ExprPtr &arg : e.args)
        decides(arg);
      break;
    case ExprKind::Call:
    case ExprKind::SpectrumCall:
    case ExprKind::Map:
      if (const auto known = known_.find(e.callee); known != known_.end()) {
        for (std::size_t i = 0; i < e.args.size() && i < known->second.size(); ++i) {
          if (known->second[i])
            decides(e.args[i]);
        }
      }
      break;
    default:
      break;
    }
  }

  /// All scalars of `e` do. What stands in an element's place decides by itself (addExpression).
  void decides(const ExprPtr &e) {
    if (!e)
      return;
    forEach(e, [&](const Expr &each) {
      if (each.kind == ExprKind::Var && each.var->type.rank == 0)
        deciding_.insert(each.var.get());
    });
  }

  void followBack(const Stmt &s) {
    if (s.kind == StmtKind::Decl && deciding_.contains(s.var.get()))
      decides(s.value);
    if (s.kind == StmtKind::Assign && s.target->kind == ExprKind::Var &&
        deciding_.contains(s.target->var.get()))
      decides(s.value);
  }

  std::map<std::string, Parameters> known_;
  std::set<const Var *> deciding_;
};

} // namespace

std::vector<bool> decidingScalars(const Program &program, const std::string &spectrum) {
  const Spectrum *found = program.spectrum(spectrum);
  if (!found)
    return {};
  Parameters deciding = Uses(program).of(*found);
  for (std::size_t i = 0; i < deciding.size(); ++i)
    deciding[i] = deciding[i] && found->params[i]->type.rank == 0;
  return deciding;
}

} // namespace tangram::composer
