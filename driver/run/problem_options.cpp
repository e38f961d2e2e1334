#include "driver/run/problem_options.h"

#include "runtime/data/command_values.h"

#include <charconv>

namespace tangram::driver {

using namespace runtime;

void addProblem(CLI::App &command, ProblemOptions &options, const std::string &bundles) {
  command.add_option("bundles", options.bundles, bundles)->required()->type_name("BUNDLE");
  command
      .add_option("--input", options.inputs,
                  "Values of a parameter: a .npy or .mtx file, a number for a scalar. "
                  "csr:VALUES,COLUMNS,OFFSETS=F.mtx, csr:COLUMNS,OFFSETS=F.mtx and "
                  "coo:ROWS,COLUMNS[,VALUES]=F.mtx give a sparse matrix")
      ->type_name("NAME=FILE")
      ->expected(1)
      ->take_all();
  command
      .add_option(
          "--size", options.sizes,
          "Extents that no file and no equation gives: 1000, 0,1,2, 2^24, in=1000 or a=300x400; "
          "default 1000003 (1000 in more dimensions, less for three and more, and where the "
          "reference would take too long)")
      ->type_name("[NAME=]N[,N...]")
      ->expected(1)
      ->take_all();
  command.add_option("--set", options.settings, "Fix a tunable; lists are combined")
      ->type_name("NAME=V[,V...]")
      ->expected(1)
      ->take_all();
}

Result<Problems> parsed(const ProblemOptions &options) {
  Result<std::map<std::string, std::string>> inputs = parseNamed("--input", options.inputs);
  Result<std::vector<SizeChoice>> sizes = parseSizes(options.sizes);
  Result<std::vector<TunableValues>> settings = parseSettings(options.settings);
  if (!inputs)
    return inputs.error();
  if (!sizes)
    return sizes.error();
  if (!settings)
    return settings.error();
  return Problems{*inputs, *sizes, *settings};
}

std::string isPositive(const std::string &text) {
  double value = 0;
  return CLI::detail::lexical_cast(text, value) && value > 0
             ? ""
             : "expected a number above 0, found " + text;
}

std::string isCountFrom(std::uint64_t least, const std::string &text) {
  constexpr std::uint64_t most = 100000000;
  std::uint64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  bool isCount = error == std::errc() && end == text.data() + text.size();
  return isCount && least <= value && value <= most
             ? ""
             : "expected a number from " + std::to_string(least) + " to " + std::to_string(most) +
                   ", found " + text;
}

CLI::Validator countFrom(std::uint64_t least) {
  std::function<std::string(std::string &)> check = [least](std::string &text) {
    return isCountFrom(least, text);
  };
  return CLI::Validator(check, "N");
}

} // namespace tangram::driver
