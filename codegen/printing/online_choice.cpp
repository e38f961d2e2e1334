#include "codegen/printing/online_choice.h"

namespace tangram::codegen {

namespace {

/// What does not depend on the target. NAME and COUNT are the library's; QUEUE_* are parts of those
/// whose calls are enqueued (OnlineQueue).
constexpr const char *definitionsText =
    R"c(// The first calls find out which version is fastest. Calls whose extents have the same numbers of bits are of
// one class. In a class each version is called once, and then three times in turns, which are timed; one that
// takes four times as long as the best, or fails, is not called again. Later calls take the fastest. Every call
// computes what it is asked for, once. All of this is read and written atomically.
enum { NAME_rounds = 4, NAME_most_classes = 512, NAME_unread = -3 };

struct NAME_class {
  unsigned long long key; // of its calls; 0: the place is free
  // By version the least seconds of an element, as the bits of a double; 0: none.
  unsigned long long best[COUNT];
  unsigned begun, ended; // calls that compare
  unsigned chosen;       // 1 more than the number of the version; 0: not known yet
};

// One that is under way. `compares`: NULL where it is not timed.
struct NAME_call {
  struct NAME_class *compares;
  unsigned version, number;
  double start;
};

static struct NAME_class NAME_classes[NAME_most_classes];
static int NAME_how = NAME_unread;

static unsigned long long NAME_bits(size_t extent) {
  return extent == 0 ? 0 : 64 - (unsigned)__builtin_clzll(extent);
}

static double NAME_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// What NAME_choose was told; before that, what the environment says.
static int NAME_mode(void) {
  int how = __atomic_load_n(&NAME_how, __ATOMIC_RELAXED);
  if (how != NAME_unread)
    return how;
  const char *said = getenv("TANGRAM_ONLINE");
  int wanted = NAME_by_measurement;
  if (said && *said != 0 && strcmp(said, "on") != 0) {
    char *end;
    const unsigned long version = strtoul(said, &end, 10);
    // Whoever says anything else wants no measurement.
    const int known = *said >= '0' && *said <= '9' && *end == 0 && version < COUNT;
    wanted = known ? (int)version : NAME_by_size;
  }
  if (__atomic_compare_exchange_n(&NAME_how, &how, wanted, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    return wanted;
  return how;
}

// The class of a key, which gets a place where it has none; NULL: all are taken.
static struct NAME_class *NAME_find(struct NAME_class *classes, unsigned long long key) {
  unsigned at = (unsigned)(key * 0x9E3779B97F4A7C15u >> 55);
  for (unsigned i = 0; i < NAME_most_classes; ++i, at = (at + 1) % NAME_most_classes) {
    unsigned long long found = __atomic_load_n(&classes[at].key, __ATOMIC_RELAXED);
    if (found == 0 && __atomic_compare_exchange_n(&classes[at].key, &found, key, 0, __ATOMIC_RELAXED,
                                                  __ATOMIC_RELAXED))
      return &classes[at];
    if (found == key)
      return &classes[at];
  }
  return NULL;
}

// 0: not measured.
static double NAME_time(const struct NAME_class *own, unsigned version) {
  const unsigned long long bits = __atomic_load_n(&own->best[version], __ATOMIC_RELAXED);
  double seconds;
  memcpy(&seconds, &bits, sizeof seconds);
  return seconds;
}

static void NAME_note(struct NAME_class *own, unsigned version, double seconds) {
  unsigned long long bits, best = __atomic_load_n(&own->best[version], __ATOMIC_RELAXED);
  memcpy(&bits, &seconds, sizeof bits);
  // Positive numbers are in the order of their bits.
  while ((best == 0 || bits < best) &&
         !__atomic_compare_exchange_n(&own->best[version], &best, bits, 0, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED))
    ;
}

// Of those measured so far; `first`, unless it has failed, where no other is 3 % faster.
static unsigned NAME_fastest(const struct NAME_class *own, unsigned first) {
  unsigned fastest = first;
  for (unsigned version = 0; __builtin_isinf(NAME_time(own, fastest)) && version < COUNT; ++version)
    fastest = version;
  double least = NAME_time(own, fastest) * 0.97;
  for (unsigned version = 0; version < COUNT; ++version) {
    const double seconds = NAME_time(own, version);
    if (seconds > 0 && !__builtin_isinf(seconds) && (least == 0 || seconds < least)) {
      least = seconds;
      fastest = version;
    }
  }
  return fastest;
}

// The version to begin with, where the sizes ask for `first`.
static struct NAME_call NAME_begin(struct NAME_class *classes, unsigned long long key, unsigned firstQUEUE_PARAMETERS) {
  struct NAME_call call = {NULL, first, 0, 0};
  const int how = NAME_mode();
  if (how >= 0)
    call.version = (unsigned)how;
  if (how != NAME_by_measurement)
    return call;
  struct NAME_class *own = NAME_find(classes, key);
  if (!own)
    return call;
  const unsigned chosen = __atomic_load_n(&own->chosen, __ATOMIC_RELAXED);
  if (chosen != 0) {
    call.version = chosen - 1;
    return call;
  }
QUEUE_READY  call.number = __atomic_fetch_add(&own->begun, 1, __ATOMIC_RELAXED);
  if (call.number >= NAME_rounds * COUNT) { // others have yet to end
    call.version = NAME_fastest(own, first);
    return call;
  }
  call.compares = own;
  call.version = call.number % COUNT;
  const unsigned fastest = NAME_fastest(own, first);
  if (NAME_time(own, call.version) > 4 * NAME_time(own, fastest))
    call.version = fastest;
QUEUE_FINISH  call.start = NAME_seconds();
  return call;
}

// The call was served by `version`, which may be another one than it began with.
static void NAME_end(const struct NAME_call *call, unsigned first, unsigned version, int status, double elementsQUEUE_PARAMETER) {
  struct NAME_class *own = call->compares;
QUEUE_END  // One that fails, for want of memory say, is not called again while another one is known. The first call
  // of each may have made what the others find: threads, programs, pages.
  if (status != 0)
    NAME_note(own, version, __builtin_inf());
  else if (call->number >= COUNT)
    NAME_note(own, version, (NAME_seconds() - call->start) / elements);
  if (__atomic_add_fetch(&own->ended, 1, __ATOMIC_ACQ_REL) == NAME_rounds * COUNT)
    __atomic_store_n(&own->chosen, NAME_fastest(own, first) + 1, __ATOMIC_RELAXED);
}
)c";

constexpr const char *declarationsText =
    R"c(/// Which version is called: the number of one, in the order of the library's manifest, or one of these.
enum {
  /* The one that was fastest on the first calls with such sizes; the default. */
  NAME_by_measurement = -1,
  /* The one that is predicted to be fastest: for the same sizes always the same. */
  NAME_by_size = -2
};

/// Says which version later calls begin with; one that cannot serve the sizes leaves them to the next.
/// Until it is called the environment variable TANGRAM_ONLINE decides: a number is that version, nothing or
/// "on" is NAME_by_measurement, all else ("off") NAME_by_size. Returns 0, or 1 when there is no such version.
int NAME_choose(int how);
)c";

} // namespace

OnlineChoice::OnlineChoice(std::string name, std::size_t versions, std::vector<std::string> extents,
                           OnlineQueue queue)
    : name_(std::move(name)), versions_(versions), extents_(std::move(extents)),
      queue_(std::move(queue)) {}

std::string OnlineChoice::features() const {
  return "#ifndef _POSIX_C_SOURCE\n#define _POSIX_C_SOURCE 199309L // clock_gettime\n#endif\n";
}

std::string OnlineChoice::includes() const {
  return "#include <stdlib.h>\n#include <string.h>\n#include <time.h>\n\n";
}

std::string OnlineChoice::definitions() const {
  std::string text = definitionsText;
  text.insert(text.find("\n// The version to begin with"), queue_.isReady);
  for (const auto &[what, by] : std::initializer_list<std::pair<std::string, std::string>>{
           {"QUEUE_PARAMETERS", queue_.parameters},
           {"QUEUE_PARAMETER", queue_.parameter},
           {"QUEUE_READY", queue_.ready},
           {"QUEUE_FINISH", queue_.finish},
           {"QUEUE_END", queue_.end}})
    text = replaced(std::move(text), what, by);
  text += queue_.device;
  return replaced(replaced(std::move(text), "COUNT", std::to_string(versions_)), "NAME", name_);
}

std::string OnlineChoice::declarations() const { return replaced(declarationsText, "NAME", name_); }

std::string OnlineChoice::chooseFunction() const {
  return replaced("int NAME_choose(int how) {\n  if (how < NAME_by_size || how >= " +
                      std::to_string(versions_) +
                      ")\n    return 1;\n  __atomic_store_n(&NAME_how, how, __ATOMIC_RELAXED);\n"
                      "  return 0;\n}\n",
                  "NAME", name_);
}

std::string OnlineChoice::chosenFunction(const std::string &head, const std::string &first,
                                         const std::string &key, const ChosenNames &names) const {
  // No name of the library's or of its parameters has an @ in it.
  std::string text = "  const int @HOW = @NAME_mode();\n"
                     "  if (@HOW >= 0)\n    return @HOW;\n"
                     "  if (@HOW == @NAME_by_size)\n    return (int)@FIRST;\n"
                     "  const struct @NAME_class *@OWN = @NAME_find(@TABLE, @KEY);\n"
                     "  if (!@OWN)\n    return (int)@FIRST;\n"
                     "  return (int)__atomic_load_n(&@OWN->chosen, __ATOMIC_RELAXED) - 1;\n";
  for (const auto &[what, by] :
       std::initializer_list<std::pair<std::string, std::string>>{{"@HOW", names.how},
                                                                  {"@OWN", names.own},
                                                                  {"@KEY", key},
                                                                  {"@TABLE", names.classes},
                                                                  {"@FIRST", first},
                                                                  {"@NAME", name_}})
    text = replaced(std::move(text), what, by);
  return head + " {\n" + voidOfUnused(text, names.parameters) + text + "}\n";
}

std::string OnlineChoice::key(const std::string &more) const {
  std::string text;
  for (const std::string &extent : extents_)
    text = (text.empty() ? "65" : "65 * (" + text + ")") + " + " + name_ + "_bits(" + extent + ")";
  if (text.empty())
    text = "1";
  return more.empty() ? "65 * (" + text + ")" : "65 * (" + text + ") + " + more;
}

std::string OnlineChoice::elements() const {
  std::string text;
  for (const std::string &extent : extents_)
    text += (text.empty() ? "((double)" : " * ((double)") + extent + " + 1)";
  return text.empty() ? "1" : text;
}

std::string OnlineChoice::begin(const std::string &classes, const std::string &key,
                                const std::string &first,
                                const std::vector<std::string> &queueAndWaits) const {
  std::string text = name_ + "_begin(" + classes + ", " + key + ", " + first;
  for (const std::string &each : queueAndWaits)
    text += ", " + each;
  return text + ")";
}

std::string OnlineChoice::end(const std::string &call, const std::string &first,
                              const std::string &served, const std::string &status,
                              const std::vector<std::string> &queue) const {
  std::string text = "  if (" + call + ".compares)\n    " + name_ + "_end(&" + call + ", " + first +
                     ", " + served + ", " + status + ", " + elements();
  for (const std::string &each : queue)
    text += ", " + each;
  return text + ");\n";
}

} // namespace tangram::codegen
