#include "fuzz/readers.h"

#include "composer/machine/machine.h"
#include "composer/machine/machine_measured.h"
#include "composer/plans/plan_interner.h"
#include "composer/plans/plan_json.h"
#include "composer/plans/sketch.h"
#include "driver/choosing/chosen_plan.h"
#include "files/write_file.h"
#include "frontend/parse.h"
#include "ir/temporary_folder.h"
#include "runtime/bundle/expression.h"
#include "runtime/bundle/library.h"
#include "runtime/data/command_values.h"
#include "runtime/data/matrix_market.h"
#include "runtime/data/npy.h"
#include "runtime/tune/bundle_set.h"
#include "runtime/tune/store.h"

#include <cstdlib>
#include <sstream>

namespace tangram::fuzz {

namespace {

namespace fs = std::filesystem;

const fs::path source = TANGRAM_SOURCE_DIR;

/// The text as a file of this name in a folder of this process.
fs::path fileOf(const std::string &name, const std::string &text) {
  static const ir::TemporaryFolder folder;
  const fs::path file = folder.path() / name;
  if (const std::string problem = files::writeFile(file, text); !problem.empty())
    std::abort(); // of the fuzzer, not of what it tries
  return file;
}

void readModel(const std::string &text) {
  const auto read = composer::parseMachine(text, "model.json");
  // A model that was read can be read again once it is written.
  if (const auto *machine = std::get_if<composer::Machine>(&read);
      machine && !std::holds_alternative<composer::Machine>(
                     composer::parseMachine(composer::machineJson(*machine), "model.json")))
    std::abort();
}

void readMeasured(const std::string &text) {
  const auto read = composer::parseMeasured(text, "measured.json");
  if (const auto *measured = std::get_if<composer::MeasuredDevice>(&read))
    (void)composer::modelOfDevice("model", *measured, "how");
}

void readManifest(const std::string &text) {
  (void)runtime::parseManifest(text, source / "runtime/testdata/openmp_sum/manifest.json");
}

/// Reads the list of a library of several plans, two of which exist.
void readLibrary(const std::string &text) {
  static const bool made = [] {
    const fs::path folder = fileOf("library.json", "").parent_path();
    for (const char *version : {"a", "b"})
      fs::copy(source / "runtime/testdata/openmp_sum", folder / version);
    return true;
  }();
  (void)made;
  (void)runtime::readLibrary(fileOf("library.json", text));
}

frontend::ParseOptions optionsOfParsing() {
  frontend::ParseOptions options;
  options.languageDir = (source / "frontend").string();
  return options;
}

void readPlan(const std::string &text) {
  static const auto program =
      frontend::parseFile((source / "codelets/sum.cpp").string(), optionsOfParsing()).program;
  static const auto machine = composer::loadMachine(source / "hwmodels/simple-cpu.json");
  (void)composer::planFromJson(text, "plan.json", program.value(),
                               std::get<composer::Machine>(machine), composer::PlanInterner());
}

void readSketch(const std::string &text) {
  const auto sketch = composer::Sketch::parse(text);
  if (const auto *parsed = std::get_if<composer::Sketch>(&sketch)) {
    for (const composer::SketchStep &step : parsed->steps())
      (void)composer::namesIn(step);
  }
  (void)driver::sketchesOf(fileOf("source.sketches", text).string());
}

void readTuneSet(const std::string &text) {
  (void)runtime::bundlesIn({fileOf(runtime::bundleSetFile, text).parent_path().string()});
}

void readStore(const std::string &text) {
  auto store = runtime::Store::openToRead(fileOf("store.db", text));
  if (store) {
    (void)store->measurements({});
    (void)store->choices({});
  }
}

/// One value of an option a line.
void readCommandValues(const std::string &text) {
  std::vector<std::string> words;
  std::istringstream lines(text);
  for (std::string line; words.size() < 4 && std::getline(lines, line);)
    words.push_back(line);
  (void)runtime::parseSizes(words);
  (void)runtime::parseSettings(words);
  (void)runtime::parseNamed("--input", words);
}

void readExpression(const std::string &text) {
  const auto expression = runtime::Expression::parse(text);
  if (!expression)
    return;
  runtime::Bindings bindings;
  std::uint64_t value = 0;
  for (const std::string &name : expression->names())
    bindings.values[name] = (value += 7) << (value % 64);
  (void)expression->evaluateSigned(bindings);
  for (const std::string &name : expression->names())
    (void)expression->linearIn(name, bindings);
  (void)expression->bounds({});
}

void readCodelet(const std::string &text) {
  (void)frontend::parseText(text, "codelet.cpp", optionsOfParsing());
}

} // namespace

const std::map<std::string, Reader> &readers() {
  static const std::map<std::string, Reader> all{
      {"model", readModel},
      {"measured", readMeasured},
      {"manifest", readManifest},
      {"library", readLibrary},
      {"plan", readPlan},
      {"sketch", readSketch},
      {"tune-set", readTuneSet},
      {"store", readStore},
      {"npy", [](const std::string &text) { (void)runtime::readNpy(fileOf("values.npy", text)); }},
      {"mtx", [](const std::string &text) { (void)runtime::parseMatrixMarket(text, "a.mtx"); }},
      {"values", readCommandValues},
      {"expression", readExpression},
      {"codelet", readCodelet}};
  return all;
}

} // namespace tangram::fuzz
