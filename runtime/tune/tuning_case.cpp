#include "runtime/tune/tuning_case.h"

#include "runtime/data/text_file.h"

#include <cstdio>

namespace tangram::runtime {

namespace {

/// FNV-1a of 64 bits.
class Hash {
public:
  void add(const std::string &text) {
    for (char c : text)
      step(static_cast<unsigned char>(c));
    step(0); // where one text ends
  }

  std::string text() const {
    char digits[17];
    std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(state));
    return digits;
  }

private:
  void step(unsigned char byte) { state = (state ^ byte) * 0x100000001b3ULL; }
  std::uint64_t state = 0xcbf29ce484222325ULL;
};

void addLaunch(Hash &hash, const Kernel &kernel) {
  hash.add(kernel.name);
  for (const Expression *each : {&kernel.groups, &kernel.groupSize})
    hash.add(each->text());
  for (const std::optional<Expression> *each : {&kernel.groupsY, &kernel.groupSizeY})
    hash.add(*each ? (*each)->text() : "");
  for (const KernelArgument &argument : kernel.arguments)
    hash.add(argument.name + " " + argument.scalar.text());
}

void addSteps(Hash &hash, const std::vector<Step> &steps) {
  for (const Step &step : steps) {
    hash.add(std::to_string(static_cast<int>(step.kind)) + " " + step.name + " " + step.other +
             (step.multiplies ? " times" : ""));
    for (const Expression *each : {&step.from, &step.below, &step.by})
      hash.add(each->text());
    addSteps(hash, step.steps);
    addSteps(hash, step.otherwise);
  }
}

} // namespace

Result<std::string> inputsText(const std::map<std::string, std::string> &inputs,
                               std::uint64_t seed) {
  std::map<std::string, std::string> all{{"seed", std::to_string(seed)}};
  for (const auto &[name, value] : inputs) {
    if (!std::filesystem::exists(value)) {
      all[name] = value;
      continue;
    }
    Result<std::string> content = readTextFile(value, UINT64_MAX);
    if (!content)
      return content.error();
    Hash hash;
    hash.add(*content);
    all[name] = hash.text();
  }
  std::string text;
  for (const auto &[name, value] : all)
    text += (text.empty() ? "" : " ") + name + "=" + value;
  return text;
}

Result<std::string> codeHash(const Manifest &manifest) {
  Hash hash;
  for (const char *role : {"source", "entry", "header"}) {
    if (manifest.files.count(role) == 0)
      continue;
    Result<std::string> text = readTextFile(manifest.path(role));
    if (!text)
      return text.error();
    hash.add(*text);
  }
  for (const Kernel &kernel : manifest.kernels)
    addLaunch(hash, kernel);
  addSteps(hash, manifest.schedule);
  for (const Buffer &buffer : manifest.buffers)
    hash.add(buffer.name + " " + buffer.count.text());
  for (const std::string &flag : manifest.flags)
    hash.add(flag);
  return hash.text();
}

Result<TuningCase> tuningCaseOf(const Manifest &manifest, const Runner::Place &place,
                                const std::string &inputs, Caches caches) {
  Result<std::string> code = codeHash(manifest);
  if (!code)
    return code.error();
  TuningCase of;
  of.spectrum = manifest.spectrum;
  of.plan = manifest.planId;
  of.target = name(manifest.target);
  of.model = manifest.model;
  of.source = manifest.sourceHash;
  of.code = *code;
  of.device = place.backend->hardware();
  of.driver = place.backend->driver();
  of.extents = place.problem->extents;
  of.inputs = inputs;
  of.caches = caches;
  return of;
}

} // namespace tangram::runtime
