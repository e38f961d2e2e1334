#include "composer/plans/notation.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace tangram::composer {

namespace {

constexpr unsigned whole = std::numeric_limits<unsigned>::max();

/// Writes a plan as it stands after a number of iterations.
class Writer {
public:
  Writer(const RuleBook &book, DerivationLine &line) : book(book), line(line) {}

  /// `plan` composes `goal` with `left` iterations to go; the rules applied in the last of them
  /// are noted.
  void write(const ir::PlanPtr &plan, const Goal &goal, unsigned left) {
    if (left == 0) {
      line.steps.push_back(toString(goal, book.context()));
      return;
    }
    const ProgramRule *rule = book.ruleOf(*plan, &goal);
    if (!rule) {
      line.steps.push_back("?");
      return;
    }
    if (left == 1)
      line.rules.push_back(book.label(*rule));
    std::size_t open = 0;
    for (std::size_t i = 0; i < rule->terms.size(); ++i) {
      if (!rule->terms[i].isOpen()) {
        line.steps.push_back(rule->steps[i]);
        continue;
      }
      const OpenGoal &next = rule->open[open++];
      write(subplan(*plan, next), next.goal, left == whole ? whole : left - 1);
    }
  }

private:
  const RuleBook &book;
  DerivationLine &line;
};

Goal goalOf(const ir::PlanNode &node, const RuleContext &context) {
  return {context.program->spectrum(node.spectrum), node.level,
          node.kind == ir::PlanNode::Kind::Map};
}

unsigned depthOf(const ir::PlanPtr &plan, const RuleBook &book) {
  const ProgramRule *rule = book.ruleOf(*plan);
  unsigned deepest = 0;
  for (std::size_t i = 0; rule && i < rule->open.size(); ++i)
    deepest = std::max(deepest, depthOf(subplan(*plan, rule->open[i]), book));
  return deepest + 1;
}

/// Whatever was left out or overridden when the plan was made, its rules are rules.
RuleContext permissive(const ir::Program &program, const Machine &machine) {
  RuleContext context;
  context.program = &program;
  context.machine = &machine;
  context.mapRules = {MapRule::Distribute, MapRule::Serialize, MapRule::Split};
  return context;
}

} // namespace

const ir::PlanPtr &subplan(const ir::PlanNode &node, const OpenGoal &open) {
  const ir::PlanPtr &child = node.children[static_cast<std::size_t>(open.child)];
  return open.policy && node.kind == ir::PlanNode::Kind::Codelet ? child->children.front() : child;
}

std::vector<std::string> steps(const ir::PlanPtr &plan, const ir::Program &program,
                               const Machine &machine) {
  return steps(plan, RuleBook(permissive(program, machine)));
}

std::vector<std::string> steps(const ir::PlanPtr &plan, const RuleBook &book) {
  DerivationLine line;
  Writer(book, line).write(plan, goalOf(*plan, book.context()), whole);
  return line.steps;
}

std::string linear(const std::vector<std::string> &steps) {
  std::string text;
  for (const std::string &step : steps) {
    if (!text.empty())
      text += ", ";
    text += step;
  }
  return text;
}

std::string planId(const ir::PlanPtr &plan, const ir::Program &program, const Machine &machine) {
  return planId(plan->spectrum, steps(plan, program, machine));
}

std::string planId(const std::string &spectrum, const std::vector<std::string> &steps) {
  // FNV-1a, 64 bits, folded to 32.
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  auto add = [&](char c) { hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL; };
  for (char c : spectrum)
    add(c);
  for (const std::string &step : steps) {
    add('\n');
    for (char c : step)
      add(c);
  }
  const auto folded = static_cast<std::uint32_t>(hash ^ (hash >> 32));
  std::string id;
  for (int shift = 28; shift >= 0; shift -= 4)
    id += "0123456789abcdef"[(folded >> shift) & 15U];
  return id;
}

std::vector<DerivationLine> derivation(const ir::PlanPtr &plan, const RuleBook &book) {
  std::vector<DerivationLine> lines;
  const unsigned depth = depthOf(plan, book);
  for (unsigned iteration = 0; iteration <= depth; ++iteration) {
    DerivationLine line;
    Writer(book, line).write(plan, goalOf(*plan, book.context()), iteration);
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string toString(const DerivationLine &line) {
  std::string text = linear(line.steps);
  if (!line.rules.empty())
    text += " // " + linear(line.rules);
  return text;
}

} // namespace tangram::composer
