// What is known of a device before a launch, by the names that size expressions use: the one table
// that models, bundles, emitted hosts and documentation are checked against.
#pragma once

#include <string>
#include <vector>

namespace tangram::algebra {

struct DeviceFact {
  std::string name;
  std::string meaning;
  /// C of type size_t that gives it in an emitted OpenMP host; empty: not known there.
  std::string openmp;
  /// What clGetDeviceInfo calls it in an emitted OpenCL host, and the type of the answer.
  std::string opencl;
  std::string openclType;
};

/// In the order in which they are listed to people.
const std::vector<DeviceFact> &deviceFacts();
/// Their names.
const std::vector<std::string> &deviceFactNames();
/// The fact of this name, or null.
const DeviceFact *deviceFact(const std::string &name);

} // namespace tangram::algebra
