// CUDA bundles: kernels compiled by NVRTC and launched in order as the manifest says.
#pragma once

#include "runtime/device/device_worker.h"
#include "runtime/session/backend.h"

namespace tangram::runtime {

/// The primary context of the device that `wanted` names, and a stream. Programs are built once for the same source and
/// options. Errors: those of openCudaDriver, openNvrtc and chooseCudaDevice.
Result<std::unique_ptr<Backend>> openCudaBackend(const std::string &wanted);
Result<DeviceDescription> describeCudaDevice(const std::string &wanted);

} // namespace tangram::runtime
