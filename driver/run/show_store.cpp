#include "driver/run/show_store.h"

#include "runtime/data/text_file.h"
#include "runtime/tune/store_json.h"
#include "runtime/tune/tune_report.h"
#include "json/reader.h"

#include <iostream>

namespace tangram::driver {

using namespace runtime;
using Json = nlohmann::ordered_json;

namespace {

CLI::App *addOne(CLI::App &store, StoreCommand &command, const std::string &name,
                 const std::string &description) {
  CLI::App *one = store.add_subcommand(name, description);
  one->callback([&command, name] { command.what = name; });
  one->add_option("store", command.file, "The store")->required()->type_name("FILE");
  return one;
}

void addQuery(CLI::App &one, StoreCommand &command) {
  one.add_option("--spectrum", command.query.spectrum, "Only this spectrum")->type_name("NAME");
  one.add_option("--plan", command.query.plan, "Only the plan with this id")->type_name("ID");
  one.add_option("--target", command.query.target, "Only this target")->type_name("TARGET");
  one.add_option("--device", command.query.device, "Only this device, as the store calls it")
      ->type_name("DEVICE");
}

void addFormat(CLI::App &one, StoreCommand &command) {
  one.add_option("--format", command.format, "Form of the results: text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
}

Status show(const Store &store, const StoreCommand &command) {
  Result<std::vector<Measurement>> measurements = store.measurements(command.query);
  if (!measurements)
    return measurements.error();
  if (command.format == "text") {
    std::cout << measurementsText(*measurements);
    return ok();
  }
  Json list = Json::array();
  for (const Measurement &m : *measurements)
    list.push_back(measurementJson(m));
  std::cout << json::dumped(Json{{"measurements", list}}, 2) << "\n";
  return ok();
}

Status best(const Store &store, const StoreCommand &command) {
  Result<std::vector<Choice>> choices = store.choices(command.query);
  if (!choices)
    return choices.error();
  if (command.format == "text") {
    std::cout << choicesText(*choices);
    return ok();
  }
  Json list = Json::array();
  for (const Choice &c : *choices)
    list.push_back(choiceJson(c));
  std::cout << json::dumped(Json{{"choices", list}}, 2) << "\n";
  return ok();
}

Status exportAll(const Store &store, const StoreCommand &command) {
  Result<Json> json = storeJson(store, command.query);
  if (!json)
    return json.error();
  const std::string text = json->dump(2) + "\n";
  if (!command.output.empty())
    return writeFile(command.output, [&](std::ostream &out) { out << text; });
  std::cout << text;
  return ok();
}

Status merge(const StoreCommand &command) {
  // All of them before the first one is changed.
  std::vector<Store> others;
  for (const std::string &file : command.others) {
    Result<Store> other = Store::openToRead(file);
    if (!other)
      return other.error();
    others.push_back(std::move(*other));
  }
  Result<Store> store = Store::open(command.file);
  if (!store)
    return store.error();
  Json list = Json::array();
  for (std::size_t i = 0; i < others.size(); ++i) {
    Result<Store::Merged> merged = store->merge(others[i]);
    if (!merged)
      return merged.error();
    if (command.format == "text")
      std::cout << command.others[i] << ": " << merged->added << " added, " << merged->replaced
                << " replaced, " << merged->kept << " kept as they were\n";
    list.push_back({{"store", command.others[i]},
                    {"added", merged->added},
                    {"replaced", merged->replaced},
                    {"kept", merged->kept}});
  }
  if (command.format == "json")
    std::cout << json::dumped(Json{{"merged", list}}, 2) << "\n";
  return ok();
}

} // namespace

void addStore(CLI::App &app, StoreCommand &command) {
  CLI::App *store = app.add_subcommand("store", "What `tune` has measured: show, merge, export");
  store->require_subcommand(1);
  for (const auto &[name, description] :
       {std::pair("show", "Every measurement"), std::pair("best", "What was chosen"),
        std::pair("export", "All of it as JSON")}) {
    CLI::App *one = addOne(*store, command, name, description);
    addQuery(*one, command);
    if (name != std::string("export"))
      addFormat(*one, command);
    else
      one->add_option("-o,--output", command.output, "A file instead of standard output")
          ->type_name("FILE");
  }
  CLI::App *merging = addOne(*store, command, "merge", "Take over what other stores hold");
  merging->add_option("others", command.others, "The stores to read")
      ->required()
      ->type_name("OTHER");
  addFormat(*merging, command);
}

Status showStore(const StoreCommand &command) {
  if (command.what == "merge")
    return merge(command);
  Result<Store> store = Store::openToRead(command.file);
  if (!store)
    return store.error();
  if (command.what == "export")
    return exportAll(*store, command);
  return command.what == "best" ? best(*store, command) : show(*store, command);
}

} // namespace tangram::driver
