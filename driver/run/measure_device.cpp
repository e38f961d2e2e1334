#include "driver/run/measure_device.h"

#include "driver/run/other_work.h"
#include "runtime/measure/rounds.h"
#include "json/reader.h"

#include <nlohmann/json.hpp>

#include <iomanip>
#include <iostream>
#include <sstream>

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
  if (options.device.empty())
    prepareToMeasure();
  const Result<DeviceFigures> measured =
      options.device.empty() ? measureProcessor()
                             : measureInRounds([&] { return measureOpenCLDevice(options.device); });
  if (!measured)
    return measured.error();
  std::istringstream doubts(doubtsOf(*measured));
  for (std::string doubt; std::getline(doubts, doubt);)
    std::cerr << "tangram-run: note: unsure of " << doubt << "\n";
  if (options.format == "json") {
    const nlohmann::ordered_json json = {
        {"device", measured->device}, {"type", measured->type},   {"driver", measured->driver},
        {"facts", measured->facts},   {"costs", measured->costs}, {"spreads", measured->spreads}};
    std::cout << json::dumped(json, 2) << "\n";
    return ok();
  }
  std::cout << measured->device << " (" << measured->type << ", " << measured->driver << ")\n";
  for (const auto &[name, value] : measured->facts)
    std::cout << "  " << std::left << std::setw(24) << name << value << "\n";
  for (const auto &[name, value] : measured->costs) {
    std::cout << "  " << std::left << std::setw(24) << name << std::setprecision(4) << std::setw(11)
              << value;
    if (const auto spread = measured->spreads.find(name); spread != measured->spreads.end())
      std::cout << "  spread " << std::setprecision(2) << 100 * spread->second << " %";
    std::cout << "\n";
  }
  return ok();
}

} // namespace tangram::driver
