// What a command line says back: help that fits the terminal, and messages about words that are wrong or missing.
#pragma once

#include <CLI/CLI.hpp>

#include <cstddef>
#include <string>

namespace tangram::driver {

/// Exit status.
inline constexpr int commandLineIsWrong = 2;

/// Help whose lines are no longer than the terminal is wide: options by group, the values that an option takes behind
/// what it is for.
class WrappedHelp : public CLI::Formatter {
public:
  /// `width`: characters in a line; at least 60 are taken.
  explicit WrappedHelp(std::size_t width);

  std::string make_help(const CLI::App *app, std::string name,
                        CLI::AppFormatMode mode) const override;
  std::string make_usage(const CLI::App *app, std::string name) const override;
  std::string make_option(const CLI::Option *option, bool isPositional) const override;
  std::string make_subcommand(const CLI::App *command) const override;
  std::string make_footer(const CLI::App *app) const override;

private:
  /// A line of two columns.
  std::string twoColumns(const std::string &name, const std::string &text) const;

  std::size_t width_;
};

/// Characters in a line of standard output: COLUMNS, else what the terminal says, else 100.
std::size_t terminalWidth();

/// Lets help be wrapped, and reads the words. Status of the process where it ends here: 0 after help or the version, 2
/// after a mistake, which is told on standard error; -1: go on.
int readCommandLine(CLI::App &app, int argc, char **argv);

} // namespace tangram::driver
