#include "composer/derive/derive.h"

#include "algebra/nests.h"
#include "composer/analysis/sites.h"
#include "composer/derive/distribute_loops.h"
#include "composer/derive/fusion.h"
#include "composer/derive/inlined_calls.h"
#include "composer/derive/local_containers.h"
#include "composer/derive/local_sums.h"
#include "composer/derive/loop_form.h"
#include "composer/derive/loops_from_zero.h"
#include "composer/derive/nest_codelets.h"
#include "composer/derive/nested_counters.h"
#include "composer/derive/own_names.h"
#include "composer/derive/plain_statements.h"
#include "composer/derive/scan_elements.h"
#include "composer/derive/source_text.h"
#include "composer/derive/split_rounds.h"
#include "ir/unique_name.h"

#include <algorithm>
#include <functional>
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

class Deriver {
public:
  Deriver(const ir::Program &program, const DeriveOptions &options)
      : program_(program), options_(options), derived_(program, options),
        nests_(derived_, options.keepsOrder) {}

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
    return derived_.take();
  }

private:
  void from(const ir::Spectrum &spectrum) {
    const auto number = meaningOf(spectrum);
    if (!number)
      return;
    ir::Codelet codelet = withLoopsFromZero(
        withNestedCounters(withPlainStatements(withWritableNames(spectrum.codelets[*number]))));
    if (const auto left = options_.left.find(spectrum.name); left != options_.left.end())
      return derived_.refuse(spectrum, {left->second, codelet.location});
    derived_.beginWith(spectrum.name);
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
          derived_.result().has(spectrum.name, "derived_fused"))
        continue;
      derived_.beginWith(spectrum.name);
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
      return derived_.refuse(spectrum, *why);
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
    nests_.fromNest(named, codelet, std::get<Nest>(nest), hasLocalSums);
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

  /// The codelet with its loops fused, from which codelets follow in turn. `wide`: with local containers as parameters.
  void addFused(const ir::Spectrum &spectrum, const ir::Codelet &codelet, const ir::Codelet &wide,
                const std::vector<LocalContainer> &locals) {
    const Fusion fusion = fused(spectrum, wide, locals, isTaken_);
    for (const NestReason &why : fusion.apart)
      derived_.refuse(spectrum, why);
    if (!fusion.nests)
      return;
    nests_.callFrom(NestCodelets::Outer{fusion.nests->spectrums[0].spectrum.name, spectrum, codelet,
                                        fusion.declarations, "derived_fused_"});
    nests_.addSpectrums(fusion.nests->spectrums, fusion.why);
    nests_.callFrom(std::nullopt);
    nests_.addNests({{}, fusion.nests->body}, spectrum, codelet, "derived_fused", fusion.why,
                    fusion.declarations + fusion.nests->body);
  }

  /// The spectrum of loops that is given the local containers of a codelet.
  void addLoops(const ir::Spectrum &spectrum, const ir::Codelet &codelet,
                const LocalContainers &locals) {
    MadeSpectrum made{spectrum, locals.codelet};
    made.spectrum.codelets.clear();
    made.spectrum.params = made.codelet.params;
    made.codelet.spectrum = made.spectrum.name =
        ir::uniqueName(ir::identifierOf(spectrum.name) + "_loops", isTaken_);
    const NestReason why{"its local containers are parameters of its loops", codelet.location};
    const LoopForm form{made.spectrum.name,
                        made.spectrum.result,
                        made.codelet.params,
                        made.codelet.body,
                        {},
                        {},
                        {}};
    derived_.add(loopOf(form, made.codelet, why));
    std::string declarations;
    for (const LocalContainer &local : locals.containers)
      declarations += declarationOf(local);
    nests_.callFrom(
        NestCodelets::Outer{made.spectrum.name, spectrum, codelet, declarations, "derived_"});
    fromLoops(made.spectrum, made.codelet);
    nests_.callFrom(std::nullopt);
    const std::string body = declarations + "  " +
                             (spectrum.result.scalar == ir::Scalar::Void ? "" : "return ") +
                             made.spectrum.name + "(" + argumentsOf(made.codelet.params) + ");\n";
    const auto isMore = [&](const DerivedCodelet &each) {
      return each.spectrum == made.spectrum.name && each.tag != "derived_loop";
    };
    if (std::ranges::any_of(derived_.result().codelets, isMore))
      nests_.addNests({{}, body}, spectrum, codelet, "derived_local", why, body);
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
    const auto nests =
        nestsInOrder(named, wide, std::get<Nest>(nest), options_.keepsOrder, isTaken_);
    if (!nests)
      return false;
    nests_.addNests(*nests, spectrum, codelet, "derived_nests",
                    {"its loops are taken apart", codelet.location}, declarations + nests->body);
    return true;
  }

  const ir::Program &program_;
  const DeriveOptions &options_;
  DerivedCodelets derived_;
  NestCodelets nests_;
  std::function<bool(const std::string &)> isTaken_ = [this](const std::string &name) {
    return derived_.isTaken(name);
  };
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
