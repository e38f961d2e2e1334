#include "codegen/printing/launch_defaults.h"

#include "algebra/device_facts.h"
#include "algebra/size_expression.h"
#include "codegen/analysis/accesses.h"
#include "codegen/form/manifest_expression.h"
#include "codegen/printing/c_types.h"
#include "composer/machine/machine_expression.h"
#include "ir/stmt.h"

#include <algorithm>
#include <cctype>

namespace tangram::codegen {

using namespace ir;

namespace {

/// Global memory of the call's own.
bool isTemporary(const Buffer &buffer) {
  return buffer.space == Space::Global && buffer.access.empty();
}

/// Words of an expression and what stands between them.
template <class Word> std::string rewriteWords(const std::string &text, Word &&word) {
  auto isWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && isWord(text[end]))
      ++end;
    if (end == at)
      result += text[at++];
    else
      result += word(text.substr(at, end - at));
    at = std::max(at, end);
  }
  return result;
}

constexpr const char *attemptFunction =
    R"(/// Value number i to try for a number of workers: those in `first` (the default leads), powers of
/// two from the nearest below the default down to 1 and then up, the bounds. 0: there is none.
static size_t tangram_attempt(unsigned i, const size_t *first, unsigned count, size_t least,
                              size_t most) {
  size_t value = i == count + 64 ? least : most;
  if (i < count) {
    value = first[i];
    if (i == 0)
      value = value < least ? least : value > most ? most : value;
  } else if (i < count + 64) {
    unsigned top = 0;
    while (top < 63 && first[0] >> (top + 1) != 0)
      ++top;
    value = (size_t)1 << (i - count <= top ? top - (i - count) : i - count);
  }
  return value < least || value > most ? 0 : value;
}

)";

/// What is emitted for the launch tunables of one plan that constraints mention.
class Chooser {
public:
  Chooser(const LoweredPlan &plan, const HostSpelling &spelling) : plan_(plan), says_(spelling) {
    for (const Constraint &c : plan.constraints) {
      if (!isAboutSizes(plan, c)) {
        constraints_.push_back(&c);
        use(c.require);
      }
    }
    for (const Tunable *t : launchTunables(plan)) {
      if (isConstrained(*t))
        chosen_.push_back(t);
    }
    if (limitsMemory()) {
      for (const Buffer &b : plan.buffers) {
        if (b.space == Space::Global)
          use(b.count);
      }
    }
  }

  LaunchDefaults print() const {
    LaunchDefaults result;
    for (const Tunable *t : launchTunables(plan_)) {
      if (!isConstrained(*t))
        result.statements += takeDefault(*t);
    }
    if (chosen_.empty())
      return result;
    result.functions = attemptFunction + serves() + choose();
    std::string arguments;
    for (const VarPtr &v : used_)
      arguments += says_.name(*v) + ", ";
    if (limitsMemory())
      arguments += says_.largestAllocation + ", " + says_.allMemory + ", ";
    for (const Tunable *t : chosen_)
      arguments += (t == chosen_.front() ? "&" : ", &") + nameOf(*t) + ", " + nameOfDefault(*t);
    for (const Tunable *t : chosen_) {
      if (t->sizedDefault)
        result.statements += "  const size_t " + nameOfDefault(*t) + " = " + defaultOf(*t) + ";\n";
    }
    result.statements += "  if (!tangram_choose(" + arguments + "))\n    return 1;\n";
    return result;
  }

private:
  std::string nameOf(const Tunable &t) const { return says_.name(*t.var); }

  std::string defaultOf(const Tunable &t) const {
    return defaultInC(t.sizedDefault ? says_.expression(t.sizedDefault) : t.defaultValue, says_);
  }

  /// A name for what is long, else the default itself.
  std::string nameOfDefault(const Tunable &t) const {
    return t.sizedDefault ? nameOf(t) + "_default" : defaultOf(t);
  }

  /// Where no constraint mentions it.
  std::string takeDefault(const Tunable &t) const {
    const std::string name = nameOf(t);
    const std::string head = "  if (" + name + " == 0)";
    const bool isNumber = composer::plainNumber(t.defaultValue).has_value();
    if (!t.sizedDefault && isNumber) // which ranges keep within the domain
      return head + "\n    " + name + " = " + defaultOf(t) + ";\n";
    if (anyValue(t) && t.sizedDefault && t.min <= 1 && t.max < UINT32_MAX / 2 &&
        !comparesAsItStands(defaultOf(t))) {
      const std::string most = std::to_string(t.max);
      return head + " {\n    " + name + " = " + defaultOf(t) + ";\n    if (" + name + " > " + most +
             ")\n      " + name + " = " + most + ";\n  }\n";
    }
    if (anyValue(t))
      return head + "\n    " + name + " = " + bounded(t, defaultOf(t)) + ";\n";
    return head + " {\n    const size_t " + name + "_default = " + defaultOf(t) + ";\n    " + name +
           " = " + movedDefault(t) + ";\n  }\n";
  }

  /// Whether a number may be written twice, before a comparison and after it: it is short, and nothing in it binds less.
  static bool comparesAsItStands(const std::string &number) {
    return number.size() < 16 && number.find_first_of("?&|^=<>") == std::string::npos;
  }

  /// A number of groups is 1 at least.
  std::string bounded(const Tunable &t, std::string number) const {
    const std::string most = std::to_string(t.max);
    if (t.max < UINT32_MAX / 2 && t.min <= 1 && comparesAsItStands(number))
      return number + " < " + most + " ? " + number + " : " + most;
    if (t.max < UINT32_MAX / 2)
      number = "tangram_min(" + number + ", " + most + ")";
    return t.min > 1 ? "tangram_max(" + number + ", " + std::to_string(t.min) + ")" : number;
  }

  bool decidesMemory(const Tunable &t) const {
    return !says_.largestAllocation.empty() &&
           std::any_of(plan_.buffers.begin(), plan_.buffers.end(), [&](const Buffer &b) {
             return isTemporary(b) && mentions(b.count, t.var.get());
           });
  }

  bool limitsMemory() const {
    const std::vector<const Tunable *> tunables = launchTunables(plan_);
    return std::any_of(tunables.begin(), tunables.end(),
                       [&](const Tunable *t) { return decidesMemory(*t); });
  }

  bool isConstrained(const Tunable &t) const {
    return decidesMemory(t) ||
           std::any_of(plan_.constraints.begin(), plan_.constraints.end(),
                       [&](const Constraint &c) { return mentions(c.require, t.var.get()); });
  }

  /// An extent or scalar becomes a parameter of what is emitted.
  void use(const ExprPtr &e) {
    for (const auto *known : {&plan_.extents, &plan_.scalars}) {
      for (const VarPtr &v : *known) {
        if (mentions(e, v.get()) && std::find(used_.begin(), used_.end(), v) == used_.end())
          used_.push_back(v);
      }
    }
  }

  std::string sizes() const {
    std::string text;
    for (const VarPtr &v : used_)
      text += says_.type(v->type.scalar) + " " + says_.name(*v) + ", ";
    if (limitsMemory())
      text += "size_t largest_allocation, size_t all_memory, ";
    return text;
  }

  /// That each temporary fits, and all of them beside the containers.
  std::string memoryFits() const {
    std::string text = "  // temporaries fit into the memory of the device\n";
    std::string total;
    for (const Buffer &b : plan_.buffers) {
      if (b.space != Space::Global)
        continue;
      const std::string bytes = says_.name(*b.var) + "_bytes";
      text += "  const size_t " + bytes + " = (" + says_.expression(b.count) + ") * sizeof(" +
              says_.type(b.var->type.scalar) + ");\n";
      if (isTemporary(b))
        text += "  if (" + bytes + " > largest_allocation)\n    return false;\n";
      total += (total.empty() ? "" : " + ") + bytes;
    }
    return text + "  if (" + total + " > all_memory)\n    return false;\n";
  }

  std::string serves() const {
    std::string text = "/// Whether the plan serves these sizes with these numbers of workers.\n"
                       "static bool tangram_serves(" +
                       sizes();
    for (const Tunable *t : chosen_)
      text += (t == chosen_.front() ? "size_t " : ", size_t ") + nameOf(*t);
    text += ") {\n";
    for (const Constraint *c : constraints_)
      text += "  // " + c->reason + "\n  if (!(" + says_.expression(c->require) +
              "))\n    return false;\n";
    if (limitsMemory())
      text += memoryFits();
    return text + "  return true;\n}\n\n";
  }

  std::string choose() const {
    std::string text = "/// Gives the numbers of workers that are 0 values that suit the size, the "
                       "defaults where\n"
                       "/// they do. False: there are none.\nstatic bool tangram_choose(" +
                       sizes();
    std::string values;
    std::string found;
    for (const Tunable *t : chosen_) {
      const std::string name = nameOf(*t);
      text += (t == chosen_.front() ? "size_t *" : ", size_t *") + name + "_chosen, size_t " +
              name + "_default";
      values += "  const size_t " + name + "_first[] = {" + firstOf(*t) + "};\n";
    }
    text += ") {\n" + values;
    std::string indent = "  ";
    for (const Tunable *t : chosen_) {
      const std::string name = nameOf(*t);
      const std::string count = std::to_string(countOf(*t));
      text += indent + "for (unsigned " + name + "_try = 0; " + name + "_try < (*" + name +
              "_chosen != 0 ? 1 : " + std::to_string(countOf(*t) + (anyValue(*t) ? 66 : 0)) +
              "); ++" + name + "_try) {\n";
      indent += "  ";
      text += indent + "const size_t " + name + " = *" + name + "_chosen != 0 ? *" + name +
              "_chosen : tangram_attempt(" + name + "_try, " + name + "_first, " + count + ", " +
              std::to_string(t->min) + "UL, " + std::to_string(t->max) + "UL);\n";
    }
    text += indent + "if (";
    for (const Tunable *t : chosen_)
      text += nameOf(*t) + " != 0 && ";
    text += "tangram_serves(";
    for (const VarPtr &v : used_)
      text += says_.name(*v) + ", ";
    if (limitsMemory())
      text += "largest_allocation, all_memory, ";
    for (const Tunable *t : chosen_)
      text += (t == chosen_.front() ? "" : ", ") + nameOf(*t);
    text += ")) {\n";
    for (const Tunable *t : chosen_)
      text += indent + "  *" + nameOf(*t) + "_chosen = " + nameOf(*t) + ";\n";
    text += indent + "  return true;\n" + indent + "}\n";
    for (; indent.size() > 2; indent.resize(indent.size() - 2))
      text += indent.substr(2) + "}\n";
    return text + "  return false;\n}\n\n";
  }

  static bool anyValue(const Tunable &t) { return t.values.empty(); }

  std::size_t countOf(const Tunable &t) const {
    return 1 + (anyValue(t) ? launchTries(plan_, t).size() : t.values.size());
  }

  std::string firstOf(const Tunable &t) const {
    if (!anyValue(t)) {
      std::string text = movedDefault(t);
      for (std::int64_t value : t.values)
        text += ", " + std::to_string(value);
      return text;
    }
    std::string text = nameOf(t) + "_default";
    for (const ExprPtr &each : launchTries(plan_, t))
      text += ", " + says_.expression(each);
    return text;
  }

  /// The largest value that is not above the default, or the smallest one.
  std::string movedDefault(const Tunable &t) const {
    std::vector<std::int64_t> sorted = t.values;
    std::sort(sorted.begin(), sorted.end());
    std::string text = std::to_string(sorted.front());
    for (std::size_t i = 1; i < sorted.size(); ++i)
      text = nameOf(t) + "_default >= " + std::to_string(sorted[i]) + " ? " +
             std::to_string(sorted[i]) + " : " + text;
    return text;
  }

  const LoweredPlan &plan_;
  const HostSpelling &says_;
  std::vector<const Tunable *> chosen_;
  std::vector<const Constraint *> constraints_;
  std::vector<VarPtr> used_; ///< extents and scalars that the constraints mention
};

} // namespace

std::string defaultText(const Tunable &tunable) {
  return tunable.sizedDefault ? manifestText(tunable.sizedDefault) : tunable.defaultValue;
}

std::vector<const Tunable *> launchTunables(const LoweredPlan &plan) {
  std::vector<const Tunable *> found;
  for (const Tunable &t : plan.tunables) {
    if (t.kind == Tunable::Kind::Launch)
      found.push_back(&t);
  }
  return found;
}

bool isAboutSizes(const LoweredPlan &plan, const Constraint &constraint) {
  const std::vector<const Tunable *> launch = launchTunables(plan);
  return std::none_of(launch.begin(), launch.end(),
                      [&](const Tunable *t) { return mentions(constraint.require, t->var.get()); });
}

std::vector<ExprPtr> launchTries(const LoweredPlan &plan, const Tunable &tunable) {
  std::vector<ExprPtr> tries;
  auto add = [&](const ExprPtr &e) {
    if (std::none_of(tries.begin(), tries.end(),
                     [&](const ExprPtr &known) { return sameExpr(known, e); }))
      tries.push_back(e);
  };
  for (const Constraint &c : plan.constraints) {
    if (!mentions(c.require, tunable.var.get()))
      continue;
    std::vector<ExprPtr> numbers;
    for (const Tunable &t : plan.tunables) {
      if (t.kind == Tunable::Kind::Compile && mentions(c.require, t.var.get()))
        numbers.push_back(varRef(t.var));
    }
    for (const ExprPtr &number : numbers)
      add(number);
    for (const VarPtr &extent : plan.extents) {
      if (!mentions(c.require, extent.get()))
        continue;
      for (const ExprPtr &number : numbers)
        add(binary("/",
                   binary("-", binary("+", varRef(extent), number), intLiteral(1, Scalar::Index)),
                   number));
      add(varRef(extent));
    }
  }
  return tries;
}

const std::map<std::string, std::string> &processFacts() {
  static const std::map<std::string, std::string> facts = [] {
    std::map<std::string, std::string> known;
    for (const algebra::DeviceFact &fact : algebra::deviceFacts()) {
      if (!fact.openmp.empty())
        known[fact.name] = fact.openmp;
    }
    return known;
  }();
  return facts;
}

bool mentionsName(const std::string &expression, const std::string &name) {
  bool found = false;
  rewriteWords(expression, [&](const std::string &word) {
    found |= word == name;
    return word;
  });
  return found;
}

std::string defaultInC(const std::string &expression, const HostSpelling &spelling) {
  return rewriteWords(expression, [&](const std::string &word) -> std::string {
    if (word == "min" || word == "max" || word == "even_parts")
      return "tangram_" + word;
    auto fact = spelling.facts.find(word);
    return fact == spelling.facts.end() ? word : fact->second;
  });
}

LaunchDefaults launchDefaults(const LoweredPlan &plan, const HostSpelling &spelling) {
  LaunchDefaults result = Chooser(plan, spelling).print();
  if (mentionsName(result.statements, "tangram_even_parts"))
    result.functions = algebra::evenPartsInC() + "\n" + result.functions;
  for (const char *order : {"max", "min"}) {
    const std::string name = std::string("tangram_") + order;
    if (mentionsName(result.statements, name))
      result.functions = "static inline size_t " + name + "(size_t a, size_t b) {\n  return " +
                         (name == "tangram_min" ? "b < a" : "a < b") + " ? b : a;\n}\n\n" +
                         result.functions;
  }
  return result;
}

} // namespace tangram::codegen
