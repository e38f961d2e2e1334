#include "composer/plans/sketch.h"

#include "composer/plans/notation.h"
#include "composer/plans/plan_parts.h"
#include "ir/display_width.h"

#include <algorithm>
#include <cctype>

namespace tangram::composer {

namespace {

/// Steps by name, and how many arguments they have.
const std::map<std::string, std::size_t> &stepForms() {
  static const std::map<std::string, std::size_t> forms{
      {"select", 2},     {"devolve", 1},   {"compute", 2}, {"regroup", 2},
      {"distribute", 1}, {"serialize", 1}, {"split", 1}};
  return forms;
}

std::string trimmed(const std::string &text) {
  const std::size_t first = text.find_first_not_of(" \t\n");
  return first == std::string::npos
             ? ""
             : text.substr(first, text.find_last_not_of(" \t\n") + 1 - first);
}

/// A piece of text and where it begins.
struct Piece {
  std::string text;
  std::size_t column;
};

/// The pieces between commas outside of parentheses.
std::vector<Piece> atCommas(const std::string &text, std::size_t column) {
  std::vector<Piece> pieces;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] != ',')
      depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (i < text.size() && (text[i] != ',' || depth > 0))
      continue;
    const std::string piece = text.substr(begin, i - begin);
    const std::size_t blanks = std::min(piece.find_first_not_of(" \t\n"), piece.size());
    pieces.push_back({trimmed(piece), column + begin + blanks});
    begin = i + 1;
  }
  return pieces;
}

std::string caretBelow(const std::string &what, const std::string &text, std::size_t column) {
  return what + "\n  " + text + "\n  " +
         std::string(ir::displayWidth(text.substr(0, column)), ' ') + "^";
}

/// A step with one blank behind each comma, or what is wrong with it.
struct Normalized {
  std::string step;
  std::string wrong = {};
};

Normalized normalized(const std::string &step) {
  if (step == "..." || step == "*")
    return {step};
  const std::size_t open = step.find('(');
  const std::string name = trimmed(step.substr(0, open));
  if (open == std::string::npos) {
    if (name.starts_with("S_") && name.size() > 2)
      return {name};
    return {"", "expected a step such as S_L or compute(codelet, SE_L), '*' or '...'"};
  }
  if (!step.ends_with(")"))
    return {"", "expected ')'"};
  std::vector<std::string> names;
  for (const auto &[known, arguments] : stepForms())
    names.push_back(known);
  const auto form = stepForms().find(name);
  if (form == stepForms().end() && name.find('*') == std::string::npos) {
    const std::string near = ir::nearest(name, names);
    return {"",
            "unknown step '" + name + "'" +
                (near.empty() ? "; known: " + linear(names) : ", did you mean '" + near + "'?")};
  }
  std::vector<std::string> arguments;
  for (const Piece &each : atCommas(step.substr(open + 1, step.size() - open - 2), 0))
    arguments.push_back(each.text);
  const bool fits = form == stepForms().end() || arguments.size() == form->second ||
                    arguments == std::vector<std::string>{"*"};
  if (!fits || std::ranges::find(arguments, "") != arguments.end())
    return {"", "expected " + std::to_string(form == stepForms().end() ? 1 : form->second) +
                    " arguments of " + name + ", or '*'"};
  return {name + "(" + linear(arguments) + ")"};
}

} // namespace

bool matchesPattern(const std::string &pattern, const std::string &step) {
  // The last '*' takes one character more whenever what follows it does not fit.
  std::size_t p = 0;
  std::size_t s = 0;
  std::size_t star = std::string::npos;
  std::size_t taken = 0;
  while (s < step.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      taken = s;
    } else if (p < pattern.size() && pattern[p] == step[s]) {
      ++p;
      ++s;
    } else if (star != std::string::npos) {
      p = star + 1;
      s = ++taken;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string::npos;
}

SketchNames namesIn(const SketchStep &step) {
  const std::size_t open = step.pattern.find('(');
  if (open == std::string::npos)
    return {"", step.pattern.starts_with("S_") ? step.pattern.substr(2) : ""};
  const std::vector<Piece> arguments =
      atCommas(step.pattern.substr(open + 1, step.pattern.size() - open - 2), 0);
  std::string level = arguments.back().text;
  if (level.starts_with("SE_") || level.starts_with("VE_"))
    level = level.substr(3);
  if (arguments.size() == 1)
    return {"", level == "*" ? "" : level};
  return {arguments.front().text, level};
}

std::variant<Sketch, ir::Diagnostics> Sketch::parse(const std::string &text) {
  Sketch sketch;
  sketch.text_ = text;
  for (const Piece &piece : atCommas(text, 0)) {
    const Normalized step = normalized(piece.text);
    if (!step.wrong.empty())
      return ir::Diagnostics{ir::errorAt({}, caretBelow(step.wrong, text, piece.column))};
    sketch.steps_.push_back({step.step, piece.column});
  }
  if (sketch.steps_.size() > mostSteps)
    return ir::Diagnostics{ir::errorAt({}, "a sketch has at most " + std::to_string(mostSteps) +
                                               " steps, not " +
                                               std::to_string(sketch.steps_.size()))};
  return sketch;
}

Sketch Sketch::anything() {
  Sketch sketch;
  sketch.text_ = "...";
  sketch.steps_.push_back({"...", 0});
  return sketch;
}

ir::Diagnostic Sketch::errorAt(std::size_t step, const std::string &what) const {
  return ir::errorAt(
      {}, caretBelow(what, text_, step < steps_.size() ? steps_[step].column : text_.size()));
}

SketchFit::SketchFit(const RuleOrder &order, Sketch sketch)
    : order_(order), sketch_(std::move(sketch)),
      isAnything_(sketch_.steps().size() == 1 && sketch_.steps().front().any()) {}

bool SketchFit::accepts(Place place) const {
  const auto &steps = sketch_.steps();
  return std::all_of(steps.begin() + place, steps.end(),
                     [](const auto &each) { return each.any(); });
}

SketchFit::Places SketchFit::matching(const ProgramRule &rule, std::size_t number) const {
  std::vector<Places> &known = matching_[&rule];
  const auto &steps = sketch_.steps();
  for (std::size_t step = known.size(); step < rule.steps.size(); ++step) {
    known.push_back(0);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (!steps[i].any() && matchesPattern(steps[i].pattern, rule.steps[step]))
        known.back() |= Places{1} << i;
    }
  }
  return known[number];
}

SketchFit::Places SketchFit::step(Places from, const ProgramRule &rule, std::size_t number) const {
  const auto &steps = sketch_.steps();
  const Places matching = this->matching(rule, number);
  Places to = 0;
  for (std::size_t place = 0; place < steps.size(); ++place) {
    if ((from >> place & 1U) == 0)
      continue;
    std::size_t next = place;
    for (; next < steps.size() && steps[next].any(); ++next)
      to |= Places{1} << next;
    if (next < steps.size() && (matching >> next & 1U) != 0)
      to |= Places{1} << (next + 1);
  }
  return to;
}

SketchFit::Places SketchFit::afterAll(const Goal &goal, unsigned left, Places from) const {
  Places to = 0;
  for (Place place = 0; place <= sketch_.steps().size(); ++place) {
    if ((from >> place & 1U) != 0)
      to |= after(goal, left, place);
  }
  return to;
}

SketchFit::Places SketchFit::after(const Goal &goal, unsigned left, Place from) const {
  const auto [slot, fresh] = after_.try_emplace(Key{goal.unordered(), left, from}, 0);
  if (!fresh)
    return slot->second;
  Places to = 0;
  for (const ProgramRule *rule : order_.usable(goal, left)) {
    Places places = Places{1} << from;
    std::size_t open = 0;
    for (std::size_t i = 0; i < rule->terms.size() && places != 0; ++i)
      places = rule->terms[i].isOpen()
                   ? afterAll(childGoal(goal, rule->open[open++]), left - 1, places)
                   : step(places, *rule, i);
    to |= places;
  }
  return slot->second = to;
}

std::vector<SketchFit::Place> SketchFit::ends(unsigned iterations) const {
  const Places places = after(order_.root(), iterations, 0);
  std::vector<Place> found;
  for (Place place = 0; place <= sketch_.steps().size(); ++place) {
    if ((places >> place & 1U) != 0 && accepts(place))
      found.push_back(place);
  }
  return found;
}

std::optional<std::vector<SketchFit::Section>> SketchFit::sections(const ProgramRule &rule,
                                                                   const Goal &goal, unsigned left,
                                                                   Section section) const {
  if (isAnything_) // rules that are usable lead to an end, and each of them over the one step
    return std::vector<Section>(rule.open.size(), section);
  // Forward, the places before each term; backward, one of them each.
  std::vector<Places> before{Places{1} << section.from};
  std::vector<const OpenGoal *> opens;
  for (std::size_t i = 0; i < rule.terms.size(); ++i) {
    opens.push_back(nullptr);
    if (rule.terms[i].isOpen())
      opens.back() = &rule.open[static_cast<std::size_t>(
          std::count_if(opens.begin(), opens.end() - 1, [](auto *each) { return each; }))];
    before.push_back(opens.back()
                         ? afterAll(childGoal(goal, *opens.back()), left - 1, before.back())
                         : step(before.back(), rule, i));
  }
  if ((before.back() >> section.to & 1U) == 0)
    return std::nullopt;
  std::vector<Section> found;
  Place to = section.to;
  for (std::size_t i = rule.terms.size(); i-- > 0;) {
    Place from = 0;
    for (;; ++from) {
      if ((before[i] >> from & 1U) == 0)
        continue;
      const Places reached = opens[i] ? after(childGoal(goal, *opens[i]), left - 1, from)
                                      : step(Places{1} << from, rule, i);
      if ((reached >> to & 1U) != 0)
        break;
    }
    if (opens[i])
      found.push_back({from, to});
    to = from;
  }
  std::ranges::reverse(found);
  return found;
}

/// How far a sketch was followed, and what could come where it ended.
struct SketchFit::Trail {
  Place furthest = 0;
  std::set<std::string> possible;
  std::vector<Goal> goals; ///< for which a rule was to be chosen there
  std::set<Key> visited;

  void note(Place place, const std::string &step, const Goal *goal) {
    if (place > furthest) {
      furthest = place;
      possible.clear();
      goals.clear();
    }
    if (place < furthest)
      return;
    possible.insert(step);
    if (goal && std::ranges::find(goals, *goal) == goals.end())
      goals.push_back(*goal);
  }
};

void SketchFit::follow(const Goal &goal, unsigned left, Place from, Trail &trail) const {
  if (!trail.visited.insert(Key{goal.unordered(), left, from}).second)
    return;
  for (const ProgramRule *rule : order_.usable(goal, left)) {
    Places places = Places{1} << from;
    std::size_t open = 0;
    for (std::size_t i = 0; i < rule->terms.size() && places != 0; ++i) {
      Places next = 0;
      const OpenGoal *child = rule->terms[i].isOpen() ? &rule->open[open++] : nullptr;
      for (Place place = 0; place <= sketch_.steps().size(); ++place) {
        if ((places >> place & 1U) == 0)
          continue;
        if (child) {
          follow(childGoal(goal, *child), left - 1, place, trail);
          next |= after(childGoal(goal, *child), left - 1, place);
          continue;
        }
        const Places reached = step(Places{1} << place, *rule, i);
        // Where any steps may come, the one behind them is missed.
        Place wanted = place;
        while (wanted < sketch_.steps().size() && sketch_.steps()[wanted].any())
          ++wanted;
        if ((reached >> (wanted + 1)) == 0)
          trail.note(wanted, rule->steps[i], i == 0 ? &goal : nullptr);
        next |= reached;
      }
      places = next;
    }
  }
}

void SketchFit::noteRejected(const Trail &trail, ir::Diagnostic &error) const {
  if (trail.furthest >= sketch_.steps().size())
    return;
  const SketchStep &wanted = sketch_.steps()[trail.furthest];
  const std::string codelet = namesIn(wanted).codelet;
  std::set<std::string> told;
  for (const Goal &goal : trail.goals) {
    for (const RejectedRule &each : order_.book().rules(goal).rejected) {
      const bool meant = codelet.empty() ? wanted.pattern.starts_with(each.refusal.rule)
                                         : matchesPattern(codelet, each.origin());
      const std::string text = toString(goal, order_.book().context()) + ": " + each.origin() +
                               ": " + each.refusal.reason;
      if (meant && told.insert(text).second)
        error.notes.push_back(ir::noteAt(each.refusal.location, text));
    }
  }
}

ir::Diagnostic SketchFit::whyNone(unsigned iterations) const {
  Trail trail;
  follow(order_.root(), iterations, 0, trail);
  const Places ends = after(order_.root(), iterations, 0);
  const auto size = static_cast<Place>(sketch_.steps().size());
  for (Place place = 0; place <= size; ++place) {
    if ((ends >> place & 1U) != 0)
      trail.note(place, "the end of the plan", nullptr);
  }
  const Place at = trail.furthest;
  ir::Diagnostic error =
      sketch_.errorAt(at, "no plan of " + order_.root().spectrum->name + " within " +
                              std::to_string(iterations) + " iterations goes on like this" +
                              (at < size ? ": nothing is '" + sketch_.steps()[at].pattern + "' here"
                                         : ": the plan does not end here"));
  const bool anywhere = at > 0 && at < size && sketch_.steps()[at - 1].any();
  if (!anywhere && !trail.possible.empty())
    error.notes.push_back(
        ir::noteAt({}, "possible here: " + linear({trail.possible.begin(), trail.possible.end()})));
  noteRejected(trail, error);
  return error;
}

namespace {

/// Which steps of a plan are its structure.
void structure(const std::vector<PlanPart> &parts, std::vector<bool> &kept) {
  for (const PlanPart &part : parts) {
    if (part.kind == Term::Kind::Devolve)
      continue;
    kept[part.step] = true;
    structure(part.inside, kept);
  }
}

} // namespace

std::string sketchOf(const ir::PlanPtr &plan, const RuleBook &book) {
  const std::vector<std::string> all = steps(plan, book);
  std::vector<bool> kept(all.size());
  structure(partsOf(plan, book), kept);
  std::vector<std::string> sketch;
  for (std::size_t i = 0; i < all.size(); ++i) {
    // Whom an open end waits for is open as well.
    const bool waits = all[i].starts_with("S_") && (i + 1 == all.size() || !kept[i + 1]);
    if (kept[i] && !waits)
      sketch.push_back(all[i]);
    else if (sketch.empty() || sketch.back() != "...")
      sketch.emplace_back("...");
  }
  return linear(sketch);
}

} // namespace tangram::composer
