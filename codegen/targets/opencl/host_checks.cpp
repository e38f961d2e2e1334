#include "codegen/targets/opencl/host_checks.h"

#include "codegen/printing/c_types.h"
#include "codegen/printing/launch_defaults.h"
#include "codegen/printing/source.h"
#include "codegen/printing/statuses.h"
#include "codegen/targets/opencl/host_interface.h"

namespace tangram::codegen {

namespace {

constexpr const char *checksText =
    R"(/// A container of a call.
struct tangram_container {
  cl_mem buffer;
  double elements;
  size_t size; ///< of each
  bool is_written;
};

/// The memory that it has: of a part of a buffer that of the whole.
struct tangram_place {
  cl_mem memory;
  size_t begin, bytes;
};

static int tangram_find_place(const struct tangram_container *container, struct tangram_place *place) {
  *place = (struct tangram_place){container->buffer, 0, 0};
  const double bytes = container->elements * (double)container->size;
  if (bytes == 0)
    return CL_SUCCESS;
  size_t available = 0;
  cl_mem whole = NULL;
  int status = clGetMemObjectInfo(container->buffer, CL_MEM_SIZE, sizeof available, &available, NULL);
  if (status == CL_SUCCESS && bytes > (double)available)
    status = $NAME_small_buffer;
  if (status == CL_SUCCESS)
    status = clGetMemObjectInfo(container->buffer, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof whole, &whole, NULL);
  if (status == CL_SUCCESS && whole) {
    place->memory = whole;
    status = clGetMemObjectInfo(container->buffer, CL_MEM_OFFSET, sizeof place->begin, &place->begin, NULL);
  }
  place->bytes = status == CL_SUCCESS ? (size_t)bytes : 0;
  return status;
}

/// Each buffer holds its container, and what is written shares no memory with another container.
static int tangram_check_containers(const struct tangram_container *containers, unsigned count) {
  struct tangram_place places[$COUNT];
  for (unsigned i = 0; i < count; ++i) {
    const int status = tangram_find_place(&containers[i], &places[i]);
    if (status != CL_SUCCESS)
      return status;
    for (unsigned k = 0; k < i; ++k) {
      const bool is_same = places[i].memory == places[k].memory && places[i].bytes > 0 && places[k].bytes > 0 &&
                           places[i].begin < places[k].begin + places[k].bytes &&
                           places[k].begin < places[i].begin + places[i].bytes;
      if (is_same && (containers[i].is_written || containers[k].is_written))
        return $NAME_overlap;
    }
  }
  return CL_SUCCESS;
}

)";

} // namespace

std::string callChecksText(const std::string &name, const std::vector<Container> &containers,
                           std::set<std::string> taken) {
  const std::string array = claimName("containers", taken);
  std::vector<std::string> parameters;
  std::string rows;
  for (const Container &each : containers) {
    parameters.push_back("cl_mem " + each.name);
    std::string count;
    for (const std::string &extent : each.extents) {
      parameters.push_back("size_t " + extent);
      count += (count.empty() ? "(double)" : " * (double)") + extent;
    }
    rows += (rows.empty() ? "\n      {" : ",\n      {") + each.name + ", " +
            (count.empty() ? "1" : count) + ", sizeof(" + openclApiName(each.element) + "), " +
            (each.isWritten ? "true}" : "false}");
  }
  const std::string number = std::to_string(containers.size());
  const std::string text = replaced(replaced(checksText, "$NAME", name), "$COUNT", number);
  return text + "static int tangram_check_call(" + commaSeparated(parameters) +
         ") {\n  const struct tangram_container " + array + "[] = {" + rows +
         "};\n  return tangram_check_containers(" + array + ", " + number + ");\n}\n\n";
}

std::string dataChecksText(const LoweredPlan &plan, const CFunction &signature,
                           const std::vector<Container> &containers, const DataSpelling &says) {
  std::set<std::string> taken(signature.arguments.begin(), signature.arguments.end());
  const std::string waits = claimName("waits", taken);
  const std::string list = claimName("wait_list", taken);
  const std::string elements = claimName("elements", taken);
  const std::string status = claimName("status", taken);
  const std::string keeps = claimName("keeps", taken);
  const std::string &queue = signature.arguments.front();
  std::string inside;
  for (const DataContract &contract : plan.data) {
    if (isScalar(contract, containers))
      inside += "  if (!" + keepsContract(contract, "&" + contract.container->name, "1", says) +
                ")\n    return " + statusName(plan.spectrum, Status::BadData) + ";\n";
    for (const Container &each : containers) {
      if (each.name != contract.container->name)
        continue;
      const std::string type = says.type(each.element);
      inside += "  if (" + status + " == CL_SUCCESS && " + each.count + " > 0) {\n    " + type +
                " *" + elements + " = clEnqueueMapBuffer(" + queue + ", " + each.name +
                ", CL_TRUE, CL_MAP_READ, 0,\n        " + each.count + " * sizeof(" + type + "), " +
                waits + ", " + list + ", NULL, &" + status + ");\n    if (" + status +
                " == CL_SUCCESS) {\n      const bool " + keeps + " =\n          " +
                keepsContract(contract, elements, each.count, says) + ";\n      " + status +
                " = clEnqueueUnmapMemObject(" + queue + ", " + each.name + ", " + elements +
                ", 0, NULL, NULL);\n      if (" + status + " == CL_SUCCESS && !" + keeps +
                ")\n        " + status + " = " + statusName(plan.spectrum, Status::BadData) +
                ";\n    }\n  }\n";
    }
  }
  std::vector<std::string> parameters;
  for (std::size_t i = 0; i < signature.arguments.size(); ++i) {
    if (mentionsName(inside, signature.arguments[i]))
      parameters.push_back(signature.parameters[i]);
  }
  parameters.insert(parameters.end(), {"cl_uint " + waits, "const cl_event *" + list});
  return dataCheckFunctions(plan, says) +
         "/// Checks the numbers that the kernels rely on.\nstatic int "
         "tangram_check_data(" +
         commaSeparated(parameters) + ") {\n  cl_int " + status + " = CL_SUCCESS;\n" + inside +
         "  return " + status + ";\n}\n\n";
}

std::string checkOfData(const std::string &text, const CFunction &signature,
                        const std::string &waits) {
  const std::string inside = text.substr(text.rfind("static int tangram_check_data("));
  return "tangram_check_data(" + commaSeparated(mentionedIn(inside, signature.arguments)) + ", " +
         waits + ")";
}

std::string checkOfCall(const std::vector<Container> &containers) {
  std::vector<std::string> arguments;
  for (const Container &each : containers) {
    arguments.push_back(each.name);
    arguments.insert(arguments.end(), each.extents.begin(), each.extents.end());
  }
  return "tangram_check_call(" + commaSeparated(arguments) + ")";
}

} // namespace tangram::codegen
