// tangram: the command line of the synthesizer. A command is a file of driver/commands; its options stand in
// driver/*_options.
#include "driver/check_options.h"
#include "driver/command_words.h"
#include "driver/compare_options.h"
#include "driver/library_options.h"
#include "driver/model_options.h"
#include "driver/plan_options.h"
#include "driver/shared_options.h"
#include "driver/text/known_errors.h"
#include "driver/whole_command.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

namespace {

using namespace tangram;
using namespace tangram::driver;

void addExplain(CLI::App &app, std::string &number, int &status) {
  CLI::App *command = app.add_subcommand(
      "explain", "Cause and way out of a message that has a number; all of them");
  command->add_option("number", number, "As the message has it: T0101")->type_name("NUMBER");
  command->callback([&] { status = explainCommand(number, std::cout, std::cerr); });
}

int run(int argc, char **argv) {
  CLI::App app{"tangram composes codelets into kernels for a machine.", "tangram"};
  app.formatter(std::make_shared<WrappedHelp>(terminalWidth()));
  app.set_version_flag("--version", "tangram 0.1.0");
  app.require_subcommand(1);
  app.footer("Exit status: 0 fine, 1 the input is wrong, 2 the command line is wrong, "
             "3 a check failed.");
  int status = 0;
  // Never destroyed: the end of the process frees what a search has kept, and at once.
  static Shared &shared = *new Shared;
  SynthOptions synth;
  RunOptions run;
  std::string model;
  Check check;
  RulesOptions rules;
  PlansOptions plans;
  Interpret interpret;
  Compare compare;
  SketchOptions sketch;
  DeriveCommandOptions derive;
  addCheck(app, shared, check, status);
  addDerive(app, shared, derive, status);
  addRules(app, shared, rules, status);
  addPlans(app, shared, plans, status);
  addSynth(app, shared, synth, status);
  addRun(app, shared, run, status);
  addInterpret(app, shared, interpret, status);
  addSketch(app, shared, sketch, status);
  addCompare(app, shared, compare, status);
  DetectOptions detected;
  InitOptions init;
  addInit(app, init, status);
  addHw(app, shared, model, detected, status);
  std::string number;
  addExplain(app, number, status);
  const int ended = readCommandLine(app, argc, argv);
  return ended >= 0 ? ended : status;
}

} // namespace

int main(int argc, char **argv) {
  return wholeCommand("tangram", [&] { return run(argc, argv); });
}
