// A source of kernels compiled by NVRTC for a device.
#pragma once

#include "runtime/cuda/cuda_api.h"

#include <map>
#include <string>
#include <vector>

namespace tangram::runtime {

/// A module on a device, with its kernels by the names they have in the source.
class CudaProgram {
public:
  /// `file` names the source in messages; `kernels`: those that are asked for. The context of the device is current.
  /// Errors (Fault::Failed): "FILE: NVRTC failed, options ...:\nLOG".
  static Result<CudaProgram> build(const CudaDriver &driver, const Nvrtc &nvrtc, int capability,
                                   const std::string &file, const std::string &source,
                                   const std::vector<std::string> &options,
                                   const std::vector<std::string> &kernels);

  CudaProgram(CudaProgram &&other) noexcept;
  CudaProgram &operator=(CudaProgram &&) = delete;
  ~CudaProgram();

  /// Null: it has no such kernel.
  CudaObject kernel(const std::string &name) const;

private:
  CudaProgram(const CudaDriver &driver, CudaObject module) : driver(&driver), module(module) {}

  const CudaDriver *driver;
  CudaObject module;
  std::map<std::string, CudaObject> kernels;
};

} // namespace tangram::runtime
