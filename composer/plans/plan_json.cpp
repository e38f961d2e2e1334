#include "composer/plans/plan_json.h"

#include "composer/plans/notation.h"

#include <algorithm>
#include <nlohmann/json.hpp>

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

/// Reads nodes; the first thing wrong stops it.
class Reader {
public:
  Reader(const std::string &file, const ir::Program &program, const Machine &machine,
         const PlanInterner &interner)
      : file(file), program(program), machine(machine), interner(interner), book(context()) {}

  ir::Diagnostics errors;

  ir::PlanPtr document(const Json &json) {
    if (!json.is_object())
      return fail("", "expected an object, found " + std::string(json.type_name()));
    if (text(json, "", "format") != "tangram-plan" && errors.empty())
      fail("/format", "expected \"tangram-plan\", found " + json["format"].dump());
    if (errors.empty() && (!json.contains("version") || json["version"] != formatVersion))
      fail("/version", "expected " + std::to_string(formatVersion) + ", found " +
                           (json.contains("version") ? json["version"].dump() : "nothing"));
    const std::string spectrum = text(json, "", "spectrum");
    const std::string id = text(json, "", "id");
    if (errors.empty() && !json.contains("plan"))
      fail("/plan", "expected an object, found nothing");
    if (!errors.empty())
      return nullptr;
    ir::PlanPtr plan = node(json["plan"], "/plan", spectrum, -1, false);
    if (!plan)
      return nullptr;
    const std::vector<std::string> found = steps(plan, book);
    if (!json.contains("steps") || json["steps"] != Json(found))
      return fail("/steps", "expected those of the plan: " + linear(found));
    if (const std::string real = planId(plan->spectrum, found); real != id)
      return fail("/id", "expected \"" + real + "\", the id of these steps, found \"" + id + "\"");
    return plan;
  }

private:
  RuleContext context() const {
    RuleContext permissive;
    permissive.program = &program;
    permissive.machine = &machine;
    // What a level offers may have been overridden when the plan was made; what it can do not.
    permissive.mapRules = {MapRule::Distribute, MapRule::Serialize, MapRule::Split};
    return permissive;
  }

  std::nullptr_t fail(const std::string &pointer, const std::string &message) {
    errors.push_back(
        ir::errorAt({file, 0, 0, 1}, (pointer.empty() ? "" : pointer + ": ") + message));
    return nullptr;
  }

  /// A member that must be a string; empty after an error.
  std::string text(const Json &json, const std::string &pointer, const std::string &key) {
    if (!errors.empty())
      return {};
    auto found = json.find(key);
    if (found != json.end() && found->is_string())
      return found->get<std::string>();
    fail(pointer + "/" + key,
         "expected a string, found " + (found == json.end() ? "nothing" : found->dump()));
    return {};
  }

  std::nullptr_t unknown(const std::string &pointer, const std::string &what,
                         const std::string &name, const std::vector<std::string> &known) {
    // Level names are too short to be mistyped.
    const std::string near = what == "level" ? "" : ir::nearest(name, known);
    return fail(pointer, "unknown " + what + " \"" + name + "\"" +
                             (near.empty() ? ", expected one of " + linear(known)
                                           : ", did you mean \"" + near + "\"?"));
  }

  /// Read the node at `pointer`, which must compose `spectrum` (a map of it when `isMap`) at
  /// `level` (any when -1).
  ir::PlanPtr node(const Json &json, const std::string &pointer, const std::string &spectrum,
                   int level, bool isMap) {
    if (!json.is_object())
      return fail(pointer, "expected an object, found " + std::string(json.type_name()));
    ir::PlanNode made;
    if (!head(json, pointer, spectrum, level, made))
      return nullptr;
    if (isMap != (made.kind == ir::PlanNode::Kind::Map))
      return fail(pointer + "/rule",
                  std::string("expected ") +
                      (isMap ? "distribute, serialize or split" : "devolve, compute or compound") +
                      ", found " + ruleName(made));
    return made.kind == ir::PlanNode::Kind::Codelet ? compound(json, pointer, std::move(made))
                                                    : simple(json, pointer, std::move(made));
  }

  /// What every node says of itself.
  bool head(const Json &json, const std::string &pointer, const std::string &spectrum, int level,
            ir::PlanNode &made) {
    const std::string rule = text(json, pointer, "rule");
    made.spectrum = text(json, pointer, "spectrum");
    const std::string levelName = text(json, pointer, "level");
    if (!errors.empty() || !kindOf(rule, pointer, made))
      return false;
    const ir::Spectrum *found = program.spectrum(made.spectrum);
    if (!found || made.spectrum != spectrum) {
      fail(pointer + "/spectrum", "expected " + spectrum + ", found " + made.spectrum);
      if (!found && made.spectrum == spectrum)
        errors.back().message =
            pointer + "/spectrum: the program has no spectrum \"" + spectrum + "\"";
      return false;
    }
    made.level = machine.levelNamed(levelName);
    std::vector<std::string> known;
    for (const Level &each : machine.levels)
      known.push_back(each.name);
    if (made.level < 0)
      return unknown(pointer + "/level", "level", levelName, known) != nullptr;
    if (level >= 0 && made.level != level)
      return fail(pointer + "/level", "expected " + known[static_cast<std::size_t>(level)] +
                                          ", found " + levelName) != nullptr;
    if (made.kind == ir::PlanNode::Kind::Map || made.kind == ir::PlanNode::Kind::Devolve)
      return true;
    return codeletOf(json, pointer, *found, made);
  }

  bool kindOf(const std::string &rule, const std::string &pointer, ir::PlanNode &made) {
    using Kind = ir::PlanNode::Kind;
    static constexpr std::array<const char *, 6> names{"devolve",    "compute",   "compound",
                                                       "distribute", "serialize", "split"};
    auto found = std::ranges::find(names, rule);
    if (found == names.end())
      return unknown(pointer + "/rule", "rule", rule, {names.begin(), names.end()}) != nullptr;
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

  bool codeletOf(const Json &json, const std::string &pointer, const ir::Spectrum &spectrum,
                 ir::PlanNode &made) {
    const std::string name = text(json, pointer, "codelet");
    if (!errors.empty())
      return false;
    std::vector<std::string> known;
    for (const ir::Codelet &each : spectrum.codelets)
      known.push_back(each.name());
    auto found = std::ranges::find(known, name);
    if (found == known.end())
      return unknown(pointer + "/codelet", "codelet", name, known) != nullptr;
    made.codelet = static_cast<int>(found - known.begin());
    return true;
  }

  /// Why `made` is no rule here: what the rules of its goal rejected.
  std::nullptr_t refuse(const std::string &pointer, const ir::PlanNode &made) {
    const Goal goal{program.spectrum(made.spectrum), made.level,
                    made.kind == ir::PlanNode::Kind::Map, false, nullptr};
    for (const RejectedRule &each : book.rules(goal).rejected) {
      const bool devolves = each.kind == ProgramRule::Kind::Devolve;
      const bool sameMap = made.kind == ir::PlanNode::Kind::Map
                               ? each.refusal.rule == ruleName(made)
                               : each.codeletIndex == made.codelet;
      if (devolves == (made.kind == ir::PlanNode::Kind::Devolve) && (devolves || sameMap)) {
        fail(pointer, each.refusal.reason);
        if (!devolves)
          errors.back().notes.push_back(ir::noteAt(each.refusal.location, each.origin()));
        return nullptr;
      }
    }
    return fail(pointer, "no rule of " + machine.name + " composes " +
                             toString(goal, book.context()) + " so");
  }

  const Json &children(const Json &json) const {
    static const Json none = Json::array();
    auto found = json.find("of");
    return found == json.end() ? none : *found;
  }

  bool arity(const Json &json, const std::string &pointer, std::size_t expected) {
    const Json &of = children(json);
    if (of.is_array() && of.size() == expected)
      return true;
    return fail(pointer + "/of",
                "expected an array of " + std::to_string(expected) + ", found " +
                    (of.is_array() ? "one of " + std::to_string(of.size()) : of.dump())) != nullptr;
  }

  /// Devolve, Compute, or a map composed by itself.
  ir::PlanPtr simple(const Json &json, const std::string &pointer, ir::PlanNode made) {
    const ProgramRule *rule = book.ruleOf(made);
    if (!rule || (made.kind == ir::PlanNode::Kind::Compute) != rule->computes) {
      if (rule)
        return fail(pointer + "/rule", "codelet " + rule->origin() + " is compound");
      return refuse(pointer, made);
    }
    return filled(json, pointer, std::move(made), *rule);
  }

  /// A compound codelet: the policies of its maps say which rule it is.
  ir::PlanPtr compound(const Json &json, const std::string &pointer, ir::PlanNode made) {
    std::vector<ir::MapPolicy> policies;
    std::vector<int> levels; // at which what they apply is composed
    const Json &of = children(json);
    for (std::size_t i = 0; of.is_array() && i < of.size(); ++i) {
      ir::PlanNode child;
      if (!of[i].is_object() || !of[i].contains("rule") || !of[i]["rule"].is_string())
        continue;
      if (!kindOf(of[i]["rule"].get<std::string>(), pointer + "/of/" + std::to_string(i), child))
        return nullptr;
      if (child.kind != ir::PlanNode::Kind::Map)
        continue;
      policies.push_back(child.policy);
      const Json applied = of[i].value(Json::json_pointer("/of/0/level"), Json());
      levels.push_back(applied.is_string() ? machine.levelNamed(applied.get<std::string>()) : -1);
    }
    const Goal goal{program.spectrum(made.spectrum), made.level, false, false, nullptr};
    const ProgramRule *chosen = nullptr;
    for (const ProgramRule &rule : book.rules(goal).rules) {
      if (rule.kind != ProgramRule::Kind::Codelet || rule.codeletIndex != made.codelet)
        continue;
      if (rule.computes)
        return fail(pointer + "/rule", "codelet " + rule.origin() + " is atomic");
      // With a wrong level any rule of these policies says what is expected instead.
      if (rule.policies == policies && (!chosen || rule.appliedAt == levels))
        chosen = &rule;
    }
    return chosen ? filled(json, pointer, std::move(made), *chosen) : refuse(pointer, made);
  }

  ir::PlanPtr filled(const Json &json, const std::string &pointer, ir::PlanNode made,
                     const ProgramRule &rule) {
    if (!arity(json, pointer, rule.open.size()))
      return nullptr;
    for (const OpenGoal &open : rule.open) {
      const std::string at = pointer + "/of/" + std::to_string(open.child);
      const Json &child = children(json)[static_cast<std::size_t>(open.child)];
      ir::PlanPtr read = rule.kind == ProgramRule::Kind::Codelet && open.policy
                             ? mapSite(child, at, made.level, open)
                             : goalAt(child, at, open.goal);
      if (!read)
        return nullptr;
      made.children.push_back(std::move(read));
    }
    return interner.intern(std::move(made));
  }

  ir::PlanPtr goalAt(const Json &json, const std::string &pointer, const Goal &goal) {
    return node(json, pointer, goal.spectrum->name, goal.level, goal.map);
  }

  /// A map of a codelet: composed by the codelet's rule, so only what it applies is a goal.
  ir::PlanPtr mapSite(const Json &json, const std::string &pointer, int level,
                      const OpenGoal &open) {
    if (!json.is_object())
      return fail(pointer, "expected an object, found " + std::string(json.type_name()));
    ir::PlanNode made;
    if (!head(json, pointer, open.mapped->name, level, made))
      return nullptr;
    if (made.kind != ir::PlanNode::Kind::Map)
      return fail(pointer + "/rule",
                  std::string("expected distribute, serialize or split, found ") + ruleName(made));
    if (!arity(json, pointer, 1))
      return nullptr;
    ir::PlanPtr applied = goalAt(children(json)[0], pointer + "/of/0", open.goal);
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
  json["source"] = {{"file", program.file}, {"hash", program.contentHash}};
  json["steps"] = notation;
  json["plan"] = toJson(plan, program, machine);
  return json.dump(2) + "\n";
}

std::variant<ir::PlanPtr, ir::Diagnostics>
planFromJson(const std::string &text, const std::string &file, const ir::Program &program,
             const Machine &machine, const PlanInterner &interner) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded())
    return ir::Diagnostics{ir::errorAt({file, 0, 0, 1}, "not a JSON document, or cut short")};
  Reader reader(file, program, machine, interner);
  ir::PlanPtr plan = reader.document(json);
  if (!plan)
    return reader.errors;
  return plan;
}

} // namespace tangram::composer
