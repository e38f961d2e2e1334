#include "composer/plans/plan_space.h"

#include "composer/plans/notation.h"

namespace tangram::composer {

namespace {

/// Families with at most this many plans are kept as lists once they are walked.
constexpr unsigned long listedAtMost = 16384;
/// Largest count, in bits.
constexpr std::size_t mostBits = std::size_t{1} << 24;

} // namespace

/// One rule of a goal and the families of what it leaves open.
struct Alternative {
  const ProgramRule *rule;
  std::vector<PlanFamily *> open;
  mpz_class count;
};

/// The plans of one goal within one number of iterations.
struct PlanFamily {
  std::vector<Alternative> alternatives; ///< best first
  mpz_class count;
  std::vector<ir::PlanPtr> listed; ///< all of them, when few and walked
};

struct PlanSpace::Families {
  using Key = std::pair<Goal, unsigned>;

  Families(const RuleOrder &order, PlanInterner interner)
      : order(order), interner(std::move(interner)) {}

  const RuleOrder &order;
  PlanInterner interner;
  std::map<Key, std::unique_ptr<PlanFamily>> made;
  bool tooLarge = false;

  PlanFamily *family(const Goal &goal, unsigned left) {
    auto [slot, fresh] = made.try_emplace(Key{goal, left});
    if (!fresh)
      return slot->second.get();
    slot->second = std::make_unique<PlanFamily>();
    PlanFamily *family = slot->second.get();
    for (const ProgramRule *rule : order.usable(goal, left)) {
      Alternative alternative{rule, {}, 1};
      std::size_t bits = 0;
      for (const OpenGoal &open : rule->open) {
        PlanFamily *below = this->family(childGoal(goal, open), left - 1);
        bits += mpz_sizeinbase(below->count.get_mpz_t(), 2);
        tooLarge |= bits > mostBits;
        if (tooLarge)
          return family;
        alternative.open.push_back(below);
        alternative.count *= below->count;
      }
      family->count += alternative.count;
      family->alternatives.push_back(std::move(alternative));
    }
    return family;
  }

  ir::PlanPtr build(const PlanFamily &family, mpz_class index) const {
    for (const Alternative &alternative : family.alternatives) {
      if (index >= alternative.count) {
        index -= alternative.count;
        continue;
      }
      std::vector<ir::PlanPtr> slots(alternative.open.size());
      for (std::size_t i = slots.size(); i-- > 0;) {
        const mpz_class digit = index % alternative.open[i]->count;
        index /= alternative.open[i]->count;
        slots[i] = slotOf(*alternative.rule, i, build(*alternative.open[i], digit), interner);
      }
      return nodeOf(*alternative.rule, slots, interner);
    }
    return nullptr;
  }

  std::optional<mpz_class> indexOf(const PlanFamily &family, const ir::PlanPtr &plan) const {
    if (family.alternatives.empty())
      return std::nullopt;
    const ProgramRule *rule = order.book().ruleOf(*plan, &family.alternatives.front().rule->goal);
    mpz_class before = 0;
    for (const Alternative &alternative : family.alternatives) {
      if (alternative.rule != rule) {
        before += alternative.count;
        continue;
      }
      mpz_class index = 0;
      for (std::size_t i = 0; i < alternative.open.size(); ++i) {
        const auto below = indexOf(*alternative.open[i], subplan(*plan, rule->open[i]));
        if (!below)
          return std::nullopt;
        index = index * alternative.open[i]->count + *below;
      }
      return before + index;
    }
    return std::nullopt;
  }

  const std::vector<ir::PlanPtr> &list(PlanFamily &family) const {
    if (family.listed.empty()) {
      const unsigned long count = family.count.get_ui();
      family.listed.reserve(count);
      for (unsigned long i = 0; i < count; ++i)
        family.listed.push_back(build(family, i));
    }
    return family.listed;
  }
};

std::variant<PlanSpace, ir::Diagnostic> PlanSpace::make(const RuleOrder &order, unsigned iterations,
                                                        PlanInterner interner) {
  PlanSpace space;
  space.families = std::make_shared<Families>(order, std::move(interner));
  space.root = space.families->family(order.root(), iterations);
  if (space.families->tooLarge)
    return ir::errorAt(order.root().spectrum->location,
                       "the plans of " + order.root().spectrum->name + " within " +
                           std::to_string(iterations) +
                           " iterations are too many to count; ask for fewer iterations");
  return space;
}

const mpz_class &PlanSpace::count() const { return root->count; }

ir::PlanPtr PlanSpace::at(const mpz_class &index) const { return families->build(*root, index); }

std::optional<mpz_class> PlanSpace::indexOf(const ir::PlanPtr &plan) const {
  return families->indexOf(*root, plan);
}

/// An odometer over one family: one walker for each open goal, the last turning fastest.
struct PlanCursor::Walker {
  Walker(PlanSpace::Families &families, PlanFamily &family)
      : families(families), family(family), asList(family.count <= listedAtMost) {}

  /// Stand on the first plan; false when there is none.
  bool first() {
    position = 0;
    if (asList)
      return !families.list(family).empty() && take();
    return !family.alternatives.empty() && enter();
  }

  bool advance() {
    ++position;
    if (asList)
      return position < family.listed.size() && take();
    --position;
    for (std::size_t i = below.size(); i-- > 0;) {
      if (below[i]->advance()) {
        refresh(i);
        return build();
      }
      below[i]->first();
      refresh(i);
    }
    return ++position < family.alternatives.size() && enter();
  }

  PlanSpace::Families &families;
  PlanFamily &family;
  bool asList;
  std::size_t position = 0; ///< in the list, or among the alternatives
  std::vector<std::unique_ptr<Walker>> below;
  std::vector<ir::PlanPtr> slots;
  ir::PlanPtr current;

private:
  bool take() {
    current = family.listed[position];
    return true;
  }

  bool enter() {
    const Alternative &alternative = family.alternatives[position];
    below.clear();
    slots.assign(alternative.open.size(), nullptr);
    for (std::size_t i = 0; i < slots.size(); ++i) {
      below.push_back(std::make_unique<Walker>(families, *alternative.open[i]));
      below.back()->first();
      refresh(i);
    }
    return build();
  }

  void refresh(std::size_t i) {
    slots[i] = slotOf(*family.alternatives[position].rule, i, below[i]->current, families.interner);
  }

  bool build() {
    current = nodeOf(*family.alternatives[position].rule, slots, families.interner);
    return true;
  }
};

PlanCursor::PlanCursor(PlanSpace space) : space(std::move(space)) {}
PlanCursor::~PlanCursor() = default;
PlanCursor::PlanCursor(PlanCursor &&) noexcept = default;
PlanCursor &PlanCursor::operator=(PlanCursor &&) noexcept = default;

ir::PlanPtr PlanCursor::next() {
  bool found = true;
  if (!walker) {
    walker = std::make_unique<Walker>(*space.families, *space.root);
    found = walker->first();
  } else if (walker->current) {
    found = walker->advance();
  } else {
    return nullptr;
  }
  if (!found)
    walker->current = nullptr;
  return walker->current;
}

} // namespace tangram::composer
