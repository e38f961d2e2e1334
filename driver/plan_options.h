// The options of the commands that show what plans there are: rules, plans, derive, sketch.
#pragma once

#include "driver/commands/derive_command.h"
#include "driver/commands/plans_command.h"
#include "driver/commands/rules_command.h"
#include "driver/commands/sketch_command.h"
#include "driver/shared_options.h"

namespace tangram::driver {

void addRules(CLI::App &app, Shared &shared, RulesOptions &rules, int &status);
void addPlans(CLI::App &app, Shared &shared, PlansOptions &plans, int &status);
void addDerive(CLI::App &app, Shared &shared, DeriveCommandOptions &derive, int &status);
void addSketch(CLI::App &app, Shared &shared, SketchOptions &sketch, int &status);

} // namespace tangram::driver
