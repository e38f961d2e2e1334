// The options of the commands about machines and folders: hw, init.
#pragma once

#include "driver/commands/hw_command.h"
#include "driver/commands/init_command.h"
#include "driver/shared_options.h"

namespace tangram::driver {

/// `name`: of a model.
void addHw(CLI::App &app, Shared &shared, std::string &name, DetectOptions &detected, int &status);
void addInit(CLI::App &app, InitOptions &init, int &status);

} // namespace tangram::driver
