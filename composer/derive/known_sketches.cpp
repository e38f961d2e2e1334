#include "composer/derive/known_sketches.h"

#include <algorithm>
#include <optional>
#include <ranges>
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

/// What blocks of loops, and parts of sums, a spectrum has codelets for.
struct Cuts {
  std::vector<std::string> tiles, splits; ///< outer loops first
  std::string parts;                      ///< of the outermost loop of its sums; "": there are none
  std::string sharing;                    ///< lanes that share the sums of a part

  Cuts(const ir::Program &program, const ir::Spectrum &spectrum) {
    for (const ir::Codelet &codelet : spectrum.codelets) {
      if (codelet.tag.starts_with("derived_tile_"))
        tiles.push_back(codelet.tag);
      if (codelet.tag.starts_with("derived_split_"))
        splits.push_back(codelet.tag);
      if (!codelet.tag.starts_with("derived_parts_") || !parts.empty())
        continue;
      parts = codelet.tag;
      ir::forEachExpr(codelet.body, [&](const ir::Expr &e) {
        if (e.kind == ir::ExprKind::Map)
          sharing = lanesInside(*program.spectrum(e.callee));
      });
    }
  }

private:
  /// The lanes of a spectrum that have no results of their own; "*": there are none.
  static std::string lanesInside(const ir::Spectrum &part) {
    std::string own = "derived_lanes";
    for (const ir::Codelet &codelet : part.codelets) {
      if (codelet.tag.starts_with("derived_tile_"))
        own += codelet.tag.substr(std::string("derived_tile").size());
    }
    for (const ir::Codelet &codelet : part.codelets) {
      if (codelet.cooperative && codelet.tag != own)
        return codelet.tag;
    }
    return "*";
  }
};

/// Steps for sums in parts: `inside`, which begins with tiles of the loops around, makes them; groups with lanes combine
/// those of the results that they have a share of.
std::string inParts(const Cuts &cuts, const std::string &inside) {
  std::string combined = "regroup(" + cuts.splits.front() + ", *), distribute(";
  if (cuts.splits.size() > 1)
    combined += "*.y), regroup(" + cuts.splits.back() + ", *), distribute(";
  return "regroup(" + cuts.parts + ", *), distribute(*.flat), " + inside + ", ..., " + combined +
         "*), compute(derived_lanes_*, VE_*)";
}

constexpr std::size_t mostTogether = 2; ///< with parts three maps are flattened

/// The first loops in tiles, and lanes: where no loop is left for them, those that share sums.
std::string inLanes(const Cuts &cuts, std::size_t count) {
  return tiles({cuts.tiles.begin(), cuts.tiles.begin() + static_cast<std::ptrdiff_t>(count)}) +
         ", compute(" + (count == cuts.tiles.size() ? cuts.sharing : "derived_lanes_*") + ", VE_*)";
}

/// Parts of sums for groups of workers, and in each the results of one round of the outer loop, or several, whose lanes have
/// results of their own, or share them.
std::vector<std::string> partsInLanes(const ir::Program &program, const ir::Spectrum &spectrum) {
  const Cuts cuts(program, spectrum);
  if (cuts.parts.empty() || cuts.tiles.empty())
    return {};
  std::vector<std::string> sketches;
  const auto add = [&](std::size_t count) {
    sketches.push_back("..., " + inParts(cuts, inLanes(cuts, count)));
  };
  if (cuts.tiles.size() > 1)
    add(std::min(mostTogether, cuts.tiles.size() - 1));
  if (cuts.tiles.size() <= mostTogether)
    add(cuts.tiles.size());
  return sketches;
}

/// Steps for one of several nests: its sums in parts, or single rounds of its outer loops, and lanes.
std::optional<std::string> ofNest(const ir::Program &program, const ir::Spectrum &spectrum) {
  const Cuts cuts(program, spectrum);
  const std::size_t loops = cuts.tiles.size();
  const std::size_t count =
      std::min(mostTogether, cuts.parts.empty() && loops > 0 ? loops - 1 : loops);
  if (count == 0)
    return std::nullopt;
  const std::string lanes = inLanes(cuts, count);
  return cuts.parts.empty() ? lanes : inParts(cuts, lanes);
}

/// The nests that the loops in a round become, each with the whole machine.
std::optional<std::string> nestsApart(const ir::Program &program, const ir::Spectrum &spectrum) {
  const auto apart = std::ranges::find(spectrum.codelets, "derived_apart", &ir::Codelet::tag);
  if (apart == spectrum.codelets.end())
    return std::nullopt;
  std::string text = "..., select(derived_apart, *)";
  bool allKnown = true;
  ir::forEachExpr(apart->body, [&](const ir::Expr &e) {
    if (e.kind != ir::ExprKind::SpectrumCall)
      return;
    const ir::Spectrum *called = program.spectrum(e.callee);
    const auto steps = called != nullptr ? ofNest(program, *called) : std::nullopt;
    allKnown &= steps.has_value();
    text += ", ..., " + steps.value_or("");
  });
  return allKnown ? std::optional(text + ", ...") : std::nullopt;
}

/// Whether the spectrum is the rounds of another one, whose blocks get their first rounds as numbers.
bool areRounds(const ir::Program &program, const ir::Spectrum &spectrum) {
  return std::ranges::any_of(program.spectrums, [&](const ir::Spectrum &other) {
    return &other != &spectrum &&
           std::ranges::any_of(other.codelets, [&](const ir::Codelet &codelet) {
             bool calls = false;
             ir::forEachExpr(codelet.body, [&](const ir::Expr &e) {
               calls |= e.kind == ir::ExprKind::SpectrumCall && e.callee == spectrum.name;
             });
             return calls && codelet.tag == "derived_rounds";
           });
  });
}

/// Tiles of two loops that reuse what a sum reads, gone through in steps: of a group, and in it of items. Other loops are
/// cut for groups.
std::vector<std::string> sumInTiles(const ir::Program &program, const ir::Spectrum &spectrum) {
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
  if (others.empty() && areRounds(program, spectrum)) // results are started before, as wholes
    return {"..., select(derived_sums, *), ..., select(derived_rounds, *), S_*, " +
            tiles({outer->tag, inner->tag}) + ", S_*, regroup(" + step +
            ", *), serialize(*), S_*, " + tiles({outer->tag, inner->tag}) +
            ", compute(derived_loop, *), ..."};
  if (others.empty()) {
    std::vector<std::string> sketches{"..., " + tiles({outer->tag, inner->tag}) + steps};
    if (!parts.empty())
      sketches.push_back("..., regroup(" + parts + ", *), distribute(*.flat), " +
                         tiles({outer->tag, inner->tag}) + steps);
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

/// The codelets that map over single rounds of loops around those of a spectrum.
std::vector<std::string> singleRoundsAround(const ir::Program &program,
                                            const std::string &spectrum) {
  for (const ir::Spectrum &other : program.spectrums) {
    for (const ir::Codelet &codelet : other.codelets) {
      bool maps = false;
      ir::forEachExpr(codelet.body, [&](const ir::Expr &e) {
        maps |= e.kind == ir::ExprKind::Map && e.callee == spectrum;
      });
      if (!maps || !codelet.tag.starts_with("derived_each_"))
        continue;
      std::vector<std::string> around = singleRoundsAround(program, other.name);
      around.push_back(codelet.tag);
      return around;
    }
  }
  return {};
}

/// Tiles whose items are neighbours along the innermost loop: of it one round for each item, of two loops around, along
/// which different inputs are the same, more of them. Other loops are cut for groups, round by round.
std::optional<std::string> neighboursInTiles(const ir::Program &program,
                                             const ir::Spectrum &spectrum) {
  std::vector<Tiled> loops;
  for (const ir::Codelet &codelet : spectrum.codelets) {
    if (auto tiled = tiledBy(codelet))
      loops.push_back(std::move(*tiled));
  }
  std::vector<std::string> groups = singleRoundsAround(program, spectrum.name);
  if (loops.size() + groups.size() < 3 || loops.size() < 2)
    return std::nullopt;
  const Tiled neighbours = loops.back();
  loops.pop_back();
  std::vector<std::string> held, others;
  std::set<std::string> same = neighbours.same;
  for (const Tiled &loop : std::views::reverse(loops)) {
    const bool isHeld =
        held.size() < 2 && !loop.same.empty() && (held.empty() || loop.same != same);
    if (isHeld)
      same = loop.same;
    (isHeld ? held : others).push_back(loop.tag);
  }
  if (held.empty())
    return std::nullopt;
  std::ranges::reverse(held);
  std::vector<std::string> items = held;
  items.push_back(neighbours.tag);
  groups.insert(groups.end(), others.rbegin(), others.rend());
  groups.insert(groups.end(), held.begin(), held.end());
  // Groups share three loops at most; items have all of the inner ones.
  const std::size_t cut = groups.size() - held.size();
  if (cut > 3 || groups.empty())
    return std::nullopt;
  groups.push_back(neighbours.tag);
  groups.resize(std::min<std::size_t>(groups.size(), 3));
  return "..., " + tiles(groups) + ", S_*, " + tiles(items) + ", compute(derived_loop, *), ...";
}

} // namespace

std::vector<std::string> derivedSketches(const ir::Program &program) {
  std::vector<std::string> sketches;
  for (const ir::Spectrum &spectrum : program.spectrums) {
    std::vector<std::string> found = sumInTiles(program, spectrum);
    if (const auto rounds = outerRounds(spectrum))
      found.push_back(*rounds);
    if (const auto neighbours = neighboursInTiles(program, spectrum))
      found.push_back(*neighbours);
    if (auto apart = nestsApart(program, spectrum))
      found.push_back(std::move(*apart));
    for (std::string &parts : partsInLanes(program, spectrum))
      found.push_back(std::move(parts));
    for (const std::string &sketch : found) {
      if (std::ranges::find(sketches, sketch) == sketches.end())
        sketches.push_back(sketch);
    }
  }
  return sketches;
}

} // namespace tangram::composer
