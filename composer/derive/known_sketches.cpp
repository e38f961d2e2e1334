#include "composer/derive/known_sketches.h"

#include "algebra/nests.h"
#include "composer/analysis/sites.h"
#include "composer/derive/own_names.h"

#include <algorithm>
#include <optional>
#include <ranges>
#include <set>

namespace tangram::composer {

namespace {

/// A loop that a codelet cuts into tiles, and the inputs of which all of its rounds read the same elements.
struct Tiled {
  std::string tag;
  std::set<std::string> same;
};

/// The inputs none of whose subscripts depend on the loop.
std::set<std::string> sameFor(const algebra::Nest &nest, int loop) {
  std::set<std::string> same, others;
  for (const algebra::NestAccess &access : nest.accesses) {
    const auto &at = access.expr->args;
    const bool depends = std::any_of(
        at.begin() + 1, at.end(), [&](const ir::ExprPtr &e) { return nest.mayDependOn(e, loop); });
    (depends || !access.array->type.isConst ? others : same).insert(access.array->name);
  }
  for (const std::string &other : others)
    same.erase(other);
  return same;
}

/// The loops of a spectrum that codelets cut into tiles, in their order.
std::vector<Tiled> tiledLoops(const ir::Spectrum &spectrum) {
  std::vector<Tiled> tiled;
  for (const ir::Codelet &codelet : spectrum.codelets) {
    if (codelet.tag.starts_with("derived_tile_"))
      tiled.push_back({codelet.tag, {}});
  }
  const auto number = tiled.empty() ? std::nullopt : meaningOf(spectrum);
  if (!number)
    return tiled;
  const ir::Codelet loops = withWritableNames(spectrum.codelets[*number]);
  const auto read = algebra::nestOf(loops);
  const auto *nest = std::get_if<algebra::Nest>(&read);
  for (int loop = 0; nest != nullptr && loop < static_cast<int>(nest->loops.size()); ++loop) {
    const std::string tag =
        "derived_tile_" + nest->loops[static_cast<std::size_t>(loop)].counter->name;
    if (const auto found = std::ranges::find(tiled, tag, &Tiled::tag); found != tiled.end())
      found->same = sameFor(*nest, loop);
  }
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
  const std::vector<Tiled> loops = tiledLoops(spectrum);
  std::string step, parts;
  for (const ir::Codelet &codelet : spectrum.codelets) {
    if (codelet.tag.starts_with("derived_parts_") && parts.empty())
      parts = codelet.tag;
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

/// Whether a codelet of the program goes through a sum in steps, so that the program has sums.
bool hasSums(const ir::Program &program) {
  return std::ranges::any_of(program.spectrums, [](const ir::Spectrum &spectrum) {
    return std::ranges::any_of(spectrum.codelets, [](const ir::Codelet &codelet) {
      return codelet.tag.starts_with("derived_step_");
    });
  });
}

/// Tiles whose items are neighbours along the innermost loop: of it one round for each item, of two loops around, along
/// which different inputs are the same, more of them. Other loops are cut for groups, round by round.
std::vector<std::string> neighboursInTiles(const ir::Program &program,
                                           const ir::Spectrum &spectrum) {
  std::vector<Tiled> loops = tiledLoops(spectrum);
  std::vector<std::string> groups = singleRoundsAround(program, spectrum.name);
  if (loops.size() + groups.size() < 3 || loops.size() < 2)
    return {};
  const Tiled neighbours = loops.back();
  loops.pop_back();
  std::vector<std::string> held, others;
  bool reusesOther =
      false; // whether the innermost held loop and the neighbours' loop share different inputs
  std::set<std::string> same = neighbours.same;
  for (const Tiled &loop : std::views::reverse(loops)) {
    const bool isHeld =
        held.size() < 2 && !loop.same.empty() && (held.empty() || loop.same != same);
    if (isHeld && held.empty())
      reusesOther = !neighbours.same.empty() && loop.same != neighbours.same;
    if (isHeld)
      same = loop.same;
    (isHeld ? held : others).push_back(loop.tag);
  }
  if (held.empty())
    return {};
  std::ranges::reverse(held);
  std::vector<std::string> items = held;
  items.push_back(neighbours.tag);
  groups.insert(groups.end(), others.rbegin(), others.rend());
  groups.insert(groups.end(), held.begin(), held.end());
  // Groups share three loops at most; items have all of the inner ones.
  const std::size_t cut = groups.size() - held.size();
  if (cut > 3 || groups.empty())
    return {};
  groups.push_back(neighbours.tag);
  // Of two held loops where groups share one of them, each is tried.
  std::vector<std::vector<std::string>> shared{groups};
  if (cut == 2 && held.size() == 2) {
    shared.push_back(groups);
    std::swap(shared.back()[2], shared.back()[3]);
  }
  std::vector<std::string> sketches;
  const auto add = [&](const std::vector<std::string> &ofGroups,
                       const std::vector<std::string> &ofItems) {
    sketches.push_back("..., " + tiles(ofGroups) + ", S_*, " + tiles(ofItems) +
                       ", compute(derived_loop, *), ...");
  };
  for (std::vector<std::string> &each : shared) {
    each.resize(std::min<std::size_t>(each.size(), 3));
    add(each, items);
  }
  // A group whose tile is bounded along all loops can go through its sums in steps, which are staged in local memory.
  if (!hasSums(program))
    return sketches;
  // If there are more than three maps, they are flattened, in the order of the loops.
  std::vector<std::string> all = singleRoundsAround(program, spectrum.name);
  for (const Tiled &loop : tiledLoops(spectrum))
    all.push_back(loop.tag);
  if (all.size() > 3)
    add(all, items);
  if (held.size() == 2 && others.empty() && reusesOther)
    add(all, {held.back(), neighbours.tag});
  return sketches;
}

/// The spectrum and those that its codelets call, nearest ones first.
std::vector<const ir::Spectrum *> reachedFrom(const ir::Program &program,
                                              const ir::Spectrum &spectrum) {
  std::vector<const ir::Spectrum *> found{&spectrum};
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const ir::Codelet &codelet : found[i]->codelets) {
      ir::forEachExpr(codelet.body, [&](const ir::Expr &e) {
        const ir::Spectrum *called = ir::callsSpectrum(e) ? program.spectrum(e.callee) : nullptr;
        if (called != nullptr && std::ranges::find(found, called) == found.end())
          found.push_back(called);
      });
    }
  }
  return found;
}

/// "..., steps, ...": the steps.
std::string bare(std::string sketch) {
  if (sketch.starts_with("..., "))
    sketch.erase(0, 5);
  if (sketch.ends_with(", ..."))
    sketch.erase(sketch.size() - 5);
  return sketch;
}

/// Steps for a nest that has the whole machine: a sum in tiles, single rounds and lanes, or tiles of neighbours. `way`: of
/// several loops that groups may share beside the tiles, which one.
std::optional<std::string> ofWhole(const ir::Program &program, const ir::Spectrum &spectrum,
                                   std::size_t way) {
  const std::vector<const ir::Spectrum *> reached = reachedFrom(program, spectrum);
  for (const ir::Spectrum *each : reached) {
    if (const auto sketches = sumInTiles(program, *each); !sketches.empty())
      return bare(sketches[std::min(way, sketches.size() - 1)]);
  }
  for (const ir::Spectrum *each : reached) {
    if (const auto rounds = outerRounds(*each))
      return bare(*rounds);
    if (const auto neighbours = neighboursInTiles(program, *each); !neighbours.empty())
      return bare(neighbours.front());
  }
  return std::nullopt;
}

/// The nests that a codelet calls one after the other, each with the whole machine: the loops in a round (derived_apart), or a
/// sum and what uses it (derived_once).
std::optional<std::string> nestsInTurn(const ir::Program &program, const ir::Spectrum &spectrum,
                                       const std::string &tag, std::size_t way) {
  const auto apart = std::ranges::find(spectrum.codelets, tag, &ir::Codelet::tag);
  if (apart == spectrum.codelets.end())
    return std::nullopt;
  std::string text = "..., select(" + tag + ", *)";
  bool allKnown = true;
  ir::forEachExpr(apart->body, [&](const ir::Expr &e) {
    if (e.kind != ir::ExprKind::SpectrumCall)
      return;
    const ir::Spectrum *called = program.spectrum(e.callee);
    const auto steps = called == nullptr       ? std::nullopt
                       : tag == "derived_once" ? ofWhole(program, *called, way)
                                               : ofNest(program, *called);
    allKnown &= steps.has_value();
    text += ", ..., " + steps.value_or("");
  });
  return allKnown ? std::optional(text + ", ...") : std::nullopt;
}

} // namespace

std::vector<std::string> derivedSketches(const ir::Program &program) {
  std::vector<std::string> sketches;
  for (const ir::Spectrum &spectrum : program.spectrums) {
    std::vector<std::string> found = sumInTiles(program, spectrum);
    if (const auto rounds = outerRounds(spectrum))
      found.push_back(*rounds);
    for (std::string &neighbours : neighboursInTiles(program, spectrum))
      found.push_back(std::move(neighbours));
    for (const auto &[tag, way] :
         {std::pair("derived_apart", 0), {"derived_once", 0}, {"derived_once", 1}}) {
      if (auto nests = nestsInTurn(program, spectrum, tag, static_cast<std::size_t>(way)))
        found.push_back(std::move(*nests));
    }
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
