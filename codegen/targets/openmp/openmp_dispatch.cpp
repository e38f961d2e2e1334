#include "codegen/printing/dispatch.h"
#include "codegen/targets/openmp/openmp.h"

namespace tangram::codegen {

using namespace ir;

namespace {

class OpenmpDispatch : public DispatchPrinter {
public:
  explicit OpenmpDispatch(const DispatchRequest &request)
      : DispatchPrinter(request, {pointerFunction(request.plan, request.spectrum),
                                  hostStatuses(),
                                  plainIncludes,
                                  "",
                                  {}}),
        names_(openmpInterface(name_, signature_, hasThreads(*plan_.target))) {}

protected:
  std::string functions() const override {
    const auto workspace = [&](const std::string &bytes) {
      return callOf("_workspace", joined(signature_.sizes, withThreads({bytes})));
    };
    const auto onThreads = callOf(
        names_.threads.empty() ? "_in_workspace" : "_on_threads",
        joined(signature_.arguments, withThreads({names_.workspace, names_.workspaceBytes})));
    const auto plain = callOf("", signature_.arguments);
    if (!online_)
      return function(names_.workspaceHead, workspace(names_.bytes)) + "\n" +
             function(names_.onThreadsHead, onThreads) + "\n" + function(plainHead(), plain);
    const std::string threads =
        names_.threads.empty() ? "" : name_ + "_bits(" + names_.threads + ")";
    return workspaceOfAll(names_.workspaceHead, workspace("&" + needed_)) + "\n" +
           function(names_.onThreadsHead, onThreads, Online{online_->table(), threads, {}}) + "\n" +
           function(plainHead(), plain, Online{online_->table(), "", {}}) + "\n" +
           online_->chooseFunction() + "\n" +
           online_->chosenFunction(chosenHead(), firstVersion(), online_->key(threads),
                                   chosenNames(online_->table()));
  }

  std::string declarations() const override {
    const std::string more =
        online_
            ? "\n" + online_->declarations() + "\n" +
                  chosenDeclaration(names_.threads.empty()
                                        ? ""
                                        : "on so many threads (0: of the function without them) ")
            : "";
    return statusDeclarations(name_, hostStatuses()) + "\n" +
           (online_ ? "/// The first calls with such sizes are timed.\n" : "") +
           argumentsDeclaration(plan_, containers_) +
           overlapDeclaration(name_, containers_, pairsToKeepApart(containers_)) + plainHead() +
           ";\n\n" + names_.declarations + more;
  }

  std::string chosenHead() const override {
    std::vector<std::string> parameters = signature_.sizeParameters;
    if (!names_.threads.empty())
      parameters.push_back("size_t " + names_.threads);
    return "int " + name_ + "_chosen(" + commaSeparated(parameters) + ")";
  }

private:
  std::vector<std::string> withThreads(std::vector<std::string> words) const {
    if (!names_.threads.empty())
      words.insert(words.begin(), names_.threads);
    return words;
  }

  const OpenmpInterface names_;
};

} // namespace

CSource openmpDispatch(const DispatchRequest &request) { return OpenmpDispatch(request).print(); }

} // namespace tangram::codegen
