#include "composer/derive/flat_rows.h"

#include "composer/derive/lanes_inside.h"
#include "composer/derive/loop_form.h"
#include "composer/derive/source_text.h"
#include "composer/derive/statements.h"
#include "ir/unique_name.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace tangram::composer {

namespace {

using algebra::Nest;
using algebra::NestAccess;
using algebra::NestLoop;
using algebra::Polynomial;
using ir::ExprKind;
using ir::ExprPtr;
using ir::Stmt;
using ir::StmtKind;
using ir::StmtPtr;
using ir::VarPtr;

/// Derives from one codelet, whose outermost loop is the nest's first.
class FlatRows {
public:
  FlatRows(const ir::Spectrum &spectrum, const ir::Codelet &codelet, const Nest &nest,
           const std::function<bool(const std::string &)> &isTaken)
      : spectrum_(spectrum), codelet_(codelet), nest_(nest), loop_(nest.loops[0]),
        name_(ir::uniqueName(ir::identifierOf(spectrum.name) + "_rounds", isTaken)) {
    for (const VarPtr &param : codelet.params)
      names_.insert(param->name);
    ir::forEach(codelet.body, [&](const Stmt &s) {
      if (s.var)
        names_.insert(s.var->name);
    });
  }

  std::vector<DerivedCodelet> derive(bool keepsOrder) {
    const StmtPtr loop = theLoop();
    if (!loop || !findRows())
      return {};
    from_ = number(fresh(loop_.counter->name + "_from"));
    rounds_ = fresh("rounds");
    const StmtPtr body = own(loop);
    if (failed_)
      return {};
    findParameters(body);
    const algebra::NestReason why{"the rounds of loop " + loop_.counter->name +
                                      " touch different rows of '" + written_->name + "'",
                                  loop->location};
    std::vector<DerivedCodelet> made;
    made.push_back(
        {name_, "derived_loop",
         "__codelet __tag(derived_loop)\n" + head(name_, params_) + sourceOf(body, 1) + "}\n",
         why});
    made.push_back({spectrum_.name, "derived_rounds",
                    "__codelet __tag(derived_rounds)\n" + head(spectrum_.name, codelet_.params) +
                        "  " + name_ + "(" + arguments() + ");\n}\n",
                    why});
    made.push_back(blocks(true, why));
    made.push_back(blocks(false, why));
    const LoopForm form{name_, ir::scalarType(ir::Scalar::Void), params_, body, {}, {}, {}};
    if (auto lanes = lanesInside(form, keepsOrder))
      made.push_back(std::move(*lanes));
    return made;
  }

private:
  /// The statement that is all of the codelet, but for requirements and names; null where there is more.
  StmtPtr theLoop() const {
    StmtPtr found;
    for (const StmtPtr &s : codelet_.body->children) {
      const bool isName = std::ranges::find(nest_.names, s.get()) != nest_.names.end();
      if (s->kind == StmtKind::Require || isName)
        continue;
      if (s.get() != loop_.statement)
        return nullptr;
      found = s;
    }
    const bool isAsked =
        found && loop_.isCounted && !loop_.countsDown && !algebra::whyNotApart(nest_, 0, false);
    return isAsked ? found : nullptr;
  }

  /// The length of the rows in which the rounds touch a container, all of them in their own row.
  std::optional<Polynomial> rowOf(const VarPtr &array) const {
    std::optional<Polynomial> row;
    for (const NestAccess &access : nest_.accesses) {
      if (access.array != array)
        continue;
      if (access.place.size() != 1 || !access.place[0])
        return std::nullopt;
      const algebra::Split split = algebra::splitBy(*access.place[0], loop_.atom);
      if (!split.linear || split.coefficient.isZero() || (row && !(*row == split.coefficient)) ||
          nest_.mentionsCounter(split.coefficient))
        return std::nullopt;
      algebra::Inequalities facts = nest_.sizes;
      nest_.assumeBounds(nest_.loopsFrom(access.loop), facts);
      if (!facts.isNonNegative(split.rest) ||
          !facts.isNonNegative(split.coefficient - 1 - split.rest))
        return std::nullopt;
      row = split.coefficient;
    }
    return row;
  }

  /// Finds what is cut; whether all that is written is, and something is flat.
  bool findRows() {
    bool isFlat = false;
    for (const VarPtr &param : codelet_.params) {
      const auto row = param->type.isContainer() ? rowOf(param) : std::nullopt;
      const bool isWritten = std::ranges::any_of(nest_.accesses, [&](const NestAccess &access) {
        return access.writes && access.array == param;
      });
      if (isWritten && !row)
        return false;
      if (!row)
        continue;
      rows_.emplace(param.get(), *row);
      isFlat |= !row->literal();
      if (isWritten && written_ == nullptr)
        written_ = param;
    }
    return isFlat && written_ != nullptr;
  }

  static VarPtr number(const std::string &name) {
    auto made = std::make_shared<ir::Var>();
    made->name = name;
    made->type = ir::scalarType(ir::Scalar::Index);
    made->kind = ir::VarKind::Param;
    return made;
  }

  std::string fresh(const std::string &wanted) {
    const std::string name =
        ir::uniqueName(wanted, [&](const std::string &each) { return names_.contains(each); });
    names_.insert(name);
    return name;
  }

  StmtPtr own(const StmtPtr &s) {
    if (s.get() == loop_.statement)
      return ir::forLoop(ir::declare(loop_.counter, ir::intLiteral(0)),
                         ir::binary("<", ir::varRef(loop_.counter), roundsOfPart()), s->children[1],
                         own(s->children[2]), s->location);
    return ir::mapExprs(s, [&](const ExprPtr &e) { return own(e); });
  }

  /// The number of rounds is the number of rows of the part that is written.
  ExprPtr roundsOfPart() const {
    auto text = std::make_shared<ir::Var>();
    text->name = roundsText();
    text->type = ir::scalarType(ir::Scalar::Index);
    return ir::varRef(text);
  }

  std::string roundsText() const {
    return written_->name + ".size() / max<unsigned long>(" +
           sourceOf(nest_.facts.expression(rows_.at(written_.get()))) + ", 1)";
  }

  /// Elements of what is cut are counted from the part's first row, all else has the codelet's round.
  ExprPtr own(const ExprPtr &e) {
    if (e->kind == ExprKind::Index && e->args[0]->kind == ExprKind::Var &&
        rows_.contains(e->args[0]->var.get()))
      return ir::withArgs(e, {e->args[0], valueOf(nest_.valueOf(e->args[1]))});
    if (e->kind == ExprKind::Size && rows_.contains(e->args[0]->var.get()))
      failed_ = true;
    if (e->kind == ExprKind::Var && e->var == loop_.counter) {
      usesFrom_ = true;
      return ir::cast(e->type.scalar, ir::binary("+", ir::varRef(from_), e));
    }
    if (e->kind == ExprKind::Var && isName(e->var))
      return ir::cast(e->type.scalar, own(nest_.facts.expression(nest_.valueOf(e))));
    std::vector<ExprPtr> args;
    for (const ExprPtr &arg : e->args)
      args.push_back(own(arg));
    return ir::withArgs(e, std::move(args));
  }

  ExprPtr valueOf(const Polynomial &p) {
    const ExprPtr e = nest_.facts.expression(p);
    failed_ = failed_ || !e || namesCut(e);
    return e ? e : ir::intLiteral(0);
  }

  bool namesCut(const ExprPtr &e) const {
    return ir::contains(e, [&](const ir::Expr &each) {
      return each.kind == ExprKind::Size && rows_.contains(each.args[0]->var.get());
    });
  }

  /// Names in front of the loop, which is moved without them.
  bool isName(const VarPtr &var) const {
    return std::ranges::any_of(
        nest_.names, [&](const Stmt *name) { return name->var == var && !declaredInLoop(name); });
  }

  bool declaredInLoop(const Stmt *name) const {
    bool found = false;
    ir::forEach(loop_.statement->children[2], [&](const Stmt &s) { found |= &s == name; });
    return found;
  }

  void findParameters(const StmtPtr &body) {
    if (usesFrom_)
      params_.push_back(from_);
    std::set<const ir::Var *> used = variablesIn(body);
    for (const auto &[array, row] : rows_)
      ir::forEach(nest_.facts.expression(row), [&](const ir::Expr &e) {
        if (e.kind == ExprKind::Var)
          used.insert(e.var.get());
      });
    for (const VarPtr &param : codelet_.params) {
      if (used.contains(param.get()))
        params_.push_back(param);
    }
  }

  std::string head(const std::string &name, const std::vector<VarPtr> &params) const {
    return "void " + name + "(" + parametersOf(params) + ") {\n";
  }

  /// How the codelet's spectrum calls that of the rounds.
  std::string arguments() const {
    const std::string first = naturalText(nest_, loop_.first), end = naturalText(nest_, loop_.end);
    std::string text;
    for (const VarPtr &param : params_) {
      text += text.empty() ? "" : ", ";
      if (param == from_)
        text += first;
      else if (const auto row = rows_.find(param.get()); row != rows_.end())
        text += "slice(" + param->name + ", (" + first + ") * " + rowText(row->second) + ", (" +
                end + ") * " + rowText(row->second) + ")";
      else
        text += param->name;
    }
    return text;
  }

  std::string rowText(const Polynomial &row) const {
    return "(unsigned long)(" + sourceOf(nest_.facts.expression(row)) + ")";
  }

  /// The map over so many blocks, or over blocks of so many rounds.
  DerivedCodelet blocks(bool byCount, const algebra::NestReason &why) {
    std::set<std::string> taken = names_;
    const auto freshIn = [&](const std::string &wanted) {
      const std::string name =
          ir::uniqueName(wanted, [&](const std::string &each) { return taken.contains(each); });
      taken.insert(name);
      return name;
    };
    const std::string number = freshIn(byCount ? "p" : "t");
    const std::string other = freshIn(byCount ? "step" : "blocks");
    const std::string step = byCount ? other : number, count = byCount ? number : other;
    std::string text =
        "  __tunable unsigned " + number + (byCount ? ";\n" : " = choice(1, 2, 4, 8, 16, 32);\n") +
        "  unsigned long " + rounds_ + " = " + roundsText() + ";\n" + "  unsigned long " + other +
        " = (" + rounds_ + " + " + number + " - 1) / " + number + ";\n  map(" + name_;
    for (const VarPtr &param : params_) {
      if (param == from_)
        text += ", sequence(" + param->name + ", " + step + ", " + param->name + " + " + rounds_ +
                " + " + step + ")";
      else if (const auto row = rows_.find(param.get()); row != rows_.end())
        text += ", " + partition(param->name, count, step + " * " + rowText(row->second));
      else
        text += param->type.isContainer() ? ", all(" + param->name + ")" : ", " + param->name;
    }
    const std::string tag = (byCount ? "derived_split_" : "derived_tile_") + loop_.counter->name;
    return {name_, tag, "__codelet __tag(" + tag + ")\n" + head(name_, params_) + text + ");\n}\n",
            why};
  }

  static std::string partition(const std::string &array, const std::string &count,
                               const std::string &step) {
    return "partition(" + array + ", " + count + ", sequence(0, " + step + ", " + array +
           ".size()), sequence(1), sequence(" + step + ", " + step + ", " + array + ".size() + 1))";
  }

  const ir::Spectrum &spectrum_;
  const ir::Codelet &codelet_;
  const Nest &nest_;
  const NestLoop &loop_;
  std::string name_;
  std::set<std::string> names_;
  std::map<const ir::Var *, Polynomial> rows_; ///< lengths of rows of what is cut
  VarPtr written_, from_;
  std::string rounds_;         ///< a name
  std::vector<VarPtr> params_; ///< of the rounds
  bool usesFrom_ = false;
  bool failed_ = false;
};

} // namespace

std::vector<DerivedCodelet> flatRows(const ir::Spectrum &spectrum, const ir::Codelet &codelet,
                                     const Nest &nest, bool keepsOrder,
                                     const std::function<bool(const std::string &)> &isTaken) {
  return FlatRows(spectrum, codelet, nest, isTaken).derive(keepsOrder);
}

} // namespace tangram::composer
