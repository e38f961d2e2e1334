#include "driver/commands/compare_command.h"

#include "driver/text/comma_list.h"

#include "driver/commands/compare_page.h"
#include "driver/commands/comparison_json.h"
#include "driver/text/text_table.h"
#include "files/write_file.h"
#include "json/reader.h"

#include <algorithm>

namespace tangram::driver {

namespace {

namespace fs = std::filesystem;

/// What limits the plan at most of the sizes that it serves.
std::string mostlyLimitedBy(const PlanAccount &account) {
  std::map<std::string, int> times;
  for (const PredictedSize &size : account.sizes) {
    if (size.refusal.empty())
      ++times[limitOf(size.prediction)];
  }
  const auto most =
      std::ranges::max_element(times, {}, [](const auto &each) { return each.second; });
  return most == times.end() ? "" : most->first;
}

/// Plans that a machine cannot have.
struct Note {
  std::string machine, why, ids;
};

class Text {
public:
  Text(const Comparison &comparison, bool measured)
      : comparison_(comparison), measured_(measured), best_(bestOf(comparison)) {}

  std::string all() {
    rows_.push_back({comparison_.machines.front()->planner().order().root().spectrum->name});
    rows_.push_back(
        {std::string(comparison_.byWay ? "way" : "plan") + ": top; distributed to; computed by"});
    std::vector<const char *> columns{"no.", "ms", "ratio", "limited by"};
    if (comparison_.byWay)
      columns.insert(columns.begin(), "plan");
    if (measured_)
      columns.push_back("measured");
    for (const auto &machine : comparison_.machines) {
      rows_[0].insert(rows_[0].end(), columns.size() - (measured_ ? 2 : 1), "");
      rows_[0].push_back(machine->name());
      if (measured_)
        rows_[0].emplace_back();
      rows_[1].insert(rows_[1].end(), columns.begin(), columns.end());
    }
    for (const ComparedPlan &plan : comparison_.plans)
      row(plan);
    return table(rows_, "") + answers() + notes();
  }

private:
  void row(const ComparedPlan &plan) {
    const std::string way = plan.outline.top + "; " +
                            (plan.levels.empty() ? "one worker" : joined(plan.levels, " ")) + "; " +
                            joined(plan.outline.leaves, " ") +
                            (plan.apart.empty() ? "" : "; with " + shortened(plan.apart));
    std::vector<std::string> &row =
        rows_.emplace_back(1, comparison_.byWay ? way : plan.id + "  " + way);
    for (std::size_t m = 0; m < plan.on.size(); ++m) {
      const ComparedCell &cell = plan.on[m];
      const auto seconds = cell.account.seconds();
      const std::string why = cell.missing.empty() ? cell.account.refusal : cell.missing;
      if (!seconds)
        note(comparison_.machines[m]->name(), why.empty() ? "it serves none of the sizes" : why,
             plan.id);
      if (comparison_.byWay)
        row.push_back(cell.missing.empty() ? cell.account.plan.id : "-");
      row.push_back(cell.position == 0 ? "-" : std::to_string(cell.position));
      row.push_back(seconds ? figures(*seconds * 1e3) : "-");
      row.push_back(seconds ? figures(*seconds / best_[m]) : "-");
      row.push_back(seconds ? mostlyLimitedBy(cell.account) : "-");
      if (measured_)
        row.push_back(cell.measured.empty() ? "-" : measuredText(cell));
    }
  }

  /// At most two steps, which are enough to find the others in the page.
  static std::string shortened(const std::vector<std::string> &steps) {
    constexpr std::size_t most = 2;
    const std::vector<std::string> first(
        steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(std::min(most, steps.size())));
    return joined(first, ", ") + (steps.size() > most ? ", ..." : "");
  }

  /// What the table says, in sentences: the best of each machine, and what one plan for all would lose.
  std::string answers() const {
    std::string text;
    for (std::size_t m = 0; m < comparison_.machines.size(); ++m)
      text += bestOn(m);
    const auto one = planForAll(comparison_);
    if (comparison_.machines.size() == 1 || !one)
      return text;
    text += std::string("one ") + (comparison_.byWay ? "way" : "plan") +
            " for all: " + comparison_.plans[one->row].id;
    for (std::size_t m = 0; m < one->ratios.size(); ++m)
      text += std::string(m == 0 ? ": " : ", ") + figures(one->ratios[m]) + " times the best of " +
              comparison_.machines[m]->name();
    return text + "\n";
  }

  std::string bestOn(std::size_t m) const {
    const ComparedPlan *best = nullptr;
    double next = 0; // among those that take longer
    for (const ComparedPlan &plan : comparison_.plans) {
      const auto seconds = plan.on[m].account.seconds();
      if (seconds && *seconds == best_[m] && !best)
        best = &plan;
      else if (seconds && *seconds > 1.005 * best_[m] && (next == 0 || *seconds < next))
        next = *seconds;
    }
    if (!best)
      return "";
    return "best on " + comparison_.machines[m]->name() + ": " + best->on[m].account.plan.id +
           ", " + milliseconds(best_[m]) +
           (next == 0 ? "" : "; the next takes " + figures(next / best_[m]) + " times as long") +
           "\n";
  }

  /// Plans that a machine cannot have for the same reason share a line.
  void note(const std::string &machine, const std::string &why, const std::string &id) {
    auto known = std::ranges::find_if(
        notes_, [&](const Note &each) { return each.machine == machine && each.why == why; });
    if (known == notes_.end())
      known = notes_.insert(known, {machine, why, ""});
    known->ids += (known->ids.empty() ? "" : ", ") + id;
  }

  std::string notes() const {
    std::string text;
    for (const Note &each : notes_)
      text += "not on " + each.machine + ": " + each.ids + ": " + each.why + "\n";
    return text;
  }

  /// Measured at the first problem that is also predicted.
  static std::string measuredText(const ComparedCell &cell) {
    for (const PredictedSize &size : cell.account.sizes) {
      for (const MeasuredTime &each : cell.measured) {
        if (each.extents == size.extents)
          return figures(each.times.median * 1e3);
      }
    }
    return "other sizes";
  }

  const Comparison &comparison_;
  bool measured_;
  std::vector<double> best_;
  std::vector<std::vector<std::string>> rows_;
  std::vector<Note> notes_;
};

} // namespace

runtime::Result<std::vector<runtime::SizeChoice>> measuredSizes(const fs::path &store,
                                                                const std::string &spectrum) {
  auto opened = runtime::Store::openToRead(store);
  if (!opened)
    return opened.error();
  auto found = opened->measurements({.spectrum = spectrum});
  if (!found)
    return found.error();
  std::vector<std::map<std::string, std::uint64_t>> seen;
  std::vector<runtime::SizeChoice> sizes;
  for (const runtime::Measurement &each : *found) {
    if (std::ranges::find(seen, each.of.extents) != seen.end())
      continue;
    seen.push_back(each.of.extents);
    sizes.emplace_back();
    for (const auto &[name, extent] : each.of.extents)
      sizes.back().named[name] = {extent};
  }
  return sizes;
}

int compareCommand(const CompareOptions &options, ComparedMachines machines, std::ostream &out,
                   std::ostream &err) {
  auto comparison = compare(std::move(machines), options.comparison, err);
  if (!comparison)
    return 1;
  if (!options.store.empty()) {
    auto store = runtime::Store::openToRead(options.store);
    const runtime::Status read = store ? addMeasurements(*comparison, *store) : store.error();
    if (!read) {
      err << "error: " << read.error().message << "\n";
      return 1;
    }
  }
  const bool asJson = options.format == "json";
  const nlohmann::ordered_json json =
      asJson || !options.page.empty() ? comparisonJson(*comparison) : nlohmann::ordered_json();
  const std::string problem =
      options.page.empty() ? "" : files::writeFile(options.page, comparePage(json));
  if (!problem.empty()) {
    err << "error: cannot write " << options.page.string() << ": " << problem << "\n";
    return 1;
  }
  if (asJson)
    out << json::dumped(json, 2) << "\n";
  else
    out << Text(*comparison, !options.store.empty()).all();
  return 0;
}

} // namespace tangram::driver
