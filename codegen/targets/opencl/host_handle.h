// What the host code of every plan has alike: how a handle is made, kept for the functions that take
// none, and released.
#pragma once

#include <string>
#include <vector>

namespace tangram::codegen {

struct HandleParts {
  std::string name;                 ///< of the function
  std::vector<std::string> kernels; ///< their names
  std::vector<std::string> groups;  ///< C: the items of a group of each
  std::vector<std::string> locals;  ///< C: the bytes of local memory of each; empty: none
  /// Members of the handle that clGetDeviceInfo gives: type, name, what it is called there.
  struct Fact {
    std::string type, name, query;
  };
  std::vector<Fact> facts;
  bool hasPocl = false; ///< there are kernels for PoCL beside the others
  bool divides = false; ///< floats (codegen/targets/opencl/rounded_division.h)
  bool narrows = false; ///< there are programs with indexes of two widths
};

/// `struct kernels`, the handle, NAME_create and NAME_destroy.
std::string handleText(const HandleParts &parts);

/// take_handle and give_back: the cache behind the functions that take no handle.
std::string handleCacheText(const std::string &name);

} // namespace tangram::codegen
