#include "codegen/printing/dispatch.h"
#include "codegen/targets/opencl/host_interface.h"
#include "codegen/targets/opencl/opencl.h"

namespace tangram::codegen {

using namespace ir;

namespace {

const OnlineQueue onlineQueue{
    ", cl_command_queue queue, cl_uint waits, const cl_event *wait_list",
    ", cl_command_queue queue",
    "  if (!NAME_is_ready(waits, wait_list)) {\n    call.version = "
    "NAME_fastest(own, first);\n    return call;\n  }\n",
    "  // What was enqueued before is not of this call.\n  clFinish(queue);\n",
    "  if (status == CL_SUCCESS)\n    status = clFinish(queue);\n",
    R"c(
// Whether all events have come: only then is a call timed.
static int NAME_is_ready(cl_uint waits, const cl_event *wait_list) {
  for (cl_uint i = 0; i < waits; ++i) {
    cl_int state;
    if (clGetEventInfo(wait_list[i], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL) !=
            CL_SUCCESS ||
        state != CL_COMPLETE)
      return 0;
  }
  return 1;
}
)c",
    R"c(
static unsigned long long NAME_device_of(cl_command_queue queue) {
  cl_device_id device = NULL;
  clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
  return (unsigned long long)(size_t)device;
}
)c"};

class OpenclDispatch : public DispatchPrinter {
public:
  explicit OpenclDispatch(const DispatchRequest &request)
      : DispatchPrinter(request, {openclFunction(request.plan, request.spectrum), openclStatuses(),
                                  openclIncludes, "#include <stdlib.h>\n\n", onlineQueue}) {}

private:
  // The handle: one of each version that the device can run

  std::string handle() const { return own("handle"); }
  static std::string member(std::size_t version) { return "version_" + std::to_string(version); }

  /// A call of a version with the version's part of the handle, where it has one.
  auto callOfHandle(const std::string &which, const std::vector<std::string> &arguments) const {
    return [this, which, text = commaSeparated(arguments)](std::size_t i) {
      const std::string own = handle() + "->" + member(i);
      return own + " ? " + versions_[i].function + which + "(" + own + ", " + text + ") : 1";
    };
  }

protected:
  std::string functions() const override {
    const std::string workspaceHead =
        "int " + name_ + "_workspace(" +
        commaSeparated(workspaceParameters(name_, signature_.sizeParameters, taken_)) + ")";
    const std::string enqueueHead =
        "int " + name_ + "_enqueue(" +
        commaSeparated(enqueueParameters(name_, signature_.parameters, taken_)) + ")";
    const auto enqueue =
        callOfHandle("_enqueue", joined(signature_.arguments, {own("workspace"), own("waits"),
                                                               own("wait_list"), own("event")}));
    const auto plain = callOf("", signature_.arguments);
    if (!online_)
      return handleFunctions() + "\n" +
             function(workspaceHead,
                      callOfHandle("_workspace", joined(signature_.sizes, {own("bytes")}))) +
             "\n" + function(enqueueHead, enqueue) + "\n" + function(plainHead(), plain);
    const std::string queue = signature_.arguments.front();
    return handleFunctions() + "\n" +
           workspaceOfAll(workspaceHead,
                          callOfHandle("_workspace", joined(signature_.sizes, {"&" + needed_}))) +
           "\n" +
           function(enqueueHead, enqueue,
                    Online{handle() + "->classes", "", {queue, own("waits"), own("wait_list")}}) +
           "\n" +
           function(plainHead(), plain,
                    Online{online_->table(),
                           name_ + "_device_of(" + queue + ")",
                           {queue, "0", "NULL"}}) +
           "\n" + online_->chooseFunction() + "\n" +
           online_->chosenFunction(chosenHead(), firstVersion(), online_->key(""),
                                   chosenNames(handle() + "->classes"));
  }

  std::string declarations() const override {
    const std::string more =
        online_ ? "\n" + online_->declarations() + "\n" + chosenDeclaration("and this handle ")
                : "";
    const std::string measured =
        online_ ? "/// The first calls with such sizes are timed: they wait until the queue has "
                  "finished, before and after.\n"
                : "";
    return statusDeclarations(name_, openclStatuses()) +
           "\n/// Enqueues the kernels on an in-order queue; arguments are buffers of its "
           "context.\n" +
           measured + argumentsDeclaration(plan_, containers_) +
           overlapDeclaration(name_, containers_, pairsToKeepApart(containers_)) + plainHead() +
           ";\n\n" + handleDeclarations(name_) + "\n" + workspaceDeclaration(name_, signature_) +
           "\n" + enqueueDeclaration(name_, signature_) + more;
  }

  std::string chosenHead() const override {
    std::vector<std::string> parameters{name_ + "_handle *" + handle()};
    parameters.insert(parameters.end(), signature_.sizeParameters.begin(),
                      signature_.sizeParameters.end());
    return "int " + name_ + "_chosen(" + commaSeparated(parameters) + ")";
  }

private:
  std::string handleFunctions() const {
    const std::string type = name_ + "_handle";
    std::string text = "/// NULL: the device cannot run the version.\nstruct " + type + " {\n";
    std::string any;
    std::string destroyed;
    std::string made;
    for (std::size_t i = 0; i < versions_.size(); ++i) {
      const std::string &function = versions_[i].function;
      text += "  " + function + "_handle *" + member(i) + ";\n";
      any += (i == 0 ? "made->" : " || made->") + member(i);
      destroyed += "  " + function + "_destroy(handle->" + member(i) + ");\n";
      made += (i == 0 ? std::string("  int status = ") : "  if (status >= 0)\n    status = ") +
              function + "_create(context, device, &made->" + member(i) + ");\n";
    }
    if (online_)
      text += "  " + online_->tableType() + " classes[" + online_->tableSize() + "];\n";
    return text + "};\n\nint " + name_ + "_create(cl_context context, cl_device_id device, " +
           type + " **handle) {\n  *handle = NULL;\n  " + type +
           " *made = calloc(1, sizeof *made);\n  if (!made)\n    return CL_OUT_OF_HOST_MEMORY;\n"
           "  // Errors of OpenCL are below 0.\n" +
           made + "  if (status >= 0)\n    status = " + any +
           " ? CL_SUCCESS : 1;\n  if (status == CL_SUCCESS)\n    *handle = made;\n  else\n    " +
           name_ + "_destroy(made);\n  return status;\n}\n\nvoid " + name_ + "_destroy(" + type +
           " *handle) {\n  if (!handle)\n    return;\n" + destroyed + "  free(handle);\n}\n";
  }
};

} // namespace

CSource openclDispatch(const DispatchRequest &request) { return OpenclDispatch(request).print(); }

} // namespace tangram::codegen
