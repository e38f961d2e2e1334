#include "codegen/targets/cuda/cuda.h"

namespace tangram::codegen {

using namespace ir;

namespace {

class CudaDispatch : public DispatchPrinter {
public:
  explicit CudaDispatch(const DispatchRequest &request)
      : DispatchPrinter(request, {cudaFunction(request.plan, request.spectrum), cudaStatuses(),
                                  cudaIncludes, "", onlineQueue}),
        names_(cudaInterface(name_, signature_)) {}

protected:
  std::string functions() const override {
    const std::string workspaceHead =
        "int " + name_ + "_workspace(" + commaSeparated(names_.workspaceParameters) + ")";
    const std::string enqueueHead =
        "int " + name_ + "_enqueue(" + commaSeparated(names_.enqueueParameters) + ")";
    const auto workspace = [&](const std::string &bytes) {
      return callOf("_workspace", joined(signature_.sizes, {bytes}));
    };
    const auto enqueue =
        callOf("_enqueue", joined(signature_.arguments, {names_.workspace, names_.workspaceBytes}));
    const auto plain = callOf("", signature_.arguments);
    if (!online_)
      return workspaceOfAll(workspaceHead, workspace("&" + needed_)) + "\n" +
             function(enqueueHead, enqueue) + "\n" + function(plainHead(), plain);
    const Online online{online_->table(), "", {signature_.arguments.front()}};
    return workspaceOfAll(workspaceHead, workspace("&" + needed_)) + "\n" +
           function(enqueueHead, enqueue, online) + "\n" + function(plainHead(), plain, online) +
           "\n" + online_->chooseFunction() + "\n" +
           online_->chosenFunction(chosenHead(), firstVersion(), online_->key(""),
                                   chosenNames(online_->table()));
  }

  std::string declarations() const override {
    return statusDeclarations(name_, cudaStatuses()) +
           "\n/// Enqueues the kernels on a stream; containers are memory of its device, which is "
           "the current one.\n" +
           (online_ ? "/// The first calls with such sizes are timed: they wait for the stream, "
                      "before and after.\n"
                    : "") +
           argumentsDeclaration(plan_, containers_) +
           overlapDeclaration(name_, containers_, pairsToKeepApart(containers_)) + plainHead() +
           ";\n\n" + names_.declarations +
           (online_ ? "\n" + online_->declarations() + "\n" + chosenDeclaration("") : "");
  }

  std::string chosenHead() const override {
    return "int " + name_ + "_chosen(" + commaSeparated(signature_.sizeParameters) + ")";
  }

private:
  inline static const OnlineQueue onlineQueue{
      ", cudaStream_t stream",
      ", cudaStream_t stream",
      "",
      "  // What was enqueued before is not of this call.\n  cudaStreamSynchronize(stream);\n",
      "  if (status == 0)\n    status = -(int)cudaStreamSynchronize(stream);\n",
      "",
      ""};

  const CudaInterface names_;
};

} // namespace

CSource cudaDispatch(const DispatchRequest &request) { return CudaDispatch(request).print(); }

} // namespace tangram::codegen
