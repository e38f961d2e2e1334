// tangram_call(a) and its like take an array of pointers (docs/bundle.md): how C reads a
// spectrum's arguments from it.
#pragma once

#include "ir/program.h"

#include <functional>
#include <string>
#include <vector>

namespace tangram::codegen {

class CallArguments {
public:
  struct Parameter {
    ir::VarPtr variable;
    std::string value; ///< of a scalar; of a container the pointer to its elements
    std::vector<std::string> extents;
  };

  /// `element`: how the elements of a container, or a scalar, are declared; `array`: the name of the array.
  CallArguments(const ir::Spectrum &spectrum,
                const std::function<std::string(const ir::Var &)> &element,
                std::string array = "a");

  std::vector<Parameter> parameters;

  /// What comes next in the array: the pointer to the result, then launch tunables.
  std::string take(const std::string &type) { return "*(" + type + " const *)" + cell(); }
  std::string cell() { return array_ + "[" + std::to_string(position_++) + "]"; }

private:
  std::string array_;
  std::size_t position_ = 0;
};

} // namespace tangram::codegen
