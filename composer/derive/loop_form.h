// The form of a codelet from which blocks are cut: a spectrum that computes a block of a loop when it is given the
// windows of that block.
//
// Where the codelet as it stands does (isItsOwnBlock, for every loop that may be blocked), that is its own spectrum.
// Otherwise it is a spectrum made for the purpose, `NAME_rounds`: its loops begin at 0 and end at the size of what
// they write, its subscripts are those of windows, and what else depends on a counter gets the block's first round as
// a parameter, which the map over blocks supplies. The codelet's own spectrum calls it with slices.
#pragma once

#include "composer/derive/windows.h"

#include <string>
#include <vector>

namespace tangram::composer {

/// A difference as the text of a number that is never below 0.
std::string naturalText(const algebra::Nest &nest, const algebra::Polynomial &p);

/// A spectrum that a map over blocks recurses into.
struct LoopForm {
  std::string spectrum;
  ir::Type result;
  std::vector<ir::VarPtr> params; ///< numbers, then containers
  ir::StmtPtr body;               ///< of its sequential codelet, requirements left out
  std::vector<ir::ExprPtr> requirements;
  /// Loops of the body, first round 0, in the order of the nest.
  struct Loop {
    BlockedLoop blocked;
    std::string name;   ///< of the counter, for tags
    ir::VarPtr counter; ///< as the body has it
    ir::VarPtr origin;  ///< parameter that is the block's first round; null: nothing asks for it
  };
  std::vector<Loop> loops;
  /// How the codelet's own spectrum calls this one: the arguments in the order of `params`. Empty where it is that.
  std::vector<std::string> arguments;
  /// A loop around them, each round of which is a call; nothing: there is none.
  std::optional<SingleRounds> single = {};
};

/// A difference as the text of a number that is never below 0.
std::string naturalText(const algebra::Nest &nest, const algebra::Polynomial &p);

/// The form of a nest with these loops that may be blocked; `isTaken` knows the names of spectrums and functions.
LoopForm loopForm(const ir::Spectrum &spectrum, const ir::Codelet &codelet,
                  const algebra::Nest &nest, const std::vector<BlockedLoop> &blocked,
                  const std::function<bool(const std::string &)> &isTaken,
                  const std::optional<SingleRounds> &single = {});

} // namespace tangram::composer
