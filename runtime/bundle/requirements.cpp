#include "runtime/bundle/requirements.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace tangram::runtime {

namespace {

using Violation = std::optional<std::string>;

void addNames(std::vector<std::string> &names, const Expression &e) {
  names.insert(names.end(), e.names().begin(), e.names().end());
}

/// ", with n = 3, p = 2"; names without a value are left out.
std::string valuesText(const Expression &e, const Bindings &bindings) {
  std::string text;
  for (const std::string &name : e.names()) {
    if (auto found = bindings.values.find(name); found != bindings.values.end())
      text += (text.empty() ? " with " : ", ") + name + " = " + algebra::decimal(found->second);
  }
  return text;
}

Requirement ofConstraint(const Constraint &constraint) {
  const Constraint *c = &constraint;
  return {c->require.names(),
          [c](const Bindings &bindings) -> Violation {
            Result<std::uint64_t> holds = c->require.evaluate(bindings);
            if (holds && *holds != 0)
              return std::nullopt;
            if (!holds)
              return c->reason + ": " + holds.error().message;
            return c->reason + ": " + c->require.text() + " does not hold" +
                   valuesText(c->require, bindings);
          },
          [c](const Ranges &ranges) {
            const std::optional<Interval> holds = c->require.bounds(ranges);
            return holds && !(*holds == Interval{0, 0});
          }};
}

Requirement ofGroupSize(const Kernel &kernel, std::uint64_t limit) {
  const Kernel *k = &kernel;
  auto names = k->groupSize.names();
  if (k->groupSizeY) {
    auto more = k->groupSizeY->names();
    names.insert(names.end(), more.begin(), more.end());
  }
  return {names,
          [k, limit](const Bindings &bindings) -> Violation {
            Result<std::uint64_t> size = k->groupSize.evaluate(bindings);
            if (size && k->groupSizeY) {
              Result<std::uint64_t> rows = k->groupSizeY->evaluate(bindings);
              size = rows ? Result<std::uint64_t>(*size * *rows) : rows;
            }
            if (!size)
              return "group size of kernel " + k->name + ": " + size.error().message;
            if (*size >= 1 && *size <= limit)
              return std::nullopt;
            return "kernel " + k->name + " needs groups of " + std::to_string(*size) +
                   " work-items, device has " + (*size == 0 ? "1 to " : "") + std::to_string(limit);
          },
          [k, limit](const Ranges &ranges) {
            const std::optional<Interval> size = k->groupSize.bounds(ranges);
            const std::optional<Interval> rows =
                k->groupSizeY ? k->groupSizeY->bounds(ranges) : Interval{1, 1};
            return size && rows && size->high >= 1 && rows->high >= 1 &&
                   std::max<__int128>(size->low, 0) * std::max<__int128>(rows->low, 0) <= limit;
          }};
}

Result<std::uint64_t> bytesOf(const Buffer &buffer, const Bindings &bindings) {
  Result<std::uint64_t> count = buffer.count.evaluate(bindings);
  if (!count)
    return refusal("buffer " + buffer.name + ": " + count.error().message);
  std::uint64_t bytes = 0;
  if (__builtin_mul_overflow(*count, ir::byteSize(buffer.element), &bytes))
    return refusal("buffer " + buffer.name + " has more bytes than fit in 64 bits");
  return bytes;
}

/// Sum of the bytes of `buffers`; saturates, since it is only compared with limits.
Result<std::uint64_t> totalBytes(const std::vector<const Buffer *> &buffers,
                                 const Bindings &bindings) {
  std::uint64_t total = 0;
  for (const Buffer *buffer : buffers) {
    Result<std::uint64_t> bytes = bytesOf(*buffer, bindings);
    if (!bytes)
      return bytes.error();
    if (__builtin_add_overflow(total, *bytes, &total))
      total = UINT64_MAX;
  }
  return total;
}

/// What `buffers` take at least, where they can have a size at all.
bool canFit(const std::vector<const Buffer *> &buffers, const Ranges &ranges, std::uint64_t limit) {
  __int128 total = 0;
  for (const Buffer *buffer : buffers) {
    const std::optional<Interval> count = buffer->count.bounds(ranges);
    if (!count || count->high < 0)
      return false;
    total += std::max<__int128>(count->low, 0) * ir::byteSize(buffer->element);
  }
  return total <= limit;
}

Requirement ofLocalMemory(std::vector<const Buffer *> buffers, std::uint64_t limit) {
  std::vector<std::string> names;
  for (const Buffer *buffer : buffers)
    addNames(names, buffer->count);
  return {names,
          [buffers, limit](const Bindings &bindings) -> Violation {
            Result<std::uint64_t> bytes = totalBytes(buffers, bindings);
            if (!bytes)
              return bytes.error().message;
            if (*bytes <= limit)
              return std::nullopt;
            return "plan needs " + bytesText(*bytes) + " of local memory, device has " +
                   bytesText(limit);
          },
          [buffers, limit](const Ranges &ranges) { return canFit(buffers, ranges, limit); }};
}

void addLocalMemory(const Manifest &m, std::uint64_t limit, std::vector<Requirement> &all) {
  for (const Kernel &kernel : m.kernels) {
    std::vector<const Buffer *> buffers;
    for (const Buffer &b : m.buffers) {
      if (b.local && (b.kernel.empty() || b.kernel == kernel.name))
        buffers.push_back(&b);
    }
    if (!buffers.empty())
      all.push_back(ofLocalMemory(std::move(buffers), limit));
  }
}

/// Containers of the signature as buffers, so that all global memory is treated alike.
std::vector<Buffer> containersOf(const Manifest &m) {
  std::vector<Buffer> buffers;
  for (const Parameter &p : m.signature.parameters) {
    if (!p.container)
      continue;
    std::string count;
    for (const std::string &extent : p.extents)
      count += (count.empty() ? "" : " * ") + extent;
    if (Result<Expression> e = Expression::parse(count))
      buffers.push_back({p.name, false, p.element, *e, {}});
  }
  return buffers;
}

std::vector<Buffer> globalTemporaries(const Manifest &m) {
  std::vector<Buffer> buffers;
  std::ranges::copy_if(m.buffers, std::back_inserter(buffers),
                       [](const Buffer &b) { return !b.local; });
  return buffers;
}

std::vector<Buffer> globalBuffers(const Manifest &m) {
  std::vector<Buffer> buffers = containersOf(m);
  for (Buffer &temporary : globalTemporaries(m))
    buffers.push_back(std::move(temporary));
  return buffers;
}

std::vector<const Buffer *> pointersTo(const std::vector<Buffer> &each) {
  std::vector<const Buffer *> pointers;
  for (const Buffer &b : each)
    pointers.push_back(&b);
  return pointers;
}

Requirement ofAllocation(const Buffer &buffer, std::uint64_t limit) {
  return {buffer.count.names(),
          [buffer, limit](const Bindings &bindings) -> Violation {
            Result<std::uint64_t> bytes = bytesOf(buffer, bindings);
            if (!bytes)
              return bytes.error().message;
            if (*bytes <= limit)
              return std::nullopt;
            return "buffer " + buffer.name + " needs " + bytesText(*bytes) +
                   ", device allocates at most " + bytesText(limit);
          },
          [buffer, limit](const Ranges &ranges) { return canFit({&buffer}, ranges, limit); }};
}

void addGlobalMemory(const Manifest &m, const DeviceFacts &facts, std::vector<Requirement> &all) {
  std::vector<Buffer> buffers = globalBuffers(m);
  std::vector<std::string> names;
  for (const Buffer &b : buffers) {
    all.push_back(ofAllocation(b, facts.maxAllocation));
    addNames(names, b.count);
  }
  std::uint64_t limit = facts.globalMemory;
  all.push_back({names,
                 [buffers, limit](const Bindings &bindings) -> Violation {
                   Result<std::uint64_t> bytes = totalBytes(pointersTo(buffers), bindings);
                   if (!bytes)
                     return bytes.error().message;
                   if (*bytes <= limit)
                     return std::nullopt;
                   return "plan needs " + bytesText(*bytes) + " of memory, device has " +
                          bytesText(limit);
                 },
                 [buffers, limit](const Ranges &ranges) {
                   return canFit(pointersTo(buffers), ranges, limit);
                 }});
}

} // namespace

void DeviceFacts::bind(Bindings &bindings) const {
  for (const std::string &name : deviceFactNames) {
    if (auto found = values.find(name); found != values.end())
      bindings.values[name] = found->second;
    else
      bindings.unusable[name] = "is not a fact of this device";
  }
}

std::vector<Requirement> requirementsOf(const Manifest &manifest, const DeviceFacts &facts) {
  std::vector<Requirement> all;
  for (const Constraint &c : manifest.constraints)
    all.push_back(ofConstraint(c));
  if (!formatOf(manifest.target).hasKernels)
    return all;
  if (auto limit = facts.values.find("max_group_size"); limit != facts.values.end()) {
    for (const Kernel &k : manifest.kernels)
      all.push_back(ofGroupSize(k, limit->second));
  }
  if (auto limit = facts.values.find("local_memory"); limit != facts.values.end())
    addLocalMemory(manifest, limit->second, all);
  addGlobalMemory(manifest, facts, all);
  return all;
}

Result<MemoryNeeds> memoryOf(const Manifest &manifest, const Bindings &bindings) {
  MemoryNeeds needs;
  const Result<std::uint64_t> arguments = totalBytes(pointersTo(containersOf(manifest)), bindings);
  if (!arguments)
    return arguments.error();
  const Result<std::uint64_t> temporaries =
      totalBytes(pointersTo(globalTemporaries(manifest)), bindings);
  if (!temporaries)
    return temporaries.error();
  needs.arguments = *arguments;
  if (manifest.signature.result)
    needs.arguments += ir::byteSize(*manifest.signature.result);
  needs.temporaries = *temporaries;
  return needs;
}

std::string bytesText(std::uint64_t bytes) {
  static constexpr std::array<const char *, 4> units{"bytes", "KiB", "MiB", "GiB"};
  std::size_t unit = 0;
  while (unit + 1 < units.size() && bytes >= 1024 && bytes % 1024 == 0) {
    bytes /= 1024;
    ++unit;
  }
  return std::to_string(bytes) + " " + units[unit];
}

std::string roundedBytes(std::uint64_t bytes) {
  constexpr std::uint64_t gibibyte = 1U << 30;
  if (bytes < gibibyte)
    return bytesText(bytes);
  std::uint64_t tenths = (bytes / (gibibyte / 1024) * 10 + 512) / 1024;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " GiB";
}

} // namespace tangram::runtime
