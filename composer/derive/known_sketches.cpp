#include "composer/derive/known_sketches.h"

#include <algorithm>
#include <optional>
#include <set>

namespace tangram::composer {

namespace {

/// A loop that a codelet cuts into tiles, and the inputs that are the same for all of them.
struct Tiled {
  std::string tag;
  std::set<std::string> same;
};

std::optional<Tiled> tiledBy(const ir::Codelet &codelet) {
  if (!codelet.tag.starts_with("derived_tile_"))
    return std::nullopt;
  Tiled tiled{codelet.tag, {}};
  ir::forEachExpr(codelet.body, [&](const ir::Expr &e) {
    if (e.kind == ir::ExprKind::All && e.type.isConst && e.args[0]->kind == ir::ExprKind::Var)
      tiled.same.insert(e.args[0]->var->name);
  });
  return tiled;
}

/// Tiles for one level and then for the next one down: three maps at most are flattened.
std::string tiles(const std::vector<std::string> &tags) {
  std::string text;
  for (const std::string &tag : tags) {
    const bool isLast = &tag == &tags.back();
    text += (text.empty() ? "regroup(" : ", regroup(") + tag + ", *), distribute(" +
            (isLast ? "*" : "*.flat") + ")";
  }
  return text;
}

/// Single rounds of the outer loops for groups of workers, and the inner ones dealt to their lanes: an image and a channel
/// a group, and its pixels to its lanes.
std::optional<std::string> outerRounds(const ir::Spectrum &spectrum) {
  std::vector<std::string> loops;
  bool hasLanes = false;
  for (const ir::Codelet &codelet : spectrum.codelets) {
    if (codelet.tag.starts_with("derived_tile_"))
      loops.push_back(codelet.tag);
    hasLanes |= codelet.cooperative && !codelet.impossible;
  }
  if (loops.size() < 3 || !hasLanes)
    return std::nullopt;
  loops.resize(2);
  return "..., " + tiles(loops) + ", compute(derived_lanes_*, VE_*), ...";
}

/// Parts of a sum, with `inside`, which begins with tiles of the loops around it.
std::string partsOf(const std::string &parts, const std::string &inside) {
  return "..., regroup(" + parts + ", *), distribute(*.flat), " + inside;
}

/// Parts of sums for groups of workers, and in each the results of one round of the outer loop, or several, whose lanes have
/// results of their own, or share them.
std::vector<std::string> partsInLanes(const ir::Spectrum &spectrum) {
  std::vector<std::string> loops;
  std::string parts;
  for (const ir::Codelet &codelet : spectrum.codelets) {
    if (codelet.tag.starts_with("derived_tile_"))
      loops.push_back(codelet.tag);
    if (codelet.tag.starts_with("derived_parts_") && parts.empty())
      parts = codelet.tag;
  }
  if (parts.empty() || loops.empty())
    return {};
  constexpr std::size_t mostTogether = 2; // with the parts three maps are flattened
  const auto inLanes = [&](std::size_t count) {
    const std::vector<std::string> outer(loops.begin(),
                                         loops.begin() + static_cast<std::ptrdiff_t>(count));
    return partsOf(parts, tiles(outer) + ", compute(derived_lanes_*, VE_*), ...");
  };
  std::vector<std::string> sketches;
  if (loops.size() > 1)
    sketches.push_back(inLanes(std::min(mostTogether, loops.size() - 1)));
  if (loops.size() <= mostTogether)
    sketches.push_back(inLanes(loops.size()));
  return sketches;
}

/// Tiles of two loops that reuse what a sum reads, gone through in steps: of a group, and in it of items. Other loops are
/// cut for groups.
std::vector<std::string> sumInTiles(const ir::Spectrum &spectrum) {
  std::vector<Tiled> loops;
  std::string step, parts;
  for (const ir::Codelet &codelet : spectrum.codelets) {
    if (codelet.tag.starts_with("derived_parts_") && parts.empty())
      parts = codelet.tag;
    if (auto tiled = tiledBy(codelet))
      loops.push_back(std::move(*tiled));
    if (codelet.tag.starts_with("derived_step_") && step.empty())
      step = codelet.tag;
  }
  // The innermost loop with reuse, and the nearest one around it that reuses something else.
  const auto inner = std::find_if(loops.rbegin(), loops.rend(),
                                  [](const Tiled &loop) { return !loop.same.empty(); });
  if (inner == loops.rend() || step.empty())
    return {};
  const auto outer = std::find_if(std::next(inner), loops.rend(), [&](const Tiled &loop) {
    return !loop.same.empty() && loop.same != inner->same;
  });
  if (outer == loops.rend())
    return {};
  std::vector<std::string> others;
  for (const Tiled &loop : loops) {
    if (&loop != &*inner && &loop != &*outer)
      others.push_back(loop.tag);
  }
  const std::string steps = ", select(derived_sums, *), compute(*, VE_*), S_*, regroup(" + step +
                            ", *), serialize(*), S_*, " + tiles({outer->tag, inner->tag}) +
                            ", compute(derived_loop, *), ...";
  if (others.empty()) {
    std::vector<std::string> sketches{"..., " + tiles({outer->tag, inner->tag}) + steps};
    if (!parts.empty())
      sketches.push_back(partsOf(parts, tiles({outer->tag, inner->tag}) + steps));
    return sketches;
  }
  // Groups share three loops at most: through further ones each group goes by itself.
  std::vector<std::string> sketches;
  for (const std::string &shared : others) {
    std::string rounds;
    for (const std::string &other : others)
      rounds += other == shared ? "" : ", S_*, regroup(" + other + ", *), serialize(*)";
    sketches.push_back("..., " + tiles({shared, outer->tag, inner->tag}) + rounds + steps);
  }
  return sketches;
}

/// Tiles whose items are neighbours along the innermost loop: of it one round for each item, of two loops around, along
/// which different inputs are the same, more of them. Other loops are cut for groups, round by round.
std::optional<std::string> neighboursInTiles(const ir::Spectrum &spectrum) {
  std::vector<Tiled> loops;
  for (const ir::Codelet &codelet : spectrum.codelets) {
    if (auto tiled = tiledBy(codelet))
      loops.push_back(std::move(*tiled));
  }
  if (loops.size() < 3)
    return std::nullopt;
  const Tiled neighbours = loops.back();
  loops.pop_back();
  std::vector<std::string> held;
  std::set<std::string> same = neighbours.same;
  std::vector<std::string> others;
  for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop) {
    const bool isHeld =
        held.size() < 2 && !loop->same.empty() && (held.empty() || loop->same != same);
    if (isHeld)
      same = loop->same;
    (isHeld ? held : others).insert((isHeld ? held : others).begin(), loop->tag);
  }
  if (held.empty())
    return std::nullopt;
  std::vector<std::string> groups = others, items = held;
  groups.insert(groups.end(), held.begin(), held.end());
  items.push_back(neighbours.tag);
  return groups.size() > 3 ? std::nullopt
                           : std::optional("..., " + tiles(groups) + ", S_*, " + tiles(items) +
                                           ", compute(derived_loop, *), ...");
}

} // namespace

std::vector<std::string> derivedSketches(const ir::Program &program) {
  std::vector<std::string> sketches;
  for (const ir::Spectrum &spectrum : program.spectrums) {
    std::vector<std::string> found = sumInTiles(spectrum);
    if (const auto rounds = outerRounds(spectrum))
      found.push_back(*rounds);
    if (const auto neighbours = neighboursInTiles(spectrum))
      found.push_back(*neighbours);
    for (std::string &parts : partsInLanes(spectrum))
      found.push_back(std::move(parts));
    for (const std::string &sketch : found) {
      if (std::ranges::find(sketches, sketch) == sketches.end())
        sketches.push_back(sketch);
    }
  }
  return sketches;
}

} // namespace tangram::composer
