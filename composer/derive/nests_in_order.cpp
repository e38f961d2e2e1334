#include "composer/derive/nests_in_order.h"

#include "composer/derive/nest_spectrum.h"
#include "composer/derive/source_text.h"
#include "composer/derive/statements.h"
#include "composer/derive/updates.h"
#include "ir/unique_name.h"

#include <algorithm>
#include <utility>

namespace tangram::composer {

namespace {

using algebra::Nest;
using ir::ExprKind;
using ir::ExprPtr;
using ir::Stmt;
using ir::StmtKind;
using ir::StmtPtr;
using ir::VarPtr;

/// Whether `s` and what is in it jumps out, declares arrays or is otherwise no statement of a compound codelet.
bool isPlain(const StmtPtr &s) {
  bool plain = true;
  ir::forEach(s, [&](const Stmt &each) {
    plain = plain && each.kind != StmtKind::Return && each.kind != StmtKind::Break &&
            each.kind != StmtKind::Continue && each.kind != StmtKind::Eval;
  });
  return plain;
}

class Splitter {
public:
  Splitter(const ir::Spectrum &spectrum, const ir::Codelet &codelet, const Nest &nest,
           bool keepsOrder, const std::function<bool(const std::string &)> &isTaken)
      : spectrum_(spectrum), codelet_(codelet), nest_(nest), keepsOrder_(keepsOrder),
        isTaken_(isTaken) {}

  std::optional<NestsInOrder> split() {
    result_.body = statements(codelet_.body, 1);
    const bool isMore = result_.spectrums.size() > 1 || goesRound_ || hasParts_;
    const bool isOneLoop =
        hasSeveralSums_ && loops_ < 2; // derived_split adds up the sums of a single loop in one go
    return failed_ || !isMore || isOneLoop ? std::nullopt : std::optional(result_);
  }

private:
  std::string statements(const StmtPtr &s, unsigned indent) {
    if (!s || failed_)
      return "";
    switch (s->kind) {
    case StmtKind::Block: {
      if (isScan(s))
        return nest(s, -1, indent);
      std::string all;
      for (const StmtPtr &child : s->children)
        all += statements(child, indent);
      return all;
    }
    case StmtKind::Require:
      return "";
    case StmtKind::For:
      return loop(s, indent);
    case StmtKind::Decl:
      if (s->value && !s->var->extent && namesElements(s))
        return element(s, indent);
      break;
    case StmtKind::Assign:
      if (s->target->kind == ExprKind::Index)
        return nest(s, -1, indent);
      break;
    case StmtKind::If: // one nest, if nothing behind it uses what it changes
      if (isPlain(s) && changedOutside(s).empty())
        return nest(s, -1, indent);
      failed_ = true;
      break;
    case StmtKind::Return:
      break;
    default:
      failed_ = true;
    }
    failed_ = failed_ || namesElements(s) || (s->var && s->var->extent);
    return failed_ ? "" : sourceOf(s, indent);
  }

  /// Whether it is a local and the loop that uses it, and nothing else does (scan_elements.h).
  bool isScan(const StmtPtr &s) const {
    return s != codelet_.body && s->children.size() == 2 &&
           s->children[0]->kind == StmtKind::Decl && s->children[1]->kind == StmtKind::For &&
           changedOutside(s).empty() && !changedOutside(s->children[1]).empty();
  }

  /// A number that is made of elements: what a spectrum returns.
  std::string element(const StmtPtr &s, unsigned indent) {
    return indentation(indent) + sourceType(s->var->type) + " " + s->var->name + " = " +
           call(ir::returns(s->value, s->location), around_, nullptr, s->var->type.scalar) + ";\n";
  }

  std::string loop(const StmtPtr &s, unsigned indent) {
    const int number = nest_.loopOf(*s);
    if (number < 0)
      return nest(s, number, indent);
    if (isParallel(number) || !loopSums(nest_, number).why || !hasNests(s) || hasBlocks(s))
      return nest(s, number, indent);
    const std::size_t before = result_.spectrums.size(), loops = loops_;
    const int around = std::exchange(around_, number);
    const std::string body = statements(s->children[2], indent + 1);
    around_ = around;
    if (failed_) { // it stays one nest
      failed_ = false;
      result_.spectrums.erase(result_.spectrums.begin() + static_cast<std::ptrdiff_t>(before),
                              result_.spectrums.end());
      loops_ = loops;
      return nest(s, number, indent);
    }
    goesRound_ = true;
    const std::string whole =
        sourceOf(ir::forLoop(s->children[0], s->value, s->children[1], ir::block({})), 0);
    return indentation(indent) + whole.substr(0, whole.find(" {\n}")) + " {\n" + body +
           indentation(indent) + "}\n";
  }

  /// Whether workers may share the rounds of the loop, which write containers.
  bool isParallel(int loop) const {
    return !algebra::whyNotApart(nest_, loop, true) &&
           std::ranges::any_of(nest_.accesses, [&](const algebra::NestAccess &access) {
             return access.writes && nest_.isIn(access.loop, loop);
           });
  }

  /// Whether a loop in `s` may be cut, so that it is worth to go round it.
  bool hasNests(const StmtPtr &s) const {
    bool found = false;
    ir::forEach(s->children[2], [&](const Stmt &each) {
      const int loop = each.kind == StmtKind::For ? nest_.loopOf(each) : -1;
      found |= loop >= 0 && isParallel(loop);
    });
    return found && isPlain(s->children[2]);
  }

  /// Whether a loop in `s` may be cut as it stands: each worker goes all rounds of the loops around it, so that they
  /// meet once.
  bool hasBlocks(const StmtPtr &s) const {
    if (!changedOutside(s).empty())
      return false;
    const auto made =
        nestSpectrum(spectrum_.name, codelet_, nest_, {s, around_, nullptr, ir::Scalar::Void});
    if (!made)
      return false;
    const auto own = algebra::nestOf(made->made.codelet);
    const auto *nest = std::get_if<Nest>(&own);
    for (int loop = 0; nest != nullptr && loop < static_cast<int>(nest->loops.size()); ++loop) {
      const auto blocked = blockedLoop(*nest, loop);
      if (std::holds_alternative<BlockedLoop>(blocked))
        return true;
    }
    return false;
  }

  /// Whether the nest adds to the neutral element, and nothing else adds to the variable.
  bool startsHere(const Update &sum) const {
    std::size_t changes = 0;
    bool isIdentity = false;
    for (const algebra::NestChange &change : nest_.changes) {
      if (change.variable != sum.variable)
        continue;
      if (change.statement->kind == StmtKind::Decl)
        isIdentity = change.loop == around_ && change.statement->value &&
                     sourceOf(change.statement->value) == identityOf(sum);
      else
        ++changes;
    }
    return isIdentity && changes == 1;
  }

  /// The call of a spectrum made of the nest.
  std::string nest(const StmtPtr &s, int number, unsigned indent) {
    loops_ += s->kind == StmtKind::For ? 1 : 0;
    const std::vector<VarPtr> changed = changedOutside(s);
    if (changed.empty())
      return indentation(indent) + call(s, around_, nullptr, ir::Scalar::Void) + ";\n";
    const LoopSums sums = number < 0 ? LoopSums{} : loopSums(nest_, number);
    const bool isReordered =
        keepsOrder_ && dependsOnOrder(sums) &&
        !std::ranges::all_of(sums.updates, [&](const Update &sum) { return startsHere(sum); });
    const bool haveNoPlaces =
        std::ranges::all_of(sums.updates, [](const Update &sum) { return sum.places.empty(); });
    failed_ = sums.why || isReordered || !haveNoPlaces || sums.updates.size() != changed.size() ||
              (changed.size() > 1 && writesElements(s));
    if (failed_)
      return "";
    hasSeveralSums_ |= changed.size() > 1;
    std::string text;
    for (const Update &sum : sums.updates) {
      const std::string &name = sum.variable->name;
      const std::string part =
          call(withOneSum(s, sums, sum), around_, &sum, sum.variable->type.scalar);
      text += indentation(indent) + name + " = " + combined(sum, name, part) + ";\n";
    }
    return text;
  }

  static bool writesElements(const StmtPtr &s) {
    bool writes = false;
    ir::forEach(s, [&](const Stmt &each) {
      const ExprPtr target = targetOf(each);
      writes |= target && target->kind == ExprKind::Index;
    });
    return writes;
  }

  /// A nest that adds up several numbers goes round once for each of them, since a spectrum returns one number:
  /// for (i) { s += x[i]; t += x[i] * x[i]; }      ->      s = s + f_nest(x); t = t + f_nest_2(x);
  static StmtPtr withOneSum(const StmtPtr &s, const LoopSums &sums, const Update &one) {
    return ir::rewrite(s, [&](const StmtPtr &each) {
      const bool isOther = each->kind == StmtKind::Assign && each->target->kind == ExprKind::Var &&
                           each->target->var != one.variable &&
                           std::ranges::any_of(sums.updates, [&](const Update &sum) {
                             return sum.variable == each->target->var;
                           });
      return isOther ? ir::block({}) : each;
    });
  }

  /// The call of a spectrum made of the statement; `sum`: what it adds up and returns, or null.
  std::string call(const StmtPtr &s, int around, const Update *sum, ir::Scalar result) {
    const std::string name =
        ir::uniqueName(ir::identifierOf(spectrum_.name) + "_nest", [&](const std::string &each) {
          return isTaken_(each) ||
                 std::ranges::any_of(result_.spectrums, [&](const MadeSpectrum &other) {
                   return other.spectrum.name == each;
                 });
        });
    auto made = nestSpectrum(name, codelet_, nest_, {s, around, sum, result});
    // The call would make parts of a container outside of the if, where their ends may not be in range.
    if (!made || (s->kind == StmtKind::If && made->hasParts)) {
      failed_ = true;
      return "";
    }
    hasParts_ |= made->hasParts;
    result_.spectrums.push_back(std::move(made->made));
    return made->call;
  }

  const ir::Spectrum &spectrum_;
  const ir::Codelet &codelet_;
  const Nest &nest_;
  bool keepsOrder_;
  const std::function<bool(const std::string &)> &isTaken_;
  NestsInOrder result_;
  int around_ = -1; ///< the loop that is gone round
  std::size_t loops_ = 0;
  bool hasSeveralSums_ = false; ///< a loop adds up several numbers
  bool goesRound_ = false;
  bool hasParts_ = false; ///< a nest is given parts of a container that it reads and writes
  bool failed_ = false;
};

} // namespace

std::optional<NestsInOrder> nestsInOrder(const ir::Spectrum &spectrum, const ir::Codelet &codelet,
                                         const Nest &nest, bool keepsOrder,
                                         const std::function<bool(const std::string &)> &isTaken) {
  return Splitter(spectrum, codelet, nest, keepsOrder, isTaken).split();
}

} // namespace tangram::composer
