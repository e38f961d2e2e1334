#include "driver/commands/equivalence_cases.h"

#include "runtime/data/command_values.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

namespace tangram::driver {

using namespace runtime;

namespace {

using Numbers = std::vector<std::uint64_t>;

constexpr std::size_t mostListed = 8;         ///< values of one tunable
constexpr std::uint64_t smallestConstant = 5; ///< of the source; smaller sizes are tried anyway
constexpr std::uint64_t largestConstant = 100000;
constexpr std::size_t mostConstants = 6;
constexpr std::size_t fullPasses = 2; ///< over all small shapes

/// All combinations of `sizes` for the extents, the last one fastest.
std::vector<SizeChoice> combinations(const std::vector<std::string> &extents,
                                     const Numbers &sizes) {
  std::vector<SizeChoice> all{SizeChoice{}};
  for (const std::string &extent : extents) {
    std::vector<SizeChoice> longer;
    for (const SizeChoice &each : all) {
      for (const std::uint64_t size : sizes) {
        longer.push_back(each);
        longer.back().named[extent] = {size};
      }
    }
    all = std::move(longer);
  }
  return all;
}

bool isEmpty(const SizeChoice &shape) {
  return std::ranges::any_of(
      shape.named, [](const auto &each) { return std::ranges::count(each.second, 0U) != 0; });
}

/// Nothing, one, about a tile, a ragged one; all combinations of them where there are more extents,
/// which makes flat and tall shapes. Those without elements, which are much alike, come last.
std::vector<SizeChoice> smallShapes(const std::vector<std::string> &extents) {
  static const std::vector<Numbers> byNumber{{},
                                             {0, 1, 2, 3, 7, 16, 17, 33, 64, 65, 100, 129},
                                             {0, 1, 3, 17, 33},
                                             {0, 1, 7, 17},
                                             {0, 1, 5}};
  std::vector<SizeChoice> shapes = combinations(
      extents, extents.size() < byNumber.size() ? byNumber[extents.size()] : Numbers{1, 3});
  std::ranges::stable_partition(shapes, std::not_fn(isEmpty));
  return shapes;
}

/// One extent is `size`, the others are few: one shape for each extent.
std::vector<SizeChoice> stretched(const std::vector<std::string> &extents, std::uint64_t size) {
  static constexpr std::uint64_t few[] = {3, 5, 2};
  std::vector<SizeChoice> shapes;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    SizeChoice shape;
    for (std::size_t j = 0; j < extents.size(); ++j)
      shape.named[extents[j]] = {i == j ? size : few[j % std::size(few)]};
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

/// Large odd shapes and a round one, for contracts that ask for whole tiles, smaller ones first.
std::vector<SizeChoice> largeShapes(const std::vector<std::string> &extents) {
  struct Rung {
    std::uint64_t odd, round;
    Numbers together; ///< sizes of all extents, by their number
  };
  static const std::vector<Rung> rungs{{301, 320, {0, 0, 37, 19, 11}},
                                       {5003, 5120, {0, 0, 131, 35, 17}},
                                       {70001, 66560, {0, 0, 301, 67, 29}},
                                       {300007, 300032, {}}};
  std::vector<SizeChoice> shapes;
  for (const Rung &rung : rungs) {
    // A third of the elements is more than 65536, too: of one extent, where that costs little.
    if (rung.together.empty() && extents.size() > 1)
      break;
    for (const std::uint64_t size : {rung.odd, rung.round}) {
      const std::vector<SizeChoice> more = stretched(extents, size);
      shapes.insert(shapes.end(), more.begin(), more.end());
      if (size == rung.odd && extents.size() > 1) {
        const std::uint64_t all =
            extents.size() < rung.together.size() ? rung.together[extents.size()] : 7;
        const std::vector<SizeChoice> together = combinations(extents, {all});
        shapes.insert(shapes.end(), together.begin(), together.end());
      }
    }
  }
  return shapes;
}

/// Numbers of constraints that name one extent and nothing else.
Numbers limitsOf(const Manifest &manifest) {
  Numbers limits;
  const std::vector<std::string> extents = manifest.signature.extents();
  for (const Constraint &each : manifest.constraints) {
    const std::vector<std::string> &names = each.require.names();
    if (names.size() != 1 || std::ranges::count(extents, names[0]) == 0)
      continue;
    const std::string &text = each.require.text();
    for (std::size_t at = text.find_first_of("0123456789"); at != std::string::npos;) {
      const std::size_t end = std::min(text.find_first_not_of("0123456789", at), text.size());
      const bool isNumber =
          at == 0 ||
          (std::isalnum(static_cast<unsigned char>(text[at - 1])) == 0 && text[at - 1] != '_');
      if (isNumber && end - at < 7)
        limits.push_back(std::stoull(text.substr(at, end - at)));
      at = text.find_first_of("0123456789", end);
    }
  }
  return limits;
}

/// At, just below and just above what the contracts and the source name.
std::vector<SizeChoice> shapesAtLimits(const Manifest &manifest,
                                       const std::vector<std::string> &extents,
                                       const Numbers &constants) {
  std::set<std::uint64_t> limits;
  for (const Numbers &numbers : {limitsOf(manifest), constants}) {
    for (const std::uint64_t each : numbers) {
      if (each >= smallestConstant && each <= largestConstant && limits.size() < mostConstants)
        limits.insert(each);
    }
  }
  std::vector<SizeChoice> shapes;
  for (const std::uint64_t limit : limits) {
    for (const std::uint64_t size : {limit, limit - 1, limit + 1}) {
      const std::vector<SizeChoice> more = stretched(extents, size);
      shapes.insert(shapes.end(), more.begin(), more.end());
    }
  }
  return shapes;
}

/// Whether tunables limit extents, so that each of their values serves few of the shapes: a tree of lanes takes as many elements as
/// there are lanes.
bool tunablesLimitShapes(const Manifest &manifest) {
  const std::vector<std::string> extents = manifest.signature.extents();
  return std::ranges::any_of(manifest.constraints, [&](const Constraint &each) {
    const std::vector<std::string> &names = each.require.names();
    return std::ranges::find_first_of(names, extents) != names.end() &&
           std::ranges::any_of(
               names, [&](const std::string &name) { return manifest.tunable(name) != nullptr; });
  });
}

/// Those that are tried: all of a short list; of a longer one its ends and some between; else one, few and many.
Numbers valuesOf(const Tunable &tunable) {
  Numbers values = tunable.values;
  if (values.empty())
    values = tunable.compileTime ? Numbers{3, 64} : Numbers{3, 1, 64, 7, 2, 100};
  std::erase_if(values, [&](std::uint64_t value) { return !tunable.allows(value); });
  if (values.size() <= mostListed)
    return values;
  Numbers some;
  for (std::size_t i = 0; i < mostListed; ++i)
    some.push_back(values[i * (values.size() - 1) / (mostListed - 1)]);
  return some;
}

/// Settings of all tunables. Values follow each other, so that every one takes part, and not all combinations.
std::vector<TunableValues> settingsOf(const Manifest &manifest, unsigned share, unsigned shares) {
  std::size_t compiled = 0, launched = 0;
  std::vector<std::pair<const Tunable *, Numbers>> tunables;
  for (const Tunable &each : manifest.tunables) {
    tunables.emplace_back(&each, valuesOf(each));
    std::size_t &most = each.compileTime ? compiled : launched;
    most = std::max(most, tunables.back().second.size());
  }
  std::vector<TunableValues> settings;
  auto add = [&](std::size_t number) {
    TunableValues setting;
    std::size_t shift = 0;
    for (const auto &[tunable, values] : tunables) {
      const std::size_t turn = tunable->compileTime && compiled > 0 ? number % compiled : number;
      if (!values.empty())
        setting[tunable->name] = values[(turn + shift++) % values.size()];
    }
    settings.push_back(std::move(setting));
  };
  // The bundles divide the compile-time values among them; further launch-time values reuse compiled settings.
  for (std::size_t i = 0; i < std::max(compiled, launched); ++i) {
    if (compiled <= 1 || i % compiled % shares == share || (compiled < shares && i == 0))
      add(i);
  }
  return settings;
}

/// Runs in the order in which they are told.
class Cases {
public:
  Cases(const RunChoice &choice, std::vector<TunableValues> settings)
      : choice_(choice), settings_(std::move(settings)) {
    settings_.insert(settings_.begin(), TunableValues{});
    largeSettings_ = {0};
    if (settings_.size() > 1)
      largeSettings_.push_back(1);
    if (const std::size_t fewest = withFewest(); fewest > 1)
      largeSettings_.push_back(fewest);
  }

  std::size_t passes() const { return std::max(settings_.size(), choice_.kinds.size()); }

  void add(SizeChoice sizes, std::size_t setting, std::size_t kind, std::size_t seed) {
    sizes.data = choice_.kinds[kind % choice_.kinds.size()];
    sizes.seed = seed;
    list_.cases.push_back({std::move(sizes), settings_[setting % settings_.size()]});
  }

  /// Small shapes once more, each with another kind of data; later on those with elements, every second one where there
  /// are many.
  void pass(const std::vector<SizeChoice> &shapes, std::size_t number) {
    const bool some = number >= fullPasses && shapes.size() > 64;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      if (number >= fullPasses && isEmpty(shapes[i]))
        continue;
      if (!some || (i + number) % 2 == 0)
        add(shapes[i], number, number + i, number);
    }
  }

  /// Each setting with each kind of data, at every shape, for codelets that serve few of the shapes with each setting.
  void everyPair(const std::vector<SizeChoice> &shapes) {
    const std::size_t pairs = settings_.size() * choice_.kinds.size();
    for (std::size_t number = 0; number < pairs; ++number) {
      for (std::size_t i = 0; i < shapes.size(); ++i) {
        if (!isEmpty(shapes[i]))
          add(shapes[i], number, number / settings_.size() + i, passes() + number);
      }
    }
  }

  /// Large shapes, each with another seed, so that the variants of a kind take turns; with all kinds of data where there
  /// is one, else with two that its neighbours have not. Settings take turns, too: the defaults, the first one, and that
  /// with the fewest workers, whose parts are the largest.
  void large(const std::vector<SizeChoice> &shapes, bool isOne) {
    const std::size_t kinds = choice_.kinds.size();
    const std::size_t each = isOne ? kinds : std::min<std::size_t>(kinds, 2);
    std::size_t number = 0;
    for (const SizeChoice &shape : shapes) {
      for (std::size_t i = 0; i < each; ++i, ++number)
        add(shape, largeSettings_[(number + number / each) % largeSettings_.size()], number,
            number / each);
    }
  }

  CaseList take() { return std::move(list_); }

private:
  /// The setting whose values are the smallest; the defaults, number 0, have none.
  std::size_t withFewest() const {
    const auto total = [](const TunableValues &setting) {
      return std::accumulate(setting.begin(), setting.end(), std::uint64_t{0},
                             [](std::uint64_t sum, const auto &each) { return sum + each.second; });
    };
    if (settings_.size() < 2)
      return 0;
    const auto least = std::ranges::min_element(settings_.begin() + 1, settings_.end(), {}, total);
    return static_cast<std::size_t>(least - settings_.begin());
  }

  const RunChoice &choice_;
  std::vector<TunableValues> settings_;
  std::vector<std::size_t> largeSettings_; ///< numbers of those that large shapes meet
  CaseList list_;
};

constexpr double referenceSeconds = 2; ///< one that takes longer at a shape is left out there

} // namespace

Numbers sizesNamedIn(const ir::Program &program) {
  std::set<std::uint64_t> found;
  auto look = [&](const ir::StmtPtr &body) {
    if (body)
      ir::forEachExpr(body, [&](const ir::Expr &e) {
        if (e.kind == ir::ExprKind::Literal && ir::isInteger(e.type.scalar) &&
            e.integer >= static_cast<std::int64_t>(smallestConstant) &&
            e.integer <= static_cast<std::int64_t>(largestConstant))
          found.insert(static_cast<std::uint64_t>(e.integer));
      });
  };
  for (const ir::Function &each : program.functions)
    look(each.body);
  for (const ir::Spectrum &spectrum : program.spectrums) {
    for (const ir::Codelet &each : spectrum.codelets)
      look(each.body);
  }
  return {found.begin(), found.end()};
}

std::vector<std::string> freeExtentsOf(const Manifest &manifest) {
  std::vector<std::string> names = manifest.signature.extents();
  for (const ShapeEquation &equation : manifest.signature.shape)
    std::erase(names, equation.extent);
  return names;
}

Result<CaseList> casesFor(const Manifest &manifest, const RunChoice &asked, unsigned share,
                          unsigned shares) {
  const std::vector<std::string> extents = freeExtentsOf(manifest);
  std::vector<SizeChoice> small = smallShapes(extents);
  if (!asked.sizes.empty()) {
    Result<std::vector<SizeChoice>> given = parseSizes(asked.sizes);
    if (!given)
      return given.error();
    small = std::move(*given);
  }
  RunChoice choice = asked;
  if (manifest.signature.constants.empty() && choice.kinds.size() > 1)
    std::erase(choice.kinds, DataKind::Constants);
  Cases cases(choice, settingsOf(manifest, share, shares));
  for (std::size_t number = 0; number < cases.passes(); ++number) {
    cases.pass(small, number);
    if (number + 1 != std::min(fullPasses, cases.passes()) || !choice.sizes.empty() ||
        extents.empty())
      continue;
    cases.large(shapesAtLimits(manifest, extents, choice.constants), false);
    cases.large(largeShapes(extents), extents.size() == 1);
  }
  if (tunablesLimitShapes(manifest))
    cases.everyPair(small);
  CaseList list = cases.take();
  list.budget = choice.budget;
  list.referenceTimeLimit = std::min(referenceSeconds, choice.timeLimit);
  return list;
}

namespace {

/// Whether a problem of these sizes has at least `extents`.
bool reaches(const SizeChoice &sizes, const std::map<std::string, std::uint64_t> &extents) {
  return std::ranges::all_of(sizes.named, [&](const auto &named) {
    const auto least = extents.find(named.first);
    return least != extents.end() && named.second.front() >= least->second;
  });
}

} // namespace

std::size_t leaveOutLong(CaseList &cases, const RunChoice &choice) {
  if (!choice.sizes.empty()) // the user asked for these sizes
    return 0;
  return std::erase_if(cases.cases, [&](const Case &each) {
    return !each.sizes.all && !each.sizes.named.empty() &&
           std::ranges::any_of(choice.tooLong,
                               [&](const auto &extents) { return reaches(each.sizes, extents); });
  });
}

namespace {

/// The setting, and with one and two instead of its numbers of workers.
std::vector<TunableValues> simplerSettings(const Manifest &manifest, const TunableValues &known) {
  std::vector<TunableValues> settings{known};
  for (const Tunable &tunable : manifest.tunables) {
    const auto found = known.find(tunable.name);
    for (const std::uint64_t few : {1, 2}) {
      if (tunable.compileTime || found == known.end() || found->second <= few ||
          !tunable.allows(few))
        continue;
      settings.push_back(known);
      settings.back()[tunable.name] = few;
    }
  }
  return settings;
}

} // namespace

CaseList smallerCases(const Manifest &manifest, const Case &known) {
  static constexpr std::uint64_t most[] = {0, 64, 6, 3, 2};
  static constexpr std::uint64_t steps[] = {100,  127,  128,  129,   255,   256,   257,
                                            1000, 4096, 4097, 32768, 65535, 65536, 65537};
  const std::vector<std::string> extents = freeExtentsOf(manifest);
  const std::uint64_t limit = extents.size() < std::size(most) ? most[extents.size()] : 1;
  const std::vector<TunableValues> settings = simplerSettings(manifest, known.setting);
  CaseList list;
  auto add = [&](const SizeChoice &shape) {
    for (const std::string &extent : extents) {
      const auto found = known.sizes.named.find(extent);
      if (found != known.sizes.named.end() && shape.named.at(extent)[0] > found->second[0])
        return;
    }
    for (const TunableValues &setting : settings) {
      Case smaller{shape, setting};
      list.cases.push_back(smaller);
      smaller.sizes.data = known.sizes.data;
      smaller.sizes.seed = known.sizes.seed;
      list.cases.push_back(std::move(smaller));
    }
  };
  Numbers sizes;
  for (std::uint64_t n = 0; n <= limit; ++n)
    sizes.push_back(n);
  for (const SizeChoice &shape : combinations(extents, sizes))
    add(shape);
  // A large one alone: what overflows shows from some size on.
  for (const std::string &extent : extents) {
    for (const std::uint64_t size : steps) {
      SizeChoice shape;
      for (const auto &[name, values] : known.sizes.named)
        shape.named[name] = values;
      shape.named[extent] = {size};
      add(shape);
    }
  }
  // The first that fail are the smallest.
  std::ranges::stable_sort(list.cases, {}, [](const Case &each) {
    std::uint64_t total = 0;
    for (const auto &[name, values] : each.sizes.named)
      total += values[0];
    return total;
  });
  list.budget = 5;
  return list;
}

} // namespace tangram::driver
