#include "composer/plans/plan_json.h"

#include "composer/plans/notation.h"
#include "json/reader.h"

#include <algorithm>
#include <filesystem>

namespace tangram::composer {

namespace {

using Json = nlohmann::ordered_json;

constexpr int formatVersion = 1;

const char *ruleName(const ir::PlanNode &node) {
  switch (node.kind) {
  case ir::PlanNode::Kind::Devolve:
    return "devolve";
  case ir::PlanNode::Kind::Compute:
    return "compute";
  case ir::PlanNode::Kind::Codelet:
    return "compound";
  case ir::PlanNode::Kind::Map:
    return node.policy == ir::MapPolicy::Distribute  ? "distribute"
           : node.policy == ir::MapPolicy::Serialize ? "serialize"
                                                     : "split";
  }
  return "";
}

Json toJson(const ir::PlanPtr &plan, const ir::Program &program, const Machine &machine) {
  Json json;
  json["rule"] = ruleName(*plan);
  json["spectrum"] = plan->spectrum;
  json["level"] = machine.levels[static_cast<std::size_t>(plan->level)].name;
  if (plan->codelet >= 0)
    json["codelet"] =
        program.spectrum(plan->spectrum)->codelets[static_cast<std::size_t>(plan->codelet)].name();
  for (const ir::PlanPtr &child : plan->children)
    json["of"].push_back(toJson(child, program, machine));
  return json;
}

void rename(Json &node, const std::map<std::string, std::string> &levels) {
  node["level"] = levels.at(node["level"].get<std::string>());
  if (node.contains("of")) {
    for (Json &child : node["of"])
      rename(child, levels);
  }
}

/// Reads nodes; the first thing wrong stops it.
class Reader : private json::Report {
public:
  Reader(const std::string &file, const ir::Program &program, const Machine &machine,
         const PlanInterner &interner)
      : file(file), program(program), machine(machine), interner(interner), book(context()) {}

  ir::Diagnostics errors;

  ir::PlanPtr document(const json::Json &document) {
    const Value whole(&document, "", *this);
    if (!isObject(whole))
      return nullptr;
    if (text(whole, "format") != "tangram-plan" && errors.empty())
      whole.member("format").expected("\"tangram-plan\"");
    const Value version = whole.member("version");
    if (errors.empty() && (version.missing() || *version.json() != formatVersion))
      version.expected(std::to_string(formatVersion));
    const std::string spectrum = text(whole, "spectrum");
    const std::string id = text(whole, "id");
    if (errors.empty() && whole.member("plan").missing())
      whole.member("plan").expected("an object");
    if (!errors.empty())
      return nullptr;
    ir::PlanPtr plan = node(whole.member("plan"), spectrum, -1, false);
    if (!plan)
      return nullptr;
    const std::vector<std::string> found = steps(plan, book);
    const Value given = whole.member("steps");
    if (given.missing() || *given.json() != json::Json(found))
      return fail(given, "expected those of the plan: " + linear(found));
    if (const std::string real = planId(plan->spectrum, found); real != id)
      return fail(whole.member("id"),
                  "expected \"" + real + "\", the id of these steps, found \"" + id + "\"");
    return plan;
  }

  ir::PlanPtr tree(const json::Json &node) {
    return this->node(Value(&node, "", *this), node.at("spectrum").get<std::string>(), -1, false);
  }

private:
  using Value = json::Value;

  void problem(const std::string &pointer, const std::string &message) override {
    errors.push_back(
        ir::errorAt({file, 0, 0, 1}, (pointer.empty() ? "" : pointer + ": ") + message));
  }
  std::string describe(const json::Json &value) const override { return json::dumped(value); }

  RuleContext context() const {
    RuleContext permissive;
    permissive.program = &program;
    permissive.machine = &machine;
    // What a level offers may have been overridden when the plan was made; what it can do not.
    permissive.mapRules = {MapRule::Distribute, MapRule::Serialize, MapRule::Split};
    return permissive;
  }

  static std::nullptr_t fail(const Value &at, const std::string &message) {
    at.problem(message);
    return nullptr;
  }

  static bool isObject(const Value &value) {
    if (value.json()->is_object())
      return true;
    return fail(value, "expected an object, found " + std::string(value.json()->type_name())) !=
           nullptr;
  }

  /// A member that must be a string; empty after an error.
  std::string text(const Value &value, const std::string &key) const {
    if (!errors.empty())
      return {};
    const Value member = value.member(key);
    if (member.missing())
      member.expected("a string");
    return member.string();
  }

  static std::nullptr_t unknown(const Value &at, const std::string &what, const std::string &name,
                                const std::vector<std::string> &known) {
    // Level names are too short to be mistyped.
    const std::string near = what == "level" ? "" : ir::nearest(name, known);
    return fail(at, "unknown " + what + " \"" + name + "\"" +
                        (near.empty() ? ", expected one of " + linear(known)
                                      : ", did you mean \"" + near + "\"?"));
  }

  /// Read the node `at`, which must compose `spectrum` (a map of it when `isMap`) at
  /// `level` (any when -1).
  ir::PlanPtr node(const Value &at, const std::string &spectrum, int level, bool isMap) {
    if (!isObject(at))
      return nullptr;
    ir::PlanNode made;
    if (!head(at, spectrum, level, made))
      return nullptr;
    if (isMap != (made.kind == ir::PlanNode::Kind::Map))
      return fail(at.member("rule"),
                  std::string("expected ") +
                      (isMap ? "distribute, serialize or split" : "devolve, compute or compound") +
                      ", found " + ruleName(made));
    return made.kind == ir::PlanNode::Kind::Codelet ? compound(at, std::move(made))
                                                    : simple(at, std::move(made));
  }

  /// What every node says of itself.
  bool head(const Value &at, const std::string &spectrum, int level, ir::PlanNode &made) {
    const std::string rule = text(at, "rule");
    made.spectrum = text(at, "spectrum");
    const std::string levelName = text(at, "level");
    if (!errors.empty() || !kindOf(rule, at, made))
      return false;
    const ir::Spectrum *found = program.spectrum(made.spectrum);
    if (!found || made.spectrum != spectrum) {
      const bool unknownName = !found && made.spectrum == spectrum;
      return fail(at.member("spectrum"),
                  unknownName ? "the program has no spectrum \"" + spectrum + "\""
                              : "expected " + spectrum + ", found " + made.spectrum) != nullptr;
    }
    made.level = machine.levelNamed(levelName);
    std::vector<std::string> known;
    for (const Level &each : machine.levels)
      known.push_back(each.name);
    if (made.level < 0)
      return unknown(at.member("level"), "level", levelName, known) != nullptr;
    if (level >= 0 && made.level != level)
      return fail(at.member("level"), "expected " + known[static_cast<std::size_t>(level)] +
                                          ", found " + levelName) != nullptr;
    if (made.kind == ir::PlanNode::Kind::Map || made.kind == ir::PlanNode::Kind::Devolve)
      return true;
    return codeletOf(at, *found, made);
  }

  static bool kindOf(const std::string &rule, const Value &at, ir::PlanNode &made) {
    using Kind = ir::PlanNode::Kind;
    static constexpr std::array<const char *, 6> names{"devolve",    "compute",   "compound",
                                                       "distribute", "serialize", "split"};
    auto found = std::ranges::find(names, rule);
    if (found == names.end())
      return unknown(at.member("rule"), "rule", rule, {names.begin(), names.end()}) != nullptr;
    const auto index = static_cast<std::size_t>(found - names.begin());
    made.kind = index == 0   ? Kind::Devolve
                : index == 1 ? Kind::Compute
                : index == 2 ? Kind::Codelet
                             : Kind::Map;
    made.policy = index == 4   ? ir::MapPolicy::Serialize
                  : index == 5 ? ir::MapPolicy::Split
                               : ir::MapPolicy::Distribute;
    return true;
  }

  bool codeletOf(const Value &at, const ir::Spectrum &spectrum, ir::PlanNode &made) {
    const std::string name = text(at, "codelet");
    if (!errors.empty())
      return false;
    std::vector<std::string> known;
    for (const ir::Codelet &each : spectrum.codelets)
      known.push_back(each.name());
    auto found = std::ranges::find(known, name);
    if (found == known.end())
      return unknown(at.member("codelet"), "codelet", name, known) != nullptr;
    made.codelet = static_cast<int>(found - known.begin());
    return true;
  }

  /// Why `made` is no rule here: what the rules of its goal rejected.
  std::nullptr_t refuse(const Value &at, const ir::PlanNode &made) {
    const Goal goal{program.spectrum(made.spectrum), made.level,
                    made.kind == ir::PlanNode::Kind::Map};
    for (const RejectedRule &each : book.rules(goal).rejected) {
      const bool devolves = each.kind == ProgramRule::Kind::Devolve;
      const bool sameMap = made.kind == ir::PlanNode::Kind::Map
                               ? each.refusal.rule == ruleName(made)
                               : each.codeletIndex == made.codelet;
      if (devolves == (made.kind == ir::PlanNode::Kind::Devolve) && (devolves || sameMap)) {
        fail(at, each.refusal.reason);
        if (!devolves)
          errors.back().notes.push_back(ir::noteAt(each.refusal.location, each.origin()));
        return nullptr;
      }
    }
    return fail(at, "no rule of " + machine.name + " composes " + toString(goal, book.context()) +
                        " so");
  }

  /// What the node is made of, "of".
  static std::vector<Value> children(const Value &at) {
    const Value of = at.member("of");
    return of.missing() || !of.json()->is_array() ? std::vector<Value>{} : of.elements();
  }

  static bool arity(const Value &at, std::size_t expected) {
    const Value of = at.member("of");
    const bool isArray = of.missing() || of.json()->is_array();
    const std::size_t count = children(at).size();
    if (isArray && count == expected)
      return true;
    return fail(of, "expected an array of " + std::to_string(expected) + ", found " +
                        (isArray ? "one of " + std::to_string(count) : of.described())) != nullptr;
  }

  /// Devolve, Compute, or a map composed by itself.
  ir::PlanPtr simple(const Value &at, ir::PlanNode made) {
    const ProgramRule *rule = book.ruleOf(made);
    if (!rule || (made.kind == ir::PlanNode::Kind::Compute) != rule->computes) {
      if (rule)
        return fail(at.member("rule"), "codelet " + rule->origin() + " is compound");
      return refuse(at, made);
    }
    return filled(at, std::move(made), *rule);
  }

  /// At which level what a map applies is composed, -1 where the document does not say.
  int levelOfApplied(const Value &map) const {
    const std::vector<Value> of = children(map);
    if (of.empty())
      return -1;
    const Value level = of[0].member("level");
    return level.missing() || !level.json()->is_string() ? -1 : machine.levelNamed(level.string());
  }

  /// A compound codelet: the policies of its maps say which rule it is.
  ir::PlanPtr compound(const Value &at, ir::PlanNode made) {
    std::vector<ir::MapPolicy> policies;
    std::vector<int> levels; // at which what they apply is composed
    for (const Value &each : children(at)) {
      ir::PlanNode child;
      const Value rule = each.member("rule");
      if (rule.missing() || !rule.json()->is_string())
        continue;
      if (!kindOf(rule.string(), each, child))
        return nullptr;
      if (child.kind != ir::PlanNode::Kind::Map)
        continue;
      policies.push_back(child.policy);
      levels.push_back(levelOfApplied(each));
    }
    const Goal goal{program.spectrum(made.spectrum), made.level};
    const ProgramRule *chosen = nullptr;
    for (const ProgramRule &rule : book.rules(goal).rules) {
      if (rule.kind != ProgramRule::Kind::Codelet || rule.codeletIndex != made.codelet)
        continue;
      if (rule.computes)
        return fail(at.member("rule"), "codelet " + rule.origin() + " is atomic");
      // With a wrong level any rule of these policies says what is expected instead.
      if (rule.policies == policies && (!chosen || rule.appliedAt == levels))
        chosen = &rule;
    }
    return chosen ? filled(at, std::move(made), *chosen) : refuse(at, made);
  }

  ir::PlanPtr filled(const Value &at, ir::PlanNode made, const ProgramRule &rule) {
    if (!arity(at, rule.open.size()))
      return nullptr;
    for (const OpenGoal &open : rule.open) {
      const Value child = children(at)[static_cast<std::size_t>(open.child)];
      ir::PlanPtr read = rule.kind == ProgramRule::Kind::Codelet && open.policy
                             ? mapSite(child, made.level, open)
                             : goalAt(child, open.goal);
      if (!read)
        return nullptr;
      made.children.push_back(std::move(read));
    }
    return interner.intern(std::move(made));
  }

  ir::PlanPtr goalAt(const Value &at, const Goal &goal) {
    return node(at, goal.spectrum->name, goal.level, goal.map);
  }

  /// A map of a codelet: composed by the codelet's rule, so only what it applies is a goal.
  ir::PlanPtr mapSite(const Value &at, int level, const OpenGoal &open) {
    if (!isObject(at))
      return nullptr;
    ir::PlanNode made;
    if (!head(at, open.mapped->name, level, made))
      return nullptr;
    if (made.kind != ir::PlanNode::Kind::Map)
      return fail(at.member("rule"),
                  std::string("expected distribute, serialize or split, found ") + ruleName(made));
    if (!arity(at, 1))
      return nullptr;
    ir::PlanPtr applied = goalAt(children(at)[0], open.goal);
    if (!applied)
      return nullptr;
    made.children.push_back(std::move(applied));
    return interner.intern(std::move(made));
  }

  const std::string &file;
  const ir::Program &program;
  const Machine &machine;
  const PlanInterner &interner;
  RuleBook book;
};

} // namespace

std::string planToJson(const ir::PlanPtr &plan, const ir::Program &program,
                       const Machine &machine) {
  const std::vector<std::string> notation = steps(plan, program, machine);
  Json json;
  json["format"] = "tangram-plan";
  json["version"] = formatVersion;
  json["spectrum"] = plan->spectrum;
  json["model"] = machine.name;
  json["id"] = planId(plan->spectrum, notation);
  json["source"] = {{"file", std::filesystem::path(program.file).filename().string()},
                    {"hash", program.contentHash}};
  json["steps"] = notation;
  json["plan"] = toJson(plan, program, machine);
  return json::dumped(json, 2) + "\n";
}

std::variant<ir::PlanPtr, ir::Diagnostics>
planFromJson(const std::string &text, const std::string &file, const ir::Program &program,
             const Machine &machine, const PlanInterner &interner) {
  const auto parsed = json::parse(text);
  const json::Json *document = std::get_if<json::Json>(&parsed);
  if (!document)
    return ir::Diagnostics{ir::errorAt({file, 0, 0, 1}, "not a JSON document, or cut short")};
  Reader reader(file, program, machine, interner);
  ir::PlanPtr plan = reader.document(*document);
  if (!plan)
    return reader.errors;
  return plan;
}

std::variant<ir::PlanPtr, ir::Diagnostics>
planWithLevels(const ir::PlanPtr &plan, const ir::Program &program, const Machine &from,
               const Machine &to, const std::map<std::string, std::string> &levels,
               const PlanInterner &interner) {
  Json json = toJson(plan, program, from);
  rename(json, levels);
  const std::string file = "plan";
  Reader reader(file, program, to, interner);
  ir::PlanPtr made = reader.tree(json::Json(json));
  if (!made)
    return reader.errors;
  return made;
}

} // namespace tangram::composer
