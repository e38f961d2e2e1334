#include "runtime/session/report.h"

#include "escape/escape.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace tangram::runtime {

namespace {

constexpr std::array outcomes{Outcome::Verified,   Outcome::Timed,         Outcome::Wrong,
                              Outcome::Inaccurate, Outcome::NotComparable, Outcome::Refused,
                              Outcome::Failed};

std::string fixed(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

std::string firstLine(const std::string &text) { return text.substr(0, text.find('\n')); }

/// Of a timed record; "" when nobody knows how many bytes moved.
/// Nothing where a container is empty, too: what is left to move says nothing of memory.
std::string gigabytesText(const Record &record) {
  const bool empty = std::any_of(record.extents.begin(), record.extents.end(),
                                 [](const auto &extent) { return extent.second == 0; });
  return record.bytesDependOnData || empty
             ? ""
             : fixed(record.timing->gigabytesPerSecond(record.bytes), 2);
}

/// How many medians the slowest run took, where a spread in percent would be a long number; empty otherwise.
std::string mediansOfMax(const Timing &timing) {
  return timing.spreadPercent() > 1000 ? fixed(timing.max / timing.median, 0) + " x median" : "";
}

/// That other work has disturbed the runs; empty: it has not.
std::string disturbedText(const Timing &timing) {
  return timing.isDisturbed() ? ", disturbed: half of the runs took more than " +
                                    fixed(std::floor(timing.median / timing.min), 0) +
                                    " times as long as the fastest"
                              : "";
}

/// "100 bytes", "3.8 MiB".
std::string amountText(std::uint64_t bytes) {
  if (bytes < 1024)
    return std::to_string(bytes) + " bytes";
  constexpr std::array units{"KiB", "MiB", "GiB", "TiB"};
  double amount = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  for (; amount >= 1024 && unit + 1 < units.size(); ++unit)
    amount /= 1024;
  return fixed(amount, 1) + " " + units[unit];
}

/// "3.8 MiB of memory, 1.9 MiB of it temporaries".
std::string memoryText(const MemoryNeeds &memory) {
  std::string text = amountText(memory.total()) + " of memory";
  if (memory.temporaries > 0)
    text += ", " + amountText(memory.temporaries) + " of it temporaries";
  return text;
}

/// Why a result is not right, and what was found out about it.
std::string findingText(const Record &record) {
  std::string found = firstLine(record.reason);
  if (record.verification && mayBeTimed(record.outcome)) {
    const std::string more = text(*record.verification);
    found += (found.empty() || more.empty() ? "" : "; ") + more;
  }
  return found;
}

nlohmann::ordered_json verificationJson(const Verification &found) {
  nlohmann::ordered_json json{{"bit_for_bit", found.bitForBit}};
  const bool widened = found.sameFunctionWithin || found.roundingAtMost;
  json["asked"] = widened ? nlohmann::ordered_json{"same function", "only rounding"}
                          : nlohmann::ordered_json{"same bytes"};
  if (found.sameFunctionWithin)
    json["same_function_within"] = *found.sameFunctionWithin;
  if (found.roundingAtMost)
    json["rounding_at_most"] = *found.roundingAtMost;
  json["results"] = found.results;
  json["not_finite"] = found.nan + found.infinite;
  json["nan"] = found.nan;
  json["decided_differently"] = found.decidedDifferently;
  if (found.decidedDifferently > 0)
    json["first_decided_differently"] = found.firstDecided;
  json["not_judged"] = found.notJudged;
  return json;
}

nlohmann::ordered_json recordJson(const Record &record) {
  nlohmann::ordered_json run{
      {"bundle", record.bundle},   {"spectrum", record.spectrum}, {"target", record.target},
      {"model", record.model},     {"plan", record.planId},       {"device", record.device},
      {"extents", record.extents}, {"tunables", record.tunables}, {"status", name(record.outcome)}};
  if (!record.version.empty())
    run["version"] = record.version;
  if (!record.reason.empty())
    run["reason"] = record.reason;
  for (const DataKind kind : record.data)
    run["data"].push_back(name(kind));
  run["seed"] = record.seed;
  if (record.verification)
    run["verification"] = verificationJson(*record.verification);
  if (const std::optional<Timing> &t = record.timing) {
    run["seconds"] = {{"first", t->first},
                      {"median", t->median},
                      {"min", t->min},
                      {"max", t->max},
                      {"quartiles", {t->lowerQuartile, t->upperQuartile}}};
    run["verified"] = record.outcome == Outcome::Verified;
    run["repeat"] = t->repeat;
    run["spread_percent"] = t->spreadPercent();
    if (t->isDisturbed())
      run["disturbed"] = true;
    run["caches"] = t->caches == Caches::Cold ? "cold" : "warm";
    if (!record.bytesDependOnData) {
      run["bytes"] = record.bytes;
      run["gb_per_s"] = t->gigabytesPerSecond(record.bytes);
    }
  }
  if (const std::optional<MemoryNeeds> &memory = record.memory)
    run["memory"] = {{"high_water", memory->total()},
                     {"arguments", memory->arguments},
                     {"temporaries", memory->temporaries}};
  return run;
}

} // namespace

std::string alignedTable(const std::vector<std::vector<std::string>> &given) {
  std::vector<std::vector<std::string>> rows = given;
  for (auto &row : rows)
    std::ranges::transform(row, row.begin(), escape::terminalLine);
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const auto &row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c)
      widths[c] = std::max(widths[c], row[c].size());
  }
  std::string text;
  for (const auto &row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c)
      line += row[c] + std::string(widths[c] - row[c].size() + 2, ' ');
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string assignmentsText(const std::map<std::string, std::uint64_t> &values) {
  std::string text;
  for (const auto &[name, value] : values)
    text += (text.empty() ? "" : " ") + name + "=" + std::to_string(value);
  return text;
}

std::string secondsText(double seconds) {
  if (seconds >= 1)
    return fixed(seconds, 3) + " s";
  return seconds >= 1e-3 ? fixed(seconds * 1e3, 3) + " ms" : fixed(seconds * 1e6, 3) + " us";
}

std::string recordLine(const Record &record) {
  std::string outcome = name(record.outcome);
  std::string line =
      outcome + std::string(std::max<std::size_t>(outcome.size() + 2, 10) - outcome.size(), ' ') +
      escape::terminalLine(record.bundle);
  if (!record.version.empty())
    line += "  version " + record.version;
  for (const auto *values : {&record.extents, &record.tunables}) {
    if (!values->empty())
      line += "  " + assignmentsText(*values);
  }
  if (const std::string found = findingText(record); !found.empty())
    line += ": " + found;
  if ((record.outcome == Outcome::Wrong || record.outcome == Outcome::Inaccurate) &&
      record.data != std::vector{DataKind::Ordinary})
    for (const DataKind kind : record.data)
      line += " (--data " + name(kind) + ")";
  if (record.outcome == Outcome::Timed)
    line += "  not verified";
  if (const std::optional<Timing> &t = record.timing) {
    line += t->caches == Caches::Cold ? "  cold caches" : "";
    line += "  median " + secondsText(t->median) + ", min " + secondsText(t->min) + ", max " +
            secondsText(t->max);
    const std::string medians = mediansOfMax(*t);
    line += medians.empty() ? ", spread " + fixed(t->spreadPercent(), 1) + " %" : " = " + medians;
    if (std::string rate = gigabytesText(record); !rate.empty())
      line += ", " + rate + " GB/s";
    line += disturbedText(*t);
  }
  if (record.memory)
    line += ", " + memoryText(*record.memory);
  return line;
}

std::string detailsOf(const Record &record) {
  std::size_t end = record.reason.find('\n');
  return end == std::string::npos ? "" : record.reason.substr(end + 1);
}

std::string summaryLine(const std::vector<Record> &records) {
  std::string text;
  for (Outcome outcome : outcomes) {
    auto count = std::count_if(records.begin(), records.end(),
                               [&](const Record &r) { return r.outcome == outcome; });
    if (count > 0)
      text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + name(outcome);
  }
  return text.empty() ? "nothing to run" : text;
}

std::string timeTable(const std::vector<Record> &records) {
  std::vector<const Record *> timed;
  for (const Record &record : records) {
    if (record.timing)
      timed.push_back(&record);
  }
  if (timed.empty())
    return {};
  std::stable_sort(timed.begin(), timed.end(), [](const Record *a, const Record *b) {
    return a->timing->median < b->timing->median;
  });
  std::vector<std::vector<std::string>> rows{
      {"plan", "target", "median", "min", "spread", "GB/s", "sizes", "tunables", "bundle"}};
  for (const Record *r : timed) {
    const std::string rate = gigabytesText(*r);
    const std::string medians = mediansOfMax(*r->timing);
    rows.push_back(
        {r->planId, r->target, secondsText(r->timing->median), secondsText(r->timing->min),
         (medians.empty() ? fixed(r->timing->spreadPercent(), 1) + " %" : "max " + medians) +
             (r->timing->isDisturbed() ? ", disturbed" : ""),
         rate.empty() ? "-" : rate, assignmentsText(r->extents), assignmentsText(r->tunables),
         r->bundle});
  }
  if (std::all_of(timed.begin(), timed.end(),
                  [](const Record *r) { return r->bundle == r->planId; })) {
    for (std::vector<std::string> &row : rows)
      row.pop_back();
  }
  return alignedTable(rows);
}

nlohmann::ordered_json recordsJson(const std::string &command, const std::vector<Record> &records) {
  nlohmann::ordered_json runs = nlohmann::ordered_json::array();
  for (const Record &record : records)
    runs.push_back(recordJson(record));
  nlohmann::ordered_json summary;
  for (Outcome outcome : outcomes) {
    std::string key = name(outcome);
    std::replace(key.begin(), key.end(), ' ', '_');
    // All that was timed, whatever its status.
    summary[key] = std::count_if(records.begin(), records.end(), [&](const Record &r) {
      return outcome == Outcome::Timed ? r.timing.has_value() : r.outcome == outcome;
    });
  }
  return {{"command", command}, {"runs", runs}, {"summary", summary}};
}

} // namespace tangram::runtime
