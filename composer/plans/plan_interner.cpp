#include "composer/plans/plan_interner.h"

#include <functional>
#include <unordered_set>

namespace tangram::composer {

namespace {

struct Entry {
  const ir::PlanNode *node;
  std::weak_ptr<const ir::PlanNode> plan;
};

const ir::PlanNode &nodeOf(const Entry &entry) { return *entry.node; }
const ir::PlanNode &nodeOf(const ir::PlanNode &node) { return node; }

struct Hash {
  using is_transparent = void;
  template <typename T> std::size_t operator()(const T &key) const {
    const ir::PlanNode &node = nodeOf(key);
    std::size_t hash = std::hash<std::string>()(node.spectrum);
    auto mix = [&](std::size_t value) {
      hash = (hash ^ value) * 0x9e3779b97f4a7c15ULL;
      hash ^= hash >> 29;
    };
    mix(static_cast<std::size_t>(node.kind) * 4 + static_cast<std::size_t>(node.policy));
    mix(static_cast<std::size_t>(node.level));
    mix(static_cast<std::size_t>(node.codelet + 1));
    for (const ir::PlanPtr &child : node.children)
      mix(reinterpret_cast<std::size_t>(child.get()));
    return hash;
  }
};

struct Equal {
  using is_transparent = void;
  template <typename A, typename B> bool operator()(const A &x, const B &y) const {
    const ir::PlanNode &a = nodeOf(x);
    const ir::PlanNode &b = nodeOf(y);
    return &a == &b ||
           (a.kind == b.kind && a.level == b.level && a.codelet == b.codelet &&
            a.policy == b.policy && a.children == b.children && a.spectrum == b.spectrum);
  }
};

} // namespace

struct PlanInterner::Table {
  std::unordered_set<Entry, Hash, Equal> entries;
};

PlanInterner::PlanInterner() : table(std::make_shared<Table>()) {}

ir::PlanPtr PlanInterner::intern(ir::PlanNode node) const {
  if (auto found = table->entries.find(node); found != table->entries.end())
    return found->plan.lock();
  const auto *owned = new ir::PlanNode(std::move(node));
  ir::PlanPtr plan(owned, [table = table](const ir::PlanNode *dying) {
    if (auto entry = table->entries.find(*dying); entry != table->entries.end())
      table->entries.erase(entry);
    delete dying;
  });
  table->entries.insert({owned, plan});
  return plan;
}

std::size_t PlanInterner::size() const { return table->entries.size(); }

} // namespace tangram::composer
