// SQLite as the store needs it: a database, and statements whose parameters and columns are C++ values.
#pragma once

#include "runtime/session/result.h"

#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace tangram::runtime {

class Database;

/// A prepared statement. The database must outlive it.
class Statement {
public:
  void bind(int parameter, const std::string &value);
  void bind(int parameter, std::int64_t value);
  void bind(int parameter, double value);

  /// True: there is a row; false: it has come to its end, and can be run again.
  Result<bool> step();

  std::string text(int column) const;
  std::int64_t integer(int column) const;
  double real(int column) const;

private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt *s) const { sqlite3_finalize(s); }
  };
  Statement(const Database &database, sqlite3_stmt *statement)
      : database(&database), statement(statement) {}

  const Database *database;
  std::unique_ptr<sqlite3_stmt, Finalize> statement;
};

/// An open file. Errors (Fault::Input) name it: "FILE: is damaged: database disk image is malformed",
/// "FILE: cannot be written: attempt to write a readonly database".
class Database {
public:
  enum class Mode { Read, Write, Create };
  static Result<Database> open(const std::filesystem::path &file, Mode mode);

  Result<Statement> prepare(const std::string &sql) const;
  /// Statements without parameters and rows.
  Status execute(const std::string &sql) const;
  /// The number that a statement without parameters gives first.
  Result<std::int64_t> number(const std::string &sql) const;

  /// What SQLite's last error on this database means.
  Error error() const;

private:
  struct Close {
    void operator()(sqlite3 *d) const { sqlite3_close(d); }
  };

  std::string file;
  std::unique_ptr<sqlite3, Close> handle;
};

/// Everything that happens while it exists is kept together by commit(), or not at all.
class Transaction {
public:
  static Result<Transaction> begin(const Database &database);
  Transaction(Transaction &&other) noexcept;
  Transaction &operator=(Transaction &&) = delete;
  ~Transaction();
  Status commit();

private:
  explicit Transaction(const Database &database) : database(&database) {}
  const Database *database; ///< null once it has ended
};

} // namespace tangram::runtime
