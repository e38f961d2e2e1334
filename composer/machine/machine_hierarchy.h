// What concerns more than one level of a model: names, subordinates, one chain
// from the top to the bottom, the map rules a level can offer, and spellings.
#pragma once

#include "composer/machine/machine_reader.h"

namespace tangram::composer {

/// Check the drafts against each other and put the levels in order, top first.
/// The result is a sound machine when nothing was added to `sink`.
Machine linkLevels(MachineDraft draft, ErrorSink &sink);

/// Whether `level` can carry out `rule`, given its subordinate (null: none) with
/// its own map rules settled:
///   distribute  needs a subordinate;
///   serialize   needs a computational capability;
///   split       needs a subordinate that offers a rule for the inner map.
bool allowsMapRule(const Level &level, const Level *subordinate, MapRule rule);

/// "B (block)": the name of the level, and its title where that is another word.
std::string display(const Level &level);

/// Keep, in every level and from the bottom up, those rules its place in the
/// hierarchy allows.
void restrictMapRules(std::vector<Level> &levels);

} // namespace tangram::composer
