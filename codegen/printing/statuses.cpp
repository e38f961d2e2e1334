#include "codegen/printing/statuses.h"

#include <array>

namespace tangram::codegen {

namespace {

enum class Of { Both, OpenMP, OpenCL };

struct Meaning {
  Status status;
  Of of;
  const char *name;
  const char *message;
};

constexpr std::array<Meaning, 6> meanings{{
    {Status::Refused, Of::Both, "refused",
     "no call with these sizes or numbers of workers can be served"},
    {Status::NoMemory, Of::OpenMP, "no_memory", "there is no memory for temporaries"},
    {Status::SmallWorkspace, Of::OpenMP, "small_workspace",
     "the workspace is missing or too small"},
    {Status::Overlap, Of::Both, "overlap",
     "a container that is written shares memory with another one"},
    {Status::SmallBuffer, Of::OpenCL, "small_buffer",
     "a buffer is smaller than the container that it holds"},
    {Status::BadData, Of::Both, "bad_data", "elements are not what is required of them"},
}};

constexpr const char *refusedByDevice =
    "no call with these sizes or numbers of workers can be served, or the device cannot run it";

/// Those that a program is likely to see.
constexpr std::array<const char *, 12> openclErrors{
    "CL_DEVICE_NOT_AVAILABLE",
    "CL_COMPILER_NOT_AVAILABLE",
    "CL_MEM_OBJECT_ALLOCATION_FAILURE",
    "CL_OUT_OF_RESOURCES",
    "CL_OUT_OF_HOST_MEMORY",
    "CL_BUILD_PROGRAM_FAILURE",
    "CL_MISALIGNED_SUB_BUFFER_OFFSET",
    "CL_INVALID_CONTEXT",
    "CL_INVALID_COMMAND_QUEUE",
    "CL_INVALID_MEM_OBJECT",
    "CL_INVALID_EVENT_WAIT_LIST",
    "CL_INVALID_BUFFER_SIZE",
};

bool isOf(const Meaning &meaning, bool isOpencl) {
  return meaning.of == Of::Both || (meaning.of == Of::OpenCL) == isOpencl;
}

std::string messageOf(const Meaning &meaning, bool isOpencl) {
  return meaning.status == Status::Refused && isOpencl ? refusedByDevice : meaning.message;
}

} // namespace

std::string statusName(const std::string &name, Status status) {
  for (const Meaning &each : meanings) {
    if (each.status == status)
      return name + "_" + each.name;
  }
  return name + "_ok";
}

std::vector<std::string> statusNames(const std::string &name) {
  std::vector<std::string> names{name + "_ok"};
  for (const Meaning &each : meanings)
    names.push_back(name + "_" + each.name);
  return names;
}

std::string statusDeclarations(const std::string &name, bool isOpencl) {
  std::string text =
      "/// What the functions return" +
      std::string(isOpencl ? ", beside OpenCL's own errors, which are below 0.\n" : ".\n") +
      "enum " + name + "_status {\n  " + name + "_ok = 0";
  for (const Meaning &each : meanings) {
    if (isOf(each, isOpencl))
      text += ",\n  /* " + messageOf(each, isOpencl) + " */\n  " + statusName(name, each.status) +
              " = " + std::to_string(static_cast<int>(each.status));
  }
  return text + "\n};\n\n/// A status in words, which are never freed.\nconst char *" + name +
         "_message(int status);\n";
}

std::string messageFunction(const std::string &name, bool isOpencl) {
  std::string text = "const char *" + name +
                     "_message(int status) {\n  switch (status) {\n  case " + name +
                     "_ok:\n    return \"success\";\n";
  for (const Meaning &each : meanings) {
    if (isOf(each, isOpencl))
      text += "  case " + statusName(name, each.status) + ":\n    return \"" +
              messageOf(each, isOpencl) + "\";\n";
  }
  for (const char *error : openclErrors) {
    if (isOpencl)
      text += std::string("  case ") + error + ":\n    return \"" + error + "\";\n";
  }
  return text + "  default:\n    return \"" +
         (isOpencl ? "an error of OpenCL" : "an unknown status") + "\";\n  }\n}\n";
}

} // namespace tangram::codegen
