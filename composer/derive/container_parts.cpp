#include "composer/derive/container_parts.h"

#include "composer/derive/source_text.h"
#include "composer/derive/windows.h"
#include "ir/unique_name.h"

#include <algorithm>

namespace tangram::composer {

namespace {

using algebra::Nest;
using algebra::NestAccess;
using algebra::NestLoop;
using algebra::Polynomial;
using Range = ContainerPart::Range;

/// `p` where it is largest or smallest over the rounds of a loop; nothing where that is not known.
std::optional<Polynomial> extreme(const Polynomial &p, const NestLoop &loop, bool largest) {
  if (!p.mentions(loop.atom))
    return p;
  const algebra::Split split = algebra::splitBy(p, loop.atom);
  const bool grows = split.coefficient.hasNoNegativeTerm();
  const bool falls = (-split.coefficient).hasNoNegativeTerm();
  if (!split.linear || !loop.isCounted || grows == falls)
    return std::nullopt;
  return split.coefficient * (grows == largest ? loop.end - 1 : loop.first) + split.rest;
}

/// The same over all loops from `inner` on that are inside of `around`.
std::optional<Polynomial> extremeIn(const Nest &nest, const Polynomial &p, int inner, int around,
                                    bool largest) {
  std::optional<Polynomial> found = p;
  for (const int at : nest.loopsFrom(inner)) {
    if (at == around)
      break;
    found = found ? extreme(*found, nest.loops[static_cast<std::size_t>(at)], largest) : found;
  }
  return found;
}

/// Finds the parts of a container.
class Parting {
public:
  Parting(const Nest &nest, int around, const ir::VarPtr &array)
      : nest_(nest), around_(around), array_(array), facts_(nest.sizes) {
    nest.assumeBounds(nest.loopsFrom(around), facts_);
  }

  void add(const NestAccess &access) {
    ContainerPart part{array_, nullptr, {}, {}, {}, access.writes, {access.expr}};
    for (unsigned d = 0; d < access.place.size(); ++d) {
      const bool isKnown = access.place[d] && d < sourceRank(array_->type); // vectors stay whole
      part.ranges.push_back(isKnown ? rangeOf(*access.place[d], access.loop, d) : whole(d));
    }
    const auto same = std::ranges::find(parts_, part.ranges, &ContainerPart::ranges);
    if (same == parts_.end()) {
      parts_.push_back(std::move(part));
      return;
    }
    same->isWritten |= part.isWritten;
    same->accesses.insert(access.expr);
  }

  /// The parts, after those are joined that may have the same elements.
  std::vector<ContainerPart> parts() {
    while (joinTwo()) {
    }
    const bool isSplit = parts_.size() > 1 &&
                         std::ranges::any_of(parts_, &ContainerPart::isWritten) &&
                         std::ranges::all_of(parts_, [&](const ContainerPart &part) {
                           return std::ranges::all_of(part.ranges, [&](const Range &range) {
                             return facts_.isNonNegative(range.first);
                           });
                         });
    if (!isSplit)
      return {};
    for (ContainerPart &part : parts_) {
      for (unsigned d = 0; d < part.ranges.size(); ++d) {
        const Range &range = part.ranges[d];
        part.isSized.push_back(facts_.isNonNegative(size(d) - range.end));
        part.isWhole.push_back(range.first.isZero() && facts_.isNonNegative(range.end - size(d)));
      }
    }
    return parts_;
  }

private:
  Polynomial size(unsigned d) const { return nest_.facts.of(sizeOf(array_, d)); }
  Range whole(unsigned d) const { return {0, size(d)}; }

  /// The places along dimension d that the loops inside of `around` make of `place`.
  Range rangeOf(const Polynomial &place, int inner, unsigned d) const {
    const auto first = extremeIn(nest_, place, inner, around_, false);
    const auto last = extremeIn(nest_, place, inner, around_, true);
    return first && last ? Range{*first, *last + 1} : whole(d);
  }

  bool areApart(const ContainerPart &a, const ContainerPart &b) const {
    for (std::size_t d = 0; d < a.ranges.size(); ++d) {
      if (facts_.isNonNegative(b.ranges[d].first - a.ranges[d].end) ||
          facts_.isNonNegative(a.ranges[d].first - b.ranges[d].end))
        return true;
    }
    return false;
  }

  /// A range with all of both.
  Range joined(const Range &a, const Range &b, unsigned d) const {
    const auto orElse = [&](const Polynomial &below, const Polynomial &above, bool takesBelow,
                            const Polynomial &otherwise) {
      if (facts_.isNonNegative(above - below))
        return takesBelow ? below : above;
      if (facts_.isNonNegative(below - above))
        return takesBelow ? above : below;
      return otherwise;
    };
    return {orElse(a.first, b.first, true, 0), orElse(a.end, b.end, false, size(d))};
  }

  bool joinTwo() {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      for (std::size_t j = i + 1; j < parts_.size(); ++j) {
        ContainerPart &a = parts_[i];
        const ContainerPart &b = parts_[j];
        const bool isSame = a.ranges == b.ranges;
        if (!isSame && ((!a.isWritten && !b.isWritten) || areApart(a, b)))
          continue;
        for (unsigned d = 0; d < a.ranges.size(); ++d)
          a.ranges[d] = joined(a.ranges[d], b.ranges[d], d);
        a.isWritten |= b.isWritten;
        a.accesses.insert(b.accesses.begin(), b.accesses.end());
        parts_.erase(parts_.begin() + static_cast<std::ptrdiff_t>(j));
        return true;
      }
    }
    return false;
  }

  const Nest &nest_;
  int around_;
  ir::VarPtr array_;
  algebra::Inequalities facts_; ///< around the statement
  std::vector<ContainerPart> parts_;
};

} // namespace

std::optional<Polynomial> leastIn(const Nest &nest, const Polynomial &p, int inner, int around) {
  return extremeIn(nest, p, inner, around, false);
}

std::vector<ContainerPart> containerParts(const Nest &nest, const ir::StmtPtr &statement,
                                          int around, const ir::VarPtr &array,
                                          const std::function<bool(const std::string &)> &isTaken) {
  std::set<const ir::Expr *> inside;
  ir::forEachExpr(statement, [&](const ir::Expr &e) { inside.insert(&e); });
  Parting parting(nest, around, array);
  for (const NestAccess &access : nest.accesses) {
    if (access.array == array && inside.contains(access.expr))
      parting.add(access);
  }
  std::vector<ContainerPart> parts = parting.parts();
  std::set<std::string> names;
  for (ContainerPart &part : parts) {
    const bool isFirst = part.isWritten && !names.contains(array->name);
    const std::string wanted = array->name + (part.isWritten ? "_part" : "_read");
    auto param = std::make_shared<ir::Var>(*array);
    param->name = isFirst ? array->name : ir::uniqueName(wanted, [&](const std::string &name) {
      return names.contains(name) || isTaken(name);
    });
    param->type.isConst = !part.isWritten;
    names.insert(param->name);
    part.param = param;
  }
  return parts;
}

} // namespace tangram::composer
