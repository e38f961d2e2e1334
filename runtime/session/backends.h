// How bundles of each target run: the one list of backends.
#pragma once

#include "runtime/bundle/target.h"
#include "runtime/openmp/host_execution.h"
#include "runtime/session/backend.h"

#include <nlohmann/json.hpp>

namespace tangram::runtime {

struct BackendOptions {
  Compiler &compiler;   ///< outlives the backend, as `bench` does
  HostBench &bench;     ///< of workers that have loaded functions
  std::string device;   ///< which one, of a target that has several; empty: the best
  double timeLimit = 0; ///< seconds that building a bundle or one call of it may take
  /// Devices are opened in this process: a memory checker such as Oclgrind writes its log anew in every process.
  bool stays = false;
};

/// Errors: there is no such device, or none at all.
Result<std::unique_ptr<Backend>> openBackend(Target target, const BackendOptions &options);

/// The devices of all drivers. `--device` counts those of each target from 0.
struct DeviceList {
  std::string lines; ///< of text, one a device
  nlohmann::ordered_json array = nlohmann::ordered_json::array();
  std::vector<std::string> missing; ///< a message for each driver that has none
};
DeviceList listAllDevices();

} // namespace tangram::runtime
