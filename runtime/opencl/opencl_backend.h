// OpenCL bundles: kernels built by the device's driver and launched in order
// as the manifest says.
#pragma once

#include "runtime/device/device_worker.h"
#include "runtime/opencl/opencl_devices.h"
#include "runtime/session/backend.h"

namespace tangram::runtime {

/// A context and an in-order queue with profiling on `device`. Programs are
/// built once for the same source and options.
Result<std::unique_ptr<Backend>> makeOpenCLBackend(const OpenCLApi &api,
                                                   const OpenCLDevice &device);

/// The same on the device that `wanted` names: see chooseOpenCLDevice, whose errors it has.
Result<std::unique_ptr<Backend>> openOpenCLBackend(const std::string &wanted);
Result<DeviceDescription> describeOpenCLDevice(const std::string &wanted);

} // namespace tangram::runtime
