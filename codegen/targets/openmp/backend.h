#pragma once

#include "codegen/printing/backend.h"

namespace tangram::codegen {

/// What libraries in C have in common, with threads or without: functions that compute when they are called.
class HostBackend : public Backend {
public:
  std::variant<PrintedLibrary, Refusal> library(const PrintRequest &request) const override;
  std::variant<PrintedLibrary, Refusal> wide(const PrintRequest &request) const override;
  std::string hostFile(const std::string &name) const override { return name + ".c"; }
  std::string firstArgument(const LoweredPlan &) const override { return ""; }
  CSource dispatch(const DispatchRequest &request) const override;
  std::string example(const LoweredPlan &plan, const ir::Spectrum &spectrum,
                      const std::vector<std::string> &sources) const override;
  /// Compilers take twice as long to make loops fast.
  std::vector<std::string> wideFlags(const LoweredPlan &) const override {
    return {"-O1", "-fno-math-errno"};
  }
  bool hasQuads() const override { return true; }

protected:
  /// The compiler and its options, in the comment of an example.
  virtual std::string compilation() const = 0;
};

const Backend &openmpBackend();

} // namespace tangram::codegen
