// Status codes of a library's functions: the enumeration in its header, and NAME_message, which puts a code in words.
#pragma once

#include <string>
#include <vector>

namespace tangram::codegen {

/// 0 is success, numbers below 0 are errors of the library that a target is driven by.
enum class Status {
  Refused = 1,
  NoMemory = 2,
  SmallWorkspace = 3,
  Overlap = 4,
  SmallBuffer = 5,
  BadData = 6, ///< of libraries that check the data of calls (synth --checked)
  Misaligned = 7,
};

/// What the functions of a target's libraries return beside success.
struct StatusSet {
  std::vector<Status> statuses;
  std::string refused; ///< the message of Refused
  std::string
      others; ///< what the header says of numbers below 0: ", beside ... "; empty: there are none
  std::string errors;  ///< cases of NAME_message for them
  std::string unknown; ///< an expression: the message of any other number
};

/// Of libraries whose functions compute when they are called.
const StatusSet &hostStatuses();

/// "sum_overlap" of the library `name`.
std::string statusName(const std::string &name, Status status);

/// The names that the enumeration defines for a library, whatever its target.
std::vector<std::string> statusNames(const std::string &name);

/// `enum NAME_status` and the declaration of NAME_message.
std::string statusDeclarations(const std::string &name, const StatusSet &set);

/// The definition of NAME_message.
std::string messageFunction(const std::string &name, const StatusSet &set);

} // namespace tangram::codegen
