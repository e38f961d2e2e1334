#include "composer/machine/machine_measured.h"

#include "composer/machine/machine_detect.h"
#include "composer/machine/machine_json.h"

#include <algorithm>
#include <cmath>

namespace tangram::composer {

namespace {

/// What a measurement is good for.
double toThreeDigits(double value) {
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - 2);
  return unit < 1 ? std::round(value / unit) / std::round(1 / unit)
                  : std::round(value / unit) * unit;
}

const std::vector<std::string> &factNames() {
  static const std::vector<std::string> names{"threads",      "compute_units", "max_group_size",
                                              "local_memory", "global_memory", "cache",
                                              "line",         "group_multiple"};
  return names;
}

constexpr double leastFigure = 1e-15;
constexpr double mostFigure = 1e18;

std::uint64_t fact(const MeasuredDevice &measured, const std::string &name) {
  const auto found = measured.facts.find(name);
  return found == measured.facts.end() ? 0 : found->second;
}

void set(Machine &machine, const MeasuredDevice &measured) {
  for (const CostField &field : costFields()) {
    if (const auto found = measured.costs.find(field.name); found != measured.costs.end())
      machine.costs.*field.figure = toThreeDigits(found->second);
  }
  // That of memory stands with the memory.
  for (Memory &memory : machine.levels.front().memory) {
    if (memory.space != "global" || !measured.costs.contains("bytes_per_second"))
      continue;
    memory.bytesPerSecond = static_cast<std::uint64_t>(machine.costs.bytesPerSecond);
    machine.costs.bytesPerSecond = Costs{}.bytesPerSecond;
  }
}

} // namespace

std::variant<MeasuredDevice, ModelErrors> parseMeasured(const std::string &text,
                                                        const std::string &name) {
  ErrorSink sink(name);
  const std::optional<nlohmann::json> document = parseJson(text, sink);
  if (!document)
    return sink.errors;
  MeasuredDevice measured;
  const JsonObject object(*document, JsonPointer(), sink, "what tangram-run measure prints",
                          {"device", "type", "driver", "facts", "costs", "spreads"});
  for (const char *field : {"device", "type", "facts", "costs"})
    object.require(field);
  measured.device = object.text("device").value_or("");
  measured.type =
      object.oneOf("type", {"processor", "CPU", "GPU", "accelerator", "custom"}).value_or("");
  measured.driver = object.text("driver").value_or("");
  if (const nlohmann::json *facts = object.find("facts")) {
    const JsonObject inside(*facts, object.pointer("facts"), sink, "facts", factNames());
    for (const std::string &each : factNames()) {
      if (const auto value =
              inside.number(each, {0, each == "line" ? 65536 : std::uint64_t{1} << 53U}))
        measured.facts[each] = *value;
    }
  }
  if (const nlohmann::json *costs = object.find("costs")) {
    std::vector<std::string> names;
    for (const CostField &field : costFields())
      names.emplace_back(field.name);
    const JsonObject inside(*costs, object.pointer("costs"), sink, "costs", names);
    for (const std::string &each : names) {
      const auto value = inside.positive(each);
      if (value && (*value < leastFigure || *value > mostFigure))
        sink.add(inside.pointer(each), "expected a number from 1e-15 to 1e18, found " +
                                           sink.describe(*inside.find(each)));
      else if (value)
        measured.costs[each] = *value;
    }
  }
  if (!sink.errors.empty())
    return sink.errors;
  return measured;
}

Machine withMeasured(Machine machine, const MeasuredDevice &measured, const std::string &how) {
  set(machine, measured);
  if (const std::uint64_t line = machine.levels.front().memory.empty()
                                     ? 0
                                     : machine.levels.front().memory.back().lineBytes)
    machine.costs.transactionBytes = static_cast<double>(line);
  machine.costs.residentItems = 1; // a thread holds one group, and goes through its items
  machine.sources.push_back(how);
  return machine;
}

Machine modelOfDevice(const std::string &name, const MeasuredDevice &measured,
                      const std::string &how) {
  const bool isCpu = measured.type == "CPU";
  const std::uint64_t groupSize = std::max<std::uint64_t>(fact(measured, "max_group_size"), 1);
  const std::uint64_t side = std::max<std::uint64_t>(fact(measured, "group_multiple"), 1);
  const auto line = static_cast<unsigned>(fact(measured, "line"));

  auto memory = [](const char *space, std::uint64_t bytes, unsigned lineBytes) {
    Memory made;
    made.space = space;
    made.bytes = bytes;
    made.lineBytes = lineBytes;
    return made;
  };
  Level grid = makeLevel("G", "grid", Capability::None, 1, Sync::Launch, Tiling::Adjacent);
  grid.memory = {memory("global", fact(measured, "global_memory"), line)};
  if (const std::uint64_t cache = fact(measured, "cache"); cache > 0)
    grid.memory.push_back(memory("cache", cache, line));
  grid.spelling = {{"opencl", "grid"}};

  Level group = makeLevel("B", "group", Capability::Vector, 2, Sync::Barrier, Tiling::Strided);
  group.workers = {isCpu ? "compute_units * 4" : "compute_units * 16", 1, 65535,
                   fact(measured, "compute_units")};
  if (const std::uint64_t local = fact(measured, "local_memory"); local > 0)
    group.memory = {memory("local", local, 0)};
  group.atomics = {"i32", "u32"};
  group.spelling = {{"opencl", "group"}};

  Level item = makeLevel("T", "item", Capability::Scalar, 3, Sync::Loop, Tiling::Strided);
  const std::uint64_t usual = std::min<std::uint64_t>(groupSize, isCpu ? 16 : 256);
  item.workers = {std::to_string(usual), 1, groupSize, side};
  item.atomics = {"i32", "u32"};
  item.spelling = {{"opencl", "item"}};

  Level chain = makeLevel("I", "chain", Capability::Scalar, -1, Sync::None, Tiling::None);
  chain.workers = {"4", 1, 16, 0};
  chain.spelling = {{"opencl", "unroll"}};

  Machine machine;
  machine.name = name;
  machine.description =
      measured.device + " (" + measured.type + ", driver " + measured.driver + ")";
  machine.targets = {"opencl"};
  machine.levels = {grid, group, item, chain};
  set(machine, measured);
  if (isCpu && line > 0)
    machine.costs.transactionBytes = line;
  // OpenCL does not tell how many items a unit holds; twice the largest group is what GPUs have room for.
  machine.costs.residentItems = isCpu ? 1 : 2 * static_cast<double>(groupSize);
  machine.sources = {how};
  return withMapRules(machine, {MapRule::Distribute, MapRule::Serialize, MapRule::Split});
}

} // namespace tangram::composer
