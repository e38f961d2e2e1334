#include "driver/model_options.h"

#include "driver/input/input.h"

#include <iostream>

namespace tangram::driver {

void addHw(CLI::App &app, Shared &shared, std::string &name, DetectOptions &detected, int &status) {
  CLI::App *hw = app.add_subcommand("hw", "Hardware models");
  hw->require_subcommand(1);
  auto options = [&] { return HwOptions{modelFolders(), shared.format}; };
  CLI::App *list = hw->add_subcommand("list", "All models");
  addFormat(*list, shared, {"text", "json"});
  list->callback([&, options] { status = hwList(options(), std::cout, std::cerr); });
  CLI::App *show = hw->add_subcommand("show", "One model, every field");
  show->add_option("model", name, "Name or file")->required();
  addFormat(*show, shared, {"text", "json"});
  show->callback([&, options] { status = hwShow(name, options(), std::cout, std::cerr); });
  CLI::App *validate = hw->add_subcommand("validate", "Check a model file");
  validate->add_option("file", name, "Model file, - for standard input")->required();
  addFormat(*validate, shared, {"text", "json"});
  validate->callback([&, options] { status = hwValidate(name, options(), std::cout, std::cerr); });
  CLI::App *detect = hw->add_subcommand("detect", "Print a model of this machine");
  detect->add_option("--name", detected.name, "What to call it")->capture_default_str();
  CLI::Option *device = detect->add_option(
      "--device", detected.device,
      "An OpenCL device (index, or part of platform/name) in the place of the processor");
  CLI::Option *measured =
      detect
          ->add_option("--measured", detected.measured,
                       "Take the figures from this file, which `tangram-run measure --format json` "
                       "has printed, on any machine")
          ->type_name("FILE")
          ->excludes(device);
  detect->add_flag("--quick", detected.quick, "Read what Linux tells, and measure nothing")
      ->excludes(device)
      ->excludes(measured);
  detect->callback([&] {
    detected.command = "tangram hw detect" +
                       (detected.device.empty() ? "" : " --device '" + detected.device + "'") +
                       (detected.measured.empty() ? "" : " --measured " + detected.measured);
    status = hwDetect(detected, std::cout, std::cerr);
  });
}

void addInit(CLI::App &app, InitOptions &init, int &status) {
  CLI::App *command =
      app.add_subcommand("init", "A folder to begin with: a spectrum, a program, a CMake project");
  command->add_option("folder", init.folder, "Folder; its name becomes the spectrum's")->required();
  command->add_option("--hw", init.hw, "Hardware model of the project")
      ->type_name("MODEL")
      ->capture_default_str();
  command->callback([&] { status = initCommand(init, std::cout, std::cerr); });
}

} // namespace tangram::driver
