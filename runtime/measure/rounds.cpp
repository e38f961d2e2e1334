#include "runtime/measure/rounds.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <vector>

namespace tangram::runtime {

namespace {

/// Rounds that differ by more say that something else has taken part of the time.
constexpr double sure = 0.1;
/// A figure that the two best rounds differ on by so much is worth a word.
constexpr double unsure = 0.25;
/// More than this part above its machine is no error of rounding.
constexpr double tolerance = 0.02;

constexpr const char *ofMachine = "bytes_per_second";
constexpr const char *ofCore = "unit_bytes_per_second";

bool isTime(const std::string &figure) {
  return figure.ends_with("_seconds") || figure.ends_with("_cycles");
}

using Rounds = std::map<std::string, std::vector<double>>; ///< each best first

void add(Rounds &rounds, const std::map<std::string, double> &costs) {
  for (const auto &[name, value] : costs) {
    std::vector<double> &all = rounds[name];
    all.push_back(value);
    std::ranges::sort(all);
    if (!isTime(name))
      std::ranges::reverse(all);
  }
}

/// How far the second best is from the best.
double spreadOf(const std::vector<double> &round) {
  if (round.size() < 2)
    return 0;
  const auto [least, most] = std::minmax(round[0], round[1]);
  return most / least - 1;
}

/// Whether one core seems to have more bandwidth than its machine.
bool isNonsense(const std::map<std::string, double> &costs) {
  const auto machine = costs.find(ofMachine), core = costs.find(ofCore);
  return machine != costs.end() && core != costs.end() &&
         core->second > (1 + tolerance) * machine->second;
}

std::string figure(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

} // namespace

Result<DeviceFigures> measureInRounds(const std::function<Result<DeviceFigures>()> &once) {
  DeviceFigures all;
  Rounds rounds;
  for (unsigned round = 1; round <= mostRounds; ++round) {
    Result<DeviceFigures> found = once();
    if (!found)
      return found.error();
    add(rounds, found->costs);
    all = std::move(*found);
    double spread = 0;
    for (const auto &[name, values] : rounds) {
      all.costs[name] = values.front();
      all.spreads[name] = spreadOf(values);
      spread = std::max(spread, all.spreads[name]);
    }
    if (round >= fewestRounds && spread <= sure && !isNonsense(all.costs))
      break;
  }
  if (isNonsense(all.costs)) {
    double &machine = all.costs[ofMachine];
    all.spreads[ofMachine] = all.costs[ofCore] / machine - 1;
    machine = all.costs[ofCore];
  }
  return all;
}

std::string doubtsOf(const DeviceFigures &figures) {
  std::string text;
  for (const auto &[name, spread] : figures.spreads) {
    if (spread > unsure)
      text += name + ": " + figure(figures.costs.at(name)) + ", which rounds differ on by " +
              figure(100 * spread) + " %\n";
  }
  return text;
}

} // namespace tangram::runtime
