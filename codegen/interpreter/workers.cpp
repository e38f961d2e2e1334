// Who runs when: launches, groups, and the meetings of their items.
#include "codegen/interpreter/machine.h"

#include <algorithm>

namespace tangram::codegen::interpreting {

using Kind = Report::Kind;
using State = Activity::State;

namespace {

constexpr std::uint64_t mostElements = 1U << 26U;
constexpr std::uint64_t mostGroups = 1U << 22U;

bool share(const Worker &a, const Worker &b, std::uint32_t scope) {
  return std::equal(a.index.begin(), a.index.begin() + scope, b.index.begin());
}

} // namespace

Interpretation Machine::run(std::vector<Value> registers, std::vector<Allocation> &memory) {
  Activity host;
  host.registers = std::move(registers);
  host.set.assign(host.registers.size(), 0);
  host.arrays.assign(code_.arrays.size(), nullptr);
  host.worker.launch = launchNumber_;
  host.worker.group = noItem;
  for (std::size_t i = 0; i < memory.size(); ++i)
    host.arrays[i] = &memory[i];
  bool counted = false;
  while (host.state != State::Ended && !over()) {
    if (!counted && host.at == code_.constraintsEnd) {
      counted = true;
      if (std::optional<std::string> refused = prepare(host, memory))
        return {{}, refused, steps_};
    }
    if (!advance(host))
      launch(host);
  }
  if (steps_ > options_.steps)
    report(Kind::Endless, 0,
           "still running after " + std::to_string(options_.steps) + " operations");
  return {std::move(reports_), std::nullopt, steps_};
}

/// Checks the constraints, and makes the temporaries; the reason when that cannot be.
std::optional<std::string> Machine::prepare(const Activity &host, std::vector<Allocation> &memory) {
  for (const auto &[holds, reason] : code_.constraints) {
    if (host.registers[holds].u == 0)
      return reason;
  }
  for (std::size_t i = 0; i < memory.size(); ++i) {
    const ArraySlot &slot = code_.arrays[i];
    if (slot.count == 0)
      continue;
    const std::uint64_t count = host.registers[slot.count].u;
    if (count > mostElements)
      return "the interpreter has no memory for " + std::to_string(count) + " elements of " +
             slot.name;
    if (slot.owner == ArraySlot::Owner::Everybody)
      memory[i].reset(count, true);
    if (slot.buffer && slot.buffer->countsGroups)
      memory[i].clear();
  }
  return std::nullopt;
}

/// Runs `a` until it has to wait for somebody, or for a while. Whether it may run on.
bool Machine::advance(Activity &a) {
  if (a.state == State::Waiting)
    a.state = State::Ready;
  std::uint64_t quantum = 1U << 14U;
  if (options_.seed != 0)
    quantum = a.worker.group == noItem ? 1U << 14U : 1 + random_() % 64;
  // The host stops where constraints and counts are known.
  const std::size_t stop = a.worker.group == noItem ? code_.constraintsEnd : SIZE_MAX;
  const Instruction *code = code_.instructions.data();
  while (a.state == State::Ready && quantum-- != 0) {
    const Instruction &in = code[a.at++];
    ++steps_;
    in.run(*this, a, in);
    if (a.at == stop)
      break;
  }
  return a.state == State::Ready || a.state == State::Ended;
}

/// How many groups a row has: what its own code says.
std::uint64_t Machine::countInRow(const Activity &host, const LaunchCode &launch, std::uint64_t row,
                                  std::array<std::uint64_t, 2> started) {
  Group probe = start(host, launch, 0, {0, row}, started);
  Activity &first = probe.items.front();
  first.counting = true;
  while (!over() && advance(first)) {
    if (first.state == State::Ended)
      return 0;
  }
  return first.state == State::Counting ? first.registers[first.scope].u : 0;
}

/// Whether a launch has more groups than are ever started; reported.
bool Machine::tooMany(std::uint64_t groups) {
  if (groups <= mostGroups)
    return false;
  report(Kind::Endless, 0,
         "a launch of " + std::to_string(groups) + " groups, the interpreter starts at most " +
             std::to_string(mostGroups));
  return stopped_ = true;
}

void Machine::launch(Activity &host) {
  const LaunchCode &launch = code_.launches[host.launch];
  host.worker.launch = ++launchNumber_;
  std::array<std::uint64_t, 2> started{1, 1};
  auto capped = [&](std::uint64_t count, bool turns) {
    return turns ? std::min<std::uint64_t>(std::max<std::uint64_t>(count, 1), options_.groupsAtOnce)
                 : count;
  };
  const std::uint64_t outer = capped(host.registers[launch.count].u, launch.turns);
  std::vector<std::array<std::uint64_t, 2>> elements;
  if (tooMany(outer))
    return;
  if (!launch.nested) {
    started[0] = outer;
    for (std::uint64_t i = 0; i < outer; ++i)
      elements.push_back({i, 0});
  } else {
    started[1] = outer;
    for (std::uint64_t row = 0; row < outer && !over(); ++row) {
      const std::uint64_t inner =
          capped(countInRow(host, launch, row, started), launch.nestedTurns);
      if (tooMany(elements.size() + inner))
        return;
      started[0] = std::max(inner, started[0]);
      for (std::uint64_t i = 0; i < inner; ++i)
        elements.push_back({i, row});
    }
  }
  runTogether(host, launch, std::move(elements), started);
  host.worker.launch = ++launchNumber_;
  host.state = State::Ready;
}

/// Groups that wait for each other are started in any order, a few at a time; others one by one.
void Machine::runTogether(Activity &host, const LaunchCode &launch,
                          std::vector<std::array<std::uint64_t, 2>> elements,
                          std::array<std::uint64_t, 2> started) {
  groupsInLaunch_ = static_cast<std::uint32_t>(elements.size());
  if (options_.seed != 0 && options_.kernels)
    std::shuffle(elements.begin(), elements.end(), random_);
  const std::size_t most = !launch.waits ? 1 : options_.kernels ? options_.groupsAtOnce : SIZE_MAX;
  std::deque<Group> alive;
  std::size_t next = 0;
  while ((next < elements.size() || !alive.empty()) && !over()) {
    while (next < elements.size() && alive.size() < most) {
      alive.push_back(
          start(host, launch, static_cast<std::uint32_t>(next), elements[next], started));
      ++next;
    }
    bool moved = false;
    for (Group &group : alive)
      moved |= runGroup(group);
    std::erase_if(alive, [](const Group &group) {
      return std::all_of(group.items.begin(), group.items.end(),
                         [](const Activity &a) { return a.state == State::Ended; });
    });
    if (moved || alive.empty())
      continue;
    const Activity *waiting = nullptr;
    for (Group &group : alive) {
      for (const Activity &a : group.items) {
        if (a.state == State::Waiting)
          waiting = &a;
      }
    }
    report(Kind::Deadlock, waiting ? waiting->site : 0,
           (waiting ? nameOf(waiting->worker) : "every group") +
               " waits for a flag that no group which has started will set");
    stopped_ = true;
  }
}

Group Machine::start(const Activity &host, const LaunchCode &launch, std::uint32_t number,
                     std::array<std::uint64_t, 2> element, std::array<std::uint64_t, 2> started) {
  Group group;
  std::array<std::uint64_t, itemDepth> sizes{1, 1, 1};
  std::uint64_t items = 1;
  for (std::size_t d = 0; d < launch.depths; ++d) {
    sizes[d] = std::clamp<std::uint64_t>(host.registers[launch.sizes[d]].u, 1, 65536);
    items *= sizes[d];
  }
  group.items.resize(items);
  for (std::uint64_t i = 0; i < items; ++i) {
    Activity &a = group.items[i];
    a.registers = host.registers;
    a.set = host.set;
    a.arrays = host.arrays;
    a.at = launch.entry;
    a.element = element;
    a.started = started;
    a.worker.launch = host.worker.launch;
    a.worker.group = number;
    std::uint64_t rest = i;
    for (std::size_t d = launch.depths; d-- > 0; rest /= sizes[d])
      a.worker.index[d] = static_cast<std::uint32_t>(rest % sizes[d]);
  }
  for (const LaunchCode::Local &local : launch.locals)
    bring(group, local, host.registers[code_.arrays[local.array].count].u);
  return group;
}

/// Items of one scope stand one behind the other.
void Machine::bring(Group &group, const LaunchCode::Local &local, std::uint64_t count) {
  const Activity *before = nullptr;
  for (Activity &a : group.items) {
    if (!before || !share(before->worker, a.worker, local.scope)) {
      Allocation &memory = group.locals.emplace_back();
      memory.name = code_.arrays[local.array].name;
      memory.element = code_.arrays[local.array].element;
      memory.reset(count, true);
    }
    a.arrays[local.array] = &group.locals.back();
    before = &a;
  }
}

/// A round: every item runs until it waits; then those that have all come run on. Whether anything
/// happened.
bool Machine::runGroup(Group &group) {
  bool moved = false;
  std::vector<std::size_t> order(group.items.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  if (options_.seed != 0)
    std::shuffle(order.begin(), order.end(), random_);
  bool waiting = false;
  for (std::size_t i : order) {
    Activity &a = group.items[i];
    if (a.state != State::Ready && a.state != State::Waiting)
      continue;
    const std::size_t before = a.at;
    const bool waited = a.state == State::Waiting;
    advance(a);
    moved |= !waited || a.at != before;
    waiting |= a.state == State::Waiting || a.state == State::Ready;
    if (over())
      return true;
  }
  const bool released = release(group);
  const bool open = std::any_of(group.items.begin(), group.items.end(),
                                [](const Activity &a) { return a.state == State::Meeting; });
  if (!released && !moved && !waiting && open) {
    diverged(group);
    return true;
  }
  return moved || released;
}

/// Whether all that share the scope of `a` have come to where it stands.
bool Machine::complete(const Group &group, const Activity &a) const {
  return std::all_of(group.items.begin(), group.items.end(), [&](const Activity &b) {
    return !share(a.worker, b.worker, a.scope) ||
           (b.state == State::Meeting && b.scope == a.scope && b.at == a.at);
  });
}

/// Lets those run on that have all come to one place.
bool Machine::release(Group &group) {
  bool any = false;
  for (Activity &a : group.items) {
    if (a.state != State::Meeting || !complete(group, a))
      continue;
    Clock known;
    std::uint32_t phase = 0;
    std::vector<Activity *> members;
    for (Activity &b : group.items) {
      if (!share(a.worker, b.worker, a.scope))
        continue;
      members.push_back(&b);
      phase = std::max(phase, b.worker.phase[a.scope]);
      if (!b.known.empty())
        merge(known, b.known);
    }
    const std::uint32_t scope = a.scope;
    for (Activity *b : members) {
      b->worker.phase[scope] = phase + 1;
      b->known = known;
      b->state = State::Ready;
    }
    any = true;
  }
  return any;
}

/// Some wait where others will never come.
void Machine::diverged(Group &group) {
  const Activity *first = nullptr;
  for (Activity &a : group.items) {
    if (a.state == State::Meeting && !first)
      first = &a;
  }
  const Activity *other = nullptr;
  for (const Activity &b : group.items) {
    if (!other && share(first->worker, b.worker, first->scope) &&
        (b.state != State::Meeting || b.at != first->at || b.scope != first->scope))
      other = &b;
  }
  report(Kind::Divergence, first->site,
         nameOf(first->worker) + " waits for the others" +
             (other ? ", but " + nameOf(other->worker) +
                          (other->state == State::Ended
                               ? " has ended"
                               : " waits in '" + code_.sites[other->site].text + "'")
                    : ""));
  for (Activity &a : group.items)
    a.state = State::Ended;
}

} // namespace tangram::codegen::interpreting
