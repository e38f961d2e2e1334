#include "codegen/pipeline/pass_table.h"

#include "codegen/pipeline/earlier_names.h"
#include "codegen/pipeline/pipeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tangram::codegen {
namespace {

/// A plan of which a target alone is known.
LoweredPlan planFor(const char *target) {
  LoweredPlan plan;
  plan.target = traitsOf(target);
  return plan;
}

TEST(PassTable, EachPassTakesTheFormThatTheOneBeforeLeaves) {
  for (const char *target : {"openmp", "opencl", "cuda"}) {
    const LoweredPlan plan = planFor(target);
    Form form = Form::Padded;
    for (const Pass &pass : passTable()) {
      if (!isFor(pass, plan))
        continue;
      EXPECT_EQ(pass.before, form)
          << pass.name << " for " << target << " takes " << nameOf(pass.before) << " code and gets "
          << nameOf(form) << " code";
      form = pass.after;
    }
    EXPECT_EQ(form, Form::Synchronized) << target;
  }
}

TEST(PassTable, PassesThatMayBeLeftOutLeaveTheFormAsItIs) {
  for (const Pass &pass : passTable()) {
    if (pass.optional)
      EXPECT_EQ(pass.before, pass.after) << pass.name;
  }
}

TEST(PassTable, FormsOnlyGoForward) {
  for (const Pass &pass : passTable())
    EXPECT_LE(pass.before, pass.after) << pass.name;
}

TEST(PassTable, EveryPassSaysWhyItStandsThere) {
  for (const Pass &pass : passTable()) {
    EXPECT_NE(pass.run, nullptr) << pass.name;
    EXPECT_GT(std::string(pass.why).size(), 20U) << pass.name;
    if (pass.unpredicted)
      EXPECT_GT(std::string(pass.unpredicted).size(), 20U) << pass.name;
    else
      EXPECT_EQ(pass.predicted, nullptr) << pass.name << ": predictions run the pass itself";
  }
}

/// The sources of passes, and of what several of them share.
std::vector<std::filesystem::path> sources() {
  std::vector<std::filesystem::path> found;
  for (const char *folder : {"array", "kernel"}) {
    const auto path = std::filesystem::path(TANGRAM_SOURCE_DIR) / "codegen/passes" / folder;
    for (const auto &each : std::filesystem::directory_iterator(path)) {
      if (each.path().extension() == ".cpp" && !each.path().stem().string().ends_with("_test"))
        found.push_back(each.path());
    }
  }
  return found;
}

bool beginsWithComment(const std::filesystem::path &file) {
  std::string line;
  std::ifstream in(file);
  return std::getline(in, line) && line.starts_with("// ");
}

/// software-pipelining is in software_pipelining_of_copies.cpp, and in software_pipelining_of_loads.cpp.
TEST(PassTable, FilesBeginWithTheNamesOfPasses) {
  const std::vector<std::filesystem::path> files = sources();
  for (const Pass &pass : passTable()) {
    std::string name = pass.name;
    std::ranges::replace(name, '-', '_');
    EXPECT_TRUE(std::ranges::any_of(files,
                                    [&](const std::filesystem::path &file) {
                                      return file.stem() == name ||
                                             file.stem().string().starts_with(name + "_");
                                    }))
        << "no file " << name << "*.cpp";
  }
}

TEST(PassTable, FilesOfPassesSayFirstWhatTheyAre) {
  for (std::filesystem::path file : sources()) {
    if (!beginsWithComment(file))
      EXPECT_TRUE(beginsWithComment(file.replace_extension(".h"))) << file;
  }
}

/// Predictions read code before barriers: a pass that they run behind one that they cannot leave out would get a form that
/// it does not take.
TEST(PassTable, PredictionsLeaveOutNoFormButTheLast) {
  for (const Pass &pass : passTable()) {
    if (pass.unpredicted)
      EXPECT_TRUE(pass.before == pass.after || pass.after == Form::Synchronized) << pass.name;
    else
      EXPECT_LT(pass.after, Form::Synchronized) << pass.name;
  }
}

TEST(PassTable, NamesOfPassesThatMayBeLeftOutAreThereOnce) {
  std::set<std::string> names;
  for (const std::string &name : optionalPasses())
    EXPECT_TRUE(names.insert(name).second) << name;
}

TEST(PassTable, EarlierNamesLeadToPassesThatThereAre) {
  const std::vector<std::string> names = optionalPasses();
  for (const auto &[earlier, now] :
       {std::pair{"jam-loops", "unroll-and-jam"}, std::pair{"carry-loads", "predictive-commoning"},
        std::pair{"split-edges", "index-set-splitting"}}) {
    EXPECT_EQ(nameNowOf(earlier), now);
    EXPECT_NE(std::ranges::find(names, now), names.end()) << now;
  }
  for (const std::string &name : names)
    EXPECT_EQ(nameNowOf(name), "") << name;
}

} // namespace
} // namespace tangram::codegen
