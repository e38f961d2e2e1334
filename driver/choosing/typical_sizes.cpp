#include "driver/choosing/typical_sizes.h"

#include "algebra/simplify.h"
#include "composer/analysis/sites.h"
#include "driver/choosing/sizes_from_loops.h"

#include <algorithm>
#include <array>
#include <bit>
#include <set>
#include <utility>

namespace tangram::driver {

namespace {

constexpr std::uint64_t manyElements = std::uint64_t{1} << 24;
constexpr std::uint64_t sideOfMany = 4096;
constexpr std::uint64_t sideOfCube = 256;
/// Images, channels, rows and columns: as many elements as a matrix or a cube has.
constexpr std::array<std::uint64_t, 4> sidesOfImages{16, 64, 128, 128};
/// Signals, channels and samples, where filters go over samples alone.
constexpr std::array<std::uint64_t, 3> sidesOfSignals{16, 64, 16384};
constexpr std::uint64_t channels = 64; ///< of a container of filters
constexpr std::uint64_t sideOfFilter = 5;
constexpr std::uint64_t shortSide = 128;
constexpr std::uint64_t mostOfShape = std::uint64_t{1} << 30; ///< elements of a container
constexpr std::uint64_t fewMatrices = 16, sideOfFew = 1024;
constexpr std::uint64_t timesMore = 16;

/// Of a container whose extents are open in `rank` dimensions, in one of these.
std::uint64_t usualExtent(std::size_t rank, std::size_t dimension, bool areFiltered) {
  if (rank >= sidesOfImages.size())
    return sidesOfImages[std::min(dimension, sidesOfImages.size() - 1)];
  if (rank == sidesOfSignals.size() && areFiltered)
    return sidesOfSignals[dimension];
  return rank <= 1 ? manyElements : rank == 2 ? sideOfMany : sideOfCube;
}

/// The sizes that a caller chooses, by what the shape contracts say of the others.
class FreeExtents {
public:
  explicit FreeExtents(const runtime::Signature &signature) {
    for (const std::string &extent : signature.extents())
      extents_.insert(extent);
    for (const auto &contract : signature.shape)
      equals_.try_emplace(contract.extent, &contract.equals);
  }

  /// Of a container's dimensions: three coordinates are none, and what equals another one is that.
  std::vector<std::string> of(const runtime::Parameter &p) const {
    std::vector<std::string> found;
    for (const std::string &extent : p.extents) {
      if (const std::string root = rootOf(extent); !root.empty())
        found.push_back(root);
    }
    return found;
  }

  /// In how many dimensions the extent of a container is neither a number by its contract nor what its author says it
  /// mostly is.
  std::size_t openDimensions(const runtime::Parameter &p, const SaidOfSizes &said) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(p.extents, [&](const std::string &extent) {
          const auto contract = equals_.find(extent);
          const bool isNumber = contract != equals_.end() && contract->second->names().empty();
          const std::string root = rootOf(extent);
          return !isNumber && (!said.usually.contains(root) || said.filters.contains(root));
        }));
  }

  bool hasFilters(const runtime::Parameter &p, const SaidOfSizes &said) const {
    return std::ranges::any_of(p.extents, [&](const std::string &extent) {
      return said.filters.contains(rootOf(extent));
    });
  }

  /// Whether a caller chooses none: there are no containers, or all are as large as contracts say.
  bool empty() const {
    return std::ranges::all_of(extents_,
                               [&](const std::string &extent) { return rootOf(extent).empty(); });
  }

  /// Those that the size of a container of so many numbers as there are parts, or one more, follows from.
  std::set<std::string> behind(const runtime::Parameter &p) const {
    std::set<std::string> found;
    for (const std::string &extent : p.extents) {
      const auto contract = equals_.find(extent);
      std::vector<std::string> names{extent};
      if (contract != equals_.end())
        names = contract->second->names();
      for (const std::string &name : names) {
        if (const std::string root = rootOf(name); !root.empty())
          found.insert(root);
      }
    }
    return found;
  }

  /// The one that a caller chooses from which this one follows as its equal; "": there is none.
  std::string rootOf(std::string extent) const {
    for (std::size_t step = 0; step <= equals_.size(); ++step) {
      const auto known = equals_.find(extent);
      if (known == equals_.end())
        return extents_.contains(extent) ? extent : "";
      const runtime::Expression &equals = *known->second;
      if (equals.names().size() != 1 || equals.text() != equals.names().front())
        return "";
      extent = equals.names().front();
    }
    return "";
  }

private:
  std::set<std::string> extents_;
  std::map<std::string, const runtime::Expression *> equals_;
};

/// The extents that count parts of containers, cut by ascending numbers: several elements are in each. And
/// those of containers in which elements say places, of which there are then as many: vertices of a graph,
/// columns of a sparse matrix.
std::set<std::string> partsOf(const runtime::Signature &signature, const FreeExtents &free) {
  using Kind = runtime::DataContract::Kind;
  std::set<std::string> parts;
  for (const runtime::DataContract &contract : signature.data) {
    const runtime::Parameter *cuts = signature.parameter(contract.parameter);
    if (contract.kind != Kind::Ascending || !cuts)
      continue;
    parts.merge(free.behind(*cuts));
    for (const std::string &cut : contract.high.names())
      parts.erase(cut);
  }
  if (parts.empty())
    return parts;
  for (const runtime::DataContract &contract : signature.data) {
    for (const runtime::Parameter &p : signature.parameters) {
      if (contract.kind != Kind::Within || p.extents.size() != 1)
        continue;
      const std::vector<std::string> names = contract.high.names();
      if (std::ranges::find(names, p.extents.front()) != names.end())
        parts.merge(free.behind(p));
    }
  }
  return parts;
}

/// The integers that `choice` names, which are taken from it, and those of a spectrum of which a caller chooses no
/// other size: they say how much there is to do.
std::map<std::string, std::uint64_t> integersOf(const runtime::Signature &signature,
                                                runtime::SizeChoice &choice) {
  std::map<std::string, std::uint64_t> found;
  const bool sayHowMuch = FreeExtents(signature).empty();
  for (const runtime::Parameter &p : signature.parameters) {
    if (p.container || !ir::isInteger(p.element))
      continue;
    if (const auto named = choice.named.find(p.name); named != choice.named.end()) {
      found[p.name] = named->second.front();
      choice.named.erase(named);
      continue;
    }
    const auto most = static_cast<std::uint64_t>(std::max<std::int64_t>(p.high - 1, 1));
    if (sayHowMuch)
      found[p.name] =
          p.high == runtime::usualScalarLimit ? manyElements : std::min(manyElements, most);
  }
  return found;
}

/// `require(c.size() <= 8)`, by extent.
std::map<std::string, std::uint64_t> mostElements(const ir::Codelet &codelet,
                                                  const runtime::Signature &signature) {
  std::map<std::string, std::uint64_t> most;
  for (const ir::StmtPtr &s : codelet.body->children) {
    if (s->kind != ir::StmtKind::Require || s->value->kind != ir::ExprKind::Binary)
      continue;
    const bool turned = s->value->op == ">" || s->value->op == ">=";
    const bool isBound = turned || s->value->op == "<" || s->value->op == "<=";
    ir::ExprPtr size = s->value->args[turned ? 1 : 0];
    while (size->kind == ir::ExprKind::Cast)
      size = size->args[0];
    const auto bound = ir::literalValue(algebra::simplify(s->value->args[turned ? 0 : 1]));
    if (!isBound || !bound || *bound < 1 || size->kind != ir::ExprKind::Size)
      continue;
    const std::uint64_t elements = *bound - (s->value->op == "<" || s->value->op == ">");
    if (const std::string name = nameOf(*size, codelet, signature); !name.empty())
      most[name] = std::min(elements, most.contains(name) ? most[name] : elements);
  }
  // An extent that follows from another one bounds that.
  for (const auto &contract : signature.shape) {
    const auto bound = most.find(contract.extent);
    if (bound == most.end() || contract.equals.names().size() != 1)
      continue;
    const std::string &other = contract.equals.names().front();
    std::uint64_t elements = bound->second;
    const auto tooMany = [&] {
      const auto value = contract.equals.evaluate({{{other, elements}}, {}});
      return !value || *value > bound->second;
    };
    while (elements > 1 && tooMany())
      --elements;
    most[other] = std::min(elements, most.contains(other) ? most[other] : elements);
  }
  return most;
}

/// How many elements the largest container has of which a choice says all sizes.
std::uint64_t mostElementsOf(const runtime::Signature &signature, const FreeExtents &free,
                             const runtime::SizeChoice &choice) {
  std::uint64_t most = 0;
  for (const runtime::Parameter &p : signature.parameters) {
    std::uint64_t elements = p.container ? 1 : 0;
    for (const std::string &extent : free.of(p)) {
      const auto known = choice.named.find(extent);
      elements *= known == choice.named.end() ? 1 : known->second.front();
    }
    most = std::max(most, elements);
  }
  return most;
}

/// The first dimensions of containers of images, of signals that filters go over, or of filters; a dimension may be both.
std::set<std::string> firstExtents(const runtime::Signature &signature, const FreeExtents &free,
                                   const SaidOfSizes &said, bool ofFilters) {
  std::set<std::string> found;
  const std::size_t rank = said.filters.empty() ? sidesOfImages.size() : sidesOfSignals.size();
  for (const runtime::Parameter &p : signature.parameters) {
    if (p.extents.size() >= rank && free.hasFilters(p, said) == ofFilters)
      found.insert(free.rootOf(p.extents.front()));
  }
  found.erase("");
  return found;
}

constexpr std::uint64_t fewImages = 4;

/// A first dimension that has to be a multiple of a number is two in one: images and channels, or channels in and out.
std::uint64_t inMultiples(std::uint64_t usual, std::uint64_t factor, bool areImages,
                          bool areFilters) {
  if (areFilters || areImages)
    return factor * (areFilters ? channels : fewImages);
  return std::bit_ceil((usual + factor - 1) / factor) * factor;
}

} // namespace

SaidOfSizes saidOfSizes(const ir::Spectrum &spectrum, const runtime::Signature &signature) {
  SaidOfSizes said;
  const FreeExtents free(signature);
  for (const ir::Codelet &codelet : spectrum.codelets) {
    for (const ir::Typical &each : codelet.typical) {
      const std::string name = nameOf(*each.what, codelet, signature);
      const std::string chosen = signature.parameter(name) ? name : free.rootOf(name);
      if (!chosen.empty())
        said.usually.try_emplace(chosen, each.value);
    }
  }
  if (const auto meaning = composer::meaningOf(spectrum)) {
    const ir::Codelet &codelet = spectrum.codelets[*meaning];
    said.atMost = mostElements(codelet, signature);
    said.multipleOf = multiples(codelet, signature);
    const auto rootOf = [&](const std::string &extent) { return free.rootOf(extent); };
    for (const std::string &extent : filterExtents(codelet, signature, rootOf)) {
      if (said.usually.try_emplace(extent, sideOfFilter).second)
        said.filters.insert(extent);
    }
  }
  return said;
}

std::vector<runtime::SizeChoice> typicalSizes(const runtime::Signature &signature,
                                              const SaidOfSizes &said) {
  const FreeExtents free(signature);
  // What elements of another container say a place in, where results are put: few, as bins are.
  std::set<std::string> placed;
  for (const runtime::DataContract &contract : signature.data) {
    for (const std::string &name : contract.high.names()) {
      if (contract.kind == runtime::DataContract::Kind::Within)
        placed.insert(name);
    }
  }
  // But not where another container is as large: a number for each vertex of a graph.
  for (const auto &contract : signature.shape) {
    for (const std::string &name : contract.equals.names())
      placed.erase(name);
  }
  const std::set<std::string> parts = partsOf(signature, free);
  // Of which nothing is said, and how many elements the others make of each.
  const auto open = [&](const runtime::Parameter &p) {
    std::pair<std::vector<std::string>, std::uint64_t> found{{}, 1};
    for (const std::string &extent : free.of(p)) {
      if (const auto known = said.usually.find(extent); known != said.usually.end())
        found.second = std::min(manyElements, found.second * std::min(manyElements, known->second));
      else
        found.first.push_back(extent);
    }
    return found;
  };
  runtime::SizeChoice usual;
  for (const auto &[name, value] : said.usually)
    usual.named[name] = {value};
  std::vector<std::string> lines; // free extents of containers of one dimension
  for (const runtime::Parameter &p : signature.parameters) {
    const auto [extents, each] = open(p);
    const std::size_t rank = free.openDimensions(p, said);
    for (std::size_t i = 0; i < extents.size(); ++i) {
      const std::string &extent = extents[i];
      const bool few = p.isOutput() && placed.contains(extent);
      const bool isPart = parts.contains(extent);
      const bool areFilters = free.hasFilters(p, said);
      const std::uint64_t size = few          ? sideOfCube
                                 : isPart     ? manyElements / timesMore
                                 : areFilters ? channels
                                              : usualExtent(rank, i, !said.filters.empty());
      const std::uint64_t fitting =
          each == 1 || areFilters ? size : std::bit_floor(std::max<std::uint64_t>(1, size / each));
      const auto known = usual.named.find(extent);
      if (known == usual.named.end() || fitting < known->second.front())
        usual.named[extent] = {fitting};
      if (few || isPart || rank > 1)
        std::erase(lines, extent);
      else if (known == usual.named.end())
        lines.push_back(extent);
    }
  }
  std::vector<runtime::SizeChoice> all{usual};
  std::set<std::string> shaped;
  for (const runtime::Parameter &p : signature.parameters) {
    const std::vector<std::string> extents = open(p).first;
    if (extents.size() != 2 || free.openDimensions(p, said) != 2 || extents[0] == extents[1] ||
        shaped.contains(extents[0]) || shaped.contains(extents[1]))
      continue;
    shaped.insert(extents.begin(), extents.end());
    for (bool high : {false, true}) {
      runtime::SizeChoice shape = usual;
      shape.named[extents[high ? 1 : 0]] = {shortSide};
      shape.named[extents[high ? 0 : 1]] = {manyElements / shortSide};
      if (mostElementsOf(signature, free, shape) <= mostOfShape)
        all.push_back(shape);
    }
  }
  // A few large matrices, where a cube has many small ones.
  std::set<std::string> counted;
  for (const runtime::Parameter &p : signature.parameters) {
    const std::vector<std::string> extents = open(p).first;
    const std::set<std::string> different(extents.begin(), extents.end());
    if (different.size() != 3 || p.extents.size() != 3 || !said.filters.empty() ||
        !counted.insert(extents[0]).second)
      continue;
    runtime::SizeChoice shape = usual;
    shape.named[extents[0]] = {fewMatrices};
    shape.named[extents[1]] = shape.named[extents[2]] = {sideOfFew};
    all.push_back(shape);
  }
  if (all.size() == 1 && !lines.empty()) { // what fits caches, and what does not
    runtime::SizeChoice large = usual;
    for (const std::string &extent : lines)
      large.named[extent] = {usual.named[extent].front() * timesMore};
    for (const std::string &extent : parts)
      large.named[extent] = {manyElements};
    all.push_back(large);
  }
  if (!parts.empty()) { // long ones
    runtime::SizeChoice longer = usual;
    for (const std::string &extent : parts)
      longer.named[extent] = {manyElements / timesMore / timesMore};
    all.push_back(longer);
  }
  if (lines.size() > 1) {
    for (const std::string &extent : lines) {
      runtime::SizeChoice shape = usual;
      shape.named[extent] = {sideOfCube};
      all.push_back(shape);
    }
  }
  for (const auto &[extent, most] : said.atMost) {
    for (runtime::SizeChoice &each : all) {
      if (const auto known = each.named.find(extent); known != each.named.end())
        known->second = {std::min(known->second.front(), most)};
    }
  }
  const std::set<std::string> images = firstExtents(signature, free, said, false);
  const std::set<std::string> filters = firstExtents(signature, free, said, true);
  for (const auto &[extent, factor] : said.multipleOf) {
    for (runtime::SizeChoice &each : all) {
      if (const auto known = each.named.find(extent); known != each.named.end())
        known->second = {inMultiples(known->second.front(), factor, images.contains(extent),
                                     filters.contains(extent))};
    }
  }
  // A single image, or signal, at which plans that only distribute images leave most of a machine idle.
  if (std::ranges::any_of(images, [&](const auto &each) { return !said.usually.contains(each); })) {
    runtime::SizeChoice single = all.front();
    for (const std::string &extent : images) {
      const auto factor = said.multipleOf.find(extent);
      if (!said.usually.contains(extent))
        single.named[extent] = {factor == said.multipleOf.end() ? 1 : factor->second};
    }
    all.push_back(single);
  }
  return all;
}

runtime::Result<SizedCall> sizedCall(const runtime::Signature &signature,
                                     runtime::SizeChoice choice,
                                     const runtime::DeviceFacts &facts) {
  SizedCall call;
  call.integers = integersOf(signature, choice);
  const auto problem = runtime::measureProblem(signature, runtime::GivenInputs{}, choice, 1);
  if (!problem)
    return problem.error();
  call.extents = problem->extents;
  call.bindings = problem->bindings();
  for (const auto &[name, value] : call.integers)
    call.bindings.values[name] = static_cast<std::int64_t>(value);
  facts.bind(call.bindings);
  return call;
}

} // namespace tangram::driver
