#include "driver/run/measure_device.h"

#include "runtime/measure/figures.h"
#include "json/reader.h"

#include <nlohmann/json.hpp>

#include <iomanip>
#include <iostream>

namespace tangram::driver {

using namespace runtime;

void addMeasure(CLI::App &app, MeasureOptions &options, bool &chosen) {
  CLI::App *command = app.add_subcommand(
      "measure", "Measure the figures of this machine that predictions are made of");
  command->callback([&chosen] { chosen = true; });
  command->add_option(
      "--device", options.device,
      "OpenCL device: index, or part of platform/name (see --list-devices); without "
      "it the processor, through OpenMP");
  command->add_option("--format", options.format, "Form of the results: text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
}

Status measureDevice(const MeasureOptions &options) {
  const Result<DeviceFigures> measured =
      options.device.empty() ? measureProcessor() : measureOpenCLDevice(options.device);
  if (!measured)
    return measured.error();
  if (options.format == "json") {
    const nlohmann::ordered_json json = {{"device", measured->device},
                                         {"type", measured->type},
                                         {"driver", measured->driver},
                                         {"facts", measured->facts},
                                         {"costs", measured->costs}};
    std::cout << json::dumped(json, 2) << "\n";
    return ok();
  }
  std::cout << measured->device << " (" << measured->type << ", " << measured->driver << ")\n";
  for (const auto &[name, value] : measured->facts)
    std::cout << "  " << std::left << std::setw(24) << name << value << "\n";
  for (const auto &[name, value] : measured->costs)
    std::cout << "  " << std::left << std::setw(24) << name << std::setprecision(4) << value
              << "\n";
  return ok();
}

} // namespace tangram::driver
