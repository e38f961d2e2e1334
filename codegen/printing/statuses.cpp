#include "codegen/printing/statuses.h"

#include <array>

namespace tangram::codegen {

namespace {

struct Meaning {
  Status status;
  const char *name;
  const char *message;
};

constexpr std::array<Meaning, 7> meanings{{
    {Status::Refused, "refused", ""},
    {Status::NoMemory, "no_memory", "there is no memory for temporaries"},
    {Status::SmallWorkspace, "small_workspace", "the workspace is missing or too small"},
    {Status::Overlap, "overlap", "a container that is written shares memory with another one"},
    {Status::SmallBuffer, "small_buffer", "a buffer is smaller than the container that it holds"},
    {Status::BadData, "bad_data", "elements are not what is required of them"},
    {Status::Misaligned, "misaligned",
     "a container that is read or written several elements at a time begins between two of those "
     "places"},
}};

const Meaning &meaningOf(Status status) { return meanings[static_cast<std::size_t>(status) - 1]; }

std::string messageOf(Status status, const StatusSet &set) {
  return status == Status::Refused ? set.refused : meaningOf(status).message;
}

} // namespace

const StatusSet &hostStatuses() {
  static const StatusSet set{
      {Status::Refused, Status::NoMemory, Status::SmallWorkspace, Status::Overlap, Status::BadData},
      "no call with these sizes or numbers of workers can be served",
      "",
      "",
      "\"an unknown status\""};
  return set;
}

std::string statusName(const std::string &name, Status status) {
  return name + "_" + meaningOf(status).name;
}

std::vector<std::string> statusNames(const std::string &name) {
  std::vector<std::string> names{name + "_ok"};
  for (const Meaning &each : meanings)
    names.push_back(name + "_" + each.name);
  return names;
}

std::string statusDeclarations(const std::string &name, const StatusSet &set) {
  std::string text = "/// What the functions return" + set.others + ".\nenum " + name +
                     "_status {\n  " + name + "_ok = 0";
  for (const Status each : set.statuses)
    text += ",\n  /* " + messageOf(each, set) + " */\n  " + statusName(name, each) + " = " +
            std::to_string(static_cast<int>(each));
  return text + "\n};\n\n/// A status in words, which are never freed.\nconst char *" + name +
         "_message(int status);\n";
}

std::string messageFunction(const std::string &name, const StatusSet &set) {
  std::string text = "const char *" + name +
                     "_message(int status) {\n  switch (status) {\n  case " + name +
                     "_ok:\n    return \"success\";\n";
  for (const Status each : set.statuses)
    text +=
        "  case " + statusName(name, each) + ":\n    return \"" + messageOf(each, set) + "\";\n";
  return text + set.errors + "  default:\n    return " + set.unknown + ";\n  }\n}\n";
}

} // namespace tangram::codegen
