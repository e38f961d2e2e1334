// One bundle of kernels, built, with its buffers on a device.
#pragma once

#include "runtime/device/kernel_queue.h"
#include "runtime/session/backend.h"

namespace tangram::runtime {

/// Whether indexes of 32 bits will do for a call with these values.
bool hasNarrowIndexes(const Manifest &manifest, const Bindings &bindings);

/// Creates kernels and buffers, sets arguments, copies inputs. `narrowIndexes`: the program was built with indexes of
/// 32 bits. Errors: Fault::Refused when the built kernel cannot run in groups of the planned size, needs more local
/// memory than there is, or memory runs out; Fault::Failed otherwise.
Result<std::unique_ptr<Execution>> makeKernelExecution(std::unique_ptr<KernelQueue> queue,
                                                       bool narrowIndexes, const Manifest &manifest,
                                                       const Problem &problem,
                                                       const Bindings &bindings);

} // namespace tangram::runtime
