#include "codegen/targets/opencl/host_interface.h"

#include "codegen/printing/c_types.h"
#include "codegen/printing/statuses.h"

namespace tangram::codegen {

using namespace ir;

std::string openclApiName(Scalar type) {
  switch (type) {
  case Scalar::Bool:
  case Scalar::U8:
    return "cl_uchar";
  case Scalar::I8:
    return "cl_char";
  case Scalar::I16:
    return "cl_short";
  case Scalar::U16:
    return "cl_ushort";
  case Scalar::I32:
    return "cl_int";
  case Scalar::U32:
    return "cl_uint";
  case Scalar::I64:
    return "cl_long";
  case Scalar::F16:
    return "cl_half";
  case Scalar::F32:
    return "cl_float";
  case Scalar::F64:
    return "cl_double";
  default:
    return "cl_ulong";
  }
}

const StatusSet &openclStatuses() {
  static const StatusSet set = [] {
    StatusSet made{{Status::Refused, Status::Overlap, Status::SmallBuffer, Status::BadData},
                   "no call with these sizes or numbers of workers can be served, or the device "
                   "cannot run it",
                   ", beside OpenCL's own errors, which are below 0",
                   "",
                   "\"an error of OpenCL\""};
    // Those that a program is likely to see.
    for (const char *error :
         {"CL_DEVICE_NOT_AVAILABLE", "CL_COMPILER_NOT_AVAILABLE",
          "CL_MEM_OBJECT_ALLOCATION_FAILURE", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY",
          "CL_BUILD_PROGRAM_FAILURE", "CL_MISALIGNED_SUB_BUFFER_OFFSET", "CL_INVALID_CONTEXT",
          "CL_INVALID_COMMAND_QUEUE", "CL_INVALID_MEM_OBJECT", "CL_INVALID_EVENT_WAIT_LIST",
          "CL_INVALID_BUFFER_SIZE"})
      made.errors += std::string("  case ") + error + ":\n    return \"" + error + "\";\n";
    return made;
  }();
  return set;
}

std::string queueName(const LoweredPlan &plan) {
  std::set<std::string> taken;
  for (const auto *named : {&plan.parameters, &plan.extents}) {
    for (const VarPtr &v : *named)
      taken.insert(v->name);
  }
  return claimName("queue", taken);
}

CFunction openclFunction(const LoweredPlan &plan, const Spectrum &spectrum) {
  CFunction function;
  auto add = [&](const std::string &type, const std::string &name, bool isSize = false) {
    function.parameters.push_back(type + " " + name);
    function.arguments.push_back(name);
    if (isSize) {
      function.sizeParameters.push_back(type + " " + name);
      function.sizes.push_back(name);
    }
  };
  add("cl_command_queue", queueName(plan));
  std::size_t extent = 0;
  for (const VarPtr &param : spectrum.params) {
    if (param->type.rank == 0) {
      add(openclApiName(param->type.scalar), param->name, true);
      continue;
    }
    add("cl_mem", param->name);
    for (unsigned d = 0; d < param->type.rank; ++d)
      add("size_t", plan.extents[extent++]->name, true);
  }
  if (plan.result)
    add("cl_mem", "result");
  return function;
}

std::string handleDeclarations(const std::string &name) {
  return "/// What is made once for a device: the programs, built, and what has been asked of it. "
         "Threads may\n"
         "/// call with one handle at the same time, each with a workspace of its own.\n"
         "typedef struct " +
         name + "_handle " + name +
         "_handle;\n\n"
         "/// Returns " +
         statusName(name, Status::Refused) +
         " when the device cannot run this, CL_BUILD_PROGRAM_FAILURE when the program "
         "cannot be\n/// built; *handle is NULL unless it returns 0.\n"
         "int " +
         name + "_create(cl_context context, cl_device_id device, " + name +
         "_handle **handle);\n"
         "/// What has been enqueued goes on. NULL is nothing to destroy.\n"
         "void " +
         name + "_destroy(" + name + "_handle *handle);\n";
}

std::vector<std::string> workspaceParameters(const std::string &name,
                                             std::vector<std::string> sizeParameters,
                                             std::set<std::string> taken) {
  sizeParameters.insert(sizeParameters.begin(),
                        "const " + name + "_handle *" + claimName("handle", taken));
  sizeParameters.push_back("size_t *" + claimName("bytes", taken));
  return sizeParameters;
}

std::vector<std::string> enqueueParameters(const std::string &name,
                                           std::vector<std::string> parameters,
                                           std::set<std::string> taken) {
  parameters.insert(parameters.begin(), name + "_handle *" + claimName("handle", taken));
  for (const auto &[type, wanted] : {std::pair{"cl_mem ", "workspace"},
                                     {"cl_uint ", "waits"},
                                     {"const cl_event *", "wait_list"},
                                     {"cl_event *", "event"}})
    parameters.push_back(type + claimName(wanted, taken));
  return parameters;
}

std::string workspaceDeclaration(const std::string &name, const CFunction &function) {
  return "/// The bytes of the workspace that a call with these sizes needs; 0: none. Returns " +
         statusName(name, Status::Refused) +
         "\n/// when no call with them can be served.\n"
         "int " +
         name + "_workspace(" +
         commaSeparated(
             workspaceParameters(name, function.sizeParameters,
                                 {function.arguments.begin(), function.arguments.end()})) +
         ");\n";
}

std::string enqueueDeclaration(const std::string &name, const CFunction &function) {
  return "/// Enqueues the kernels on an in-order queue of the handle's device, after the `waits` "
         "events of\n"
         "/// `wait_list`; `event`, where it is not NULL, becomes the event of their end. "
         "Allocates "
         "no memory.\n"
         "/// workspace: a buffer, and no part of one, that no other call uses until this one has "
         "ended;\n"
         "/// NULL where it needs 0 bytes. One that is too small is OpenCL's error.\n"
         "int " +
         name + "_enqueue(" +
         commaSeparated(enqueueParameters(name, function.parameters,
                                          {function.arguments.begin(), function.arguments.end()})) +
         ");\n";
}

} // namespace tangram::codegen
