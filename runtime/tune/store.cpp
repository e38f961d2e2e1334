#include "runtime/tune/store.h"

#include "json/reader.h"

#include <nlohmann/json.hpp>

#include <array>
#include <ctime>

namespace tangram::runtime {

namespace {

/// "TgTu": what says that a SQLite file is a store.
constexpr std::int64_t applicationId = 0x54675475;

constexpr std::array verdicts{Verdict::Measured, Verdict::Wrong,   Verdict::NotComparable,
                              Verdict::Refused,  Verdict::Crashed, Verdict::TimedOut,
                              Verdict::Failed};

/// The columns of a case, in the order in which they are written and read.
const std::string caseColumns =
    "spectrum, plan, target, model, source, code, device, driver, extents, inputs, caches";
constexpr int caseColumnCount = 11;
/// Those that tell cases apart.
const std::string caseKey = "plan, target, source, code, device, driver, extents, inputs, caches";

const std::string caseDefinition =
    "spectrum TEXT NOT NULL, plan TEXT NOT NULL, target TEXT NOT NULL, model TEXT NOT NULL, "
    "source TEXT NOT NULL, code TEXT NOT NULL, device TEXT NOT NULL, driver TEXT NOT NULL, "
    "extents TEXT NOT NULL, inputs TEXT NOT NULL, caches TEXT NOT NULL, tunables TEXT NOT NULL, ";

/// All of it in one transaction: there is a store, or there is none.
std::string schema() {
  return "CREATE TABLE measurements (" + caseDefinition +
         "is_default INTEGER NOT NULL, verdict TEXT NOT NULL, reason TEXT NOT NULL, "
         "median REAL NOT NULL, lower_quartile REAL NOT NULL, upper_quartile REAL NOT NULL, "
         "minimum REAL NOT NULL, repeat INTEGER NOT NULL, measured_at INTEGER NOT NULL, "
         "PRIMARY KEY (" +
         caseKey +
         ", tunables));"
         "CREATE TABLE choices (" +
         caseDefinition +
         "seconds REAL NOT NULL, default_seconds REAL NOT NULL, candidates INTEGER NOT NULL, "
         "exhaustive INTEGER NOT NULL, chosen_at INTEGER NOT NULL, PRIMARY KEY (" +
         caseKey +
         "));"
         "PRAGMA application_id = " +
         std::to_string(applicationId) + ";PRAGMA user_version = " + std::to_string(storeVersion) +
         ";";
}

std::string parameters(int count) {
  std::string text = "?";
  for (int i = 1; i < count; ++i)
    text += ", ?";
  return text;
}

std::int64_t orNow(std::int64_t when) { return when != 0 ? when : std::time(nullptr); }

std::string numbersText(const std::map<std::string, std::uint64_t> &values) {
  return json::dumped(nlohmann::json(values));
}

Result<std::map<std::string, std::uint64_t>> numbersOf(const std::string &file,
                                                       const std::string &text) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  std::map<std::string, std::uint64_t> values;
  bool good = json.is_object();
  for (auto member = json.begin(); good && member != json.end(); ++member) {
    good = member->is_number_unsigned();
    if (good)
      values[member.key()] = member->get<std::uint64_t>();
  }
  if (!good)
    return inputError(file + ": is damaged: expected names with numbers, found " + text);
  return values;
}

/// Parameters from `next` on; the one after them.
int bindCase(Statement &statement, const TuningCase &of, int next) {
  for (const std::string &value : {of.spectrum, of.plan, of.target, of.model, of.source, of.code,
                                   of.device, of.driver, numbersText(of.extents), of.inputs,
                                   std::string(of.caches == Caches::Cold ? "cold" : "warm")})
    statement.bind(next++, value);
  return next;
}

Result<TuningCase> caseOf(const std::string &file, const Statement &row) {
  TuningCase of;
  int column = 0;
  for (std::string *value : {&of.spectrum, &of.plan, &of.target, &of.model, &of.source, &of.code,
                             &of.device, &of.driver})
    *value = row.text(column++);
  Result<std::map<std::string, std::uint64_t>> extents = numbersOf(file, row.text(column++));
  if (!extents)
    return extents.error();
  of.extents = *extents;
  of.inputs = row.text(column++);
  of.caches = row.text(column++) == "cold" ? Caches::Cold : Caches::Warm;
  return of;
}

Result<Measurement> measurementOf(const std::string &file, const Statement &row) {
  Measurement m;
  Result<TuningCase> of = caseOf(file, row);
  if (!of)
    return of.error();
  m.of = std::move(*of);
  int column = caseColumnCount;
  Result<TunableValues> tunables = numbersOf(file, row.text(column++));
  if (!tunables)
    return tunables.error();
  m.tunables = std::move(*tunables);
  m.standard = row.integer(column++) != 0;
  const std::string verdict = row.text(column++);
  const auto *known = std::find_if(verdicts.begin(), verdicts.end(),
                                   [&](Verdict each) { return name(each) == verdict; });
  if (known == verdicts.end())
    return inputError(file + ": is damaged: expected a verdict, found " + verdict);
  m.verdict = *known;
  m.reason = row.text(column++);
  for (double *value :
       {&m.times.median, &m.times.lowerQuartile, &m.times.upperQuartile, &m.times.min})
    *value = row.real(column++);
  m.times.repeat = static_cast<std::size_t>(row.integer(column++));
  m.when = row.integer(column);
  return m;
}

Result<Choice> choiceOf(const std::string &file, const Statement &row) {
  Choice c;
  Result<TuningCase> of = caseOf(file, row);
  if (!of)
    return of.error();
  c.of = std::move(*of);
  int column = caseColumnCount;
  Result<TunableValues> tunables = numbersOf(file, row.text(column++));
  if (!tunables)
    return tunables.error();
  c.tunables = std::move(*tunables);
  c.seconds = row.real(column++);
  c.standardSeconds = row.real(column++);
  c.candidates = static_cast<std::size_t>(row.integer(column++));
  c.exhaustive = row.integer(column++) != 0;
  c.when = row.integer(column);
  return c;
}

/// What `read` makes of each row.
template <class T>
Result<std::vector<T>> rowsOf(const Database &database, const std::string &file,
                              const std::string &sql, const std::vector<std::string> &bound,
                              Result<T> (*read)(const std::string &, const Statement &)) {
  Result<Statement> rows = database.prepare(sql);
  if (!rows)
    return rows.error();
  for (std::size_t i = 0; i < bound.size(); ++i)
    rows->bind(static_cast<int>(i) + 1, bound[i]);
  std::vector<T> all;
  for (;;) {
    Result<bool> row = rows->step();
    if (!row)
      return row.error();
    if (!*row)
      return all;
    Result<T> one = read(file, *rows);
    if (!one)
      return one.error();
    all.push_back(std::move(*one));
  }
}

/// Of a case, in the order of caseKey.
std::vector<std::string> keyOf(const TuningCase &of) {
  return {of.plan,
          of.target,
          of.source,
          of.code,
          of.device,
          of.driver,
          numbersText(of.extents),
          of.inputs,
          of.caches == Caches::Cold ? "cold" : "warm"};
}

const std::string isCase = "plan = ? AND target = ? AND source = ? AND code = ? AND device = ? AND "
                           "driver = ? AND extents = ? AND inputs = ? AND caches = ?";

std::pair<std::string, std::vector<std::string>> conditionOf(const StoreQuery &query) {
  std::string condition = "1";
  std::vector<std::string> bound;
  for (const auto &[column, value] :
       {std::pair<const char *, const std::string &>{"spectrum", query.spectrum},
        {"plan", query.plan},
        {"target", query.target},
        {"device", query.device}}) {
    if (value.empty())
      continue;
    condition += std::string(" AND ") + column + " = ?";
    bound.push_back(value);
  }
  return {condition, bound};
}

/// Whether `mine` stays where `theirs` is another measurement of the same.
bool outlasts(const Measurement &mine, const Measurement &theirs) {
  const bool bad = mine.verdict != Verdict::Measured,
             theirsBad = theirs.verdict != Verdict::Measured;
  if (bad != theirsBad)
    return bad;
  if (mine.times.repeat != theirs.times.repeat)
    return mine.times.repeat > theirs.times.repeat;
  return mine.when >= theirs.when;
}

} // namespace

std::string name(Verdict verdict) {
  switch (verdict) {
  case Verdict::Measured:
    return "measured";
  case Verdict::Wrong:
    return "wrong";
  case Verdict::NotComparable:
    return "not comparable";
  case Verdict::Refused:
    return "refused";
  case Verdict::Crashed:
    return "crashed";
  case Verdict::TimedOut:
    return "timed out";
  case Verdict::Failed:
    return "failed";
  }
  return "failed";
}

Result<Store> Store::open(const std::filesystem::path &file) {
  Result<Database> database = Database::open(file, Database::Mode::Create);
  if (!database)
    return database.error();
  Store store(std::move(*database), file.string());
  if (Status status = store.prepareFile(); !status)
    return status.error();
  return store;
}

Result<Store> Store::openToRead(const std::filesystem::path &file) {
  // Who may write undoes what somebody who was killed left half done; who may not cannot read then.
  Result<Database> database = Database::open(file, Database::Mode::Write);
  if (!database)
    database = Database::open(file, Database::Mode::Read);
  if (!database)
    return database.error();
  Store store(std::move(*database), file.string());
  if (Status status = store.checkVersion(); !status)
    return status.error();
  if (Status status = store.checkWhole(); !status)
    return status.error();
  return store;
}

Status Store::prepareFile() {
  // A journal that is rolled back: one file, a whole after every transaction, on any file system.
  for (const char *setting : {"PRAGMA journal_mode = DELETE", "PRAGMA synchronous = FULL"}) {
    if (Status status = database->execute(setting); !status)
      return status;
  }
  Result<Transaction> making = Transaction::begin(*database);
  if (!making)
    return making.error();
  Result<std::int64_t> tables = database->number("SELECT count(*) FROM sqlite_master");
  if (!tables)
    return tables.error();
  if (*tables == 0) {
    if (Status status = database->execute(schema()); !status)
      return status;
    return making->commit();
  }
  if (Status status = checkVersion(); !status)
    return status;
  return checkWhole();
}

Status Store::checkVersion() const {
  Result<std::int64_t> application = database->number("PRAGMA application_id");
  Result<std::int64_t> version = database->number("PRAGMA user_version");
  // The header is read as it stands: only a look at a page says that a file is none.
  Result<std::int64_t> tables = database->number("SELECT count(*) FROM sqlite_master");
  for (const Result<std::int64_t> *asked : {&application, &version, &tables}) {
    if (!*asked)
      return asked->error();
  }
  if (*application == 0 && *tables == 0)
    return inputError(file + ": is empty: nothing has been measured yet");
  if (*application != applicationId)
    return inputError(file + ": is a SQLite database, but no store of measurements");
  if (*version != storeVersion)
    return inputError(
        file + ": expected format version " + std::to_string(storeVersion) + ", found " +
        std::to_string(*version) +
        (*version > storeVersion ? ": this store was made by a newer tangram-run" : ""));
  return ok();
}

Status Store::checkWhole() const {
  Result<Statement> check = database->prepare("PRAGMA quick_check(1)");
  if (!check)
    return check.error();
  Result<bool> row = check->step();
  if (!row)
    return row.error();
  const std::string said = *row ? check->text(0) : "";
  if (said == "ok")
    return ok();
  return inputError(file + ": is damaged: " + said);
}

Status Store::put(const Measurement &m) {
  Result<Statement> statement =
      database->prepare("INSERT OR REPLACE INTO measurements (" + caseColumns +
                        ", tunables, is_default, verdict, reason, median, lower_quartile, "
                        "upper_quartile, minimum, repeat, measured_at) VALUES (" +
                        parameters(caseColumnCount + 10) + ")");
  if (!statement)
    return statement.error();
  int next = bindCase(*statement, m.of, 1);
  statement->bind(next++, numbersText(m.tunables));
  statement->bind(next++, static_cast<std::int64_t>(m.standard));
  statement->bind(next++, name(m.verdict));
  statement->bind(next++, m.reason);
  for (double value : {m.times.median, m.times.lowerQuartile, m.times.upperQuartile, m.times.min})
    statement->bind(next++, value);
  statement->bind(next++, static_cast<std::int64_t>(m.times.repeat));
  statement->bind(next, orNow(m.when));
  Result<bool> done = statement->step();
  return done ? ok() : Status(done.error());
}

Status Store::put(const Choice &c) {
  Result<Statement> statement = database->prepare(
      "INSERT OR REPLACE INTO choices (" + caseColumns +
      ", tunables, seconds, default_seconds, candidates, exhaustive, chosen_at) VALUES (" +
      parameters(caseColumnCount + 6) + ")");
  if (!statement)
    return statement.error();
  int next = bindCase(*statement, c.of, 1);
  statement->bind(next++, numbersText(c.tunables));
  statement->bind(next++, c.seconds);
  statement->bind(next++, c.standardSeconds);
  statement->bind(next++, static_cast<std::int64_t>(c.candidates));
  statement->bind(next++, static_cast<std::int64_t>(c.exhaustive));
  statement->bind(next, orNow(c.when));
  Result<bool> done = statement->step();
  return done ? ok() : Status(done.error());
}

Result<std::vector<Measurement>>
Store::readMeasurements(const std::string &condition, const std::vector<std::string> &bound) const {
  return rowsOf<Measurement>(
      *database, file,
      "SELECT " + caseColumns +
          ", tunables, is_default, verdict, reason, median, lower_quartile, upper_quartile, "
          "minimum, repeat, measured_at FROM measurements WHERE " +
          condition +
          " ORDER BY spectrum, target, device, extents, plan, verdict <> 'measured', median, "
          "tunables",
      bound, measurementOf);
}

Result<std::vector<Choice>> Store::readChoices(const std::string &condition,
                                               const std::vector<std::string> &bound) const {
  return rowsOf<Choice>(*database, file,
                        "SELECT " + caseColumns +
                            ", tunables, seconds, default_seconds, candidates, exhaustive, "
                            "chosen_at FROM choices WHERE " +
                            condition +
                            " ORDER BY spectrum, target, device, extents, seconds, plan",
                        bound, choiceOf);
}

Result<std::vector<Measurement>> Store::measurementsOf(const TuningCase &of) const {
  return readMeasurements(isCase, keyOf(of));
}

Result<std::vector<Measurement>> Store::measurements(const StoreQuery &query) const {
  const auto [condition, bound] = conditionOf(query);
  return readMeasurements(condition, bound);
}

Result<std::vector<Choice>> Store::choices(const StoreQuery &query) const {
  const auto [condition, bound] = conditionOf(query);
  return readChoices(condition, bound);
}

Result<Store::Merged> Store::merge(const Store &other) {
  Result<std::vector<Measurement>> measurements = other.measurements();
  Result<std::vector<Choice>> choices = other.choices();
  if (!measurements || !choices)
    return measurements ? choices.error() : measurements.error();
  Result<Transaction> transaction = Transaction::begin(*database);
  if (!transaction)
    return transaction.error();
  Merged merged;
  /// Puts `theirs`, unless `mine`, what is here under its key, stays.
  auto take = [&](const auto &mine, const auto &theirs, bool stays) -> Status {
    ++(mine ? stays ? merged.kept : merged.replaced : merged.added);
    return mine && stays ? ok() : put(theirs);
  };
  for (const Measurement &theirs : *measurements) {
    std::vector<std::string> key = keyOf(theirs.of);
    key.push_back(numbersText(theirs.tunables));
    Result<std::vector<Measurement>> found = readMeasurements(isCase + " AND tunables = ?", key);
    if (!found)
      return found.error();
    const Measurement *mine = found->empty() ? nullptr : &found->front();
    if (Status status = take(mine, theirs, mine && outlasts(*mine, theirs)); !status)
      return status.error();
  }
  for (const Choice &theirs : *choices) {
    Result<std::vector<Choice>> found = readChoices(isCase, keyOf(theirs.of));
    if (!found)
      return found.error();
    const Choice *mine = found->empty() ? nullptr : &found->front();
    if (Status status = take(mine, theirs, mine && mine->when >= theirs.when); !status)
      return status.error();
  }
  if (Status status = transaction->commit(); !status)
    return status.error();
  return merged;
}

} // namespace tangram::runtime
