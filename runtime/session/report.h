// Records as text for people and as JSON for programs (docs/bundle.md).
#pragma once

#include "runtime/session/session.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace tangram::runtime {

/// One line: outcome, bundle, extents, tunables, then times or the first line of the reason.
std::string recordLine(const Record &record);

/// The other lines of the reason, such as a compiler's output; empty without any.
std::string detailsOf(const Record &record);

/// "3 verified, 1 refused": the outcomes that occur, in the order of Outcome.
std::string summaryLine(const std::vector<Record> &records);

/// The timed records, fastest first, as an aligned table with a header; empty without any. Without
/// the column of the bundles when these are called by their plans' ids.
std::string timeTable(const std::vector<Record> &records);

/// {"command": ..., "runs": [...], "summary": {...}}. The summary counts statuses, and as "timed" all that was timed.
nlohmann::ordered_json recordsJson(const std::string &command, const std::vector<Record> &records);

/// Columns as wide as their widest cell, two blanks between them, none at the end of a line.
std::string alignedTable(const std::vector<std::vector<std::string>> &rows);

/// "n=1000 p=4".
std::string assignmentsText(const std::map<std::string, std::uint64_t> &values);

/// "1.234 ms": three digits after the point in the unit that suits.
std::string secondsText(double seconds);

} // namespace tangram::runtime
