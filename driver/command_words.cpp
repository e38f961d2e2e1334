#include "driver/command_words.h"

#include "driver/text/comma_list.h"

#include "json/reader.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <vector>

namespace tangram::driver {

namespace {

constexpr std::size_t leastWidth = 60;
constexpr std::size_t usualWidth = 100;
constexpr std::size_t nameColumn = 28;

/// Words of `text` in lines of at most `width` characters. Lists of values break behind their commas, too.
std::vector<std::string> wrapped(const std::string &text, std::size_t width) {
  std::vector<std::string> lines{""};
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (!lines.back().empty() && lines.back().size() + 1 + word.size() > width)
      lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word;
  }
  return lines;
}

std::string inCapitals(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

/// What an option takes: `{a,b}` as `a|b` where these are few; `values` gets them where they are many.
std::string placeholder(const CLI::Option &option, std::string &values) {
  if (option.get_items_expected_max() == 0)
    return "";
  const std::string type = option.get_type_name(); // NAME:{a,b}, N:UINT in [1 - 3], MODEL
  const auto list = type.find(":{");
  std::string name = type.substr(0, type.find(':'));
  if (list != std::string::npos) {
    std::string all = type.substr(list + 2, type.find('}', list) - list - 2);
    constexpr std::size_t few = 32;
    std::ranges::replace(all, ',', '|');
    if (all.size() <= few)
      return all;
    for (const char c : all)
      values += c == '|' ? std::string(", ") : std::string(1, c);
  }
  if (name == "TEXT" || name.empty())
    return option.get_positional() ? inCapitals(option.get_name(true)) : "WORD";
  return name == "UINT" || name == "INT" || name == "FLOAT" ? "N" : name;
}

/// The option as a user writes it: `--hw MODEL`, `FILE`.
std::string written(const CLI::Option &option) {
  std::string values;
  const std::string takes = placeholder(option, values);
  if (option.get_positional())
    return takes;
  const std::string name =
      option.get_lnames().empty() ? "-" + option.get_snames()[0] : "--" + option.get_lnames()[0];
  return takes.empty() ? name : name + " " + takes;
}

std::vector<const CLI::Option *> missingOptions(const CLI::App &command) {
  std::vector<const CLI::Option *> missing;
  for (const CLI::Option *option : command.get_options()) {
    if (option->get_required() && option->count() == 0)
      missing.push_back(option);
  }
  return missing;
}

std::vector<std::string> commandNames(const CLI::App &app) {
  std::vector<std::string> names;
  for (const CLI::App *command : app.get_subcommands([](const CLI::App *) { return true; }))
    names.push_back(command->get_name());
  return names;
}

/// The command that the words name, and its name with those before it: `tangram hw show`.
std::pair<const CLI::App *, std::string> commandOf(const CLI::App &app) {
  const CLI::App *command = &app;
  std::string name = app.get_name();
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands().front();
    name += " " + command->get_name();
  }
  return {command, name};
}

/// That no command, or one that is not there, was asked for.
std::string withoutCommand(const CLI::App &command, const std::string &name,
                           const std::vector<std::string> &words) {
  const std::vector<std::string> known = commandNames(command);
  const std::string list = "\nIts commands: " + joined(known);
  const auto first =
      std::ranges::find_if(words, [](const std::string &w) { return !w.starts_with('-'); });
  if (first == words.end())
    return name + ": a command is missing" + list;
  return name + ": unknown command '" + *first + "'" + json::didYouMean(*first, known) + list;
}

std::string unexpected(const CLI::App &command, const std::string &name, const std::string &word) {
  std::vector<std::string> known;
  for (const CLI::Option *option : command.get_options()) {
    for (const std::string &each : option->get_lnames())
      known.push_back("--" + each);
  }
  if (word.starts_with('-'))
    return name + ": unknown option " + word.substr(0, word.find('=')) +
           json::didYouMean(word.substr(0, word.find('=')), known);
  return name + ": one word too many: '" + word + "'";
}

/// What is wrong, in a sentence that names the command.
std::string messageOf(const CLI::App &app, const CLI::ParseError &error) {
  const auto [command, name] = commandOf(app);
  const std::vector<std::string> words = app.remaining(true);
  if (!words.empty() && !command->get_subcommands([](const CLI::App *) { return true; }).empty())
    return withoutCommand(*command, name, words);
  const auto option = std::ranges::find_if(words, [](const auto &w) { return w.starts_with('-'); });
  if (option != words.end())
    return unexpected(*command, name, *option);
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError) && !words.empty())
    return unexpected(*command, name, words.front());
  if (error.get_exit_code() != static_cast<int>(CLI::ExitCodes::RequiredError))
    return name + ": " + error.what();
  std::vector<std::string> missing;
  for (const CLI::Option *option : missingOptions(*command))
    missing.push_back(written(*option));
  if (!missing.empty())
    return name + " needs " + joined(missing) +
           (missing.size() == 1 ? ", which is" : ", which are") + " missing";
  return command->get_subcommands([](const CLI::App *) { return true; }).empty()
             ? name + ": " + error.what()
             : withoutCommand(*command, name, words);
}

/// Makes options that take a path refuse '', which is what the shell makes of a variable that is not set.
void refuseEmptyPaths(CLI::App &app) {
  for (CLI::Option *option : app.get_options()) {
    const std::string type = option->get_type_name();
    if (type.starts_with("FILE") || type == "DIR" || type == "BUNDLE" || type == "MODEL")
      option->check([](const std::string &path) {
        return path.empty() ? std::string("expected a path, found ''") : std::string();
      });
  }
  for (CLI::App *command : app.get_subcommands([](CLI::App *) { return true; }))
    refuseEmptyPaths(*command);
}

} // namespace

WrappedHelp::WrappedHelp(std::size_t width) : width_(std::max(width, leastWidth)) {}

std::string WrappedHelp::make_help(const CLI::App *app, std::string name,
                                   CLI::AppFormatMode mode) const {
  std::string text =
      make_description(app) + make_usage(app, std::move(name)) + make_positionals(app);
  std::vector<std::string> groups = app->get_groups();
  // The first group is the one of options without a heading of their own.
  if (!groups.empty())
    std::ranges::rotate(groups, groups.begin() + 1);
  for (const std::string &group : groups) {
    const std::vector<const CLI::Option *> options = app->get_options([&](const CLI::Option *each) {
      return each->get_group() == group && each->nonpositional();
    });
    if (!group.empty() && !options.empty())
      text += make_group(group, false, options);
  }
  return text + make_subcommands(app, mode) + make_footer(app);
}

std::string WrappedHelp::twoColumns(const std::string &name, const std::string &text) const {
  std::string lines = "  " + name;
  const std::vector<std::string> described = wrapped(text, width_ - nameColumn - 2);
  const bool fits = name.size() + 2 < nameColumn;
  if (!fits)
    lines += "\n";
  for (std::size_t i = 0; i < described.size(); ++i) {
    const std::size_t before = i == 0 && fits ? nameColumn + 2 - (name.size() + 2) : nameColumn + 2;
    lines += std::string(before, ' ') + described[i] + "\n";
  }
  return lines;
}

std::string WrappedHelp::make_option(const CLI::Option *option, bool isPositional) const {
  std::string values;
  const std::string takes = placeholder(*option, values);
  std::string name = isPositional ? takes : "";
  if (!isPositional) {
    for (const std::string &each : option->get_snames())
      name += (name.empty() ? "-" : ", -") + each;
    for (const std::string &each : option->get_lnames())
      name += (name.empty() ? "--" : ", --") + each;
    if (!takes.empty())
      name += " " + takes;
  }
  std::string text = option->get_description();
  if (!values.empty())
    text += ": " + values;
  if (!option->get_default_str().empty())
    text += " (default: " + option->get_default_str() + ")";
  if (option->get_required())
    text += " (required)";
  return twoColumns(name, text);
}

std::string WrappedHelp::make_subcommand(const CLI::App *command) const {
  return twoColumns(command->get_name(), command->get_description());
}

std::string WrappedHelp::make_usage(const CLI::App *app, std::string name) const {
  std::string words = name.empty() ? app->get_name() : name;
  if (const CLI::App *parent = app->get_parent(); parent && name.empty())
    words = parent->get_name() + " " + words;
  for (const CLI::Option *option : app->get_options()) {
    if (option->get_required())
      words += " " + written(*option);
  }
  words += app->get_subcommands([](const CLI::App *) { return true; }).empty() ? " [OPTION]..."
                                                                               : " COMMAND ...";
  std::string text;
  for (const std::string &line : wrapped(words, width_ - 9))
    text += (text.empty() ? "\nUsage: " : "           ") + line + "\n";
  return text;
}

std::string WrappedHelp::make_footer(const CLI::App *app) const {
  if (app->get_footer().empty())
    return "";
  std::string text = "\n";
  for (const std::string &line : wrapped(app->get_footer(), width_))
    text += line + "\n";
  return text;
}

std::size_t terminalWidth() {
  if (const char *columns = std::getenv("COLUMNS"); columns && std::atoi(columns) > 0)
    return static_cast<std::size_t>(std::atoi(columns));
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return size.ws_col;
  return usualWidth;
}

int readCommandLine(CLI::App &app, int argc, char **argv) {
  refuseEmptyPaths(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    if (error.get_exit_code() == 0)
      return app.exit(error);
    std::cerr << messageOf(app, error) << "\n"
              << "`" << commandOf(app).second << " --help` says more.\n";
    return commandLineIsWrong;
  }
  return -1;
}

} // namespace tangram::driver
