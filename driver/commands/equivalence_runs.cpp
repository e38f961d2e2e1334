#include "driver/commands/equivalence_runs.h"

#include "driver/commands/child_process.h"
#include "driver/input/input.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <tuple>

namespace tangram::driver {

namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

std::string contents(const std::filesystem::path &file) {
  std::ifstream stream(file);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::map<std::string, std::uint64_t> numbersOf(const Json &object) {
  std::map<std::string, std::uint64_t> numbers;
  for (const auto &[name, value] : object.items())
    numbers[name] = value.get<std::uint64_t>();
  return numbers;
}

std::uint64_t total(const std::map<std::string, std::uint64_t> &numbers) {
  std::uint64_t sum = 0;
  for (const auto &[name, value] : numbers)
    sum += value;
  return sum;
}

/// Fewer elements first, then fewer workers, then ordinary data.
bool smaller(const CounterExample &a, const CounterExample &b) {
  const auto order = [](const CounterExample &each) {
    return std::tuple(total(each.extents), total(each.tunables), each.data != "ordinary");
  };
  return order(a) < order(b);
}

/// Reads the verification of a run from the JSON that `tangram-run` prints (docs/bundle.md).
runtime::Verification verificationOf(const Json &found) {
  runtime::Verification all;
  all.bitForBit = found["bit_for_bit"];
  if (found.contains("same_function_within"))
    all.sameFunctionWithin = found["same_function_within"].get<double>();
  if (found.contains("rounding_at_most"))
    all.roundingAtMost = found["rounding_at_most"].get<double>();
  all.results = found["results"];
  all.nan = found["nan"];
  all.infinite = found["not_finite"].get<std::uint64_t>() - all.nan;
  all.decidedDifferently = found["decided_differently"];
  all.firstDecided = found.value("first_decided_differently", "");
  all.notJudged = found["not_judged"];
  return all;
}

class BundleRuns {
public:
  BundleRuns(const std::filesystem::path &bundle, const RunChoice &choice, BundleShare share,
             const std::filesystem::path &scratch)
      : bundle_(bundle), choice_(choice), share_(share), scratch_(scratch) {}

  RunsOfBundle all() {
    const runtime::Result<runtime::Manifest> manifest = runtime::readManifest(bundle_);
    if (!manifest) {
      result_.problem = manifest.error().message;
      return std::move(result_);
    }
    result_.freeExtents = freeExtentsOf(*manifest);
    runtime::Result<runtime::CaseList> cases =
        casesFor(*manifest, choice_, share_.number, share_.of);
    if (!cases) {
      result_.problem = cases.error().message;
      return std::move(result_);
    }
    result_.leftOut += leaveOutLong(*cases, choice_);
    verify(*cases);
    if (result_.wrong && choice_.sizes.empty() && !result_.freeExtents.empty())
      verify(smallerCases(*manifest, caseOf(*result_.wrong)));
    return std::move(result_);
  }

private:
  runtime::Case caseOf(const CounterExample &example) const {
    runtime::Case found;
    for (const std::string &extent : result_.freeExtents) {
      const auto known = example.extents.find(extent);
      found.sizes.named[extent] = {known == example.extents.end() ? 0 : known->second};
    }
    found.setting = example.tunables;
    found.sizes.data = runtime::parseKinds(example.data)->front();
    found.sizes.seed = example.seed - choice_.seed;
    return found;
  }

  void verify(const runtime::CaseList &cases) {
    const std::filesystem::path list = scratch_ / "cases.json";
    std::ofstream(list) << runtime::casesText(cases);
    std::ostringstream limit;
    limit << choice_.timeLimit;
    Words words{"verify",       bundle_.string(), "--format", "json",
                "--time-limit", limit.str(),      "--seed",   std::to_string(choice_.seed),
                "--cases",      list.string()};
    // Codelets of a spectrum have one reference, and one header.
    const std::filesystem::path objects = scratch_ / "objects";
    std::error_code ignored;
    std::filesystem::create_directory(objects, ignored);
    words.insert(words.end(), {"--objects", objects.string()});
    if (choice_.verifyWidened)
      words.emplace_back("--verify-widened");
    const ChildOutput output{scratch_ / "runs.json", scratch_ / "messages.txt"};
    std::ostringstream ended;
    runAndWait(executableFolder() / "tangram-run", words, ended, output);
    const Json records = Json::parse(contents(output.out), nullptr, false);
    if (records.is_discarded() || !records.contains("runs")) {
      result_.problem = ended.str() + contents(output.err);
      return;
    }
    for (const Json &record : records["runs"])
      take(record);
  }

  void take(const Json &record) {
    const std::string status = record["status"];
    const std::string reason = record.value("reason", "");
    const bool ordinary = record.value("data", Json::array({"ordinary"}))[0] == "ordinary";
    if (status == "refused") {
      const bool leftOut = reason.starts_with("left out: ");
      result_.leftOut += leftOut ? 1 : 0;
      if (!leftOut || result_.refusal.empty())
        result_.refusal = reason;
      return;
    }
    result_.ordinary += ordinary ? 1 : 0;
    if (status == "verified" || status == "inaccurate") {
      ++result_.verified;
      result_.shapes.insert(numbersOf(record["extents"]));
      include(record);
      if (status == "inaccurate" && !result_.inaccurate)
        result_.inaccurate = exampleOf(record, reason);
      return;
    }
    const CounterExample example = exampleOf(record, reason);
    if (status == "not comparable") {
      result_.notComparable += ordinary ? 1 : 0;
      if (ordinary && !result_.unjudged)
        result_.unjudged = example;
      return;
    }
    if (isTooLong(example))
      result_.tooLong.push_back(example.extents);
    auto &smallest =
        reason.starts_with("tangram_reference") ? result_.referenceFails : result_.wrong;
    if (!smallest || smaller(example, *smallest))
      smallest = example;
  }

  void include(const Json &record) {
    if (!record.contains("verification"))
      return;
    const runtime::Verification found = verificationOf(record["verification"]);
    if (result_.found)
      result_.found->include(found);
    else
      result_.found = found;
  }

  /// Whether the reference takes long because the problem is large: with few elements it may be the data that no loop ends for.
  static bool isTooLong(const CounterExample &example) {
    constexpr std::uint64_t few = 1024;
    std::map<std::string, std::uint64_t> elements; // of each container
    for (const auto &[name, extent] : example.extents) {
      std::uint64_t &count =
          elements.try_emplace(name.substr(0, name.rfind("_size")), 1).first->second;
      count = std::min(few + 1, count * std::min(few + 1, extent));
    }
    const bool areMany =
        std::ranges::any_of(elements, [](const auto &each) { return each.second > few; });
    return areMany && example.message.starts_with("tangram_reference: ended after ");
  }

  static CounterExample exampleOf(const Json &record, const std::string &reason) {
    return {numbersOf(record.value("extents", Json::object())),
            numbersOf(record.value("tunables", Json::object())), record["seed"], reason,
            record["data"][0]};
  }

  const std::filesystem::path &bundle_;
  const RunChoice &choice_;
  const BundleShare share_;
  const std::filesystem::path &scratch_;
  RunsOfBundle result_;
};

} // namespace

std::string CounterExample::text() const {
  std::string text;
  for (const auto *numbers : {&extents, &tunables}) {
    for (const auto &[name, value] : *numbers)
      text += (text.empty() ? "" : " ") + name + "=" + std::to_string(value);
  }
  return text;
}

std::vector<std::string> CounterExample::options(const std::vector<std::string> &free) const {
  Words words;
  for (const std::string &extent : free) {
    if (auto at = extents.find(extent); at != extents.end())
      words.insert(words.end(), {"--size", extent + "=" + std::to_string(at->second)});
  }
  for (const auto &[name, value] : tunables)
    words.insert(words.end(), {"--set", name + "=" + std::to_string(value)});
  if (seed != 1)
    words.insert(words.end(), {"--seed", std::to_string(seed)});
  if (data != "ordinary")
    words.insert(words.end(), {"--data", data});
  return words;
}

RunsOfBundle runBundle(const std::filesystem::path &bundle, const RunChoice &choice,
                       BundleShare share, const std::filesystem::path &scratch) {
  return BundleRuns(bundle, choice, share, scratch).all();
}

} // namespace tangram::driver
