#include "runtime/bundle/manifest.h"

#include "algebra/device_facts.h"
#include "runtime/bundle/extent_limits.h"
#include "runtime/bundle/library.h"
#include "runtime/bundle/manifest_check.h"
#include "runtime/bundle/scalar_bounds.h"
#include "runtime/data/text_file.h"

#include <algorithm>
#include <cctype>

namespace tangram::runtime {

const std::vector<std::string> deviceFactNames = algebra::deviceFactNames();

std::vector<std::string> Signature::extents() const {
  std::vector<std::string> names;
  for (const Parameter &p : parameters) {
    for (const std::string &extent : p.extents) {
      if (std::find(names.begin(), names.end(), extent) == names.end())
        names.push_back(extent);
    }
  }
  return names;
}

const Parameter *Signature::parameter(const std::string &name) const {
  auto found = std::find_if(parameters.begin(), parameters.end(),
                            [&](const Parameter &p) { return p.name == name; });
  return found == parameters.end() ? nullptr : &*found;
}

bool Tunable::allows(std::uint64_t value) const {
  return value >= min && value <= max &&
         (values.empty() || std::find(values.begin(), values.end(), value) != values.end());
}

const Tunable *Manifest::tunable(const std::string &name) const {
  auto found = std::find_if(tunables.begin(), tunables.end(),
                            [&](const Tunable &t) { return t.name == name; });
  return found == tunables.end() ? nullptr : &*found;
}

bool Manifest::bytesDependOnData() const {
  return !trafficKnown ||
         std::any_of(signature.data.begin(), signature.data.end(), [](const DataContract &c) {
           return c.kind == DataContract::Kind::Within && !c.reals;
         });
}

std::filesystem::path Manifest::path(const std::string &role) const {
  return folder / files.at(role);
}

void ManifestProblems::problem(const std::string &pointer, const std::string &message) {
  messages.push_back(file + ": " + (pointer.empty() ? "" : pointer + ": ") + message);
}

std::string ManifestProblems::describe(const json::Json &value) const {
  return json::shownWithKind(value);
}

namespace {

std::string readIdentifier(const json::Value &value) {
  std::string text = value.string();
  bool good = !text.empty() && !std::isdigit(static_cast<unsigned char>(text[0])) &&
              std::all_of(text.begin(), text.end(),
                          [](unsigned char c) { return c < 128 && (std::isalnum(c) || c == '_'); });
  if (!value.missing() && value.json()->is_string() && !good)
    value.expected("a C identifier");
  return text;
}

/// One of `choices`; the first one when it is none of them.
std::size_t readChoice(const json::Value &value, const std::vector<std::string> &choices) {
  if (value.missing())
    return 0;
  auto found = value.json()->is_string()
                   ? std::find(choices.begin(), choices.end(), value.json()->get<std::string>())
                   : choices.end();
  if (found != choices.end())
    return static_cast<std::size_t>(found - choices.begin());
  std::string list;
  for (std::size_t i = 0; i < choices.size(); ++i)
    list += (i == 0 ? "" : i + 1 == choices.size() ? " or " : ", ") + ("\"" + choices[i] + "\"");
  value.expected(list);
  return 0;
}

ir::Scalar readElement(const json::Value &value) {
  static const std::vector<std::string> elements{"bool", "i8",  "u8",  "i16", "u16", "i32",
                                                 "u32",  "i64", "u64", "f32", "f64", "f128"};
  return ir::scalarNamed(elements[readChoice(value, elements)]);
}

Expression readExpression(const json::Value &value) {
  std::string text = value.string();
  if (value.missing() || !value.json()->is_string())
    return {};
  Result<Expression> e = Expression::parse(text);
  if (!e) {
    value.problem("expected an expression, found " + e.error().message);
    return {};
  }
  return *e;
}

/// False where it is missing.
bool readFlag(const json::Value &value) {
  if (value.missing())
    return false;
  if (!value.json()->is_boolean())
    value.expected("true or false");
  return value.json()->is_boolean() && value.json()->get<bool>();
}

Parameter readParameter(const json::Value &value) {
  json::Object object(value);
  Parameter p;
  p.name = readIdentifier(object.required("name"));
  p.container = readChoice(object.required("kind"), {"container", "scalar"}) == 0;
  p.element = readElement(object.required("element"));
  if (p.container) {
    p.access = static_cast<Access>(readChoice(object.required("access"), {"in", "out", "inout"}));
    json::Value rank = object.required("rank");
    json::Value extents = object.required("extents");
    for (const json::Value &extent : extents.elements())
      p.extents.push_back(readIdentifier(extent));
    if (!rank.missing() && (rank.number() == 0 || rank.number() != p.extents.size()))
      rank.expected("the number of extents, which is " + std::to_string(p.extents.size()));
  }
  if (!p.container)
    p.anyValue = readFlag(object.optional("any_value"));
  object.finish();
  return p;
}

Signature readSignature(const json::Value &value) {
  json::Object object(value);
  Signature signature;
  for (const json::Value &p : object.required("parameters").elements())
    signature.parameters.push_back(readParameter(p));
  json::Value result = object.required("result");
  if (!result.isNull()) {
    json::Object resultObject(result);
    signature.result = readElement(resultObject.required("element"));
    resultObject.finish();
  }
  object.finish();
  return signature;
}

ShapeEquation readShape(const json::Value &value) {
  json::Object object(value);
  ShapeEquation equation;
  equation.extent = readIdentifier(object.required("extent"));
  equation.equals = readExpression(object.required("equals"));
  object.finish();
  return equation;
}

DataContract readData(const json::Value &value) {
  json::Object object(value);
  DataContract contract;
  contract.parameter = readIdentifier(object.required("parameter"));
  contract.kind =
      static_cast<DataContract::Kind>(readChoice(object.required("kind"), {"within", "ascending"}));
  const json::Value low = object.required("low"), high = object.required("high");
  const auto isNumber = [](const json::Value &bound) {
    return bound.json() != nullptr && bound.json()->is_number();
  };
  if (isNumber(low) && isNumber(high)) {
    contract.reals = {{low.json()->get<double>(), high.json()->get<double>()}};
  } else {
    contract.low = readExpression(low);
    contract.high = readExpression(high);
  }
  object.finish();
  return contract;
}

NamedNumbers readConstants(const json::Value &value) {
  NamedNumbers named;
  for (const json::Value &each : value.elements()) {
    const json::Json &number = *each.json();
    if (number.is_number_unsigned())
      named.integers.push_back(number.get<std::uint64_t>());
    else if (number.is_number_float())
      named.reals.push_back(number.get<double>());
    else
      each.expected("a number that is not negative");
  }
  return named;
}

Tunable readTunable(const json::Value &value) {
  json::Object object(value);
  Tunable t;
  t.name = readIdentifier(object.required("name"));
  t.compileTime = readChoice(object.required("kind"), {"launch", "compile"}) == 1;
  t.defaultValue = readExpression(object.required("default"));
  t.min = object.required("min").number();
  t.max = object.required("max").number();
  for (const json::Value &allowed : object.optional("values").elements())
    t.values.push_back(allowed.number());
  if (!t.compileTime) {
    for (const json::Value &each : object.optional("tries").elements())
      t.tries.push_back(readExpression(each));
  }
  t.meaning = object.optional("meaning").string();
  object.finish();
  return t;
}

Constraint readConstraint(const json::Value &value) {
  json::Object object(value);
  Constraint c;
  c.require = readExpression(object.required("require"));
  c.reason = object.required("reason").string();
  object.finish();
  return c;
}

Buffer readBuffer(const json::Value &value) {
  json::Object object(value);
  Buffer b;
  b.name = readIdentifier(object.required("name"));
  b.local = readChoice(object.required("space"), {"global", "local"}) == 1;
  b.element = readElement(object.required("element"));
  b.count = readExpression(object.required("count"));
  if (b.local) {
    b.kernel = object.optional("kernel").string();
  } else {
    b.zeroed = readFlag(object.optional("zeroed"));
    b.exchanged = readFlag(object.optional("exchanged"));
  }
  object.finish();
  return b;
}

KernelArgument readArgument(const json::Value &value) {
  json::Object object(value);
  KernelArgument argument;
  json::Value buffer = object.optional("buffer");
  json::Value scalar = object.optional("scalar");
  json::Value parameter = object.optional("parameter");
  json::Value counter = object.optional("counter");
  int given = !buffer.missing() + !scalar.missing() + !parameter.missing() + !counter.missing();
  if (given != 1 && !value.missing() && value.json()->is_object())
    value.problem("expected one of \"buffer\", \"scalar\", \"parameter\" and \"counter\", found " +
                  std::to_string(given));
  if (!scalar.missing()) {
    argument.kind = KernelArgument::Kind::Scalar;
    argument.scalar = readExpression(scalar);
  } else if (!parameter.missing()) {
    argument.kind = KernelArgument::Kind::Parameter;
    argument.name = parameter.string();
  } else if (!counter.missing()) {
    argument.kind = KernelArgument::Kind::Counter;
    argument.name = counter.string();
  } else {
    argument.name = buffer.string();
  }
  object.finish();
  return argument;
}

Kernel readKernel(const json::Value &value) {
  json::Object object(value);
  Kernel k;
  k.name = readIdentifier(object.required("name"));
  k.groups = readExpression(object.required("groups"));
  json::Value rows = object.optional("groups_y");
  if (!rows.missing())
    k.groupsY = readExpression(rows);
  k.groupSize = readExpression(object.required("group_size"));
  if (json::Value barriers = object.optional("barriers"); !barriers.missing())
    k.barriers = barriers.number();
  json::Value itemRows = object.optional("group_size_y");
  if (!itemRows.missing())
    k.groupSizeY = readExpression(itemRows);
  if (json::Value shared = object.optional("shared_bytes"); !shared.missing())
    k.shared = readExpression(shared);
  for (const json::Value &argument : object.required("arguments").elements())
    k.arguments.push_back(readArgument(argument));
  object.finish();
  return k;
}

std::vector<Step> readSteps(const json::Value &value);

/// The key that says what kind of step it is comes with a name.
Step readStep(const json::Value &value) {
  static const std::vector<std::pair<const char *, Step::Kind>> kinds{
      {"kernel", Step::Kind::Launch},    {"for", Step::Kind::For}, {"while", Step::Kind::While},
      {"do_while", Step::Kind::DoWhile}, {"if", Step::Kind::If},   {"swap", Step::Kind::Swap}};
  json::Object object(value);
  Step step;
  int given = 0;
  for (const auto &[key, kind] : kinds) {
    json::Value name = object.optional(key);
    if (name.missing())
      continue;
    ++given;
    step.kind = kind;
    if (kind != Step::Kind::Swap) {
      step.name = readIdentifier(name);
      continue;
    }
    const std::vector<json::Value> both = name.elements();
    if (both.size() != 2) {
      name.expected("the names of two buffers");
      continue;
    }
    step.name = readIdentifier(both[0]);
    step.other = readIdentifier(both[1]);
  }
  if (given != 1 && !value.missing() && value.json()->is_object())
    value.problem("expected one of \"kernel\", \"for\", \"while\", \"do_while\", \"if\" and "
                  "\"swap\", found " +
                  std::to_string(given));
  if (step.kind == Step::Kind::For) {
    step.element = readElement(object.required("element"));
    step.from = readExpression(object.required("from"));
    step.below = readExpression(object.required("below"));
    const json::Value factor = object.optional("times");
    step.multiplies = !factor.missing();
    step.by = readExpression(step.multiplies ? factor : object.required("by"));
  }
  if (step.kind != Step::Kind::Launch && step.kind != Step::Kind::Swap)
    step.steps = readSteps(object.required("do"));
  if (step.kind == Step::Kind::If) {
    if (json::Value otherwise = object.optional("else"); !otherwise.missing())
      step.otherwise = readSteps(otherwise);
  }
  object.finish();
  return step;
}

/// Names of kernels become their places; one that is not known gets one that is none.
void findKernels(std::vector<Step> &steps, const std::vector<Kernel> &kernels) {
  for (Step &step : steps) {
    if (step.kind == Step::Kind::Launch)
      step.kernel = static_cast<std::size_t>(std::ranges::find(kernels, step.name, &Kernel::name) -
                                             kernels.begin());
    findKernels(step.steps, kernels);
    findKernels(step.otherwise, kernels);
  }
}

std::vector<Step> readSteps(const json::Value &value) {
  std::vector<Step> steps;
  for (const json::Value &each : value.elements())
    steps.push_back(readStep(each));
  return steps;
}

void readPlan(const json::Value &value, Manifest &manifest) {
  json::Object object(value);
  manifest.planId = object.required("id").nonEmptyString();
  manifest.steps = object.required("steps").strings();
  manifest.derivation = object.optional("derivation").strings();
  object.finish();
}

void readFiles(const json::Value &value, Manifest &manifest) {
  json::Object object(value);
  auto read = [&](const std::string &role, const json::Value &field) {
    if (!field.missing())
      manifest.files[role] = field.nonEmptyString();
  };
  read("source", object.required("source"));
  read("reference", object.required("reference"));
  read("entry",
       formatOf(manifest.target).hasKernels ? object.optional("entry") : object.required("entry"));
  for (const char *role : {"host", "header", "example", "wide", "pocl"})
    read(role, object.optional(role));
  object.finish();
}

void readRounding(const json::Value &value, Manifest &manifest) {
  if (value.isNull())
    return;
  json::Object object(value);
  manifest.roundingDepth = readExpression(object.required("depth"));
  object.finish();
}

void readSourceAndTraffic(json::Object &object, Manifest &manifest) {
  json::Object source(object.required("source"));
  manifest.sourceFile = source.required("file").string();
  manifest.sourceHash = source.required("hash").string();
  source.finish();
  json::Value moved = object.required("traffic");
  manifest.trafficKnown = !moved.json() || !moved.isNull();
  if (!manifest.trafficKnown)
    return;
  json::Object traffic(moved);
  manifest.bytesRead = readExpression(traffic.required("read"));
  manifest.bytesWritten = readExpression(traffic.required("written"));
  traffic.finish();
}

/// Compilers have flags that read, write and run files: a manifest has those that tangram emits.
void checkFlag(const json::Value &value, const TargetFormat &format) {
  const std::string flag = value.string();
  if (value.json()->is_string() && std::ranges::find(format.flags, flag) == format.flags.end())
    value.problem("expected a flag that tangram emits, found " + json::inQuotes(flag) +
                  json::didYouMean(flag, format.flags));
}

void readCompile(const json::Value &value, Manifest &manifest) {
  json::Object object(value);
  for (const TargetFormat &format : targetFormats()) {
    bool own = format.target == manifest.target;
    json::Value flags = own ? object.required(format.name) : object.optional(format.name);
    std::vector<std::string> list = flags.strings();
    for (const json::Value &flag : flags.elements())
      checkFlag(flag, format);
    if (own)
      manifest.flags = std::move(list);
  }
  object.finish();
}

Target readTarget(const json::Value &value) {
  std::vector<std::string> names;
  for (const TargetFormat &format : targetFormats())
    names.push_back(format.name);
  return targetFormats()[readChoice(value, names)].target;
}

Manifest readFields(const json::Value &root) {
  json::Object object(root);
  Manifest m;
  object.required("format");
  object.required("version");
  m.generator = object.required("generator").string();
  m.spectrum = readIdentifier(object.required("spectrum"));
  m.target = readTarget(object.required("target"));
  m.model = object.required("model").string();
  readPlan(object.required("plan"), m);
  m.signature = readSignature(object.required("signature"));
  for (const json::Value &equation : object.optional("shape").elements())
    m.signature.shape.push_back(readShape(equation));
  for (const json::Value &contract : object.optional("data").elements())
    m.signature.data.push_back(readData(contract));
  m.signature.constants = readConstants(object.optional("constants"));
  for (const json::Value &t : object.required("tunables").elements())
    m.tunables.push_back(readTunable(t));
  for (const json::Value &c : object.required("constraints").elements())
    m.constraints.push_back(readConstraint(c));
  for (const json::Value &b : object.optional("buffers").elements())
    m.buffers.push_back(readBuffer(b));
  const TargetFormat &format = formatOf(m.target);
  json::Value kernels = format.hasKernels ? object.required("kernels") : object.optional("kernels");
  for (const json::Value &k : kernels.elements())
    m.kernels.push_back(readKernel(k));
  if (!kernels.missing() && m.kernels.empty() == format.hasKernels)
    kernels.expected(format.hasKernels ? "at least one kernel"
                                       : "no kernel in an " + format.title + " bundle");
  if (json::Value schedule = object.optional("schedule"); !schedule.missing())
    m.schedule = readSteps(schedule);
  findKernels(m.schedule, m.kernels);
  if (json::Value most = object.optional("most_index"); !most.missing())
    m.mostIndex = readExpression(most);
  readSourceAndTraffic(object, m);
  readRounding(object.required("rounding"), m);
  readFiles(object.required("files"), m);
  if (json::Value why = object.optional("wide_refusal"); !why.missing())
    m.wideRefusal = why.nonEmptyString();
  readCompile(object.required("compile"), m);
  checkContents(object.optional("contents"));
  object.finish();
  return m;
}

/// Format and version come first: nothing else can be trusted when they differ.
bool formatIsOurs(const nlohmann::json &document, ManifestProblems &problems) {
  json::Object object(json::Value(&document, "", problems));
  json::Value format = object.required("format");
  json::Value version = object.required("version");
  if (!problems.messages.empty())
    return false;
  if (*format.json() != "tangram-bundle") {
    format.expected("\"tangram-bundle\"");
    return false;
  }
  if (*version.json() == manifestVersion)
    return true;
  std::string made;
  if (*version.json() == libraryVersion && document.contains("versions"))
    made = ": this is a bundle of several plans, each of which has a manifest in its folder";
  else if (version.json()->is_number_unsigned() && version.number() > manifestVersion) {
    auto generator = document.find("generator");
    made = ": this bundle was made by a newer tangram" +
           (generator != document.end() && generator->is_string()
                ? " (" + generator->get<std::string>() + ")"
                : "");
  }
  version.problem("expected " + std::to_string(manifestVersion) + ", found " + version.described() +
                  made);
  return false;
}

std::optional<json::Json> parseDocument(const std::string &text, ManifestProblems &problems) {
  auto parsed = json::parse(text);
  if (auto *document = std::get_if<json::Json>(&parsed))
    return std::move(*document);
  const json::Failure &failure = std::get<json::Failure>(parsed);
  std::string found = failure.text;
  if (failure.syntax) {
    // "line 1, column 5: syntax error while parsing x - what"
    const std::size_t detail = found.find(": "), reason = found.find(" - ");
    if (detail != std::string::npos && reason != std::string::npos)
      found = found.substr(0, detail) + ": " + found.substr(reason + 3);
    problems.problem("", "expected a JSON document, found a syntax error at " + found);
  } else {
    const std::size_t quote = found.find('\'');
    problems.problem("", "expected numbers that a double can hold, found " +
                             (quote == std::string::npos ? found : found.substr(quote)));
  }
  return std::nullopt;
}

} // namespace

Error joined(const ManifestProblems &problems) {
  std::string text;
  for (const std::string &message : problems.messages)
    text += (text.empty() ? "" : "\n") + message;
  return inputError(text);
}

Result<Manifest> parseManifest(const std::string &text, const std::filesystem::path &file) {
  ManifestProblems problems(file.string());
  std::optional<json::Json> document = parseDocument(text, problems);
  if (!document || !formatIsOurs(*document, problems))
    return joined(problems);
  json::checkPrintable(*document, problems);
  Manifest manifest = readFields(json::Value(&*document, "", problems));
  manifest.file = file.string();
  manifest.folder = file.parent_path();
  if (problems.messages.empty())
    checkManifest(manifest, *document, problems);
  if (!problems.messages.empty())
    return joined(problems);
  boundScalars(manifest);
  limitExtents(manifest);
  return manifest;
}

Result<Manifest> readManifest(const std::filesystem::path &bundle) {
  std::error_code ignored;
  std::filesystem::path file =
      std::filesystem::is_directory(bundle, ignored) ? bundle / "manifest.json" : bundle;
  Result<std::string> text = readTextFile(file);
  if (!text)
    return inputError(text.error().message);
  return parseManifest(*text, file);
}

} // namespace tangram::runtime
