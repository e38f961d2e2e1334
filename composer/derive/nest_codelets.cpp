#include "composer/derive/nest_codelets.h"

#include "composer/derive/bounding_box.h"
#include "composer/derive/element_updates.h"
#include "composer/derive/flat_rows.h"
#include "composer/derive/lanes_inside.h"
#include "composer/derive/loop_form.h"
#include "composer/derive/loops_apart.h"
#include "composer/derive/residues.h"
#include "composer/derive/result_sum.h"
#include "composer/derive/scan.h"
#include "composer/derive/scan_elements.h"
#include "composer/derive/scan_parts.h"
#include "composer/derive/source_text.h"
#include "composer/derive/statements.h"
#include "composer/derive/sum_parts.h"
#include "composer/derive/sums.h"
#include "composer/derive/sums_into.h"
#include "composer/derive/sums_once.h"
#include "composer/derive/update_copies.h"
#include "composer/derive/updates.h"
#include "ir/unique_name.h"

#include <algorithm>
#include <ranges>
#include <utility>

namespace tangram::composer {

using algebra::Nest;
using algebra::NestReason;

namespace {

/// Statements of the body that are loops.
std::size_t loopsAtTop(const ir::Codelet &codelet) {
  return static_cast<std::size_t>(std::ranges::count_if(
      codelet.body->children, [](const ir::StmtPtr &s) { return ir::isLoop(*s); }));
}

/// Blocked loops of which all that follows may be derived in a round of another loop: spaces of five loops are large.
constexpr std::ptrdiff_t fewBlocked = 2;

} // namespace

void NestCodelets::fromNest(const ir::Spectrum &spectrum, const ir::Codelet &codelet,
                            const Nest &nest, bool hasLocalSums) {
  if (nest.loops.empty())
    return;
  if (addResidues(spectrum, codelet, nest))
    return;
  if (const auto once = sumsOnce(spectrum, codelet, nest, isTaken_))
    return addNests(*once, spectrum, codelet, "derived_once",
                    {"a sum is the same in several rounds of a loop around it", codelet.location},
                    once->body);
  const auto single = loopsAtTop(codelet) == 1 && spectrum.result.scalar == ir::Scalar::Void
                          ? singleRounds(nest)
                          : std::nullopt;
  if (single)
    return addRounds(spectrum, codelet, nest, *single);
  const std::set<int> updated = addUpdates(spectrum, codelet, nest);
  if (const auto nests = nestsInOrder(spectrum, codelet, nest, keepsOrder_, isTaken_)) {
    addNests(*nests, spectrum, codelet, "derived_nests",
             {"it is several nests, one after the other", codelet.location}, nests->body);
    return;
  }
  if (loopsAtTop(codelet) != 1)
    return derived_.refuse(
        spectrum,
        {"its nests cannot be told apart from what stands between them", codelet.location});
  if (hasLocalSums && spectrum.result.scalar == ir::Scalar::Void)
    return addLocalSums(spectrum, codelet);
  if (spectrum.result.scalar != ir::Scalar::Void)
    return addResult(spectrum, codelet, nest);
  const std::vector<BlockedLoop> blocked = blockedLoops(spectrum, nest, nullptr, updated);
  if (blocked.empty() && !updated.empty())
    return;
  if (blocked.empty()) {
    for (const DerivedCodelet &each : flatRows(spectrum, codelet, nest, keepsOrder_, isTaken_))
      derived_.add(each);
  }
  const bool isScan = blocked.empty() && addScan(spectrum, codelet, nest);
  if (blocked.empty() && (isScan || !isPart_)) { // a part is worth to be shared by lanes alone
    if (!isScan && !loopSums(nest, 0).why)
      addForm(spectrum, codelet, nest, blocked);
    addParts(spectrum, codelet, nest, blocked); // of what nothing in the rounds uses
    return;
  }
  addBox(spectrum, codelet, nest);
  addForm(spectrum, codelet, nest, blocked);
  addSums(spectrum, codelet, nest, blocked);
  if (const auto apart = loopsApart(spectrum, codelet, nest, blocked, isTaken_))
    addNests(*apart, spectrum, codelet, "derived_apart",
             {"the loops in a round of loop " + nest.loops[0].counter->name + " are nests",
              nest.loops[0].statement->location},
             apart->body);
  addParts(spectrum, codelet, nest, blocked);
}

void NestCodelets::addResult(const ir::Spectrum &spectrum, const ir::Codelet &codelet,
                             const Nest &nest) {
  if (const auto why = whyInOrder(nest))
    return derived_.refuse(spectrum, *why);
  const SumCodelets sums = sumsOf(spectrum, codelet, nest, isTaken_);
  for (const DerivedCodelet &each : sums.codelets)
    derived_.add(each);
  for (const NestReason &why : sums.reasons)
    derived_.refuse(spectrum, why);
  if (sums.codelets.empty())
    addParts(spectrum, codelet, nest, {});
}

void NestCodelets::addLocalSums(const ir::Spectrum &spectrum, const ir::Codelet &codelet) {
  addCalled(spectrum, codelet, codelet.body, "promoted",
            {"its sums are kept in elements, and may be in locals", codelet.location});
}

void NestCodelets::addBox(const ir::Spectrum &spectrum, const ir::Codelet &codelet,
                          const Nest &nest) {
  if (isPart_ || isCombined_ || inSums_ || spectrum.result.scalar != ir::Scalar::Void)
    return;
  if (const ir::StmtPtr body = withBoundingBox(codelet, nest))
    addCalled(spectrum, codelet, body, "box",
              {"its sums share what they read along loops with uneven rounds", codelet.location});
}

void NestCodelets::addCalled(const ir::Spectrum &spectrum, const ir::Codelet &codelet,
                             const ir::StmtPtr &body, const std::string &word,
                             const NestReason &why) {
  MadeSpectrum made{spectrum, codelet};
  made.codelet.body = body;
  made.spectrum.name = made.codelet.spectrum =
      ir::uniqueName(ir::identifierOf(spectrum.name) + "_" + word, isTaken_);
  addNests({{made}, ""}, spectrum, codelet, "derived_" + word, why,
           "  " + made.spectrum.name + "(" + argumentsOf(codelet.params) + ");\n");
}

std::set<int> NestCodelets::addUpdates(const ir::Spectrum &spectrum, const ir::Codelet &codelet,
                                       const Nest &nest) {
  if (isCombined_ || inSums_ || spectrum.result.scalar != ir::Scalar::Void ||
      loopsAtTop(codelet) != 1)
    return {};
  const auto updates = elementUpdates(codelet, nest, keepsOrder_);
  if (!updates)
    return {};
  if (updates->isAtomic)
    addCalled(spectrum, codelet, updates->body, "atomic", updates->why);
  const auto copies =
      isPart_ ? std::nullopt : updateCopies(spectrum, codelet, nest, *updates, isTaken_);
  if (!copies)
    return updates->isAtomic ? updates->loops : std::set<int>{};
  isPart_ = true;
  addSpectrums({copies->part}, updates->why);
  isPart_ = false;
  isCombined_ = true;
  addSpectrums({copies->combined}, updates->why);
  isCombined_ = false;
  derived_.add(copies->codelet);
  return updates->loops;
}

bool NestCodelets::addResidues(const ir::Spectrum &spectrum, const ir::Codelet &codelet,
                               const Nest &nest) {
  std::vector<NestReason> reasons;
  const auto split = residues(spectrum, codelet, nest, isTaken_, reasons);
  for (NestReason &why : reasons)
    derived_.refuse(spectrum, std::move(why));
  if (split)
    addNests(*split, spectrum, codelet, "derived_residues",
             {"its conditions are congruences", codelet.location}, split->body);
  return split.has_value();
}

bool NestCodelets::addScan(const ir::Spectrum &spectrum, const ir::Codelet &codelet,
                           const Nest &nest) {
  const auto scan = scanOf(codelet, nest, 0);
  if (!scan || (keepsOrder_ && dependsOnOrder({scan->updates, std::nullopt})))
    return false;
  const LoopForm form{spectrum.name, spectrum.result, codelet.params, codelet.body, {}, {}, {}};
  if (const auto lanes = lanesInside(form, keepsOrder_))
    derived_.add(*lanes);
  const bool isPart = isPart_ || isCombined_;
  const auto parts = isPart ? std::nullopt : scanParts(spectrum, codelet, nest, *scan, isTaken_);
  if (!parts)
    return true;
  isCombined_ = true;
  addSpectrums({parts->total, parts->starts, parts->from}, parts->codelet.why);
  isCombined_ = false;
  derived_.add(parts->codelet);
  return true;
}

std::vector<BlockedLoop> NestCodelets::blockedLoops(const ir::Spectrum &spectrum, const Nest &nest,
                                                    const SingleRounds *single,
                                                    const std::set<int> &shared) {
  std::vector<BlockedLoop> blocked;
  for (std::size_t loop = 0; loop < nest.loops.size(); ++loop) {
    if (single != nullptr && static_cast<int>(loop) == single->loop)
      continue;
    auto each = blockedLoop(nest, static_cast<int>(loop), single);
    if (auto *found = std::get_if<BlockedLoop>(&each))
      blocked.push_back(std::move(*found));
    else if (!shared.contains(static_cast<int>(loop)))
      derived_.refuse(spectrum, std::get<NestReason>(each));
  }
  return blocked;
}

std::optional<NestReason> NestCodelets::whyInOrder(const Nest &nest) const {
  for (int loop = 0; keepsOrder_ && loop < static_cast<int>(nest.loops.size()); ++loop) {
    const algebra::NestLoop &of = nest.loops[static_cast<std::size_t>(loop)];
    if (dependsOnOrder(loopSums(nest, loop)))
      return NestReason{"loop " + of.counter->name +
                            " adds up floating-point numbers, in its order",
                        of.statement->location};
  }
  return std::nullopt;
}

void NestCodelets::addForm(const ir::Spectrum &spectrum, const ir::Codelet &codelet,
                           const Nest &nest, std::vector<BlockedLoop> blocked) {
  for (BlockedLoop &stepped : steppedLoops(codelet, nest, blocked))
    blocked.push_back(std::move(stepped));
  const LoopForm form = loopForm(spectrum, codelet, nest, blocked, isTaken_);
  for (const auto &made : {roundsOf(spectrum, form), blocksOf(form), lanesOf(form)}) {
    for (const DerivedCodelet &each : made)
      derived_.add(each);
  }
  if (const auto inside = lanesInside(form, keepsOrder_))
    derived_.add(*inside);
}

void NestCodelets::addRounds(const ir::Spectrum &spectrum, const ir::Codelet &codelet,
                             const Nest &nest, const SingleRounds &single) {
  if (addRoundsInside(spectrum, codelet, nest, single))
    return;
  const std::vector<BlockedLoop> blocked = blockedLoops(spectrum, nest, &single);
  if (blocked.empty())
    return;
  const LoopForm form = loopForm(spectrum, codelet, nest, blocked, isTaken_, single);
  for (const auto &made : {roundsOf(spectrum, form), blocksOf(form)}) {
    for (const DerivedCodelet &each : made) {
      // Blocks of chosen sizes alone, which share workers with the rounds: spaces of five loops are large.
      if (!each.tag.starts_with("derived_split_"))
        derived_.add(each);
    }
  }
}

bool NestCodelets::addRoundsInside(const ir::Spectrum &spectrum, const ir::Codelet &codelet,
                                   const Nest &nest, const SingleRounds &single) {
  const LoopForm form = loopForm(spectrum, codelet, nest, {}, isTaken_, single);
  MadeSpectrum made;
  made.codelet.spectrum = made.spectrum.name = form.spectrum;
  made.codelet.params = made.spectrum.params = form.params;
  made.codelet.location = made.spectrum.location = codelet.location;
  made.spectrum.result = form.result;
  std::vector<ir::StmtPtr> body;
  for (const ir::ExprPtr &condition : form.requirements)
    body.push_back(ir::require(condition));
  body.push_back(form.body);
  std::vector<ir::StmtPtr> flat;
  for (const ir::StmtPtr &s : body)
    flatten(s, flat);
  made.codelet.body = ir::block(flat);
  const auto read = algebra::nestOf(made.codelet);
  const auto *inside = std::get_if<Nest>(&read);
  if (inside == nullptr)
    return false;
  const auto isBlocked = [&](std::size_t loop) {
    return std::holds_alternative<BlockedLoop>(
        blockedLoop(*inside, static_cast<int>(loop), nullptr));
  };
  const auto loops = std::views::iota(std::size_t{0}, inside->loops.size());
  if (!singleRounds(*inside) && std::ranges::count_if(loops, isBlocked) > fewBlocked)
    return false;
  for (const DerivedCodelet &each : roundsOf(spectrum, form))
    derived_.add(each);
  fromNest(made.spectrum, made.codelet, *inside);
  return true;
}

void NestCodelets::addSums(const ir::Spectrum &spectrum, const ir::Codelet &codelet,
                           const Nest &nest, const std::vector<BlockedLoop> &blocked) {
  if (isCombined_ || (isPart_ && !isProduct(nest, blocked)))
    return;
  const auto nests = sumsInto(spectrum, codelet, nest, blocked, isTaken_);
  if (!nests)
    return;
  std::string calls;
  for (const MadeSpectrum &each : *nests)
    calls += "  " + each.spectrum.name + "(" + argumentsOf(each.codelet.params) + ");\n";
  const bool was = std::exchange(inSums_, true);
  addNests({*nests, calls}, spectrum, codelet, "derived_sums",
           {"its sums are made in results", codelet.location}, calls);
  inSums_ = was;
}

void NestCodelets::addParts(const ir::Spectrum &spectrum, const ir::Codelet &codelet,
                            const Nest &nest, const std::vector<BlockedLoop> &blocked) {
  if (isPart_ || isCombined_ || inSums_ || whyInOrder(nest))
    return;
  const auto parts = sumParts(spectrum, codelet, nest, blocked, isTaken_);
  if (!parts)
    return;
  const NestReason &why = parts->codelets[0].why;
  isPart_ = true;
  addSpectrums(parts->parts, why);
  isPart_ = false;
  isCombined_ = true;
  addSpectrums({parts->combined}, why);
  isCombined_ = false;
  for (const DerivedCodelet &each : parts->codelets)
    derived_.add(each);
}

void NestCodelets::addNests(const NestsInOrder &nests, const ir::Spectrum &spectrum,
                            const ir::Codelet &codelet, const std::string &tag,
                            const NestReason &why, const std::string &body) {
  addSpectrums(nests.spectrums, why);
  const bool isOuters = outer_ && spectrum.name == outer_->inner && tag != "derived_sums";
  const ir::Spectrum &of = isOuters ? outer_->spectrum : spectrum;
  const std::string own =
      isOuters ? outer_->tags + tag.substr(std::string("derived_").size()) : tag;
  derived_.add({of.name, own,
                "__codelet __tag(" + own + ")\n" + ir::spelling(of.result) + " " + of.name + "(" +
                    parametersOf(isOuters ? outer_->codelet.params : codelet.params) + ") {\n" +
                    (isOuters ? outer_->declarations : std::string()) + body + "}\n",
                why});
}

void NestCodelets::addSpectrums(const std::vector<MadeSpectrum> &spectrums, const NestReason &why) {
  for (const MadeSpectrum &each : spectrums)
    derived_.promise(each.spectrum.name);
  for (const MadeSpectrum &each : spectrums) {
    const LoopForm form{each.spectrum.name,
                        each.spectrum.result,
                        each.codelet.params,
                        each.codelet.body,
                        {},
                        {},
                        {}};
    derived_.add(loopOf(form, each.codelet, why));
    const auto read = algebra::nestOf(each.codelet);
    if (const auto *own = std::get_if<Nest>(&read))
      fromNest(each.spectrum, each.codelet, *own);
  }
}

} // namespace tangram::composer
