#include "composer/plans/plan_svg.h"

#include "composer/plans/plan_parts.h"
#include "escape/escape.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <set>
#include <utility>

namespace tangram::composer {

namespace {

constexpr double rowHeight = 92;
constexpr double top = 30;      ///< above the first row
constexpr double glyph = 15;    ///< half its height
constexpr double gap = 18;      ///< between things of a row
constexpr double cardStep = 4;  ///< between frames behind each other
constexpr double frameTop = 42; ///< of a frame above the middle of its row
constexpr double letter = 6.3;  ///< mean width of one in names

constexpr const char *ownColours = R"(<style>
svg { background: #fff; color: #1c1c1c; font: 11px system-ui, sans-serif; }
.plan-glyph { fill: none; stroke: currentColor; stroke-width: 1.6; }
.plan-frame { fill: #fff; stroke: #999; }
.plan-wait { stroke: currentColor; stroke-width: 1.2; stroke-dasharray: 4 3; }
.plan-row { stroke: #ddd; }
.plan-hand { stroke: #999; fill: none; }
.plan-name, .plan-level { fill: currentColor; }
</style>
)";

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

std::string attribute(const char *name, double value) {
  return std::string(" ") + name + "=\"" + number(value) + "\"";
}

double widthOf(const std::string &name) { return letter * static_cast<double>(name.size()); }

class Drawing {
public:
  explicit Drawing(const RuleBook &book) : machine_(*book.context().machine) {}

  std::string draw(const std::vector<PlanPart> &parts, int level, const std::string &title,
                   bool alone) {
    note(parts);
    levels_.insert(level);
    double left = 0;
    for (int each : levels_)
      left = std::max(left, widthOf(levelText(each)));
    left += 2 * gap;
    const double right = left + sequence(parts, left) + gap;
    const double bottom = top + rowHeight * static_cast<double>(levels_.size());
    std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"" +
                      escape::xml(title) + "\"" + attribute("width", right) +
                      attribute("height", bottom) + " viewBox=\"0 0 " + number(right) + " " +
                      number(bottom) + "\">\n";
    if (alone)
      svg += ownColours + ("<title>" + escape::xml(title) + "</title>\n");
    for (int each : levels_)
      svg += rowOf(each, right);
    return svg + shapes_ + "</svg>\n";
  }

private:
  void note(const std::vector<PlanPart> &parts) {
    for (const PlanPart &part : parts) {
      levels_.insert(part.level);
      if (part.to >= 0)
        levels_.insert(part.to);
      note(part.inside);
    }
  }

  std::string levelText(int index) const {
    const Level &level = machine_.levels[static_cast<std::size_t>(index)];
    return level.title.empty() ? level.name : level.title;
  }

  double yOf(int level) const {
    const auto row = std::distance(levels_.begin(), levels_.find(level));
    return top + rowHeight * (static_cast<double>(row) + 0.5) - 8;
  }

  std::string rowOf(int level, double right) const {
    const double y = yOf(level);
    std::string row = "<text class=\"plan-level\" x=\"4\"" + attribute("y", y + 4) + ">" +
                      escape::xml(levelText(level)) + "</text>\n";
    if (level != *levels_.rbegin())
      row += "<line class=\"plan-row\" x1=\"0\"" + attribute("x2", right) +
             attribute("y1", y + rowHeight / 2 + 8) + attribute("y2", y + rowHeight / 2 + 8) +
             "/>\n";
    return row;
  }

  /// The lowest level that these parts use.
  static int lowest(const std::vector<PlanPart> &parts, int level) {
    for (const PlanPart &part : parts)
      level = std::max({level, part.level, lowest(part.inside, std::max(part.to, level))});
    return level;
  }

  void shape(const std::string &name, const std::string &attributes) {
    shapes_ += "<" + name + attributes + "/>\n";
  }

  void name(const std::string &text, double x, double y) {
    shapes_ += "<text class=\"plan-name\" text-anchor=\"middle\"" + attribute("x", x) +
               attribute("y", y) + ">" + escape::xml(text) + "</text>\n";
  }

  static std::string steps(const std::vector<std::size_t> &all) {
    std::string text = " data-steps=\"";
    for (std::size_t i = 0; i < all.size(); ++i)
      text += (i == 0 ? "" : " ") + std::to_string(all[i]);
    return text + "\"";
  }

  void open(const std::vector<std::size_t> &ofSteps) {
    shapes_ += "<g class=\"plan-part\"" + steps(ofSteps) + ">\n";
  }
  void close() { shapes_ += "</g>\n"; }

  /// Draws what happens one after the other from x on; how wide it is.
  double sequence(const std::vector<PlanPart> &parts, double x) {
    const double start = x;
    const PlanPart *spread = nullptr; // whose workers are to be waited for
    std::vector<std::size_t> naming;  // steps that name the codelet of the next one
    std::string codelet;
    for (const PlanPart &part : parts) {
      if (spread && part.kind != Term::Kind::Serialize) {
        const bool own = part.kind == Term::Kind::Sync;
        x += wait(*spread, part, own, x);
      }
      spread = nullptr;
      if (part.kind == Term::Kind::Sync)
        continue;
      if (part.kind == Term::Kind::Select || part.kind == Term::Kind::Regroup ||
          part.kind == Term::Kind::Split) {
        naming.push_back(part.step);
        if (part.codelet)
          codelet = part.codelet->name();
        splits_ = part.kind == Term::Kind::Split;
        continue;
      }
      naming.push_back(part.step);
      if (part.codelet && (codelet.empty() || part.kind == Term::Kind::Compute))
        codelet += (codelet.empty() ? "" : ": ") + part.codelet->name();
      if (x > start)
        x += gap;
      x += drawn(part, naming, codelet, x);
      naming.clear();
      codelet.clear();
      if (part.kind == Term::Kind::Distribute)
        spread = &part;
    }
    return x - start;
  }

  double drawn(const PlanPart &part, const std::vector<std::size_t> &naming,
               const std::string &codelet, double x) {
    switch (part.kind) {
    case Term::Kind::Compute:
      return compute(part, naming, codelet, x);
    case Term::Kind::Devolve:
      return devolve(part, naming, x);
    case Term::Kind::Serialize:
      return loop(part, naming, codelet, x);
    default:
      return distribute(part, naming, codelet, x);
    }
  }

  double wait(const PlanPart &spread, const PlanPart &next, bool own, double x) {
    const double at = x + gap;
    open(own ? std::vector<std::size_t>{next.step} : std::vector<std::size_t>{});
    shape("line", " class=\"plan-wait\"" + attribute("x1", at) + attribute("x2", at) +
                      attribute("y1", yOf(spread.level) - 19) +
                      attribute("y2", yOf(lowest(spread.inside, spread.to)) + rowHeight / 2 - 4));
    name(nameOf(machine_.levels[static_cast<std::size_t>(spread.level)].sync), at,
         yOf(spread.level) - 23);
    close();
    return gap + 6;
  }

  double compute(const PlanPart &part, const std::vector<std::size_t> &naming,
                 const std::string &codelet, double x) {
    const double width = std::max(2 * glyph, widthOf(codelet)) + 4;
    const double middle = x + width / 2;
    const double y = yOf(part.level);
    open(naming);
    if (part.codelet->cooperative) {
      shape("path", " class=\"plan-glyph\" d=\"M" + number(middle - 11) + " " + number(y - 11) +
                        "l22 22m0 -22l-22 22\"");
    } else {
      shape("circle", " class=\"plan-glyph\"" + attribute("cx", middle) + attribute("cy", y) +
                          attribute("r", 12));
    }
    name(codelet, middle, y + glyph + 13);
    close();
    return width;
  }

  /// Frames around what is inside, drawn before it: `cards` of them. The width of all.
  double framed(const PlanPart &part, double x, int cards) {
    const std::string before = std::move(shapes_);
    shapes_.clear();
    const double offset = cardStep * (cards - 1);
    const double inner = std::max(sequence(part.inside, x + gap / 2), 3 * glyph);
    const std::string inside = std::move(shapes_);
    shapes_ = before;
    const double width = inner + gap;
    const double first = yOf(part.to) - frameTop;
    const double last = yOf(lowest(part.inside, part.to)) + rowHeight / 2 - 8;
    for (int card = cards; card-- > 0;)
      shape("rect", " class=\"plan-frame\" rx=\"5\"" + attribute("x", x + cardStep * card) +
                        attribute("y", first - cardStep * card + offset) +
                        attribute("width", width) + attribute("height", last - first - offset));
    shapes_ += inside;
    return width + offset;
  }

  double distribute(const PlanPart &part, const std::vector<std::size_t> &naming,
                    const std::string &codelet, double x) {
    const double label = widthOf(codelet);
    const bool doubled = std::exchange(splits_, false);
    const std::string before = std::move(shapes_);
    shapes_.clear();
    const double inner = framed(part, x, 3);
    const std::string inside = std::move(shapes_);
    shapes_ = before;
    const double width = std::max(inner, label);
    const double middle = x + inner / 2;
    const double y = yOf(part.level);
    // From the corners of the triangle to those of the frame.
    const double frame = yOf(part.to) - frameTop + 2 * cardStep;
    open(naming);
    shape("path", " class=\"plan-hand\" d=\"M" + number(middle - glyph) + " " + number(y + glyph) +
                      "L" + number(x + 2) + " " + number(frame) + "M" + number(middle + glyph) +
                      " " + number(y + glyph) + "L" + number(x + inner - 2) + " " +
                      number(frame - 2 * cardStep) + "\"");
    triangle(middle, y, glyph);
    if (doubled)
      triangle(middle, y + 3, glyph - 7);
    name(codelet, x + width / 2, y - glyph - 6);
    close();
    shapes_ += inside;
    return width;
  }

  void triangle(double x, double y, double half) {
    shape("path", " class=\"plan-glyph\" d=\"M" + number(x) + " " + number(y - half) + "L" +
                      number(x - half) + " " + number(y + half) + "H" + number(x + half) + "Z\"");
  }

  double devolve(const PlanPart &part, const std::vector<std::size_t> &naming, double x) {
    const std::string before = std::move(shapes_);
    shapes_.clear();
    const double width = framed(part, x, 1);
    const std::string inside = std::move(shapes_);
    shapes_ = before;
    const double middle = x + width / 2;
    open(naming);
    shape("circle", " class=\"plan-glyph plan-one\"" + attribute("cx", middle) +
                        attribute("cy", yOf(part.level)) + attribute("r", 3));
    shape("line", " class=\"plan-hand\"" + attribute("x1", middle) + attribute("x2", middle) +
                      attribute("y1", yOf(part.level) + 4) +
                      attribute("y2", yOf(part.to) - frameTop));
    close();
    shapes_ += inside;
    return width;
  }

  double loop(const PlanPart &part, const std::vector<std::size_t> &naming,
              const std::string &codelet, double x) {
    const double label = std::max(2 * glyph, widthOf(codelet));
    const double middle = x + label / 2;
    const double y = yOf(part.level);
    open(naming);
    shape("path", " class=\"plan-glyph\" d=\"M" + number(middle) + " " + number(y - glyph) + "L" +
                      number(middle - glyph) + " " + number(y - 2) + "V" + number(y + glyph - 2) +
                      "H" + number(middle + glyph) + "V" + number(y - 2) + "Z\"");
    name(codelet, middle, y + glyph + 13);
    shape("line", " class=\"plan-hand\"" + attribute("x1", middle + glyph) +
                      attribute("x2", x + label + gap) + attribute("y1", y) + attribute("y2", y));
    close();
    return label + gap + sequence(part.inside, x + label + gap);
  }

  const Machine &machine_;
  std::set<int> levels_;
  bool splits_ = false; ///< what comes next gives several parts to each worker
  std::string shapes_;
};

} // namespace

std::string planToSvg(const ir::PlanPtr &plan, const RuleBook &book, const std::string &title,
                      bool alone) {
  return Drawing(book).draw(partsOf(plan, book), plan->level, title, alone);
}

} // namespace tangram::composer
