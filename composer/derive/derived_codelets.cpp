#include "composer/derive/derived_codelets.h"

#include <algorithm>
#include <array>
#include <utility>

namespace tangram::composer {

namespace {

/// Codelets with these tags are derived whatever tags are asked for: those that are asked for follow from the spectrums
/// that they call.
constexpr std::array calling{"derived_loop",     "derived_rounds", "derived_total",
                             "derived_sums",     "derived_nests",  "derived_apart",
                             "derived_local",    "derived_once",   "derived_residues",
                             "derived_promoted", "derived_box",    "derived_atomic"};

} // namespace

bool DerivedCodelets::isAsked(const std::string &tag) const {
  return options_.tags.empty() || options_.tags.contains(tag) ||
         std::ranges::find(calling, tag) != calling.end() || tag.starts_with("derived_each_") ||
         (tag.starts_with("derived_fused_") && options_.tags.contains("derived_fused"));
}

void DerivedCodelets::add(const DerivedCodelet &codelet) {
  if (!isAsked(codelet.tag) || result_.has(codelet.spectrum, codelet.tag))
    return;
  DerivedCodelet &added = result_.codelets.emplace_back(codelet);
  added.from = root_;
  if (codelet.spectrum.ends_with('>')) // a codelet of one instance of a template
    added.text.insert(0, "template <> ");
}

void DerivedCodelets::refuse(const ir::Spectrum &spectrum, algebra::NestReason why) {
  result_.reasons.push_back({spectrum.name, std::move(why)});
}

bool DerivedCodelets::isTaken(const std::string &name) const {
  const auto isNamed = [&](const auto &each) { return each.name == name; };
  return promised_.contains(name) || std::ranges::any_of(program_.spectrums, isNamed) ||
         std::ranges::any_of(program_.functions, isNamed) ||
         std::ranges::find(result_.codelets, name, &DerivedCodelet::spectrum) !=
             result_.codelets.end();
}

} // namespace tangram::composer
