#include "composer/derive/derive.h"

#include "algebra/nests.h"
#include "composer/analysis/sites.h"
#include "composer/derive/blocks.h"
#include "composer/derive/bounding_box.h"
#include "composer/derive/distribute_loops.h"
#include "composer/derive/element_updates.h"
#include "composer/derive/flat_rows.h"
#include "composer/derive/fusion.h"
#include "composer/derive/inlined_calls.h"
#include "composer/derive/lanes_inside.h"
#include "composer/derive/local_containers.h"
#include "composer/derive/local_sums.h"
#include "composer/derive/loop_form.h"
#include "composer/derive/loops_apart.h"
#include "composer/derive/nests_in_order.h"
#include "composer/derive/own_names.h"
#include "composer/derive/plain_statements.h"
#include "composer/derive/residues.h"
#include "composer/derive/result_sum.h"
#include "composer/derive/scan.h"
#include "composer/derive/scan_elements.h"
#include "composer/derive/scan_parts.h"
#include "composer/derive/source_text.h"
#include "composer/derive/split_rounds.h"
#include "composer/derive/statements.h"
#include "composer/derive/sum_parts.h"
#include "composer/derive/sums.h"
#include "composer/derive/sums_into.h"
#include "composer/derive/sums_once.h"
#include "composer/derive/update_copies.h"
#include "composer/derive/updates.h"
#include "ir/unique_name.h"

#include <algorithm>
#include <functional>
#include <ranges>
#include <set>
#include <utility>

namespace tangram::composer {

namespace {

using algebra::Nest;
using algebra::NestReason;

/// Whether an author wrote more than loops.
bool hasDecompositions(const ir::Spectrum &spectrum) {
  return std::ranges::any_of(spectrum.codelets, [](const ir::Codelet &codelet) {
    return codelet.cooperative || isCompound(codelet);
  });
}

/// Whether an author said how work is shared.
bool hasCuts(const ir::Spectrum &spectrum) {
  return std::ranges::any_of(spectrum.codelets,
                             [](const ir::Codelet &codelet) { return isCutByHand(codelet); });
}

/// Statements of the body that are loops.
std::size_t loopsAtTop(const ir::Codelet &codelet) {
  return static_cast<std::size_t>(std::ranges::count_if(
      codelet.body->children, [](const ir::StmtPtr &s) { return ir::isLoop(*s); }));
}

/// Blocked loops of which all that follows may be derived in a round of another loop: spaces of five loops are large.
constexpr std::ptrdiff_t fewBlocked = 2;

class Deriver {
public:
  Deriver(const ir::Program &program, const DeriveOptions &options)
      : program_(program), options_(options) {}

  Derivation derive() {
    for (const ir::Spectrum &spectrum : program_.spectrums) {
      const bool asked = options_.spectrum.empty() || options_.spectrum == spectrum.name;
      if (!asked)
        continue;
      if (options_.from == DeriveOptions::From::All || !hasDecompositions(spectrum))
        from(spectrum);
      if (options_.from == DeriveOptions::From::All || !hasCuts(spectrum))
        fromCompound(spectrum);
    }
    return std::move(result_);
  }

private:
  void refuse(const ir::Spectrum &spectrum, NestReason why) {
    result_.reasons.push_back({spectrum.name, std::move(why)});
  }

  void from(const ir::Spectrum &spectrum) {
    const auto number = meaningOf(spectrum);
    if (!number)
      return;
    ir::Codelet codelet = withPlainStatements(withWritableNames(spectrum.codelets[*number]));
    if (const auto left = options_.left.find(spectrum.name); left != options_.left.end())
      return refuse(spectrum, {left->second, codelet.location});
    root_ = spectrum.name;
    const auto locals = withLocalContainers(codelet);
    if (!locals) {
      addFused(spectrum, codelet, withSumsInLocals(codelet), {});
      return fromLoops(spectrum, codelet);
    }
    addFused(spectrum, codelet, withSumsInLocals(locals->codelet), locals->containers);
    addLoops(spectrum, codelet, *locals);
  }

  /// From what a compound codelet composes, where loops made of it keep a
  /// container in no memory.
  void fromCompound(const ir::Spectrum &spectrum) {
    const bool isLeft = options_.left.contains(spectrum.name);
    for (const ir::Codelet &codelet : spectrum.codelets) {
      if (isLeft || !isCompound(codelet) || isCutByHand(codelet) ||
          result_.has(spectrum.name, "derived_fused"))
        continue;
      root_ = spectrum.name;
      const ir::Codelet own = withWritableNames(codelet);
      const auto inlined = withInlinedCalls(program_, spectrum, own);
      const auto locals =
          inlined ? withLocalContainers(withPlainStatements(*inlined)) : std::nullopt;
      if (locals)
        addFused(spectrum, own, withSumsInLocals(locals->codelet), locals->containers);
    }
  }

  /// From a codelet without local containers.
  void fromLoops(const ir::Spectrum &spectrum, ir::Codelet codelet) {
    auto nest = algebra::nestOf(codelet);
    if (const auto *why = std::get_if<NestReason>(&nest))
      return refuse(spectrum, *why);
    bool hasLocalSums = putSumsInLocals(codelet, nest);
    if (const ir::StmtPtr body = withSplitRounds(codelet, std::get<Nest>(nest))) {
      codelet.body = body;
      nest = algebra::nestOf(codelet);
    }
    for (const bool expands : {true, false}) {
      const auto apart = withDistributedLoops(codelet, std::get<Nest>(nest), expands);
      if (!apart)
        break;
      if (apart->expanded.empty()) {
        codelet.body = apart->body;
        nest = algebra::nestOf(codelet);
        hasLocalSums |= putSumsInLocals(codelet, nest);
        break;
      }
      if (addDistributed(spectrum, codelet, *apart))
        return;
    }
    ir::Spectrum named = spectrum;
    named.params = codelet.params;
    fromNest(named, codelet, std::get<Nest>(nest), hasLocalSums);
  }

  static ir::Codelet withSumsInLocals(ir::Codelet codelet) {
    if (const ir::StmtPtr body = withLocalSums(codelet))
      codelet.body = body;
    return codelet;
  }

  /// Whether the codelet had sums in elements, which are in locals now; `nest` is its nest.
  static bool putSumsInLocals(ir::Codelet &codelet, std::variant<Nest, NestReason> &nest) {
    bool changes = false;
    for (const auto &normalize : {withLocalSums, withLocalScans}) {
      const ir::StmtPtr body = normalize(codelet);
      if (!body)
        continue;
      codelet.body = body;
      nest = algebra::nestOf(codelet);
      changes = true;
    }
    return changes;
  }

  using IsTaken = std::function<bool(const std::string &)>;

  bool isTaken(const std::string &name) const {
    const auto isNamed = [&](const auto &each) { return each.name == name; };
    return promised_.contains(name) || std::ranges::any_of(program_.spectrums, isNamed) ||
           std::ranges::any_of(program_.functions, isNamed) ||
           std::ranges::find(result_.codelets, name, &DerivedCodelet::spectrum) !=
               result_.codelets.end();
  }

  /// The codelet with its loops fused, from which codelets follow in turn. `wide`: with local containers as parameters.
  void addFused(const ir::Spectrum &spectrum, const ir::Codelet &codelet, const ir::Codelet &wide,
                const std::vector<LocalContainer> &locals) {
    const Fusion fusion =
        fused(spectrum, wide, locals, [&](const std::string &name) { return isTaken(name); });
    for (const NestReason &why : fusion.apart)
      refuse(spectrum, why);
    if (!fusion.nests)
      return;
    outer_ = Outer{fusion.nests->spectrums[0].spectrum.name, spectrum, codelet, fusion.declarations,
                   "derived_fused_"};
    addSpectrums(fusion.nests->spectrums, fusion.why);
    outer_.reset();
    addNests({{}, fusion.nests->body}, spectrum, codelet, "derived_fused", fusion.why,
             fusion.declarations + fusion.nests->body);
  }

  /// The spectrum of loops that is given the local containers of a codelet.
  void addLoops(const ir::Spectrum &spectrum, const ir::Codelet &codelet,
                const LocalContainers &locals) {
    MadeSpectrum made{spectrum, locals.codelet};
    made.spectrum.codelets.clear();
    made.spectrum.params = made.codelet.params;
    made.codelet.spectrum = made.spectrum.name =
        ir::uniqueName(ir::identifierOf(spectrum.name) + "_loops",
                       [&](const std::string &name) { return isTaken(name); });
    const NestReason why{"its local containers are parameters of its loops", codelet.location};
    const LoopForm form{made.spectrum.name,
                        made.spectrum.result,
                        made.codelet.params,
                        made.codelet.body,
                        {},
                        {},
                        {}};
    add(loopOf(form, made.codelet, why));
    std::string declarations;
    for (const LocalContainer &local : locals.containers)
      declarations += declarationOf(local);
    outer_ = Outer{made.spectrum.name, spectrum, codelet, declarations, "derived_"};
    fromLoops(made.spectrum, made.codelet);
    outer_.reset();
    const std::string body = declarations + "  " +
                             (spectrum.result.scalar == ir::Scalar::Void ? "" : "return ") +
                             made.spectrum.name + "(" + argumentsOf(made.codelet.params) + ");\n";
    const auto isMore = [&](const DerivedCodelet &each) {
      return each.spectrum == made.spectrum.name && each.tag != "derived_loop";
    };
    if (std::ranges::any_of(result_.codelets, isMore))
      addNests({{}, body}, spectrum, codelet, "derived_local", why, body);
  }

  /// The nests of a codelet whose loops have been taken apart, with containers for what one hands to another one. Whether
  /// there are such.
  bool addDistributed(const ir::Spectrum &spectrum, const ir::Codelet &codelet,
                      const DistributedLoops &apart) {
    ir::Codelet wide = codelet;
    wide.body = apart.body;
    std::string declarations;
    for (const ExpandedScalar &each : apart.expanded) {
      wide.params.push_back(each.container);
      declarations += "  " + ir::spelling(each.container->type) + " " + each.container->name + "(" +
                      sourceOf(each.rounds) + ");\n";
    }
    auto nest = algebra::nestOf(wide);
    putSumsInLocals(wide, nest);
    if (!std::holds_alternative<Nest>(nest))
      return false;
    ir::Spectrum named = spectrum;
    named.params = wide.params;
    const auto nests = nestsInOrder(named, wide, std::get<Nest>(nest), options_.keepsOrder,
                                    [&](const std::string &name) { return isTaken(name); });
    if (!nests)
      return false;
    addNests(*nests, spectrum, codelet, "derived_nests",
             {"its loops are taken apart", codelet.location}, declarations + nests->body);
    return true;
  }

  /// `hasLocalSums`: it has sums in locals that the author keeps in elements.
  void fromNest(const ir::Spectrum &spectrum, const ir::Codelet &codelet, const Nest &nest,
                bool hasLocalSums = false) {
    if (nest.loops.empty())
      return;
    const IsTaken isTaken = [&](const std::string &name) { return this->isTaken(name); };
    if (addResidues(spectrum, codelet, nest, isTaken))
      return;
    if (const auto once = sumsOnce(spectrum, codelet, nest, isTaken))
      return addNests(*once, spectrum, codelet, "derived_once",
                      {"a sum is the same in several rounds of a loop around it", codelet.location},
                      once->body);
    const auto single = loopsAtTop(codelet) == 1 && spectrum.result.scalar == ir::Scalar::Void
                            ? singleRounds(nest)
                            : std::nullopt;
    if (single)
      return addRounds(spectrum, codelet, nest, *single, isTaken);
    const std::set<int> updated = addUpdates(spectrum, codelet, nest, isTaken);
    if (const auto nests = nestsInOrder(spectrum, codelet, nest, options_.keepsOrder, isTaken)) {
      addNests(*nests, spectrum, codelet, "derived_nests",
               {"it is several nests, one after the other", codelet.location}, nests->body);
      return;
    }
    if (loopsAtTop(codelet) != 1)
      return refuse(spectrum, {"its nests cannot be told apart from what stands between them",
                               codelet.location});
    if (hasLocalSums && spectrum.result.scalar == ir::Scalar::Void)
      return addLocalSums(spectrum, codelet, isTaken);
    if (spectrum.result.scalar != ir::Scalar::Void) {
      if (const auto why = whyInOrder(nest))
        return refuse(spectrum, *why);
      const SumCodelets sums = sumsOf(spectrum, codelet, nest, isTaken);
      for (const DerivedCodelet &each : sums.codelets)
        add(each);
      for (const NestReason &why : sums.reasons)
        refuse(spectrum, why);
      if (sums.codelets.empty())
        addParts(spectrum, codelet, nest, {}, isTaken);
      return;
    }
    const std::vector<BlockedLoop> blocked = blockedLoops(spectrum, nest, nullptr, updated);
    if (blocked.empty() && !updated.empty())
      return;
    if (blocked.empty()) {
      for (const DerivedCodelet &each :
           flatRows(spectrum, codelet, nest, options_.keepsOrder, isTaken))
        add(each);
    }
    const bool isScan = blocked.empty() && addScan(spectrum, codelet, nest, isTaken);
    if (blocked.empty() && (isScan || !isPart_)) { // a part is worth to be shared by lanes alone
      if (!isScan && !loopSums(nest, 0).why)
        addForm(spectrum, codelet, nest, blocked, isTaken);
      addParts(spectrum, codelet, nest, blocked, isTaken); // of what nothing in the rounds uses
      return;
    }
    addBox(spectrum, codelet, nest, isTaken);
    addForm(spectrum, codelet, nest, blocked, isTaken);
    addSums(spectrum, codelet, nest, blocked, isTaken);
    if (const auto apart = loopsApart(spectrum, codelet, nest, blocked, isTaken))
      addNests(*apart, spectrum, codelet, "derived_apart",
               {"the loops in a round of loop " + nest.loops[0].counter->name + " are nests",
                nest.loops[0].statement->location},
               apart->body);
    addParts(spectrum, codelet, nest, blocked, isTaken);
  }

  /// The spectrum of a codelet whose sums are in locals, and the codelet that calls it.
  void addLocalSums(const ir::Spectrum &spectrum, const ir::Codelet &codelet,
                    const IsTaken &isTaken) {
    addCalled(spectrum, codelet, codelet.body, "promoted",
              {"its sums are kept in elements, and may be in locals", codelet.location}, isTaken);
  }

  /// The spectrum of a nest over the box around its rounds, and the codelet that calls it.
  void addBox(const ir::Spectrum &spectrum, const ir::Codelet &codelet, const Nest &nest,
              const IsTaken &isTaken) {
    if (isPart_ || isCombined_ || inSums_ || spectrum.result.scalar != ir::Scalar::Void)
      return;
    if (const ir::StmtPtr body = withBoundingBox(codelet, nest))
      addCalled(spectrum, codelet, body, "box",
                {"its sums share what they read along loops with uneven rounds", codelet.location},
                isTaken);
  }

  /// The spectrum NAME_word of another body for the codelet, and the codelet derived_word that calls it.
  void addCalled(const ir::Spectrum &spectrum, const ir::Codelet &codelet, const ir::StmtPtr &body,
                 const std::string &word, const NestReason &why, const IsTaken &isTaken) {
    MadeSpectrum made{spectrum, codelet};
    made.codelet.body = body;
    made.spectrum.name = made.codelet.spectrum =
        ir::uniqueName(ir::identifierOf(spectrum.name) + "_" + word, isTaken);
    addNests({{made}, ""}, spectrum, codelet, "derived_" + word, why,
             "  " + made.spectrum.name + "(" + argumentsOf(codelet.params) + ");\n");
  }

  /// The codelets whose rounds update elements by atomic operations, or in copies of their own; the loops that they share.
  std::set<int> addUpdates(const ir::Spectrum &spectrum, const ir::Codelet &codelet,
                           const Nest &nest, const IsTaken &isTaken) {
    if (isCombined_ || inSums_ || spectrum.result.scalar != ir::Scalar::Void ||
        loopsAtTop(codelet) != 1)
      return {};
    const auto updates = elementUpdates(codelet, nest, options_.keepsOrder);
    if (!updates)
      return {};
    if (updates->isAtomic)
      addCalled(spectrum, codelet, updates->body, "atomic", updates->why, isTaken);
    const auto copies =
        isPart_ ? std::nullopt : updateCopies(spectrum, codelet, nest, *updates, isTaken);
    if (!copies)
      return updates->isAtomic ? updates->loops : std::set<int>{};
    isPart_ = true;
    addSpectrums({copies->part}, updates->why);
    isPart_ = false;
    isCombined_ = true;
    addSpectrums({copies->combined}, updates->why);
    isCombined_ = false;
    add(copies->codelet);
    return updates->loops;
  }

  /// The nest for each residue of loops with congruences; whether there are any.
  bool addResidues(const ir::Spectrum &spectrum, const ir::Codelet &codelet, const Nest &nest,
                   const IsTaken &isTaken) {
    std::vector<NestReason> reasons;
    const auto split = residues(spectrum, codelet, nest, isTaken, reasons);
    for (NestReason &why : reasons)
      refuse(spectrum, std::move(why));
    if (split)
      addNests(*split, spectrum, codelet, "derived_residues",
               {"its conditions are congruences", codelet.location}, split->body);
    return split.has_value();
  }

  /// The lanes and the parts of a scan without loops around it; whether the codelet is one.
  bool addScan(const ir::Spectrum &spectrum, const ir::Codelet &codelet, const Nest &nest,
               const IsTaken &isTaken) {
    const auto scan = scanOf(codelet, nest, 0);
    if (!scan || (options_.keepsOrder && dependsOnOrder({scan->updates, std::nullopt})))
      return false;
    const LoopForm form{spectrum.name, spectrum.result, codelet.params, codelet.body, {}, {}, {}};
    if (const auto lanes = lanesInside(form, options_.keepsOrder))
      add(*lanes);
    const bool isPart = isPart_ || isCombined_;
    const auto parts = isPart ? std::nullopt : scanParts(spectrum, codelet, nest, *scan, isTaken);
    if (!parts)
      return true;
    isCombined_ = true;
    addSpectrums({parts->total, parts->starts, parts->from}, parts->codelet.why);
    isCombined_ = false;
    add(parts->codelet);
    return true;
  }

  /// The loops that may be blocked; reasons are noted of the others, but for those that are `shared` otherwise.
  std::vector<BlockedLoop> blockedLoops(const ir::Spectrum &spectrum, const Nest &nest,
                                        const SingleRounds *single,
                                        const std::set<int> &shared = {}) {
    std::vector<BlockedLoop> blocked;
    for (std::size_t loop = 0; loop < nest.loops.size(); ++loop) {
      if (single != nullptr && static_cast<int>(loop) == single->loop)
        continue;
      auto each = blockedLoop(nest, static_cast<int>(loop), single);
      if (auto *found = std::get_if<BlockedLoop>(&each))
        blocked.push_back(std::move(*found));
      else if (!shared.contains(static_cast<int>(loop)))
        refuse(spectrum, std::get<NestReason>(each));
    }
    return blocked;
  }

  /// Why no parts of the nest's sums are combined; nothing where they may.
  std::optional<NestReason> whyInOrder(const Nest &nest) const {
    for (int loop = 0; options_.keepsOrder && loop < static_cast<int>(nest.loops.size()); ++loop) {
      const algebra::NestLoop &of = nest.loops[static_cast<std::size_t>(loop)];
      if (dependsOnOrder(loopSums(nest, loop)))
        return NestReason{"loop " + of.counter->name +
                              " adds up floating-point numbers, in its order",
                          of.statement->location};
    }
    return std::nullopt;
  }

  /// Blocks, lanes, and steps of a nest.
  void addForm(const ir::Spectrum &spectrum, const ir::Codelet &codelet, const Nest &nest,
               std::vector<BlockedLoop> blocked, const IsTaken &isTaken) {
    for (BlockedLoop &stepped : steppedLoops(codelet, nest, blocked))
      blocked.push_back(std::move(stepped));
    const LoopForm form = loopForm(spectrum, codelet, nest, blocked, isTaken);
    for (const auto &made : {roundsOf(spectrum, form), blocksOf(form), lanesOf(form)}) {
      for (const DerivedCodelet &each : made)
        add(each);
    }
    if (const auto inside = lanesInside(form, options_.keepsOrder))
      add(*inside);
  }

  /// Single rounds of a loop, and blocks of the loops in them.
  void addRounds(const ir::Spectrum &spectrum, const ir::Codelet &codelet, const Nest &nest,
                 const SingleRounds &single, const IsTaken &isTaken) {
    if (addRoundsInside(spectrum, codelet, nest, single, isTaken))
      return;
    const std::vector<BlockedLoop> blocked = blockedLoops(spectrum, nest, &single);
    if (blocked.empty())
      return;
    const LoopForm form = loopForm(spectrum, codelet, nest, blocked, isTaken, single);
    for (const auto &made : {roundsOf(spectrum, form), blocksOf(form)}) {
      for (const DerivedCodelet &each : made) {
        // Blocks of chosen sizes alone, which share workers with the rounds: spaces of five loops are large.
        if (!each.tag.starts_with("derived_split_"))
          add(each);
      }
    }
  }

  /// Single rounds of a loop, and all that follows from a round of it, where that is another loop over a flattened
  /// dimension or few loops of it may be blocked: whether it is so.
  bool addRoundsInside(const ir::Spectrum &spectrum, const ir::Codelet &codelet, const Nest &nest,
                       const SingleRounds &single, const IsTaken &isTaken) {
    const LoopForm form = loopForm(spectrum, codelet, nest, {}, isTaken, single);
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
      add(each);
    fromNest(made.spectrum, made.codelet, *inside);
    return true;
  }

  /// The nests that start, make and end sums, and the codelet that runs one after the other.
  void addSums(const ir::Spectrum &spectrum, const ir::Codelet &codelet, const Nest &nest,
               const std::vector<BlockedLoop> &blocked, const IsTaken &isTaken) {
    if (isCombined_ || (isPart_ && !isProduct(nest, blocked)))
      return;
    const auto nests = sumsInto(spectrum, codelet, nest, blocked, isTaken);
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

  /// Sums of results in parts, and what follows from what makes and combines these.
  void addParts(const ir::Spectrum &spectrum, const ir::Codelet &codelet, const Nest &nest,
                const std::vector<BlockedLoop> &blocked, const IsTaken &isTaken) {
    if (isPart_ || isCombined_ || inSums_ || whyInOrder(nest))
      return;
    const auto parts = sumParts(spectrum, codelet, nest, blocked, isTaken);
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
      add(each);
  }

  /// Spectrums with what follows from them, and the codelet of `spectrum` that calls them.
  void addNests(const NestsInOrder &nests, const ir::Spectrum &spectrum, const ir::Codelet &codelet,
                const std::string &tag, const NestReason &why, const std::string &body) {
    addSpectrums(nests.spectrums, why);
    const bool isOuters = outer_ && spectrum.name == outer_->inner && tag != "derived_sums";
    const ir::Spectrum &of = isOuters ? outer_->spectrum : spectrum;
    const std::string own =
        isOuters ? outer_->tags + tag.substr(std::string("derived_").size()) : tag;
    add({of.name, own,
         "__codelet __tag(" + own + ")\n" + ir::spelling(of.result) + " " + of.name + "(" +
             parametersOf(isOuters ? outer_->codelet.params : codelet.params) + ") {\n" +
             (isOuters ? outer_->declarations : std::string()) + body + "}\n",
         why});
  }

  void addSpectrums(const std::vector<MadeSpectrum> &spectrums, const NestReason &why) {
    for (const MadeSpectrum &each : spectrums)
      promised_.insert(each.spectrum.name);
    for (const MadeSpectrum &each : spectrums) {
      const LoopForm form{each.spectrum.name,
                          each.spectrum.result,
                          each.codelet.params,
                          each.codelet.body,
                          {},
                          {},
                          {}};
      add(loopOf(form, each.codelet, why));
      const auto read = algebra::nestOf(each.codelet);
      if (const auto *own = std::get_if<Nest>(&read))
        fromNest(each.spectrum, each.codelet, *own);
    }
  }

  void add(const DerivedCodelet &codelet) {
    const bool isAsked =
        options_.tags.empty() || options_.tags.contains(codelet.tag) ||
        codelet.tag == "derived_loop" || codelet.tag == "derived_rounds" ||
        codelet.tag == "derived_total" || codelet.tag == "derived_sums" ||
        codelet.tag == "derived_nests" || codelet.tag == "derived_apart" ||
        codelet.tag == "derived_local" || codelet.tag == "derived_residues" ||
        codelet.tag == "derived_once" || codelet.tag == "derived_promoted" ||
        codelet.tag == "derived_box" || codelet.tag == "derived_atomic" ||
        codelet.tag.starts_with("derived_each_") ||
        (codelet.tag.starts_with("derived_fused_") && options_.tags.contains("derived_fused"));
    if (!isAsked || result_.has(codelet.spectrum, codelet.tag))
      return;
    DerivedCodelet &added = result_.codelets.emplace_back(codelet);
    added.from = root_;
    if (codelet.spectrum.ends_with('>')) // a codelet of one instance of a template
      added.text.insert(0, "template <> ");
  }

  const ir::Program &program_;
  const DeriveOptions &options_;
  /// The codelet whose loops `inner` is: what calls several nests calls them itself, beside its own containers, so that a
  /// search begins with it.
  struct Outer {
    std::string inner;
    ir::Spectrum spectrum;
    ir::Codelet codelet;
    std::string declarations;
    std::string tags; ///< what tags begin with
  };
  std::optional<Outer> outer_;
  std::set<std::string> promised_; ///< names of spectrums that are made, but have no codelets yet
  std::string root_;               ///< what is derived from now
  bool isPart_ = false;            ///< what is derived from makes parts of sums
  bool isCombined_ = false;        ///< it combines them
  bool inSums_ = false;            ///< it is one of the nests that make sums in results
  Derivation result_;
};

} // namespace

std::string Derivation::text() const {
  std::string all;
  for (const DerivedCodelet &codelet : codelets)
    all += (all.empty() ? "" : "\n") + codelet.text;
  return all;
}

bool Derivation::has(const std::string &spectrum, const std::string &tag) const {
  return std::ranges::any_of(codelets, [&](const DerivedCodelet &each) {
    return each.spectrum == spectrum && each.tag == tag;
  });
}

Derivation derive(const ir::Program &program, const DeriveOptions &options) {
  return options.from == DeriveOptions::From::None ? Derivation{}
                                                   : Deriver(program, options).derive();
}

} // namespace tangram::composer
