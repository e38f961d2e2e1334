#include "driver/equivalence_runs.h"

#include "driver/child_process.h"
#include "driver/input.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace tangram::driver {

namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;
using Numbers = std::vector<std::int64_t>;

constexpr std::size_t several = 2; ///< tunables of which several values are tried

std::string contents(const std::filesystem::path &file) {
  std::ifstream stream(file);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::string list(const Numbers &numbers) {
  std::string text;
  for (std::int64_t number : numbers)
    text += (text.empty() ? "" : ",") + std::to_string(number);
  return text;
}

/// Extents that no equation of the signature gives.
Words freeExtents(const Json &manifest) {
  Words names;
  for (const Json &parameter : manifest["signature"]["parameters"]) {
    for (const Json &extent : parameter.value("extents", Json::array())) {
      if (std::ranges::none_of(names, [&](const Json &name) { return name == extent; }))
        names.push_back(extent);
    }
  }
  for (const Json &equation : manifest.value("shape", Json::array()))
    std::erase(names, equation["extent"].get<std::string>());
  return names;
}

/// Nothing, one, about a tile, a ragged one; all combinations of them where there are more extents,
/// which makes flat and tall shapes.
Words awkwardSizes(const Words &extents) {
  static const std::vector<Numbers> byNumber{
      {}, {0, 1, 2, 3, 7, 16, 17, 33, 100}, {0, 1, 3, 17, 33}, {0, 1, 7, 17}, {0, 1, 5}};
  const Numbers &sizes =
      extents.size() < byNumber.size() ? byNumber[extents.size()] : Numbers{1, 3};
  Words words;
  for (const std::string &extent : extents)
    words.insert(words.end(), {"--size", extent + "=" + list(sizes)});
  return words;
}

/// Smaller than the failing shape, or at least small.
Words smallSizes(const Words &extents, const CounterExample &known) {
  static constexpr std::uint64_t most[] = {0, 64, 6, 3, 2};
  const std::uint64_t limit = extents.size() < std::size(most) ? most[extents.size()] : 1;
  Words words;
  for (const std::string &extent : extents) {
    auto at = known.extents.find(extent);
    Numbers sizes;
    for (std::uint64_t n = 0; n <= std::min(limit, at == known.extents.end() ? limit : at->second);
         ++n)
      sizes.push_back(static_cast<std::int64_t>(n));
    words.insert(words.end(), {"--size", extent + "=" + list(sizes)});
  }
  return words;
}

bool allows(const Json &tunable, std::int64_t value) {
  const Json values = tunable.value("values", Json::array());
  return value >= tunable.value("min", std::int64_t{1}) &&
         value <= tunable.value("max", INT64_MAX) &&
         (values.empty() || std::ranges::any_of(values, [&](const Json &v) { return v == value; }));
}

/// One, few and many of everything; a tunable that needs a compilation has only few and many.
Words otherSettings(const Json &manifest) {
  Words words;
  std::size_t number = 0;
  for (const Json &tunable : manifest["tunables"]) {
    const bool compiled = tunable.value("kind", "") == "compile";
    Numbers wanted =
        number < several ? (compiled ? Numbers{3, 64} : Numbers{1, 3, 64}) : Numbers{3};
    std::erase_if(wanted, [&](std::int64_t value) { return !allows(tunable, value); });
    if (wanted.empty())
      continue;
    ++number;
    words.insert(words.end(), {"--set", tunable["name"].get<std::string>() + "=" + list(wanted)});
  }
  return words;
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

/// Fewer elements first, then fewer workers.
bool smaller(const CounterExample &a, const CounterExample &b) {
  return std::pair(total(a.extents), total(a.tunables)) <
         std::pair(total(b.extents), total(b.tunables));
}

class BundleRuns {
public:
  BundleRuns(const std::filesystem::path &bundle, const RunChoice &choice,
             const std::filesystem::path &scratch)
      : bundle_(bundle), choice_(choice), scratch_(scratch),
        manifest_(Json::parse(contents(bundle / "manifest.json"))) {
    result_.freeExtents = freeExtents(manifest_);
  }

  RunsOfBundle all() {
    Words sizes = awkwardSizes(result_.freeExtents);
    if (!choice_.sizes.empty()) {
      sizes.clear();
      for (const std::string &size : choice_.sizes)
        sizes.insert(sizes.end(), {"--size", size});
    }
    verify(sizes, {}, choice_.seed);
    if (result_.problem.empty())
      verify(sizes, otherSettings(manifest_), choice_.seed + 1);
    if (result_.wrong && choice_.sizes.empty() && !result_.freeExtents.empty())
      shrink();
    return std::move(result_);
  }

private:
  void shrink() {
    const CounterExample found = *result_.wrong;
    Words settings;
    for (const auto &[name, value] : found.tunables)
      settings.insert(settings.end(), {"--set", name + "=" + std::to_string(value)});
    verify(smallSizes(result_.freeExtents, found), settings, found.seed);
  }

  void verify(const Words &sizes, const Words &settings, std::uint64_t seed) {
    std::ostringstream limit;
    limit << choice_.timeLimit;
    Words words{"verify",       bundle_.string(), "--format", "json",
                "--time-limit", limit.str(),      "--seed",   std::to_string(seed)};
    words.insert(words.end(), sizes.begin(), sizes.end());
    words.insert(words.end(), settings.begin(), settings.end());
    const ChildOutput output{scratch_ / "runs.json", scratch_ / "messages.txt"};
    std::ostringstream ended;
    runAndWait(executableFolder() / "tangram-run", words, ended, output);
    const Json records = Json::parse(contents(output.out), nullptr, false);
    if (records.is_discarded() || !records.contains("runs")) {
      result_.problem = ended.str() + contents(output.err);
      return;
    }
    for (const Json &record : records["runs"])
      take(record, seed);
  }

  void take(const Json &record, std::uint64_t seed) {
    const std::string status = record["status"];
    const std::string reason = record.value("reason", "");
    if (status == "verified") {
      ++result_.verified;
      result_.shapes.insert(numbersOf(record["extents"]));
    } else if (status == "refused") {
      result_.refusal = reason;
    } else {
      CounterExample example{numbersOf(record.value("extents", Json::object())),
                             numbersOf(record.value("tunables", Json::object())), seed, reason};
      auto &smallest =
          reason.starts_with("tangram_reference") ? result_.referenceFails : result_.wrong;
      if (!smallest || smaller(example, *smallest))
        smallest = example;
    }
  }

  const std::filesystem::path &bundle_;
  const RunChoice &choice_;
  const std::filesystem::path &scratch_;
  Json manifest_;
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
  return words;
}

RunsOfBundle runBundle(const std::filesystem::path &bundle, const RunChoice &choice,
                       const std::filesystem::path &scratch) {
  return BundleRuns(bundle, choice, scratch).all();
}

} // namespace tangram::driver
