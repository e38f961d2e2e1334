#include "driver/check_options.h"

#include "driver/commands/check_command.h"
#include "driver/input/derived_program.h"
#include "driver/input/input.h"
#include "runtime/data/command_values.h"

#include <iostream>
#include <optional>

namespace tangram::driver {

namespace {

/// `check --equiv`: on the machine named, else on two small ones.
int runEquivalence(Shared &shared, Check &check) {
  EquivalenceOptions &options = check.options;
  const auto kinds = runtime::parseKinds(check.kinds + (check.special ? ",special" : ""));
  if (!kinds) {
    std::cerr << "error: " << kinds.error().message << "\n";
    return 2;
  }
  options.runs.kinds = *kinds;
  options.format = shared.format;
  for (const std::string &folder : shared.parsing.includeDirs)
    options.sourceOptions.insert(options.sourceOptions.end(), {"-I", folder});
  for (const std::string &instance : shared.parsing.instantiate)
    options.sourceOptions.insert(options.sourceOptions.end(), {"--instantiate", instance});
  if (!shared.derive.empty())
    options.sourceOptions.insert(options.sourceOptions.end(), {"--derive", shared.derive});
  if (shared.keepsOrder)
    options.sourceOptions.emplace_back("--keep-order");
  auto program = readProgram(shared.file, shared.parsing, derivingOf(shared), std::cerr);
  std::vector<std::string> names{"simple-cpu", "cpu"};
  if (!shared.machine.empty())
    names = {shared.machine};
  std::vector<composer::Machine> machines;
  for (const std::string &name : names) {
    if (auto machine = readMachineFor(name, "openmp", std::cerr))
      machines.push_back(*machine);
    else
      return 1;
  }
  return program ? checkEquivalence(options, *program, machines, std::cout, std::cerr) : 1;
}

void addEquivalence(CLI::App &command, Check &check) {
  CLI::Option *equiv = command.add_flag("--equiv", check.equivalence,
                                        "Run the codelets of each spectrum against its first one");
  command.add_option("--spectrum", check.options.spectrum, "With --equiv: only this one")
      ->needs(equiv)
      ->type_name("NAME");
  command
      .add_option("--size", check.options.runs.sizes,
                  "With --equiv: shapes as for tangram-run, instead of awkward ones")
      ->needs(equiv)
      ->allow_extra_args(false)
      ->type_name("[NAME=]N[,N...]");
  command
      .add_option("--seed", check.options.runs.seed,
                  "With --equiv: seed of generated values; the next ones are used too")
      ->needs(equiv)
      ->capture_default_str();
  command
      .add_option("--budget", check.options.runs.budget,
                  "With --equiv: seconds for each spectrum; runs that take longer are left out, "
                  "and counted")
      ->needs(equiv)
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command
      .add_option("--data", check.kinds,
                  "With --equiv: kinds of generated data as for tangram-run verify; default usual")
      ->needs(equiv)
      ->type_name("KIND[,KIND...]");
  command.add_flag("--special", check.special, "With --equiv: the kind `special` too")
      ->needs(equiv);
  command
      .add_option("--time-limit", check.options.runs.timeLimit,
                  "With --equiv: seconds that one call may take")
      ->needs(equiv)
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command
      .add_flag(
          "--verify-widened", check.options.runs.verifyWidened,
          "With --equiv: compare in wider numbers also where the bytes of results are the same")
      ->needs(equiv);
}

} // namespace

void addCheck(CLI::App &app, Shared &shared, Check &check, int &status) {
  CLI::App *command =
      app.add_subcommand("check", "Diagnose a source; show spectrums, codelets, properties");
  addSource(*command, shared);
  addMachine(*command, shared, false);
  addFormat(*command, shared, {"text", "json"});
  addEquivalence(*command, check);
  command->callback([&] {
    if (check.equivalence) {
      status = runEquivalence(shared, check);
      return;
    }
    frontend::ParseResult parsed = frontend::parseFile(shared.file, shared.parsing);
    if (parsed.program) {
      DerivedProgram derived = withDerived(shared.file, parsed, shared.parsing, derivingOf(shared));
      if (derived.program)
        parsed.program = std::move(derived.program);
    }
    std::optional<composer::Machine> machine;
    if (!shared.machine.empty() && !(machine = readMachine(shared.machine, std::cerr))) {
      status = 1;
      return;
    }
    status =
        checkCommand({shared.format, shared.derive.empty()}, parsed.program.value_or(ir::Program{}),
                     parsed.diagnostics, machine ? &*machine : nullptr, std::cout, std::cerr);
  });
}

} // namespace tangram::driver
