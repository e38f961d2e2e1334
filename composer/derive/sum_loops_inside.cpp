#include "composer/derive/sum_loops_inside.h"

#include "composer/derive/container_elements.h"
#include "composer/derive/statements.h"
#include "composer/derive/updates.h"

#include <algorithm>

namespace tangram::composer {

namespace {

using algebra::Nest;
using algebra::NestAccess;
using algebra::NestLoop;
using ir::StmtKind;
using ir::StmtPtr;

/// Loops that nest perfectly, but for declarations between them.
struct Chain {
  std::vector<StmtPtr> loops; ///< outer first
  std::vector<StmtPtr> body;  ///< of the innermost one, behind the declarations
  std::size_t declarations = 0;
};

class Interchange {
public:
  explicit Interchange(const Nest &nest) : nest_(nest) {}

  StmtPtr statement(const StmtPtr &s) {
    if (!s || changes)
      return s;
    if (s->kind == StmtKind::For) {
      if (const StmtPtr made = interchanged(s)) {
        changes = true;
        return made;
      }
    }
    std::vector<StmtPtr> children;
    for (const StmtPtr &child : s->children)
      children.push_back(statement(child));
    return ir::withChildren(s, std::move(children));
  }

  bool changes = false;

private:
  const NestLoop &at(const StmtPtr &loop) const {
    return nest_.loops[static_cast<std::size_t>(nest_.loopOf(*loop))];
  }

  static Chain chainOf(StmtPtr loop, const Nest &nest) {
    Chain chain;
    while (true) {
      chain.loops.push_back(loop);
      std::vector<StmtPtr> body;
      flatten(loop->children[2], body);
      const auto next = std::ranges::find_if_not(body, [](const StmtPtr &s) {
        return s->kind == StmtKind::Decl && s->value && !s->var->extent;
      });
      const bool goesOn = next != body.end() && next + 1 == body.end() &&
                          (*next)->kind == StmtKind::For && nest.loopOf(**next) >= 0;
      if (!goesOn) {
        chain.declarations = chain.body.size();
        chain.body.insert(chain.body.end(), body.begin(), body.end());
        return chain;
      }
      chain.body.insert(chain.body.end(), body.begin(), next);
      loop = *next;
    }
  }

  /// The elements that statements of the chain write, each the only one of its container that they touch; none where
  /// there are others.
  std::vector<const NestAccess *> elementsOf(const Chain &chain) const {
    const int outer = nest_.loopOf(*chain.loops.front());
    const int inner = nest_.loopOf(*chain.loops.back());
    std::vector<const NestAccess *> elements;
    for (const NestAccess &access : nest_.accesses) {
      if (!access.writes || !nest_.isIn(access.loop, outer))
        continue;
      if (access.loop != inner || !namesOnly(nest_, chain.loops.front(), access))
        return {};
      if (std::ranges::find(elements, access.array, &NestAccess::array) == elements.end())
        elements.push_back(&access);
    }
    return elements;
  }

  bool names(const NestAccess *element, const StmtPtr &loop) const {
    return std::ranges::any_of(element->place,
                               [&](const auto &place) { return place->mentions(at(loop).atom); });
  }

  /// Whether a header of the chain's loops uses what is declared between them, or statements change that.
  bool needsDeclarations(const Chain &chain) const {
    return std::any_of(
        chain.body.begin(), chain.body.begin() + static_cast<std::ptrdiff_t>(chain.declarations),
        [&](const StmtPtr &declaration) {
          const ir::Var *var = declaration->var.get();
          const bool isChanged =
              std::ranges::any_of(nest_.changes, [&](const algebra::NestChange &change) {
                return change.variable.get() == var && change.statement->kind == StmtKind::Assign;
              });
          return isChanged || std::ranges::any_of(chain.loops, [&](const StmtPtr &loop) {
                   const StmtPtr header = ir::withChildren(
                       loop, {loop->children[0], loop->children[1], ir::block({})});
                   return variablesIn(header).contains(var);
                 });
        });
  }

  StmtPtr interchanged(const StmtPtr &s) const {
    if (nest_.loopOf(*s) < 0)
      return nullptr;
    const Chain chain = chainOf(s, nest_);
    const bool isCounted = std::ranges::all_of(chain.loops, [&](const StmtPtr &loop) {
      return at(loop).isCounted && !at(loop).leavesEarly;
    });
    if (!isCounted || !changedOutside(s).empty() || needsDeclarations(chain))
      return nullptr;
    const std::vector<const NestAccess *> elements = elementsOf(chain);
    if (elements.empty() || !areUpdated(elements, ir::block(chain.body)))
      return nullptr;
    std::vector<StmtPtr> choosing, adding;
    for (const StmtPtr &loop : chain.loops) {
      const auto count = std::ranges::count_if(
          elements, [&](const NestAccess *element) { return names(element, loop); });
      if (count == 0) {
        adding.push_back(loop);
        continue;
      }
      const bool isEven = std::ranges::none_of(adding, [&](const StmtPtr &other) {
        return at(loop).first.mentions(at(other).atom) || at(loop).end.mentions(at(other).atom);
      });
      if (!isEven || count != std::ssize(elements) ||
          algebra::whyNotApart(nest_, nest_.loopOf(*loop), true))
        return nullptr;
      choosing.push_back(loop);
    }
    std::vector<StmtPtr> order = choosing;
    order.insert(order.end(), adding.begin(), adding.end());
    if (order == chain.loops)
      return nullptr;
    StmtPtr made = ir::block(chain.body);
    for (auto loop = order.rbegin(); loop != order.rend(); ++loop)
      made = ir::withChildren(*loop, {(*loop)->children[0], (*loop)->children[1], made});
    return made;
  }

  bool areUpdated(const std::vector<const NestAccess *> &elements, StmtPtr body) const {
    std::vector<ir::VarPtr> sums;
    for (const NestAccess *element : elements) {
      auto sum = std::make_shared<ir::Var>();
      sum->type = ir::scalarType(element->array->type.scalar);
      body = withElement(nest_, body, *element, ir::varRef(sum));
      sums.push_back(sum);
    }
    const LoopSums found = updatesOf(body, sums);
    return !found.why && found.updates.size() == sums.size();
  }

  const Nest &nest_;
};

} // namespace

StmtPtr withSumLoopsInside(const ir::Codelet &codelet, const Nest &nest) {
  Interchange interchange(nest);
  const StmtPtr body = interchange.statement(codelet.body);
  return interchange.changes ? body : nullptr;
}

} // namespace tangram::composer
