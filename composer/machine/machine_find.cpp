// Models by name, in the folders they are installed in.
#include "composer/machine/machine_json.h"

#include <algorithm>

namespace tangram::composer {

namespace fs = std::filesystem;

std::vector<std::string> listMachines(const std::vector<fs::path> &folders) {
  std::vector<std::string> names;
  for (const fs::path &folder : folders) {
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
      const fs::path &file = entry->path();
      if (file.extension() == ".json" && file.filename() != "schema.json")
        names.push_back(file.stem().string());
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

MachineOrErrors findMachine(const std::string &nameOrFile, const std::vector<fs::path> &folders) {
  fs::path path(nameOrFile);
  if (path.extension() == ".json" || path.has_parent_path())
    return loadMachine(path);
  std::vector<std::string> known = listMachines(folders);
  if (std::find(known.begin(), known.end(), nameOrFile) != known.end())
    for (const fs::path &folder : folders) {
      fs::path file = folder / (nameOrFile + ".json");
      std::error_code ignored;
      if (fs::exists(file, ignored))
        return loadMachine(file);
    }
  std::string list = known.empty() ? "there are none" : "the known ones are " + commaList(known);
  return ModelErrors{{"", "",
                      "unknown hardware model " + inQuotes(nameOrFile) +
                          didYouMean(nameOrFile, known) + " (" + list +
                          "; a path to a .json file names any other)"}};
}

} // namespace tangram::composer
