#include "runtime/data/data_kind.h"

#include "ir/diagnostic.h"

#include <algorithm>
#include <sstream>

namespace tangram::runtime {

namespace {

const std::vector<std::pair<DataKind, std::string>> names{{DataKind::Ordinary, "ordinary"},
                                                          {DataKind::Full, "full"},
                                                          {DataKind::Few, "few"},
                                                          {DataKind::Sorted, "sorted"},
                                                          {DataKind::Reversed, "reversed"},
                                                          {DataKind::Edges, "edges"},
                                                          {DataKind::Constants, "constants"},
                                                          {DataKind::Special, "special"}};

Error unknown(const std::string &word) {
  std::vector<std::string> known;
  std::string list;
  for (const auto &[kind, name] : names) {
    known.push_back(name);
    list += (list.empty() ? "" : ", ") + name;
  }
  known.emplace_back("usual");
  const std::string meant = ir::nearest(word, known);
  return usageError("--data " + word + ": expected " + list + " or usual" +
                    (meant.empty() ? "" : "; did you mean " + meant + "?"));
}

} // namespace

std::string name(DataKind kind) {
  return std::ranges::find(names, kind, &std::pair<DataKind, std::string>::first)->second;
}

const std::vector<DataKind> &usualKinds() {
  static const std::vector<DataKind> kinds{DataKind::Ordinary, DataKind::Full,     DataKind::Few,
                                           DataKind::Sorted,   DataKind::Reversed, DataKind::Edges,
                                           DataKind::Constants};
  return kinds;
}

Result<std::vector<DataKind>> parseKinds(const std::string &text) {
  std::vector<DataKind> kinds;
  auto add = [&](DataKind kind) {
    if (std::ranges::count(kinds, kind) == 0)
      kinds.push_back(kind);
  };
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    const auto found = std::ranges::find(names, word, &std::pair<DataKind, std::string>::second);
    if (found != names.end())
      add(found->first);
    else if (word == "usual")
      std::ranges::for_each(usualKinds(), add);
    else
      return unknown(word);
  }
  if (kinds.empty())
    return unknown(text);
  return kinds;
}

} // namespace tangram::runtime
