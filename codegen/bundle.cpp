#include "codegen/bundle.h"

#include "codegen/manifest.h"
#include "codegen/pipeline.h"
#include "codegen/source.h"
#include "codegen/tunable_ranges.h"

#include <fstream>
#include <system_error>
#include <unistd.h>

namespace tangram::codegen {

using namespace ir;
namespace fs = std::filesystem;

namespace {

/// Buffers and launch tunables are known by name outside: give each its own. Memory of
/// a work-group is known in its kernel only.
void distinguishNames(LoweredPlan &plan, bool localsToo) {
  std::map<const Var *, VarPtr> renamed;
  std::set<std::string> taken;
  auto distinct = [&](VarPtr &v) {
    std::string name = v->name;
    for (int i = 2; taken.contains(name); ++i)
      name = v->name + "_" + std::to_string(i);
    taken.insert(name);
    if (name == v->name)
      return;
    auto copy = std::make_shared<Var>(*v);
    copy->name = name;
    renamed[v.get()] = copy;
    v = copy;
  };
  for (VarPtr &v : plan.extents)
    distinct(v);
  for (VarPtr &v : plan.scalars)
    distinct(v);
  for (Buffer &b : plan.buffers) {
    if (b.space == Space::Global || localsToo)
      distinct(b.var);
  }
  for (Tunable &t : plan.tunables)
    distinct(t.var);
  if (renamed.empty())
    return;
  auto replace = [&](const ExprPtr &e) {
    return rewrite(e, [&](const ExprPtr &each) -> ExprPtr {
      auto found = each->kind == ExprKind::Var ? renamed.find(each->var.get()) : renamed.end();
      return found == renamed.end() ? each : varRef(found->second);
    });
  };
  plan.body = mapExprs(plan.body, replace);
  for (Buffer &b : plan.buffers)
    b.count = replace(b.count);
  for (Constraint &c : plan.constraints)
    c.require = replace(c.require);
  if (plan.roundings)
    plan.roundings = replace(plan.roundings);
}

std::string writeFile(const fs::path &file, const std::string &content) {
  std::ofstream out(file, std::ios::binary);
  out << content;
  out.close();
  return out ? "" : "cannot write " + file.string();
}

} // namespace

std::variant<BundleFiles, Refusal> makeBundle(const BundleRequest &request) {
  auto lowered =
      lower(*request.program, request.spectrum, request.plan, *request.machine, request.target);
  if (auto *refusal = std::get_if<Refusal>(&lowered))
    return *refusal;
  LoweredPlan plan =
      optimize(std::get<LoweredPlan>(std::move(lowered)), request.target, request.withoutPasses);
  const TunableRanges ranges = tunableRanges(plan);
  if (auto refusal = ranges.refusal())
    return *refusal;
  applyRanges(plan, ranges);
  distinguishNames(plan, request.target != "opencl");
  const Spectrum &spectrum = *request.program->spectrum(request.spectrum);
  auto reference = printReference(*request.program, spectrum);
  if (auto *refusal = std::get_if<Refusal>(&reference))
    return *refusal;
  BundleFiles files;
  std::map<std::string, std::string> names{
      {"reference", "reference.c"}, {"header", plan.spectrum + ".h"}, {"example", "example.c"}};
  files["reference.c"] = std::get<std::string>(reference);
  files["example.c"] = printExample(plan, spectrum, request.target);
  std::vector<Kernel> kernels;
  if (request.target == "opencl") {
    auto printed = printOpencl(plan, request.steps);
    if (auto *refusal = std::get_if<Refusal>(&printed))
      return *refusal;
    OpenclSource &source = std::get<OpenclSource>(printed);
    OpenclHost host = printOpenclHost(plan, spectrum, source, request.steps);
    kernels = source.kernels;
    names["source"] = plan.spectrum + ".cl";
    names["host"] = plan.spectrum + "_host.c";
    files[names["source"]] = source.text;
    files[names["host"]] = host.text;
    files[names["header"]] = host.header;
  } else {
    CSource source = printOpenmp(plan, spectrum, request.steps);
    names["source"] = plan.spectrum + ".c";
    names["host"] = names["source"];
    names["entry"] = "entry.c";
    files[names["source"]] = source.text;
    files[names["header"]] = source.header;
    files["entry.c"] = printOpenmpEntry(plan, spectrum);
  }
  files["manifest.json"] = printManifest(request, plan, kernels, names);
  return files;
}

std::string writeBundle(const BundleFiles &files, const fs::path &folder) {
  std::error_code error;
  fs::path target = fs::absolute(folder, error).lexically_normal();
  if (!target.has_filename())
    target = target.parent_path();
  if (fs::exists(target, error)) {
    bool empty = fs::is_directory(target, error) && fs::is_empty(target, error);
    if (!empty && !fs::exists(target / "manifest.json", error))
      return target.string() + " exists and is no bundle; choose another folder";
  }
  fs::path fresh = target;
  fresh += ".new-" + std::to_string(getpid());
  fs::remove_all(fresh, error);
  if (!fs::create_directories(fresh, error))
    return "cannot make the folder " + fresh.string() + ": " + error.message();
  for (const auto &[name, content] : files) {
    std::string problem = writeFile(fresh / name, content);
    if (!problem.empty()) {
      fs::remove_all(fresh, error);
      return problem;
    }
  }
  fs::path old = target;
  old += ".old-" + std::to_string(getpid());
  bool replaces = fs::exists(target, error);
  if (replaces)
    fs::rename(target, old, error);
  if (!error)
    fs::rename(fresh, target, error);
  if (error) {
    std::string message = "cannot put the bundle at " + target.string() + ": " + error.message();
    std::error_code ignored;
    if (replaces && !fs::exists(target, ignored))
      fs::rename(old, target, ignored);
    fs::remove_all(fresh, ignored);
    return message;
  }
  fs::remove_all(old, error);
  return "";
}

} // namespace tangram::codegen
