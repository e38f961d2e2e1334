#include "runtime/tune/sqlite.h"

#include <cerrno>
#include <cstring>
#include <utility>

namespace tangram::runtime {

namespace {

/// How long to wait for another process that writes.
constexpr int patienceMilliseconds = 20000;

/// What it means to a user, by SQLite's code.
std::string meaningOf(int code) {
  switch (code & 0xff) {
  case SQLITE_NOTADB:
    return "is no SQLite database";
  case SQLITE_CORRUPT:
    return "is damaged";
  case SQLITE_BUSY:
  case SQLITE_LOCKED:
    return "is in use by another process";
  case SQLITE_CANTOPEN:
    return "cannot be opened";
  case SQLITE_READONLY:
  case SQLITE_FULL:
  case SQLITE_IOERR:
    return "cannot be written";
  default:
    return "cannot be used";
  }
}

} // namespace

void Statement::bind(int parameter, const std::string &value) {
  sqlite3_bind_text(statement.get(), parameter, value.data(), static_cast<int>(value.size()),
                    SQLITE_TRANSIENT);
}

void Statement::bind(int parameter, std::int64_t value) {
  sqlite3_bind_int64(statement.get(), parameter, value);
}

void Statement::bind(int parameter, double value) {
  sqlite3_bind_double(statement.get(), parameter, value);
}

Result<bool> Statement::step() {
  const int code = sqlite3_step(statement.get());
  if (code == SQLITE_ROW)
    return true;
  if (code == SQLITE_DONE) {
    sqlite3_reset(statement.get());
    return false;
  }
  Error error = database->error();
  sqlite3_reset(statement.get());
  return error;
}

std::string Statement::text(int column) const {
  const auto *value = reinterpret_cast<const char *>(sqlite3_column_text(statement.get(), column));
  return value ? std::string(
                     value, static_cast<std::size_t>(sqlite3_column_bytes(statement.get(), column)))
               : std::string();
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement.get(), column);
}

double Statement::real(int column) const { return sqlite3_column_double(statement.get(), column); }

Result<Database> Database::open(const std::filesystem::path &file, Mode mode) {
  Database database;
  database.file = file.string();
  const int flags = mode == Mode::Read    ? SQLITE_OPEN_READONLY
                    : mode == Mode::Write ? SQLITE_OPEN_READWRITE
                                          : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  sqlite3 *handle = nullptr;
  const int code = sqlite3_open_v2(database.file.c_str(), &handle, flags, nullptr);
  database.handle.reset(handle);
  if (code != SQLITE_OK) {
    const int system = handle ? sqlite3_system_errno(handle) : ENOMEM;
    return inputError(database.file + ": cannot be opened: " +
                      (system != 0 ? std::strerror(system) : sqlite3_errstr(code)));
  }
  sqlite3_extended_result_codes(handle, 1);
  sqlite3_busy_timeout(handle, patienceMilliseconds);
  return database;
}

Result<Statement> Database::prepare(const std::string &sql) const {
  sqlite3_stmt *statement = nullptr;
  if (sqlite3_prepare_v2(handle.get(), sql.c_str(), -1, &statement, nullptr) != SQLITE_OK)
    return error();
  return Statement(*this, statement);
}

Status Database::execute(const std::string &sql) const {
  return sqlite3_exec(handle.get(), sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK
             ? ok()
             : Status(error());
}

Result<std::int64_t> Database::number(const std::string &sql) const {
  Result<Statement> statement = prepare(sql);
  if (!statement)
    return statement.error();
  Result<bool> row = statement->step();
  if (!row)
    return row.error();
  return *row ? statement->integer(0) : 0;
}

Error Database::error() const {
  return inputError(file + ": " + meaningOf(sqlite3_errcode(handle.get())) + ": " +
                    sqlite3_errmsg(handle.get()));
}

Result<Transaction> Transaction::begin(const Database &database) {
  if (Status status = database.execute("BEGIN IMMEDIATE"); !status)
    return status.error();
  return Transaction(database);
}

Transaction::Transaction(Transaction &&other) noexcept
    : database(std::exchange(other.database, nullptr)) {}

Transaction::~Transaction() {
  if (database)
    static_cast<void>(database->execute("ROLLBACK"));
}

Status Transaction::commit() {
  Status status = database->execute("COMMIT");
  if (status)
    database = nullptr;
  return status;
}

} // namespace tangram::runtime
